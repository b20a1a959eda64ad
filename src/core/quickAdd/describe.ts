import { formatCivil, listFormat } from './intl';
import type { RepeatUnit, RepeatWords } from './languages/repeatWords';
import { dayCodes } from './rule';

const units: Readonly<Record<string, RepeatUnit>> = {
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};

/** The parts that the words below cover; of others an ellipsis tells. */
const spoken = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'COUNT', 'UNTIL', 'WKST']);

/** A rule in words: "every 2 weeks on Tuesday". A rule that cannot be read is given back as it is. */
export function describeRepeat(
  rrule: string,
  words: RepeatWords,
  { fromCompletion = false }: { readonly fromCompletion?: boolean } = {},
): string {
  const parts = new Map(
    rrule
      .toUpperCase()
      .split(';')
      .map(part => part.split('=', 2) as [string, string]),
  );
  const unit = units[parts.get('FREQ') ?? ''];
  if (!unit) return rrule;
  const interval = Number(parts.get('INTERVAL') ?? 1) || 1;
  const days = daysOf(parts.get('BYDAY') ?? '');
  const said =
    unit === 'week' && interval === 1 && isWorkweek(days)
      ? [words.everyWeekday]
      : [words.every(unit, interval), onOf(parts, unit, days, words)];
  const until = dateOf(parts.get('UNTIL'));
  if (until !== undefined)
    said.push(
      words.until(formatCivil(words.locale, 'until', { day: 'numeric', month: 'short', year: 'numeric' }, until)),
    );
  const count = Number(parts.get('COUNT'));
  if (count > 0) said.push(words.times(count));
  if (fromCompletion) said.push(words.afterCompletion);
  if ([...parts.keys()].some(key => !spoken.has(key))) said.push('…');
  return said.filter(text => text !== '').join(' ');
}

interface NthDay {
  readonly nth: number;
  readonly day: number;
}

const daysOf = (text: string): NthDay[] =>
  text.split(',').flatMap(code => {
    const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(code);
    const day = match ? dayCodes.indexOf(match[2] as (typeof dayCodes)[number]) : -1;
    return day < 0 ? [] : [{ nth: Number(match![1] ?? 0), day }];
  });

const isWorkweek = (days: readonly NthDay[]) =>
  days.length === 5 && [1, 2, 3, 4, 5].every(day => days.some(entry => entry.day === day && entry.nth === 0));

function onOf(
  parts: ReadonlyMap<string, string>,
  unit: RepeatUnit,
  days: readonly NthDay[],
  words: RepeatWords,
): string {
  const { locale } = words;
  const position = Number(parts.get('BYSETPOS') ?? 0);
  const name = (day: number) => formatCivil(locale, 'weekday', { weekday: 'long' }, Date.UTC(2023, 0, 1 + day));
  if (position !== 0 && isWorkweek(days)) return words.onNthWorkday(position);
  if (days.length > 0) {
    const plain = days.filter(({ nth }) => nth === 0 && position === 0);
    const counted = days.filter(({ nth }) => nth !== 0 || position !== 0);
    const said = counted.map(({ nth, day }) => words.onNth(nth || position, name(day), day));
    if (plain.length > 0)
      said.unshift(
        words.onDays(
          list(
            locale,
            plain.map(({ day }) => name(day)),
          ),
        ),
      );
    return list(locale, said);
  }
  const monthDays = (parts.get('BYMONTHDAY') ?? '')
    .split(',')
    .map(Number)
    .filter(n => Number.isInteger(n) && n !== 0);
  const month = Number(parts.get('BYMONTH') ?? 0);
  const [first] = monthDays;
  if (unit === 'year' && month >= 1 && month <= 12 && monthDays.length === 1 && first! > 0) {
    return words.onDate(
      formatCivil(locale, 'day', { day: 'numeric', month: 'long' }, Date.UTC(2024, month - 1, first)),
    );
  }
  if (monthDays.length === 1 && first === -1) return words.onLastDay;
  return monthDays.length > 0 ? words.onMonthDays(list(locale, monthDays.map(String))) : '';
}

function dateOf(until: string | undefined): number | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})/.exec(until ?? '');
  return match ? Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) : undefined;
}

const list = (locale: string, parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : listFormat(locale, 'and', { type: 'conjunction' }).format(parts);
