import { readResource } from '../core/ical/readResource';
import type { Id, Task } from '../core/model';
import type { Reader, Writer } from '../store/types';
import { applyItems } from './apply';
import { listsOf } from './lists';
import { type Href, isRemote, type RemoteItem, stopsAccount } from './remote';
import { isWorthReviving } from './remove';
import { findMaster, resourceOf, resourceRows } from './rows';
import type { AccountRun } from './run';
import { applyContext, settleApplied } from './storing';

/**
 * Decides about the tasks whose resources are gone, once it is known what other lists have: one that somebody moved
 * meets its new place there, with what was edited here; one that is nowhere is made anew by the push, or goes where
 * nothing of worth was edited.
 */
export async function settleUprooted(run: AccountRun, only?: Id): Promise<void> {
  const ids = only === undefined ? [...run.uprooted.keys()] : run.uprooted.has(only) ? [only] : [];
  for (const id of ids) {
    const base = run.uprooted.get(id);
    run.uprooted.delete(id);
    if (!(await joinTwin(run, id, base))) {
      if (await mayBeElsewhere(run, id)) {
        run.deferred.add(id);
        continue;
      }
      await reviveOrLetGo(run, id, base);
    }
    run.settled.add(id);
  }
}

/**
 * Whether the server has the task in another list after all, or did not say: that list was pulled before the task came
 * to it, or could not be. The decision is then left to the next run; made now, it would double the task.
 */
async function mayBeElsewhere(run: AccountRun, id: Id): Promise<boolean> {
  const task = run.store.task(id);
  if (!task || task.href === null || task.etag !== null) return false;
  for (const list of listsOf(run.store, run.account.id)) {
    if (list.id === task.listId || list.href === null || !list.isSynced || list.isReadOnly) continue;
    try {
      if (await hasUid(run, list.href, task.uid)) return true;
    } catch (error) {
      if (!isRemote(error) || stopsAccount(error)) throw error;
      if (!isRemote(error, 'rejected', 'readOnly', 'unsupported', 'tooLarge')) return true;
    }
  }
  return false;
}

async function hasUid({ remote, memory, account, store }: AccountRun, href: Href, uid: string): Promise<boolean> {
  const collection = remote.collection({ href });
  const found = await collection.findUid(uid);
  if (found.length === 0) return false;
  const { items } = await collection.fetch(found.map(member => member.href));
  const item = items.find(one => readResource(one.text, { href: one.href }).uid === uid);
  if (!item) return false;
  // A row without its text could never be joined.
  const isHeld = store.selectTasks('t.href = ? AND t.etag = ?', [item.href, item.etag]).length > 0;
  if (isHeld) await memory.putBases(account.id, [[item.href, { etag: item.etag, text: item.text }]]);
  return true;
}

/** Ends what was left in two lists: a child that did not come along, or came without its parent. */
export async function partFamilies({ store, settled }: AccountRun): Promise<void> {
  if (settled.size === 0) return;
  await store.edit({ origin: 'sync' }, tx => {
    for (const id of settled)
      for (const row of [tx.task(id), ...tx.selectTasks('t.parent_id = ?', [id])])
        if (row && row.parentId !== null && tx.task(row.parentId)?.listId !== row.listId)
          tx.updateTask(row.id, { parentId: null });
  });
}

/** The same task at another address of the account. */
function twinOf(reader: Reader, { uid, listId }: Task, accountId: Id): Task | undefined {
  return reader.selectTasks(
    `t.list_id IN (SELECT id FROM task_lists WHERE account_id = ?) AND t.uid = ? AND t.list_id <> ?
     AND t.recurrence_id IS NULL AND t.is_deleted = 0 AND t.href IS NOT NULL AND t.etag IS NOT NULL`,
    [accountId, uid, listId],
  )[0];
}

/** The task moves to where somebody else moved it; what was edited here is merged into what is there. */
async function joinTwin(run: AccountRun, id: Id, base: string | undefined): Promise<boolean> {
  const { store, memory, account } = run;
  const task = store.task(id);
  const twin = task && twinOf(store, task, account.id);
  const there = twin && memory.base(account.id, twin.href, twin.etag);
  const list = twin && store.list(twin.listId);
  if (!task || !twin || !there || list?.href == null || list.isReadOnly) return false;
  const item: RemoteItem = { href: twin.href!, etag: twin.etag!, text: there.text };
  const listRun = { ...run, listId: twin.listId };
  const applied = await store.edit({ origin: 'sync' }, tx => {
    const rows = resourceRows(tx, id);
    const others = resourceRows(tx, twin.id);
    const isAsBefore = others.every(row => !row.isDirty && row.etag === twin.etag) && others.length > 0;
    if (!isAsBefore || rows.length === 0 || rows[0]!.isDeleted) return undefined;
    takeItsPlace(tx, rows, twin);
    return applyItems(tx, [item], { ...applyContext(listRun, new Set()), baseOf: () => base });
  });
  if (!applied) return false;
  if (task.href !== null) await memory.putBases(account.id, [[task.href, undefined]]);
  await settleApplied(listRun, applied);
  return true;
}

/** The rows that a person knows by their ids go on; those that came with the pull go. */
function takeItsPlace(tx: Writer, rows: readonly Task[], twin: Task): void {
  const { listId, href, etag } = twin;
  const master = rows.find(({ recurrenceId }) => recurrenceId === null) ?? rows[0]!;
  for (const child of tx.selectTasks('t.parent_id = ?', [twin.id])) tx.updateTask(child.id, { parentId: master.id });
  for (const row of resourceRows(tx, twin.id)) if (tx.task(row.id)) tx.deleteTask(row.id);
  for (const row of rows) {
    const parent = row.parentId === null ? undefined : tx.task(row.parentId);
    const parentThere = parent && findMaster(tx, listId, parent.uid);
    tx.updateTask(row.id, { listId, href, etag, isDirty: true, parentId: parentThere?.id ?? null });
  }
}

async function reviveOrLetGo(run: AccountRun, id: Id, base: string | undefined): Promise<void> {
  const { store, memory, account, tally } = run;
  const listId = store.task(id)?.listId;
  const outcome = await store.edit({ origin: 'sync' }, tx => {
    const rows = resourceRows(tx, id);
    const [first] = rows;
    // On its way, or back at the server meanwhile.
    if (!first || first.href === null || first.etag !== null || listId === undefined) return undefined;
    if (isWorthReviving(tx, resourceOf(rows), base, memory.list(listId).waiting)) return 'revived';
    for (const row of rows) if (tx.task(row.id)) tx.deleteTask(row.id);
    return first.href;
  });
  if (outcome === undefined || listId === undefined) return;
  if (outcome === 'revived') {
    if (!run.revived.has(id)) run.notice('recreated', listId, 1);
    run.revived.add(id);
    return;
  }
  tally.deletedLocally++;
  await memory.putBases(account.id, [[outcome, undefined]]);
}
