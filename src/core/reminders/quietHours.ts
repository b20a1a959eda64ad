import type { EpochMs } from '../kernel/model';
import { wallOf } from '../time/dates';
import { minuteMs } from '../time/units';

/** Minutes after midnight on the user's wall clock; over midnight if `start` is the later one. */
interface QuietHours {
  readonly start: number;
  readonly end: number;
}

/**
 * `22:00-07:00`. Undefined if the text is empty, no such range, or a range without length.
 *
 * @example
 * parseQuietHours('22:00-07:00') // { start: 1320, end: 420 }
 */
export function parseQuietHours(text: string): QuietHours | undefined {
  const match = /^\s*(\d{1,2}):(\d\d)\s*[-–]\s*(\d{1,2}):(\d\d)\s*$/.exec(text);
  if (!match) return undefined;
  const [fromHour, fromMinute, toHour, toMinute] = match.slice(1).map(Number) as [number, number, number, number];
  if (fromHour > 23 || fromMinute > 59 || toMinute > 59 || toHour * 60 + toMinute > 1440) return undefined;
  const [start, end] = [fromHour * 60 + fromMinute, (toHour * 60 + toMinute) % 1440];
  return start === end ? undefined : { start, end };
}

/** True if the moment is in the range, its end excluded. */
export function isQuiet({ start, end }: QuietHours, now: EpochMs, zone: string): boolean {
  const minute = Math.floor(wallOf(now, zone) / minuteMs) % 1440;
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}
