import { formatDuration, parseDuration } from '../time/durations';
import { hourMs, minuteMs } from '../time/units';

/** In minutes. Nobody plans with longer times: a longer one that another program writes is left as it is. */
export const maxEstimate = 60_000;

const inRange = (minutes: number): number | undefined => {
  const whole = Math.max(Math.round(minutes), minutes > 0 ? 1 : 0);
  return whole >= 1 && whole <= maxEstimate ? whole : undefined;
};

/**
 * The minutes of a DURATION; a day has 24 hours. Undefined if the value is not a duration, is negative or out of range.
 */
export function minutesOfDuration(value: string): number | undefined {
  const read = parseDuration(value);
  return read && inRange(read.days * 24 * 60 + read.ms / minuteMs);
}

export const durationOfMinutes = (minutes: number): string => formatDuration({ days: 0, ms: minutes * minuteMs });

/** `1h30`, `1.5h`, `45 min`, `90`. */
const typed = /^(?:(\d{1,4}(?:[.,]\d{1,2})?)\s*h(?:\s*([0-5]?\d)\s*(?:m|min)?)?|(\d{1,5})\s*(?:m|min)?)$/i;

/**
 * Minutes in the form that users type: `30m`, `1h30`, `1.5h`, `90`, or a DURATION. Undefined for any other text.
 *
 * @example
 * readEstimate('1h30') // 90
 */
export function readEstimate(text: string): number | undefined {
  const trimmed = text.trim();
  const found = typed.exec(trimmed);
  if (!found) return minutesOfDuration(trimmed);
  const [, hours = '0', rest, minutes] = found;
  return inRange(Number(hours.replace(',', '.')) * 60 + Number(rest ?? minutes ?? 0));
}

/** `1h30m`, as it can be typed in every language. */
export function estimateText(minutes: number): string {
  const [hours, rest] = [Math.floor((minutes * minuteMs) / hourMs), minutes % 60];
  return `${hours > 0 ? `${hours}h` : ''}${rest > 0 || hours === 0 ? `${rest}m` : ''}`;
}
