import type { GroupView, RowView } from '../../src/views/protocol';

/** One drawn line of a list: a heading or a row, with its place in pixels. */
export type Item =
  | {
      readonly kind: 'group';
      readonly group: GroupView;
      readonly open: boolean;
      readonly top: number;
      readonly height: number;
    }
  | {
      readonly kind: 'row';
      readonly group: GroupView;
      readonly row: RowView;
      readonly position: number;
      readonly top: number;
      readonly height: number;
    };

export type RowItem = Extract<Item, { kind: 'row' }>;
export type GroupItem = Extract<Item, { kind: 'group' }>;

const groupHeight = 30;

export interface Measures {
  readonly heightOf: (row: RowView) => number;
  readonly isOpen: (group: GroupView) => boolean;
  /** The headings stand elsewhere. */
  readonly headless: boolean;
}

/** A group that says nothing needs no heading. */
export const hasHeading = ({ label }: GroupView) => label !== '';

/** Lays groups and rows out below each other; heights are known, so only what is in sight need be drawn. */
export function layOut(
  groups: readonly GroupView[],
  rows: ReadonlyMap<string, RowView>,
  { heightOf, isOpen, headless }: Measures,
): Item[] {
  const items: Item[] = [];
  let top = 0;
  for (const group of groups) {
    const silent = headless || !hasHeading(group);
    const open = silent || isOpen(group);
    if (!silent) {
      items.push({ kind: 'group', group, open, top, height: groupHeight });
      top += groupHeight;
    }
    if (!open) continue;
    for (const [position, key] of group.rows.entries()) {
      const row = rows.get(key);
      if (!row) continue;
      const height = heightOf(row);
      items.push({ kind: 'row', group, row, position: position + 1, top, height });
      top += height;
    }
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

export const itemKey = (item: Item) => (item.kind === 'row' ? item.row.key : `group:${item.group.key}`);
