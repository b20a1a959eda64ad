import type { Range } from '../kernel/range';
import type { Lexicon } from './languages/vocabulary';
import { beginsSigned, isComplete } from './lookahead';
import { momentAt } from './moments';
import type { ParseContext } from './parseContext';
import type { PhraseMatch, Phrases } from './phrases';
import { connectorAt, dash, withEnd } from './spans';
import type { NearDay, NearPriority, PhraseTime, QuickAddToken } from './types';

/** Words that look like a date and are part of a title. */

/** `"Monday morning"`, `„heute“`, `« demain »`, as words of their own. */
const quotes = /(?<=^|[\s([])(?:"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»)(?=$|[\s,;:.!?…)\]،؛؟])/g;

/** Words in quotes are taken literally. */
export const quoted = (line: string): Range[] =>
  [...line.matchAll(quotes)].map(({ index, 0: text }): Range => [index + 1, index + text.length - 1]);

/** "Chapter 12", "Paragraf 5.3.", "John 3:16": a number that says which. */
export function isNumbered({ phrases }: ParseContext, at: number): boolean {
  const [before, word] = [phrases.words[at - 1], phrases.words[at]!];
  if (!before || !/^\d/.test(word.norm) || (before.gap && before.tail !== '.')) return false;
  const verse = /^\d{1,2}:(\d\d)$/.exec(word.norm);
  // Nobody plans for sixteen minutes past; German nouns have a capital, so that it makes no name there.
  if (verse)
    return at > 1 && /^\p{Lu}\p{Ll}/u.test(before.raw) && Number(verse[1]) % 5 > 0 && nounsJoin(phrases) === 'any';
  const isTime = /[a-z]$/.test(word.norm) || ['oclock', 'am', 'pm'].some(kind => phrases.has(at + 1, kind as 'am'));
  return phrases.has(at - 1, 'label') && !isTime && !phrases.has(at + 1, 'month');
}

const nounsJoin = ({ lexicon }: ParseContext['phrases']) => lexicon.nounsJoin;

/** True if words that were read as a date name something: "the Sunday paper", "Mon Cheri", "The Day After Tomorrow". */
export function isName(context: ParseContext, at: number, { next }: PhraseMatch<PhraseTime>): boolean {
  const { phrases } = context;
  const first = phrases.words[at]!;
  if (phrases.find(next - 1, 'weekday') && phrases.ordinal(after(context, next, 'the'))) return true;
  if (at > 0 && next - at > 1 && first.raw === 'The' && /^\p{Lu}/u.test(phrases.words[next - 1]!.raw)) return true;
  // "In 80 days around the world".
  if (phrases.has(next, 'idiom')) return true;
  const isPlain = (['day', 'weekday', 'clock'] as const).some(kind => phrases.find(at, kind)?.next === next);
  if (!isPlain) return false;
  if (phrases.count(first.norm) > 2) return true;
  return !isComplete(context, next) && isJoined(context, at, next);
}

/**
 * True if a day belongs to the word before it, which would be left alone in the title: "about Friday", "ein Sonntag",
 * "sauf le dimanche". "Jeder Montag" is who does something; when it is done is "jeden Montag".
 */
export function isGoverned({ phrases }: ParseContext, at: number, isRepeat = false): boolean {
  if (at === 0 || phrases.isCut(at)) return false;
  const isAfter = (kind: 'about' | 'article' | 'except') =>
    [at - 1, at - 2].some(from => from >= 0 && phrases.find(from, kind)?.next === at);
  if (isAfter('except')) return true;
  const hasOwnPrefix = phrases.has(at, 'prefix') && !phrases.has(at, 'the');
  return !hasOwnPrefix && (isAfter('about') || (!isRepeat && isAfter('article')));
}

/** The end of an incomplete phrase that does not begin with a date: "from Friday", "to 3pm". */
export function halfAt(context: ParseContext, at: number): number | undefined {
  const { phrases } = context;
  // "12/20 or Friday": digits that were no date alone.
  const isRow = at > 0 && /^\d/.test(phrases.words[at - 1]!.norm);
  const from = phrases.skip(at, 'spanFrom', 'between', 'until', 'rangeTo', ...(isRow ? (['and'] as const) : []));
  const found = from > at ? momentAt(context, from) : undefined;
  if (!found) return undefined;
  const whole = withEnd(context, found);
  return halfEnd(context, whole) ?? whole.next;
}

/** Dates in a row that a line may have; hostile ones have more. */
const maxInRow = 8;

/**
 * The end of a phrase that continues after the part that can be read: "3pm to", "3pm to Friday", "Friday or Saturday".
 * Undefined if the phrase is complete.
 */
export function halfEnd(context: ParseContext, found: PhraseMatch<PhraseTime>): number | undefined {
  let last = found;
  for (let turns = 0; turns < maxInRow; turns++) {
    const rest = restOf(context, last);
    if (rest === undefined) break;
    if (typeof rest === 'number') return rest;
    last = rest;
  }
  return last === found ? undefined : last.next;
}

/** The rest of a phrase after a moment; an index if that is not a moment. */
function restOf(
  context: ParseContext,
  { value, next }: PhraseMatch<PhraseTime>,
): PhraseMatch<PhraseTime> | number | undefined {
  const { phrases } = context;
  const isDash = phrases.match(next, dash) !== undefined;
  const to = connectorAt(phrases, next);
  const from = to > next ? to : connectorAt(phrases, next, true);
  if (from === next) {
    const open = phrases.isCut(next) ? next : phrases.skip(next, 'spanFrom');
    return open > next && isEnd(phrases, open) ? open : undefined;
  }
  // "Dec 1 to Dec" is not typed to its end.
  const typed = !isDash && phrases.has(from, 'month') ? from + 1 : from;
  if (!isDash && isEnd(phrases, typed)) return typed;
  const rest = momentAt(context, from);
  const isRow = !isDash || (value.day !== undefined && rest?.value.day !== undefined);
  if (rest && isRow && (isDash || !isName(context, from, rest))) return withEnd(context, rest);
  // "1/2 to 3/4 cup"; "3pm to 14"; "Dec 24 and 25".
  if (phrases.match(next - 1, fraction) && phrases.match(from, fraction)) return from + 1;
  const isNumber =
    (phrases.has(next, 'until') && value.minutes !== undefined) || (to === next && phrases.match(next - 1, /^\d/));
  return isNumber && phrases.match(from, /^\d{1,2}$/) && isComplete(context, from + 1) ? from + 1 : undefined;
}

/** `1/2`. */
const fraction = /^\d{1,2}\/\d{1,2}$/;

/** Nothing of the title follows. */
const isEnd = ({ words }: Phrases, at: number) => at >= words.length || beginsSigned(words[at]!.raw);

/** The index after a marker that must be there; beyond the line if it is not. */
function after({ phrases }: ParseContext, at: number, kind: 'the'): number {
  const next = phrases.skip(at, kind);
  return next > at ? next : phrases.words.length;
}

/**
 * True if a day is the first part of a name that the next word completes. Romance languages and Arabic put an "of"
 * between.
 */
function isJoined({ phrases }: ParseContext, at: number, next: number): boolean {
  const { nounsJoin } = phrases.lexicon;
  const [first, follower] = [phrases.words[at]!, phrases.words[next]!];
  if (nounsJoin === undefined) return false;
  if (at > 0 && nounsJoin === 'capital' && phrases.has(at - 1, 'the') && phrases.has(at, 'day')) return true;
  if (follower.blocked || phrases.meanings(next).length > 0 || !/^\p{L}/u.test(follower.raw)) return false;
  const isCapital = /^\p{Lu}/u.test(follower.raw);
  if (nounsJoin === 'capital') return at > 0 && isCapital && /^\p{Lu}/u.test(first.raw);
  if (at > 0) return true;
  if (phrases.has(at, 'clock')) return isCapital;
  // "Mon Cheri", "Fri fries": short forms are read if more about time follows.
  return phrases.has(at, 'weekday') && !first.norm.endsWith('day');
}

/** `p1` to `p4` of Todoist, `!!` and `!!!` of Apple's Reminders. */
const foreignPriority = /(?<=^|\s)(?:p([1-4])|!{2,3})(?=\s|$)/giu;

/** The first priority of another program, if the line has none; it is offered, and stays in the title. */
export function nearPriorityIn(
  line: string,
  tokens: readonly QuickAddToken[],
  rejected: readonly Range[],
): NearPriority | undefined {
  if (tokens.some(({ kind }) => kind === 'priority')) return undefined;
  const known = [...tokens.map(({ from, to }): Range => [from, to]), ...rejected, ...quoted(line)];
  for (const { 0: word, 1: level, index: from } of line.matchAll(foreignPriority)) {
    if (known.some(([begin, end]) => begin <= from && from < end)) continue;
    const at = level === undefined ? 3 - word.length : Number(level) - 1;
    return { from, to: from + word.length, priority: [1, 5, 9, 0][at]! };
  }
  return undefined;
}

/** The first word that is nearly one for a day, of a line that has no day; it is offered, and stays in the title. */
export function nearDayIn(phrases: Phrases, tokens: readonly QuickAddToken[]): NearDay | undefined {
  for (const [at, { from, to, raw, norm, blocked }] of phrases.words.entries()) {
    if (blocked || tokens.some(token => token.from < to && from < token.to)) continue;
    const text = raw === norm ? phrases.find(at, 'day')?.value.shortFor : undefined;
    const near = text ?? dayNear(norm, phrases.lexicon);
    if (near !== undefined) return { from, to, text: /^\p{Lu}/u.test(raw) ? capitalized(near) : near };
  }
  return undefined;
}

const dayNear = (word: string, { longest, days }: Lexicon): string | undefined =>
  word.length < minLength || longest.has(word) ? undefined : [...days].find(([day]) => isNear(word, day))?.[1];

/** Many words differ from a shorter day by one letter only. */
const minLength = 5;

/**
 * True if one letter is missing, superfluous or wrong, or two are swapped; a double letter counts as one. The first and
 * the last letter must be right, since other ends make other words, such as “Montage” or “Frida”.
 */
function isNear(word: string, day: string): boolean {
  const [a, b] = [word, day].map(text => text.replace(/(.)\1/gu, '$1')) as [string, string];
  if (a[0] !== b[0] || a.at(-1) !== b.at(-1) || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const isExchanged = restA.length === 2 && restA === [...restB].reverse().join('');
  return isExchanged || Math.max(restA.length, restB.length) <= 1;
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
