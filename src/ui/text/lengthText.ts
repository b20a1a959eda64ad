import { t } from '../../shared/l10n';

/**
 * A length of time in words.
 *
 * @example
 * lengthText(260) // '4 h 20 min'
 */
export function lengthText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return t('{0} min', rest);
  return rest === 0 ? t('{0} h', hours) : t('{0} h {1} min', hours, rest);
}
