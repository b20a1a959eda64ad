import type { DuelineEngine, TaskChange } from '../api';
import type { EpochMs, Task, TaskInput } from '../core/model';
import { civilMs, type Day, dayOfCivil, fromWall, wallOf } from '../core/time/dates';
import { dayMs, hourMs } from '../core/time/units';
import { isolate, t, tn } from '../shared/l10n';
import { instanceOf } from './occurrences';
import { repeats, titleOf } from './text/taskText';

/** What a date is reckoned from. */
export type Dated = Pick<Task, 'due' | 'dtstart' | 'isAllDay' | 'timezone'>;

/**
 * Moves a task to a day as a drag or "Due tomorrow" means it: the time of day and the zone stay, a start keeps its
 * distance. A task without a due value becomes an all-day one.
 */
export function dueOn(task: Dated, day: Day, zone: string): TaskInput {
  if (task.due === null) return { ...placed({ due: civilMs(day), isAllDay: true, timezone: null }, task) };
  const wall = task.timezone === null ? task.due : wallOf(task.due, zone);
  const moved = civilMs(day) + (wall - civilMs(dayOfCivil(wall)));
  const due = task.timezone === null ? moved : fromWall(moved, zone);
  return task.dtstart === null ? { due } : { due, dtstart: task.dtstart + (due - task.due) };
}

/** The same at an hour of that day; what had no time of day has it in the person's zone from then on. */
export function dueAtHour(task: Dated, day: Day, hour: number, zone: string): TaskInput {
  const wall = civilMs(day) + hour * hourMs;
  if (task.due === null || task.isAllDay)
    return dueAt(task, { due: fromWall(wall, zone), isAllDay: false, timezone: zone });
  const due = task.timezone === null ? wall : fromWall(wall, zone);
  return task.dtstart === null ? { due } : { due, dtstart: task.dtstart + (due - task.due) };
}

/** Sets due to a value that was said outright; DTSTART and DUE are of one kind (RFC 5545 3.8.2.3), so a start follows. */
export function dueAt(task: Dated, dates: Pick<TaskInput, 'due' | 'isAllDay' | 'timezone'>): TaskInput {
  return placed({ due: dates.due ?? null, isAllDay: dates.isAllDay ?? false, timezone: dates.timezone ?? null }, task);
}

/** Sets or clears the start; a due value of another kind or before it is moved along, since both must agree. */
export function startAt(task: Dated, dates: Pick<TaskInput, 'due' | 'isAllDay' | 'timezone'> | null): TaskInput {
  if (dates === null || dates.due == null) return task.dtstart === null ? {} : { dtstart: null };
  const kind = { isAllDay: dates.isAllDay ?? false, timezone: dates.timezone ?? null };
  const start = { dtstart: dates.due, ...kind };
  if (task.due === null) return start;
  const sameKind = task.isAllDay === kind.isAllDay && task.timezone === kind.timezone;
  if (sameKind) return task.due < dates.due ? { ...start, due: dates.due } : start;
  // Keep the due day; the start's time of day is what is new.
  return { ...start, due: dates.due };
}

export const withoutDue = (task: Dated): TaskInput => (task.due === null ? {} : { due: null, duration: null });

function placed(dates: { due: EpochMs | null; isAllDay: boolean; timezone: string | null }, task: Dated): TaskInput {
  if (task.dtstart === null) return dates;
  const sameKind = task.isAllDay === dates.isAllDay && task.timezone === dates.timezone;
  if (sameKind && (dates.due === null || task.dtstart <= dates.due)) return dates;
  // A start of another kind, or after the new due value, would make the task invalid.
  return { ...dates, dtstart: null };
}

/** What is told after dates were changed: of a series, whether one occurrence was meant or all of it. */
export function rescheduled(engine: Pick<DuelineEngine, 'task'>, changes: readonly TaskChange[]): string {
  const [only] = changes.length === 1 ? changes : [];
  const task = only && 'id' in only ? engine.task(only.id) : undefined;
  if (!only || !task || !repeats(task)) return tn(changes.length, 'Rescheduled {0} task', 'Rescheduled {0} tasks');
  const isOne = only.type === 'updateOccurrence' || task.masterId !== null;
  const title = isolate(titleOf(task));
  return isOne ? t('Rescheduled this occurrence only: {0}', title) : t('Rescheduled the entire series: {0}', title);
}

/** `count` days on, by wall clock. */
export const daysLater = (day: Day, count: number): Day => dayOfCivil(civilMs(day) + count * dayMs);

/** A task's dates, or those of one occurrence of it. */
export function datesOf(task: Task, instance: ReturnType<typeof instanceOf>): Dated {
  if (!instance) return task;
  const { isAllDay, timezone } = instance.override ?? task;
  return {
    due: task.due === null ? null : instance.due,
    dtstart: task.dtstart === null ? null : instance.dtstart,
    isAllDay,
    timezone,
  };
}

/**
 * New dates for a task as a change: of a series for one occurrence alone, the next open one where none is named, save
 * where the date is taken away, which only the whole series can lose. Undefined where nothing changes.
 */
export function dateChange(
  engine: Pick<DuelineEngine, 'rows' | 'clock'>,
  task: Task,
  occurrence: EpochMs | null,
  patchOf: (dated: Dated) => TaskInput,
): TaskChange | undefined {
  const instance = instanceOf(engine, task, occurrence);
  const patch = patchOf(datesOf(task, instance));
  if (Object.keys(patch).length === 0) return undefined;
  const keepsDates = patch.due !== null && patch.dtstart !== null;
  return instance && keepsDates
    ? { type: 'updateOccurrence', id: task.id, occurrence: instance.recurrenceId, patch }
    : { type: 'update', id: task.id, patch: instance ? patchOf(task) : patch };
}
