import type { Account, Id, Task } from '../../core/kernel/model';
import { isMovedAway, movedRow } from '../../core/kernel/tombstone';
import { insertTombstone, moveRows } from '../../store/listMoves';
import type { Reader, Writer } from '../../store/types';
import { findMaster } from './localResource';

/**
 * A task that moves is a new resource in its new list and a tombstone in the old one, whichever accounts the two belong
 * to. The tombstone keeps the old address until the new server has confirmed the task; only then may the old copy go.
 */

const isInAccount = (reader: Reader, listId: Id): boolean => reader.list(listId)?.accountId != null;

/** The rows that a tombstone's task is now; none if it was deleted, here before the move or there after it. */
export function movedTo(reader: Reader, tombstone: Task): readonly Task[] {
  if (!isMovedAway(tombstone.unknownProperties)) return [];
  const id = movedRow(tombstone.unknownProperties);
  const task = id === undefined ? soleTaskWithUid(reader, tombstone) : reader.task(id);
  if (!task || task.isDeleted || task.uid !== tombstone.uid || task.listId === tombstone.listId) return [];
  return reader.tasksAt(task.listId, task.uid).filter(({ isDeleted }) => !isDeleted);
}

/** For a tombstone that names no row. */
function soleTaskWithUid(reader: Reader, { uid, listId }: Task): Task | undefined {
  const rows = reader.tasksOfUid(uid);
  const namesakes = rows.filter(row => row.listId !== listId && !row.isDeleted && row.masterId === null);
  return namesakes.length === 1 ? namesakes[0] : undefined;
}

/** True if a tombstone's task is on its way to a server that has not confirmed it yet, or is missed there. */
const isUploadPending = (reader: Reader, tombstone: Task): boolean =>
  movedTo(reader, tombstone).some(({ listId, etag }) => etag === null && isInAccount(reader, listId));

/** The state of a tombstone's task. */
export function stateOfTombstone(reader: Reader, tombstone: Task): 'deleted' | 'moved' | 'moving' {
  if (movedTo(reader, tombstone).length === 0) return 'deleted';
  return isUploadPending(reader, tombstone) ? 'moving' : 'moved';
}

/** The tombstones that a task has left in lists of accounts, newest first. */
export const oldCopiesOf = (reader: Reader, task: Task): readonly Task[] =>
  reader
    .tasksOfUid(task.uid)
    .filter(({ listId, isDeleted, href }) => isDeleted && href !== null && isInAccount(reader, listId))
    .filter(tombstone => movedTo(reader, tombstone).some(({ id }) => id === task.id))
    .reverse();

/**
 * Keeps the address of a resource that the server turns out to have of a task that has moved on: it is deleted once the
 * task has arrived. False if the task was deleted instead of moved. `id`: the row that was sent there.
 */
export function leaveTombstone(
  tx: Writer,
  resource: Pick<Task, 'listId' | 'uid'> & { readonly href: string; readonly etag: string },
  id: Id | undefined,
): boolean {
  const { listId, uid, href, etag } = resource;
  // The row of another task may be at its address until that one is taken in.
  const known = tx.tasksAt(listId, uid).filter(row => row.href === href);
  for (const row of known) tx.updateTask(row.id, { etag });
  if (known.length > 0) return true;
  const moved = id === undefined ? undefined : tx.task(id);
  if (!moved || moved.isDeleted || moved.uid !== uid || moved.listId === listId) return false;
  if (findMaster(tx, listId, uid)) return false;
  insertTombstone(tx, { ...resource, title: moved.title }, moved.id);
  return true;
}

/** Lists in which the tasks of this one still have an old copy. */
export function listsLeftFor(reader: Reader, listId: Id): readonly Id[] {
  const left = reader.select<{ id: Id }>(
    `SELECT DISTINCT o.list_id AS id FROM task_lists l
     CROSS JOIN tasks o ON o.list_id = l.id AND o.is_deleted = 1 AND o.href IS NOT NULL
     CROSS JOIN tasks t ON t.list_id = ? AND t.uid = o.uid AND t.is_deleted = 0
     WHERE l.account_id IS NOT NULL AND l.id <> ?`,
    [listId, listId],
  );
  return left.map(({ id }) => id);
}

/** Accounts that tasks are moving to come before those that they leave, so that one run does both halves. */
export function destinationsFirst(reader: Reader, accounts: readonly Account[]): readonly Account[] {
  const moves = reader.select<{ source: Id; target: Id }>(
    `SELECT DISTINCT l.account_id AS source, m.account_id AS target FROM task_lists l
     CROSS JOIN tasks o ON o.list_id = l.id AND o.is_deleted = 1 AND o.href IS NOT NULL
     CROSS JOIN task_lists m ON m.account_id <> l.account_id
     CROSS JOIN tasks t ON t.list_id = m.id AND t.uid = o.uid AND t.is_deleted = 0 AND t.href IS NULL
     WHERE l.account_id IS NOT NULL`,
  );
  const rank = ({ id }: Account) =>
    Number(moves.some(({ source }) => source === id)) - Number(moves.some(({ target }) => target === id));
  return [...accounts].sort((a, b) => rank(a) - rank(b));
}

/**
 * Moves tasks that cannot arrive in a list any more back to the list where a server still has them. Returns the master
 * rows that moved; the list's own tasks and those that came from nowhere else stay.
 */
export function revertMoves(tx: Writer, listId: Id): readonly Id[] {
  const arriving = tx.selectTasks('t.list_id = ? AND t.href IS NULL AND t.is_deleted = 0 AND t.recurrence_id IS NULL', [
    listId,
  ]);
  const back = arriving.filter(task => revertMove(tx, task)).map(({ id }) => id);
  for (const id of back) {
    const { parentId, listId: ownListId } = tx.task(id)!;
    if (parentId !== null && tx.task(parentId)?.listId !== ownListId) tx.updateTask(id, { parentId: null });
    for (const child of tx.selectTasks('t.parent_id = ? AND t.list_id = ?', [id, listId]))
      tx.updateTask(child.id, { parentId: null, isDirty: tx.list(listId)?.accountId != null });
  }
  return back;
}

/** Moves a task back to the list where a server still has it; false if there is none. */
export function revertMove(tx: Writer, task: Task): boolean {
  const [tombstone] = oldCopiesOf(tx, task);
  if (!tombstone) return false;
  moveRows(tx, tx.tasksAt(task.listId, task.uid), tombstone.listId, { isDirty: true });
  return true;
}
