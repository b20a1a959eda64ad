import type { DuelineEngine, TaskChange } from '../../api';
import type { FocusedRow, TaskTarget } from '../../contributions/commandTargets';
import { bucketOf, type PriorityBucket, priorityOf } from '../../core/fields/priority';
import { Status, type Task } from '../../core/kernel/model';
import { isolate, t } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { rootTasks } from '../../ui/relatives';
import { nameOfTasks } from '../../ui/text/movedText';
import { priorityIcon } from '../../ui/text/taskIcon';
import { priorityWord } from '../../ui/text/taskText';
import type { ViewController } from '../../ui/viewController';
import { withIcon } from '../../ui/withIcon';
import { type ChangePlan, planUpdate } from '../common/changePlan';
import { pickList } from '../common/targets';

export const planCancel = (engine: DuelineEngine, tasks: readonly Task[]): ChangePlan =>
  planUpdate(engine, tasks, t('Cancel tasks'), () => ({ status: Status.cancelled }), t('Canceled'));

/** Asks for the list; undefined if the user cancels, as with every plan that asks. */
export async function planMove(
  engine: DuelineEngine,
  viewController: ViewController,
  tasks: readonly Task[],
  target: TaskTarget | FocusedRow | undefined,
): Promise<ChangePlan | undefined> {
  const list = await pickList(engine, {
    placeholder: t('Select a list to move to'),
    accepts: one => !one.isReadOnly,
    newName: '',
  });
  if (!list) return undefined;
  const name = isolate(list.name);
  return {
    label: t('{0}: {1}', t('List'), name),
    changes: () => {
      const ids = tasks.map(({ id }) => id);
      const moved = rootTasks(engine, ids).filter(({ listId }) => listId !== list.id);
      return moved.map(({ id }) => ({ type: 'move', id, to: { listId: list.id } }));
    },
    message: changes => t('Moved {0} to {1}', nameOfTasks(tasksOf(engine, changes)), name),
    count: tasks.filter(({ listId }) => listId !== list.id).length,
    leave: ids => viewController.keepFocus(ids, target),
  };
}

/** Asks for the priority, unless the pressed key decides it. */
export async function planPriority(
  engine: DuelineEngine,
  tasks: readonly Task[],
  priority?: number,
): Promise<ChangePlan | undefined> {
  const lines = [
    { label: t('High'), iconPath: priorityIcon('high'), bucket: 'high' as const, word: t('High') },
    { label: t('Medium'), iconPath: priorityIcon('medium'), bucket: 'medium' as const, word: t('Medium') },
    { label: t('Low'), iconPath: priorityIcon('low'), bucket: 'low' as const, word: t('Low') },
    { ...withIcon('circle-slash', t('None')), bucket: 'none' as const, word: t('None') },
  ];
  const picked =
    priority === undefined
      ? await showQuickPick(lines, { title: t('Priority') })
      : lines.find(({ bucket }) => bucket === bucketOf(priority));
  if (!picked) return undefined;
  return priorityPlan(engine, tasks, picked.bucket, picked.word);
}

export function priorityPlan(
  engine: DuelineEngine,
  tasks: readonly Task[],
  bucket: PriorityBucket,
  word = priorityWord(bucket),
): ChangePlan {
  return planUpdate(
    engine,
    tasks,
    t('{0}: {1}', t('Priority'), word),
    // A number that is in the chosen bucket already is kept: other clients may distinguish more priorities.
    task => (bucketOf(task.priority) === bucket ? {} : { priority: priorityOf[bucket] }),
    t('Priority set'),
  );
}

const tasksOf = (engine: DuelineEngine, changes: readonly TaskChange[]) =>
  changes.flatMap(change => ('id' in change ? (engine.task(change.id) ?? []) : []));
