import type { CompiledQuery } from '../filter/eval/compile';
import type { TaskSource } from '../filter/eval/context';
import { type LineColumn, LineTable } from '../filter/eval/lineTable';
import type { LineOrder } from '../filter/eval/sort';
import { inSet } from '../filter/eval/sql';
import type { EpochMs, Id, Occurrence } from '../model';
import type { Moment } from '../time/dates';
import type { Lines } from './groups';

/** How the lines of a view are grouped: by a number, NaN for those that it does not show. */
export interface LineGrouping {
  readonly columns: readonly LineColumn[];
  readonly groupOf: (slot: number, table: LineTable, moment: Moment) => number;
}

interface Group {
  slots: number[];
  /** The first of its lines, sorted; how many is up to who asks. */
  first: Occurrence[];
}

/** So many more than were asked for are kept, so that a line that goes does not have all looked through. */
const spare = 50;

/**
 * The lines of a query by groups, with changed rows asked again one by one instead of all. Of lines that nobody looks at
 * only numbers are kept.
 */
export class LineView {
  readonly table: LineTable;
  readonly #groups = new Map<number, Group>();
  /** By slot. */
  readonly #groupOf: number[] = [];
  readonly #cut = new Set<Id>();
  /** Lines that may become overdue. */
  #waiting: Set<number> | undefined;
  #moment: Moment;

  constructor(
    readonly source: TaskSource,
    readonly compiled: CompiledQuery,
    readonly order: LineOrder,
    readonly grouping: LineGrouping,
    moment: Moment,
    readonly range?: ConstructorParameters<typeof LineTable>[4],
  ) {
    this.#moment = moment;
    this.table = new LineTable(source, compiled, order, grouping.columns, range);
    this.table.read(undefined, slot => this.#file(slot), this.#onCut);
  }

  #onCut = (id: Id) => {
    this.#cut.add(id);
    this.compiled.bound.context.onCut?.(id);
  };

  /** Whether a task that repeats very often has more lines than these. */
  get isCut(): boolean {
    return this.#cut.size > 0;
  }

  get groups(): number[] {
    return [...this.#groups].flatMap(([key, { slots }]) => (slots.length > 0 ? [key] : []));
  }

  get openCount(): number {
    return this.table.slots().filter(this.table.isOpen).length;
  }

  /** How many lines have been read. */
  get itemCount(): number {
    let count = 0;
    for (const { first } of this.#groups.values()) count += first.length;
    return count;
  }

  /** The lines of a group, read as far as they are asked for. */
  lines(key: number): Lines {
    const group = this.#groups.get(key);
    if (!group) return [];
    return { length: group.slots.length, slice: (_from, to) => this.#first(group, to ?? Number.POSITIVE_INFINITY) };
  }

  /** Whether the lines are others now. */
  update(rows: ReadonlySet<Id>, moment: Moment): boolean {
    if (rows.size === 0) return false;
    this.#moment = moment;
    const { table } = this;
    const gone = table.slotsOf(rows);
    this.#takeOut(gone);
    table.remove(gone);
    let changed = gone.length > 0;
    for (const id of rows) changed = this.#cut.delete(id) || changed;
    const added: number[] = [];
    table.read(inSet('t.id', rows), slot => added.push(slot), this.#onCut);
    this.#putIn(added);
    return changed || added.length > 0;
  }

  /** Looks again at what has become overdue; the day is still the same. */
  pass(moment: Moment): void {
    this.#moment = moment;
    const { table, grouping } = this;
    const passed = table.slots().filter(slot => {
      const item = table.item(slot);
      const group = grouping.groupOf(slot, table, moment);
      return !Object.is(group, this.#groupOf[slot]) || (item && table.items([slot], moment)[0] !== item);
    });
    this.#takeOut(passed);
    this.#putIn(passed);
  }

  /** When the first of all lines will be overdue that are not, by their due dates. */
  nextPass(dues: readonly number[], moment: Moment): EpochMs {
    const { table } = this;
    const mayPass = (slot: number) =>
      table.rows[slot] !== 0 && !table.isAllDay(slot) && !table.isPast(slot, dues[slot]!, moment);
    this.#waiting ??= new Set(table.slots().filter(mayPass));
    const wall = moment.now - moment.civilNow;
    let next = Number.POSITIVE_INFINITY;
    for (const slot of this.#waiting) {
      if (!mayPass(slot)) continue;
      const time = dues[slot]! + (table.isFloating(slot) ? wall : 0);
      if (time < next) next = time;
    }
    return next;
  }

  #first(group: Group, count: number): Occurrence[] {
    const wanted = Math.min(count, group.slots.length);
    if (group.first.length < wanted) group.first = this.table.first(group.slots, wanted + spare, this.#moment);
    return group.first.slice(0, wanted);
  }

  #file(slot: number): Group | undefined {
    const key = this.grouping.groupOf(slot, this.table, this.#moment);
    this.#groupOf[slot] = key;
    this.#waiting?.add(slot);
    if (Number.isNaN(key)) return undefined;
    let group = this.#groups.get(key);
    if (!group) {
      group = { slots: [], first: [] };
      this.#groups.set(key, group);
    }
    group.slots.push(slot);
    return group;
  }

  #takeOut(slots: readonly number[]): void {
    if (slots.length === 0) return;
    const gone = new Set(slots);
    const items = new Set(slots.map(this.table.item));
    for (const key of new Set(slots.map(slot => this.#groupOf[slot]!))) {
      const group = this.#groups.get(key);
      if (!group) continue;
      group.slots = without(group.slots, gone);
      if (group.first.length > 0) group.first = group.first.filter(item => !items.has(item));
    }
  }

  #putIn(slots: readonly number[]): void {
    for (const slot of slots) {
      const group = this.#file(slot);
      if (!group) continue;
      // What is kept of a group stays its first lines: a new one goes among them, or behind where they are all there are.
      const isWhole = group.first.length === group.slots.length - 1;
      if (!isWhole && group.first.length === 0) continue;
      const [item] = this.table.items([slot], this.#moment);
      if (!item) continue;
      const at = placeOf(group.first, item, this.order);
      if (isWhole || at < group.first.length) group.first.splice(at, 0, item);
    }
  }
}

/** Few are taken out in place, which takes a tenth of a look at each. */
function without(slots: number[], gone: ReadonlySet<number>): number[] {
  if (gone.size > fewSlots) return slots.filter(slot => !gone.has(slot));
  for (const slot of gone) {
    const at = slots.indexOf(slot);
    if (at < 0) continue;
    slots[at] = slots.at(-1)!;
    slots.pop();
  }
  return slots;
}

const fewSlots = 20;

/** Where `item` is in a sorted array, or would be. */
function placeOf(sorted: readonly Occurrence[], item: Occurrence, { compare }: LineOrder): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle]!, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
