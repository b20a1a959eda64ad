import type { EpochMs } from '../kernel/model';
import { isoText } from '../time/dates';

export interface Digits {
  /** The date and time as written, a wall clock as if it were UTC. */
  readonly civil: number;
  readonly kind: 'date' | 'local' | 'utc';
}

/** `20261224`, `20261224T150000`, `20261224T150000Z`. */
const form = /^\d{8}(?:T\d{6}Z?)?$/i;

/**
 * `YYYYMMDD[THHMMSS[Z]]`; undefined if a digit or the calendar is wrong. ical.js makes 01:00 of the next day of
 * `20250101T250000`.
 *
 * @example
 * parseDigits('20261224T150000Z') // { civil: Date.UTC(2026, 11, 24, 15), kind: 'utc' }
 */
export function parseDigits(text: string): Digits | undefined {
  const digits = text.trim();
  if (!form.test(digits)) return undefined;
  const timed = digits.length > 8;
  const day = numberAt(digits, 6, 8);
  const date = new Date(0);
  date.setUTCFullYear(numberAt(digits, 0, 4), numberAt(digits, 4, 6) - 1, day);
  const isDay = day > 0 && date.getUTCDate() === day && date.getUTCMonth() === numberAt(digits, 4, 6) - 1;
  const seconds = timed ? secondsAt(digits) : 0;
  if (!isDay || seconds === undefined) return undefined;
  return { civil: date.getTime() + seconds * 1000, kind: !timed ? 'date' : digits.length === 16 ? 'utc' : 'local' };
}

/** The seconds of `YYYYMMDDTHHMMSS`. The epoch's clock has no leap second: the second before takes its place. */
function secondsAt(digits: string): number | undefined {
  const [hour, minute, second] = [numberAt(digits, 9, 11), numberAt(digits, 11, 13), numberAt(digits, 13, 15)];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  return (hour * 60 + minute) * 60 + Math.min(second, 59);
}

function numberAt(digits: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + digits.charCodeAt(at) - 0x30;
  return value;
}

/** `YYYYMMDD` of a civil value. */
export const formatDay = (civil: number): string => isoText(civil).slice(0, 10).replaceAll('-', '');

/** `YYYYMMDDTHHMMSS` of a civil value. */
export const formatWall = (civil: number): string =>
  isoText(civil).slice(0, 19).replaceAll('-', '').replaceAll(':', '');

/**
 * @example
 * formatUtc(Date.UTC(2026, 11, 24, 15)) // '20261224T150000Z'
 */
export const formatUtc = (instant: EpochMs): string => `${formatWall(instant)}Z`;
