import type { DuelineEngine, TaskChange } from '../../api';
import type { TaskEdit } from '../../core/fields/values';
import type { Id, Task } from '../../core/kernel/model';
import { isolate, t, tn } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import type { Rescheduled } from '../../ui/applyToSeries';
import { readyWords, titleOf } from '../../ui/text/taskText';
import { currentTasks } from './targets';

/** A change to tasks that is ready to be made: all its questions are answered. */
export interface ChangePlan {
  /** In words, the same for every task: "Priority: High". */
  readonly label: string;
  /** For the tasks as they are by then; one that would stay as it is has none. */
  changes(): readonly TaskChange[];
  /** The announcement after these changes. */
  message(changes: readonly TaskChange[]): string;
  /** Returns the dates that one occurrence got and that more of its series could have. */
  readonly rescheduled?: (changes: readonly TaskChange[]) => Rescheduled | undefined;
  /** How many of the tasks it means; if absent, those that have a change. */
  readonly count?: number;
  /** The user has answered a question about these very tasks. */
  readonly isConfirmed?: boolean;
  /** Called before these tasks go elsewhere; returns a function to call afterwards. */
  readonly leave?: (ids: readonly Id[]) => () => Promise<void>;
}

/**
 * Makes the changes in one undo step and returns the announcement; undefined if there are none.
 *
 * @example
 * commands.on('dueline.cancel', async target => applyPlan(engine, planCancel(engine, await targets.tasks(target))))
 */
export async function applyPlan(
  engine: DuelineEngine,
  plan: ChangePlan | undefined,
  changes: readonly TaskChange[] = plan?.changes() ?? [],
): Promise<Announcement | undefined> {
  if (!plan || changes.length === 0) return undefined;
  const ids = changes.flatMap(change => ('id' in change ? [change.id] : []));
  const goOn = plan.leave?.(ids);
  const apply = async () => {
    const ready = await readyAfter(engine, () => engine.apply(changes));
    await goOn?.();
    return ready.filter(id => !ids.includes(id));
  };
  return perform(engine, apply, others => {
    const rescheduled = plan.rescheduled?.(changes);
    return { text: withTasksNowReady(engine, plan.message(changes), others), ...(rescheduled ? { rescheduled } : {}) };
  });
}

/** Does the work; returns the tasks that were blocked until then and are ready now. */
async function readyAfter(engine: DuelineEngine, work: () => Promise<unknown>): Promise<readonly Id[]> {
  const ready: Id[] = [];
  const listening = engine.onDidChange(({ origin, ready: these = [] }) => {
    if (origin === 'user') ready.push(...these);
  });
  try {
    await work();
  } finally {
    listening.dispose();
  }
  return ready;
}

/** The announcement of a change, and of the tasks that it has made ready. */
function withTasksNowReady(engine: DuelineEngine, message: string, ready: readonly Id[]): string {
  const titles = ready.flatMap(id => engine.task(id) ?? []).map(titleOf);
  return titles.length === 0 ? message : `${message} · ${readyWords(titles)}`;
}

/** The announcement for changes to these tasks: the title if only one has changed, else how many have. */
export const changeMessage =
  (
    tasks: readonly Task[],
    one: (title: string, task: Task) => string,
    many: (count: number) => string,
  ): ChangePlan['message'] =>
  changes => {
    const [only] = changes.length === 1 ? changes : [];
    const task = only && 'id' in only ? tasks.find(({ id }) => id === only.id) : undefined;
    return task ? one(isolate(titleOf(task)), task) : many(changes.length);
  };

/** New values for each task; none for one that has them already. */
export function planUpdate(
  engine: DuelineEngine,
  tasks: readonly Task[],
  label: string,
  patchOf: (task: Task) => TaskEdit,
  message: string,
): ChangePlan {
  return {
    label,
    changes: () =>
      currentTasks(engine, tasks)
        .map(task => ({ type: 'update' as const, id: task.id, patch: patchOf(task) }))
        .filter(({ patch }) => Object.keys(patch).length > 0),
    message: changeMessage(
      tasks,
      title => t('{0}: {1}', message, title),
      count => tn(count, '{1}: {0} task', '{1}: {0} tasks', message),
    ),
  };
}
