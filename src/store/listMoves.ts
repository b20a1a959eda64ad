import type { Id, Task } from '../core/kernel/model';
import type { RowPatch } from '../core/kernel/rowEdit';
import { moveTombstone } from '../core/kernel/tombstone';
import type { Writer } from './types';

/**
 * A task that moves to another list is a new resource there. A tombstone in the list that it has left keeps the old
 * address, which goes back to the task if it comes back before its old resource is deleted.
 */

/** Moves the rows of a task to a list, over the tombstones that it has there. */
export function moveRows(tx: Writer, rows: readonly Task[], listId: Id, patch: RowPatch): void {
  const tombstones = tx.tasksAt(listId, rows[0]!.uid).filter(({ isDeleted }) => isDeleted);
  const { href = null, etag = null } = tombstones.find(({ recurrenceId }) => recurrenceId === null) ?? {};
  for (const { id } of tombstones) tx.deleteTask(id);
  for (const { id } of rows) tx.updateTask(id, { listId, href, etag, ...patch });
}

/** Keeps the address of a resource until it is deleted there; `movedTo` is the row that its task is now, if it has moved. */
export function insertTombstone(
  tx: Writer,
  { listId, uid, href, etag, title }: Pick<Task, 'listId' | 'uid' | 'href' | 'etag'> & Partial<Pick<Task, 'title'>>,
  movedTo: Id | undefined,
): void {
  const mark = movedTo !== undefined && { unknownProperties: moveTombstone(movedTo) };
  tx.insertTask({ listId, uid, href, etag, title, isDeleted: true, ...mark });
}
