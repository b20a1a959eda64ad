import type { Account, Id, Task } from '../core/model';
import { movedAway } from '../core/tombstone';
import type { Reader, Writer } from '../store/types';
import { groupBy } from './group';
import { findMaster } from './rows';

/**
 * A task that moves is a new resource in its new list and a tombstone in the old one, whichever accounts the two belong
 * to. The tombstone keeps the old address until the new server has confirmed the task; only then may the old copy go.
 */

/** Whether the task of this UID is on its way to a server that has not confirmed it yet, or is missed there. */
export const isArriving = (reader: Reader, uid: string): boolean =>
  reader
    .tasksOfUid(uid)
    .some(({ listId, isDeleted, etag }) => !isDeleted && etag === null && isInAccount(reader, listId));

const isInAccount = (reader: Reader, listId: Id): boolean => reader.list(listId)?.accountId != null;

/** The rows that a tombstone's task became in another list; undefined where it was deleted rather than moved. */
export function movedTo(reader: Reader, tombstone: Task): readonly Task[] | undefined {
  const from = reader.list(tombstone.listId)?.accountId;
  const isMove = tombstone.unknownProperties === movedAway;
  const rows = reader
    .tasksOfUid(tombstone.uid)
    .filter(({ listId, isDeleted }) => listId !== tombstone.listId && !isDeleted)
    .filter(({ listId }) => isMove || reader.list(listId)?.accountId === from);
  const places = [...groupBy(rows, ({ listId }) => listId).values()];
  return places.sort((a, b) => rank(reader, a) - rank(reader, b))[0];
}

/** On its way to a server, at a server, on this computer only. */
function rank(reader: Reader, rows: readonly Task[]): number {
  if (reader.list(rows[0]!.listId)?.accountId == null) return 2;
  return rows.some(({ href }) => href === null) ? 0 : 1;
}

/** Tombstones of this UID in lists of accounts, newest first. */
export const tombstonesOf = (reader: Reader, uid: string): readonly Task[] =>
  reader
    .tasksOfUid(uid)
    .filter(({ listId, isDeleted, href }) => isDeleted && href !== null && isInAccount(reader, listId))
    .reverse();

/**
 * Keeps the address of what the server turns out to have of a task that has moved on: it is to go once the task has
 * arrived. False where the task did not move but went. `isOurs`: sent from here and not confirmed.
 */
export function leaveTombstone(
  tx: Writer,
  place: Pick<Task, 'listId' | 'uid'> & { readonly href: string; readonly etag: string },
  isOurs = false,
): boolean {
  const { listId, uid, href, etag } = place;
  const known = tx.selectTasks('t.list_id = ? AND t.href = ?', [listId, href]);
  for (const row of known) tx.updateTask(row.id, { etag });
  if (known.length > 0) return true;
  const rows = tx.tasksOfUid(uid).filter(row => row.listId !== listId && !row.isDeleted && row.masterId === null);
  // Where another server has confirmed the task, somebody else may have brought it here: then it stays. What went out
  // from here before the task was put back to where it was is ours to clear away, whoever edited it since.
  const moved = rows.find(({ href }) => href === null) ?? (isOurs ? rows[0] : undefined);
  if (!moved || findMaster(tx, listId, uid)) return false;
  tx.insertTask({ listId, uid, href, etag, title: moved.title, unknownProperties: movedAway, isDeleted: true });
  return true;
}

/**
 * Whether an old copy of this task still lies where it came from: it may not have got where it went. Where it is in two
 * lists for a while, what left an old copy may just as well be the other one, and that one is the task.
 */
export const hasOldCopy = (reader: Reader, task: Task): boolean =>
  doublesOf(reader, task).length === 0 &&
  tombstonesOf(reader, task.uid).some(old => old.listId !== task.listId && old.unknownProperties === movedAway);

/** The same task in other lists of accounts, its master rows. */
export const doublesOf = (reader: Reader, { uid, listId }: Task): readonly Task[] =>
  reader
    .tasksOfUid(uid)
    .filter(row => row.listId !== listId && !row.isDeleted && row.recurrenceId === null)
    .filter(row => isInAccount(reader, row.listId));

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

/** Accounts to which tasks are on their way come before those that they leave, so that one run does both halves. */
export function receiversFirst(reader: Reader, accounts: readonly Account[]): readonly Account[] {
  const moves = reader.select<{ source: Id; target: Id }>(
    `SELECT DISTINCT l.account_id AS source, m.account_id AS target FROM task_lists l
     CROSS JOIN tasks o ON o.list_id = l.id AND o.is_deleted = 1 AND o.href IS NOT NULL
     CROSS JOIN task_lists m ON m.account_id <> l.account_id
     CROSS JOIN tasks t ON t.list_id = m.id AND t.uid = o.uid AND t.is_deleted = 0 AND t.href IS NULL
     WHERE l.account_id IS NOT NULL`,
  );
  const place = ({ id }: Account) =>
    Number(moves.some(({ source }) => source === id)) - Number(moves.some(({ target }) => target === id));
  return [...accounts].sort((a, b) => place(a) - place(b));
}

/**
 * Takes what cannot arrive in a list any more back to where a server still has it. Gives the master rows that went;
 * the list's own tasks and those that came from nowhere else stay.
 */
export function turnBack(tx: Writer, listId: Id): readonly Id[] {
  const arriving = tx.selectTasks('t.list_id = ? AND t.href IS NULL AND t.is_deleted = 0 AND t.recurrence_id IS NULL', [
    listId,
  ]);
  const back = arriving.filter(task => goBack(tx, task)).map(({ id }) => id);
  for (const id of back) {
    const { parentId, listId: home } = tx.task(id)!;
    if (parentId !== null && tx.task(parentId)?.listId !== home) tx.updateTask(id, { parentId: null });
    for (const child of tx.selectTasks('t.parent_id = ? AND t.list_id = ?', [id, listId]))
      tx.updateTask(child.id, { parentId: null, isDirty: tx.list(listId)?.accountId != null });
  }
  return back;
}

/** Takes a task back to where a server still has it; false where none does. */
export function goBack(tx: Writer, task: Task): boolean {
  const [tombstone] = tombstonesOf(tx, task.uid);
  if (!tombstone) return false;
  const { listId: home, href, etag } = tombstone;
  for (const old of tx.selectTasks('t.uid = ? AND t.list_id = ? AND t.is_deleted = 1', [task.uid, home]))
    if (tx.task(old.id)) tx.deleteTask(old.id);
  for (const row of tx.selectTasks('t.uid = ? AND t.list_id = ?', [task.uid, task.listId]))
    tx.updateTask(row.id, { listId: home, href, etag, isDirty: true });
  return true;
}
