import type { Task } from '../kernel/model';
import { fromWall, isoText, resolveZone, wallOf } from '../time/dates';
import { minuteMs } from '../time/units';

type Coded = Pick<Task, 'isAllDay' | 'timezone'>;

/** `2026-12-01`, `2026-12-01T09:00:00` (floating), `2026-12-01T09:00:00+01:00` (the wall clock of its zone). */
export function writeDate(value: number, { isAllDay, timezone }: Coded, userZone: string): string {
  if (timezone === null) return isAllDay ? isoOf(value).slice(0, 10) : isoOf(value);
  const zone = timezone === 'UTC' ? userZone : (resolveZone(timezone) ?? 'UTC');
  const wall = wallOf(value, zone);
  const minutes = Math.round((wall - value) / minuteMs);
  // Before about 1900, zones had offsets with seconds, which the text could not express.
  if (wall - value !== minutes * minuteMs) return `${isoOf(value)}Z`;
  const pad = (n: number) => String(n).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
  return isoOf(wall) + offset;
}

/** The civil value as ISO text to the second. */
export const isoOf = (civil: number): string => isoText(civil).slice(0, 19);

export type IsoDate =
  | { readonly kind: 'day' | 'wall'; readonly civil: number }
  | { readonly kind: 'instant'; readonly at: number };

/** `2026-12-24`, `2026-12-24 15:00`, `2026-12-24T15:00:00+01:00`. */
const form = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO 8601 as people and programs write it; undefined for anything else and for days that no calendar has. */
export function parseIsoDate(text: string): IsoDate | undefined {
  const parts = form.exec(text.trim());
  if (!parts) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(part => Number(part ?? 0));
  const civil = Date.UTC(year!, month! - 1, day!, hour, minute, second);
  if (new Date(civil).getUTCDate() !== day || hour > 23 || minute > 59 || second > 60 || year! < 1000) return undefined;
  if (parts[4] === undefined) return { kind: 'day', civil };
  const offset = parts[7]?.toUpperCase();
  if (offset === undefined) return { kind: 'wall', civil };
  const minutes = offset === 'Z' ? 0 : Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return { kind: 'instant', at: civil - (offset.startsWith('-') ? -minutes : minutes) * minuteMs };
}

/**
 * In files, a time after a date in digits is on a clock of 24 hours, as spreadsheets write it, while a typed `5:30` is in the
 * afternoon.
 *
 * @example
 * withWholeHour('11/19/2026 5:30') // '11/19/2026 05:30'
 */
export const withWholeHour = (text: string): string =>
  text.replace(/^\d+([-/.])\d+\1\d+,? +(?=\d:\d\d$)/, date => `${date}0`);

interface DateColumns {
  readonly due: number | null;
  readonly dtstart: number | null;
  readonly isAllDay: boolean;
  readonly timezone: string | null;
}

/** The zone of a time without offset or zone: the wall clock of any time zone. */
export const floatingZone = 'floating';

/**
 * The stored columns of a start and a due value. `zone` is the file's own word: a TZID, `floating`, or nothing, which
 * means the user's zone. A date beside a time becomes the edge of its day, since both must be of one type.
 */
export function dateColumns(
  due: IsoDate | undefined,
  start: IsoDate | undefined,
  zone: string,
  userZone: string,
): DateColumns {
  const both = [due, start].filter(value => value !== undefined);
  if (both.length === 0) return { due: null, dtstart: null, isAllDay: false, timezone: null };
  if (both.every(({ kind }) => kind === 'day')) {
    return { due: civilOf(due), dtstart: civilOf(start), isAllDay: true, timezone: null };
  }
  if (zone === floatingZone && both.every(({ kind }) => kind !== 'instant')) {
    return { due: civilOf(due), dtstart: civilOf(start), isAllDay: false, timezone: null };
  }
  const known = zone === '' || zone === floatingZone ? undefined : resolveZone(zone);
  const instant = (value: IsoDate | undefined, minutes: number) => {
    if (!value) return null;
    if (value.kind === 'instant') return value.at;
    return fromWall(value.civil + (value.kind === 'day' ? minutes * minuteMs : 0), known ?? userZone);
  };
  return { due: instant(due, 1439), dtstart: instant(start, 0), isAllDay: false, timezone: known ? zone : 'UTC' };
}

const civilOf = (value: IsoDate | undefined) => (value && value.kind !== 'instant' ? value.civil : null);

/** A moment of the past (completed, created): a day alone is its beginning in the user's zone. */
export function momentOfText(text: string, userZone: string): number | undefined {
  const value = parseIsoDate(text);
  if (!value) return undefined;
  return value.kind === 'instant' ? value.at : fromWall(value.civil, userZone);
}
