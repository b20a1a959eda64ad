import type { TaskChange } from '../api';
import { withBranch } from '../core/code/branches';
import { DuelineError } from '../core/kernel/errors';
import type { Id } from '../core/kernel/model';
import { changeBlockers } from './dependencies';
import { moveTask } from './move';
import type { TaskEditor } from './taskEditor';

/** One of a batch of changes; gives the id of what it creates. Throws `invalid` for a kind nobody knows. */
export function applyChange(acts: TaskEditor, change: TaskChange): Id | undefined {
  switch (change.type) {
    case 'create': {
      const id = acts.create(change.listId, change.input);
      if (change.from) acts.repeatFrom(id, change.from);
      if (change.anchors) acts.editAnchors(id, { add: change.anchors });
      return id;
    }
    case 'update':
      return void acts.update(change.id, change.patch);
    case 'updateOccurrence': {
      const begun = acts.editOccurrence(change.id, change.occurrence, change.scope ?? 'this', change.patch);
      if (change.listId !== undefined) moveTask(acts, begun ?? change.id, { listId: change.listId });
      return begun;
    }
    case 'repeat':
      return void acts.setRepeat(change.id, change.rrule, change.from, change.first);
    case 'blockers':
      return void changeBlockers(acts, change.id, change);
    case 'anchors':
      return void acts.editAnchors(change.id, change.edit);
    case 'branch':
      return void acts.setLines(change.id, task => withBranch(task, change.branch));
    case 'complete':
      return void acts.complete(change.id, change);
    case 'reopen':
      return void acts.reopen(change.id);
    case 'delete':
      return void acts.delete(change.id, 'keep');
    case 'deleteOccurrence':
      return void acts.exclude(change.id, change.occurrence);
    case 'move':
      return void moveTask(acts, change.id, change.to);
    default:
      throw new DuelineError('invalid', `"${(change as { type: unknown }).type}" is no change of a task.`);
  }
}
