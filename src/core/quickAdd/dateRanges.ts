import { dayMs } from '../time/units';
import { dayOfMonth, monthOf, realDate, yearOf } from './calendar';
import { dayNumber, dayThenMonth, monthThenDay } from './calendarDates';
import { splitWords } from './languages/words';
import { isComplete } from './lookahead';
import { bareMoment, dateAt } from './moments';
import { numericDateAt } from './numericDates';
import type { ParseContext } from './parseContext';
import { type PhraseMatch, Phrases } from './phrases';
import { connectorAt } from './spans';
import { isName } from './titleWords';
import type { PhraseTime } from './types';

/** Reads two days, the beginning and the end: "Dec 1 to Dec 5", "20.–27.12.". */

const number = String.raw`\d[\d./]*(?:st|nd|rd|th|er)?`;
/** In one word: "1-5", "20.12.–24.12.", "3rd–5th". ISO dates have hyphens of their own. */
const joined = new RegExp(
  String.raw`^(${number})-(${number}|\p{L}+)$|^([\d./-]+(?:st|nd|rd|th|er)?)[–—](${number}|[\d-]+|\p{L}+)$`,
  'u',
);

/** The most words of a range. */
const reach = 12;

/** The word before the first of two days. */
type Opener = 'from' | 'between' | 'prefix' | undefined;
type Reading = (context: ParseContext) => PhraseMatch<PhraseTime> | undefined;

export function dateRangeAt(context: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  if (!phrases.canJoin(at)) return undefined;
  const between = phrases.skip(at, 'between');
  const opened = between > at ? between : phrases.skip(at, 'starting', 'spanFrom');
  const first = between > at ? 'between' : opened > at ? 'from' : undefined;
  for (const from of new Set([opened, phrases.skip(opened, 'prefix')])) {
    const opener = first ?? (from > opened ? 'prefix' : undefined);
    const found = rangeAt(context, from, opener) ?? joinedAt(context, from, opener);
    if (found) return found;
  }
  return undefined;
}

/** "Dec 20–27": the same with the two apart. */
function joinedAt(context: ParseContext, at: number, opener: Opener): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  for (const ahead of [0, 1, 2]) {
    const found = phrases.match(at + ahead, joined);
    if (!found) continue;
    const words = phrases.words.slice(at, at + reach);
    const parts = splitWords(`${found[1] ?? found[3]} - ${found[2] ?? found[4]}${words[ahead]!.tail}`, []);
    const apart = new Phrases([...words.slice(0, ahead), ...parts, ...words.slice(ahead + 1)], phrases.lexicon);
    const range = rangeAt({ ...context, phrases: apart }, 0, opener);
    return range && range.next > ahead + 2 ? { value: range.value, next: at + range.next - 2 } : undefined;
  }
  return undefined;
}

function rangeAt(context: ParseContext, at: number, opener: Opener): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  // "3rd" alone is not a day; "Sun" is one if another day follows.
  const isDay = opener !== undefined || phrases.has(at, 'weekday') || phrases.match(at, /^\d+\/\d+$/) !== undefined;
  return (
    numbersThenMonth(context, at, opener) ??
    monthThenNumbers(context, at, opener) ??
    twoDates(context, at, opener, inner => dateAt(inner, at, isDay)) ??
    twoDates(context, at, opener, inner => bareMoment(inner, at, isDay))
  );
}

/** "20 to 27 December", "vom 20. bis 27.12.": the month is only at the end. */
function numbersThenMonth(context: ParseContext, at: number, opener: Opener): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  const first = dayNumber(context, phrases.skip(at, 'the', 'dayNumber'));
  const to = first ? connectorAt(phrases, first.next, opener === 'between') : 0;
  if (!first || to === first.next) return undefined;
  const last = dayThenMonth(context, to) ?? numericDateAt(context, to, true);
  const end = last?.value.day;
  const begin = end === undefined ? undefined : realDate(yearOf(end), monthOf(end), first.value);
  return begin === undefined || begin >= end! ? undefined : rangeOf({ day: begin }, last!);
}

/** "Dec 20 to 27": the month is only at the beginning. */
function monthThenNumbers(context: ParseContext, at: number, opener: Opener): PhraseMatch<PhraseTime> | undefined {
  const { phrases, today } = context;
  const first = monthThenDay(context, at);
  const to = first ? connectorAt(phrases, first.next, opener === 'between') : 0;
  if (first?.value.day === undefined || to === first.next) return undefined;
  const number = dayNumber(context, phrases.skip(to, 'the', 'dayNumber'));
  if (!number || phrases.find(phrases.skip(number.next, 'of'), 'month')) return undefined;
  const year = phrases.match(number.next, /^20\d{2}$/);
  const next = year ? number.next + 1 : number.next;
  const { day } = first.value;
  const inYear = (y: number) => [dayOfMonth(day), number.value].map(n => realDate(y, monthOf(day), n));
  const years = year ? [Number(year[0])] : [yearOf(today), yearOf(day)];
  for (const y of years) {
    const [begin, end] = inYear(y);
    if (begin === undefined || end === undefined || begin >= end || (!year && end < today)) continue;
    return opener || isComplete(context, next) ? rangeOf({ day: begin }, { value: { day: end }, next }) : undefined;
  }
  return undefined;
}

function twoDates(
  context: ParseContext,
  at: number,
  opener: Opener,
  readFirst: Reading,
): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  const first = readFirst(context);
  if (first?.value.day === undefined) return undefined;
  const to = connectorAt(phrases, first.next, opener === 'between');
  if (to === first.next) return undefined;
  const readLast: Reading = inner =>
    bareMoment(inner, to, true) ?? bareMoment(inner, phrases.skip(to, 'prefix', 'the'), true);
  const last = readLast(context);
  if (last?.value.day === undefined) return undefined;
  // "1/2 to 3/4 cup", "Friday to Monday show".
  const isPlain = last.next === to + 1 && /^\d/.test(phrases.words[to]!.norm) && !isComplete(context, last.next);
  if (opener === undefined && (isPlain || isName(context, to, last))) return undefined;
  return inOrder(context, [readFirst, first, !phrases.has(at, 'weekday')], [readLast, last, !phrases.has(to, 'day')]);
}

/** Days without a year are the first ones that are in order and not over. */
function inOrder(
  context: ParseContext,
  [readFirst, first, isInYear]: readonly [Reading, PhraseMatch<PhraseTime>, boolean],
  [readLast, last, canMove]: readonly [Reading, PhraseMatch<PhraseTime>, boolean],
): PhraseMatch<PhraseTime> | undefined {
  const [begin, end] = [first.value.day!, last.value.day!];
  const beginFrom = (today: number) => (isInYear ? readFirst({ ...context, today })?.value : undefined);
  if (end > begin || (end === begin && isInYear)) {
    // "Dec 20 - Dec 27, 2027": the year is only at the end.
    const near = end - begin > 366 * dayMs ? beginFrom(end - 365 * dayMs) : undefined;
    return rangeOf(near?.day !== undefined && near.day < end ? near : first.value, last);
  }
  // On Nov 23, "Nov 20 to Nov 27" is the range that has already begun.
  const running = beginFrom(end - 31 * dayMs);
  if (running?.day !== undefined && running.day < end && running.day < context.today && running.day < begin)
    return rangeOf(running, last);
  const later = canMove ? readLast({ ...context, today: begin }) : undefined;
  return later?.value.day !== undefined && later.value.day > begin ? rangeOf(first.value, later) : undefined;
}

function rangeOf({ day, minutes }: PhraseTime, last: PhraseMatch<PhraseTime>): PhraseMatch<PhraseTime> | undefined {
  const days = Math.round((last.value.day! - day!) / dayMs);
  const end = last.value.minutes;
  if (days === 0 && (minutes === undefined || end === undefined || end <= minutes)) return undefined;
  // "Monday to Friday at 9am" is each day at nine, or a week that ends at nine.
  if (minutes === undefined && end !== undefined) return undefined;
  return { value: { day, minutes, days, end }, next: last.next };
}
