import type { GroupView } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';

/** One drawn line of a list: a heading or a row, with its position in pixels. */
export type Item =
  | {
      readonly kind: 'group';
      readonly group: GroupView;
      readonly open: boolean;
      readonly position: number;
      readonly top: number;
      readonly height: number;
    }
  | {
      readonly kind: 'row';
      readonly group: GroupView;
      readonly row: KnownRow;
      /** Among the rows below the same one, from 1. */
      readonly position: number;
      readonly siblings: { readonly count: number };
      /** Pixels above it in which no row is. */
      readonly space: number;
      readonly top: number;
      readonly height: number;
    }
  /** The last item of a group that has more rows than it shows. */
  | {
      readonly kind: 'more';
      readonly group: GroupView;
      readonly count: number;
      readonly top: number;
      readonly height: number;
    };

export type MoreItem = Extract<Item, { kind: 'more' }>;
export type RowItem = Extract<Item, { kind: 'row' }>;
export type GroupItem = Extract<Item, { kind: 'group' }>;

const groupHeight = 30;
const moreHeight = 26;

interface Measures {
  readonly heightOf: (row: KnownRow) => number;
  readonly isOpen: (group: GroupView) => boolean;
  /** The headings are elsewhere. */
  readonly hidesHeadings: boolean;
  readonly spaceBefore?: (key: string) => number;
}

/** A group without a label needs no heading. */
export const hasHeading = ({ label }: GroupView) => label !== '';

/** Lays out groups and rows below each other; heights are known, so only visible rows need to be drawn. */
export function layOut(
  groups: readonly GroupView[],
  rows: ReadonlyMap<string, KnownRow>,
  { heightOf, isOpen, hidesHeadings, spaceBefore = () => 0 }: Measures,
): Item[] {
  const items: Item[] = [];
  let top = 0;
  for (const [at, group] of groups.entries()) {
    const silent = hidesHeadings || !hasHeading(group);
    const open = silent || isOpen(group);
    if (!silent) {
      items.push({ kind: 'group', group, open, position: at + 1, top, height: groupHeight });
      top += groupHeight;
    }
    if (!open) continue;
    const siblingsAt: { count: number }[] = [];
    for (const key of group.rows) {
      const row = rows.get(key);
      if (!row) continue;
      const height = heightOf(row);
      siblingsAt.length = Math.min(siblingsAt.length, row.depth + 1);
      siblingsAt[row.depth] ??= { count: 0 };
      const siblings = siblingsAt[row.depth]!;
      const space = spaceBefore(key);
      top += space;
      items.push({ kind: 'row', group, row, position: ++siblings.count, siblings, space, top, height });
      top += height;
    }
    if (!group.more) continue;
    items.push({ kind: 'more', group, count: group.more, top, height: moreHeight });
    top += moreHeight;
  }
  return items;
}

/** The items that touch [from, to], found by halving. */
export function inSight(items: readonly Item[], from: number, to: number): readonly Item[] {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.top + items[middle]!.height < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < items.length && items[end]!.top <= to) end++;
  return items.slice(low, end);
}

/** The top of an item with the space above it. */
export const beginOf = (item: Item) => (item.kind === 'row' ? item.top - item.space : item.top);

export const itemKey = (item: Item) => (item.kind === 'row' ? item.row.key : `${item.kind}:${item.group.key}`);

export const keysOfRows = (items: readonly Item[]) => items.filter(({ kind }) => kind === 'row').map(itemKey);

/** The rows from one line to another, whichever is first; a line that is gone selects nothing besides the other one. */
export function keysBetween(items: readonly Item[], one: string, other: string): string[] {
  const positions = [one, other].map(key => items.findIndex(item => itemKey(item) === key)).filter(at => at >= 0);
  return keysOfRows(items.slice(Math.min(...positions), Math.max(...positions) + 1));
}

/**
 * The key of the item that replaces a removed one: rather a row than a heading, and below the items that were above it
 * and stay. `index`: where it was; -1 if there was none.
 */
export function nearestKey(items: readonly Item[], before: readonly Item[], index: number): string | undefined {
  const positions = new Map(items.map((item, at) => [itemKey(item), at]));
  const above = before.slice(0, Math.max(index, 0)).findLast(item => positions.has(itemKey(item)));
  const at = above ? positions.get(itemKey(above))! + 1 : 0;
  const item = items.slice(at, at + 2).find(({ kind }) => kind === 'row') ?? items[Math.min(at, items.length - 1)];
  return item && itemKey(item);
}

/**
 * The key of a row that was moved to a group, once it is there: its own, or a new one if the row is an occurrence, which
 * becomes a task of its own. Other occurrences of the series may have been in the group before.
 */
export function arrivedKey(
  items: readonly Item[],
  { group, key }: { readonly group: string; readonly key: string },
  before: ReadonlyMap<string, number>,
): string | undefined {
  const own = key.slice(key.lastIndexOf('/') + 1);
  const taskId = Number(own.split('@')[0]);
  const rows = items.flatMap(item => (item.kind === 'row' && item.group.key === group ? item.row : []));
  const isNew = (row: KnownRow) => (row.taskId === taskId || row.series === taskId) && !before.has(row.key);
  return (rows.find(row => row.key === `${group}/${own}`) ?? rows.find(isNew))?.key;
}

/** A row by its group and key. */
interface RowPlace {
  readonly group: string;
  readonly key: string;
}

/**
 * The place of a row that an undo took back to another group, or, an occurrence, into its series. If it is where it was,
 * that of the first row that has come.
 */
export function returnedTo(
  groups: readonly GroupView[],
  rows: ReadonlyMap<string, KnownRow>,
  { key: own, series }: KnownRow,
  {
    before,
    visibleKeys,
  }: { readonly before: ReadonlyMap<string, KnownRow>; readonly visibleKeys: ReadonlySet<string> },
): RowPlace | undefined {
  if (visibleKeys.has(own)) return firstNew(groups, before);
  const end = own.slice(own.lastIndexOf('/'));
  const isIt = (key: string) =>
    key.endsWith(end) || (series !== undefined && !before.has(key) && rows.get(key)?.taskId === series);
  const group = groups.find(group => group.rows.some(isIt));
  return group && { group: group.key, key: group.rows.find(isIt)! };
}

function firstNew(groups: readonly GroupView[], before: ReadonlyMap<string, KnownRow>): RowPlace | undefined {
  for (const group of groups) for (const key of group.rows) if (!before.has(key)) return { group: group.key, key };
  return undefined;
}

/** The new key of an open task that is now in another group, or whose occurrence has become a task of its own. */
export function movedKey(
  items: readonly Item[],
  was: Item | undefined,
  before: ReadonlyMap<string, number>,
): string | undefined {
  if (was?.kind !== 'row') return undefined;
  const { taskId, occurrence } = was.row;
  const moved = items.find(item => {
    if (item.kind !== 'row' || (item.row.state !== 'open' && item.row.state !== 'doing')) return false;
    const isNew = item.row.series === taskId && !before.has(item.row.key);
    return isNew || (item.row.taskId === taskId && item.row.occurrence === occurrence);
  });
  return moved && itemKey(moved);
}
