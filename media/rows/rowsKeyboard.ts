import { priorityKeys } from '../../src/core/fields/priority';
import type { GroupView, RowAct } from '../../src/shared/widgetProtocol';
import { post } from '../page/hostMessages';
import type { GroupItem, Item, MoreItem, RowItem } from '../page/rowLayout';
import { endsChord } from './chord';
import { openMenuBelow } from './contextMenu';
import { rowKeys } from './rowKeys';
import { typed } from './typedKey';

/** The list that the keys act on, with its operations. */
interface KeyedRows extends HTMLElement {
  readonly groups: readonly GroupView[];
  readonly items: readonly Item[];
  readonly activeIndex: number;
  readonly hidesHeadings: boolean;
  readonly hasListsBeside: boolean;
  readonly hasListsAbove: boolean;
  readonly byHand: boolean;
  selected: ReadonlySet<string>;
  targetsOf(key: string): readonly string[];
  goTo(item: Item, isExtended: boolean): void;
  follow(group: string, key: string): void;
  fold(group: GroupView): void;
  showMore(item: MoreItem): void;
  act(act: RowAct, key: string): void;
  toggle(key: string): void;
  selectAll(): void;
}

/** A step to another list beside, above or below, with the rows of these keys. */
export interface ColumnMove {
  readonly step: number;
  readonly isUpright: boolean;
  readonly keys: readonly string[];
}

/** Handles all keys of a list of rows; other keys are left to the page and the editor. */
export function onRowsKey(rows: KeyedRows, event: KeyboardEvent): void {
  if (endsChord(event)) return;
  const item = rows.items[rows.activeIndex];
  const known = moveFocus(rows, event) || moveTask(rows, event, item) || onItem(rows, event, item);
  if (!known) return;
  event.preventDefault();
  event.stopPropagation();
}

function onItem(rows: KeyedRows, event: KeyboardEvent, item: Item | undefined): boolean {
  switch (item?.kind) {
    case 'row':
      return onRow(rows, event, item);
    case 'group':
      return onGroup(rows, event, item);
    case 'more':
      return onMore(rows, event, item);
    case undefined:
      return onEmpty(rows, event);
  }
}

const isPlain = (event: KeyboardEvent) => !event.ctrlKey && !event.metaKey && !event.altKey;

/** Up and down, by pages, to the ends; with Shift selecting. */
function moveFocus(rows: KeyedRows, event: KeyboardEvent): boolean {
  if (!isPlain(event)) return false;
  const { items, activeIndex: at } = rows;
  const page = Math.max(1, Math.floor(rows.clientHeight / 30) - 1);
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: items.length - 1,
    PageDown: at + page,
    PageUp: at - page,
  };
  const to = steps[event.key];
  if (to === undefined) return false;
  const step = uprightStep(event);
  if (rows.hasListsAbove && step !== undefined && (to < 0 || to >= items.length)) {
    toNeighbor(rows, { step, isUpright: true, keys: [] });
    return true;
  }
  const item = items[Math.min(Math.max(to, 0), items.length - 1)];
  if (item) rows.goTo(item, event.shiftKey);
  return true;
}

/** With Alt the rows come along: sideways into the next group or column, up and down in the user's own order. */
function moveTask(rows: KeyedRows, event: KeyboardEvent, item: Item | undefined): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  const columnStep = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const upright = uprightStep(event);
  const keys = event.altKey && item?.kind === 'row' ? rows.targetsOf(item.row.key) : [];
  if (columnStep !== undefined) {
    const step = document.dir === 'rtl' ? -columnStep : columnStep;
    if (rows.hasListsBeside) {
      toNeighbor(rows, { step, isUpright: false, keys });
      return true;
    }
    if (!event.altKey || item?.kind !== 'row') return false;
    intoGroup(rows, item, step);
    return true;
  }
  if (upright === undefined || !event.altKey || item?.kind !== 'row') return false;
  if (rows.byHand && pastNeighbor(rows, item, upright)) return true;
  if (rows.hasListsAbove) {
    toNeighbor(rows, { step: upright, isUpright: true, keys });
    return true;
  }
  // If there is no other group to move to, the move needs an order of the user's own.
  if (!rows.byHand && (rows.hidesHeadings || !intoGroup(rows, item, upright)))
    post({ type: 'widget', act: 'sortManually' });
  return true;
}

const uprightStep = ({ key }: KeyboardEvent) => ({ ArrowUp: -1, ArrowDown: 1 })[key];

/** Goes to another list of the page, with the rows of these keys. */
function toNeighbor(rows: KeyedRows, detail: ColumnMove): void {
  rows.dispatchEvent(new CustomEvent('columnmove', { detail, bubbles: true }));
}

/** Into the next group that takes rows; false: none but its own does. */
function intoGroup(rows: KeyedRows, { row, group }: RowItem, step: number): boolean {
  const at = rows.groups.indexOf(group);
  const on = step > 0 ? rows.groups.slice(at + 1) : rows.groups.slice(0, at).reverse();
  const takes = (one: GroupView) => one !== group && one.dropValues !== undefined;
  const to = on.find(takes);
  if (!to) return rows.groups.some(takes);
  rows.follow(to.key, row.key);
  post({ type: 'move', keys: rows.targetsOf(row.key), group: to.key });
  return true;
}

/** Moves past the next row of the same depth in the same group, if there is one. */
function pastNeighbor(rows: KeyedRows, { row, group }: RowItem, step: number): boolean {
  const { items } = rows;
  for (let at = rows.activeIndex + step; ; at += step) {
    const other = items[at];
    if (other?.kind !== 'row' || other.group !== group || other.row.depth < row.depth) return false;
    if (other.row.depth > row.depth || other.row.state === 'done') continue;
    post({
      type: 'order',
      keys: rows.targetsOf(row.key),
      neighbor: other.row.key,
      side: step < 0 ? 'before' : 'after',
    });
    return true;
  }
}

function onRow(rows: KeyedRows, event: KeyboardEvent, { row, group }: RowItem): boolean {
  const key = typed(event);
  if ((event.ctrlKey || event.metaKey) && key === 'a') rows.selectAll();
  else if (event.ctrlKey && key === ' ') rows.toggle(row.key);
  else if (!isPlain(event)) return false;
  else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) menuAt(rows, row.key);
  else if (rowKeys[key]) rows.act(rowKeys[key], row.key);
  else if (priorityKeys[key] !== undefined)
    post({ type: 'priority', keys: rows.targetsOf(row.key), priority: priorityKeys[key] });
  else if (key === 'Escape' && rows.selected.size > 0) rows.selected = new Set();
  else if (key === outwards()) {
    const heading = rows.items.find(item => item.kind === 'group' && item.group === group);
    if (heading) rows.goTo(heading, false);
  } else return false;
  return true;
}

const outwards = () => (document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft');
const inwards = () => (document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight');

function onGroup(rows: KeyedRows, event: KeyboardEvent, { group, open }: GroupItem): boolean {
  const folds = event.key === 'Enter' || event.key === ' ' || event.key === (open ? outwards() : inwards());
  if (!folds || !isPlain(event)) return false;
  rows.fold(group);
  return true;
}

function onMore(rows: KeyedRows, event: KeyboardEvent, item: MoreItem): boolean {
  if ((event.key !== 'Enter' && event.key !== ' ') || !isPlain(event)) return false;
  rows.showMore(item);
  return true;
}

/** A column without a row to act on takes a new task. */
function onEmpty(rows: KeyedRows, event: KeyboardEvent): boolean {
  const [group] = rows.groups;
  if (event.key !== 'Enter' || !isPlain(event) || !rows.hidesHeadings || !group?.dropValues) return false;
  addTo(rows, group);
  return true;
}

/** Has the line at the top add to a group. */
export function addTo(element: Element, group: GroupView): void {
  element.dispatchEvent(new CustomEvent('addhere', { detail: group, bubbles: true }));
}

function menuAt(rows: KeyedRows, key: string): void {
  const row = rows.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (row) openMenuBelow(row, 24);
}
