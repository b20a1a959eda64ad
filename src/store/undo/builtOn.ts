import { DuelineError } from '../../core/kernel/errors';
import type { RowStep, Values } from '../journal/undoStep';
import type { Replica } from '../replica/replica';
import { imageOf } from '../snapshot/applyRecords';
import { isOfDigest } from './digest';
import { undoMessage } from './messages';
import { comparableValues, rowOf } from './undoSteps';

type Rows = Pick<Replica, 'database' | 'columns'>;

/**
 * Refuses to undo a step, named by its id, if something was built on its tasks since, which would be lost with them.
 * `later` are the changes of later steps. @throws DuelineError `invalid`
 */
export function refuseBuiltOn(rows: Rows, steps: readonly RowStep[], later: readonly RowStep[]): void {
  const made = steps.filter(({ before }) => !before);
  const tasks = idsOf(made, 'tasks');
  if (tasks.size === 0) return;
  if (later.some(step => isOf(tasks, step, rows)) || isChangedSince(rows, made, tasks))
    throw new DuelineError('invalid', undoMessage('stepBuiltOn'));
}

const idsOf = (steps: readonly RowStep[], table: string) =>
  new Set(steps.filter(step => step.table === table).map(({ id }) => id));

/** True if a step changed one of the tasks, or one of their direct subtasks. */
function isOf(tasks: ReadonlySet<number>, { table, id, after }: RowStep, { database }: Rows): boolean {
  const row = (): Values => rowOf(database, table, id) ?? {};
  const isOurs = (task: unknown) => tasks.has(task as number);
  if (table === 'task_alarms') return isOurs(row().task_id);
  return table === 'tasks' && (isOurs(id) || isOurs((after ?? row()).parent_id));
}

/**
 * True if tasks that the step created have changed since, or have subtasks that it did not create. The history would
 * not show this after a sync.
 */
function isChangedSince({ database, columns }: Rows, made: readonly RowStep[], tasks: ReadonlySet<number>): boolean {
  const alarms = idsOf(made, 'task_alarms');
  const isOther = (own: ReadonlySet<number>, sql: string, task: number) =>
    database.rows(sql, [task]).some(([id]) => !own.has(id as number));
  return made.some(({ table, id, content }) => {
    // Steps of earlier releases have it only if a program made the task.
    if (content === undefined) return false;
    const image = imageOf(database, table, id, columns[table]!);
    // A task that is gone has nothing to keep.
    if (!image) return table === 'task_alarms';
    if (!isOfDigest(comparableValues(columns[table]!, image), content)) return true;
    return (
      table === 'tasks' &&
      (isOther(tasks, 'SELECT id FROM tasks WHERE (parent_id = ?1 OR master_id = ?1) AND is_deleted = 0', id) ||
        isOther(alarms, 'SELECT id FROM task_alarms WHERE task_id = ?', id))
    );
  });
}
