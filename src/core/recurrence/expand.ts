import { dayMs, hourMs, minuteMs } from '../time/units';
import { DayPicker, weekdayOfNumber, ymdOf } from './byRules';
import type { Rule } from './rrule';
import type { Allowance } from './ruleBudget';

/**
 * The wall-clock times of a rule, on integers. ical.js's iterator is not used for this: of 134 vectors from three
 * test suites it misses 27 (week numbers, BYSETPOS in years and months, lists out of order, a leap day that
 * wanders to March), it cannot start late in a series, and a rule that never comes true keeps it running.
 */

/** Periods without any result after which a rule counts as one that never comes true again: four centuries or so. */
const maxEmptyPeriods = { YEARLY: 400, MONTHLY: 4800, WEEKLY: 21_000, DAILY: 150_000 } as const;
const maxEmptySubDailyPeriods = 150_000;

/** The cost of expanding a period: about the number of its days. */
const periodUnits = { YEARLY: 100, MONTHLY: 8, WEEKLY: 2, DAILY: 1 } as const;

/** 9999-12-31: beyond it RFC 5545 has no dates. */
const lastDay = 2_932_896;

/**
 * The civil values of a rule in ascending order, from `start` (DTSTART's) on, without COUNT and UNTIL, which need more
 * than a wall clock. With `from` it may begin later, and skips earlier ones at no cost; a caller that counts must not
 * pass it. `maxIdlePeriods`: fewer empty periods than the usual ones end a rule by days. Ends when `allowance` does.
 */
export function walkRule(
  rule: Rule,
  start: number,
  from = start,
  maxIdlePeriods = Infinity,
  allowance?: Allowance,
): Generator<number> {
  switch (rule.freq) {
    case 'YEARLY':
    case 'MONTHLY':
    case 'WEEKLY':
    case 'DAILY':
      return walkDays(
        rule,
        rule.freq,
        start,
        Math.max(start, from),
        Math.min(maxEmptyPeriods[rule.freq], maxIdlePeriods),
        allowance,
      );
    default:
      return walkClock(rule, start, Math.max(start, from), allowance);
  }
}

function* walkDays(
  rule: Rule,
  freq: 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY',
  start: number,
  from: number,
  maxIdlePeriods: number,
  allowance: Allowance | undefined,
): Generator<number> {
  const startDay = Math.floor(start / dayMs);
  const fromDay = Math.floor(from / dayMs);
  const picker = new DayPicker(rule, startDay);
  const times = timesOf(rule, start);
  const { interval } = rule;
  const periodOf = (day: number): number => {
    if (freq === 'DAILY') return day;
    if (freq === 'WEEKLY') return Math.floor((day - weekOffset(day, rule.weekStart)) / 7);
    const { year, month } = ymdOf(day);
    return freq === 'YEARLY' ? year : year * 12 + month - 1;
  };
  const daysOf = (period: number): readonly number[] => {
    if (freq === 'DAILY') return picker.picks(period) ? [period] : [];
    if (freq === 'WEEKLY') return picker.ofWeek(period * 7 + weekRest);
    return freq === 'YEARLY' ? picker.ofYear(period) : picker.ofMonth(Math.floor(period / 12), (period % 12) + 1);
  };
  const weekRest = startDay - weekOffset(startDay, rule.weekStart) - 7 * periodOf(startDay);
  const first = periodOf(startDay);
  let idle = 0;
  for (
    let period = first + Math.floor((periodOf(fromDay) - first) / interval) * interval;
    idle < maxIdlePeriods;
    period += interval
  ) {
    idle++;
    if (allowance?.spend(periodUnits[freq]) === false) return;
    const days = daysOf(period);
    if (days.length === 0) {
      if (freq === 'DAILY' && period > lastDay) return;
      continue;
    }
    if (days[0]! > lastDay) return;
    if (rule.bySetPos.length > 0) {
      for (const at of positions(rule.bySetPos, days.length * times.length)) {
        const civil = days[Math.floor(at / times.length)]! * dayMs + times.at(at % times.length);
        if (civil < from) continue;
        idle = 0;
        yield civil;
      }
      continue;
    }
    for (const day of days) {
      // A year may have millions of times before `from`.
      if (day < fromDay) continue;
      for (let index = 0; index < times.length; index++) {
        const civil = day * dayMs + times.at(index);
        if (civil < from) continue;
        idle = 0;
        yield civil;
      }
    }
  }
}

/** Hours, minutes or seconds, one step after another; what the rule leaves out is jumped over. */
function* walkClock(rule: Rule, start: number, from: number, allowance: Allowance | undefined): Generator<number> {
  const picker = new DayPicker(rule, Math.floor(start / dayMs));
  const unit = rule.freq === 'HOURLY' ? hourMs : rule.freq === 'MINUTELY' ? minuteMs : 1000;
  const { interval } = rule;
  const offsets = offsetsWithin(rule, start);
  const first = Math.floor(start / unit);
  let step = first + Math.floor((Math.floor(from / unit) - first) / interval) * interval;
  const jumpTo = (civil: number) => {
    const distance = Math.ceil(civil / unit) - step;
    step += Math.max(1, Math.ceil(distance / interval)) * interval;
  };
  for (let idle = 0; idle < maxEmptySubDailyPeriods; idle++) {
    if (allowance?.spend(1) === false) return;
    const civil = step * unit;
    const day = Math.floor(civil / dayMs);
    if (day > lastDay) return;
    const hour = Math.floor(civil / hourMs);
    const minute = Math.floor(civil / minuteMs);
    if (!picker.picks(day)) jumpTo((day + 1) * dayMs);
    else if (rule.byHour.length > 0 && !rule.byHour.includes(hour - day * 24)) jumpTo((hour + 1) * hourMs);
    else if (unit < hourMs && rule.byMinute.length > 0 && !rule.byMinute.includes(minute - hour * 60))
      jumpTo((minute + 1) * minuteMs);
    else {
      if (unit > 1000 || rule.bySecond.length === 0 || rule.bySecond.includes(step - minute * 60)) {
        const picked = rule.bySetPos.length > 0 ? positions(rule.bySetPos, offsets.length) : undefined;
        for (const offset of picked ? picked.map(at => offsets[at]!) : offsets) {
          if (civil + offset < from) continue;
          idle = 0;
          yield civil + offset;
        }
      }
      step += interval;
    }
  }
}

const weekOffset = (day: number, weekStart: number): number => (weekdayOfNumber(day) - weekStart + 7) % 7;

/** A leap second that a list names is left out: no clock here can show it. */
const seconds = (rule: Rule): number[] => rule.bySecond.filter(second => second < 60);

/** The times of a day at which a daily or rarer rule comes true, in milliseconds: up to 86 400, so not as an array. */
function timesOf(rule: Rule, start: number): { readonly length: number; at(index: number): number } {
  const time = ((start % dayMs) + dayMs) % dayMs;
  const hours = rule.byHour.length > 0 ? rule.byHour : [Math.floor(time / hourMs)];
  const offsets = minutesOf(rule, time);
  return {
    length: hours.length * offsets.length,
    at: index => hours[Math.floor(index / offsets.length)]! * hourMs + offsets[index % offsets.length]!,
  };
}

function minutesOf(rule: Rule, time: number): number[] {
  const minutes = rule.byMinute.length > 0 ? rule.byMinute : [Math.floor(time / minuteMs) % 60];
  return minutes.flatMap(minute => secondsOf(rule, time).map(offset => minute * minuteMs + offset));
}

function secondsOf(rule: Rule, time: number): number[] {
  return rule.bySecond.length > 0 ? seconds(rule).map(second => second * 1000) : [time % 60_000];
}

/** The times within an hour, minute or second of a rule, as distances from its beginning. */
function offsetsWithin(rule: Rule, start: number): number[] {
  const time = ((start % dayMs) + dayMs) % dayMs;
  if (rule.freq === 'HOURLY') return minutesOf(rule, time);
  if (rule.freq === 'MINUTELY') return secondsOf(rule, time);
  return [time % 1000];
}

/** The indexes that BYSETPOS picks of `length`, ascending, from 0. */
function positions(bySetPos: readonly number[], length: number): number[] {
  const indexes = bySetPos.map(position => (position > 0 ? position - 1 : length + position));
  return [...new Set(indexes.filter(index => index >= 0 && index < length))].sort((a, b) => a - b);
}
