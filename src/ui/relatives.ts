import type { DuelineEngine } from '../api';
import { isClosed } from '../core/fields/status';
import type { Id, Task } from '../core/kernel/model';

/**
 * The open siblings of a task in its list, under the same parent, itself among them, in the order that the user gave
 * them.
 */
export const openSiblings = (
  engine: Pick<DuelineEngine, 'rows'>,
  { listId, parentId }: Pick<Task, 'listId' | 'parentId'>,
): readonly Task[] =>
  engine
    .rows(listId)
    .filter(row => row.parentId === parentId && row.masterId === null && !row.isDeleted && !isClosed(row))
    .toSorted((a, b) => a.sortOrder - b.sortOrder || a.id - b.id);

/**
 * The tasks behind these ids without those that are subtasks of another of them: what is moved takes along what is below it,
 * and moved by itself it would lose its place there.
 */
export function rootTasks(engine: Pick<DuelineEngine, 'task'>, ids: readonly Id[]): readonly Task[] {
  const among = new Set(ids);
  const hangs = (task: Task): boolean => {
    const seen = new Set<Id>();
    for (let id = task.parentId; id !== null && !seen.has(id); id = engine.task(id)?.parentId ?? null) {
      if (among.has(id)) return true;
      seen.add(id);
    }
    return false;
  };
  return [...among].flatMap(id => engine.task(id) ?? []).filter(task => !hangs(task));
}
