import type { DuelineEngine } from '../api';
import { type Day, today, weekday } from '../core/time/dates';
import { firstWorkdayOf } from '../core/time/weekStart';
import { t } from '../shared/l10n';
import { daysLater } from './reschedule';
import { dateStyle } from './settings/settings';

interface PresetDay {
  readonly label: string;
  readonly icon: string;
  readonly day: Day;
  readonly isNextWeek?: boolean;
}

/** The days that a date is chosen from with one click. */
export function presetDays(engine: DuelineEngine): readonly PresetDay[] {
  const style = dateStyle(engine);
  const now = today(style.clock, style.startHour);
  const { firstDay, locale } = engine.settings;
  const toNextWeek = (firstWorkdayOf(firstDay, locale) + 7 - weekday(now)) % 7 || 7;
  const presets = [
    { label: t('Today'), icon: 'calendar', day: now },
    { label: t('Tomorrow'), icon: 'arrow-right', day: daysLater(now, 1) },
    { label: t('Next week'), icon: 'arrow-right', day: daysLater(now, toNextWeek), isNextWeek: true },
    { label: t('In two weeks'), icon: 'arrow-right', day: daysLater(now, 14) },
  ];
  // On the day before next week begins, tomorrow and next week are the same day: one line names both.
  return presets.filter(({ day }, at) => at === 2 || presets.findIndex(preset => preset.day === day) === at);
}

/** The preset days with the weekend, unless that is today or tomorrow. */
export function nearDays(engine: DuelineEngine): readonly Pick<PresetDay, 'label' | 'day'>[] {
  const days = presetDays(engine);
  const now = days[0]!.day;
  const { firstDay, locale } = engine.settings;
  const saturday = firstWorkdayOf(firstDay, locale) === 0 ? 5 : 6;
  const away = (saturday + 7 - weekday(now)) % 7;
  const weekend = { label: t('This weekend'), icon: 'arrow-right', day: daysLater(now, away) };
  return away < 2 || away > 5 ? days : [...days, weekend].toSorted((a, b) => (a.day < b.day ? -1 : 1));
}
