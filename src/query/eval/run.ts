import type { Id, Occurrence, Task } from '../../core/kernel/model';
import { RuleBudget } from '../../core/recurrence/ruleBudget';
import { momentOf } from '../../core/time/dates';
import { timeOfDay } from '../../core/time/timeOfDay';
import { parseQuery } from '../parse/parser';
import type { Query } from '../parse/syntax';
import { type BoundQuery, bindQuery } from './bind';
import { Blockers } from './blockers';
import { type CompiledQuery, compileBound } from './compile';
import type { QueryContext, TaskSource } from './context';
import { asksWhenDone } from './dependence';
import { type DayRange, expandOccurrences } from './expand';
import { firstRows } from './firstRows';
import { isLiveSeries, itemOf, overridesOf, plainItem } from './items';
import { type MatchContext, matches } from './match';
import { firstOverride, isSeries } from './series';
import { lineOrder } from './sort';
import { readSort } from './sortKeys';

/**
 * The tasks that a query means, as lines: sorted, cut to its limit; a recurring task is its next open occurrence.
 * Throws `query` with the range that is wrong.
 *
 * @example
 * runQuery(store, 'due:today sort:priority', { clock, settings }) // the lines of Today, the most important first
 */
export function runQuery(source: TaskSource, text: string | Query, context: QueryContext): Occurrence[] {
  const query = typeof text === 'string' ? parseQuery(text) : text;
  const bound = bindQuery(query, source, context);
  const compiled = compileBound(bound);
  const limit = Math.min(query.limit ?? Number.POSITIVE_INFINITY, context.limit ?? Number.POSITIVE_INFINITY);
  const items = [...matchingLines(firstRows(source, compiled, limit), compiled, source), ...doneLines(bound, source)];
  const keys = query.sort ?? readSort(context.settings.sortDefault);
  lineOrder(keys, { moment: momentFor(context), lists: source.lists(), locale: context.locale }).sort(items);
  const cut = limit < items.length ? items.slice(0, limit) : items;
  return query.show.includes('subtasks') ? withSubtasks(cut, bound, source) : cut;
}

/** The lines of a query in no order, without regard to a limit; with `range`, series as their occurrences in it. */
export function runLines(source: TaskSource, query: Query, context: QueryContext, range?: DayRange): Occurrence[] {
  const bound = bindQuery(query, source, context);
  const compiled = compileBound(bound);
  const rows = source.selectTasks(compiled.all.text, compiled.all.params);
  const items = [...matchingLines(rows, compiled, source, range), ...doneLines(bound, source)];
  return query.show.includes('subtasks') ? withSubtasks(items, bound, source) : items;
}

/** The matching lines of the done log. */
export function doneLines({ query, root, scope, context }: BoundQuery, source: TaskSource): Occurrence[] {
  const rows = asksWhenDone(query) ? (context.done?.() ?? []) : [];
  if (rows.length === 0) return [];
  const matchContext = newMatchContext(source, context);
  const seen = rows.filter(row => (scope?.has(row.listId) ?? true) && matchContext.isVisible(row));
  return seen.map(row => plainItem(row, matchContext.moment)).filter(item => matches(root, item, matchContext));
}

const momentFor = ({ clock, settings }: QueryContext) => momentOf(clock, settings.dayStartHour);

/** Rows as lines that match. `rows` must hold every row that may match; what else it holds is left out. */
export function matchingLines(
  rows: readonly Task[],
  compiled: CompiledQuery,
  source: TaskSource,
  range?: DayRange,
): Occurrence[] {
  const items: Occurrence[] = [];
  eachLine(rows, compiled, source, item => items.push(item), range);
  return items;
}

/** Visits the lines of a query one by one, each with its row. */
export function eachLine(
  rows: readonly Task[],
  { bound, residual }: CompiledQuery,
  source: TaskSource,
  emit: (item: Occurrence, row: Task) => void,
  range?: DayRange,
  onCut = bound.context.onCut,
): void {
  const matchContext = newMatchContext(source, bound.context);
  const { moment, isVisible } = matchContext;
  const overrides = overridesOf(
    source,
    rows.filter(row => isSeries(row) && !row.isDeleted),
  );
  const budget = new RuleBudget();
  const expand = bound.query.show.includes('occurrences') || range !== undefined;
  const inScope = (task: Task) => (bound.scope?.has(task.listId) ?? true) && (bound.deleted || !task.isDeleted);
  const isLine = (task: Task) =>
    inScope(task) && isVisible(task) && matches(bound.root, plainItem(task, moment), matchContext);
  for (const row of rows) {
    const changed = overrides.get(row.id) ?? [];
    if (!isLiveSeries(row)) {
      // A closed series has the dates of its first occurrence: if that is a line here, it stands for both.
      const first = changed.length > 0 && firstOverride(row, changed, moment.zone, budget.allowance());
      if (first && isLine(first)) continue;
      const item = plainItem(row, moment);
      const rest = isComputed(row) ? bound.root : residual;
      if (isVisible(row) && (rest === undefined || matches(rest, item, matchContext))) emit(item, row);
      continue;
    }
    const allowance = budget.allowance();
    const next = itemOf(row, changed, moment, allowance);
    if (!next) continue;
    const reach = range ?? bound.context.settings;
    const lines = expand ? expandOccurrences(row, changed, next, moment, reach, allowance) : [next];
    for (const item of lines)
      if (inScope(item.task) && isVisible(item.task) && matches(bound.root, item, matchContext)) emit(item, row);
    if (allowance.isSpent) onCut?.(row.id);
  }
}

/**
 * The counterpart of `plainRow` in code, for rows that are not open series: true if their dates have to be computed.
 */
export const isComputed = (task: Task): boolean =>
  task.rrule !== null ||
  task.rdate !== null ||
  (task.due === null && task.duration !== null && task.dtstart !== null) ||
  (task.isAllDay && task.timezone !== null);

const parentIds = 'SELECT DISTINCT c.parent_id AS id FROM tasks c WHERE c.parent_id IS NOT NULL AND c.is_deleted = 0';

function newMatchContext(source: TaskSource, context: QueryContext): MatchContext {
  const tasks = new Map<Id, Task | undefined>();
  const children = new Map<Id, readonly Task[]>();
  let parents: Set<Id> | undefined;
  let blockers: Blockers | undefined;
  const { isVisible = () => true } = context;
  return {
    isVisible,
    moment: momentFor(context),
    allDayAlarm: timeOfDay(context.settings.allDayAlarmTime),
    task: id => {
      if (!tasks.has(id)) {
        const task = source.task(id);
        tasks.set(id, task && isVisible(task) ? task : undefined);
      }
      return tasks.get(id);
    },
    blockers: () => (blockers ??= new Blockers(source, isVisible)),
    children: id => {
      parents ??= new Set(source.select<{ id: Id }>(parentIds).map(row => row.id));
      if (!parents.has(id)) return [];
      let found = children.get(id);
      if (!found) {
        found = source.selectTasks('t.parent_id = ? AND t.is_deleted = 0', [id]).filter(isVisible);
        children.set(id, found);
      }
      return found;
    },
  };
}

/** Appends the subtasks of the lines, open unless the query asks for closed tasks; views nest it. */
export function withSubtasks(items: readonly Occurrence[], bound: BoundQuery, source: TaskSource): Occurrence[] {
  const matchContext = newMatchContext(source, bound.context);
  const budget = new RuleBudget();
  const found = [...items];
  const seen = new Set(items.map(item => item.task.masterId ?? item.task.id));
  for (let index = 0; index < found.length; index++) {
    const { task } = found[index]!;
    const children = matchContext.children(task.masterId ?? task.id).filter(child => child.masterId === null);
    const overrides = overridesOf(source, children.filter(isLiveSeries));
    for (const child of children) {
      if (seen.has(child.id) || (bound.addedOpen && child.status > 1)) continue;
      const item = itemOf(child, overrides.get(child.id) ?? [], matchContext.moment, budget.allowance());
      if (!item || !matchContext.isVisible(item.task)) continue;
      seen.add(child.id);
      found.push(item);
    }
  }
  return found;
}
