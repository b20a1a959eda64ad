import { dependenciesOf, dependsOn, withDependencies } from '../../core/fields/dependencies';
import type { Task } from '../../core/kernel/model';
import type { RowPatch } from '../../core/kernel/rowEdit';
import type { Writer } from '../../store/types';

/**
 * Gives the rows of a task another UID. Its subtasks name it by that, and so do the tasks that wait for it, unless a copy
 * in another list keeps the old one.
 */
export function changeUid(tx: Writer, rows: readonly Task[], uid: string): void {
  const edit = (row: Task, patch: RowPatch) => {
    const list = tx.list(row.listId)!;
    if (!list.isReadOnly) tx.updateTask(row.id, { ...patch, isDirty: list.accountId !== null });
  };
  for (const { id } of rows) tx.updateTask(id, { uid });
  for (const { id } of rows)
    for (const child of tx.selectTasks('t.parent_id = ? AND t.is_deleted = 0', [id])) edit(child, {});
  for (const before of new Set(rows.map(row => row.uid))) {
    if (tx.tasksOfUid(before).some(({ isDeleted }) => !isDeleted)) continue;
    for (const waiting of tx.selectTasks('t.is_deleted = 0 AND t.unknown_properties LIKE ?', [`%${dependsOn}%`])) {
      const uids = dependenciesOf(waiting).map(one => (one === before ? uid : one));
      const unknownProperties = withDependencies(waiting, uids);
      if (unknownProperties !== waiting.unknownProperties) edit(waiting, { unknownProperties });
    }
  }
}
