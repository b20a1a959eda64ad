import type { Range } from './languages/words';
import { isComplete } from './lookahead';
import type { ParseContext } from './parseContext';
import type { PhraseMatch } from './phrases';
import type { Moment } from './types';

/** Words that look like a date and are part of a title. */

const quotes = /(?<=^|[\s([])(?:"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»)(?=$|[\s,;:.!?…)\]،؛؟])/g;

/** What is in quotes is said as it is. */
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

/** Whether words that were read as a date name something: "the Sunday paper", "Mon Cheri", "The Day After Tomorrow". */
export function isName(scene: ParseContext, at: number, { next }: PhraseMatch<Moment>): boolean {
  const { phrases } = scene;
  const first = phrases.words[at]!;
  if (phrases.find(next - 1, 'weekday') && phrases.ordinal(after(scene, next, 'the'))) return true;
  if (at > 0 && next - at > 1 && first.raw === 'The' && /^\p{Lu}/u.test(phrases.words[next - 1]!.raw)) return true;
  // "Jeder Montag" is who does something; when it is done is "jeden Montag".
  if (at > 0 && phrases.has(at - 1, 'nominative')) return true;
  // "In 80 days around the world".
  if (phrases.has(next, 'saying')) return true;
  const isBare = (['day', 'weekday', 'clock'] as const).some(kind => phrases.find(at, kind)?.next === next);
  if (!isBare) return false;
  if (phrases.words.filter(({ norm }) => norm === first.norm).length > 2) return true;
  return !isComplete(scene, next) && isJoined(scene, at, next);
}

/** The index after a marker that must be there; beyond the line where it is not. */
function after({ phrases }: ParseContext, at: number, kind: 'the'): number {
  const next = phrases.skip(at, kind);
  return next > at ? next : phrases.words.length;
}

/** Whether a day is the first part of what the next word names. Romance languages and Arabic put an "of" between. */
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
  // "Mon Cheri", "Fri fries": short forms are read where more about time follows.
  return phrases.has(at, 'weekday') && !first.norm.endsWith('day');
}
