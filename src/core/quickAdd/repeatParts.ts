import type { Unit } from './languages/vocabulary';
import type { ParseContext } from './parseContext';
import type { PhraseMatch, Phrases } from './phrases';
import type { RuleParts } from './rule';
import type { PhraseTime } from './types';

/** A repetition as a phrase says it. */
export interface Repeat {
  readonly rule: RuleParts;
  readonly fromCompletion: boolean;
  /** Minutes since midnight. */
  readonly minutes?: number;
  /** The end of the series, in the same form. */
  readonly end?: number;
  /** "starting Monday". */
  readonly start?: PhraseTime;
}

export const repeatOf = (rule: RuleParts, next: number): PhraseMatch<Repeat> => ({
  value: { rule, fromCompletion: false },
  next,
});

/** "first and third Monday of the month", "last day", "last weekday". `late`: only with "of every month" after it. */
export function positionAt(context: ParseContext, at: number, late: boolean): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  const ordinals = ordinalList(context, at);
  if (!ordinals) return positionBehind(context, at, late);
  const [first] = ordinals.value;
  const weekday = phrases.find(ordinals.next, 'weekday') ?? phrases.find(ordinals.next, 'weekdays');
  const unit = weekday ? undefined : phrases.find(ordinals.next, 'unit');
  const body = weekday?.next ?? unit?.next;
  if (body === undefined || (unit && unit.value.unit !== 'day' && unit.value.unit !== 'workday')) return undefined;
  const of = ofMonth(context, body, late);
  if (late && of === body) return undefined;
  const inMonth = of > body;
  if (weekday) {
    const { day } = weekday.value;
    if (ordinals.value.some(nth => nth > 5)) return undefined;
    if (!inMonth && first === 2 && ordinals.value.length === 1) return undefined;
    return repeatOf({ unit: 'month', interval: 1, days: ordinals.value.map(nth => ({ nth, day })) }, of);
  }
  // "Every second day" is an interval; "every first workday" and "every last day" are of the month.
  if ((!inMonth && Math.abs(first!) !== 1) || ordinals.value.some(n => n > 31)) return undefined;
  if (unit!.value.unit === 'workday') {
    return repeatOf({ unit: 'month', interval: 1, days: workdays(context), position: first! }, of);
  }
  return repeatOf({ unit: 'month', interval: 1, monthDays: ordinals.value }, of);
}

/** Arabic may put the ordinal last: "the Friday the last of every month". */
function positionBehind(context: ParseContext, at: number, late: boolean): PhraseMatch<Repeat> | undefined {
  const weekday = context.phrases.find(at, 'weekday');
  const ordinal = weekday && context.phrases.find(weekday.next, 'ordinal');
  const of = ordinal ? ofMonth(context, ordinal.next, late) : 0;
  if (!ordinal || of === ordinal.next) return undefined;
  return repeatOf({ unit: 'month', interval: 1, days: [{ nth: ordinal.value.n, day: weekday.value.day }] }, of);
}

export function ofMonth({ phrases }: ParseContext, at: number, late: boolean): number {
  const every = phrases.skip(phrases.skip(at, 'of', 'prefix'), 'every');
  const unit = phrases.find(every, 'unit');
  if (unit?.value.unit === 'month' && every > phrases.skip(at, 'of', 'prefix')) return unit.next;
  const found = phrases.find(at, 'ofMonth');
  if (!found) return at;
  const names = phrases.words.slice(at, found.next).map(word => word.norm);
  return late && !names.some(name => phrases.lexicon.meanings.get(name)?.some(m => m.k === 'every')) ? at : found.next;
}

function ordinalList({ phrases }: ParseContext, at: number): PhraseMatch<number[]> | undefined {
  const values: number[] = [];
  let next = at;
  let found = phrases.ordinal(at);
  while (found && values.length < 31) {
    values.push(found.value);
    next = found.next;
    const and = phrases.skip(phrases.skip(next, 'and'), 'the');
    found = and > next || phrases.words[next - 1]!.tail === ',' ? phrases.ordinal(and) : undefined;
  }
  return values.length > 0 ? { value: values, next } : undefined;
}

export const monthDayList = (context: ParseContext, at: number): PhraseMatch<number[]> | undefined => {
  const list = ordinalList(context, at);
  return list?.value.every(n => n >= 1 && n <= 31) && !context.phrases.find(at, 'ordinal') ? list : undefined;
};

export function weekdayList(
  { phrases }: ParseContext,
  at: number,
): PhraseMatch<{ nth: number; day: number }[]> | undefined {
  const days: { nth: number; day: number }[] = [];
  const dayAt = (index: number) => phrases.find(index, 'weekday') ?? phrases.find(index, 'weekdays');
  let next = at;
  for (let found = dayAt(at); found && days.length < 14; found = dayAt(phrases.skip(next, 'and'))) {
    const { day } = found.value;
    days.push({ nth: 0, day });
    next = found.next;
    const to = phrases.skip(next, 'until');
    const last = to > next ? dayAt(to) : undefined;
    if (!last) continue;
    days.push(...daysUntil(day, last.value.day));
    next = last.next;
  }
  if (days.length === 0) return weekdayRange(phrases, at);
  return days.length > 0 ? { value: inOrder(days), next } : undefined;
}

/** "Mon-Fri" in one word. */
function weekdayRange(phrases: Phrases, at: number): PhraseMatch<{ nth: number; day: number }[]> | undefined {
  const parts = phrases.match(at, /^(\p{L}+)[-–—](\p{L}+)$/u);
  const [from, to] = [parts?.[1], parts?.[2]].map(name =>
    phrases.lexicon.meanings.get(name ?? '')?.find(meaning => meaning.k === 'weekday'),
  );
  if (from?.k !== 'weekday' || to?.k !== 'weekday') return undefined;
  return { value: inOrder([{ nth: 0, day: from.day }, ...daysUntil(from.day, to.day)]), next: at + 1 };
}

const daysUntil = (from: number, to: number) =>
  Array.from({ length: (to - from + 7) % 7 }, (_, index) => ({ nth: 0, day: (from + index + 1) % 7 }));

/** Monday first, each once. */
export function inOrder<D extends { day: number }>(days: readonly D[]): D[] {
  const unique = new Map(days.map(entry => [entry.day, entry]));
  return [...unique.values()].sort((a, b) => ((a.day + 6) % 7) - ((b.day + 6) % 7));
}

const every = (days: readonly number[]) => days.map(day => ({ nth: 0, day }));
const workdays = (context: ParseContext) => every(context.firstWorkday === 0 ? [0, 1, 2, 3, 4] : [1, 2, 3, 4, 5]);
const weekend = (context: ParseContext) => every(context.firstWorkday === 0 ? [5, 6] : [6, 0]);

export function ruleOf(context: ParseContext, unit: Unit, interval: number): RuleParts {
  if (unit === 'workday') return { unit: interval === 1 ? 'week' : 'workday', interval, days: workdays(context) };
  if (unit === 'weekend') return { unit: 'week', interval, days: weekend(context) };
  return { unit, interval };
}
