import type { EpochMs, Occurrence, Task } from '../../../src/core/kernel/model';
import { blankTask } from '../../../src/engine/taskRow';
import type { DateStyle } from '../../../src/ui/settings/settings';

/** The format of dates if no setting changes it. */
export const usualStyle: DateStyle = {
  clock: { now: () => 0, timeZone: 'UTC' },
  ...{ startHour: 0, firstDay: 1, dateFormat: 'relative', timeFormat: 'auto' },
};

/** A row of a view with the task that a test needs. */
export function aRow(id: number, more: Partial<Task> = {}, due: EpochMs | null = more.due ?? null): Occurrence {
  const task: Task = { ...blankTask(1, `uid-${id}`, 0), id, title: `Task ${id}`, ...more };
  return { task, dtstart: task.dtstart, due, isOverdue: false };
}
