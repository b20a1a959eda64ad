import { MessageError, messageOf } from '../kernel/errors';
import type { Message } from '../kernel/message';
import { coreMessage } from '../kernel/messages';
import { parseDigits } from '../lines/dateDigits';

/**
 * RRULE (RFC 5545 3.3.10) as data. Reading is tolerant of what programs write (lower case, a stray semicolon, parts
 * nobody knows); `checkRule` is the strict door for what the user sets, with messages for people. `ICAL.Recur` has none, and
 * reads other rules: one without end for COUNT=0, 2 March for UNTIL=20250230.
 */

const frequencies = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof frequencies)[number];

interface ByDay {
  /** 0 Sunday … 6 Saturday. */
  readonly weekday: number;
  /** The nth of its month or year, from the end if negative; 0 for each. */
  readonly nth: number;
}

export interface Until {
  /** The written digits as a civil value. */
  readonly civil: number;
  /** A day counts whole; `utc` is an instant; `local` a wall clock. */
  readonly kind: 'date' | 'local' | 'utc';
}

export interface Rule {
  readonly freq: Frequency;
  readonly interval: number;
  readonly count?: number;
  readonly until?: Until;
  /** 0 Sunday … 6 Saturday. */
  readonly weekStart: number;
  /** Empty if absent, and so for the lists below. */
  readonly byDay: readonly ByDay[];
  readonly bySecond: readonly number[];
  readonly byMinute: readonly number[];
  readonly byHour: readonly number[];
  readonly byMonthDay: readonly number[];
  readonly byYearDay: readonly number[];
  readonly byWeekNo: readonly number[];
  readonly byMonth: readonly number[];
  readonly bySetPos: readonly number[];
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The numbers each list may hold; `signed` ones count from the end as well and have no 0. */
const lists = {
  BYSECOND: { key: 'bySecond', min: 0, max: 60, signed: false },
  BYMINUTE: { key: 'byMinute', min: 0, max: 59, signed: false },
  BYHOUR: { key: 'byHour', min: 0, max: 23, signed: false },
  BYMONTHDAY: { key: 'byMonthDay', min: 1, max: 31, signed: true },
  BYYEARDAY: { key: 'byYearDay', min: 1, max: 366, signed: true },
  BYWEEKNO: { key: 'byWeekNo', min: 1, max: 53, signed: true },
  BYMONTH: { key: 'byMonth', min: 1, max: 12, signed: false },
  BYSETPOS: { key: 'bySetPos', min: 1, max: 366, signed: true },
} as const;
type ListName = keyof typeof lists;
type ListKey = (typeof lists)[ListName]['key'];

type Parts = ReadonlyMap<string, string>;

/** The parts of a rule in upper case, as written otherwise; the first of equal names counts. */
function partsOf(rrule: string): Parts {
  const parts = new Map<string, string>();
  for (const part of rrule.replace(/^RRULE:/i, '').split(';')) {
    const at = part.indexOf('=');
    if (at <= 0) continue;
    const name = part.slice(0, at).trim().toUpperCase();
    if (!parts.has(name))
      parts.set(
        name,
        part
          .slice(at + 1)
          .trim()
          .toUpperCase(),
      );
  }
  return parts;
}

/** The reason why a rule cannot be followed, in words. */
class RuleProblem extends MessageError {}

/**
 * The rule, or undefined if nobody could follow it: then the task is its first occurrence alone.
 *
 * @example
 * parseRule('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU') // freq 'WEEKLY', interval 2, byDay [{ weekday: 2, nth: 0 }]
 */
export function parseRule(rrule: string): Rule | undefined {
  try {
    return readRule(partsOf(rrule));
  } catch (problem) {
    if (problem instanceof RuleProblem) return undefined;
    throw problem;
  }
}

/** The reason why the user may not set this rule, or undefined if it is sound. */
export function checkRule(rrule: string): Message | undefined {
  if (/[\u0000-\u001f\u007f:]/.test(rrule)) return coreMessage('ruleNotOneLine');
  try {
    const parts = partsOf(rrule);
    const rule = readRule(parts);
    if (parts.get('INTERVAL') !== undefined && !/^0*[1-9]\d*$/.test(parts.get('INTERVAL')!))
      return coreMessage('ruleInterval');
    if (rule.count !== undefined && rule.until) return coreMessage('ruleCountAndUntil');
    if (rule.byWeekNo.length > 0 && rule.freq !== 'YEARLY') return coreMessage('ruleByWeekNo');
    if (rule.byDay.some(day => day.nth !== 0) && rule.freq !== 'YEARLY' && rule.freq !== 'MONTHLY')
      return coreMessage('ruleWeekdayNumber');
    if (rule.bySetPos.length > 0 && ![...parts.keys()].some(name => /^BY(?!SETPOS)/.test(name)))
      return coreMessage('ruleBySetPos');
    return undefined;
  } catch (problem) {
    if (problem instanceof RuleProblem) return messageOf(problem);
    throw problem;
  }
}

function readRule(parts: Parts): Rule {
  const freq = frequencies.find(name => name === parts.get('FREQ'));
  if (!freq) throw new RuleProblem(coreMessage('ruleFreq', frequencies.join(', ')));
  const scale = parts.get('RSCALE');
  if (scale !== undefined && scale !== 'GREGORIAN') throw new RuleProblem(coreMessage('ruleCalendar', scale));
  const numbers = Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [list.key, numbersOf(name as ListName, parts.get(name))]),
  ) as Record<ListKey, number[]>;
  const count = parts.get('COUNT');
  // A COUNT of nothing would say that the task does not exist, and some readers then repeat it for ever.
  if (count !== undefined && !/^\+?0*[1-9]\d*$/.test(count)) throw new RuleProblem(coreMessage('ruleCount'));
  const until = parts.get('UNTIL');
  const weekStart = weekdays.indexOf(parts.get('WKST') ?? 'MO');
  return {
    freq,
    // Programs that write INTERVAL=0 mean 1.
    interval: Math.max(1, Number.parseInt(parts.get('INTERVAL') ?? '1', 10) || 1),
    ...(count === undefined ? {} : { count: Number(count) }),
    ...(until === undefined ? {} : { until: untilOf(until) }),
    weekStart: weekStart < 0 ? 1 : weekStart,
    byDay: byDaysOf(parts.get('BYDAY')),
    ...numbers,
  };
}

function numbersOf(name: ListName, text: string | undefined): number[] {
  if (text === undefined || text === '') return [];
  const { min, max, signed } = lists[name];
  const numbers = text.split(',').map(item => {
    const number = /^[+-]?\d+$/.test(item.trim()) ? Number(item) : Number.NaN;
    const size = signed ? Math.abs(number) : number;
    if (!(size >= min && size <= max)) throw new RuleProblem(coreMessage('rulePart', name, item));
    return number;
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function byDaysOf(text: string | undefined): ByDay[] {
  if (text === undefined || text === '') return [];
  const days = text.split(',').map(item => {
    const match = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(item.trim());
    const nth = Number(match?.[1] ?? 0);
    if (!match || Math.abs(nth) > 53) throw new RuleProblem(coreMessage('ruleByDay', item));
    return { weekday: weekdays.indexOf(match[2]!), nth };
  });
  return [...new Map(days.map(day => [`${day.nth} ${day.weekday}`, day])).values()];
}

function untilOf(text: string): Until {
  const digits = parseDigits(text);
  if (!digits) throw new RuleProblem(coreMessage('ruleUntil', text));
  return digits;
}

/** The rule's text with one part set, or removed if `value` is undefined; everything else stays as it was. */
export function withPart(rrule: string, name: string, value: string | number | undefined): string {
  const kept: string[] = [];
  let found = false;
  for (const part of rrule.split(';')) {
    if (part.slice(0, part.indexOf('=')).trim().toUpperCase() !== name) kept.push(part);
    else if (value !== undefined && !found) kept.push(`${name}=${value}`);
    found ||= part.toUpperCase().startsWith(`${name}=`);
  }
  if (!found && value !== undefined) kept.push(`${name}=${value}`);
  return kept.filter(part => part !== '').join(';');
}

/** True if a rule says on which days it comes true. */
export const namesDates = (rule: Rule): boolean =>
  rule.byDay.length + rule.byMonthDay.length + rule.byYearDay.length + rule.byWeekNo.length + rule.byMonth.length > 0;

export const weekdayName = (weekday: number): string => weekdays[weekday]!;

/** A rule that names one weekday, or one date of a month or year, with those of another day in their place. */
export function ruleOn(rrule: string, wall: number): string {
  const rule = parseRule(rrule);
  const day = new Date(wall);
  if (!rule) return rrule;
  if (rule.freq === 'WEEKLY')
    return rule.byDay.length === 1 ? withPart(rrule, 'BYDAY', weekdayName(day.getUTCDay())) : rrule;
  // "Every day in June" and "the fourth Thursday of November" name no one date.
  if (rule.freq === 'DAILY' || rule.byDay.length > 0) return rrule;
  let moved = rrule;
  if (rule.byMonthDay.length === 1 && rule.byMonthDay[0]! > 0) moved = withPart(moved, 'BYMONTHDAY', day.getUTCDate());
  if (rule.byMonth.length === 1) moved = withPart(moved, 'BYMONTH', day.getUTCMonth() + 1);
  return moved;
}
