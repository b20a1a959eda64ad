import { decideTask, type TaskAction } from '../decide/decideTask';
import { syncMessage } from '../messages';
import { conflictOf } from '../resources/resourceWriter';
import { revertMoves, stateOfTombstone } from '../resources/taskMoves';
import { keepConflicts } from './applyBatches';
import { noteDecision } from './decisionLog';
import { downloadResources } from './download';
import type { PullRun } from './runContext';

/**
 * Handles a read-only list with edits that cannot be sent: each edit is kept as a conflict and the server's copy
 * restored; a task that was moved here goes back to its old list; a new one stays, with its error.
 */
export async function resolveReadOnlyEdits(run: PullRun): Promise<void> {
  const { store, ledger, account, clock, listId, tally } = run;
  const waiting = store.selectTasks('t.list_id = ? AND (t.is_dirty = 1 OR t.is_deleted = 1)', [listId]);
  if (waiting.length === 0) return;
  const decided = waiting.map(row => {
    const local = row.isDeleted ? stateOfTombstone(store, row) : 'edited';
    const { action, log } = decideTask({ local, base: row.href === null ? 'none' : 'known', remote: 'readOnly' });
    noteDecision(tally.decisions, listId, log, row.uid);
    return { row, action };
  });
  const rowsTo = (...actions: TaskAction[]) =>
    decided.flatMap(({ row, action }) => (actions.includes(action) ? row : []));
  const restored = rowsTo('keepAsConflict', 'restore');
  const conflicts = rowsTo('keepAsConflict').map(task => {
    const theirs = ledger.anyBase(account.id, task.href!)?.text ?? '';
    return conflictOf(store, task, { at: clock.now(), reason: 'readOnly', lost: [], theirs });
  });
  await keepConflicts(run, conflicts);
  const localOnly = await store.edit({ origin: 'sync' }, tx => {
    for (const row of restored) {
      if (tx.task(row.id)) tx.updateTask(row.id, { isDirty: false, isDeleted: false, etag: null });
    }
    const back = new Set(revertMoves(tx, listId));
    return rowsTo('sendBack').filter(({ id }) => !back.has(id) && tx.task(id)?.listId === listId);
  });
  for (const { id } of localOnly) {
    tally.rowErrors.set(id, syncMessage('readOnlyList'));
  }
  const hrefs = new Set(restored.map(({ href }) => href!));
  if (hrefs.size > 0) await downloadResources(run, [...hrefs]);
}
