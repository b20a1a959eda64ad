import { DuelineError } from '../../core/kernel/errors';
import { formatDuration, parseDuration } from '../../core/time/dates';
import { minuteMs } from '../../core/time/units';
import { t } from '../../shared/l10n';

/** `PT1H30M` as `1h 30m`; what it cannot show is shown as it is written. */
export function durationText(duration: string | null): string {
  const read = duration === null ? undefined : parseDuration(duration);
  if (!read || read.days < 0 || read.ms < 0 || read.ms % minuteMs !== 0) return duration ?? '';
  const minutes = read.ms / minuteMs;
  const units = [
    [Math.floor(read.days / 7), 'w'],
    [read.days % 7, 'd'],
    [Math.floor(minutes / 60), 'h'],
    [minutes % 60, 'm'],
  ] as const;
  return units.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join(' ') || '0m';
}

/** "1h", "30m", "1.5 d". */
const unit = /(\d+(?:[.,]\d+)?)\s*([wdhm])/gi;

/** `1h 30m`, `1.5h`, `2d` or an RFC 5545 duration; null for nothing. Throws `invalid` for what is neither. */
export function readDuration(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (/^[+]?P/i.test(trimmed) && parseDuration(trimmed)) return trimmed.toUpperCase();
  if (trimmed.replace(unit, '').trim() !== '' || !/\d/.test(trimmed))
    throw new DuelineError(
      'invalid',
      t('“{0}” is not a duration. Use a format like 45m, 1h 30m or 2d.', trimmed.slice(0, 40)),
    );
  let [days, ms] = [0, 0];
  for (const [, number, name] of trimmed.matchAll(unit)) {
    const count = Number(number!.replace(',', '.'));
    const size = { w: 7, d: 1, h: 60 * minuteMs, m: minuteMs }[name!.toLowerCase() as 'w' | 'd' | 'h' | 'm'];
    if (size < 60) days += count * size;
    else ms += count * size;
  }
  // Half a day is twelve hours by the clock.
  return formatDuration({ days: Math.floor(days), ms: ms + (days % 1) * 24 * 60 * minuteMs });
}
