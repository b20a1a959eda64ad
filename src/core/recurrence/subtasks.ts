import { isClosed } from '../fields/status';
import { walkTree } from '../kernel/descent';
import type { Id, Task } from '../kernel/model';
import { isRecurring } from './instances';

/** The subtasks right below a task. */
type SubtasksOf = (id: Id) => readonly Task[];

/** All descendants of tasks, parents first, without these tasks. Those that are not taken are left out with their own. */
export function descendantsOf(
  tasks: readonly Task[],
  subtasksOf: SubtasksOf,
  isTaken: (task: Task) => boolean = () => true,
): readonly Task[] {
  const own = new Set(tasks.map(({ id }) => id));
  const steps = walkTree(
    tasks,
    ({ id }) => subtasksOf(id).filter(isTaken),
    ({ id }) => id,
  );
  return steps.map(({ item }) => item).filter(({ id }) => !own.has(id));
}

/**
 * The open subtasks that are completed with their parents, the deepest first. A series takes its own along to its next
 * date. A subtask that repeats stays as it is, with those below it: completing it would only move it to its next date.
 */
export function openSubtasksOf(tasks: readonly Task[], subtasksOf: SubtasksOf): readonly Task[] {
  const endsForGood = (task: Task) => !isRecurring(task);
  return descendantsOf(tasks.filter(endsForGood), subtasksOf, endsForGood)
    .filter(task => !isClosed(task))
    .toReversed();
}
