import { syncMessage } from '../messages';
import { conflictOf } from '../resources/resourceWriter';
import { revertMoves } from '../resources/taskMoves';
import { keepConflicts } from './applyBatches';
import { downloadResources } from './download';
import type { PullRun } from './runContext';

/**
 * A list that may not be written to, with edits that cannot be sent: each edit is kept as a conflict and the server's
 * copy taken back; a task that was moved here goes back where it was; a new one stays, with its error.
 */
export async function resolveReadOnlyEdits(run: PullRun): Promise<void> {
  const { store, memory, account, clock, listId, tally } = run;
  const waiting = store.selectTasks('t.list_id = ? AND (t.is_dirty = 1 OR t.is_deleted = 1)', [listId]);
  if (waiting.length === 0) return;
  const placed = waiting.filter(({ href }) => href !== null);
  const edited = placed.filter(({ isDeleted }) => !isDeleted);
  const conflicts = edited.map(task => {
    const theirs = memory.anyBase(account.id, task.href!)?.text ?? '';
    return conflictOf(store, task, { at: clock.now(), reason: 'readOnly', lost: [], theirs });
  });
  await keepConflicts(run, conflicts);
  const localOnly = await store.edit({ origin: 'sync' }, tx => {
    for (const row of placed) {
      if (tx.task(row.id)) tx.updateTask(row.id, { isDirty: false, isDeleted: false, etag: null });
    }
    const back = new Set(revertMoves(tx, listId));
    return waiting.filter(row => row.href === null && !back.has(row.id) && tx.task(row.id)?.listId === listId);
  });
  for (const { id } of localOnly) {
    tally.rowErrors.set(id, syncMessage('readOnlyList'));
  }
  const hrefs = new Set(placed.map(({ href }) => href!));
  if (hrefs.size > 0) await downloadResources(run, [...hrefs]);
}
