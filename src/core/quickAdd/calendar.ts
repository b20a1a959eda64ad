import { dayMs, minuteMs } from '../time/units';
import type { Unit } from './languages/vocabulary';

/** Civil days as milliseconds, encoded as if they were UTC: the arithmetic of the date grammar. */

export const dateMs = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day);
export const weekdayOf = (day: number): number => new Date(day).getUTCDay();
export const dayOnly = (wall: number): number => Math.floor(wall / dayMs) * dayMs;

/** Undefined if the calendar has no such day. */
export function realDate(year: number, month: number, day: number): number | undefined {
  if (year < 1900 || year > 2999 || month < 1 || month > 12 || day < 1) return undefined;
  const ms = dateMs(year, month, day);
  return new Date(ms).getUTCDate() === day ? ms : undefined;
}

export const yearOf = (day: number): number => new Date(day).getUTCFullYear();
export const monthOf = (day: number): number => new Date(day).getUTCMonth() + 1;
export const dayOfMonth = (day: number): number => new Date(day).getUTCDate();
export const monthLength = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** In a shorter month the last day. */
export function addMonthsTo(wall: number, months: number): number {
  const from = new Date(wall);
  const index = from.getUTCFullYear() * 12 + from.getUTCMonth() + months;
  const year = Math.floor(index / 12);
  const month = (index % 12) + 1;
  const day = Math.min(from.getUTCDate(), monthLength(year, month));
  return dateMs(year, month, day) + (wall - dayOnly(wall));
}

/** A civil value moved by whole units; hours and minutes move the wall clock. */
export function moveBy(wall: number, n: number, unit: Unit): number {
  switch (unit) {
    case 'minute':
      return wall + n * minuteMs;
    case 'hour':
      return wall + n * 60 * minuteMs;
    case 'week':
    case 'weekend':
      return wall + n * 7 * dayMs;
    case 'month':
      return addMonthsTo(wall, n);
    case 'quarter':
      return addMonthsTo(wall, n * 3);
    case 'year':
      return addMonthsTo(wall, n * 12);
    case 'workday':
      return moveWorkdays(wall, n);
    case 'day':
      return wall + n * dayMs;
  }
}

function moveWorkdays(wall: number, n: number): number {
  const step = n < 0 ? -dayMs : dayMs;
  // Whole weeks at once, so that a large number costs no more than a small one.
  const weeks = Math.trunc(Math.abs(n) / 5);
  let at = wall + weeks * 7 * step;
  for (let remaining = Math.abs(n) % 5; remaining > 0; ) {
    at += step;
    if (weekdayOf(at) % 6 !== 0) remaining--;
  }
  return at;
}
