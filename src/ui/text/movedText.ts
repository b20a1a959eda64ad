import type { DuelineEngine } from '../../api';
import type { Id, Task } from '../../core/kernel/model';
import { isolate, t, tn } from '../../shared/l10n';
import type { Side } from '../../shared/widgetProtocol';
import { titleOf } from './taskText';

type Engine = Pick<DuelineEngine, 'task'>;

/** One task by its title, several by their number. */
export const nameOfTasks = (tasks: readonly Task[]): string =>
  tasks.length === 1 ? isolate(titleOf(tasks[0]!)) : tn(tasks.length, '{0} task', '{0} tasks');

/** Beside a subtask a task becomes one, too. */
export function besideText(engine: Engine, tasks: readonly Task[], onto: Task, side: Side): string {
  const moved = nameOfTasks(tasks);
  const name = isolate(titleOf(onto));
  const parent = onto.parentId === null ? undefined : engine.task(onto.parentId);
  const isAbove = side === 'before';
  if (!parent || tasks.every(({ parentId }) => parentId === parent.id))
    return isAbove ? t('Moved {0} above {1}', moved, name) : t('Moved {0} below {1}', moved, name);
  const above = isolate(titleOf(parent));
  if (tasks.length === 1)
    return isAbove
      ? t('Made {0} a subtask of {1}, above {2}', moved, above, name)
      : t('Made {0} a subtask of {1}, below {2}', moved, above, name);
  return isAbove
    ? t('Made {0} subtasks of {1}, above {2}', moved, above, name)
    : t('Made {0} subtasks of {1}, below {2}', moved, above, name);
}

export function belowText(engine: Engine, tasks: readonly Task[], parentId: Id): string {
  const parent = engine.task(parentId);
  const name = isolate(parent ? titleOf(parent) : '');
  const moved = nameOfTasks(tasks);
  return tasks.length === 1 ? t('Made {0} a subtask of {1}', moved, name) : t('Made {0} subtasks of {1}', moved, name);
}
