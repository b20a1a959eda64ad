import type { TaskFields } from '../ical/row';
import type { Id, Task } from '../kernel/model';
import type { ExportContext } from './types';

/** A task without what only the store and sync know. */
export function fieldsOf(task: Task): TaskFields {
  const { id, listId, href, etag, masterId, parentId, isDirty, isDeleted, alarms, ...fields } = task;
  return {
    ...fields,
    alarms: alarms.map(({ minutesBefore, reference, message }) => ({ minutesBefore, reference, message })),
  };
}

export function parentUidOf(task: Task, known: ReadonlyMap<Id, Task>, context: ExportContext): string | null {
  if (task.parentId === null) return null;
  return (known.get(task.parentId) ?? context.task?.(task.parentId))?.uid ?? null;
}

/** Parents before children, siblings in the given order; each with its depth. Overrides are left out. */
export function treeOf(tasks: readonly Task[]): { task: Task; depth: number }[] {
  const masters = tasks.filter(task => task.recurrenceId === null);
  const known = new Set(masters.map(task => task.id));
  const children = new Map<Id | null, Task[]>();
  for (const task of masters) {
    const parent = task.parentId !== null && known.has(task.parentId) ? task.parentId : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(task);
    else children.set(parent, [task]);
  }
  const ordered: { task: Task; depth: number }[] = [];
  const waiting = (children.get(null) ?? []).map(task => ({ task, depth: 0 })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    ordered.push(next);
    const { depth } = next;
    for (const task of (children.get(next.task.id) ?? []).toReversed()) waiting.push({ task, depth: depth + 1 });
  }
  if (ordered.length === masters.length) return ordered;
  // A circle of parents has no top; its tasks are not lost for that.
  const reached = new Set(ordered.map(({ task }) => task));
  return [...ordered, ...masters.filter(task => !reached.has(task)).map(task => ({ task, depth: 0 }))];
}
