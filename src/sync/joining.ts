import { readResource } from '../core/ical/readResource';
import type { Id, Task } from '../core/model';
import { movedAway } from '../core/tombstone';
import type { Reader, Writer } from '../store/types';
import { applyItems } from './apply';
import type { RemoteItem } from './remote';
import { findMaster, resourceRows } from './rows';
import type { AccountRun } from './run';
import { applyContext, applyKeeping, settleApplied } from './storing';

/** The same task at another address, of this account rather than of another. */
function twinOf(reader: Reader, { uid, listId }: Task, accountId: Id): Task | undefined {
  const twins = reader.selectTasks(
    `t.list_id IN (SELECT id FROM task_lists WHERE account_id IS NOT NULL AND is_synced = 1) AND t.uid = ?
     AND t.list_id <> ? AND t.recurrence_id IS NULL AND t.is_deleted = 0 AND t.href IS NOT NULL AND t.etag IS NOT NULL`,
    [uid, listId],
  );
  return twins.find(twin => reader.list(twin.listId)?.accountId === accountId) ?? twins[0];
}

/**
 * Whether the text in another list is of this task rather than of a stranger to which another program gave the same UID:
 * its time of creation says so, or its words.
 */
export function isSameTask(task: Task, base: string | undefined, there: string): boolean {
  const [before, other] = [base, there].map(text =>
    text === undefined ? undefined : readResource(text, { uid: task.uid }).master?.fields,
  );
  if (!other) return false;
  if (other.createdAt !== null && other.createdAt === (before ?? task).createdAt) return true;
  return [before, task].some(one => one?.title === other.title && one.description === other.description);
}

/**
 * The task moves to where somebody else moved it; what was edited here is merged into what is there. Where that may be
 * another task, all that is here counts as edited here: what gives way in the merge is kept.
 */
export async function joinTwin(run: AccountRun, id: Id, base: string | undefined): Promise<boolean> {
  const { store, memory } = run;
  const task = store.task(id);
  const twin = task && twinOf(store, task, run.account.id);
  const list = twin && store.list(twin.listId);
  const account = list?.accountId == null ? undefined : store.account(list.accountId);
  const there = twin && account && memory.base(account.id, twin.href, twin.etag);
  if (!task || !twin || !there || list?.href == null || list.isReadOnly) return false;
  const item: RemoteItem = { href: twin.href!, etag: twin.etag!, text: there.text };
  const listRun = { ...run, account, listId: twin.listId };
  const common = isSameTask(task, base, there.text) ? base : undefined;
  const { listId, uid, href, etag } = task;
  const oldPlace = { listId, uid, href, etag };
  const isLeft = href !== null && etag !== null;
  const applied = await applyKeeping(listRun, tx => {
    const rows = resourceRows(tx, id);
    const others = resourceRows(tx, twin.id);
    const isAsBefore = others.every(row => !row.isDirty && row.etag === twin.etag) && others.length > 0;
    if (!isAsBefore || rows.length === 0 || rows[0]!.isDeleted) return undefined;
    takeItsPlace(tx, rows, twin);
    if (isLeft) tx.insertTask({ ...oldPlace, title: task.title, unknownProperties: movedAway, isDeleted: true });
    return applyItems(tx, [item], { ...applyContext(listRun, new Set()), baseOf: () => common });
  });
  if (!applied) return false;
  if (href !== null && !isLeft) await memory.putBases(run.account.id, [[href, undefined]]);
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
