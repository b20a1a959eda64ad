import type { Id, Task, TaskList } from '../../core/kernel/model';
import { dayMs, hourMs } from '../../core/time/units';
import type { SortField, SortKey } from '../parse/syntax';
import type { SqlParam, TaskSource } from './context';
import { inSet, type Sql } from './sql';
import { plainRow } from './sqlTerms';

/** The expression of a sort key for plain rows in SQL. */
interface SqlKey {
  readonly text: string;
  readonly descending: boolean;
  /** How far two stored values may be apart although they sort the other way round: dates have several codings. */
  readonly slack: number;
}

export type SqlOrder = readonly SqlKey[];

/** This many rows more than are wanted are read at first, as their ids and keys: series, and those within the slack. */
const spare = 1000;
/** With more than that, all rows are read: they are most of them. */
const maxFirstRows = 5000;
/** Longer ones would make a text of their own of each query. */
const maxLists = 50;

/**
 * The order of plain rows as far as SQL can express it: the keys up to the first one that it cannot, since titles are
 * compared without case and urgency is computed. Undefined if it cannot express the first.
 */
export function sqlOrder(
  keys: readonly SortKey[],
  lists: readonly TaskList[],
  startHour: number,
): SqlOrder | undefined {
  const known: SqlKey[] = [];
  for (const [at, { field, descending }] of keys.entries()) {
    const text = columns[field] ?? (field === 'list' && lists.length <= maxLists ? listPosition(lists) : undefined);
    if (text === undefined) return known.length === 0 ? undefined : known;
    const byDay = dates.has(field) && keys[at + 1]?.field === 'priority';
    const slack = field === 'due' || field === 'start' || byDay ? slackOf(startHour) : 0;
    known.push({ text, descending, slack });
  }
  // The sign keeps SQLite from scanning an index because that has the id, which takes four times as long.
  return [...known, ...['t.sort_order', '+t.id'].map(text => ({ text, descending: false, slack: 0 }))];
}

const dates: ReadonlySet<SortField> = new Set<SortField>(['due', 'start', 'done']);

const columns: Partial<Readonly<Record<SortField, string>>> = {
  due: 't.due',
  start: 't.dtstart',
  created: 't.created_at',
  modified: 't.last_modified',
  done: 't.completed_at',
  priority: 'NULLIF(t.priority, 0)',
  manual: 't.sort_order',
};

const listPosition = (lists: readonly TaskList[]) =>
  lists.length === 0
    ? 'NULL'
    : `CASE t.list_id ${lists.map(({ id }, position) => `WHEN ${id} THEN ${position}`).join(' ')} END`;

/** A zone is up to 16 hours off, the day begins later, and days count as wholes. */
const slackOf = (startHour: number) => 2 * Math.max(dayMs, (16 + startHour) * hourMs) + dayMs;

/**
 * Every row that may be among the first `limit` lines: of the plain ones those that SQL's order does not put behind, and
 * all others. One scan finds their ids.
 */
export function firstRows(
  source: TaskSource,
  { all, order }: { readonly all: Sql; readonly order: SqlOrder | undefined },
  limit: number,
): readonly Task[] {
  if (limit < 1) return [];
  if (!order || limit > maxFirstRows) return source.selectTasks(all.text, all.params);
  const names = order.map((_, at) => `k${at}`);
  const keys = order.map(({ text }, at) => `${text} AS k${at}`).join(', ');
  const orderBy = order.map(({ text, descending }) => `${text} ${descending ? 'DESC' : 'ASC'} NULLS LAST`).join(', ');
  const text = `SELECT t.id AS id, ${plainRow} AS plain, ${keys} FROM tasks t WHERE ${all.text} ORDER BY plain, ${orderBy} LIMIT ?`;
  for (let most = limit + spare; ; most *= 8) {
    const rows = source.select<Found>(text, [...all.params, most]);
    const computed = rows.findIndex(({ plain }) => plain === 1);
    const count = computed < 0 ? rows.length : computed + limit;
    const last = rows[count - 1];
    const end = last ? rows.findIndex((row, at) => at >= count && isBehind(row, last, order, names)) : -1;
    if (end < 0 && rows.length === most) continue;
    const ids = rows.slice(0, end < 0 ? rows.length : end).map(({ id }) => id);
    const { text: where, params } = inSet('t.id', ids);
    return source.selectTasks(where, params);
  }
}

type Found = { readonly id: Id; readonly plain: number } & Readonly<Record<string, SqlParam>>;

/** True if a row certainly comes after another one. */
function isBehind(row: Found, last: Found, order: SqlOrder, names: readonly string[]): boolean {
  for (const [at, { descending, slack }] of order.entries()) {
    const [own, other] = [row[names[at]!], last[names[at]!]] as (number | null)[];
    if (own === other) {
      if (own !== null && slack > 0) return false;
      continue;
    }
    if (own === null || other === null) return own === null;
    const apart = (own! - other!) * (descending ? -1 : 1);
    if (Math.abs(apart) > slack) return apart > 0;
    if (slack > 0) return false;
  }
  return false;
}
