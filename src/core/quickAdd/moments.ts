import { addMonthsTo, dayMs, dayOfMonth, moveBy, weekdayOf, yearOf } from './calendar';
import { calendarDateAt } from './calendarDates';
import { numericDateAt } from './numericDates';
import type { Found } from './phrases';
import type { Scene } from './scene';
import { isSettled } from './settled';
import { timeAt } from './times';
import type { Unit } from './vocabulary';

/** What a phrase says: a civil day, minutes since its midnight, or both; or an instant ("in 3 hours"). */
export interface Moment {
  readonly day?: number;
  readonly minutes?: number;
  readonly instant?: number;
}

/** The longest phrase about one moment that begins at `at`, small words before it ("on", "by", "due") included. */
export function momentAt(scene: Scene, at: number): Found<Moment> | undefined {
  const { phrases } = scene;
  let start = at;
  for (let count = 0; count < 3; count++) {
    const found = bareMoment(scene, start, start > at);
    if (found) return found;
    const after = phrases.skip(start, 'prefix');
    if (after === start) return undefined;
    start = after;
  }
  return bareMoment(scene, start, true);
}

function bareMoment(scene: Scene, at: number, prefixed: boolean): Found<Moment> | undefined {
  const date = dateAt(scene, at, prefixed);
  if (date) {
    if (date.value.instant !== undefined || date.value.minutes !== undefined) return withTime(scene, date, true);
    return withTime(scene, date, false);
  }
  return timeFirst(scene, at);
}

/** A time, or a part of the day, after a date. */
function withTime(scene: Scene, date: Found<Moment>, replace: boolean): Found<Moment> {
  const { phrases } = scene;
  if (date.value.instant !== undefined) return date;
  const joined = phrases.skip(date.next, 'and');
  const time =
    timeAt(phrases, date.next) ?? timeAt(phrases, phrases.skip(date.next, 'prefix')) ?? timeAt(phrases, joined);
  if (time) return { value: { day: date.value.day, minutes: time.value }, next: time.next };
  if (replace || phrases.isCut(date.next)) return date;
  const part = phrases.find(phrases.skip(date.next, 'partPrefix'), 'part') ?? phrases.find(date.next, 'part');
  if (!part) return date;
  // "tomorrow morning at 10": the part gives way to the time.
  const exact = timeAt(phrases, part.next);
  if (exact)
    return { value: { day: date.value.day, minutes: shiftInto(exact.value, part.value.hour) }, next: exact.next };
  return { value: { day: date.value.day, minutes: part.value.hour * 60 }, next: part.next };
}

/** "evening at 8" is 20:00. */
const shiftInto = (minutes: number, hour: number) => (hour >= 12 && minutes < 720 ? minutes + 720 : minutes);

/** "9am tomorrow", "9am", "in the evening". */
function timeFirst(scene: Scene, at: number): Found<Moment> | undefined {
  const { phrases } = scene;
  const time = timeAt(phrases, at) ?? loosePart(scene, at);
  if (!time) return undefined;
  const bare = /^\d{1,2}$/.test(phrases.words[time.next - 1]!.norm);
  for (const from of [time.next, phrases.skip(time.next, 'prefix')]) {
    const date = dateAt(scene, from, from > time.next);
    if (date?.value.day !== undefined) return { value: { day: date.value.day, minutes: time.value }, next: date.next };
  }
  if (bare && !isSettled(scene, time.next)) return undefined;
  return { value: { minutes: time.value }, next: time.next };
}

function loosePart(scene: Scene, at: number): Found<number> | undefined {
  const { phrases } = scene;
  const marked = phrases.skip(at, 'partPrefix');
  if (marked === at) return undefined;
  const part = phrases.find(marked, 'part');
  return part && isSettled(scene, part.next) ? { value: part.value.hour * 60, next: part.next } : undefined;
}

/** A date without its time. `prefixed`: a small word before it has said that a date comes. */
export function dateAt(scene: Scene, at: number, prefixed: boolean): Found<Moment> | undefined {
  return (
    dayWord(scene, at) ??
    relative(scene, at) ??
    numeric(scene, at, prefixed) ??
    calendarDateAt(scene, at, prefixed) ??
    weekdayAt(scene, at, prefixed) ??
    unitAt(scene, at)
  );
}

function dayWord(scene: Scene, at: number): Found<Moment> | undefined {
  const found = scene.phrases.find(at, 'day');
  if (!found) return undefined;
  const day = scene.today + found.value.offset * dayMs;
  const { hour } = found.value;
  return { value: hour === undefined ? { day } : { day, minutes: hour * 60 }, next: found.next };
}

function numeric(scene: Scene, at: number, prefixed: boolean): Found<Moment> | undefined {
  const found = numericDateAt(scene, at);
  return found && (!found.short || prefixed || isSettled(scene, found.next)) ? found : undefined;
}

/** "in 3 days", "3 days from now", "2 weeks ago". */
function relative(scene: Scene, at: number): Found<Moment> | undefined {
  const { phrases } = scene;
  for (const [kind, sign] of [
    ['in', 1],
    ['agoPrefix', -1],
  ] as const) {
    const marked = phrases.skip(at, kind);
    if (marked === at) continue;
    const amount = phrases.amount(marked) ?? singleUnit(scene, marked);
    if (amount && !phrases.has(amount.next, 'afterDone')) return moved(scene, amount, sign);
  }
  const amount = phrases.amount(at);
  if (!amount) return undefined;
  const later = phrases.skip(amount.next, 'fromNow');
  if (later > amount.next) return moved(scene, { value: amount.value, next: later }, 1);
  const ago = phrases.skip(amount.next, 'ago');
  return ago > amount.next ? moved(scene, { value: amount.value, next: ago }, -1) : undefined;
}

/** Arabic says "after week" for "in a week". */
function singleUnit({ phrases }: Scene, at: number): Found<{ n: number; unit: Unit }> | undefined {
  const unit = /^[\u0600-\u06ff]/.test(phrases.words[at]?.norm ?? '') ? phrases.find(at, 'unit') : undefined;
  return unit && { value: unit.value, next: unit.next };
}

function moved(scene: Scene, amount: Found<{ n: number; unit: Unit }>, sign: 1 | -1): Found<Moment> | undefined {
  const { n, unit } = amount.value;
  if (unit === 'minute' || unit === 'hour') {
    const instant = Math.floor(scene.now / 60_000) * 60_000 + sign * n * (unit === 'hour' ? 3_600_000 : 60_000);
    return { value: { instant }, next: amount.next };
  }
  const day = moveBy(scene.today, sign * n, unit);
  return yearOf(day) < 2999 && yearOf(day) > 1900 ? { value: { day }, next: amount.next } : undefined;
}

/** Weeks in "next Friday" begin on Monday whatever the locale: on a Sunday the next Friday is five days away. */
const mondayOf = (day: number) => day - ((weekdayOf(day) + 6) % 7) * dayMs;
const inWeekOf = (monday: number, weekday: number) => monday + ((weekday + 6) % 7) * dayMs;

function weekdayAt(scene: Scene, at: number, prefixed: boolean): Found<Moment> | undefined {
  const { phrases, today } = scene;
  const next = phrases.skip(at, 'next');
  const here = next > at ? next : phrases.skip(at, 'this');
  const found = phrases.find(here, 'weekday');
  if (!found || found.value.joined) return undefined;
  const weekday = found.value.day;
  const after =
    found.next < phrases.words.length && !phrases.isCut(found.next) ? phrases.skip(found.next, 'next') : found.next;
  const nextWeek = weekAfter(scene, found.next);
  if (nextWeek) return { value: { day: inWeekOf(mondayOf(today) + 7 * dayMs, weekday) }, next: nextWeek };
  if (next > at || after > found.next) {
    return { value: { day: inWeekOf(mondayOf(today) + 7 * dayMs, weekday) }, next: next > at ? found.next : after };
  }
  const named = here > at;
  if (!named && !strongEnough(scene, at, found.next, found.value.weak, prefixed)) return undefined;
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  const day = today + (ahead === 0 && !named ? 7 : ahead) * dayMs;
  // "Friday, 4 December": the date says more than the weekday.
  for (const from of [found.next, phrases.skip(found.next, 'prefix')]) {
    const date = numericDateAt(scene, from) ?? calendarDateAt(scene, from, true);
    if (date) return date;
  }
  return { value: { day }, next: found.next };
}

function strongEnough(scene: Scene, at: number, next: number, weak: 0 | 1 | 2, prefixed: boolean): boolean {
  if (weak === 0) return true;
  if (prefixed) return weak === 1 || /^\p{Lu}/u.test(scene.phrases.words[at]!.raw) || isSettled(scene, next);
  if (!isSettled(scene, next)) return false;
  const atEnd = next >= scene.phrases.words.length;
  return weak === 1 || !atEnd || /^\p{Lu}/u.test(scene.phrases.words[at]!.raw);
}

/** "next week" after a weekday. */
function weekAfter({ phrases }: Scene, at: number): number | undefined {
  const of = phrases.skip(at, 'of', 'prefix');
  const next = phrases.skip(of, 'next');
  if (next > of && phrases.find(next, 'unit')?.value.unit === 'week') return phrases.find(next, 'unit')!.next;
  const unit = phrases.find(of, 'unit');
  if (unit?.value.unit !== 'week') return undefined;
  const after = phrases.skip(unit.next, 'next');
  return after > unit.next ? after : undefined;
}

/** "next week", "this weekend", "end of the month", "semaine prochaine". */
function unitAt(scene: Scene, at: number): Found<Moment> | undefined {
  const { phrases } = scene;
  const end = phrases.skip(at, 'endOf');
  const inner = phrases.skip(end, 'this');
  const next = phrases.skip(inner, 'next');
  const unit = phrases.find(next, 'unit');
  if (!unit || unit.value.n > 1) return undefined;
  const after = phrases.skip(unit.next, 'next');
  const isNext = next > inner || after > unit.next;
  const tail = after > unit.next ? after : inner === end ? phrases.skip(unit.next, 'this') : unit.next;
  const isThis = inner > end || (!isNext && tail > unit.next);
  const day =
    end > at
      ? endOf(scene, unit.value.unit, isNext)
      : isNext || isThis
        ? startOf(scene, unit.value.unit, isNext)
        : undefined;
  return day === undefined ? undefined : { value: { day }, next: tail };
}

function startOf(scene: Scene, unit: Unit, isNext: boolean): number | undefined {
  const { today, firstDay } = scene;
  const saturday = inWeekOf(mondayOf(today), 6);
  switch (unit) {
    case 'week': {
      if (!isNext) return endOf(scene, unit, false);
      // The first working day: Sunday where the week begins on Saturday, else Monday.
      const first = firstDay === 6 ? 0 : 1;
      return today + ((first - weekdayOf(today) + 7) % 7 || 7) * dayMs;
    }
    case 'weekend':
      return (saturday < today && weekdayOf(today) !== 0 ? saturday + 7 * dayMs : saturday) + (isNext ? 7 * dayMs : 0);
    case 'month':
      return isNext ? addMonthsTo(today - (dayOfMonth(today) - 1) * dayMs, 1) : endOf(scene, unit, false);
    case 'year':
      return isNext ? Date.UTC(yearOf(today) + 1, 0, 1) : endOf(scene, unit, false);
    case 'workday':
      return isNext ? moveBy(today, 1, 'workday') : undefined;
    default:
      return undefined;
  }
}

function endOf({ today, firstDay }: Scene, unit: Unit, isNext: boolean): number | undefined {
  switch (unit) {
    case 'day':
      return today;
    case 'week':
      return today + (((firstDay + 6 - weekdayOf(today)) % 7) + (isNext ? 7 : 0)) * dayMs;
    case 'month':
      return addMonthsTo(today - (dayOfMonth(today) - 1) * dayMs, isNext ? 2 : 1) - dayMs;
    case 'year':
      return Date.UTC(yearOf(today) + (isNext ? 2 : 1), 0, 1) - dayMs;
    default:
      return undefined;
  }
}
