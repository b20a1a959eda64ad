import { dayMs, hourMs, minuteMs } from '../time/units';
import { moveBy, weekdayOf, yearOf } from './calendar';
import { calendarDateAt } from './calendarDates';
import type { Unit } from './languages/vocabulary';
import { isComplete } from './lookahead';
import { numericDateAt } from './numericDates';
import type { ParseContext } from './parseContext';
import type { PhraseMatch } from './phrases';
import { firstDayOfRule } from './rule';
import { type ClockTime, timeAt } from './times';
import type { PhraseTime } from './types';
import { unitAt, weekdayAt } from './weeks';

/** The longest phrase about one moment that begins at `at`, small words before it ("on", "by", "due") included. */
export function momentAt(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  let start = at;
  for (let count = 0; count < 3; count++) {
    const found = bareMoment(context, start, start > at);
    if (found) return found;
    const after = phrases.skip(start, 'prefix');
    if (after === start) return undefined;
    start = after;
  }
  return bareMoment(context, start, true);
}

export function bareMoment(context: ParseContext, at: number, prefixed: boolean): PhraseMatch<PhraseTime> | undefined {
  const date = dateAt(context, at, prefixed);
  if (date) {
    if (date.value.instant !== undefined || date.value.minutes !== undefined) return withTime(context, date, true);
    return withTime(context, date, false);
  }
  return timeFirst(context, at);
}

/** A time, or a part of the day, after a date. */
function withTime(context: ParseContext, date: PhraseMatch<PhraseTime>, replace: boolean): PhraseMatch<PhraseTime> {
  const { phrases } = context;
  if (date.value.instant !== undefined) return date;
  const joined = phrases.skip(date.next, 'and');
  const time =
    timeAt(phrases, date.next, true) ??
    timeAt(phrases, phrases.skip(date.next, 'prefix'), true) ??
    timeAt(phrases, joined);
  if (time) {
    const { day, minutes: part } = date.value;
    const isMorning = part !== undefined && part < 720;
    if (isMorning) return { value: { day, minutes: shiftInto(time, 0) }, next: time.next };
    return { value: { day, minutes: time.value, isGuess: time.isGuess }, next: time.next };
  }
  if (replace || phrases.isCut(date.next)) return date;
  const part = phrases.find(phrases.skip(date.next, 'partPrefix'), 'part') ?? phrases.find(date.next, 'part');
  if (!part) return date;
  // "tomorrow morning at 10": the exact time replaces the part of the day.
  const exact = timeAt(phrases, part.next);
  if (exact) return { value: { day: date.value.day, minutes: shiftInto(exact, part.value.hour) }, next: exact.next };
  return { value: { day: date.value.day, minutes: part.value.hour * 60 }, next: part.next };
}

/** "evening at 8" is 20:00, "morning at 5" is 5:00. */
function shiftInto({ value, isGuess }: ClockTime, hour: number): number {
  if (hour >= 12) return value < 720 ? value + 720 : value;
  return isGuess ? value - 720 : value;
}

/** "9am tomorrow", "9am", "in the evening". */
function timeFirst(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  const time = timeAt(phrases, at) ?? loosePart(context, at);
  if (!time) return undefined;
  const bare = /^\d{1,2}$/.test(phrases.words[time.next - 1]!.norm);
  for (const from of [time.next, phrases.skip(time.next, 'prefix')]) {
    const date = dateAt(context, from, from > time.next);
    if (date?.value.day === undefined) continue;
    // "9:30 tomorrow morning": the part says nothing new.
    const part = phrases.isCut(date.next) ? undefined : phrases.find(date.next, 'part');
    const { day } = date.value;
    if (part) return { value: { day, minutes: shiftInto(time, part.value.hour) }, next: part.next };
    return { value: { day, minutes: time.value, isGuess: time.isGuess }, next: date.next };
  }
  if (bare && !isComplete(context, time.next)) return undefined;
  return { value: { minutes: time.value, isGuess: time.isGuess }, next: time.next };
}

function loosePart(context: ParseContext, at: number): ClockTime | undefined {
  const { phrases } = context;
  const afterMarker = phrases.skip(at, 'partPrefix');
  if (afterMarker === at) return undefined;
  const part = phrases.find(afterMarker, 'part');
  return part && isComplete(context, part.next) ? { value: part.value.hour * 60, next: part.next } : undefined;
}

/** A date without its time. `prefixed` if a word such as "on" before it announces a date. */
export function dateAt(context: ParseContext, at: number, prefixed: boolean): PhraseMatch<PhraseTime> | undefined {
  return (
    dayWord(context, at) ??
    relative(context, at) ??
    numeric(context, at, prefixed) ??
    calendarDateAt(context, at, prefixed) ??
    nthOfMonth(context, at) ??
    weekdayAt(context, at, prefixed) ??
    unitAt(context, at)
  );
}

/** True if a name that is also short for a day is the day: "tom 5pm", "5pm tom", or alone in its line. */
function isShortDay({ phrases }: ParseContext, at: number): boolean {
  const { raw, norm } = phrases.words[at]!;
  if (raw !== norm) return false;
  if (phrases.words.length === 1 || (!phrases.isCut(at + 1) && timeAt(phrases, at + 1, true))) return true;
  return !phrases.isCut(at) && [at - 1, at - 2].some(from => from >= 0 && timeAt(phrases, from)?.next === at);
}

function dayWord(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const found = context.phrases.find(at, 'day');
  if (!found || (found.value.shortFor !== undefined && !isShortDay(context, at))) return undefined;
  const day = context.today + found.value.offset * dayMs;
  const { hour } = found.value;
  return { value: hour === undefined ? { day } : { day, minutes: hour * 60 }, next: found.next };
}

function numeric(context: ParseContext, at: number, prefixed: boolean): PhraseMatch<PhraseTime> | undefined {
  const found = numericDateAt(context, at, prefixed);
  return found && (!found.short || prefixed || isComplete(context, found.next)) ? found : undefined;
}

/** "in 3 days", "3 days from now", "2 weeks ago". */
function relative(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  for (const [kind, sign] of [
    ['in', 1],
    ['agoPrefix', -1],
  ] as const) {
    const afterMarker = phrases.skip(at, kind);
    if (afterMarker === at) continue;
    const amount = phrases.amount(afterMarker) ?? singleUnit(context, afterMarker);
    if (amount && !phrases.has(amount.next, 'afterDone')) return moved(context, withMinutes(context, amount), sign);
  }
  const single = phrases.amount(at);
  if (!single) return undefined;
  const amount = withMinutes(context, single);
  const later = phrases.skip(amount.next, 'fromNow');
  if (later > amount.next) return moved(context, { value: amount.value, next: later }, 1);
  const ago = phrases.skip(amount.next, 'ago');
  if (ago > amount.next) return moved(context, { value: amount.value, next: ago }, -1);
  return (
    relativeDate(context, amount, 'after', 1) ?? relativeDate(context, amount, 'before', -1) ?? weekOn(context, at)
  );
}

/** "2 hours", "an hour and a half", "90min": in minutes. */
export function durationAt(context: ParseContext, at: number): PhraseMatch<number> | undefined {
  const single = context.phrases.amount(at) ?? singleUnit(context, at);
  const amount = single && withMinutes(context, single);
  if (amount?.value.unit !== 'hour' && amount?.value.unit !== 'minute') return undefined;
  return { value: amount.value.n * (amount.value.unit === 'hour' ? 60 : 1), next: amount.next };
}

/** "3 days", "2h" alone: that long from now. */
export function amountAt(context: ParseContext, at: number, sign: 1 | -1): PhraseMatch<PhraseTime> | undefined {
  const amount = context.phrases.amount(at);
  return amount && moved(context, withMinutes(context, amount), sign);
}

/** "a week from Friday", "2 days before Friday". */
function relativeDate(
  context: ParseContext,
  amount: PhraseMatch<Amount>,
  marker: 'after' | 'before',
  sign: 1 | -1,
): PhraseMatch<PhraseTime> | undefined {
  const { n, unit } = amount.value;
  const afterMarker = context.phrases.skip(amount.next, marker);
  if (afterMarker === amount.next || unit === 'minute' || unit === 'hour') return undefined;
  const date =
    dayWord(context, afterMarker) ??
    numericDateAt(context, afterMarker, false) ??
    calendarDateAt(context, afterMarker, true) ??
    weekdayAt(context, afterMarker, true);
  return date?.value.day === undefined
    ? undefined
    : { value: { day: moveBy(date.value.day, sign * n, unit) }, next: date.next };
}

/** British "a week on Friday". "Twice a week on Friday" is not a date. */
function weekOn(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  const one = phrases.find(at, 'number');
  const unit = one?.value.n === 1 ? phrases.find(one.next, 'unit') : undefined;
  if (unit?.value.unit !== 'week' || (at > 0 && (phrases.has(at - 1, 'times') || phrases.has(at - 1, 'unit')))) {
    return undefined;
  }
  const on = phrases.skip(unit.next, 'weekOn');
  const weekday = on > unit.next ? weekdayAt(context, on, true) : undefined;
  return weekday && { value: { day: weekday.value.day! + 7 * dayMs }, next: weekday.next };
}

interface Amount {
  readonly n: number;
  readonly unit: Unit;
}

/** "1 hour and 30 minutes", "an hour and a half". */
function withMinutes({ phrases }: ParseContext, amount: PhraseMatch<Amount>): PhraseMatch<Amount> {
  if (amount.value.unit !== 'hour') return amount;
  const half = phrases.find(amount.next, 'fraction');
  const more = half ? undefined : phrases.amount(phrases.skip(amount.next, 'and'));
  const minutes = half?.value.minutes ?? (more?.value.unit === 'minute' ? more.value.n : 0);
  const next = half?.next ?? (minutes > 0 ? more!.next : amount.next);
  return minutes > 0 ? { value: { n: amount.value.n * 60 + minutes, unit: 'minute' }, next } : amount;
}

/** Arabic says "after week" for "in a week". */
export function singleUnit({ phrases }: ParseContext, at: number): PhraseMatch<Amount> | undefined {
  const unit = /^[\u0600-\u06ff]/.test(phrases.words[at]?.norm ?? '') ? phrases.find(at, 'unit') : undefined;
  return unit && { value: unit.value, next: unit.next };
}

function moved(context: ParseContext, amount: PhraseMatch<Amount>, sign: 1 | -1): PhraseMatch<PhraseTime> | undefined {
  const { n, unit } = amount.value;
  if (unit === 'minute' || unit === 'hour') {
    // A whole minute, and never earlier than the phrase.
    const now = Math[sign === 1 ? 'ceil' : 'floor'](context.now / minuteMs) * minuteMs;
    const instant = now + sign * n * (unit === 'hour' ? hourMs : minuteMs);
    return { value: { instant }, next: amount.next };
  }
  const day = moveBy(context.today, sign * n, unit);
  return yearOf(day) < 2999 && yearOf(day) > 1900 ? { value: { day }, next: amount.next } : undefined;
}

/** "the last Friday of the month", "the last day of the month", "second Tuesday in December", once. */
function nthOfMonth(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases, today } = context;
  const ordinal = phrases.ordinal(phrases.skip(at, 'the'));
  if (!ordinal || ordinal.value > 5) return undefined;
  const weekday = phrases.find(ordinal.next, 'weekday');
  const unit = phrases.find(ordinal.next, 'unit');
  const body = weekday?.next ?? (unit?.value.unit === 'day' ? unit.next : undefined);
  if (body === undefined) return undefined;
  const month = phrases.find(phrases.skip(body, 'of', 'in'), 'month');
  const of = month ?? phrases.find(body, 'ofMonth');
  if (!of) return weekday && ordinal.value === -1 ? lastWeekday(context, weekday.value.day, weekday.next) : undefined;
  const which = weekday ? { days: [{ nth: ordinal.value, day: weekday.value.day }] } : { monthDays: [ordinal.value] };
  return {
    value: { day: firstDayOfRule({ unit: 'month', interval: 1, month: month?.value.month, ...which }, today) },
    next: of.next,
  };
}

/** "last Monday": the one before today. */
function lastWeekday({ today }: ParseContext, weekday: number, next: number): PhraseMatch<PhraseTime> {
  return { value: { day: today - ((weekdayOf(today) - weekday + 7) % 7 || 7) * dayMs }, next };
}
