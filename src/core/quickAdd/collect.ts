import { dateRangeAt } from './dateRanges';
import type { Unit } from './languages/vocabulary';
import type { Range, Word } from './languages/words';
import { momentAt } from './moments';
import type { ParseContext } from './parseContext';
import { Phrases } from './phrases';
import type { Repeat } from './repeatParts';
import { repeatAt } from './repeats';
import { type SigilMatch, type SigilOptions, sigilAt } from './sigils';
import { spanAt, withEnd } from './spans';
import { halfAt, halfEnd, isName, isNumbered } from './titleWords';
import type { Moment } from './types';

/** Everything a line says, not yet weighed: of several dates one will count. */
export interface CollectedParts {
  readonly signed: SigilMatch[];
  readonly moments: { readonly range: Range; readonly value: Moment }[];
  readonly starts: { readonly range: Range; readonly value: Moment }[];
  readonly reminders: { readonly range: Range; readonly value: Reminder }[];
  repeat?: { readonly range: Range; readonly value: Repeat };
  /** Index after the last part that was read. */
  readTo?: number;
}

export type Reminder = { readonly minutes: number; readonly n: number; readonly unit: Unit } | { readonly at: Moment };

interface CollectOptions extends SigilOptions {
  readonly parseDates?: boolean;
}

export function collect(
  text: string,
  words: readonly Word[],
  scene: ParseContext,
  options: CollectOptions,
): CollectedParts {
  const found: CollectedParts = { signed: [], moments: [], starts: [], reminders: [] };
  for (let at = 0; at < words.length; ) at = readOne(text, words, scene, options, at, found);
  return found;
}

/** Reads what begins at a word; gives the index of the next word to read. */
function readOne(
  text: string,
  words: readonly Word[],
  scene: ParseContext,
  options: CollectOptions,
  at: number,
  found: CollectedParts,
): number {
  const word = words[at]!;
  if (word.blocked) return at + 1;
  const rangeTo = (next: number): Range => [word.from, words[next - 1]!.to];
  const signed = sigilAt(text, words, at, options);
  if (signed) {
    found.signed.push(signed);
    return signed.next;
  }
  if (options.parseDates === false) return at + 1;
  if (word.raw[0] === '^' || word.raw[0] === '*') return readTimeSigil(words, scene, at, found) ?? at + 1;
  if (!scene.phrases.canBegin(at) || isNumbered(scene, at)) return at + 1;
  const saying = scene.phrases.find(at, 'saying');
  if (saying) return saying.next;
  const repeat = found.repeat ? undefined : repeatAt(scene, at);
  if (repeat) {
    const whole = withEnd(scene, repeat);
    const half = halfEnd(scene, { value: { minutes: whole.value.minutes }, next: whole.next });
    if (half !== undefined) return half;
    found.repeat = { range: rangeTo(whole.next), value: whole.value };
    found.readTo = whole.next;
    return whole.next;
  }
  const range = dateRangeAt(scene, at);
  const moment = range ?? spanAt(scene, at, found.readTo === at) ?? momentAt(scene, at);
  if (!moment) return halfAt(scene, at) ?? at + 1;
  if (!range && isName(scene, at, moment)) return moment.next;
  const whole = withEnd(scene, moment);
  const half = halfEnd(scene, whole);
  if (half !== undefined) return half;
  found.moments.push({ range: rangeTo(whole.next), value: whole.value });
  found.readTo = whole.next;
  return whole.next;
}

/** Words that a phrase after `^` or `*` can take; keeps a line of nothing but signs linear. */
const reach = 12;

/** `^tomorrow`, `*10 min`, `*reminder 1 hour before`, `*friday 9am`. */
function readTimeSigil(
  words: readonly Word[],
  scene: ParseContext,
  at: number,
  found: CollectedParts,
): number | undefined {
  const first = words[at]!;
  const lead = /^[\^*]["“«(]?/.exec(first.raw)![0].length;
  const bare = { ...first, raw: first.raw.slice(lead), norm: first.norm.slice(lead) };
  const rest = bare.raw === '' ? words.slice(at + 1, at + reach) : [bare, ...words.slice(at + 1, at + reach)];
  const skipped = bare.raw === '' ? 1 : 0;
  const inner: ParseContext = { ...scene, phrases: new Phrases(rest, scene.phrases.lexicon) };
  const end = (next: number) => at + skipped + next;
  const range = (next: number): Range => [first.from, words[end(next) - 1]!.to];
  if (first.raw[0] === '^') {
    const moment = momentAt(inner, 0);
    if (!moment) return undefined;
    found.starts.push({ range: range(moment.next), value: moment.value });
    return end(moment.next);
  }
  const reminder = reminderAt(inner);
  if (!reminder) return undefined;
  found.reminders.push({ range: range(reminder.next), value: reminder.value });
  return end(reminder.next);
}

const minutesOf: Readonly<Partial<Record<Unit, number>>> = { minute: 1, hour: 60, day: 1440, week: 10_080 };

function reminderAt(scene: ParseContext): { value: Reminder; next: number } | undefined {
  const { phrases } = scene;
  const named = phrases.skip(0, 'reminder');
  const from = phrases.skip(named, 'before');
  const amount = phrases.amount(from);
  const minutes = amount && minutesOf[amount.value.unit];
  if (minutes !== undefined) {
    const { n, unit } = amount!.value;
    return { value: { minutes: minutes * n, n, unit }, next: phrases.skip(amount!.next, 'before') };
  }
  const moment = momentAt(scene, named);
  if (moment) return { value: { at: moment.value }, next: moment.next };
  return named > 0 ? { value: { minutes: 0, n: 0, unit: 'minute' }, next: named } : undefined;
}
