import type { EpochMs, Task } from '../kernel/model';
import type { Clock } from './clock';
import { parseDuration } from './durations';
import { dayMs, hourMs } from './units';
import { fromWall, wallOf } from './zones';

export { formatDuration, parseDuration } from './durations';
export { clockChange, fromWall, instantOf, resolveZone, wallIn, wallOf, zonedText } from './zones';

declare const dayBrand: unique symbol;

/**
 * A civil day such as `2026-12-24`, in no time zone. Days sort as text.
 *
 * @example
 * const isOver = (day: Day) => day < today(clock);
 */
export type Day = string & { readonly [dayBrand]: true };

/**
 * Midnight of a day, encoded as civil values are: as if it were UTC.
 *
 * @example
 * civilMs('2026-12-24' as Day) === Date.UTC(2026, 11, 24) // true
 */
export const civilMs = (day: Day): number => Date.UTC(+day.slice(0, 4), +day.slice(5, 7) - 1, +day.slice(8, 10));

/** The first and the last moment with a year of four digits, which iCalendar and all texts here use. */
export const [firstMs, lastMs] = [-62_167_219_200_000, 253_402_300_799_999];

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`. One task of another program with a time beyond must not keep all others from being written. */
export const isoText = (civil: number): string => new Date(Math.min(Math.max(civil, firstMs), lastMs)).toISOString();

/** The day of a civil value. */
export const dayOfCivil = (civil: number): Day => isoText(civil).slice(0, 10) as Day;

/**
 * Undefined if the text is not `YYYY-MM-DD` or the calendar has no such day.
 *
 * @example
 * parseDay('2026-02-30') // undefined
 */
export function parseDay(text: string): Day | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const civil = civilMs(text as Day);
  return Number.isFinite(civil) && dayOfCivil(civil) === text ? (text as Day) : undefined;
}

/**
 * The day that a stored value is on for the user. A civil value (`timezone` null) names its day itself and is
 * never moved; an instant is on the day that the user's own clock shows, which begins at `startHour`.
 *
 * @example
 * dayOf(Date.UTC(2026, 6, 1, 23), 'UTC', 'Europe/Berlin') // '2026-07-02'
 * dayOf(Date.UTC(2026, 6, 1, 23), null, 'Europe/Berlin') // '2026-07-01'
 */
export const dayOf = (value: number, timezone: string | null, userZone: string, startHour = 0): Day =>
  dayOfCivil(timezone === null ? value : wallOf(value, userZone) - startHour * hourMs);

/**
 * The user's day now.
 *
 * @example
 * today({ now: () => Date.UTC(2026, 6, 2, 2), timeZone: 'UTC' }, 4) // '2026-07-01': it is not yet 4:00
 */
export const today = (clock: Clock, startHour = 0): Day => dayOf(clock.now(), 'UTC', clock.timeZone, startHour);

/** A day as ranges [start, end): civil values compare with `civil*`, instants with `instant*`. */
export interface DayBounds {
  readonly day: Day;
  readonly civilStart: number;
  readonly civilEnd: number;
  readonly instantStart: EpochMs;
  readonly instantEnd: EpochMs;
}

export function dayBounds(day: Day, zone: string, startHour = 0): DayBounds {
  const civilStart = civilMs(day);
  const civilEnd = civilStart + dayMs;
  return {
    day,
    civilStart,
    civilEnd,
    instantStart: fromWall(civilStart + startHour * hourMs, zone),
    instantEnd: fromWall(civilEnd + startHour * hourMs, zone),
  };
}

/**
 * A day some days later, or earlier if `days` is negative.
 *
 * @example
 * addDays('2026-02-28', 1) // '2026-03-01'
 */
export const addDays = (day: Day, days: number): Day => dayOfCivil(civilMs(day) + days * dayMs);

/** Days from `a` to `b`: negative if `b` is earlier. */
export const daysBetween = (a: Day, b: Day): number => Math.round((civilMs(b) - civilMs(a)) / dayMs);

/** 0 Sunday … 6 Saturday. */
export const weekday = (day: Day): number => new Date(civilMs(day)).getUTCDay();

/** The first day of the week that `day` is in; `firstDay` is 0 Sunday … 6 Saturday. */
export const startOfWeek = (day: Day, firstDay: number): Day => addDays(day, -((weekday(day) - firstDay + 7) % 7));

export const startOfMonth = (day: Day): Day => `${day.slice(0, 8)}01` as Day;

/** Moves a day by months; if the month is too short, to its last day. */
export function addMonths(day: Day, months: number): Day {
  const first = new Date(civilMs(day));
  const dayOfMonth = first.getUTCDate();
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(dayOfMonth, length));
  return dayOfCivil(first.getTime());
}

/** A moment with everything derived from it, computed once, so that each of many tasks costs only two comparisons. */
export interface Moment {
  readonly now: EpochMs;
  /** The same moment on the user's wall clock, for floating times. */
  readonly civilNow: number;
  readonly zone: string;
  readonly startHour: number;
  readonly today: DayBounds;
}

/**
 * @example
 * const moment = momentOf(engine.clock, startHour);
 * const late = tasks.filter(task => task.due !== null && isPast(task.due, task, moment));
 */
export function momentOf(clock: Clock, startHour = 0): Moment {
  const now = clock.now();
  const zone = clock.timeZone;
  const day = dayOf(now, 'UTC', zone, startHour);
  return { now, civilNow: wallOf(now, zone), zone, startHour, today: dayBounds(day, zone, startHour) };
}

type Timed = Pick<Task, 'isAllDay' | 'timezone'>;

/** True if an all-day value's day is over, or the instant or floating wall clock of a timed value is past. */
export function isPast(value: number, { isAllDay, timezone }: Timed, { now, civilNow, today }: Moment): boolean {
  if (timezone !== null) return value < now;
  return value < (isAllDay ? today.civilStart : civilNow);
}

type Ranged = Pick<Task, 'dtstart' | 'due' | 'duration' | 'timezone'>;

/** `value` moved by a DURATION: whole days on the wall clock of its zone, the rest exactly (RFC 5545 3.3.6). */
export function addDuration(value: number, timezone: string | null, duration: string): number | undefined {
  const parsed = parseDuration(duration);
  if (!parsed) return undefined;
  if (timezone === null) return value + parsed.days * dayMs + parsed.ms;
  const moved = parsed.days === 0 ? value : fromWall(wallOf(value, timezone) + parsed.days * dayMs, timezone);
  return moved + parsed.ms;
}

/** DUE, else DTSTART plus DURATION; null if the task has neither. Coded as the task's own values are. */
export function effectiveDue({ due, dtstart, duration, timezone }: Ranged): number | null {
  if (due !== null || dtstart === null || duration === null) return due;
  return addDuration(dtstart, timezone, duration) ?? null;
}
