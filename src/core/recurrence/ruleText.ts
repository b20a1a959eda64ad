import { formatCivil, listFormat, numberFormat } from '../time/intl';
import { parseRule, type Rule } from './rrule';
import type { RuleWords } from './ruleWords';

/**
 * A rule in words: "every 2 weeks on Tuesday". `isWhole` if the words express all of it, so that the rule could be
 * restored from them.
 */
interface RuleText {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * The words of a rule; undefined if the text is not a rule, or has a frequency that no words cover (RFC 5545 3.3.10).
 */
export function ruleTextOf(rrule: string, words: RuleWords): RuleText | undefined {
  const rule = parseRule(rrule);
  const unit = rule && units[rule.freq];
  if (!rule || !unit) return undefined;
  const days = daysText(rule, words);
  const isEveryWeekday = rule.freq === 'WEEKLY' && rule.interval === 1 && isWorkweek(rule) && !rule.bySetPos.length;
  const phrases = isEveryWeekday ? [words.everyWeekday] : [words.every(unit, rule.interval), days.text];
  if (rule.until) phrases.push(words.until(formatCivil(words.locale, 'until', untilFormat, rule.until.civil)));
  const hasOtherParts = [rule.bySecond, rule.byMinute, rule.byHour, rule.byYearDay, rule.byWeekNo].some(
    part => part.length > 0,
  );
  const text = phrases.filter(part => part !== '').join(' ');
  return {
    text: rule.count === undefined ? text : `${text}${words.comma} ${words.times(rule.count)}`,
    isWhole: days.isWhole && !hasOtherParts,
  };
}

/**
 * A rule for a short line: an ellipsis stands for parts that no words cover. Text that is not a rule is returned as it
 * is.
 */
export function describeRepeat(
  rrule: string,
  words: RuleWords,
  { fromCompletion = false }: { readonly fromCompletion?: boolean } = {},
): string {
  const found = ruleTextOf(rrule, words);
  if (!found) return rrule;
  return [found.text, ...(fromCompletion ? [words.afterCompletion] : []), ...(found.isWhole ? [] : ['…'])].join(' ');
}

const units = {
  SECONDLY: undefined,
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
} as const;
const untilFormat = { day: 'numeric', month: 'short', year: 'numeric' } as const;

const isWorkweek = ({ byDay }: Rule) =>
  byDay.length === 5 && [1, 2, 3, 4, 5].every(day => byDay.some(({ weekday, nth }) => weekday === day && nth === 0));

/** The days that a rule names, and whether that is all it says of days. */
function daysText(rule: Rule, words: RuleWords): RuleText {
  const { byDay, byMonthDay, byMonth, bySetPos, freq } = rule;
  const { locale } = words;
  const [monthDay] = byMonthDay;
  if (freq === 'YEARLY' && byMonth.length === 1 && byMonthDay.length === 1 && monthDay! > 0 && byDay.length === 0) {
    const date = Date.UTC(2024, byMonth[0]! - 1, monthDay);
    const text = words.onDate(formatCivil(locale, 'day', { day: 'numeric', month: 'long' }, date));
    return { text, isWhole: bySetPos.length === 0 };
  }
  const days = byDay.length > 0 ? weekdaysText(rule, words) : monthDaysText(byMonthDay, words);
  const names = byMonth.map(month => formatCivil(locale, 'month', { month: 'long' }, Date.UTC(2024, month - 1, 1)));
  const months = names.length > 0 ? words.inMonths(listText(locale, names)) : '';
  const hasBoth = byDay.length > 0 && byMonthDay.length > 0;
  const isPositionCovered =
    bySetPos.length === 0 || (bySetPos.length === 1 && (isWorkweek(rule) || byDay.length === 1));
  return { text: [days, months].filter(Boolean).join(' '), isWhole: !hasBoth && isPositionCovered };
}

function weekdaysText(rule: Rule, words: RuleWords): string {
  const { locale } = words;
  const position = rule.bySetPos.length === 1 ? rule.bySetPos[0]! : 0;
  if (position !== 0 && isWorkweek(rule)) return words.onNthWorkday(position);
  const name = (day: number) => formatCivil(locale, 'weekday', { weekday: 'long' }, Date.UTC(2023, 0, 1 + day));
  const ordinal = (nth: number) => nth || (rule.byDay.length === 1 ? position : 0);
  const plain = rule.byDay.filter(({ nth }) => ordinal(nth) === 0).map(({ weekday }) => name(weekday));
  const counted = rule.byDay
    .filter(({ nth }) => ordinal(nth) !== 0)
    .map(({ nth, weekday }) => words.onNth(ordinal(nth), name(weekday), weekday));
  return listText(locale, [...(plain.length > 0 ? [words.onDays(listText(locale, plain))] : []), ...counted]);
}

function monthDaysText(days: readonly number[], words: RuleWords): string {
  const last = days.includes(-1) ? [words.onLastDay] : [];
  const number = numberFormat(words.locale, 'day of the month', {});
  const others = days.filter(day => day !== -1).map(day => number.format(day));
  const phrases = others.length > 0 ? [words.onMonthDays(listText(words.locale, others)), ...last] : last;
  return listText(words.locale, phrases);
}

const listText = (locale: string, parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : listFormat(locale, 'and', { type: 'conjunction' }).format(parts);
