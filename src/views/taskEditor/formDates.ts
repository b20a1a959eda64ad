import { DuelineError } from '../../core/kernel/errors';
import type { EpochMs, Task, TaskInput } from '../../core/kernel/model';
import { isRecurring } from '../../core/recurrence/instances';
import { civilMs, type Day, dayOfCivil, fromWall, parseDay, resolveZone, wallOf } from '../../core/time/dates';
import { minuteMs } from '../../core/time/units';
import { t } from '../../shared/l10n';
import { edges } from '../../ui/reschedule';

type Dates = Pick<Task, 'due' | 'dtstart' | 'isAllDay' | 'timezone' | 'rrule' | 'rdate'>;

/** The zone whose clock the form shows: the task's own, and the user's for a fixed moment (UTC). */
const clockZone = (timezone: string | null, zone: string): string =>
  timezone === null || timezone === 'UTC' ? zone : (resolveZone(timezone) ?? zone);

/** The content of the fields: `YYYY-MM-DD` and, unless all day, `HH:MM`. */
export function wallFields(value: EpochMs | null, task: Dates, zone: string): readonly [date: string, time: string] {
  if (value === null) return ['', ''];
  const civil = wallIn(value, task, zone);
  return [dayOfCivil(civil), task.isAllDay ? '' : new Date(civil).toISOString().slice(11, 16)];
}

/** The wall time that the form shows, as a civil value. */
export const wallOfTask = (value: EpochMs | null, task: Dates, zone: string): EpochMs | null =>
  value === null ? null : wallIn(value, task, zone);

/** The same moment on the user's own clock, if the form shows another one. */
export function wallOfUser(value: EpochMs | null, task: Dates, zone: string): number | undefined {
  if (value === null || task.isAllDay || task.timezone === null || clockZone(task.timezone, zone) === zone)
    return undefined;
  return wallOf(value, zone);
}

/**
 * Sets one of the two dates as `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM` or empty. Both are of one kind (RFC 5545 3.8.2.3) and
 * in order. Neither loses its time to the other: a day keeps the time that it had if the other date has one, and the
 * date that is not edited keeps its day and its time, and is moved along if it would come last.
 */
export function dated(which: 'due' | 'dtstart', text: string, task: Dates, zone: string): TaskInput {
  const other = which === 'due' ? 'dtstart' : 'due';
  if (text === '') return which === 'due' ? { due: null, duration: null } : { dtstart: null, duration: null };
  const [date, time] = text.split('T');
  const day = parseDay(date!);
  if (!day || (time !== undefined && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)))
    throw new DuelineError('invalid', t('“{0}” is not a date.', text.slice(0, 40)));
  const isAllDay = time === undefined && (task.isAllDay || task[other] === null);
  const typedTime = time === undefined ? undefined : (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * minuteMs;
  const timeOf = (one: 'due' | 'dtstart') => {
    const value = task[one];
    return isAllDay ? 0 : value === null || task.isAllDay ? edges[one] : timeOfDay(wallIn(value, task, zone));
  };
  const civil = civilMs(day) + (typedTime ?? timeOf(which));
  const timezone = isAllDay ? null : zoneFor(task, zone);
  const coded = (wall: number) => coding(wall, timezone, zone);
  const patch: TaskInput = { [which]: coded(civil), isAllDay, timezone };
  const current = task[other];
  if (current === null) return patch;
  const inOrder = (wall: number) => (which === 'due' ? wall <= civil : wall >= civil);
  const onDay = (value: Day) => civilMs(value) + timeOf(other);
  const wall = [onDay(dayOfCivil(wallIn(current, task, zone))), onDay(day)].find(inOrder) ?? civil;
  return { ...patch, [other]: coded(wall) };
}

const timeOfDay = (wall: number) => wall - civilMs(dayOfCivil(wall));

/** Takes the time of day from both dates. */
export function withoutTimes(task: Dates, zone: string): TaskInput {
  const day = (value: EpochMs | null) => (value === null ? null : civilMs(dayOfCivil(wallIn(value, task, zone))));
  return { due: day(task.due), dtstart: day(task.dtstart), isAllDay: true, timezone: null };
}

/** Another clock for the same wall times: 9:00 stays 9:00. */
export function inZone(task: Dates, timezone: string | null, zone: string): TaskInput {
  if (task.isAllDay) return {};
  const recode = (value: EpochMs) => coding(wallIn(value, task, zone), timezone, zone);
  return {
    timezone,
    ...(task.due === null ? {} : { due: recode(task.due) }),
    ...(task.dtstart === null ? {} : { dtstart: recode(task.dtstart) }),
  };
}

const wallIn = (value: EpochMs, task: Dates, zone: string) =>
  task.timezone === null ? value : wallOf(value, clockZone(task.timezone, zone));

const coding = (wall: number, timezone: string | null, zone: string) =>
  timezone === null ? wall : fromWall(wall, clockZone(timezone, zone));

/** A time that is new on a task: a fixed moment, or for a series the user's zone, so that clock changes do not move it. */
function zoneFor(task: Dates, zone: string): string | null {
  const hasTime = !task.isAllDay && (task.due !== null || task.dtstart !== null);
  return hasTime ? task.timezone : isRecurring(task) ? zone : 'UTC';
}
