import { dayMs } from '../time/units';
import { addMonthsTo, dayOfMonth, moveBy, weekdayOf, yearOf } from './calendar';
import { calendarDateAt } from './calendarDates';
import type { Unit } from './languages/vocabulary';
import { isComplete } from './lookahead';
import { numericDateAt } from './numericDates';
import type { ParseContext } from './parseContext';
import type { PhraseMatch } from './phrases';
import type { PhraseTime } from './types';

/** Weeks in "next Friday" begin on Monday whatever the locale: on a Sunday the next Friday is five days away. */
const mondayOf = (day: number) => day - ((weekdayOf(day) + 6) % 7) * dayMs;
const inWeekOf = (monday: number, weekday: number) => monday + ((weekday + 6) % 7) * dayMs;

export function weekdayAt(context: ParseContext, at: number, prefixed: boolean): PhraseMatch<PhraseTime> | undefined {
  const { phrases, today } = context;
  const next = phrases.skip(at, 'next');
  const here = next > at ? next : phrases.skip(at, 'this');
  const found = phrases.find(here, 'weekday');
  if (!found || found.value.joined) return undefined;
  const weekday = found.value.day;
  const after =
    found.next < phrases.words.length && !phrases.isCut(found.next) ? phrases.skip(found.next, 'next') : found.next;
  const nextWeek = weekAfter(context, found.next);
  if (nextWeek) return { value: { day: inWeekOf(mondayOf(today) + 7 * dayMs, weekday) }, next: nextWeek };
  if (next > at || after > found.next) {
    return { value: { day: inWeekOf(mondayOf(today) + 7 * dayMs, weekday) }, next: next > at ? found.next : after };
  }
  const named = here > at;
  if (!named && !isUnambiguous(context, at, found.next, found.value.ambiguity, prefixed)) return undefined;
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  const day = today + (ahead === 0 && !named ? 7 : ahead) * dayMs;
  // "Friday, 4 December": the date is more precise than the weekday, unless it is the end: "Friday until 4 December".
  const isEnd = phrases.has(found.next, 'until');
  for (const from of [found.next, isEnd ? found.next : phrases.skip(found.next, 'prefix')]) {
    const date = numericDateAt(context, from, from > found.next) ?? calendarDateAt(context, from, true);
    if (date) return date;
  }
  return { value: { day }, next: found.next };
}

function isUnambiguous(
  context: ParseContext,
  at: number,
  next: number,
  ambiguity: 0 | 1 | 2,
  prefixed: boolean,
): boolean {
  if (ambiguity === 0) return true;
  if (prefixed) return ambiguity === 1 || /^\p{Lu}/u.test(context.phrases.words[at]!.raw) || isComplete(context, next);
  if (!isComplete(context, next, ambiguity === 2)) return false;
  const atEnd = next >= context.phrases.words.length;
  return ambiguity === 1 || !atEnd || /^\p{Lu}/u.test(context.phrases.words[at]!.raw);
}

/** "next week" after a weekday. */
function weekAfter({ phrases }: ParseContext, at: number): number | undefined {
  const of = phrases.skip(at, 'of', 'prefix');
  const next = phrases.skip(of, 'next');
  if (next > of && phrases.find(next, 'unit')?.value.unit === 'week') return phrases.find(next, 'unit')!.next;
  const unit = phrases.find(of, 'unit');
  if (unit?.value.unit !== 'week') return undefined;
  const after = phrases.skip(unit.next, 'next');
  return after > unit.next ? after : undefined;
}

/** "next week", "this weekend", "end of the month", "semaine prochaine". */
export function unitAt(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  const named = phrases.find(at, 'end');
  const last = named && endOf(context, named.value.unit, false);
  if (last !== undefined) return { value: { day: last }, next: named!.next };
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
      ? endOf(context, unit.value.unit, isNext)
      : isNext || isThis
        ? startOf(context, unit.value.unit, isNext)
        : undefined;
  return day === undefined ? undefined : { value: { day }, next: tail };
}

function startOf(context: ParseContext, unit: Unit, isNext: boolean): number | undefined {
  const { today, firstWorkday } = context;
  const saturday = inWeekOf(mondayOf(today), 6);
  switch (unit) {
    case 'week': {
      if (!isNext) return endOf(context, unit, false);
      return today + ((firstWorkday - weekdayOf(today) + 7) % 7 || 7) * dayMs;
    }
    case 'weekend':
      // On a Sunday, this weekend is today.
      return isNext ? saturday + 7 * dayMs : Math.max(saturday, today);
    case 'month':
      return isNext ? addMonthsTo(today - (dayOfMonth(today) - 1) * dayMs, 1) : endOf(context, unit, false);
    case 'year':
      return isNext ? Date.UTC(yearOf(today) + 1, 0, 1) : endOf(context, unit, false);
    case 'workday':
      return isNext ? moveBy(today, 1, 'workday') : undefined;
    default:
      return undefined;
  }
}

function endOf({ today, firstDay }: ParseContext, unit: Unit, isNext: boolean): number | undefined {
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
