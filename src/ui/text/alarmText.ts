import type { Alarm } from '../../core/kernel/model';
import { listFormat } from '../../core/time/intl';
import { minuteMs } from '../../core/time/units';
import { currentLanguage, t, tn } from '../../shared/l10n';
import type { DateStyle } from '../settings/settings';
import { stampLabel } from './dateText';

/** "30 minutes before it is due", "at the start", or the moment itself. */
export function alarmLabel(
  { minutesBefore, reference }: Pick<Alarm, 'minutesBefore' | 'reference'>,
  style: DateStyle,
): string {
  if (reference === 'ABSOLUTE') return stampLabel(-minutesBefore * minuteMs, style);
  const atStart = reference === 'START';
  if (minutesBefore === 0) return atStart ? t('at the start') : t('when it is due');
  const span = spanLabel(Math.abs(minutesBefore));
  if (minutesBefore < 0) return atStart ? t('{0} after the start', span) : t('{0} after it is due', span);
  return atStart ? t('{0} before the start', span) : t('{0} before it is due', span);
}

/** "25 minutes", "1 hour 5 minutes". */
export function lengthLabel(ms: number): string {
  const all = Math.floor(ms / minuteMs);
  const [hours, minutes] = [Math.floor(all / 60), all % 60];
  const parts = [
    ...(hours > 0 ? [tn(hours, '{0} hour', '{0} hours')] : []),
    ...(minutes > 0 || hours === 0 ? [tn(minutes, '{0} minute', '{0} minutes')] : []),
  ];
  return listFormat(currentLanguage(), 'units', { type: 'unit', style: 'narrow' }).format(parts);
}

/** The largest whole unit that fits. */
function spanLabel(minutes: number): string {
  if (minutes % 10_080 === 0) return tn(minutes / 10_080, '{0} week', '{0} weeks');
  if (minutes % 1440 === 0) return tn(minutes / 1440, '{0} day', '{0} days');
  if (minutes % 60 === 0) return tn(minutes / 60, '{0} hour', '{0} hours');
  return tn(minutes, '{0} minute', '{0} minutes');
}
