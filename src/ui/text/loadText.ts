import type { DuelineEngine } from '../../api';
import { isClosed } from '../../core/fields/status';
import { type Day, dayBounds, today, weekday } from '../../core/time/dates';
import { minuteMs } from '../../core/time/units';
import { byParent, minutesOf } from '../../query/agenda/dayLoad';
import { t } from '../../shared/l10n';
import type { LoadView } from '../../shared/widgetProtocol';
import { setting } from '../settings/settings';
import { lengthText } from './lengthText';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** The minutes that the user works on a day; undefined if the settings do not say. */
function roomOf(day: Day): number | undefined {
  const hours = setting('dueline.day.hours')[weekdays[weekday(day)]!];
  return typeof hours === 'number' && hours >= 0 && hours <= 24 ? Math.round(hours * 60) : undefined;
}

type LoadEngine = Pick<DuelineEngine, 'clock' | 'lines' | 'meetings' | 'settings' | 'task'>;

/**
 * The minutes that meetings leave of the hours of a day. Today, only the rest of the day counts: the hours of completed
 * tasks and past meetings are gone, and no more is left than there is until the day ends. Undefined for a day
 * whose meetings are not known.
 */
function minutesLeft(engine: LoadEngine, day: Day, room: number): number | undefined {
  const { clock, meetings, settings } = engine;
  const busy = meetings.busyMinutes(day) ?? (meetings.calendars.length === 0 ? 0 : undefined);
  if (busy === undefined || day !== today(clock, settings.dayStartHour)) return busy === undefined ? busy : room - busy;
  const now = clock.now();
  const toCome = meetings.busyMinutes(day, now) ?? 0;
  const context = { task: (id: number) => engine.task(id), undated: byParent([]) };
  const done = minutesOf(engine.lines('done:today has:est'), context, isClosed);
  const { instantEnd } = dayBounds(day, clock.timeZone, settings.dayStartHour);
  const untilEnd = Math.floor((instantEnd - now) / minuteMs);
  return Math.min(room - (busy - toCome) - done, untilEnd) - toCome;
}

/**
 * How long the tasks of a day take, and how much of its hours they and meetings leave.
 *
 * @example
 * loadOfDay(engine, 260, day).label // '4 h 20 min · 3 h 40 min free' if the day has eight hours
 */
export function loadOfDay(engine: LoadEngine, minutes: number, day: Day): LoadView {
  const takes = lengthText(minutes);
  const room = roomOf(day);
  const left = room === undefined ? undefined : minutesLeft(engine, day, room);
  if (room === undefined || left === undefined) return { label: takes };
  const free = left - minutes;
  const rest = free < 0 ? t('{0} over', lengthText(-free)) : t('{0} free', lengthText(free));
  return { label: t('{0} · {1}', takes, rest), share: room === 0 ? 1 : Math.min(1, (room - free) / room) };
}

/** The interval at which the free time of today is counted again. */
const quarterMs = 15 * minuteMs;

/** When time alone has changed how much of today is free. */
export const nextFreeTime = ({ clock, settings }: Pick<LoadEngine, 'clock' | 'settings'>): number =>
  roomOf(today(clock, settings.dayStartHour)) === undefined
    ? Number.POSITIVE_INFINITY
    : (Math.floor(clock.now() / quarterMs) + 1) * quarterMs;
