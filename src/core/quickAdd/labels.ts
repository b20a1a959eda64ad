import { timeOptions } from '../kernel/dateFormats';
import { formatCivil, numberFormat } from '../time/intl';
import { dayMs } from '../time/units';
import { yearOf } from './calendar';
import type { ParseContext } from './parseContext';
import type { ReminderPhrase } from './reminderPhrases';
import { isTimed, type Point, pointText } from './resolve';

/** "Tue, Dec 1, 09:00", with the year if it is not this one; "2026-12-01 09:00" if the user's dates are written so. */
export function pointLabel({ locale, today, dateFormat, timeFormat }: ParseContext, point: Point): string {
  const isTime = isTimed(point);
  const wall = isTime ? point.wall : point.day;
  const time = timeOptions(timeFormat);
  if (dateFormat === 'iso') {
    const day = pointText(point).slice(0, 10);
    return isTime ? `${day} ${formatCivil(locale, `time ${timeFormat}`, time, wall)}` : day;
  }
  const withYear = yearOf(wall) !== yearOf(today);
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(withYear ? { year: 'numeric' } : {}),
    ...(isTime ? time : {}),
  };
  return formatCivil(locale, `chip ${withYear} ${isTime} ${timeFormat}`, options, wall);
}

/** "Tue, Dec 1, 15:00 – 16:00", "Tue, Dec 1 – Sat, Dec 5". */
export function spanLabel(context: ParseContext, start: Point, end: Point): string {
  const { locale, timeFormat } = context;
  if (!isTimed(start) || !isTimed(end) || end.wall - start.wall >= dayMs)
    return `${pointLabel(context, start)} – ${pointLabel(context, end)}`;
  const until = formatCivil(locale, `time ${timeFormat}`, timeOptions(timeFormat), end.wall);
  return `${pointLabel(context, start)} – ${until}`;
}

/** "10 min", "1 hr": the time before. */
export function reminderLabel(
  { locale }: ParseContext,
  { n, unit }: Extract<ReminderPhrase, { minutes: number }>,
): string {
  const known = unit === 'hour' || unit === 'day' || unit === 'week' ? unit : 'minute';
  return numberFormat(locale, known, { style: 'unit', unit: known, unitDisplay: 'short' }).format(n);
}
