import type { MoveTarget } from '../api';
import { orderBefore } from '../core/fields/sortOrder';
import { DuelineError } from '../core/kernel/errors';
import type { Id, Task, TaskList } from '../core/kernel/model';
import type { RowPatch } from '../core/kernel/rowEdit';
import { insertTombstone, moveRows } from '../store/listMoves';
import { engineMessage } from './messages';
import type { TaskEditor } from './taskEditor';
import { isTracked, onlyChanges } from './taskRow';

/**
 * Moves a task with its subtasks and occurrences. Into another list it becomes a new resource there, and a tombstone
 * in the old list keeps the old address until the server has both (create first, delete after proof).
 */
export function moveTask(editor: TaskEditor, row: Id, to: MoveTarget): void {
  const id = editor.seriesId(row);
  const task = editor.writableTask(id);
  const target = editor.writableList(to.listId ?? task.listId);
  const wanted = to.parentId === undefined ? (target.id === task.listId ? task.parentId : null) : to.parentId;
  const parentId = wanted === null ? null : editor.checkParent(wanted, target.id, id);
  if (target.id !== task.listId)
    for (const { item, parent } of editor.familyOf(task)) relocate(editor, item, target, parent?.id ?? null);
  place(editor, editor.existing(id), { parentId });
  if (to.before !== undefined) reorder(editor, editor.existing(id), to.before && editor.seriesId(to.before));
}

/** Puts a task at a place, and its occurrences with it: lists show the next one in place of the series. */
export function place(editor: TaskEditor, task: Task, to: Pick<RowPatch, 'parentId' | 'sortOrder'>): void {
  for (const row of [task, ...editor.tx.overridesOf(task.id)]) editor.touch(row, onlyChanges(to, row));
}

function relocate(editor: TaskEditor, task: Task, target: TaskList, parentId: Id | null): void {
  const { tx } = editor;
  if (tx.taskAt(target.id, task.uid, null)?.isDeleted === false)
    throw new DuelineError('duplicate', engineMessage('alreadyInList', target.name));
  const rows = [task, ...editor.tx.overridesOf(task.id)];
  moveRows(tx, rows, target.id, { parentId, isDirty: isTracked(target), lastModified: editor.now });
  if (task.href !== null) insertTombstone(tx, task, task.id);
}

/** Puts the task before `before` (null: last) among its siblings, renumbering the fewest rows. */
function reorder(editor: TaskEditor, task: Task, before: Id | null): void {
  const siblings = editor.tx.selectTasks(
    't.list_id = ? AND t.parent_id IS ? AND t.master_id IS NULL AND t.is_deleted = 0 AND t.id <> ?',
    [task.listId, task.parentId, task.id],
    'ORDER BY t.sort_order, t.id',
  );
  const at = before === null ? siblings.length : siblings.findIndex(row => row.id === before);
  if (at < 0) throw new DuelineError('notFound', 'The task to move before is not in this place.');
  for (const { item, order } of orderBefore(siblings, at, task))
    if (item.sortOrder !== order) place(editor, item, { sortOrder: order });
}
