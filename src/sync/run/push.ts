import { endingWith, messageOf } from '../../core/kernel/errors';
import { groupBy } from '../../core/kernel/groupBy';
import type { Id, Task } from '../../core/kernel/model';
import { decideTask, type TaskFacts } from '../decide/decideTask';
import { unforeseen } from '../decide/rules';
import { syncMessage } from '../messages';
import { type Etag, type Href, isRemote, RemoteError, type RemoteErrorKind, stopsAccount } from '../remote/remote';
import { orphanedChildren } from '../resources/applyRemovals';
import { checkRemovable, hasNoneOf } from '../resources/checkAlone';
import {
  currentLocalChange,
  deleteRow,
  headOf,
  type LocalChange,
  localChangesOf,
  resourceHash,
  rowsOf,
} from '../resources/localResource';
import { movedTo, stateOfTombstone } from '../resources/taskMoves';
import type { RowError } from '../state/ledgerTypes';
import { deletion } from '../state/syncLedger';
import { rememberApplied, storeItems, textsOf } from './applyBatches';
import { checkOnlyFile } from './copies';
import { noteDecision } from './decisionLog';
import { requestFullListing } from './download';
import { linkParents } from './linkParents';
import { recordOrphans } from './orphanLog';
import { checkCancelled, type ListRun, type PullRun, type PushedLists, type ResolvedOrphans } from './runContext';
import { type Upload, uploadResource, verifyUploads } from './upload';

const maxConcurrentUploads = 4;
/** The number of tasks that are read back together after the server returned no ETag. */
const verifyBatchSize = 50;
/** After this many server errors in a row the rest of the list is left for later. */
const maxServerErrors = 3;
/** A deletion is tried this often again after someone else's edit. */
const maxConflictRetries = 3;
/** A locked task is tried this often before it counts as an error. */
const maxLockedRetries = 3;

/** Sends the changes of a list; an error of one task is noted with it, and the others are still sent. */
export async function pushList(run: PullRun, resolved: ResolvedOrphans): Promise<void> {
  const { puts } = localChangesOf(run.store, run.listId);
  const waiting = puts.filter(change => mayBeSent(run, change, 'edited'));
  const one = taskWorker(run);
  let done = 0;
  for (const level of levelsOf(waiting)) {
    const unproven: Upload[] = [];
    const prove = () => verifyUploads(run, unproven.splice(0), one);
    const sendAll = () =>
      inParallel(level, maxConcurrentUploads, async ({ resource }) => {
        const { id } = headOf(resource);
        await one(id, async () => {
          const sent = await uploadResource(run, id, resolved);
          if (sent) unproven.push(sent);
        });
        if (unproven.length >= verifyBatchSize) await prove();
        run.progress({ label: run.remoteList.name, done: ++done, total: waiting.length });
      });
    await endingWith(sendAll, prove);
  }
  // Tasks that waited for their parents need to be linked now.
  if (waiting.length > 0) await linkParents(run);
}

/**
 * Deletes on the server what was deleted here. A moved task's old copy waits until the new one is on its server,
 * whichever that is.
 */
export async function pushDeletions(run: ListRun, isRead: PushedLists['isRead']): Promise<void> {
  const { store } = run;
  const { deletions } = localChangesOf(store, run.listId);
  const stateOf = ({ resource }: LocalChange) => {
    const tombstone = headOf(resource);
    const [moved] = movedTo(store, tombstone);
    const list = moved && store.list(moved.listId);
    const isDoubtful = list?.accountId === run.account.id && list.isSynced && !isRead(list.id);
    return isDoubtful ? 'moving' : stateOfTombstone(store, tombstone);
  };
  const waiting = deletions.filter(change => mayBeSent(run, change, stateOf(change)));
  const missing = await missingInOthers(run, waiting);
  const one = taskWorker(run);
  await inParallel(waiting, maxConcurrentUploads, async change => {
    const { id } = headOf(change.resource);
    const local = missing.has(id) ? 'moving' : stateOf(change);
    if (mayBeSent(run, change, local)) await one(id, () => deleteResource(run, id));
  });
}

/** Without an ETag, nothing is known that a condition could name. */
function baseAt(href: Href | null, etag: Etag | null): TaskFacts['base'] {
  if (href === null) return 'none';
  return etag === null ? 'unknown' : 'known';
}

/** False if the change waits in this run. */
function mayBeSent(run: ListRun, change: LocalChange, local: TaskFacts['local']): boolean {
  const { href, etag, uid } = headOf(change.resource);
  const remote = isRefused(run, change) ? 'refused' : 'unread';
  const { action, log } = decideTask({ local, base: baseAt(href, etag), remote });
  if (action === 'wait') noteDecision(run.tally.decisions, run.listId, log, uid);
  return action !== 'wait';
}

/**
 * The tombstones of tasks that moved to other accounts and are not known to be there at this moment: this run has not
 * read their lists, and someone who deleted the task there may take the old copy for it.
 */
async function missingInOthers(run: ListRun, deletions: readonly LocalChange[]): Promise<ReadonlySet<Id>> {
  const { store, account } = run;
  const moves = deletions.flatMap(({ resource }) => {
    const tombstone = headOf(resource);
    const [moved] = movedTo(store, tombstone);
    const list = moved && store.list(moved.listId);
    return list && list.accountId !== null && list.accountId !== account.id ? [{ tombstone, moved, list }] : [];
  });
  const missing = new Set(moves.map(({ tombstone }) => tombstone.id));
  for (const group of groupBy(moves, ({ list }) => list.id).values()) {
    const { accountId, href } = group[0]!.list;
    const other = store.account(accountId!);
    if (!other || href === null) continue;
    try {
      const collection = (await run.reach(other)).collection({ href });
      const { items } = await collection.fetch(group.map(({ moved }) => moved.href!));
      const there = new Set(items.map(item => item.href));
      for (const { tombstone, moved } of group) if (there.has(moved.href!)) missing.delete(tombstone.id);
    } catch (error) {
      if (!isRemote(error) || isRemote(error, 'cancelled')) throw error;
    }
  }
  return missing;
}

async function deleteResource(run: ListRun, id: Id): Promise<void> {
  const { store, collection, ledger, account, tally } = run;
  for (let attempt = 1; ; attempt++) {
    const change = currentLocalChange(store, id);
    if (!change?.isDeletion) return;
    const tombstone = headOf(change.resource);
    const { etag } = tombstone;
    // If two accounts reach one list, a task that moved from one to the other keeps its address.
    const isSameAddress = movedTo(store, tombstone).some(row => row.href === tombstone.href);
    const href = isSameAddress ? null : tombstone.href;
    const local = stateOfTombstone(store, tombstone);
    const { action } = decideTask({ local, base: baseAt(href, etag), remote: 'unread' });
    if (action === 'wait') return;
    if (action !== 'fetch' && action !== 'remove' && action !== 'forget') return unforeseen(action);
    const base = ledger.base(account.id, href, etag)?.text;
    let isSent = false;
    let isFound = true;
    let isTaken = false;
    try {
      if (action !== 'forget') checkOnlyFile(ledger, tombstone, collection);
      if (action === 'fetch') throw new RemoteError('conflict', syncMessage('readBeforeDelete'));
      if (action === 'remove') {
        const text = base ?? (await textBehind(run, href!, etag!));
        checkRemovable(text, { uid: tombstone.uid, href: href! });
        // Noted before the request: if the deletion is undone meanwhile, a lost answer must not lose the task.
        await ledger.putSent(account.id, [[href!, deletion]]);
        isSent = true;
        await collection.remove(href!, etag!);
        tally.deletedRemotely++;
      }
    } catch (error) {
      if (isSent && isRemote(error) && !error.details.unsure) await ledger.forgetSent(account.id, [href!]);
      if (!isRemote(error, 'conflict', 'gone')) throw error;
      // A proxy that has lost its server finds nothing either: a second request proves it.
      const { items, gone } = await collection.fetch([href!]);
      isTaken = items.some(({ text, href }) => hasNoneOf(text, { uid: tombstone.uid, href }));
      if (gone.length === 0 && !isTaken) {
        if (attempt > maxConflictRetries) throw error;
        await storeItems(run, items);
        continue;
      }
      // Another program may have renamed it since the list was read.
      if (!isTaken && movedTo(store, tombstone).length > 0)
        return store.edit({ origin: 'sync' }, tx => requestFullListing(tx, run.listId));
      isFound = false;
    }
    if (store.task(id)?.isDeleted === false) await recordOrphans(run, [{ id, base }]);
    // A child that another device put under it still names it.
    const children = orphanedChildren(store, tombstone, textsOf(run, run.listId));
    await rememberApplied(run, { waiting: new Map(children) });
    const isTakenBack = await store.edit({ origin: 'sync' }, tx => {
      // Another task at its address belongs to this list, too, and no report may name it again.
      if (!isFound || isSameAddress) requestFullListing(tx, run.listId);
      for (const { id } of rowsOf(change.resource)) {
        const row = tx.task(id);
        if (row?.isDeleted) deleteRow(tx, row);
        // The user undid the deletion meanwhile: the task is recreated, unless someone else had moved it.
        else if (row?.href === href) tx.updateTask(id, { href: null, etag: null, isDirty: true });
      }
      return tx.task(id) !== undefined;
    });
    if (isTakenBack) await recordOrphans(run, [{ id, base }]);
    // The base and the sent note of an address that has been taken belong to what is there now.
    if (href !== null && !isTaken) {
      await ledger.putBases(account.id, [[href, undefined]]);
      await ledger.forgetSent(account.id, [href]);
    }
    return;
  }
}

/** Reads an unknown text, for example after an interrupted run. Throws if the resource has changed or is gone. */
async function textBehind({ collection }: ListRun, href: Href, etag: Etag): Promise<string> {
  const [item] = (await collection.fetch([href])).items;
  if (!item) throw new RemoteError('gone', syncMessage('taskDeletedOnServer'));
  if (item.etag !== etag) throw new RemoteError('conflict', syncMessage('readBeforeDelete'));
  return item.text;
}

/** Runs the work of single tasks; notes a failure with its task unless the failure concerns more than the task. */
function taskWorker(run: ListRun): (id: Id, work: () => Promise<void>) => Promise<void> {
  let serverErrors = 0;
  return async (id, work) => {
    checkCancelled(run.signal);
    const before = serverErrors;
    try {
      await work();
      serverErrors = 0;
      await run.ledger.setRowErrors([[id, undefined]]);
    } catch (error) {
      if (!isRemote(error) || stopsAccount(error) || error.kind === 'redirect') throw error;
      if (error.kind === 'server' || error.kind === 'timeout') {
        serverErrors = before + 1;
        if (serverErrors >= maxServerErrors) throw error;
        run.tally.rowErrors.set(id, messageOf(error));
        return;
      }
      if (mayConcernList.has(error.kind)) await checkList(run, error);
      await noteError(run, id, error);
    }
  };
}

const mayConcernList: ReadonlySet<RemoteErrorKind> = new Set(['readOnly', 'noParent', 'unsupported', 'gone']);

/** A refusal that may be about the list rather than the task: asks for the list, and throws if that fails, too. */
async function checkList(run: ListRun, error: RemoteError): Promise<void> {
  const list = await run.remote.list(run.remoteList.href);
  if (!list) throw new RemoteError('gone', syncMessage('listGoneOnServer'), { cause: error });
  if (list.isReadOnly && !run.store.list(run.listId)?.isReadOnly) {
    await run.store.edit({ origin: 'sync' }, tx => tx.updateList(run.listId, { isReadOnly: true }));
    throw new RemoteError('readOnly', messageOf(error), { cause: error });
  }
}

/** Errors about the task itself. Any other may be over next time: a lock, a broken answer, a race. */
const refusalKinds: ReadonlySet<RemoteErrorKind> = new Set(['rejected', 'tooLarge', 'uidTaken', 'unsupported']);
/** A full disk (507) does not concern the task: someone may free space. */
const isRefusal = ({ kind, details }: RemoteError) => refusalKinds.has(kind) && details.status !== 507;

async function noteError(run: ListRun, id: Id, error: RemoteError): Promise<void> {
  const change = currentLocalChange(run.store, id);
  if (!change) return;
  const hash = resourceHash(change.resource);
  const before = run.ledger.rowError(id);
  const attempts = before?.hash === hash ? before.attempts + 1 : 1;
  const isFinal = isRefusal(error);
  const message = messageOf(error);
  const note: RowError = { hash, message, attempts, isFinal };
  await run.ledger.setRowErrors([[id, note]]);
  if (!isRemote(error, 'locked') || attempts >= maxLockedRetries) run.tally.rowErrors.set(id, message);
}

/** A resource that the server refused is not sent again until it is edited; it is still reported. */
function isRefused(run: ListRun, { resource }: LocalChange): boolean {
  const { id } = headOf(resource);
  const error = run.ledger.rowError(id);
  if (!error?.isFinal || error.hash !== resourceHash(resource)) return false;
  run.tally.rowErrors.set(id, error.message);
  return true;
}

/** Parents in an earlier level than their children. */
function levelsOf(localChanges: readonly LocalChange[]): LocalChange[][] {
  const levels: LocalChange[][] = [];
  const levelOf = new Map<Id, number>();
  for (const one of localChanges) {
    const head: Task = headOf(one.resource);
    const parentLevel = head.parentId === null ? undefined : levelOf.get(head.parentId);
    const level = parentLevel === undefined ? 0 : parentLevel + 1;
    for (const row of rowsOf(one.resource)) levelOf.set(row.id, level);
    levels[level] ??= [];
    levels[level].push(one);
  }
  return levels;
}

/** After the first failure no new work is started; it is thrown once the work in progress has ended. */
async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  let at = 0;
  const failures: unknown[] = [];
  const worker = async () => {
    while (at < items.length && failures.length === 0) {
      try {
        await work(items[at++]!);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
