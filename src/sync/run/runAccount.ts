import { readResource } from '../../core/ical/readResource';
import { messageOf } from '../../core/kernel/errors';
import type { Id, TaskList } from '../../core/kernel/model';
import { decideList } from '../decide/decideList';
import { withSlash } from '../remote/hrefs';
import { isRemote, type RemoteList, stopsAccount } from '../remote/remote';
import { deletion } from '../state/syncLedger';
import { settleCopies } from './copies';
import { requestFullListing, sentSince } from './download';
import { noteDuplicates, recordMoves } from './duplicates';
import { cleanHrefs, EmptiedError, losesMost } from './emptiedLists';
import { linkParents, unlinkParents } from './linkParents';
import { detachLists, listsOf, pushLists, refreshLists } from './listSync';
import { beginReading, recordOrphans, unsent } from './orphanLog';
import { requestOrphans, resolveOrphans } from './orphans';
import { hasChanged, pullList } from './pull';
import { pushDeletions, pushList } from './push';
import { resolveReadOnlyEdits } from './readOnlyLists';
import {
  type AccountRun,
  checkCancelled,
  type ListRun,
  type PulledLists,
  type PullRun,
  type PushedLists,
  type ResolvedOrphans,
} from './runContext';

/**
 * One account's run, in an order in which a task on its way from one list to another always exists somewhere:
 *
 *     lists → pull each list → orphans → push each list → deletions → links between parents and subtasks
 *
 * Throws errors of the whole account; errors of one list or one task are in the tally.
 */
export async function runAccount(run: AccountRun, only?: ReadonlySet<Id>): Promise<void> {
  await recordMoves(run);
  const endReading = await beginReading(run);
  const remote = await refreshLists(run);
  await pushLists(run, remote);
  const pulled = await pullLists(run, listRunsOf(run, remote, only));
  await recordMoves(run);
  const resolved = await resolveOrphans(run, pulled);
  const pushed = await pushChanges(pulled, resolved);
  await recordMoves(run);
  await pushAllDeletions(pushed);
  await unlinkParents(run);
  // A list in which something could not be had may have missed a task that is in another one by now.
  const complete = pulled.lists.filter(({ listId, incomplete }) => incomplete.size === 0 && pulled.isRead(listId));
  await endReading(complete.map(({ listId }) => listId));
  await noteDuplicates(run);
}

/** The lists of the run that are on the server. */
const listRunsOf = (
  run: AccountRun,
  remote: ReadonlyMap<string, RemoteList>,
  only: ReadonlySet<Id> | undefined,
): readonly ListRun[] =>
  listsOf(run.store, run.account.id).flatMap(({ id, href, isSynced }) => {
    const remoteList = !isSynced || (only && !only.has(id)) || href === null ? undefined : remote.get(href);
    if (!remoteList) return [];
    return {
      ...run,
      listId: id,
      remoteList,
      collection: run.remote.collection(remoteList),
    };
  });

async function pullLists({ tally }: AccountRun, runs: readonly ListRun[]): Promise<PulledLists> {
  for (const run of runs) await catchListError(run, () => requestOrphans(run));
  const lists: PullRun[] = [];
  const emptied: PullRun[] = [];
  const read = async (run: PullRun) => {
    try {
      await pull(run);
    } catch (error) {
      if (run.areOthersRead || !(error instanceof EmptiedError)) throw error;
      emptied.push({ ...run, areOthersRead: true });
      return;
    }
    lists.push(run);
    await settleCopies(run);
  };
  for (const run of runs)
    await catchListError(run, async () => {
      const removals = { held: cleanHrefs(run).length, count: 0 };
      await read({ ...run, removals, incomplete: new Set(), moving: new Set(), areOthersRead: false });
    });
  // Another program may have moved its tasks to a list that was read after it.
  for (const run of emptied) await catchListError(run, () => read(run));
  const isRead = (id: Id) => lists.some(({ listId }) => listId === id) && !tally.listErrors.has(id);
  return { lists, isRead };
}

async function pushChanges({ lists, isRead }: PulledLists, resolved: ResolvedOrphans): Promise<PushedLists> {
  const pushed = lists.filter(({ listId }) => isRead(listId));
  for (const run of pushed) await catchListError(run, () => push(run, () => pushList(run, resolved)));
  return { pushed, isRead };
}

async function pushAllDeletions({ pushed, isRead }: PushedLists): Promise<void> {
  for (const run of pushed) await catchListError(run, () => push(run, () => pushDeletions(run, isRead)));
}

async function pull(run: PullRun): Promise<void> {
  const { store, ledger, listId, remoteList, account, areOthersRead } = run;
  if (ledger.list(listId).isPaused && !(areOthersRead && (await hasTasksAgain(run)))) throw new EmptiedError();
  const list = store.list(listId);
  if (!list) return;
  const doubtful = [...ledger.allSent(account.id).keys()];
  if (!takesChanges(list)) await resolveReadOnlyEdits(run);
  const unconfirmed = store.select(
    'SELECT 1 FROM tasks WHERE list_id = ? AND href IS NOT NULL AND etag IS NULL AND is_dirty = 0 LIMIT 1',
    [listId],
  );
  // A task that was made here and deleted there since may leave the tags unchanged.
  const isChanged = hasChanged(list, remoteList) || unconfirmed.length > 0 || sentSince(run).length > 0;
  const { action } = decideList({ local: 'synced', base: 'none', remote: isChanged ? 'changed' : 'same' });
  if (action === 'pull') await pullList(run);
  await linkParents(run);
  await forgetUndone(run);
  await forgetUnsent(run, doubtful);
}

const takesChanges = ({ isReadOnly }: TaskList): boolean =>
  decideList({ local: 'synced', base: 'none', remote: isReadOnly ? 'readOnly' : 'changed' }).action !== 'receive';

/** True if a list whose tasks were gone shows them again: that ends the question about them. */
async function hasTasksAgain(run: ListRun): Promise<boolean> {
  const { store, ledger, listId, collection } = run;
  const { members, isComplete, isEmptyFolder } = await collection.listing(false);
  const there = new Set(members.map(({ href }) => href));
  const held = cleanHrefs(run);
  const missing = held.filter(href => !there.has(href));
  if (!isComplete || losesMost(run, missing, { held: held.length, isEmptyFolder })) return false;
  await ledger.updateList(listId, { isPaused: undefined });
  await store.edit({ origin: 'sync' }, tx => requestFullListing(tx, listId));
  return true;
}

/**
 * Forgets requests without an answer whose tasks a pull did not find. They never arrived: a resource that appears at
 * their address later comes from another program. Or one arrived, and another program moved it: its new task is searched
 * for in the other lists. Nothing shows which, so the text that was sent is an unsure base.
 */
async function forgetUnsent(run: PullRun, before: readonly string[]): Promise<void> {
  const { store, ledger, account, remoteList, listId, incomplete } = run;
  const collection = withSlash(remoteList.href);
  const stale = before.filter(href => {
    const text = href.startsWith(collection) ? ledger.sent(account.id, href) : undefined;
    return text !== undefined && text !== deletion && !incomplete.has(href);
  });
  const missed = stale.flatMap(href => {
    const base = ledger.sent(account.id, href)!;
    const { uid = '' } = readResource(base, { href });
    return store
      .selectTasks(`t.uid = ? AND ${unsent}`, [uid, listId])
      .map(({ id }) => ({ id, base, isBaseUnsure: true }));
  });
  await recordOrphans(run, missed);
  await ledger.forgetSent(account.id, stale);
}

/** A task that is still here after a pull was not deleted after all: a later deletion of it is someone else's. */
async function forgetUndone({ store, ledger, account, listId }: ListRun): Promise<void> {
  const undone = ledger
    .deletionsOf(account.id)
    .filter(href => store.selectTasks('t.list_id = ? AND t.href = ? AND t.is_deleted = 0', [listId, href]).length > 0);
  await ledger.forgetSent(account.id, undone);
}

async function push(run: PullRun, work: () => Promise<void>): Promise<void> {
  const list = run.store.list(run.listId);
  if (!list || list.accountId !== run.account.id || !takesChanges(list) || run.tally.listErrors.has(run.listId)) return;
  try {
    await work();
  } catch (error) {
    if (isRemote(error, 'readOnly')) {
      await resolveReadOnlyEdits(run);
      if (run.incomplete.size > 0) await run.store.edit({ origin: 'sync' }, tx => requestFullListing(tx, run.listId));
    } else if (isRemote(error, 'gone') && !(await run.remote.list(run.remoteList.href)))
      await detachLists(run, run.listId, false);
    else throw error;
  }
}

async function catchListError(run: ListRun, work: () => Promise<void>): Promise<void> {
  checkCancelled(run.signal);
  try {
    await work();
  } catch (error) {
    if (!isRemote(error) || stopsAccount(error)) throw error;
    run.log('warn', `List ${run.listId}: ${error.kind} (${error.details.status ?? 'no status'})`);
    run.tally.listErrors.set(run.listId, messageOf(error));
  }
}
