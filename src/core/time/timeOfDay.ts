import { minuteMs } from './units';

/** `9:00`, `23:59`. */
const shape = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** The time at which all-day tasks remind, `HH:MM`, in milliseconds after midnight; nine o'clock for any other text. */
export function timeOfDay(text: string): number {
  const [, hour = '9', minute = '0'] = shape.exec(text.trim()) ?? [];
  return (Number(hour) * 60 + Number(minute)) * minuteMs;
}
