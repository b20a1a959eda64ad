import { DuelineError } from '../core/kernel/errors';
import type { Id } from '../core/kernel/model';
import { existingAccount } from './existingAccount';
import { createList, existingList } from './listEditor';
import { engineMessage } from './messages';
import { moveTask } from './move';
import type { TaskEditor } from './taskEditor';

/**
 * Moves a list with all its tasks into an account, or (null) to this computer. A local list becomes the account's own.
 * A list on a server gets a copy there, into which its tasks move, and stays empty: whether to delete it for everyone
 * who shares it is a separate question.
 */
export function moveListToAccount(editor: TaskEditor, id: Id, accountId: Id | null): Id {
  const { tx } = editor;
  const list = existingList(tx, id);
  if (list.accountId === accountId) return id;
  if (accountId !== null) existingAccount(tx, accountId);
  if (list.accountId === null) {
    tx.updateList(id, { accountId, isSynced: true, isDirty: true, href: null, ctag: null, syncToken: null });
    for (const task of tx.tasksOfList(id)) tx.updateTask(task.id, { isDirty: true, href: null, etag: null });
    return id;
  }
  if (list.isReadOnly) throw new DuelineError('readOnly', engineMessage('foreignListNotMovable', list.name));
  const copy = createList(tx, { name: list.name, color: list.color, accountId });
  // A parent that waits to be deleted takes no subtasks along.
  const roots = tx.selectTasks(
    `t.list_id = ? AND t.is_deleted = 0 AND t.master_id IS NULL AND NOT EXISTS (
      SELECT 1 FROM tasks p WHERE p.id = t.parent_id AND p.list_id = t.list_id AND p.is_deleted = 0)`,
    [id],
  );
  for (const root of roots) moveTask(editor, root.id, { listId: copy });
  return copy;
}
