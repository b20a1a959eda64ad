import type { Id, Task } from '../../core/model';
import type { Reader, Writer } from '../../store/types';
import type { RemoteItem } from '../remote/remote';
import { applyItems } from '../resources/applyItems';
import { findMaster, resourceRows } from '../resources/localResource';
import { applyContext, applyKeeping, settleApplied } from './applyBatches';
import { appearedSince } from './orphanLog';
import type { AccountRun } from './runContext';

/**
 * The task's copies in other lists that appeared since its own list had it last: somebody moved it there. One that was
 * there before is another task, whatever its UID. Those of the same account come first.
 */
export function newPlacesOf(run: AccountRun, task: Task): readonly Task[] {
  const { store, account } = run;
  const since = appearedSince(run, task);
  const accountOf = (reader: Reader, { listId }: Task) => reader.list(listId)?.accountId;
  const places = store
    .tasksOfUid(task.uid)
    .filter(row => row.id > since && row.listId !== task.listId && row.recurrenceId === null && !row.isDeleted)
    .filter(row => accountOf(store, row) != null && store.list(row.listId)!.isSynced);
  const isOwn = (row: Task) => Number(accountOf(store, row) === account.id);
  return places.sort((a, b) => isOwn(b) - isOwn(a));
}

/** The task goes to where somebody else moved it; what was edited here is merged into what is there. */
export async function followMove(run: AccountRun, id: Id, base: string | undefined): Promise<boolean> {
  const { store, memory } = run;
  const task = store.task(id);
  const there = task && newPlacesOf(run, task).find(({ href, etag }) => href !== null && etag !== null);
  const list = there && store.list(there.listId);
  const account = list?.accountId == null ? undefined : store.account(list.accountId);
  if (!there || !account || !list?.href || list.isReadOnly) return false;
  const text = memory.base(account.id, there.href, there.etag)?.text;
  if (text === undefined) return false;
  const item: RemoteItem = { href: there.href!, etag: there.etag!, text };
  const listRun = { ...run, account, listId: there.listId };
  const applied = await applyKeeping(listRun, tx => {
    const rows = resourceRows(tx, id);
    const others = resourceRows(tx, there.id);
    const isAsBefore = others.every(row => !row.isDirty && row.etag === there.etag) && others.length > 0;
    if (!isAsBefore || rows.length === 0 || rows[0]!.isDeleted) return undefined;
    takePlaceOf(tx, there, rows);
    return applyItems(tx, [item], { ...applyContext(listRun, new Set()), baseOf: () => base });
  });
  if (!applied) return false;
  if (task.href !== null) await memory.putBases(run.account.id, [[task.href, undefined]]);
  await settleApplied(listRun, applied);
  return true;
}

/** The rows that a person knows by their ids go on; those that came with the pull go. */
function takePlaceOf(tx: Writer, there: Task, rows: readonly Task[]): void {
  const { listId, href, etag } = there;
  const master = rows.find(({ recurrenceId }) => recurrenceId === null) ?? rows[0]!;
  for (const child of tx.selectTasks('t.parent_id = ?', [there.id])) tx.updateTask(child.id, { parentId: master.id });
  for (const row of resourceRows(tx, there.id)) if (tx.task(row.id)) tx.deleteTask(row.id);
  for (const row of rows) {
    const parent = row.parentId === null ? undefined : tx.task(row.parentId);
    const parentThere = parent && findMaster(tx, listId, parent.uid);
    tx.updateTask(row.id, { listId, href, etag, isDirty: true, parentId: parentThere?.id ?? null });
  }
}
