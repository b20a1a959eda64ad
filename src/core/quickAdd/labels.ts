import { yearOf } from './calendar';
import type { Reminder } from './collect';
import { dateFormat, numberFormat } from './intl';
import { isTimed, type Point } from './resolve';
import type { Scene } from './scene';

/** "Tue, Dec 1, 09:00", with the year where it is not this one. */
export function pointLabel({ locale, today }: Scene, point: Point): string {
  const wall = isTimed(point) ? point.wall : point.day;
  return dateFormat(locale, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(yearOf(wall) === yearOf(today) ? {} : { year: 'numeric' }),
    ...(isTimed(point) ? { hour: 'numeric', minute: '2-digit' } : {}),
  }).format(wall);
}

/** "10 min", "1 hr": the time before. */
export function reminderLabel({ locale }: Scene, { n, unit }: Extract<Reminder, { minutes: number }>): string {
  const known = unit === 'hour' || unit === 'day' || unit === 'week' ? unit : 'minute';
  return numberFormat(locale, { style: 'unit', unit: known, unitDisplay: 'short' }).format(n);
}
