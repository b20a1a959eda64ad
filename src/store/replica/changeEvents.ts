import type { Id } from '../../core/kernel/model';
import type { Operation, RowImage } from '../journal/record';
import type { ImageColumns } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { Origin, StoreChange } from '../types';

/**
 * Gathers the rows that an edit touched; an alarm counts as its task. Call it before the edit is applied, or pass the
 * old rows.
 */
export function changedRows(
  database: Database,
  columns: ImageColumns,
  operations: readonly Operation[],
  before: readonly (RowImage | undefined)[] = [],
): Omit<StoreChange, 'origin'> {
  const accounts = new Set<Id>();
  const lists = new Set<Id>();
  const tasks = new Set<Id>();
  const alarms: Id[] = [];
  const owner = columns.task_alarms!.indexOf('task_id');
  for (const [at, [table, id, image]] of operations.entries()) {
    if (table === 'accounts') accounts.add(id);
    else if (table === 'task_lists') lists.add(id);
    else if (table === 'tasks') tasks.add(id);
    else if (table === 'task_alarms') {
      if (before[at]) tasks.add(before[at][owner] as Id);
      else alarms.push(id);
      if (image) tasks.add(image[owner] as Id);
    }
  }
  for (const id of ownersOf(database, alarms)) tasks.add(id);
  return { accounts: [...accounts], lists: [...lists], tasks: [...tasks] };
}

/** The tasks that have these alarms, asked for at once: a first sync brings thousands. */
function ownersOf(database: Database, alarms: readonly Id[]): readonly Id[] {
  if (alarms.length === 0) return [];
  const sql = 'SELECT DISTINCT task_id FROM task_alarms WHERE id IN (SELECT value FROM json_each(?))';
  return database.rows(sql, [JSON.stringify(alarms)]).map(([id]) => id as Id);
}

/** Ids of the rows that are not the same in two databases. */
export function differingRows(before: Database, after: Database, table: string, columns: readonly string[]): Id[] {
  const sql = `SELECT id, ${columns.join(', ')} FROM ${table}`;
  const rowsBefore = new Map(before.rows(sql).map(row => [row[0] as Id, JSON.stringify(row)]));
  const differing: Id[] = [];
  for (const row of after.rows(sql)) {
    const id = row[0] as Id;
    if (rowsBefore.get(id) !== JSON.stringify(row)) differing.push(id);
    rowsBefore.delete(id);
  }
  return [...differing, ...rowsBefore.keys()];
}

/** The change that a reload amounts to. */
export function reloadChange(before: Database, after: Database, columns: ImageColumns): StoreChange {
  const differing = (table: string) => differingRows(before, after, table, columns[table]!);
  const owners = differing('task_alarms').flatMap(id =>
    [before, after].map(each => each.value('SELECT task_id FROM task_alarms WHERE id = ?', [id]) as Id | undefined),
  );
  const tasks = new Set([...differing('tasks'), ...owners.filter(id => id !== undefined)]);
  return {
    origin: 'otherWindow',
    accounts: differing('accounts'),
    lists: differing('task_lists'),
    tasks: [...tasks],
  };
}

export const originOf = (own: boolean, origin: Origin | undefined): Origin =>
  own ? (origin ?? 'user') : 'otherWindow';
