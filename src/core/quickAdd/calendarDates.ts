import { dayMs } from '../time/units';
import { addMonthsTo, dateMs, dayOfMonth, monthLength, monthOf, realDate, yearOf } from './calendar';
import { isComplete } from './lookahead';
import type { ParseContext } from './parseContext';
import type { PhraseMatch } from './phrases';
import type { PhraseTime } from './types';

/** "5 Jan", "January 5th, 2027", "5 de janeiro de 2027", "the 5th", "dia 5", "in May". */
export function calendarDateAt(
  context: ParseContext,
  at: number,
  prefixed: boolean,
): PhraseMatch<PhraseTime> | undefined {
  return (
    dayThenMonth(context, at) ?? monthThenDay(context, at) ?? monthAlone(context, at) ?? dayAlone(context, at, prefixed)
  );
}

/** Month and day, without a year or with one. */
interface YearDay {
  readonly month: number;
  readonly day: number;
}

export function yearDayAt(context: ParseContext, at: number): PhraseMatch<YearDay> | undefined {
  const { phrases } = context;
  const number = dayNumber(context, phrases.skip(at, 'the', 'dayNumber'));
  if (number) {
    const month = phrases.find(phrases.skip(number.next, 'of'), 'month');
    if (month) return { value: { day: number.value, month: month.value.month }, next: month.next };
  }
  const month = phrases.find(at, 'month');
  const day = month && dayNumber(context, phrases.skip(month.next, 'the'));
  return day && { value: { day: day.value, month: month.value.month }, next: day.next };
}

export function dayNumber({ phrases }: ParseContext, at: number): PhraseMatch<number> | undefined {
  const plain = phrases.match(at, /^\d{1,2}$/);
  const found = plain ? { value: Number(plain[0]), next: at + 1 } : phrases.ordinal(at);
  return found && found.value >= 1 && found.value <= 31 ? found : undefined;
}

export function dayThenMonth(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  const day = dayNumber(context, phrases.skip(at, 'the', 'dayNumber'));
  if (!day) return undefined;
  const month = phrases.find(phrases.skip(day.next, 'of'), 'month');
  return month && withYear(context, month.value.month, day.value, month.next);
}

export function monthThenDay(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  const month = phrases.find(at, 'month');
  const day = month && dayNumber(context, phrases.skip(month.next, 'the'));
  return day && withYear(context, month.value.month, day.value, day.next);
}

function withYear(
  context: ParseContext,
  month: number,
  day: number,
  next: number,
): PhraseMatch<PhraseTime> | undefined {
  const { phrases, today } = context;
  for (const from of [phrases.skip(next, 'of'), next]) {
    const year = phrases.match(from, /^(?:19|2\d)\d{2}$/);
    if (!year) continue;
    const date = realDate(Number(year[0]), month, day);
    if (date !== undefined) return { value: { day: date }, next: from + 1 };
  }
  const date = comingYearDay(today, { month, day });
  return date === undefined ? undefined : { value: { day: date }, next };
}

/** The first such day that is not before `from`; Feb 29 may be eight years away. */
function comingYearDay(from: number, { month, day }: YearDay): number | undefined {
  for (let year = yearOf(from); year <= yearOf(from) + 8; year++) {
    const date = realDate(year, month, day);
    if (date !== undefined && date >= from) return date;
  }
  return undefined;
}

/** "in May", "next January", "May 2027": the month's first day. */
function monthAlone(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases, today } = context;
  const afterMarker = phrases.skip(phrases.skip(at, 'in'), 'next');
  const month = phrases.find(afterMarker, 'month');
  if (!month?.value.full) return undefined;
  const from = phrases.skip(month.next, 'of');
  const year = phrases.match(from, /^20\d{2}$/);
  if (year) return { value: { day: dateMs(Number(year[0]), month.value.month, 1) }, next: from + 1 };
  if (afterMarker === at) return undefined;
  const first = comingYearDay(today, { month: month.value.month, day: 1 });
  return first === undefined ? undefined : { value: { day: first }, next: month.next };
}

/** "the 5th", "am 5.", "le 5", "dia 5": the next such day of a month. */
function dayAlone(context: ParseContext, at: number, prefixed: boolean): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  const numbered = phrases.skip(at, 'dayNumber');
  const afterMarker = numbered > at ? numbered : phrases.skip(at, 'the');
  const day = dayNumber(context, afterMarker);
  if (!day) return undefined;
  const ordinal = !/^\d+$/.test(phrases.words[afterMarker]!.norm) || phrases.words[afterMarker]!.gap;
  if (numbered === at && !(ordinal && (afterMarker > at || prefixed))) return undefined;
  const nextMonth = monthAfter(context, day.next);
  if (nextMonth) {
    const first = addMonthsTo(context.today - (dayOfMonth(context.today) - 1) * dayMs, 1);
    const date = realDate(yearOf(first), monthOf(first), day.value);
    return date === undefined ? undefined : { value: { day: date }, next: nextMonth };
  }
  if (phrases.find(afterMarker, 'ordinal') || !isComplete(context, day.next, numbered === at)) return undefined;
  const date = comingMonthDay(context.today, day.value);
  return date === undefined ? undefined : { value: { day: date }, next: day.next };
}

/** "of next month", "do mês que vem". */
function monthAfter({ phrases }: ParseContext, at: number): number | undefined {
  const of = phrases.skip(at, 'of');
  const next = phrases.skip(of, 'next');
  const unit = phrases.find(next, 'unit');
  if (unit?.value.unit !== 'month') return undefined;
  const after = phrases.skip(unit.next, 'next');
  return next > of || after > unit.next ? after : undefined;
}

/** The first day with that number that is not before `from`. */
function comingMonthDay(from: number, day: number): number | undefined {
  let year = yearOf(from);
  let month = monthOf(from) + (day < dayOfMonth(from) ? 1 : 0);
  for (let tries = 0; tries < 3; tries++, month++) {
    if (month > 12) {
      year++;
      month -= 12;
    }
    if (day <= monthLength(year, month)) return dateMs(year, month, day);
  }
  return undefined;
}
