import type { EpochMs, Id } from '../../core/kernel/model';
import type { Moment } from '../../core/time/dates';
import type { CompiledQuery } from '../eval/compile';
import type { TaskSource } from '../eval/context';
import { type LineColumn, LineTable } from '../eval/lineTable';
import type { LineOrder } from '../eval/sort';
import { inSet } from '../eval/sql';
import type { Lines } from './groups';

/** How the lines of a view are grouped: by a number, NaN for those that it does not show. */
export interface LineGrouping {
  readonly columns: readonly LineColumn[];
  readonly groupOf: (slot: number, table: LineTable, moment: Moment) => number;
}

interface Group {
  slots: number[];
  /** The slots of its first lines, sorted; the callers decide how many. The table has the lines: they change with the clock. */
  first: number[];
}

/** This many more than were asked for are kept, so that a removed line does not cause a search of all. */
const spare = 50;

/**
 * The lines of a query by groups, with only changed rows queried again. Only numbers are kept of lines that are not
 * shown.
 */
export class LineView {
  readonly table: LineTable;
  readonly #groups = new Map<number, Group>();
  /** The group of each slot. */
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

  /** True if a task that repeats very often has more lines than these. */
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

  /** The lines of a group as they are at `moment`, read as far as they are asked for. */
  lines(key: number, moment: Moment): Lines {
    const group = this.#groups.get(key);
    if (!group) return [];
    const slice = (_from: 0, to = Number.POSITIVE_INFINITY) =>
      this.table.items(this.#first(group, Math.min(to, group.slots.length), moment), moment);
    return { length: group.slots.length, slice };
  }

  /** Applies changed rows; true if the lines differ now. */
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

  /** Moves the lines that have become overdue to their groups; the day is still the same. */
  refreshTimes(moment: Moment): void {
    this.#moment = moment;
    const { table, grouping } = this;
    const passed = table.slots().filter(slot => !Object.is(grouping.groupOf(slot, table, moment), this.#groupOf[slot]));
    this.#takeOut(passed);
    this.#putIn(passed);
  }

  /** When the first of all lines will be overdue that are not, by their due dates. */
  nextPass(moment: Moment): EpochMs {
    const { table } = this;
    this.#waiting ??= new Set(table.slots().filter(slot => table.overdueFrom(slot, moment) !== undefined));
    let next = Number.POSITIVE_INFINITY;
    for (const slot of this.#waiting) next = Math.min(next, table.overdueFrom(slot, moment) ?? next);
    return next;
  }

  #first(group: Group, count: number, moment: Moment): number[] {
    if (group.first.length < count) group.first = this.table.first(group.slots, count + spare, moment);
    return group.first.slice(0, count);
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
    for (const key of new Set(slots.map(slot => this.#groupOf[slot]!))) {
      const group = this.#groups.get(key);
      if (!group) continue;
      group.slots = without(group.slots, gone);
      if (group.first.length > 0) group.first = group.first.filter(slot => !gone.has(slot));
    }
  }

  #putIn(slots: readonly number[]): void {
    for (const slot of slots) {
      const group = this.#file(slot);
      if (!group) continue;
      // The part of a group that is kept stays its first lines: a new one goes among them, or after them if they are
      // all there are.
      const isWhole = group.first.length === group.slots.length - 1;
      if (!isWhole && group.first.length === 0) continue;
      const at = this.#indexAmong(group.first, slot);
      if (isWhole || at < group.first.length) group.first.splice(at, 0, slot);
    }
  }

  /** The index at which `slot` belongs among sorted ones. */
  #indexAmong(sorted: readonly number[], slot: number): number {
    const lineOf = (one: number) => this.table.items([one], this.#moment)[0]!;
    const line = lineOf(slot);
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.order.compare(lineOf(sorted[middle]!), line) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A few are removed in place, which takes a tenth of the time of a pass over all. */
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
