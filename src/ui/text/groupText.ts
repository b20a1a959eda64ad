import type { PriorityBucket } from '../../core/fields/priority';
import { type Day, daysBetween, parseDay } from '../../core/time/dates';
import { briefName, t } from '../../shared/l10n';
import type { DateStyle } from '../settings/settings';
import { dayLabel, mediumDay } from './dateText';
import { priorityWord } from './taskText';

interface Today {
  readonly now: Day;
  readonly style: DateStyle;
}

/** "Tomorrow", then weekday and date. */
export function dayHeading(day: Day, { now, style }: Today): string {
  const away = daysBetween(now, day);
  return Math.abs(away) <= 1 && style.dateFormat === 'relative' ? dayLabel(day, style) : mediumDay(day);
}

/** A group's heading; `label` is the group's own name if it has one. */
export function groupLabel(key: string, label: string, making: Today): string {
  const day = parseDay(key);
  if (day) return dayHeading(day, making);
  const states: Record<string, string> = {
    none: t('No value'),
    todo: t('To do'),
    started: t('In progress'),
    done: t('Done'),
    cancelled: t('Canceled'),
  };
  if (['high', 'medium', 'low'].includes(key)) return priorityWord(key as PriorityBucket);
  return Object.hasOwn(states, key) ? states[key]! : briefName(label);
}
