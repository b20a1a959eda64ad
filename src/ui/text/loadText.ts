import type { DuelineEngine } from '../../api';
import { type Day, weekday } from '../../core/time/dates';
import { t } from '../../shared/l10n';
import type { LoadView } from '../../shared/widgetProtocol';
import { setting } from '../settings/settings';
import { lengthText } from './lengthText';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** The minutes that the user works on a day; undefined if the settings do not say. */
function roomOf(day: Day): number | undefined {
  const hours = setting('dueline.day.hours')[weekdays[weekday(day)]!];
  return typeof hours === 'number' && hours >= 0 && hours <= 24 ? Math.round(hours * 60) : undefined;
}

/**
 * How long the tasks of a day take, and how much of its hours they and meetings leave.
 *
 * @example
 * loadOfDay(engine, 260, day).label // '4 h 20 min · 3 h 40 min free' if the day has eight hours
 */
export function loadOfDay({ meetings }: Pick<DuelineEngine, 'meetings'>, minutes: number, day: Day): LoadView {
  const takes = lengthText(minutes);
  const room = roomOf(day);
  if (room === undefined) return { label: takes };
  const busy = meetings.busyMinutes(day) ?? 0;
  const free = room - busy - minutes;
  const rest = free < 0 ? t('{0} over', lengthText(-free)) : t('{0} free', lengthText(free));
  return { label: t('{0} · {1}', takes, rest), share: room === 0 ? 1 : Math.min(1, (busy + minutes) / room) };
}
