import type { EpochMs } from '../../core/kernel/model';
import type { Clock } from '../../core/time/clock';
import {
  addDays,
  addMonths,
  civilMs,
  type Day,
  dayBounds,
  dayOf,
  fromWall,
  parseDay,
  startOfWeek,
  wallOf,
  weekday,
} from '../../core/time/dates';
import { dayMs, hourMs, minuteMs } from '../../core/time/units';

type OffsetUnit = 'h' | 'd' | 'w' | 'm' | 'y';

/** A date as it was written. Its meaning depends on the current time, the zone and the week, see `spanOf`. */
export type DateAtom =
  | { readonly kind: 'now' }
  | { readonly kind: 'offset'; readonly amount: number; readonly unit: OffsetUnit }
  /** `which`: the coming one, today included; the first after today; the last before today. */
  | { readonly kind: 'weekday'; readonly weekday: number; readonly which: 'coming' | 'next' | 'last' }
  | { readonly kind: 'period'; readonly unit: 'week' | 'month' | 'year'; readonly offset: number }
  /** The last day of this week or month. */
  | { readonly kind: 'end'; readonly of: 'week' | 'month' }
  | { readonly kind: 'day'; readonly day: Day }
  /** Wall clock of the user, encoded as if it were UTC; one minute long. */
  | { readonly kind: 'minute'; readonly wall: number }
  | { readonly kind: 'month'; readonly first: Day }
  | { readonly kind: 'isoWeek'; readonly monday: Day }
  | { readonly kind: 'year'; readonly year: number };

export interface DateContext {
  readonly clock: Clock;
  readonly startHour: number;
  /** 0 Sunday … 6 Saturday. */
  readonly firstDay: number;
}

/** One border in the three codings of stored values. */
export interface Edge {
  readonly instant: EpochMs;
  /** Wall clock of a floating time. */
  readonly floating: number;
  /** Midnight of an all-day date, encoded as if it were UTC. */
  readonly allDay: number;
}

/** From `start` to before `end`. An all-day value is in it if its day is. */
export interface Span {
  readonly start: Edge;
  readonly end: Edge;
  readonly first: Day;
  readonly last: Day;
}

const weekdayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** The words for a date, for completion, in addition to numbers and calendar dates. */
export const dateWords: readonly string[] = [
  'today',
  'tomorrow',
  'yesterday',
  'now',
  'week',
  'month',
  'year',
  'eow',
  'eom',
  ...weekdayNames,
  ...['next', 'last'].flatMap(word => ['week', 'month', 'year', ...weekdayNames].map(unit => `${word}-${unit}`)),
];

const weekdayNamed = (text: string): number =>
  weekdayNames.findIndex(name => name === text || (text.length >= 3 && text.length <= 4 && name.startsWith(text)));

/** Undefined if the text is not a date. */
export function parseDateAtom(text: string): DateAtom | undefined {
  const word = text.toLowerCase();
  switch (word) {
    case 'now':
      return { kind: 'now' };
    case 'today':
      return { kind: 'offset', amount: 0, unit: 'd' };
    case 'tomorrow':
      return { kind: 'offset', amount: 1, unit: 'd' };
    case 'yesterday':
      return { kind: 'offset', amount: -1, unit: 'd' };
    case 'week':
    case 'month':
    case 'year':
      return { kind: 'period', unit: word, offset: 0 };
    case 'eow':
      return { kind: 'end', of: 'week' };
    case 'eom':
      return { kind: 'end', of: 'month' };
  }
  const named = weekdayNamed(word);
  if (named >= 0) return { kind: 'weekday', weekday: named, which: 'coming' };
  const relative = /^(next|last)-([a-z]+)$/.exec(word);
  if (relative) {
    const next = relative[1] === 'next';
    const unit = relative[2]!;
    if (unit === 'week' || unit === 'month' || unit === 'year') return { kind: 'period', unit, offset: next ? 1 : -1 };
    const day = weekdayNamed(unit);
    return day < 0 ? undefined : { kind: 'weekday', weekday: day, which: next ? 'next' : 'last' };
  }
  const offset = /^([+-]?(?:\d{1,4}(?=[hdwm])|\d{1,3}(?=y)))([hdwmy])$/.exec(word);
  if (offset) return { kind: 'offset', amount: Number(offset[1]), unit: offset[2] as OffsetUnit };
  return parseCalendarDate(word.toUpperCase());
}

function parseCalendarDate(text: string): DateAtom | undefined {
  const [date = '', time] = text.split('T');
  if (time !== undefined) {
    const day = parseDay(date);
    const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time);
    if (!day || !clock) return undefined;
    return { kind: 'minute', wall: civilMs(day) + (Number(clock[1]) * 60 + Number(clock[2])) * minuteMs };
  }
  const day = parseDay(date);
  if (day) return { kind: 'day', day };
  const week = /^(\d{4})-W(\d{2})$/.exec(date);
  if (week) {
    const monday = mondayOfIsoWeek(Number(week[1]), Number(week[2]));
    return monday ? { kind: 'isoWeek', monday } : undefined;
  }
  const month = /^\d{4}-\d{2}$/.test(date) ? parseDay(`${date}-01`) : undefined;
  if (month) return { kind: 'month', first: month };
  return /^[1-9]\d{3}$/.test(date) ? { kind: 'year', year: Number(date) } : undefined;
}

/** ISO 8601: week 1 is the one with January 4th. Undefined if the year has no such week. */
function mondayOfIsoWeek(year: number, week: number): Day | undefined {
  const first = startOfWeek(`${String(year).padStart(4, '0')}-01-04` as Day, 1);
  const monday = addDays(first, (week - 1) * 7);
  const thursday = addDays(monday, 3);
  return week >= 1 && Number(thursday.slice(0, 4)) === year ? monday : undefined;
}

export function spanOf(atom: DateAtom, context: DateContext): Span {
  const { clock, startHour, firstDay } = context;
  const zone = clock.timeZone;
  const now = clock.now();
  const today = dayOf(now, 'UTC', zone, startHour);
  switch (atom.kind) {
    case 'now':
      return moments(now, now + 1, context);
    case 'minute': {
      const instant = fromWall(atom.wall, zone);
      return moments(instant, instant + 60_000, context);
    }
    case 'offset': {
      if (atom.unit === 'h') {
        const instant = now + atom.amount * hourMs;
        return moments(instant, instant + 60_000, context);
      }
      const day = shift(today, atom.amount, atom.unit);
      return days(day, day, context);
    }
    case 'weekday': {
      const ahead = (atom.weekday - weekday(today) + 7) % 7;
      const by = atom.which === 'coming' ? ahead : atom.which === 'next' ? ahead || 7 : ahead - 7;
      const day = addDays(today, by);
      return days(day, day, context);
    }
    case 'period': {
      if (atom.unit === 'week') {
        const first = addDays(startOfWeek(today, firstDay), atom.offset * 7);
        return days(first, addDays(first, 6), context);
      }
      if (atom.unit === 'month') {
        const first = addMonths(`${today.slice(0, 7)}-01` as Day, atom.offset);
        return days(first, lastOfMonth(first), context);
      }
      return year(Number(today.slice(0, 4)) + atom.offset, context);
    }
    case 'end': {
      const day = atom.of === 'week' ? addDays(startOfWeek(today, firstDay), 6) : lastOfMonth(today);
      return days(day, day, context);
    }
    case 'day':
      return days(atom.day, atom.day, context);
    case 'month':
      return days(atom.first, lastOfMonth(atom.first), context);
    case 'isoWeek':
      return days(atom.monday, addDays(atom.monday, 6), context);
    case 'year':
      return year(atom.year, context);
  }
}

const lastOfMonth = (day: Day): Day => addDays(addMonths(`${day.slice(0, 7)}-01` as Day, 1), -1);

function year(value: number, context: DateContext): Span {
  const text = String(value).padStart(4, '0');
  return days(`${text}-01-01` as Day, `${text}-12-31` as Day, context);
}

function shift(day: Day, amount: number, unit: 'd' | 'w' | 'm' | 'y'): Day {
  if (unit === 'd') return addDays(day, amount);
  if (unit === 'w') return addDays(day, amount * 7);
  return addMonths(day, unit === 'm' ? amount : amount * 12);
}

function days(first: Day, last: Day, { clock, startHour }: DateContext): Span {
  const from = dayBounds(first, clock.timeZone, startHour);
  const to = dayBounds(last, clock.timeZone, startHour);
  return {
    start: { instant: from.instantStart, floating: from.civilStart, allDay: from.civilStart },
    end: { instant: to.instantEnd, floating: to.civilEnd, allDay: to.civilEnd },
    first,
    last,
  };
}

function moments(from: EpochMs, to: EpochMs, { clock, startHour }: DateContext): Span {
  const zone = clock.timeZone;
  const day = dayOf(from, 'UTC', zone, startHour);
  const wall = wallOf(from, zone);
  return {
    start: { instant: from, floating: wall, allDay: civilMs(day) },
    end: { instant: to, floating: wall + (to - from), allDay: civilMs(day) + dayMs },
    first: day,
    last: day,
  };
}
