import { ruleTextOf } from '../../core/recurrence/ruleText';
import { ruleWords } from '../../core/recurrence/ruleWords';
import { addDays, type Day, weekday } from '../../core/time/dates';
import { currentLocale, t } from '../../shared/l10n';

/** An RRULE in words; the rule itself if words could not express all of it. */
export function repeatText(rrule: string, isFromCompletion = false): string {
  const locale = currentLocale();
  const words = ruleWords(locale);
  const found = ruleTextOf(rrule, words);
  if (!found?.isWhole) return rrule;
  const [first = '', ...rest] = found.text;
  const text = first.toLocaleUpperCase(locale) + rest.join('');
  return isFromCompletion ? `${text} ${words.afterCompletion}` : text;
}

/** The announcement of a rule that a task has got, or (null) no longer has; `name` is its title, isolated. */
export const repeatedText = (name: string, rule: string | null): string =>
  rule === null ? t('Ended the repeat of {0}', name) : t('Changed the repeat of {0}', name);

/** The usual rules as they fall on a day. */
export function commonRules(on: Day): readonly { readonly rule: string; readonly label: string }[] {
  const code = weekdayCodes[weekday(on)]!;
  const [, month, day] = on.split('-').map(Number);
  const rules = [
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    `FREQ=WEEKLY;BYDAY=${code}`,
    `FREQ=WEEKLY;INTERVAL=2;BYDAY=${code}`,
    `FREQ=MONTHLY;BYMONTHDAY=${day}`,
    `FREQ=MONTHLY;BYDAY=${weekOf(on)}${code}`,
    ...(addDays(on, 1).endsWith('-01') ? ['FREQ=MONTHLY;BYMONTHDAY=-1'] : []),
  ].map(rule => ({ rule, label: repeatText(rule) }));
  // The rule has no date of its own: the task's date counts.
  return [...rules, { rule: 'FREQ=YEARLY', label: repeatText(`FREQ=YEARLY;BYMONTH=${month};BYMONTHDAY=${day}`) }];
}

const weekdayCodes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;

/** The week of its month that a day is in, for its weekday; a fifth one is the last. */
function weekOf(day: Day): number {
  const week = Math.ceil(Number(day.slice(8)) / 7);
  return week === 5 ? -1 : week;
}
