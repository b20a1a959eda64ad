import { groupBy } from '../../core/kernel/groupBy';
import type { Id, Occurrence, Task } from '../../core/kernel/model';
import type { Allowance } from '../../core/recurrence/ruleBudget';
import { effectiveDue, isPast, type Moment } from '../../core/time/dates';
import { civilDay } from './civilDay';
import type { TaskSource } from './context';
import { type DatedTask, isSeries, nextOf } from './series';

export const isOpen = (task: Pick<Task, 'status'>): boolean => task.status === 0 || task.status === 1;

/** A series whose next open occurrence stands for it. A closed one has the dates of its first occurrence. */
export const isLiveSeries = (task: Task): boolean => isSeries(task) && isOpen(task) && !task.isDeleted;

export function occurrence({ task, dtstart, due }: DatedTask, moment: Moment): Occurrence {
  return {
    task,
    dtstart,
    due,
    isOverdue: isOpen(task) && !task.isDeleted && due !== null && isPassed(due, task, moment),
  };
}

/** All-day: its day is over. Timed: the moment is past. */
const isPassed = (due: number, task: Task, moment: Moment): boolean =>
  task.isAllDay ? civilDay(due, task) < moment.today.civilStart : isPast(due, task, moment);

/** A task that is a line of its own, with its own dates. */
export const plainItem = (task: Task, moment: Moment): Occurrence =>
  occurrence({ task, dtstart: task.dtstart, due: effectiveDue(task) }, moment);

/** The changed occurrences of several series, fetched at once. */
export function overridesOf(source: TaskSource, masters: readonly Task[]): ReadonlyMap<Id, readonly Task[]> {
  if (masters.length === 0) return new Map();
  const ids = JSON.stringify(masters.map(master => master.id));
  const rows = source.selectTasks(
    't.master_id IN (SELECT value FROM json_each(?)) AND t.recurrence_id IS NOT NULL AND t.is_deleted = 0',
    [ids],
  );
  return groupBy(rows, ({ masterId }) => masterId!);
}

/** The line that stands for a row: itself, or its next open occurrence; undefined if none is left. */
export function itemOf(
  task: Task,
  overrides: readonly Task[],
  moment: Moment,
  allowance?: Allowance,
): Occurrence | undefined {
  if (!isLiveSeries(task)) return plainItem(task, moment);
  const next = nextOf(task, overrides, moment.zone, allowance);
  return next && occurrence(next, moment);
}
