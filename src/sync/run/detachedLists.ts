import type { Id } from '../../core/kernel/model';
import { movedRow } from '../../core/kernel/tombstone';
import { insertTombstone } from '../../store/listMoves';
import type { Reader, Writer } from '../../store/types';
import { decideList } from '../decide/decideList';
import { contentOf, hashText } from '../merge/taskHash';
import type { RemoteList } from '../remote/remote';
import { findMaster } from '../resources/localResource';
import type { DetachedList } from '../state/ledgerTypes';
import type { AccountRun } from './runContext';

/**
 * A list that vanishes from its server is detached and stays here as a local one. If it was only away (a share taken
 * back for an hour, a server that lost its disk for a while), it becomes the account's own again as soon as it is back,
 * instead of being listed twice.
 */

/** The list as its server has it, noted before it is detached; undefined if it never was there. */
export function detachedListOf(reader: Reader, listId: Id): DetachedList | undefined {
  const list = reader.list(listId);
  if (list?.accountId == null || list.href === null) return undefined;
  const { accountId, href, name, color } = list;
  const rows = reader.tasksOfList(listId).map(task => {
    const { id, uid, recurrenceId, href, etag, isDirty, isDeleted } = task;
    const movedTo = isDeleted ? movedRow(task.unknownProperties) : undefined;
    const hash = hashText(contentOf(task));
    return { id, uid, recurrenceId, href, etag, isDirty, isDeleted, movedTo, hash };
  });
  return { accountId, href, name, color, rows };
}

/** Attaches lists to the account again that are back on the server. */
export async function reattachLists(run: AccountRun, remote: readonly RemoteList[]): Promise<void> {
  const { store, ledger, account } = run;
  const remoteHrefs = new Set(remote.map(({ href }) => href));
  for (const { id, accountId } of store.lists()) {
    const { detached } = accountId === null ? ledger.list(id) : {};
    if (detached?.accountId !== account.id) continue;
    const shown = remoteHrefs.has(detached.href) ? 'changed' : 'unlisted';
    if (decideList({ local: 'detached', base: 'none', remote: shown }).action !== 'attach') continue;
    const isBack = await store.edit({ origin: 'sync' }, tx => attach(tx, id, detached));
    await ledger.updateList(id, { detached: undefined });
    if (isBack) run.notice('reattached', id, 1);
  }
}

/** Attaches the list again. Edits made to its tasks meanwhile wait to be sent. */
function attach(tx: Writer, listId: Id, detached: DetachedList): boolean {
  const list = tx.list(listId);
  const isTaken = tx.lists().some(({ accountId, href }) => accountId === detached.accountId && href === detached.href);
  if (list?.accountId !== null || isTaken) return false;
  const isRenamed = list.name !== detached.name || list.color !== detached.color;
  const { accountId, href } = detached;
  tx.updateList(listId, { accountId, href, ctag: null, syncToken: null, isSynced: true, isDirty: isRenamed });
  const before = new Map(detached.rows.map(row => [row.id, row]));
  for (const task of tx.tasksOfList(listId)) {
    const was = before.get(task.id);
    before.delete(task.id);
    const isSame = was !== undefined && was.uid === task.uid && was.hash === hashText(contentOf(task));
    const { href = null, etag = null, isDirty = true } = was?.uid === task.uid ? was : {};
    tx.updateTask(task.id, { href, etag, isDirty: isDirty || !isSame });
  }
  for (const { id, uid, href, etag, recurrenceId, movedTo = id } of before.values()) {
    if (href === null || recurrenceId !== null || findMaster(tx, listId, uid)) continue;
    insertTombstone(tx, { listId, uid, href, etag }, tx.task(movedTo)?.uid === uid ? movedTo : undefined);
  }
  return true;
}
