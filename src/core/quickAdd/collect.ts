import { dateRangeAt } from './dateRanges';
import type { Range, Word } from './languages/words';
import { momentAt } from './moments';
import type { ParseContext } from './parseContext';
import { Phrases } from './phrases';
import { linkAt, type ReminderParts, readReminder, reminderAt, requestedTime, settleRequest } from './reminderPhrases';
import type { Repeat } from './repeatParts';
import { repeatAt } from './repeats';
import { type SigilMatch, type SigilOptions, sigilAt } from './sigils';
import { spanAt, withEnd } from './spans';
import { halfAt, halfEnd, isGoverned, isName, isNumbered } from './titleWords';
import type { Moment } from './types';

/** Everything a line says, not yet weighed: of several dates one will count. */
export interface CollectedParts extends ReminderParts {
  readonly signed: SigilMatch[];
  readonly starts: { readonly range: Range; readonly value: Moment }[];
  repeat?: { readonly range: Range; readonly value: Repeat };
}

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
  for (let at = 0; at < words.length; ) {
    const parts = countOf(found);
    at = readOne(text, words, scene, options, at, found);
    if (countOf(found) === parts) found.hasTitle = true;
  }
  settleRequest(found);
  return found;
}

const countOf = ({ signed, moments, starts, reminders, request, repeat }: CollectedParts) =>
  signed.length + moments.length + starts.length + reminders.length + (request ? 1 : 0) + (repeat ? 1 : 0);

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
  const reminded = readReminder(scene, at, found);
  if (reminded !== undefined) return reminded;
  const repeat = found.repeat ? undefined : repeatAt(scene, at);
  if (repeat) {
    const whole = withEnd(scene, repeat);
    if (isGoverned(scene, at, true) || scene.phrases.has(whole.next, 'except')) return whole.next;
    const half = halfEnd(scene, { value: { minutes: whole.value.minutes }, next: whole.next });
    if (half !== undefined) return half;
    const link = found.request?.next === at ? linkAt(scene.phrases, whole.next) : undefined;
    found.repeat = { range: [word.from, link?.to ?? words[whole.next - 1]!.to], value: whole.value };
    found.readTo = link?.next ?? whole.next;
    return found.readTo;
  }
  const range = dateRangeAt(scene, at);
  const isAsked = found.request?.next === at;
  const moment =
    range ??
    spanAt(scene, at, found.readTo === at) ??
    momentAt(scene, at) ??
    (isAsked ? requestedTime(scene, at) : undefined);
  if (!moment) return halfAt(scene, at) ?? at + 1;
  if (!range && isName(scene, at, moment)) return moment.next;
  if (!isAsked && moment.value.day !== undefined && isGoverned(scene, at)) return moment.next;
  const whole = withEnd(scene, moment);
  const half = halfEnd(scene, whole);
  if (half !== undefined) return half;
  const link = isAsked ? linkAt(scene.phrases, whole.next) : undefined;
  const read = { range: [word.from, link?.to ?? words[whole.next - 1]!.to] as const, value: whole.value };
  found.moments.push(read);
  if (isAsked) found.request!.moment = read;
  found.readTo = link?.next ?? whole.next;
  return found.readTo;
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
  const reminder = reminderAt(inner, 0);
  if (!reminder) return undefined;
  found.reminders.push({ range: range(reminder.next), value: reminder.value });
  return end(reminder.next);
}
