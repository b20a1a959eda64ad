import { fromWall } from '../time/dates';
import { dayMs } from '../time/units';
import { dayOfMonth, monthLength, monthOf, moveBy, weekdayOf, yearOf } from './calendar';
import type { Frequency, Unit } from './languages/vocabulary';

const dayCodes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;

/** The parts of an RRULE that a phrase can express. */
export interface RuleParts {
  readonly unit: Unit;
  readonly interval: number;
  /** `nth` 1 first … -1 last within the month; 0 every one. */
  readonly days?: readonly { readonly nth: number; readonly day: number }[];
  readonly monthDays?: readonly number[];
  readonly month?: number;
  /** The position of the day among those of a month that match (BYSETPOS). */
  readonly position?: number;
  readonly count?: number;
  /** The last second of the series, by the wall clock. */
  readonly until?: number;
  /** The length of the series from its first occurrence. */
  readonly duration?: { readonly n: number; readonly unit: Unit };
}

const frequencies: Readonly<Record<Unit, Frequency>> = {
  minute: 'MINUTELY',
  hour: 'HOURLY',
  day: 'DAILY',
  workday: 'DAILY',
  week: 'WEEKLY',
  weekend: 'WEEKLY',
  month: 'MONTHLY',
  quarter: 'MONTHLY',
  year: 'YEARLY',
};

export const isSubDaily = ({ unit }: RuleParts) => unit === 'minute' || unit === 'hour';

/** True if the rule names its days, instead of taking that of the first occurrence. */
export const hasDays = ({ days, monthDays, month }: RuleParts) =>
  days !== undefined || monthDays !== undefined || month !== undefined;

/** RFC 5545 3.3.10. `timed` decides the type of UNTIL, which is DTSTART's. */
export function ruleText(rule: RuleParts, timed: boolean, zone: string): string {
  const { unit, days, monthDays, month, position, count, until } = rule;
  const interval = unit === 'quarter' ? rule.interval * 3 : rule.interval;
  const parts = [`FREQ=${frequencies[unit]}`];
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  if (month !== undefined) parts.push(`BYMONTH=${month}`);
  if (monthDays) parts.push(`BYMONTHDAY=${monthDays.join(',')}`);
  if (days) parts.push(`BYDAY=${days.map(({ nth, day }) => `${nth === 0 ? '' : nth}${dayCodes[day]}`).join(',')}`);
  if (position !== undefined) parts.push(`BYSETPOS=${position}`);
  if (count !== undefined) parts.push(`COUNT=${count}`);
  else if (until !== undefined) parts.push(`UNTIL=${untilText(until, timed, zone)}`);
  return parts.join(';');
}

function untilText(last: number, timed: boolean, zone: string): string {
  const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '');
  return timed ? stamp(fromWall(last, zone)) : stamp(last).slice(0, 8);
}

/** The first day of the rule that is not before `from`. */
export function firstDayOfRule(rule: RuleParts, from: number): number {
  if (!hasDays(rule)) return from;
  // Feb 29 can be eight years away; no phrase means a later day.
  for (let day = from, tries = 0; tries < 3000; tries++, day += dayMs) if (isDayOf(rule, day)) return day;
  return from;
}

/** The next day of the rule after `day`. */
export const dayAfter = (rule: RuleParts, day: number): number =>
  hasDays(rule) ? firstDayOfRule(rule, day + dayMs) : moveBy(day, rule.interval, rule.unit);

function isDayOf(rule: RuleParts, day: number): boolean {
  const length = monthLength(yearOf(day), monthOf(day));
  if (rule.month !== undefined && monthOf(day) !== rule.month) return false;
  if (rule.monthDays && !rule.monthDays.some(n => dayOfMonth(day) === (n < 0 ? length + 1 + n : n))) return false;
  if (rule.days && !rule.days.some(weekday => isNth(weekday, day, length))) return false;
  if (rule.position === undefined || !rule.days) return true;
  const dates = Array.from({ length }, (_, index) => day + (index + 1 - dayOfMonth(day)) * dayMs);
  const matching = dates.filter(date => rule.days!.some(weekday => isNth(weekday, date, length)));
  return matching.at(rule.position < 0 ? rule.position : rule.position - 1) === day;
}

function isNth({ nth, day: weekday }: { nth: number; day: number }, day: number, length: number): boolean {
  if (weekdayOf(day) !== weekday) return false;
  if (nth === 0) return true;
  return nth > 0 ? Math.ceil(dayOfMonth(day) / 7) === nth : Math.ceil((length + 1 - dayOfMonth(day)) / 7) === -nth;
}
