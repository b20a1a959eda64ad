import type { TaskSource } from '../filter/eval/context';
import { isLiveSeries, isOpen, isOwnLine, itemOf, occurrence, overridesOf, plainItem } from '../filter/eval/items';
import { calendarTime } from '../filter/eval/sort';
import { ownRow, plainRow } from '../filter/eval/sqlTerms';
import type { Id, Occurrence, Task } from '../model';
import { type Allowance, RuleBudget } from '../recurrence/ruleBudget';
import type { Moment } from '../time/dates';
import { dayMs } from '../time/units';

/** An open task, as little of it as the days need; a series by its next open occurrence. */
export interface IndexEntry {
  /** The row that stands for it: a series' master. */
  readonly id: Id;
  readonly listId: Id;
  /** Days since 1970 on the person's calendar; NaN: none. */
  readonly dueDay: number;
  readonly startDay: number;
  /** As stored, with what tells how to compare it. */
  readonly due: number | null;
  readonly isAllDay: boolean;
  readonly timezone: string | null;
  readonly isSeries: boolean;
  /** Read when first shown. */
  item: Occurrence | undefined;
}

type Dates = Pick<Task, 'isAllDay' | 'timezone'>;

const dayNumber = (value: number | null, dates: Dates, moment: Moment): number =>
  value === null ? Number.NaN : Math.floor(calendarTime(value, dates, moment) / dayMs);

/** Every open line of the rows by id, its days in two indexes: all that is kept of the tasks nobody looks at. */
export class TaskIndex {
  readonly lines = new Map<Id, IndexEntry>();
  readonly byDue = new Map<number, Set<IndexEntry>>();
  readonly byStart = new Map<number, Set<IndexEntry>>();
  readonly series = new Set<IndexEntry>();
  readonly #masterOf = new Map<Id, Id>();
  readonly #overridesOf = new Map<Id, Set<Id>>();

  /** One scan of the open rows. */
  constructor(
    readonly source: TaskSource,
    readonly moment: Moment,
    readonly onCut?: (id: Id) => void,
  ) {
    const open = `t.is_deleted = 0 AND t.status IN (0, 1) AND (${ownRow})`;
    const rows = source.select<
      Record<'id' | 'list' | 'due' | 'dtstart' | 'allDay', number> & { timezone: string | null }
    >(
      `SELECT t.id AS id, t.list_id AS list, t.due AS due, t.dtstart AS dtstart, t.is_all_day AS allDay,
       t.timezone AS timezone FROM tasks t WHERE ${open} AND ${plainRow}`,
    );
    for (const { id, list, due, dtstart, allDay, timezone } of rows) {
      const dates = { isAllDay: allDay === 1, timezone };
      this.#add({
        id,
        listId: list,
        due,
        ...dates,
        dueDay: dayNumber(due, dates, moment),
        startDay: dayNumber(dtstart, dates, moment),
        isSeries: false,
        item: undefined,
      });
    }
    for (const { id, master } of source.select<{ id: Id; master: Id }>(
      'SELECT o.id AS id, o.master_id AS master FROM tasks o WHERE o.master_id IS NOT NULL',
    ))
      this.#link(id, master);
    const computed = source.selectTasks(`${open} AND NOT (${plainRow})`);
    const changed = overridesOf(source, computed.filter(isLiveSeries));
    const budget = new RuleBudget();
    for (const task of computed) this.#read(task, changed.get(task.id) ?? [], budget.allowance());
  }

  /**
   * Reads the changed rows again. Calls `touched` with each line that went and each that came. Gives the rows whose
   * lines may differ: those, and the other rows of their series.
   */
  update(ids: readonly Id[], onChange: (line: IndexEntry) => void): ReadonlySet<Id> {
    const rows = new Map(this.#rows(ids).map(task => [task.id, task]));
    const affected = new Set<Id>();
    for (const id of ids) {
      const before = this.#masterOf.get(id);
      const now = rows.get(id)?.masterId ?? undefined;
      if (before !== now) {
        this.#unlink(id);
        if (now !== undefined) this.#link(id, now);
      }
      // A series and its changed occurrences decide together which of them is a line.
      for (const master of [before, now, id])
        if (master !== undefined) {
          affected.add(master);
          for (const override of this.#overridesOf.get(master) ?? []) affected.add(override);
        }
    }
    const more = [...affected].filter(id => !rows.has(id));
    for (const task of this.#rows(more)) rows.set(task.id, task);
    const masters = [...affected].flatMap(id => rows.get(id) ?? []).filter(isLiveSeries);
    const overrides = overridesOf(this.source, masters);
    const budget = new RuleBudget();
    for (const id of affected) {
      const old = this.lines.get(id);
      if (old) {
        this.#remove(old);
        onChange(old);
      }
      const task = rows.get(id);
      if (!task || task.isDeleted || !isOpen(task)) continue;
      if (task.masterId !== null && !isOwnLine(task, rows.get(task.masterId) ?? this.source.task(task.masterId)))
        continue;
      const line = this.#read(task, overrides.get(id) ?? [], budget.allowance());
      if (line) onChange(line);
    }
    return affected;
  }

  /** Reads what is to be shown of lines, all at once. */
  items(lines: readonly IndexEntry[], moment: Moment): Occurrence[] {
    const missing = lines.filter(line => line.item === undefined).map(line => line.id);
    const rows = new Map(this.#rows(missing).map(task => [task.id, task]));
    const found: Occurrence[] = [];
    for (const line of lines) {
      if (line.item === undefined) {
        const task = rows.get(line.id);
        if (!task) continue;
        line.item = plainItem(task, moment);
      } else if (line.item.isOverdue !== isPastEntry(line, moment)) {
        line.item = occurrence(line.item, moment);
      }
      found.push(line.item);
    }
    return found;
  }

  #rows(ids: readonly Id[]): readonly Task[] {
    if (ids.length === 0) return [];
    if (ids.length === 1) return this.source.selectTasks('t.id = ?', [ids[0]!]);
    return this.source.selectTasks('t.id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
  }

  #read(task: Task, overrides: readonly Task[], allowance: Allowance): IndexEntry | undefined {
    const item = itemOf(task, overrides, this.moment, allowance);
    if (allowance.isSpent) this.onCut?.(task.id);
    if (!item) return undefined;
    const current = item.task;
    const line: IndexEntry = {
      id: task.id,
      listId: current.listId,
      due: item.due,
      isAllDay: current.isAllDay,
      timezone: current.timezone,
      dueDay: dayNumber(item.due, current, this.moment),
      startDay: dayNumber(item.dtstart, current, this.moment),
      isSeries: isLiveSeries(task),
      item,
    };
    this.#add(line);
    return line;
  }

  #add(line: IndexEntry): void {
    this.lines.set(line.id, line);
    if (line.isSeries) this.series.add(line);
    put(this.byDue, line.dueDay, line);
    put(this.byStart, line.startDay, line);
  }

  #remove(line: IndexEntry): void {
    this.lines.delete(line.id);
    this.series.delete(line);
    take(this.byDue, line.dueDay, line);
    take(this.byStart, line.startDay, line);
  }

  #link(override: Id, master: Id): void {
    this.#masterOf.set(override, master);
    const overrides = this.#overridesOf.get(master);
    if (overrides) overrides.add(override);
    else this.#overridesOf.set(master, new Set([override]));
  }

  #unlink(override: Id): void {
    const master = this.#masterOf.get(override);
    if (master === undefined) return;
    this.#masterOf.delete(override);
    const overrides = this.#overridesOf.get(master)!;
    overrides.delete(override);
    if (overrides.size === 0) this.#overridesOf.delete(master);
  }
}

/** Whether an open line is overdue at a moment, from what is kept of it. */
export function isPastEntry(
  { due, isAllDay, timezone, dueDay }: IndexEntry,
  { now, civilNow, today }: Moment,
): boolean {
  if (due === null) return false;
  if (isAllDay) return dueDay < today.civilStart / dayMs;
  return due < (timezone === null ? civilNow : now);
}

function put(index: Map<number, Set<IndexEntry>>, day: number, line: IndexEntry): void {
  if (Number.isNaN(day)) return;
  const lines = index.get(day);
  if (lines) lines.add(line);
  else index.set(day, new Set([line]));
}

function take(index: Map<number, Set<IndexEntry>>, day: number, line: IndexEntry): void {
  const lines = index.get(day);
  if (lines?.delete(line) && lines.size === 0) index.delete(day);
}
