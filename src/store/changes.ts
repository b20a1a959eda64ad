import type { Id } from '../core/model';
import type { Database } from './database';
import type { ImageColumns } from './fold';
import type { Operation } from './record';
import type { Origin, StoreChange } from './types';

/** Gathers the rows that an edit touched; an alarm counts as its task. Ask before the edit is applied. */
export function touchedRows(
  database: Database,
  columns: ImageColumns,
  operations: readonly Operation[],
): Omit<StoreChange, 'origin'> {
  const accounts = new Set<Id>();
  const lists = new Set<Id>();
  const tasks = new Set<Id>();
  const owner = columns.task_alarms!.indexOf('task_id');
  for (const [table, id, image] of operations) {
    if (table === 'accounts') accounts.add(id);
    else if (table === 'task_lists') lists.add(id);
    else if (table === 'tasks') tasks.add(id);
    else if (table === 'task_alarms') {
      const before = database.value('SELECT task_id FROM task_alarms WHERE id = ?', [id]);
      if (before !== undefined) tasks.add(before as Id);
      if (image) tasks.add(image[owner] as Id);
    }
  }
  return { accounts: [...accounts], lists: [...lists], tasks: [...tasks] };
}

export const originOf = (own: boolean, origin: Origin | undefined): Origin =>
  own ? (origin ?? 'user') : 'otherWindow';
