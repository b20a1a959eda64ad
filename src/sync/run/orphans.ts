import { readResource } from '../../core/ical/readResource';
import type { Account, Id, Task, TaskList } from '../../core/model';
import { type Href, isRemote, stopsAccount } from '../remote/remote';
import { isNamedBy, isWorthReviving, leftBehind } from '../resources/applyRemovals';
import { resourceOf, resourceRows } from '../resources/localResource';
import { oldCopiesOf, revertMove } from '../resources/taskMoves';
import { rememberApplied, storeItems, textsOf } from './applyBatches';
import { requestFullListing } from './download';
import { listsOf } from './listSync';
import { followMove, newPlacesOf } from './mergeDuplicate';
import { forgetOrphan, recordOrphans } from './orphanLog';
import { type AccountRun, checkCancelled, type ListRun } from './runContext';

/**
 * Decides about the tasks whose resources are gone, once it is known what other lists have: one that somebody moved
 * goes to its new place, with what was edited here; one that is nowhere is made anew by the push, or goes where nothing
 * of worth was edited. `isSeen`: lists that were read in this run; about tasks in others a later one decides.
 */
export async function resolveOrphans(run: AccountRun, isSeen: (list: Id) => boolean, only?: Id): Promise<void> {
  const ids = only === undefined ? [...run.orphans.keys()] : run.orphans.has(only) ? [only] : [];
  for (const id of ids) {
    const base = run.orphans.get(id);
    run.orphans.delete(id);
    const task = run.store.task(id);
    const list = run.store.list(task?.listId ?? 0);
    const isUnread = list?.accountId != null && !isSeen(list.id);
    const isMissed = task !== undefined && task.etag === null;
    if (isUnread || (isMissed && (await isLeftOpen(run, task, base)))) {
      run.deferred.add(id);
      continue;
    }
    await forgetOrphan(run, id);
    run.settled.add(id);
  }
}

/** True where it is still open what becomes of a task whose resource is gone. */
async function isLeftOpen(run: AccountRun, task: Task, base: string | undefined): Promise<boolean> {
  const { id } = task;
  if (await followMove(run, id, base)) return false;
  if (await waitsForNewPlace(run, task)) return true;
  // Brought back by a person, or new: nobody sees a reason to wait for other accounts, so they are asked at once.
  const isBroughtBack = base === undefined || task.href === null;
  if (!isBroughtBack && (await waitsForOthers(run, id, base))) return true;
  const isOneOfMany = isBroughtBack && run.settled.size + run.deferred.size >= mostAskedFor;
  if (!isOneOfMany && (await mayBeElsewhere(run, id))) return true;
  if (!(await returnToOldPlace(run, id))) await recreateOrDelete(run, id, base);
  return false;
}

/**
 * Takes up again what earlier runs left open in a list, and the tasks of one that a person brought back after it was
 * gone. What lost its ETag may be there all the same, and is asked for first.
 */
export async function resumeOrphans(run: ListRun): Promise<void> {
  const { store, memory, orphans: uprooted, listId } = run;
  const before = memory.list(listId);
  const noted = Object.entries(before.uprooted ?? {}).flatMap(([key, { base }]) => {
    const task = store.task(Number(key));
    return task?.listId === listId && !uprooted.has(task.id) ? [{ task, base }] : [];
  });
  const doubtful = noted.flatMap(({ task: { href, etag } }) => (href !== null && etag === null ? [href] : []));
  if (doubtful.length > 0) await storeItems(run, (await run.collection.fetch(doubtful)).items);
  for (const { task, base } of noted) uprooted.set(task.id, base);
  if (!before.wasDeleted) return;
  const rows = store.selectTasks(unsent, [listId]);
  for (const { id } of rows) if (!uprooted.has(id)) uprooted.set(id, undefined);
  if (rows.length === 0) await memory.updateList(listId, { wasDeleted: undefined });
}

/** Master rows of a list that its server has not confirmed. */
export const unsent = 't.list_id = ? AND t.href IS NULL AND t.is_deleted = 0 AND t.recurrence_id IS NULL';

/** So long an account that does not get through may keep a decision waiting. */
const longestWaitMs = 24 * 3_600_000;

const othersOf = ({ store, account }: AccountRun): readonly Account[] =>
  store.accounts().filter(({ id }) => id !== account.id && listsOf(store, id).some(({ isSynced }) => isSynced));

const missedSince = ({ memory }: AccountRun, { listId, id }: Task): number | undefined =>
  memory.list(listId).uprooted?.[id]?.at;

const isPatient = (run: AccountRun, task: Task): boolean =>
  run.clock.now() - (missedSince(run, task) ?? 0) < longestWaitMs;

/** Whether the task may have been moved to another account that was not synced since it was missed. */
async function waitsForOthers(run: AccountRun, id: Id, base: string | undefined): Promise<boolean> {
  const task = run.store.task(id);
  const others = othersOf(run);
  if (!task || others.length === 0 || run.settled.has(id)) return false;
  const at = missedSince(run, task);
  if (at !== undefined)
    return isPatient(run, task) && others.some(({ lastSyncAt }) => lastSyncAt === null || lastSyncAt <= at);
  await recordOrphans(run, [{ id, base }]);
  return true;
}

/** What turned up only when deletions were sent: by then no list was read that could tell. */
export const deferOrphans = (run: AccountRun): Promise<void> =>
  recordOrphans(
    run,
    [...run.orphans].map(([id, base]) => ({ id, base })),
  );

/**
 * Whether the task appeared in another list and could not follow yet: it is edited there, or without its text, which is
 * asked for again.
 */
async function waitsForNewPlace(run: AccountRun, task: Task): Promise<boolean> {
  const { store, memory } = run;
  const places = newPlacesOf(run, task).filter(({ listId }) => !store.list(listId)!.isReadOnly);
  for (const { id, listId, href, etag, isDirty } of places) {
    const { accountId } = store.list(listId)!;
    if (isDirty || href === null || etag === null || memory.base(accountId!, href, etag)) continue;
    await store.edit({ origin: 'sync' }, tx => {
      if (tx.task(id)?.etag === etag) tx.updateTask(id, { etag: null });
      requestFullListing(tx, listId);
    });
  }
  return places.length > 0;
}

/** So many that a person brought back (a backup may hold thousands) are asked for; of more, what is known here must do. */
const mostAskedFor = 20;

/** So many lists are asked together; the first that may have the task decides. */
const atOnce = 4;

/**
 * Whether the server has the task in another list after all, or did not say: that list was pulled before the task came
 * to it, or could not be. The decision is then left to the next run; made now, it would double the task.
 */
async function mayBeElsewhere(run: AccountRun, id: Id): Promise<boolean> {
  const task = run.store.task(id);
  if (!task || task.etag !== null) return false;
  if (await anyMayHave(run, task)) return true;
  if (run.settled.has(id)) return false;
  for (const other of othersOf(run))
    try {
      if (await anyMayHave({ ...run, account: other, remote: await run.reach(other) }, task)) return true;
    } catch (error) {
      if (!isRemote(error) || isRemote(error, 'cancelled')) throw error;
      if (missedSince(run, task) === undefined) await recordOrphans(run, [{ id, base: undefined }]);
      if (isPatient(run, task)) return true;
    }
  return false;
}

/** Asks every list of the account that the task has not left itself. */
async function anyMayHave(run: AccountRun, task: Task): Promise<boolean> {
  const left = new Set(oldCopiesOf(run.store, task).map(({ listId }) => listId));
  const lists = listsOf(run.store, run.account.id).filter(
    ({ id, href, isSynced, isReadOnly }) =>
      id !== task.listId && href !== null && isSynced && !isReadOnly && !left.has(id),
  );
  for (let at = 0; at < lists.length; at += atOnce) {
    checkCancelled(run.signal);
    const asked = lists.slice(at, at + atOnce).map(list => mayHave(run, list, task.uid));
    const answers = await Promise.allSettled(asked);
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    if (answers.some(answer => answer.status === 'fulfilled' && answer.value)) return true;
  }
  return false;
}

async function mayHave(run: AccountRun, list: TaskList, uid: string): Promise<boolean> {
  try {
    return await hasUnseen(run, list, uid);
  } catch (error) {
    if (!isRemote(error) || stopsAccount(error)) throw error;
    return !isRemote(error, 'rejected', 'readOnly', 'unsupported', 'tooLarge', 'redirect');
  }
}

/** Whether the list has a resource of the UID that was not there when the list was read. */
async function hasUnseen({ remote, store, memory }: AccountRun, list: TaskList, uid: string): Promise<boolean> {
  const collection = remote.collection({ href: list.href! });
  const { skipped = {} } = memory.list(list.id);
  const isUnseen = (href: Href) =>
    !skipped[href] && store.selectTasks('t.list_id = ? AND t.href = ?', [list.id, href]).length === 0;
  const found = (await collection.findUid(uid)).filter(({ href }) => isUnseen(href));
  if (found.length === 0) return false;
  const { items, gone } = await collection.fetch(found.map(({ href }) => href));
  // Named a moment ago, and not there: it may be either.
  return gone.length > 0 || items.some(({ text, href }) => readResource(text, { href }).uid === uid);
}

/**
 * Ends what was left in two lists, by this run or by one that was cut off: a child that did not come along, or came
 * without its parent. Where its text goes on naming that, it waits for it, as it does on every other device.
 */
export async function unlinkParents(run: AccountRun): Promise<void> {
  const { store } = run;
  const apart = `t.parent_id IS NOT NULL AND t.list_id IN (SELECT id FROM task_lists WHERE account_id IS NOT NULL)
    AND t.list_id <> (SELECT list_id FROM tasks p WHERE p.id = t.parent_id)`;
  const rows = store.selectTasks(apart);
  if (rows.length === 0) return;
  for (const row of rows) {
    const { listId, uid } = row;
    const parent = store.task(row.parentId!)!;
    if (isNamedBy(row, parent, textsOf(run, listId)))
      await rememberApplied({ ...run, listId }, { waiting: new Map([[uid, parent.uid]]) });
  }
  await store.edit({ origin: 'sync' }, tx => {
    for (const { id, parentId } of rows)
      if (tx.selectTasks(`t.id = ? AND ${apart}`, [id])[0]?.parentId === parentId)
        tx.updateTask(id, { parentId: null });
  });
}

/**
 * Gone from its new place before its old copy was: whoever deleted it there may have taken it for a double. What is
 * left of it is the task.
 */
async function returnToOldPlace({ store }: AccountRun, id: Id): Promise<boolean> {
  return store.edit({ origin: 'sync' }, tx => {
    const task = tx.task(id);
    return !!task && task.href !== null && task.etag === null && revertMove(tx, task);
  });
}

async function recreateOrDelete(run: AccountRun, id: Id, base: string | undefined): Promise<void> {
  const { store, memory, account, tally } = run;
  const task = store.task(id);
  const listId = task?.listId;
  if (!task || listId === undefined) return;
  const waiting = new Map(leftBehind(store, task, textsOf(run, listId)));
  await run.discard([task]);
  await rememberApplied({ ...run, listId }, { waiting });
  const outcome = await store.edit({ origin: 'sync' }, tx => {
    const rows = resourceRows(tx, id);
    const [first] = rows;
    // On its way, or back at the server meanwhile.
    if (!first || first.href === null || first.etag !== null) return undefined;
    if (isWorthReviving(tx, resourceOf(rows), base, memory.list(listId).waiting)) return 'revived';
    for (const row of rows) if (tx.task(row.id)) tx.deleteTask(row.id);
    return { href: first.href };
  });
  if (outcome === undefined) return;
  if (outcome === 'revived') {
    // Without a text that both sides had, it was deleted here and brought back by a person, who knows.
    if (base !== undefined && !run.recreated.has(id)) run.notice('recreated', listId, 1);
    run.recreated.add(id);
    return;
  }
  tally.deletedLocally++;
  await memory.putBases(account.id, [[outcome.href, undefined]]);
}
