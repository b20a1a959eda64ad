import type { Occurrence } from '../../core/kernel/model';
import { momentOf } from '../../core/time/dates';
import { parseQuery } from '../parse/parser';
import { bindQuery } from './bind';
import { compileBound } from './compile';
import type { QueryContext, TaskSource } from './context';
import { LineTable } from './lineTable';
import { doneLines, runQuery, withSubtasks } from './run';
import { type LineOrder, lineOrder } from './sort';
import { readSort } from './sortKeys';
import { type Sql, sql } from './sql';

/** The turns of the event loop that a question over very many rows is spread over. */
export interface Turns {
  /** Milliseconds since this turn began. */
  spent(): number;
  /** Lets other work run; rejects if nobody waits for the answer any more. */
  next(): Promise<void>;
  /** Another number once a row has changed. */
  version(): number;
}

/**
 * The time that one slice may take, which leaves as much again for a slow machine, and for the tasks that are read at
 * the end.
 */
const sliceMs = 12;
const [minRows, firstRows] = [250, 4000];
/** Rows that change all the time, as during a first sync, are asked at once in the end. */
const maxTries = 4;

/** Calls `visit` with conditions that select some rows each and all rows together; false if one changed meanwhile. */
export async function inSlices(source: TaskSource, turns: Turns, visit: (within: Sql) => void): Promise<boolean> {
  const version = turns.version();
  const last = source.select<{ id: number | null }>('SELECT max(id) AS id FROM tasks')[0]!.id ?? 0;
  let size = firstRows;
  let from = 0;
  do {
    const before = turns.spent();
    visit(sql('t.id >= ? AND t.id < ?', from, from + size));
    const took = Math.max(1, turns.spent() - before);
    from += size;
    size = Math.max(minRows, Math.floor(size * Math.min(4, sliceMs / took)));
    await turns.next();
    if (turns.version() !== version) return false;
  } while (from <= last);
  return true;
}

/** The lines of `runQuery`, from as many rows at a time as take no longer than a moment. */
export async function runSliced(
  source: TaskSource,
  text: string,
  context: QueryContext,
  turns: Turns,
): Promise<Occurrence[]> {
  const query = parseQuery(text);
  const limit = Math.min(query.limit ?? Number.POSITIVE_INFINITY, context.limit ?? Number.POSITIVE_INFINITY);
  for (let tries = 0; tries < maxTries; tries++) {
    const bound = bindQuery(query, source, context);
    const moment = momentOf(context.clock, context.settings.dayStartHour);
    const sorting = { moment, lists: source.lists(), locale: context.locale };
    const order = lineOrder(query.sort ?? readSort(context.settings.sortDefault), sorting);
    const table = new LineTable(source, compileBound(bound), order);
    const take = (within: Sql) => {
      table.read(within);
      table.keepFirst(limit);
    };
    if (!(await inSlices(source, turns, take))) continue;
    const found = table.items(table.first(table.slots(), limit, moment), moment);
    const done = doneLines(bound, source);
    const items = done.length === 0 ? found : order.sort([...found, ...done]).slice(0, limit);
    return query.show.includes('subtasks') ? withSubtasks(items, bound, source) : items;
  }
  return runQuery(source, query, context);
}

const unsorted: LineOrder = { parts: [], compare: () => 0, sort: items => items };

/** The number of lines that `runQuery` would return. */
export async function countSliced(
  source: TaskSource,
  text: string,
  context: QueryContext,
  turns: Turns,
): Promise<number> {
  const query = parseQuery(text);
  if (query.show.includes('subtasks')) return (await runSliced(source, text, context, turns)).length;
  const limit = Math.min(query.limit ?? Number.POSITIVE_INFINITY, context.limit ?? Number.POSITIVE_INFINITY);
  for (let tries = 0; tries < maxTries; tries++) {
    const bound = bindQuery(query, source, context);
    const table = new LineTable(source, compileBound(bound), unsorted);
    if (!(await inSlices(source, turns, within => table.read(within)))) continue;
    return Math.min(limit, table.size + doneLines(bound, source).length);
  }
  return runQuery(source, query, context).length;
}
