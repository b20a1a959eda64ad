import { splitWords } from './languages/words';
import { isComplete } from './lookahead';
import { dateAt } from './moments';
import type { ParseContext } from './parseContext';
import { type PhraseMatch, Phrases } from './phrases';
import { timeAt } from './times';
import type { Moment } from './types';

/** Two times, of which the first is when it begins and the second when it ends: "3pm to 4pm", "15 bis 16 Uhr". */

const hour = /^\d{1,2}$/;
export const dash = /^[-–—]$/;
const joined = /^(\d[\d:.h]*[a-z]*)[-–—](\d[\d:.h]*[a-z]*)$/;
const noon = 720;

/** The same, with the end that is said right after its time. */
export function withEnd<V extends { readonly day?: number; readonly minutes?: number; readonly instant?: number }>(
  scene: ParseContext,
  found: PhraseMatch<V>,
): PhraseMatch<V & { readonly end?: number }> {
  const { minutes, instant } = found.value;
  if (minutes === undefined || instant !== undefined || 'end' in found.value) return found;
  const { phrases } = scene;
  // What "tomorrow morning" means has no end to it.
  const last = found.next - 1;
  const isExact = (['oclock', 'am', 'pm', 'clock'] as const).some(kind => phrases.has(last, kind));
  if (!isExact && !/\d/.test(phrases.words[last]!.norm)) return found;
  const end = endAt(phrases, found.next) ?? hourAfter(scene, found.next, minutes);
  if (!end) return found;
  return dated(scene, { value: { ...found.value, end: later(end.value, minutes) }, next: end.next });
}

/** Spans that begin with a mere number, or stand in one word: "from 3 to 4pm", "3-4pm". */
export function spanAt(scene: ParseContext, at: number, beside: boolean): PhraseMatch<Moment> | undefined {
  const { phrases } = scene;
  if (!phrases.canJoin(at)) return undefined;
  const one = phrases.match(at, joined);
  if (one) {
    const parts = new Phrases(splitWords(`${one[1]} ${one[2]}`, []), phrases.lexicon);
    const end = timeAt(parts, 1, beside);
    const span = end && spanOf(timeAt(parts, 0, beside)?.value, one[1]!, end.value);
    return span && end.next === 2 ? dated(scene, { value: span, next: at + 1 }) : undefined;
  }
  const between = phrases.skip(at, 'between');
  const isBetween = between > at;
  const from = isBetween ? between : phrases.skip(at, 'starting', 'spanFrom', 'at');
  const begin = timeAt(phrases, from, from > at);
  const next = begin?.next ?? (phrases.match(from, hour) ? from + 1 : undefined);
  if (next === undefined) return undefined;
  const end = endAt(phrases, next, isBetween) ?? (begin && hourAfter(scene, next, begin.value));
  const span = end && spanOf(begin?.value, phrases.words[from]!.norm, end.value);
  return span && dated(scene, { value: span, next: end.next });
}

/** "10pm to 6am" ends on the next day. */
const later = (end: number, begin: number) => (end > begin ? end : end + 1440);

/** A number alone is in the same half of the day as the end, where it can be. */
function spanOf(begin: number | undefined, text: string, end: number): Moment | undefined {
  if (begin !== undefined) return { minutes: begin, end: later(end, begin) };
  if (!hour.test(text)) return undefined;
  const early = Number(text) * 60;
  const late = early < noon ? early + noon : early;
  const minutes = late < end && end > noon && early + noon < end ? late : early;
  return minutes < end ? { minutes, end } : undefined;
}

/** The index after what joins two times or two days: "to", "until", a dash; `at` itself where nothing does. */
export function connectorAt(phrases: Phrases, at: number, isBetween = false): number {
  const before = phrases.words[at - 1];
  if (before?.gap && !(before.tail === '.' && /^\d/.test(before.norm))) return at;
  if (isBetween) return phrases.skip(at, 'and');
  return phrases.match(at, dash) ? at + 1 : phrases.skip(at, 'until', 'rangeTo');
}

function endAt(phrases: Phrases, at: number, isBetween = false): PhraseMatch<number> | undefined {
  const to = connectorAt(phrases, at, isBetween);
  if (to === at) return undefined;
  const end = timeAt(phrases, to, true);
  // "9 to 5": numbers alone are no times.
  if (end && (phrases.has(to, 'at') || !hour.test(phrases.words[end.next - 1]!.norm))) return end;
  return phrases.has(at, 'at') ? timeAt(phrases, at) : undefined;
}

/** "3pm to 4": after a whole time a number is one, too. "At 5 to 7" may be before seven. */
function hourAfter(scene: ParseContext, at: number, begin: number): PhraseMatch<number> | undefined {
  const { phrases } = scene;
  const to = connectorAt(phrases, at);
  const number = to > at && !hour.test(phrases.words[at - 1]!.norm) ? phrases.match(to, hour) : undefined;
  if (!number || Number(number[0]) > 24 || !isComplete(scene, to + 1)) return undefined;
  const end = Number(number[0]) * 60;
  const half = phrases.lexicon.twelveHours && end <= noon ? [end, end + noon] : [end];
  const value = [...half, end + 1440].find(minutes => minutes > begin);
  return value !== undefined && value - begin <= noon ? { value, next: to + 1 } : undefined;
}

/** "3pm to 4pm tomorrow". */
function dated<V extends { readonly day?: number }>(scene: ParseContext, found: PhraseMatch<V>): PhraseMatch<V> {
  if (found.value.day !== undefined || 'rule' in found.value) return found;
  for (const from of [found.next, scene.phrases.skip(found.next, 'prefix')]) {
    const date = dateAt(scene, from, from > found.next);
    if (date?.value.day !== undefined) return { value: { ...found.value, day: date.value.day }, next: date.next };
  }
  return found;
}
