import { splitWords } from './languages/words';
import { isComplete, joinedTimes } from './lookahead';
import { dateAt, durationAt } from './moments';
import type { ParseContext } from './parseContext';
import { type PhraseMatch, Phrases } from './phrases';
import { type ClockTime, timeAt } from './times';
import type { PhraseTime } from './types';

/** Reads two times, the beginning and the end: "3pm to 4pm", "15 bis 16 Uhr". */

/** A number that may be an hour: `3`, `15`. */
const hour = /^\d{1,2}$/;
export const dash = /^[-–—]$/;
const noon = 720;

/** Adds the end that follows right after its time. */
export function withEnd<V extends Pick<PhraseTime, 'day' | 'minutes' | 'isGuess' | 'instant'>>(
  context: ParseContext,
  found: PhraseMatch<V>,
): PhraseMatch<V & { readonly end?: number }> {
  const { minutes, isGuess, instant } = found.value;
  if (minutes === undefined || instant !== undefined || 'end' in found.value) return found;
  const { phrases } = context;
  // "Tomorrow morning" has no end.
  const last = found.next - 1;
  const isExact = (['oclock', 'am', 'pm', 'clock'] as const).some(kind => phrases.has(last, kind));
  if (!isExact && !/\d/.test(phrases.words[last]!.norm)) return found;
  const end =
    endAt(phrases, found.next) ?? hourAfter(context, found.next, minutes) ?? lengthAfter(context, found.next, minutes);
  if (!end) return found;
  const span = between({ value: minutes, isGuess }, end);
  return dated(context, { value: { ...found.value, ...span }, next: end.next });
}

/** Spans that begin with a mere number, or are in one word: "from 3 to 4pm", "3-4pm". */
export function spanAt(context: ParseContext, at: number, isAfterDate: boolean): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  if (!phrases.canJoin(at)) return undefined;
  const between = phrases.skip(at, 'between');
  const isBetween = between > at;
  const from = isBetween ? between : phrases.skip(at, 'starting', 'spanFrom', 'at');
  const isShort = isAfterDate || from > at || isShortBefore(context, at);
  const one = phrases.match(from, joinedTimes);
  if (one) return joinedAt(context, from, [one[1]!, one[2]!], isShort);
  const begin = timeAt(phrases, from, isShort);
  const next = begin?.next ?? (phrases.match(from, hour) ? from + 1 : undefined);
  if (next === undefined) return undefined;
  const end = endAt(phrases, next, isBetween) ?? (begin && hourAfter(context, next, begin.value));
  const span = end && spanOf(begin, phrases.words[from]!.norm, end);
  return span && dated(context, { value: span, next: end.next });
}

/** "3-4pm", "15-16 Uhr": the same with the two apart, and with the word that makes them hours. */
function joinedAt(
  context: ParseContext,
  at: number,
  [first, second]: readonly [string, string],
  isShort: boolean,
): PhraseMatch<PhraseTime> | undefined {
  const { phrases } = context;
  const behind = phrases.isCut(at + 1) ? [] : phrases.words.slice(at + 1, at + 3);
  const apart = new Phrases([...splitWords(`${first} ${second}`, []), ...behind], phrases.lexicon);
  const end = timeAt(apart, 1, isShort);
  const span = end && spanOf(timeAt(apart, 0, isShort), first, end);
  return span && dated(context, { value: span, next: at + end.next - 1 });
}

/** "3p to 4p tomorrow", "3-4p tomorrow"; "Compare 3a to 5a tomorrow" and "Section 3-4p tomorrow" name no times. */
function isShortBefore(context: ParseContext, at: number): boolean {
  const { phrases } = context;
  if (!phrases.lexicon.shortHalves || (at > 0 && phrases.has(at - 1, 'label'))) return false;
  const isOne = joinedTimes.test(phrases.words[at]!.norm);
  const to = isOne ? at : connectorAt(phrases, at + 1);
  if (!isOne && (to === at + 1 || !/p$/.test(phrases.words[to]?.norm ?? ''))) return false;
  const next = to + 1;
  return [next, phrases.skip(next, 'prefix')].some(from => dateAt(context, from, from > next)?.value.day !== undefined);
}

type Minutes = Pick<ClockTime, 'value' | 'isGuess'>;

/** "5:30 to 7am" is in the morning, "6:30 to 2:30" from the morning to the afternoon; "10pm to 6am" ends on the next day. */
function between(begin: Minutes, end: Minutes): { readonly minutes: number; readonly end: number } {
  const early = begin.value - noon;
  const minutes = begin.isGuess && begin.value >= end.value && early < end.value ? early : begin.value;
  if (end.value > minutes) return { minutes, end: end.value };
  return { minutes, end: (end.isGuess ? end.value - noon : end.value) + 1440 };
}

/** A number alone is in the same half of the day as the end, if it can be. */
function spanOf(begin: Minutes | undefined, text: string, last: Minutes): PhraseTime | undefined {
  if (begin) return between(begin, last);
  if (!hour.test(text)) return undefined;
  const end = last.value;
  const early = Number(text) * 60;
  const late = early < noon ? early + noon : early;
  const minutes = late < end && end > noon && early + noon < end ? late : early;
  return minutes < end ? { minutes, end } : undefined;
}

/** The index after the word that joins two times or two days: "to", "until", a dash; `at` itself if there is none. */
export function connectorAt(phrases: Phrases, at: number, isBetween = false): number {
  const before = phrases.words[at - 1];
  if (before?.gap && !(before.tail === '.' && /^\d/.test(before.norm))) return at;
  if (isBetween) return phrases.skip(at, 'and');
  return phrases.match(at, dash) ? at + 1 : phrases.skip(at, 'until', 'rangeTo');
}

function endAt(phrases: Phrases, at: number, isBetween = false): ClockTime | undefined {
  const to = connectorAt(phrases, at, isBetween);
  if (to === at) return undefined;
  const end = timeAt(phrases, to, true);
  // "9 to 5": numbers alone are not times.
  if (end && (phrases.has(to, 'at') || !hour.test(phrases.words[end.next - 1]!.norm))) return end;
  return phrases.has(at, 'at') ? timeAt(phrases, at) : undefined;
}

/** "3pm to 4": after a whole time, a number is a time, too. "At 5 to 7" may mean five minutes to seven. */
function hourAfter(context: ParseContext, at: number, begin: number): ClockTime | undefined {
  const { phrases } = context;
  const to = connectorAt(phrases, at);
  const number = to > at && !hour.test(phrases.words[at - 1]!.norm) ? phrases.match(to, hour) : undefined;
  if (!number || Number(number[0]) > 24 || !isComplete(context, to + 1)) return undefined;
  const end = Number(number[0]) * 60;
  const half = phrases.lexicon.twelveHours && end <= noon ? [end, end + noon] : [end];
  const value = [...half, end + 1440].find(minutes => minutes > begin);
  if (value === undefined || value - begin > noon) return undefined;
  const isGuess = half.length > 1 && value > 1440;
  return { value: isGuess ? end + noon : value, next: to + 1, isGuess };
}

/** "3pm for 2 hours", "15 Uhr 2 Stunden lang". "For 2 hours of work" is part of the title. */
function lengthAfter(context: ParseContext, at: number, begin: number): PhraseMatch<number> | undefined {
  const { phrases } = context;
  if (phrases.isCut(at)) return undefined;
  const from = phrases.skip(at, 'for');
  const length = durationAt(context, from);
  const next = length && phrases.skip(length.next, 'lasting');
  if (!next || (from === at && next === length.next) || phrases.has(next, 'of')) return undefined;
  return length.value > 0 && length.value <= 1440 ? { value: begin + length.value, next } : undefined;
}

/** "3pm to 4pm tomorrow". */
function dated<V extends { readonly day?: number }>(context: ParseContext, found: PhraseMatch<V>): PhraseMatch<V> {
  if (found.value.day !== undefined || 'rule' in found.value) return found;
  for (const from of [found.next, context.phrases.skip(found.next, 'prefix')]) {
    const date = dateAt(context, from, from > found.next);
    if (date?.value.day !== undefined) return { value: { ...found.value, day: date.value.day }, next: date.next };
  }
  return found;
}
