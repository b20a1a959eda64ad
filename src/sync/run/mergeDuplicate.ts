import { sameContent } from '../../core/ical/contentGroups';
import { readResource } from '../../core/ical/readResource';
import type { Task, TaskList } from '../../core/kernel/model';
import type { Writer } from '../../store/types';
import type { Orphan, OrphanFacts } from '../decide/decideOrphan';
import type { RemoteItem } from '../remote/remote';
import { applyItems } from '../resources/applyItems';
import { findMaster, parentFor, resourceRows } from '../resources/localResource';
import { oldCopiesOf } from '../resources/taskMoves';
import { applyContext, applyKeeping, settleApplied, textsOf } from './applyBatches';
import { requestFullListing } from './download';
import { appearedSince, isWithinGracePeriod, noteOf } from './orphanLog';
import type { AccountRun } from './runContext';

/** The list to which someone moved a task, as far as it is known. */
interface MoveTarget {
  readonly kind: OrphanFacts['moveTarget'];
  /** The task's copies in lists that may be written to. */
  readonly copies: readonly Task[];
  /** A copy that the task can be merged with at once, and what its server has of it. */
  readonly there?: { readonly copy: Task; readonly item: RemoteItem };
}

/**
 * The task's copies in other lists that appeared since its own list had it last: someone moved it there. One that was
 * there before is another task, whatever its UID. In a list that two accounts reach, one at an address that the task has left
 * is what it left. Those of the same account come first.
 */
export function moveTargetOf(run: AccountRun, task: Task): MoveTarget {
  const { store, account } = run;
  const since = appearedSince(run, task);
  const listOf = ({ listId }: Task): TaskList => store.list(listId)!;
  const isOther = (row: Task) => Number(listOf(row).accountId !== account.id);
  // Its own account may not get through for long.
  const isMissed = (row: Task) => row.etag === null && noteOf(run, row) !== undefined;
  const left = new Set(oldCopiesOf(store, task).map(({ href }) => href));
  const found = store
    .tasksOfUid(task.uid)
    .filter(row => row.id > since && row.listId !== task.listId && row.recurrenceId === null && !row.isDeleted)
    .filter(({ href }) => !left.has(href))
    .filter(row => isWithinGracePeriod(run, task) || !isMissed(row))
    .filter(row => listOf(row).accountId !== null && listOf(row).isSynced)
    .sort((a, b) => isOther(a) - isOther(b));
  const copies = found.filter(row => !listOf(row).isReadOnly);
  if (copies.length === 0) return { kind: 'none', copies };
  const copy = found.find(({ href, etag }) => href !== null && etag !== null);
  const text = copy && textsOf(run, copy.listId).baseOf(copy.href, copy.etag);
  if (!copy || text === undefined || !copies.includes(copy)) return { kind: 'unready', copies };
  return { kind: 'ready', copies, there: { copy, item: { href: copy.href!, etag: copy.etag!, text } } };
}

/** Moves the task to the list to which someone else moved it; edits made here are merged into the copy there. */
export async function adoptMovedTask(
  run: AccountRun,
  { id, base, isBaseUnsure = false }: Orphan,
  { copy, item }: NonNullable<MoveTarget['there']>,
): Promise<boolean> {
  const { store, ledger } = run;
  const { href, uid, listId } = store.task(id)!;
  // Its parent may have been moved first, and be in the new list, too.
  const waitsFor = parentFor(ledger.list(listId).waiting, uid);
  const account = store.account(store.list(copy.listId)!.accountId!)!;
  const listRun = { ...run, account, listId: copy.listId };
  const isAgreed = base !== undefined && !(isBaseUnsure && !sameContent(readResource(base), readResource(item.text)));
  const applied = await applyKeeping(listRun, tx => {
    const rows = resourceRows(tx, id);
    const others = resourceRows(tx, copy.id);
    const isAsBefore = others.every(row => !row.isDirty && row.etag === copy.etag) && others.length > 0;
    if (!isAsBefore || rows.length === 0 || rows[0]!.isDeleted) return undefined;
    takeAddressOf(tx, copy, rows);
    const context = applyContext(listRun, new Set());
    const waiting = waitsFor === undefined ? context.waiting : { ...context.waiting, [uid]: waitsFor };
    return applyItems(tx, [item], { ...context, waiting, baseOf: () => (isAgreed ? base : undefined) });
  });
  if (!applied) return false;
  if (href !== null) await ledger.putBases(run.account.id, [[href, undefined]]);
  await settleApplied(listRun, applied);
  return true;
}

/** A copy that is here without its text cannot take edits: it is asked for again. */
export async function requestTexts(run: AccountRun, copies: readonly Task[]): Promise<void> {
  for (const { id, listId, href, etag, isDirty } of copies) {
    if (isDirty || href === null || etag === null || textsOf(run, listId).baseOf(href, etag) !== undefined) continue;
    await run.store.edit({ origin: 'sync' }, tx => {
      if (tx.task(id)?.etag === etag) tx.updateTask(id, { etag: null });
      requestFullListing(tx, listId);
    });
  }
}

/** The rows whose ids the user already has stay; those that came with the pull are removed. */
function takeAddressOf(tx: Writer, there: Task, rows: readonly Task[]): void {
  const { listId, href, etag } = there;
  const master = rows.find(({ recurrenceId }) => recurrenceId === null) ?? rows[0]!;
  for (const child of tx.selectTasks('t.parent_id = ?', [there.id])) tx.updateTask(child.id, { parentId: master.id });
  for (const row of resourceRows(tx, there.id)) tx.deleteTask(row.id);
  for (const row of rows) {
    const parent = row.parentId === null ? undefined : tx.task(row.parentId);
    const parentThere = parent && findMaster(tx, listId, parent.uid);
    tx.updateTask(row.id, { listId, href, etag, isDirty: true, parentId: parentThere?.id ?? null });
  }
}
