import type { Range } from '../kernel/range';
import type { Unit } from './languages/vocabulary';
import { isComplete } from './lookahead';
import { momentAt, singleUnit } from './moments';
import type { ParseContext } from './parseContext';
import type { PhraseMatch, Phrases } from './phrases';
import { timeAt } from './times';
import type { PhraseTime } from './types';

/** When to remind: "10 min", "1 hour before", "Friday 9am", after `*` or "remind me". */

export type ReminderPhrase =
  | { readonly minutes: number; readonly n: number; readonly unit: Unit }
  | { readonly at: PhraseTime };

/** "Remind me to …" at the beginning of a line. */
interface ReminderRequest {
  readonly range: Range;
  /** Index of the word after it. */
  readonly next: number;
  /** The moment right after it: "remind me tomorrow to …". */
  moment?: ReminderParts['moments'][number];
}

/** The reminders that a line asks for, and the words around them. */
export interface ReminderParts {
  readonly moments: { readonly range: Range; readonly value: PhraseTime }[];
  /** Reminders in words only count if there is a date; those after `*` also count from now. */
  readonly reminders: { readonly range: Range; readonly value: ReminderPhrase; readonly isInWords?: true }[];
  request?: ReminderRequest;
  /** Index after the last part that was read. */
  readTo?: number;
  hasTitle?: true;
}

const minutesOf: Readonly<Partial<Record<Unit, number>>> = { minute: 1, hour: 60, day: 1440, week: 10_080 };

/** `isBefore`: a word says that the time counts back from the due date. */
export function reminderAt(
  context: ParseContext,
  at: number,
): (PhraseMatch<ReminderPhrase> & { isBefore?: true }) | undefined {
  const { phrases } = context;
  const named = phrases.skip(at, 'reminder', 'remindMe', 'reminderNoun');
  const from = phrases.skip(named, 'before');
  const amount =
    phrases.amount(from) ?? (from > named ? (singleUnit(context, from) ?? unitBy(phrases, from)) : undefined);
  const minutes = amount && minutesOf[amount.value.unit];
  const moment = momentAt(context, named);
  if (minutes !== undefined) {
    const { n, unit } = amount!.value;
    const next = phrases.skip(amount!.next, 'before');
    // "2 days before Friday" is a day of its own.
    if (!moment || moment.next <= next) {
      const isBefore = from > named || next > amount!.next;
      return { value: { minutes: minutes * n, n, unit }, next, ...(isBefore ? { isBefore } : {}) };
    }
  }
  if (moment) return { value: { at: moment.value }, next: moment.next };
  return named > at ? { value: { minutes: 0, n: 0, unit: 'minute' }, next: named } : undefined;
}

/** Arabic says "before it by-an-hour", in one word. */
function unitBy(phrases: Phrases, at: number): PhraseMatch<{ n: number; unit: Unit }> | undefined {
  const word = phrases.match(at, /^ب(.+)$/);
  const unit = phrases.lexicon.meanings.get(word?.[1] ?? '')?.find(meaning => meaning.k === 'unit');
  if (unit?.k === 'unit') return { value: unit, next: at + 1 };
  return phrases.match(at, /^ب$/) ? phrases.amount(at + 1) : undefined;
}

/** Reads a request for a reminder; returns the index of the word after it. */
export function readReminder(context: ParseContext, at: number, found: ReminderParts): number | undefined {
  const { phrases } = context;
  const named = phrases.skip(at, 'remindMe');
  const isAsked = named > at;
  const isNoun = !isAsked && phrases.has(at, 'reminderNoun');
  if (!isAsked && !isNoun) return readAmountFirst(context, at, found);
  const reminder = reminderAt(context, at)!;
  if (isAsked && !found.hasTitle && !reminder.isBefore) return readRequest(context, at, found);
  const { next } = reminder;
  const isDone = isComplete(context, next);
  const isFit = reminder.isBefore
    ? isAsked || isDone
    : isAsked && (isDone || 'at' in reminder.value) && linkAt(phrases, next) === undefined;
  // "Tell Bob to remind me tomorrow" is a task, not a request for a reminder.
  const isFree = reminder.isBefore && isAsked && (!found.hasTitle || phrases.meanings(at - 1).length === 0);
  if (!isFit || !(isFree || isApart(context, at, found))) return undefined;
  found.reminders.push({ range: rangeOf(context, at, next), value: reminder.value, isInWords: true });
  found.readTo = next;
  return next;
}

/** German puts the verb last: "1 Stunde vorher erinnern". */
function readAmountFirst(context: ParseContext, at: number, found: ReminderParts): number | undefined {
  const { phrases } = context;
  const reminder = phrases.amount(at) && isApart(context, at, found) ? reminderAt(context, at) : undefined;
  const next = reminder?.isBefore ? phrases.skip(reminder.next, 'remindLast') : at;
  if (!reminder || next <= reminder.next || !isComplete(context, next)) return undefined;
  found.reminders.push({ range: rangeOf(context, at, next), value: reminder.value, isInWords: true });
  return next;
}

const rangeOf = ({ phrases: { words } }: ParseContext, at: number, next: number): Range => [
  words[at]!.from,
  words[next - 1]!.to,
];

/** A part of the line that was read is before it, or punctuation. */
const isApart = ({ phrases }: ParseContext, at: number, { readTo }: ReminderParts) =>
  at > 0 && (readTo === at || phrases.words[at - 1]!.gap);

function readRequest(context: ParseContext, at: number, found: ReminderParts): number | undefined {
  if (found.request) return undefined;
  const { phrases } = context;
  const afterMarker = phrases.skip(at, 'remindMe');
  // "Remind me by-Friday": a date may begin like what joins.
  const link = momentAt(context, afterMarker) ? undefined : linkAt(phrases, afterMarker);
  const next = link?.next ?? afterMarker;
  found.request = { range: [phrases.words[at]!.from, link?.to ?? phrases.words[afterMarker - 1]!.to], next };
  return next;
}

/** "Remind me at 5 of the bus": an hour that what follows would not let be one elsewhere. */
export function requestedTime({ phrases }: ParseContext, at: number): PhraseMatch<PhraseTime> | undefined {
  const time = timeAt(phrases, at);
  return time && linkAt(phrases, time.next) ? { value: { minutes: time.value }, next: time.next } : undefined;
}

/** The word between a request and the thing to do: "to", "daran", "d'…", "بـ…"; the last two are the beginning of a word. */
export function linkAt(phrases: Phrases, at: number): { readonly next: number; readonly to: number } | undefined {
  const next = phrases.skip(at, 'remindTo');
  if (next > at) return { next, to: phrases.words[next - 1]!.to };
  const word = phrases.words[at];
  const lead =
    word && !word.blocked && phrases.meanings(at).length === 0 ? /^(?:d['’]|ب)(?=\p{L}{2})/iu.exec(word.raw) : null;
  return lead ? { next: at, to: word!.from + lead[0].length } : undefined;
}

/** "Remind me Thursday to send the report on Monday": the first date is when to remind, the second when it is due. */
export function settleRequest(found: ReminderParts): void {
  const { request, moments } = found;
  const first = request?.moment;
  const isDated = ({ value }: { value: PhraseTime }) => value.day !== undefined || value.instant !== undefined;
  if (!first || !isDated(first) || !moments.some(moment => moment !== first && isDated(moment))) return;
  moments.splice(moments.indexOf(first), 1);
  found.reminders.push({ range: [request.range[0], first.range[1]], value: { at: first.value }, isInWords: true });
  found.request = undefined;
}
