import { dayMs } from '../time/units';
import { yearDayAt } from './calendarDates';
import type { Unit } from './languages/vocabulary';
import { isComplete } from './lookahead';
import { dateAt, momentAt, singleUnit } from './moments';
import type { ParseContext } from './parseContext';
import type { PhraseMatch } from './phrases';
import { inOrder, monthDayList, ofMonth, positionAt, type Repeat, repeatOf, ruleOf, weekdayList } from './repeatParts';
import { hasDays, isSubDaily, type RuleParts } from './rule';
import { timeAt } from './times';
import type { PhraseTime } from './types';

type Draft = { -readonly [Key in keyof RuleParts]: RuleParts[Key] };

export function repeatAt(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  if (!context.phrases.canRepeat(at)) return undefined;
  const head =
    afterDone(context, at) ??
    everyAt(context, at) ??
    adverbAt(context, at) ??
    daysThenRule(context, at) ??
    weekdaysAt(context, at) ??
    positionOfEvery(context, at) ??
    monthDaysOfEvery(context, at) ??
    oneOutOf(context, at);
  return head && withTail(context, head);
}

/** A day of a month: `1` to `31`. */
const monthDay = /^([1-9]|[12]\d|3[01])$/;

const isUsable = (interval: number) => interval >= 1 && interval <= 999;

/** "3 days after completion", "every 3 days after completion". */
function afterDone(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  const amount = phrases.amount(phrases.skip(at, 'every', 'in'));
  const done = amount && phrases.find(amount.next, 'afterDone');
  if (!done || !isUsable(amount.value.n)) return undefined;
  return { value: { rule: ruleOf(context, amount.value.unit, amount.value.n), fromCompletion: true }, next: done.next };
}

function everyAt(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  const every = phrases.skip(phrases.skip(at, 'prefix'), 'every');
  if (every === at || every === phrases.skip(at, 'prefix')) return undefined;
  const inner = phrases.skip(every, 'the');
  const found = positionAt(context, inner, false) ?? spacedAt(context, inner) ?? simpleAt(context, inner);
  if (!found) return undefined;
  // Todoist's "every!" counts from the completion.
  const urgent = phrases.words[every - 1]!.tail.startsWith('!');
  return urgent ? { value: { ...found.value, fromCompletion: true }, next: found.next } : found;
}

/** "every other Tuesday", "every 2 weeks", "jeden zweiten Tag". */
function spacedAt(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  const other = phrases.skip(at, 'other');
  const spaced = other > at ? { value: 2, next: other } : (phrases.number(at) ?? phrases.ordinal(at));
  if (spaced && isUsable(spaced.value)) {
    const unit = phrases.find(spaced.next, 'unit');
    if (unit) return repeatOf(ruleOf(context, unit.value.unit, spaced.value * unit.value.n), unit.next);
    const days = phrases.words[spaced.next - 1]!.tail.startsWith(',') ? undefined : weekdayList(context, spaced.next);
    if (days) return repeatOf({ unit: 'week', interval: spaced.value, days: days.value }, days.next);
  }
  const amount = phrases.amount(at);
  return amount && isUsable(amount.value.n)
    ? repeatOf(ruleOf(context, amount.value.unit, amount.value.n), amount.next)
    : undefined;
}

/** "every day", "every Monday and Friday", "every 15th", "every Dec 24", "every morning". */
function simpleAt(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  // "todo dia 5" is a day of each month, "todo dia" is daily.
  const numbered = phrases.skip(at, 'dayNumber');
  const date = numbered > at ? phrases.match(numbered, monthDay) : undefined;
  if (date && isComplete(context, numbered + 1)) {
    return repeatOf({ unit: 'month', interval: 1, monthDays: [Number(date[0])] }, numbered + 1);
  }
  const days =
    weekdayList(context, phrases.find(at, 'unit')?.value.unit === 'day' ? at + 1 : at) ?? weekdayList(context, at);
  if (days) return repeatOf({ unit: 'week', interval: 1, days: days.value }, days.next);
  const unit = phrases.find(at, 'unit');
  if (unit) return otherDays(context, unit) ?? repeatOf(ruleOf(context, unit.value.unit, unit.value.n), unit.next);
  const yearDay = yearDayAt(context, at);
  if (yearDay) {
    const { month, day } = yearDay.value;
    return repeatOf({ unit: 'year', interval: 1, month, monthDays: [day] }, yearDay.next);
  }
  const numbers = monthDayList(context, at);
  if (numbers)
    return repeatOf({ unit: 'month', interval: 1, monthDays: numbers.value }, phrases.skip(numbers.next, 'ofMonth'));
  const month = phrases.find(at, 'month');
  if (month) return repeatOf({ unit: 'year', interval: 1, month: month.value.month, monthDays: [1] }, month.next);
  const part = phrases.find(at, 'part');
  return (
    part && {
      value: { rule: { unit: 'day', interval: 1 }, fromCompletion: false, minutes: part.value.hour * 60 },
      next: part.next,
    }
  );
}

/** "every day except weekends", "every day except on Monday and Friday": the other days of the week. */
function otherDays(context: ParseContext, { value, next }: PhraseMatch<{ unit: Unit; n: number }>) {
  const { phrases } = context;
  const except = phrases.skip(next, 'except');
  if (except === next || value.unit !== 'day' || value.n !== 1) return undefined;
  const from = phrases.skip(phrases.skip(except, 'prefix'), 'the');
  const unit = phrases.find(from, 'unit');
  const isUnit = unit?.value.unit === 'weekend' || unit?.value.unit === 'workday';
  const listed = isUnit
    ? { value: ruleOf(context, unit.value.unit, 1).days ?? [], next: unit.next }
    : weekdayList(context, from);
  const days = [1, 2, 3, 4, 5, 6, 0].filter(day => !listed?.value.some(one => one.day === day));
  if (!listed || days.length === 0) return undefined;
  return repeatOf({ unit: 'week', interval: 1, days: days.map(day => ({ nth: 0, day })) }, listed.next);
}

/** "weekly", "daily": taken at the end of a thought, not in "daily report". */
function adverbAt(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const found = context.phrases.find(at, 'rule');
  if (!found) return undefined;
  const rule = ruleOf(context, found.value.unit, found.value.n);
  return isComplete(context, found.next) || tailAt(context, found.next, rule) ? repeatOf(rule, found.next) : undefined;
}

/** "on the 1st monthly", "on Friday every 2 weeks", "am 24. Dezember jährlich": the days are before the interval. */
function daysThenRule(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  const on = phrases.skip(at, 'prefix');
  for (const from of new Set([at, on, phrases.skip(on, 'the', 'dayNumber'), phrases.skip(at, 'dayNumber')])) {
    for (const unit of ['week', 'month', 'year'] as const) {
      const rule = { unit, interval: 1 };
      const days = daysOf(context, from, rule, from > at);
      if (!days) continue;
      const time = timeTail(context, days.next);
      const often = ruleAfter(context, time?.next ?? days.next, unit);
      if (!often) continue;
      const value = { ...often.value, rule: { ...often.value.rule, ...days.value }, minutes: time?.value.minutes };
      return { value, next: often.next };
    }
  }
  return undefined;
}

function ruleAfter(context: ParseContext, at: number, unit: Unit): PhraseMatch<Repeat> | undefined {
  const found = adverbAt(context, at) ?? everyAt(context, at);
  return found?.value.rule.unit === unit && !hasDays(found.value.rule) ? found : undefined;
}

/** "mondays and thursdays", "montags". */
function weekdaysAt(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  const days: { nth: number; day: number }[] = [];
  let next = phrases.skip(phrases.skip(at, 'prefix'), 'the');
  let found = phrases.find(next, 'weekdays') ?? phrases.find(at, 'weekdays');
  while (found) {
    days.push({ nth: 0, day: found.value.day });
    next = found.next;
    found = phrases.find(phrases.skip(next, 'and'), 'weekdays');
  }
  return days.length > 0 ? repeatOf({ unit: 'week', interval: 1, days: inOrder(days) }, next) : undefined;
}

/** "the last Friday of every month": the word "every" comes late. */
function positionOfEvery(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  return positionAt(context, phrases.skip(phrases.skip(at, 'prefix'), 'the'), true);
}

/** "on the 5th of every month", "le 5 de chaque mois". */
function monthDaysOfEvery(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  const from = phrases.skip(phrases.skip(at, 'prefix'), 'the', 'dayNumber');
  const number = from > at ? phrases.match(from, monthDay) : undefined;
  const days = monthDayList(context, from) ?? (number && { value: [Number(number[0])], next: from + 1 });
  const of = days && ofMonth(context, days.next, true);
  return of !== undefined && of > days!.next
    ? repeatOf({ unit: 'month', interval: 1, monthDays: days!.value }, of)
    : undefined;
}

/** "un mardi sur deux", "une semaine sur deux". */
function oneOutOf(context: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const { phrases } = context;
  const one = phrases.number(at);
  if (one?.value !== 1) return undefined;
  const weekday = phrases.find(one.next, 'weekday');
  const unit = phrases.find(one.next, 'unit');
  const after = weekday?.next ?? unit?.next;
  const out = after === undefined ? undefined : phrases.find(after, 'outOf');
  const every = out && phrases.number(out.next);
  if (!every || !isUsable(every.value)) return undefined;
  if (weekday)
    return repeatOf({ unit: 'week', interval: every.value, days: [{ nth: 0, day: weekday.value.day }] }, every.next);
  return unit && repeatOf(ruleOf(context, unit.value.unit, every.value), every.next);
}

interface Tail {
  readonly rule?: Partial<Draft>;
  readonly fromCompletion?: true;
  readonly minutes?: number;
  readonly start?: PhraseTime;
}

/** The parts that may follow: on which days, at what time, from when, until when, how often. */
function withTail(context: ParseContext, head: PhraseMatch<Repeat>): PhraseMatch<Repeat> {
  const rule: Draft = { ...head.value.rule };
  let { fromCompletion, minutes, start } = head.value;
  let { next } = head;
  for (let turns = 0; turns < 6; turns++) {
    const tail = dayTail(context, next, rule) ?? tailAt(context, next, rule);
    if (!tail) break;
    Object.assign(rule, tail.value.rule);
    fromCompletion ||= tail.value.fromCompletion ?? false;
    minutes = tail.value.minutes ?? minutes;
    start = tail.value.start ?? start;
    next = tail.next;
  }
  return { value: { rule, fromCompletion, minutes, start }, next };
}

function dayTail(context: ParseContext, at: number, rule: RuleParts): PhraseMatch<Tail> | undefined {
  const { phrases } = context;
  if (rule.days || rule.monthDays) return undefined;
  const on = phrases.skip(at, 'prefix', 'in');
  const marked = phrases.skip(on, 'the', 'dayNumber');
  const days =
    daysOf(context, marked, rule, marked > on) ?? (marked > on ? daysOf(context, on, rule, false) : undefined);
  return days && { value: { rule: days.value }, next: days.next };
}

/** The days of a rule's week, month or year. `isMarked`: a word before a mere number says that it is a day. */
function daysOf(
  context: ParseContext,
  at: number,
  rule: RuleParts,
  isMarked: boolean,
): PhraseMatch<Partial<Draft>> | undefined {
  const { phrases } = context;
  if (rule.unit === 'week') {
    const days = weekdayList(context, at);
    return days && { value: { days: days.value }, next: days.next };
  }
  if (rule.unit === 'year') {
    const found = yearDayAt(context, at);
    return found && { value: { month: found.value.month, monthDays: [found.value.day] }, next: found.next };
  }
  if (rule.unit !== 'month') return undefined;
  const position = positionAt(context, at, false) ?? secondOfMonth(context, at);
  if (position) {
    const { days, monthDays, position: nth } = position.value.rule;
    return { value: { days, monthDays, position: nth }, next: position.next };
  }
  const named = phrases.find(at, 'unit')?.value.unit === 'day' ? phrases.match(at + 1, monthDay) : undefined;
  if (named) return { value: { monthDays: [Number(named[0])] }, next: at + 2 };
  const numbers = monthDayList(context, at);
  if (numbers) return { value: { monthDays: numbers.value }, next: numbers.next };
  const plainDay = isMarked ? phrases.match(at, monthDay) : undefined;
  return plainDay && { value: { monthDays: [Number(plainDay[0])] }, next: at + 1 };
}

/** "every month on the second Tuesday": the phrase has already named the month. */
function secondOfMonth({ phrases }: ParseContext, at: number): PhraseMatch<Repeat> | undefined {
  const second = phrases.ordinal(at);
  const weekday = second?.value === 2 ? phrases.find(second.next, 'weekday') : undefined;
  return weekday && repeatOf({ unit: 'month', interval: 1, days: [{ nth: 2, day: weekday.value.day }] }, weekday.next);
}

function tailAt(context: ParseContext, at: number, rule: RuleParts): PhraseMatch<Tail> | undefined {
  const { phrases } = context;
  const done = phrases.find(at, 'afterDone');
  if (done) return { value: { fromCompletion: true }, next: done.next };
  const until = phrases.skip(at, 'until');
  if (until > at) {
    const last = dateAt(context, until, true);
    if (last?.value.day !== undefined)
      return { value: { rule: { until: last.value.day + dayMs - 1000 } }, next: last.next };
  }
  const starting = phrases.skip(at, 'starting');
  if (starting > at) {
    const start = momentAt(context, starting);
    if (start) return { value: { start: start.value, minutes: start.value.minutes }, next: start.next };
  }
  return countAt(context, at, rule) ?? timeTail(context, at);
}

function countAt(context: ParseContext, at: number, rule: RuleParts): PhraseMatch<Tail> | undefined {
  const { phrases } = context;
  const from = phrases.skip(at, 'for');
  const joined = phrases.match(from, /^(\d{1,3})x$/);
  if (joined && Number(joined[1]) > 0) return { value: { rule: { count: Number(joined[1]) } }, next: from + 1 };
  const number = phrases.number(from);
  const times = number && number.value > 0 ? phrases.find(number.next, 'times') : undefined;
  if (times) return { value: { rule: { count: number!.value } }, next: times.next };
  const span = phrases.amount(from) ?? singleUnit(context, from);
  const next = span && phrases.skip(span.next, 'lasting');
  if (!span || (from === at && next === span.next)) return undefined;
  // "Practice every day for 2 hours" says how long one occurrence takes.
  const isShort = span.value.unit === 'minute' || span.value.unit === 'hour';
  return isShort && !isSubDaily(rule) ? undefined : { value: { rule: { duration: span.value } }, next: next! };
}

function timeTail(context: ParseContext, at: number): PhraseMatch<Tail> | undefined {
  const { phrases } = context;
  const time = timeAt(phrases, at, true) ?? timeAt(phrases, phrases.skip(at, 'prefix'), true);
  if (time) return { value: { minutes: time.value }, next: time.next };
  if (phrases.isCut(at)) return undefined;
  const part = phrases.find(phrases.skip(at, 'partPrefix'), 'part') ?? phrases.find(at, 'part');
  return part && { value: { minutes: part.value.hour * 60 }, next: part.next };
}
