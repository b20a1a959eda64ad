import type { Range } from '../kernel/range';
import { dateRangeAt } from './dateRanges';
import type { Word } from './languages/words';
import { amountAt, momentAt } from './moments';
import type { ParseContext } from './parseContext';
import { Phrases } from './phrases';
import { linkAt, type ReminderParts, readReminder, reminderAt, requestedTime, settleRequest } from './reminderPhrases';
import type { Repeat } from './repeatParts';
import { repeatAt } from './repeats';
import { type SigilMatch, type SigilOptions, sigilAt } from './sigils';
import { spanAt, withEnd } from './spans';
import { halfAt, halfEnd, isGoverned, isName, isNumbered } from './titleWords';
import type { PhraseTime } from './types';

/** Everything a line says, not yet weighed: of several dates one will count. */
export interface CollectedParts extends ReminderParts {
  readonly signed: SigilMatch[];
  readonly starts: { readonly range: Range; readonly value: PhraseTime }[];
  repeat?: { readonly range: Range; readonly value: Repeat };
  isAmount?: true;
}

interface CollectOptions extends SigilOptions {
  readonly parseDates?: boolean;
  readonly onlyDates?: boolean;
}

export function collect(
  text: string,
  words: readonly Word[],
  context: ParseContext,
  options: CollectOptions,
): CollectedParts {
  const found: CollectedParts = { signed: [], moments: [], starts: [], reminders: [] };
  for (let at = 0; at < words.length; ) {
    const parts = countOf(found);
    at = readOne(text, words, context, options, at, found);
    if (countOf(found) === parts) found.hasTitle = true;
  }
  settleRequest(found);
  return found;
}

const countOf = ({ signed, moments, starts, reminders, request, repeat }: CollectedParts) =>
  signed.length + moments.length + starts.length + reminders.length + (request ? 1 : 0) + (repeat ? 1 : 0);

/** Reads the part that begins at a word; returns the index of the next word to read. */
function readOne(
  text: string,
  words: readonly Word[],
  context: ParseContext,
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
  if (word.raw[0] === '^' || word.raw[0] === '*') return readTimeSigil(words, context, at, found) ?? at + 1;
  const isAmount = () => options.onlyDates === true && readAmount(words, context, at, found);
  if (!context.phrases.canBegin(at) || isNumbered(context, at)) return isAmount() ? words.length : at + 1;
  const idiom = context.phrases.find(at, 'idiom');
  if (idiom) return idiom.next;
  const reminded = readReminder(context, at, found);
  if (reminded !== undefined) return reminded;
  const repeat = found.repeat ? undefined : repeatAt(context, at);
  if (repeat) {
    const whole = withEnd(context, repeat);
    if (isGoverned(context, at, true) || context.phrases.has(whole.next, 'except')) return whole.next;
    const half = halfEnd(context, { value: { minutes: whole.value.minutes }, next: whole.next });
    if (half !== undefined) return half;
    const link = found.request?.next === at ? linkAt(context.phrases, whole.next) : undefined;
    found.repeat = { range: [word.from, link?.to ?? words[whole.next - 1]!.to], value: whole.value };
    found.readTo = link?.next ?? whole.next;
    return found.readTo;
  }
  const range = dateRangeAt(context, at);
  const isAsked = found.request?.next === at;
  const moment =
    range ??
    spanAt(context, at, found.readTo === at) ??
    momentAt(context, at) ??
    (isAsked ? requestedTime(context, at) : undefined);
  // "9h" is a time of day in French.
  if (!moment) return isAmount() ? words.length : (halfAt(context, at) ?? at + 1);
  if (!range && isName(context, at, moment)) return moment.next;
  if (!isAsked && moment.value.day !== undefined && isGoverned(context, at)) return moment.next;
  const whole = withEnd(context, moment);
  const half = halfEnd(context, whole);
  if (half !== undefined) return half;
  const link = isAsked ? linkAt(context.phrases, whole.next) : undefined;
  const read = { range: [word.from, link?.to ?? words[whole.next - 1]!.to] as const, value: whole.value };
  found.moments.push(read);
  if (isAsked) found.request!.moment = read;
  found.readTo = link?.next ?? whole.next;
  return found.readTo;
}

/** Reads “3d”, “+1w” or “2 hours” if there is nothing else but a title of one word. */
function readAmount(words: readonly Word[], context: ParseContext, at: number, found: CollectedParts): boolean {
  if (at > 1 || countOf(found) > 0) return false;
  const { raw, norm, from } = words[at]!;
  const sign = /^[+-](?=.)/.exec(raw)?.[0];
  const bare = { ...words[at]!, raw: raw.slice(sign?.length ?? 0), norm: norm.slice(sign?.length ?? 0) };
  const rest = [bare, ...words.slice(at + 1, at + reach)];
  const inner: ParseContext = { ...context, phrases: new Phrases(rest, context.phrases.lexicon) };
  const amount = amountAt(inner, 0, sign === '-' ? -1 : 1);
  if (!amount || at + amount.next !== words.length) return false;
  found.moments.push({ range: [from, words.at(-1)!.to], value: amount.value });
  found.isAmount = true;
  return true;
}

/** The most words of a phrase after `^` or `*`, so that a line of nothing but signs takes linear time. */
const reach = 12;

/** `^tomorrow`, `*10 min`, `*reminder 1 hour before`, `*friday 9am`. */
function readTimeSigil(
  words: readonly Word[],
  context: ParseContext,
  at: number,
  found: CollectedParts,
): number | undefined {
  const first = words[at]!;
  const lead = /^[\^*]["“«(]?/.exec(first.raw)![0].length;
  const bare = { ...first, raw: first.raw.slice(lead), norm: first.norm.slice(lead) };
  const rest = bare.raw === '' ? words.slice(at + 1, at + reach) : [bare, ...words.slice(at + 1, at + reach)];
  const skipped = bare.raw === '' ? 1 : 0;
  const inner: ParseContext = { ...context, phrases: new Phrases(rest, context.phrases.lexicon) };
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
