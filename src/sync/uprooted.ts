import { readResource } from '../core/ical/readResource';
import type { Account, Id, Task } from '../core/model';
import { joinTwin } from './joining';
import { listsOf } from './lists';
import { forgetMissed, noteMissed } from './missed';
import { doublesOf, goBack, hasOldCopy, tombstonesOf } from './moves';
import { type Href, isRemote, stopsAccount } from './remote';
import { isNamedBy, isWorthReviving, leftBehind } from './remove';
import { resourceOf, resourceRows } from './rows';
import { type AccountRun, checkCancelled, type ListRun } from './run';
import { rememberApplied, storeItems, textsOf } from './storing';
import { listAnew } from './take';

/**
 * Decides about the tasks whose resources are gone, once it is known what other lists have: one that somebody moved
 * meets its new place there, with what was edited here; one that is nowhere is made anew by the push, or goes where
 * nothing of worth was edited. `isSeen`: lists that were read in this run; about tasks in others a later one decides.
 */
export async function settleUprooted(run: AccountRun, isSeen: (list: Id) => boolean, only?: Id): Promise<void> {
  const ids = only === undefined ? [...run.uprooted.keys()] : run.uprooted.has(only) ? [only] : [];
  for (const id of ids) {
    const base = run.uprooted.get(id);
    run.uprooted.delete(id);
    const list = run.store.list(run.store.task(id)?.listId ?? 0);
    const isOpen =
      (list?.accountId != null && !isSeen(list.id)) ||
      (isAtServer(run, id) ? await meetsDouble(run, id, base) : await findsNoPlace(run, id, base));
    if (isOpen) {
      run.deferred.add(id);
      continue;
    }
    await forgetMissed(run, id);
    run.settled.add(id);
  }
}

const isAtServer = ({ store }: AccountRun, id: Id): boolean => store.task(id)?.etag != null;

/**
 * A task that has arrived where it was moved, while somebody else took away its old copy: moved as well, it is in two
 * lists now, and goes where they moved it. True where that is still open.
 */
async function meetsDouble(run: AccountRun, id: Id, base: string | undefined): Promise<boolean> {
  if (await waitsForOthers(run, id, base)) return true;
  return !(await joinTwin(run, id, base)) && (await waitsForDouble(run, id));
}

/** True where it is still open what becomes of a task whose resource is gone. */
async function findsNoPlace(run: AccountRun, id: Id, base: string | undefined): Promise<boolean> {
  if (await joinTwin(run, id, base)) return false;
  if (await waitsForDouble(run, id)) return true;
  // Brought back by a person, or new: nobody sees a reason to wait for other accounts, so they are asked at once.
  const isBroughtBack = base === undefined || run.store.task(id)?.href === null;
  if (!isBroughtBack && (await waitsForOthers(run, id, base))) return true;
  const isOneOfMany = isBroughtBack && run.settled.size + run.deferred.size >= mostAskedFor;
  if (!isOneOfMany && (await mayBeElsewhere(run, id))) return true;
  if (!(await returnHome(run, id))) await reviveOrLetGo(run, id, base);
  return false;
}

/**
 * Takes up again what earlier runs left open in a list, and the tasks of one that a person brought back after it was
 * gone. What lost its ETag may be there all the same, and is asked for first.
 */
export async function resumeUprooted(run: ListRun): Promise<void> {
  const { store, memory, uprooted, listId } = run;
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
const patience = 24 * 3_600_000;

const othersOf = ({ store, account }: AccountRun): readonly Account[] =>
  store.accounts().filter(({ id }) => id !== account.id && listsOf(store, id).some(({ isSynced }) => isSynced));

const missedSince = ({ memory }: AccountRun, { listId, id }: Task): number | undefined =>
  memory.list(listId).uprooted?.[id]?.at;

const isPatient = (run: AccountRun, task: Task): boolean => run.clock.now() - (missedSince(run, task) ?? 0) < patience;

/** Whether the task may have been moved to another account that was not synced since it was missed. */
async function waitsForOthers(run: AccountRun, id: Id, base: string | undefined): Promise<boolean> {
  const task = run.store.task(id);
  const others = othersOf(run);
  if (!task || others.length === 0 || run.settled.has(id)) return false;
  const at = missedSince(run, task);
  if (at !== undefined)
    return isPatient(run, task) && others.some(({ lastSyncAt }) => lastSyncAt === null || lastSyncAt <= at);
  await noteMissed(run, [{ id, base }]);
  return true;
}

/** What turned up only when deletions were sent: by then no list was read that could tell. */
export const leaveToNextRun = (run: AccountRun): Promise<void> =>
  noteMissed(
    run,
    [...run.uprooted].map(([id, base]) => ({ id, base })),
  );

/**
 * Whether the same task is in another list, where the two could not be made one yet: on its way there, edited there, or
 * without its text, which is asked for anew.
 */
async function waitsForDouble(run: AccountRun, id: Id): Promise<boolean> {
  const { store, memory } = run;
  const task = store.task(id);
  const isUprooted = (row: Task) =>
    run.uprooted.has(row.id) || run.deferred.has(row.id) || !!memory.list(row.listId).uprooted?.[row.id];
  const doubles = (task ? doublesOf(store, task) : []).filter(row => {
    const list = store.list(row.listId);
    return list?.isSynced && !list.isReadOnly && !isUprooted(row);
  });
  for (const { id, listId, href, etag, isDirty } of doubles) {
    const { accountId } = store.list(listId)!;
    if (isDirty || href === null || etag === null || memory.base(accountId!, href, etag)) continue;
    await store.edit({ origin: 'sync' }, tx => {
      if (tx.task(id)?.etag === etag) tx.updateTask(id, { etag: null });
      listAnew(tx, listId);
    });
  }
  return doubles.length > 0;
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
      if (missedSince(run, task) === undefined) await noteMissed(run, [{ id, base: undefined }]);
      if (isPatient(run, task)) return true;
    }
  return false;
}

/** Asks every list of the account that the task has not left itself. */
async function anyMayHave(run: AccountRun, task: Task): Promise<boolean> {
  const left = new Set(tombstonesOf(run.store, task.uid).map(({ listId }) => listId));
  const hrefs = listsOf(run.store, run.account.id).flatMap(({ id, href, isSynced, isReadOnly }) =>
    id === task.listId || href === null || !isSynced || isReadOnly || left.has(id) ? [] : [href],
  );
  for (let at = 0; at < hrefs.length; at += atOnce) {
    checkCancelled(run.signal);
    const asked = hrefs.slice(at, at + atOnce).map(href => mayHave(run, href, task.uid));
    const answers = await Promise.allSettled(asked);
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    if (answers.some(answer => answer.status === 'fulfilled' && answer.value)) return true;
  }
  return false;
}

async function mayHave(run: AccountRun, href: Href, uid: string): Promise<boolean> {
  try {
    return await hasUid(run, href, uid);
  } catch (error) {
    if (!isRemote(error) || stopsAccount(error)) throw error;
    return !isRemote(error, 'rejected', 'readOnly', 'unsupported', 'tooLarge', 'redirect');
  }
}

async function hasUid({ remote, memory, account, store }: AccountRun, href: Href, uid: string): Promise<boolean> {
  const collection = remote.collection({ href });
  const found = await collection.findUid(uid);
  if (found.length === 0) return false;
  const { items, gone } = await collection.fetch(found.map(member => member.href));
  const item = items.find(one => readResource(one.text, { href: one.href }).uid === uid);
  // Named a moment ago, and not there: it may be either.
  if (!item) return gone.length > 0;
  // A row without its text could never be joined.
  const isHeld = store.selectTasks('t.href = ? AND t.etag = ?', [item.href, item.etag]).length > 0;
  if (isHeld) await memory.putBases(account.id, [[item.href, { etag: item.etag, text: item.text }]]);
  return true;
}

/**
 * Ends what was left in two lists, by this run or by one that was cut off: a child that did not come along, or came
 * without its parent. Where its text goes on naming that, it waits for it, as it does on every other device.
 */
export async function partFamilies(run: AccountRun): Promise<void> {
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
async function returnHome({ store }: AccountRun, id: Id): Promise<boolean> {
  return store.edit({ origin: 'sync' }, tx => {
    const task = tx.task(id);
    return !!task && task.href !== null && task.etag === null && hasOldCopy(tx, task) && goBack(tx, task);
  });
}

async function reviveOrLetGo(run: AccountRun, id: Id, base: string | undefined): Promise<void> {
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
    if (base !== undefined && !run.revived.has(id)) run.notice('recreated', listId, 1);
    run.revived.add(id);
    return;
  }
  tally.deletedLocally++;
  await memory.putBases(account.id, [[outcome.href, undefined]]);
}
