import type { EpochMs, Id, Occurrence, Task } from '../../core/kernel/model';
import type { Moment } from '../../core/time/dates';
import { civilDay } from './civilDay';
import type { CompiledQuery } from './compile';
import type { SqlParam, TaskSource } from './context';
import type { DayRange } from './expand';
import { isLiveSeries, occurrence, plainItem } from './items';
import { eachLine, isComputed } from './run';
import { type LineOrder, type SortedBy, type SortPart, sortedTitle } from './sort';
import { inSet, type Sql } from './sql';
import { plainRow } from './sqlTerms';

/** A number that lines are grouped or counted by. */
export interface LineColumn {
  /** The fields of a task that it reads, besides its status and the coding of its dates. */
  readonly reads: readonly SortedBy[];
  readonly value: (item: Occurrence) => number | undefined;
}

const columns: Readonly<Record<SortedBy, string>> = {
  id: 't.id',
  title: 't.title',
  due: 't.due',
  dtstart: 't.dtstart',
  completedAt: 't.completed_at',
  priority: 't.priority',
  createdAt: 't.created_at',
  lastModified: 't.last_modified',
  sortOrder: 't.sort_order',
  listId: 't.list_id',
  masterId: 't.master_id',
  unknownProperties: 't.unknown_properties',
};

/** Status in the lowest two bits. */
const [allDay, floating, deleted] = [4, 8, 16];
const code = `t.status + ${allDay} * t.is_all_day + ${floating} * (t.timezone IS NULL) + ${deleted} * t.is_deleted`;

const fewRows = 20;

/** If more lines than this have the same rank, their titles are compared before they are read. */
const fewTies = 300;

/**
 * The lines of a query as numbers: the rank of each, as far as its title does not decide, and its groups. That takes a
 * hundredth of the memory of the tasks, which are read when they are shown.
 */
export class LineTable {
  /** The rows that lines stand for; 0 if a line was taken out. */
  readonly rows: Id[] = [];
  /** The values of `valueColumns` for each line, NaN for none. */
  readonly values: readonly number[][];
  readonly #codes: number[] = [];
  /** Due dates as stored, all-day ones at the beginning of their day; NaN for none. */
  readonly #dues: number[] = [];
  readonly #items: (Occurrence | undefined)[] = [];
  /** The lines that were overdue when they were last read. */
  readonly #wasOverdue: boolean[] = [];
  /** Lines of rows whose dates were computed: the row alone does not have them. */
  readonly #isKept: boolean[] = [];
  readonly #free: number[] = [];
  readonly #parts: readonly SortPart[];
  readonly #title: SortPart | undefined;
  readonly #keys: readonly number[][];
  readonly #reads: readonly SortedBy[];

  constructor(
    readonly source: TaskSource,
    readonly compiled: CompiledQuery,
    readonly order: LineOrder,
    readonly valueColumns: readonly LineColumn[] = [],
    readonly range?: DayRange,
  ) {
    const title = order.parts.findIndex(({ collator }) => collator !== undefined);
    this.#parts = title < 0 ? order.parts : order.parts.slice(0, title);
    this.#title = order.parts[title];
    this.#keys = this.#parts.map(() => []);
    this.values = valueColumns.map(() => []);
    const reads = [...this.#parts, ...valueColumns].flatMap(part => part.reads);
    this.#reads = [...new Set<SortedBy>(['due', ...reads])].filter(read => read !== 'id');
  }

  /**
   * Adds the lines of all rows, or of those that a condition selects. Calls `onCut` with each row that has more lines.
   */
  read(within?: Sql, visit?: (slot: number) => void, onCut?: (id: Id) => void): void {
    const { compiled } = this;
    const { text, params } = within ? both(within, compiled.all) : compiled.all;
    if (compiled.residual || compiled.bound.context.isVisible) {
      this.#readTasks(this.source.selectTasks(text, params), visit, onCut);
      return;
    }
    const computed: Id[] = [];
    const [scratch, fill] = scratchItem(this.#reads);
    const selected = ['t.id', `CASE WHEN ${plainRow} THEN ${code} ELSE -1 END`, ...this.#reads.map(by => columns[by])];
    this.source.each(`SELECT ${selected.join(', ')} FROM tasks t WHERE ${text}`, params, row => {
      const code = row[1] as number;
      if (code < 0) {
        computed.push(row[0] as Id);
        return;
      }
      fill(row as readonly SqlParam[], code);
      const slot = this.#put(row[0] as Id, code, scratch);
      visit?.(slot);
    });
    if (computed.length === 0) return;
    const rows = inSet('t.id', computed);
    this.#readTasks(this.source.selectTasks(rows.text, rows.params), visit, onCut);
  }

  #readTasks(rows: readonly Task[], visit?: (slot: number) => void, onCut?: (id: Id) => void): void {
    const add = (item: Occurrence, row: Task) => {
      const slot = this.#put(row.id, codeOf(item.task), item);
      if (isLiveSeries(row) || isComputed(row)) {
        this.#isKept[slot] = true;
        this.#items[slot] = item;
      }
      visit?.(slot);
    };
    eachLine(rows, this.compiled, this.source, add, this.range, onCut);
  }

  #put(row: Id, code: number, item: Occurrence): number {
    const slot = this.#free.pop() ?? this.rows.length;
    this.rows[slot] = row;
    this.#codes[slot] = code;
    this.#dues[slot] = item.due === null ? Number.NaN : item.task.isAllDay ? civilDay(item.due, item.task) : item.due;
    this.#items[slot] = undefined;
    this.#wasOverdue[slot] = item.isOverdue;
    this.#isKept[slot] = false;
    for (let at = 0; at < this.#parts.length; at++)
      this.#keys[at]![slot] = (this.#parts[at]!.value(item) as number | undefined) ?? Number.NaN;
    for (let at = 0; at < this.valueColumns.length; at++)
      this.values[at]![slot] = this.valueColumns[at]!.value(item) ?? Number.NaN;
    return slot;
  }

  /** Takes lines out. */
  remove(slots: Iterable<number>): void {
    for (const slot of slots) {
      this.rows[slot] = 0;
      this.#items[slot] = undefined;
      this.#free.push(slot);
    }
  }

  get size(): number {
    return this.rows.length - this.#free.length;
  }

  /** Every line. */
  slots(): number[] {
    const slots: number[] = [];
    for (let slot = 0; slot < this.rows.length; slot++) if (this.rows[slot] !== 0) slots.push(slot);
    return slots;
  }

  /**
   * The slots of some rows. A few are looked up one by one, which takes a tenth of the time of a pass over all lines.
   */
  slotsOf(rows: ReadonlySet<Id>): number[] {
    const found: number[] = [];
    if (rows.size > fewRows) {
      for (let slot = 0; slot < this.rows.length; slot++) if (rows.has(this.rows[slot]!)) found.push(slot);
      return found;
    }
    for (const id of rows)
      for (let slot = this.rows.indexOf(id); slot >= 0; slot = this.rows.indexOf(id, slot + 1)) found.push(slot);
    return found;
  }

  isOpen = (slot: number): boolean => (this.#codes[slot]! & 3) < 2;

  isOverdue(slot: number, { now, civilNow, today }: Moment): boolean {
    const code = this.#codes[slot]!;
    if ((code & 3) > 1 || (code & deleted) !== 0) return false;
    return this.#dues[slot]! < (code & allDay ? today.civilStart : code & floating ? civilNow : now);
  }

  /** When a timed line becomes overdue; undefined if it is so already or never will be before the day ends. */
  overdueFrom(slot: number, moment: Moment): EpochMs | undefined {
    const code = this.#codes[slot]!;
    const due = this.#dues[slot]!;
    if (this.rows[slot] === 0 || (code & 3) > 1 || (code & (allDay | deleted)) !== 0 || Number.isNaN(due)) return;
    if (this.isOverdue(slot, moment)) return;
    return due + (code & floating ? moment.now - moment.civilNow : 0);
  }

  /** The lines of some slots as they are at `moment`; those without a row any more are skipped. */
  items(slots: readonly number[], moment: Moment): Occurrence[] {
    const missing = slots.filter(slot => this.#items[slot] === undefined);
    const rows = new Map(this.#tasks(missing).map(task => [task.id, task]));
    const found: Occurrence[] = [];
    for (const slot of slots) {
      const isOverdue = this.isOverdue(slot, moment);
      let item = this.#items[slot];
      if (!item || isOverdue !== this.#wasOverdue[slot]) {
        item = item ? occurrence(item, moment) : this.#made(rows.get(this.rows[slot]!), moment);
        this.#items[slot] = item;
        this.#wasOverdue[slot] = isOverdue;
      }
      if (item) found.push(item);
    }
    return found;
  }

  #made = (task: Task | undefined, moment: Moment) => task && plainItem(task, moment);

  #tasks(slots: readonly number[]): readonly Task[] {
    if (slots.length === 0) return [];
    const { text, params } = inSet('t.id', this.#idsOf(slots));
    return this.source.selectTasks(text, params);
  }

  #idsOf = (slots: readonly number[]) => slots.map(slot => this.rows[slot]!);

  /** Removes the lines that are not among the first `count`; a few others may stay. */
  keepFirst(count: number): void {
    const slots = this.slots();
    const near = new Set(this.#nearest(slots, count));
    if (near.size < slots.length) this.remove(slots.filter(slot => !near.has(slot)));
  }

  /** The slots of the first `count` of some lines, in order. */
  first(slots: readonly number[], count: number, moment: Moment): number[] {
    if (count <= 0) return [];
    const near = this.#nearest(slots, count);
    const lines = this.items(near, moment);
    const slotOf = new Map(near.map(slot => [this.#items[slot], slot]));
    return this.order
      .sort(lines)
      .slice(0, count)
      .map(line => slotOf.get(line)!);
  }

  /** The slots that may be among the first `count`, by their numbers, and by their titles if very many are equal. */
  #nearest(slots: readonly number[], count: number): readonly number[] {
    if (slots.length <= count + fewTies) return slots;
    const last = lastOfFirst(slots, count, this.#compare);
    const before: number[] = [];
    const ties: number[] = [];
    for (const slot of slots) {
      const order = this.#compare(slot, last);
      if (order < 0) before.push(slot);
      else if (order === 0) ties.push(slot);
    }
    const missing = count - before.length;
    return [...before, ...(this.#title && ties.length > missing + fewTies ? this.#byTitle(ties, missing) : ties)];
  }

  #byTitle(slots: readonly number[], count: number): readonly number[] {
    const { collator, sign } = this.#title!;
    const titles = new Map<Id, string>();
    const { text, params } = inSet('t.id', this.#idsOf(slots));
    this.source.each(`SELECT t.id, t.title FROM tasks t WHERE ${text}`, params, ([id, title]) => {
      if (title) titles.set(id as Id, title as string);
    });
    const titleOf = (slot: number) => {
      return sortedTitle(this.#isKept[slot] ? this.#items[slot]?.task.title : titles.get(this.rows[slot]!));
    };
    const compare = (a: number, b: number) => {
      const [one, other] = [titleOf(a), titleOf(b)];
      if (one === other) return 0;
      if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
      return sign * collator!.compare(one, other);
    };
    const last = lastOfFirst(slots, count, compare);
    return slots.filter(slot => compare(slot, last) <= 0);
  }

  #compare = (a: number, b: number): number => {
    for (let at = 0; at < this.#keys.length; at++) {
      const keys = this.#keys[at]!;
      const [one, other] = [keys[a]!, keys[b]!];
      if (one === other) continue;
      if (Number.isNaN(one)) {
        if (Number.isNaN(other)) continue;
        return 1;
      }
      if (Number.isNaN(other)) return -1;
      return this.#parts[at]!.sign * (one - other);
    }
    return 0;
  };
}

const both = (one: Sql, other: Sql): Sql => ({
  text: `${one.text} AND (${other.text})`,
  params: [...one.params, ...other.params],
});

const codeOf = (task: Task): number =>
  task.status + (task.isAllDay ? allDay : 0) + (task.timezone === null ? floating : 0) + (task.isDeleted ? deleted : 0);

type Filled = { -readonly [Key in keyof Task]?: Task[Key] | undefined };

/** One line that is filled again for each row, with as much as its values ask for. */
function scratchItem(reads: readonly SortedBy[]) {
  const task: Filled = { rrule: null };
  const item = { task: task as Task, due: null as number | null, dtstart: null as number | null, isOverdue: false };
  const set = task as Record<string, SqlParam | boolean>;
  const fill = (row: readonly SqlParam[], code: number) => {
    task.id = row[0] as Id;
    task.status = (code & 3) as Task['status'];
    task.isAllDay = (code & allDay) !== 0;
    task.timezone = code & floating ? null : 'UTC';
    for (let at = 0; at < reads.length; at++) set[reads[at]!] = row[at + 2]!;
    item.due = task.due ?? null;
    item.dtstart = task.dtstart ?? null;
  };
  return [item as Occurrence, fill] as const;
}

/** The last of the first `count` of some lines: a heap has the last one on top. */
function lastOfFirst(slots: readonly number[], count: number, compare: (a: number, b: number) => number): number {
  const heap = slots.slice(0, count);
  const sink = (from: number) => {
    for (let at = from; ; ) {
      let child = 2 * at + 1;
      if (child >= heap.length) return;
      if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++;
      if (compare(heap[child]!, heap[at]!) <= 0) return;
      [heap[at], heap[child]] = [heap[child]!, heap[at]!];
      at = child;
    }
  };
  for (let at = heap.length >> 1; at >= 0; at--) sink(at);
  for (let at = count; at < slots.length; at++) {
    if (compare(slots[at]!, heap[0]!) >= 0) continue;
    heap[0] = slots[at]!;
    sink(0);
  }
  return heap[0]!;
}
