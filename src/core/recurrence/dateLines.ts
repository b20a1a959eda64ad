import { type ContentLine, formatLine, paramOf, parseLine, withValue } from '../lines/contentLines';
import { formatDay, formatUtc, formatWall, parseDigits } from '../lines/dateDigits';
import type { Task } from '../model';
import { dayMs } from '../time/units';
import { fromWall, resolveZone, wallOf } from '../time/zones';

/** The raw EXDATE and RDATE lines of a row (RFC 5545 3.8.5.1, 3.8.5.2): read, matched, added to, thinned out. */

/** How a series writes its values. */
export type Coding = Pick<Task, 'isAllDay' | 'timezone'>;

interface DateValue {
  readonly civil: number;
  /** `local` is a wall clock in `tzid`, or in the series' own zone where that is null. */
  readonly kind: 'date' | 'local' | 'utc';
  readonly tzid: string | null;
}

interface DateLine {
  readonly line: ContentLine;
  readonly values: readonly string[];
  readonly tzid: string | null;
}

/** Lines whose values have any of the three forms; of a PERIOD the start is what recurs. */
function linesOf(raw: string | null): DateLine[] {
  if (!raw) return [];
  return raw
    .split(/\r?\n/)
    .filter(text => text.trim() !== '')
    .map(parseLine)
    .map(line => ({ line, values: line.jCal ? line.value.split(',') : [], tzid: paramOf(line, 'TZID') ?? null }));
}

function readValue(text: string, tzid: string | null): DateValue | undefined {
  const digits = parseDigits(text.split('/')[0]!);
  return digits && { ...digits, tzid };
}

/** A written value in the series' own coding. `time` is what a bare date is given in a timed series. */
function coded(value: DateValue, { isAllDay, timezone }: Coding, userZone: string, time: number): number {
  if (isAllDay) return Math.floor(value.civil / dayMs) * dayMs;
  if (timezone === null) {
    if (value.kind === 'date') return value.civil + time;
    if (value.kind === 'utc') return wallOf(value.civil, userZone);
    return value.tzid === null ? value.civil : wallOf(fromWall(value.civil, value.tzid), userZone);
  }
  if (value.kind === 'utc') return value.civil;
  if (value.kind === 'local') return fromWall(value.civil, value.tzid ?? timezone);
  return fromWall(value.civil + time, timezone);
}

/** The values of RDATE in the series' coding, ascending. `time` is DTSTART's time of day. */
export function codedDates(raw: string | null, series: Coding, userZone: string, time: number): number[] {
  const values = linesOf(raw).flatMap(line => line.values.map(text => readValue(text, line.tzid)));
  const dates = values.filter(value => value !== undefined).map(value => coded(value, series, userZone, time));
  return [...new Set(dates)].sort((a, b) => a - b);
}

/** Whether EXDATE names an instance: by instant whatever zone it is written in, a bare date by its day. */
export function exdateLine(
  raw: string | null,
  series: Coding,
  userZone: string,
): (instance: number, wall: number) => boolean {
  const moments = new Set<number>();
  const days = new Set<number>();
  for (const line of linesOf(raw)) {
    for (const text of line.values) {
      const value = readValue(text, line.tzid);
      if (value?.kind === 'date') days.add(value.civil / dayMs);
      else if (value) moments.add(coded(value, series, userZone, 0));
    }
  }
  if (moments.size + days.size === 0) return () => false;
  return (instance, wall) => moments.has(instance) || days.has(Math.floor(wall / dayMs));
}

/** `name` with one value in the form that DTSTART has, as other programs expect of an EXDATE. */
export function dateLine(name: string, instance: number, { isAllDay, timezone }: Coding): string {
  if (isAllDay) return formatLine(name, formatDay(instance), [['VALUE', 'DATE']]);
  if (timezone === null) return formatLine(name, formatWall(instance));
  if (timezone === 'UTC' || resolveZone(timezone) === undefined) return formatLine(name, formatUtc(instance));
  return formatLine(name, formatWall(wallOf(instance, timezone)), [['TZID', timezone]]);
}

export const withLine = (raw: string | null, line: string): string => (raw ? `${raw}\n${line}` : line);

/** The lines without the values that `keep` refuses; those untouched stay as they were written. Null where none is left. */
export function remainingDates(
  raw: string | null,
  series: Coding,
  userZone: string,
  time: number,
  keep: (instance: number) => boolean,
): string | null {
  const lines = linesOf(raw).map(({ line, values, tzid }) => {
    const kept = values.filter(text => {
      const value = readValue(text, tzid);
      return value === undefined || keep(coded(value, series, userZone, time));
    });
    if (kept.length === values.length) return line.text;
    return kept.length > 0 ? withValue(line, kept.join(',')) : undefined;
  });
  return lines.filter(line => line !== undefined).join('\n') || null;
}

/** The dates moved along with their series, written again in its form. A bare date of a timed series moves by its day. */
export function shiftedDates(
  column: 'exdate' | 'rdate',
  raw: string | null,
  before: Coding,
  after: Coding,
  userZone: string,
  time: number,
  shifted: (instance: number) => number,
): string | null {
  const dates = codedDates(raw, before, userZone, time).map(shifted);
  const name = column === 'exdate' ? 'EXDATE' : 'RDATE';
  return dates.map(date => dateLine(name, date, after)).join('\n') || null;
}
