import { hourCycle, timeOptions } from '../../core/kernel/dateFormats';
import type { EpochMs, Occurrence, Task } from '../../core/kernel/model';
import { civilMs, type Day, dayOf, daysBetween, instantOf, startOfWeek, today, wallOf } from '../../core/time/dates';
import { dayMs, hourMs, minuteMs } from '../../core/time/units';
import { currentLocale, t } from '../../shared/l10n';
import type { DateStyle } from '../settings/settings';

type Timed = Pick<Task, 'timezone' | 'isAllDay'>;

/** The civil day of a stored value on the user's clock. */
export const dayFor = (value: EpochMs, task: Timed, style: DateStyle): Day =>
  dayOf(value, task.timezone, style.clock.timeZone, task.isAllDay ? 0 : style.startHour);

/** "Yesterday", "Fri", "21 Nov", "21 Nov 2027", by distance; ISO if the style asks for it. */
export function dayLabel(day: Day, style: DateStyle): string {
  if (style.dateFormat === 'iso') return day;
  const now = today(style.clock, style.startHour);
  const away = daysBetween(now, day);
  if (style.dateFormat === 'relative') {
    if (Math.abs(away) <= 1) return capital(relative(away));
    if (away > 0 && away < 7) return format(day, { weekday: 'short' });
    if (away < 0 && startOfWeek(day, style.firstDay) === startOfWeek(now, style.firstDay))
      return format(day, { weekday: 'short' });
  }
  return format(
    day,
    day.slice(0, 4) === now.slice(0, 4)
      ? { day: 'numeric', month: 'short' }
      : { day: 'numeric', month: 'short', year: 'numeric' },
  );
}

/** "Saturday, 21 November" for headings and screen readers. */
export const longDay = (day: Day) => format(day, { weekday: 'long', day: 'numeric', month: 'long' });
export const weekdayLabel = (day: Day) => format(day, { weekday: 'short' });
export const monthName = (day: Day) => format(day, { month: 'long', year: 'numeric' });
export const shortMonth = (day: Day) => format(day, { month: 'short' });
export const mediumDay = (day: Day) => format(day, { weekday: 'short', day: 'numeric', month: 'short' });

/** "Nov 16 – 22" as the locale writes it. */
export function dayRange(first: Day, last: Day): string {
  return formatter({ day: 'numeric', month: 'short' }).formatRange(civilMs(first), civilMs(last));
}

/** "9 AM", "09": hours of a day. */
export const hourNames = (hours: readonly number[], { timeFormat }: DateStyle): string[] =>
  hours.map(hour => formatter({ hour: 'numeric', ...hourCycle(timeFormat) }).format(hour * hourMs));

/** The wall time of a value; undefined if the task has none. */
function timeLabel(value: EpochMs, task: Timed, style: DateStyle): string | undefined {
  if (task.isAllDay) return undefined;
  const wall = task.timezone === null ? value : wallOf(value, style.clock.timeZone);
  return formatter(timeOptions(style.timeFormat)).format(wall);
}

/** The time of an instant on the user's clock. */
export const clockTime = (instant: EpochMs, style: DateStyle): string =>
  formatter(timeOptions(style.timeFormat)).format(wallOf(instant, style.clock.timeZone));

/** "10:00 – 11:00" as the locale writes it. */
export function timeRange(start: EpochMs, end: EpochMs, style: DateStyle): string {
  const [from, to] = [start, end].map(value => wallOf(value, style.clock.timeZone)) as [number, number];
  return formatter(timeOptions(style.timeFormat)).formatRange(from, to);
}

/**
 * Day and time together.
 *
 * @example
 * momentLabel(due, task, dateStyle(engine)) // 'Tomorrow 9:00'; 'Tomorrow' for an all-day task
 */
export function momentLabel(value: EpochMs, task: Timed, style: DateStyle): string {
  const time = timeLabel(value, task, style);
  const day = dayLabel(dayFor(value, task, style), style);
  return time === undefined ? day : `${day} ${time}`;
}

/** "Nov 21, 2026, 9:00 AM", "2026-11-21 09:00": an instant in whole; `full` names the weekday, unless dates are ISO. */
export function stampLabel(instant: EpochMs, style: DateStyle, dateStyle: 'medium' | 'full' = 'medium'): string {
  const { timeZone } = style.clock;
  if (style.dateFormat !== 'iso')
    return formatter({ dateStyle, timeStyle: 'short', ...hourCycle(style.timeFormat) }).format(
      wallOf(instant, timeZone),
    );
  const time = timeLabel(instant, { timezone: 'UTC', isAllDay: false }, style);
  return `${stampDay(instant, style)} ${time}`;
}

/** The day alone: "Nov 21, 2026", "2026-11-21". */
export function stampDay(instant: EpochMs, style: DateStyle): string {
  const { timeZone } = style.clock;
  return style.dateFormat === 'iso'
    ? dayOf(instant, 'UTC', timeZone, 0)
    : formatter({ dateStyle: 'medium' }).format(wallOf(instant, timeZone));
}

/** The one moment that matters of a row, in whole: for tooltips. */
export function rowMoment(row: Occurrence, style: DateStyle): string | undefined {
  const value = row.due ?? row.dtstart;
  return value === null ? undefined : momentLabel(value, row.task, style);
}

/** "in 30 minutes", "2 hours ago", "3 days ago"; undefined if the day's own word is enough. */
export function distanceLabel(value: EpochMs, task: Timed, style: DateStyle): string | undefined {
  const { clock } = style;
  if (!task.isAllDay) {
    const away = instantOf(value, task.timezone, clock.timeZone) - clock.now();
    if (Math.abs(away) < dayMs) return awayLabel(away);
  }
  const days = daysBetween(today(clock, style.startHour), dayFor(value, task, style));
  return Math.abs(days) <= 1 ? undefined : relative(days);
}

/** "now", "4 minutes ago", "in 2 hours", "yesterday": a distance from now. */
export function awayLabel(away: number): string {
  const minutes = Math.trunc(away / minuteMs);
  if (minutes === 0) return relative(0, 'second');
  if (Math.abs(minutes) < 60) return relative(minutes, 'minute');
  const hours = Math.trunc(minutes / 60);
  return Math.abs(hours) < 24 ? relative(hours, 'hour') : relative(Math.trunc(hours / 24));
}

/**
 * The one time that matters at the end of a row; undefined if there is none. `on` is the day that a heading shows
 * already.
 */
export function whenLabel(row: Occurrence, style: DateStyle, on?: Day): string | undefined {
  const value = row.due ?? row.dtstart;
  if (value === null) return undefined;
  const day = dayFor(value, row.task, style);
  return day === on ? timeLabel(value, row.task, style) : dayLabel(day, style);
}

/** The date of a task in a line, with its time of day unless the day is past. */
export function treeWhenLabel(row: Occurrence, style: DateStyle, on?: Day): string | undefined {
  const label = whenLabel(row, style, on);
  const value = row.due ?? row.dtstart;
  if (value === null || label === undefined) return label;
  const day = dayFor(value, row.task, style);
  return day === on || day < today(style.clock, style.startHour) ? label : momentLabel(value, row.task, style);
}

/** The date of a row of a tree. The time alone of a date today, as in widgets: a row has room for little after its title. */
export const treeRowLabel = (row: Occurrence, style: DateStyle, on?: Day): string | undefined =>
  treeWhenLabel(row, style, on ?? today(style.clock, style.startHour)) ?? treeWhenLabel(row, style, on);

/** The shortest of these: the time alone of a date today, the day alone of any other. */
export const briefWhenLabel = (row: Occurrence, style: DateStyle, on?: Day): string | undefined =>
  whenLabel(row, style, on ?? today(style.clock, style.startHour));

/** Everything about the date, for tooltips and screen readers. */
export function dateSentence(row: Occurrence, style: DateStyle): string | undefined {
  const momentText = (value: EpochMs) => {
    const time = timeLabel(value, row.task, style);
    const day = longDay(dayFor(value, row.task, style));
    return time === undefined ? day : t('{0}, {1}', day, time);
  };
  if (row.due !== null)
    return row.isOverdue ? t('overdue since {0}', momentText(row.due)) : t('due {0}', momentText(row.due));
  return row.dtstart === null ? undefined : t('starts {0}', momentText(row.dtstart));
}

const formats = new Map<string, Intl.DateTimeFormat>();

const format = (day: Day, options: Intl.DateTimeFormatOptions) => formatter(options).format(civilMs(day));

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${currentLocale()}${JSON.stringify(options)}`;
  let made = formats.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(currentLocale(), { ...options, timeZone: 'UTC' });
    formats.set(key, made);
  }
  return made;
}

const relative = (count: number, unit: Intl.RelativeTimeFormatUnit = 'day') =>
  new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' }).format(count, unit);
const capital = (text: string) => text.charAt(0).toLocaleUpperCase(currentLocale()) + text.slice(1);
