import { groupBy } from '../../core/kernel/groupBy';
import type { Id, Task } from '../../core/kernel/model';
import type { Orphan } from '../decide/decideOrphan';
import type { OrphanRecord } from '../state/ledgerTypes';
import type { AccountRun } from './runContext';

/**
 * Notes tasks whose resources went away under them, each with its list. To be done before the rows are changed that
 * show it: a run that is cut off in between leaves the decision to the next one.
 */
export async function recordOrphans(
  { store, ledger, clock }: AccountRun,
  orphans: readonly Orphan[],
  unansweredAt?: number,
): Promise<void> {
  for (const [listId, ofList] of groupBy(orphans, ({ id }) => store.task(id)?.listId)) {
    if (listId === undefined) continue;
    const at = clock.now();
    await ledger.updateList(listId, ({ orphans = {} }) => {
      const since = ledger.lastRow(listId);
      const notes = ofList.map(({ id, base = orphans[id]?.base, isBaseUnsure = false, isUnsent }) => [
        id,
        {
          ...(orphans[id] ?? { at, since, ...(isUnsent && { isUnsent }) }),
          ...(base !== undefined && { base, isBaseUnsure }),
          ...(unansweredAt !== undefined && { unansweredAt }),
        },
      ]);
      return { orphans: { ...orphans, ...Object.fromEntries(notes) } };
    });
  }
}

export async function forgetOrphan({ store, ledger }: AccountRun, id: Id): Promise<void> {
  for (const list of store.lists())
    if (ledger.list(list.id).orphans?.[id])
      await ledger.updateList(list.id, ({ orphans: { [id]: _, ...orphans } = {} }) => ({ orphans }));
}

/** Master rows of a list that its server has not confirmed. */
export const unsent = 't.list_id = ? AND t.href IS NULL AND t.is_deleted = 0 AND t.recurrence_id IS NULL';

/** The orphans of a list: those that were noted, gone or not, and all it has if the user brought it back. */
export function orphansOf({ store, ledger }: AccountRun, listId: Id): readonly Orphan[] {
  const { orphans = {}, deletedOnServer } = ledger.list(listId);
  const noted = Object.entries(orphans).map(([id, { base, isBaseUnsure, isUnsent }]) => ({
    id: Number(id),
    base,
    isBaseUnsure,
    isUnsent,
  }));
  const restored = deletedOnServer ? store.selectTasks(unsent, [listId]).filter(({ id }) => !orphans[id]) : [];
  const ofList = noted.filter(({ id }) => (store.task(id)?.listId ?? listId) === listId);
  return [...ofList, ...restored.map(({ id }) => ({ id, base: undefined }))];
}

/** The record that was made when the task was missed. */
export const noteOf = ({ ledger }: AccountRun, { listId, id }: Pick<Task, 'listId' | 'id'>): OrphanRecord | undefined =>
  ledger.list(listId).orphans?.[id];

/** The grace period: a list or an account that cannot be reached may keep a decision waiting this long. */
const maxWaitMs = 24 * 3_600_000;

export const isWithinGracePeriod = (run: AccountRun, task: Task, since = noteOf(run, task)?.at): boolean =>
  run.clock.now() - (since ?? run.clock.now()) < maxWaitMs;

/**
 * A row of another list with a higher id came there after the task's own list had the task last, and after the task itself:
 * two that are missed at once do not wait for each other.
 */
export const appearedSince = (run: AccountRun, task: Task): Id =>
  Math.max(task.id, noteOf(run, task)?.since ?? run.ledger.lastRow(task.listId) ?? Number.MAX_SAFE_INTEGER);

/** Starts a run. Call the returned function with the lists that were read. */
export async function beginReading({ store, ledger }: AccountRun): Promise<(read: readonly Id[]) => Promise<void>> {
  const lastRow = () => store.select<{ id: Id }>('SELECT coalesce(max(id), 0) AS id FROM tasks')[0]!.id;
  const atFirst = lastRow();
  const known = store.lists().map(({ id }) => id);
  // The ids of the rows that were deleted last may be used again.
  const tooHigh = known.filter(id => (ledger.lastRow(id) ?? 0) > atFirst);
  await ledger.putLastRow(tooHigh, atFirst);
  return async read => {
    const wasRead = (id: Id) => ledger.lastRow(id) !== undefined;
    // Tasks that came with the first pull of a list may have been there for long.
    const isFirstPull = read.some(id => known.includes(id) && !wasRead(id));
    if (isFirstPull) await ledger.putLastRow([...new Set([...known.filter(wasRead), ...read])], lastRow());
    else await ledger.putLastRow(read, atFirst);
  };
}
