import { yearOf } from './calendar';
import type { Reminder } from './collect';
import { formatCivil, numberFormat } from './intl';
import { isTimed, type Point } from './resolve';
import type { Scene } from './scene';

/** "Tue, Dec 1, 09:00", with the year where it is not this one. */
export function pointLabel({ locale, today }: Scene, point: Point): string {
  const isTime = isTimed(point);
  const wall = isTime ? point.wall : point.day;
  const withYear = yearOf(wall) !== yearOf(today);
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(withYear ? { year: 'numeric' } : {}),
    ...(isTime ? { hour: 'numeric', minute: '2-digit' } : {}),
  };
  return formatCivil(locale, `chip ${withYear} ${isTime}`, options, wall);
}

/** "10 min", "1 hr": the time before. */
export function reminderLabel({ locale }: Scene, { n, unit }: Extract<Reminder, { minutes: number }>): string {
  const known = unit === 'hour' || unit === 'day' || unit === 'week' ? unit : 'minute';
  return numberFormat(locale, known, { style: 'unit', unit: known, unitDisplay: 'short' }).format(n);
}
