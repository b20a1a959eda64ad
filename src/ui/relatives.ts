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

/** The series of a changed occurrence, whose place and subtasks it has; any other task itself. */
export const seriesId = (engine: Pick<DuelineEngine, 'task'>, id: Id): Id => engine.task(id)?.masterId ?? id;

/**
 * The tasks with these ids, without those that are subtasks of another one: a moved task takes its subtasks along, and
 * a subtask that is moved by itself would lose its parent.
 */
export function rootTasks(engine: Pick<DuelineEngine, 'task'>, ids: readonly Id[]): readonly Task[] {
  const among = new Set(ids.map(id => seriesId(engine, id)));
  const hangs = (task: Task): boolean => {
    const seen = new Set<Id>();
    for (let id = task.parentId; id !== null && !seen.has(id); id = engine.task(id)?.parentId ?? null) {
      if (among.has(id)) return true;
      seen.add(id);
    }
    return false;
  };
  return [...new Set(ids)].flatMap(id => engine.task(id) ?? []).filter(task => !hangs(task));
}
