import type { DuelineEngine, TaskChange } from '../api';
import type { EpochMs, Task, TaskInput } from '../core/kernel/model';
import { civilMs, type Day, dayOfCivil, fromWall, wallOf } from '../core/time/dates';
import { dayMs, hourMs, minuteMs } from '../core/time/units';
import { isolate, t, tn } from '../shared/l10n';
import { instanceOf } from './occurrences';
import { repeats, titleOf } from './text/taskText';

/** If only one date has a time, a start gets the first minute of its day, a due date the last. */
export const edges = { dtstart: 0, due: dayMs - minuteMs } as const;

/** The fields that a new date is computed from. */
export type Dated = Pick<Task, 'due' | 'dtstart' | 'isAllDay' | 'timezone'>;

/**
 * Moves a task to a day as a drag or "Due tomorrow" means it: the time of day and the zone stay, a start keeps its
 * distance. A task without a due value becomes an all-day one.
 *
 * @example
 * engine.updateTask(task.id, dueOn(task, '2026-11-24', engine.clock.timeZone));
 */
export function dueOn(task: Dated, day: Day, zone: string): TaskInput {
  if (task.due === null) return withStart({ due: civilMs(day), isAllDay: true, timezone: null }, task, zone);
  const wall = task.timezone === null ? task.due : wallOf(task.due, zone);
  const moved = civilMs(day) + (wall - civilMs(dayOfCivil(wall)));
  const due = task.timezone === null ? moved : fromWall(moved, zone);
  return task.dtstart === null ? { due } : { due, dtstart: task.dtstart + (due - task.due) };
}

/** Moves the due date to an hour of a day; a task without a time of day gets one in the user's zone. */
export function dueAtHour(task: Dated, day: Day, hour: number, zone: string): TaskInput {
  const wall = civilMs(day) + hour * hourMs;
  if (task.due === null || task.isAllDay)
    return dueAt(task, { due: fromWall(wall, zone), isAllDay: false, timezone: zone }, zone);
  const due = task.timezone === null ? wall : fromWall(wall, zone);
  return task.dtstart === null ? { due } : { due, dtstart: task.dtstart + (due - task.due) };
}

type DueInput = Pick<TaskInput, 'due' | 'isAllDay' | 'timezone'>;
type Kind = Pick<Dated, 'isAllDay' | 'timezone'>;

/** Sets due to the given value; a start that would come after it is dropped. */
export function dueAt(task: Dated, date: DueInput, zone: string): TaskInput {
  const { due = null, isAllDay = false, timezone = null } = date;
  return withStart({ due, isAllDay, timezone }, task, zone);
}

/** Sets or clears the start; a due value before it is moved along. */
export function startAt(task: Dated, date: DueInput | null, zone: string): TaskInput {
  if (date === null || date.due == null) return task.dtstart === null ? {} : { dtstart: null };
  const own = { isAllDay: date.isAllDay ?? false, timezone: date.timezone ?? null };
  if (task.due === null) return { dtstart: date.due, ...own };
  const kind = kindOfBoth(own, task);
  const dtstart = inKind(date.due, own, kind, 'dtstart', zone);
  const due = inKind(task.due, task, kind, 'due', zone);
  if (due < dtstart) return { dtstart, due: dtstart, ...kind };
  return { dtstart, ...(due === task.due ? {} : { due }), ...kind };
}

/** Both dates are of one kind (RFC 5545 3.8.2.3): with a time if one of them has one, so that it is not lost. */
function kindOfBoth(own: Kind, task: Kind): Kind {
  const { isAllDay, timezone } = own.isAllDay && !task.isAllDay ? task : own;
  return { isAllDay, timezone };
}

/** Converts a value to another kind: a day becomes the edge of its day if the other date has a time, as in Quick Add. */
function inKind(value: EpochMs, from: Kind, to: Kind, which: 'due' | 'dtstart', zone: string): EpochMs {
  const wall = from.timezone === null ? value : wallOf(value, zone);
  const timed = from.isAllDay && !to.isAllDay ? wall + edges[which] : wall;
  return to.timezone === null ? timed : fromWall(timed, zone);
}

export const withoutDue = (task: Dated): TaskInput => (task.due === null ? {} : { due: null, duration: null });

function withStart(dates: { due: EpochMs | null } & Kind, task: Dated, zone: string): TaskInput {
  if (task.dtstart === null || dates.due === null) return dates;
  const kind = kindOfBoth(dates, task);
  const due = inKind(dates.due, dates, kind, 'due', zone);
  const dtstart = inKind(task.dtstart, task, kind, 'dtstart', zone);
  if (dtstart > due) return { due, ...kind, dtstart: null };
  return { due, ...kind, ...(dtstart === task.dtstart ? {} : { dtstart }) };
}

/** The announcement after dates were changed; for a series, whether one occurrence or all of it changed. */
export function rescheduledText(engine: Pick<DuelineEngine, 'task'>, changes: readonly TaskChange[]): string {
  const [only] = changes.length === 1 ? changes : [];
  const task = only && 'id' in only ? engine.task(only.id) : undefined;
  if (!only || !task) return tn(changes.length, 'Rescheduled {0} task', 'Rescheduled {0} tasks');
  const title = isolate(titleOf(task));
  if (!repeats(task)) return t('Rescheduled {0}', title);
  const isOne = only.type === 'updateOccurrence' || task.masterId !== null;
  return isOne ? t('Rescheduled this occurrence only: {0}', title) : t('Rescheduled the entire series: {0}', title);
}

/** `count` days on, by wall clock. */
export const daysLater = (day: Day, count: number): Day => dayOfCivil(civilMs(day) + count * dayMs);

/** A task's dates, or those of one occurrence of it. */
export function datesOfOccurrence(task: Task, instance: ReturnType<typeof instanceOf>): Dated {
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
 * New dates for a task as a change. In a series they change one occurrence alone, the next open one if none is named;
 * only removing the date changes the whole series, since no occurrence can lose it. Undefined if nothing changes.
 */
export function dateChange(
  engine: Pick<DuelineEngine, 'overridesOf' | 'clock'>,
  task: Task,
  occurrence: EpochMs | null,
  patchOf: (dated: Dated) => TaskInput,
): TaskChange | undefined {
  const instance = instanceOf(engine, task, occurrence);
  const dated: Dated & TaskInput = datesOfOccurrence(task, instance);
  const patch = patchOf(dated);
  if ((Object.keys(patch) as (keyof TaskInput)[]).every(name => patch[name] === dated[name])) return undefined;
  const keepsDates = patch.due !== null && patch.dtstart !== null;
  return instance && keepsDates
    ? { type: 'updateOccurrence', id: task.id, occurrence: instance.recurrenceId, patch }
    : { type: 'update', id: task.id, patch: instance ? patchOf(task) : patch };
}
