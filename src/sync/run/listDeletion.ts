import type { Id, TaskList } from '../../core/kernel/model';
import type { Reader } from '../../store/types';
import { decideList } from '../decide/decideList';
import { contentOf, hashText } from '../merge/taskHash';
import { type Href, isRemote, type RemoteAccount } from '../remote/remote';
import { noteDecision } from './decisionLog';
import { addressesOf } from './emptiedLists';
import type { AccountRun } from './runContext';

/**
 * Deletes a list on its server, and then here. The process can end in between, so the user's wish is noted before the
 * request, and a run that finds the list gone completes it. `forgetDeletion` ends it. Returns a function that tells if the
 * list is still as it was before the request.
 */
export async function deleteRemotely(
  { store, ledger }: Pick<AccountRun, 'store' | 'ledger'>,
  remote: RemoteAccount,
  listId: Id,
  href: Href,
): Promise<() => boolean> {
  const hash = hashOfList(store, listId);
  const { deleting: unanswered, skipped = {} } = ledger.list(listId);
  await ledger.updateList(listId, { deleting: { href, hash } });
  try {
    await remote.deleteList(href, addressesOf(store, listId).etags, new Set(Object.keys(skipped)));
  } catch (error) {
    // This request has deleted nothing; one before it may have.
    if (isRemote(error) && !error.details.unsure) await ledger.updateList(listId, { deleting: unanswered });
    throw error;
  }
  await ledger.updateList(listId, { deletedOnServer: true });
  return () => hashOfList(store, listId) === hash;
}

export async function forgetDeletion({ ledger }: Pick<AccountRun, 'ledger'>, listId: Id): Promise<void> {
  await ledger.updateList(listId, { deleting: undefined });
}

/**
 * Deletes a list that is gone from its server if the user had it deleted. Returns false if that was not so, or if
 * anything in it was edited since: then nothing shows if the user still wants to delete it.
 */
export async function completeDeletion(
  { store, ledger, tally }: AccountRun,
  { id, href, name }: TaskList,
): Promise<boolean> {
  const { deleting } = ledger.list(id);
  if (!deleting || deleting.href !== href) return false;
  const base = hashOfList(store, id) === deleting.hash ? 'deleting' : 'none';
  const { action, log } = decideList({ local: 'synced', base, remote: 'gone' });
  if (action === 'delete') {
    noteDecision(tally.decisions, id, log);
    await ledger.updateList(id, { deletedOnServer: true });
    // It was the user's act, and can be undone as such.
    await store.edit({ origin: 'user', label: { key: 'list.delete', count: 1, title: name } }, tx => {
      if (tx.list(id) && hashOfList(tx, id) === deleting.hash) tx.deleteList(id);
    });
  }
  await forgetDeletion({ ledger }, id);
  return store.list(id) === undefined;
}

/** A hash of the list's contents. Times of edits are not in it: those that came from elsewhere are by other clocks. */
const hashOfList = (reader: Reader, listId: Id): string =>
  hashText(reader.tasksOfList(listId).map(contentOf).join('\n'));
