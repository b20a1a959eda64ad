import { parseRule, type Rule } from '../../core/recurrence/rrule';
import { civilMs, type Day, weekday } from '../../core/time/dates';
import { currentLocale, numeral, t, tn } from '../../shared/l10n';

/** An RRULE as a person says it; the rule itself where words would say less than it does. */
export function ruleText(rrule: string): string {
  const rule = parseRule(rrule);
  const words = rule && isPlain(rule) ? [frequency(rule), place(rule)].filter(Boolean).join(' ') : undefined;
  if (!rule || words === undefined) return rrule;
  if (rule.count !== undefined) return t('{0}, {1}', words, tn(rule.count, '{0} time', '{0} times'));
  if (rule.until) return t('{0}, until {1}', words, date(rule.until.civil, { dateStyle: 'medium' }));
  return words;
}

/** The usual rules as they fall on a day. */
export function commonRules(on: Day): readonly { readonly rule: string; readonly label: string }[] {
  const code = codes[weekday(on)]!;
  const weekDay = date(civilMs(on), { weekday: 'long' });
  const number = Number(on.slice(8));
  return [
    { rule: 'FREQ=DAILY', label: t('Every day') },
    { rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', label: t('Every weekday') },
    { rule: `FREQ=WEEKLY;BYDAY=${code}`, label: t('Every week on {0}', weekDay) },
    { rule: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${code}`, label: t('Every two weeks on {0}', weekDay) },
    { rule: `FREQ=MONTHLY;BYMONTHDAY=${number}`, label: t('Every month on day {0}', number) },
    { rule: 'FREQ=MONTHLY;BYMONTHDAY=-1', label: t('Every month on the last day') },
    { rule: 'FREQ=YEARLY', label: t('Every year on {0}', date(civilMs(on), { day: 'numeric', month: 'long' })) },
  ];
}

const codes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;

const isPlain = (rule: Rule) =>
  [rule.bySecond, rule.byMinute, rule.byHour, rule.byYearDay, rule.byWeekNo, rule.bySetPos].every(
    list => list.length === 0,
  ) && !(rule.byDay.length > 0 && rule.byMonthDay.length > 0);

function frequency({ freq, interval, byDay }: Rule): string | undefined {
  const isWeekdays = byDay.length === 5 && byDay.every(day => day.nth === 0 && day.weekday > 0 && day.weekday < 6);
  if (freq === 'WEEKLY' && interval === 1 && isWeekdays) return t('Every weekday');
  switch (freq) {
    case 'HOURLY':
      return tn(interval, 'Every hour', 'Every {0} hours');
    case 'DAILY':
      return tn(interval, 'Every day', 'Every {0} days');
    case 'WEEKLY':
      return tn(interval, 'Every week', 'Every {0} weeks');
    case 'MONTHLY':
      return tn(interval, 'Every month', 'Every {0} months');
    case 'YEARLY':
      return tn(interval, 'Every year', 'Every {0} years');
    default:
      return undefined;
  }
}

function place(rule: Rule): string {
  const { byDay, byMonthDay, byMonth } = rule;
  if (frequency(rule) === t('Every weekday')) return '';
  const days =
    byDay.length > 0
      ? t('on {0}', list(byDay.map(day => nthDay(day.nth, day.weekday))))
      : byMonthDay.length > 0
        ? byMonthDay.length === 1 && byMonthDay[0] === -1
          ? t('on the last day')
          : t('on day {0}', list(byMonthDay.map(numeral)))
        : '';
  const months = byMonth.map(month => date(Date.UTC(2024, month - 1, 1), { month: 'long' }));
  return [days, months.length > 0 ? t('in {0}', list(months)) : ''].filter(Boolean).join(' ');
}

/** 4 January 2026 is a Sunday. */
const nthDay = (nth: number, day: number): string => {
  const name = date(Date.UTC(2026, 0, 4 + day), { weekday: nth === 0 ? 'short' : 'long' });
  if (nth === 0) return name;
  if (nth === -1) return t('the last {0}', name);
  return nth < 0 ? t('the {0} {1} from the end', -nth, name) : t('the {0}. {1}', nth, name);
};

const list = (items: readonly string[]) => new Intl.ListFormat(currentLocale()).format(items);
const date = (civil: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(currentLocale(), { ...options, timeZone: 'UTC' }).format(civil);
