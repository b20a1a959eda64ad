import type { Task } from '../kernel/model';
import { type ContentLine, formatLine, paramOf, parseLine, withValue } from '../lines/contentLines';
import { type Digits, formatDay, formatUtc, formatWall, parseDigits } from '../lines/dateDigits';
import { dayMs } from '../time/units';
import { fromWall, resolveZone, wallOf } from '../time/zones';

/** The raw EXDATE and RDATE lines of a row (RFC 5545 3.8.5.1, 3.8.5.2): read, matched, added to, thinned out. */

/** How a series writes its values. */
export type DateForm = Pick<Task, 'isAllDay' | 'timezone'>;

interface DateLine {
  readonly line: ContentLine;
  readonly values: readonly string[];
  /** The zone of wall clocks; null if it is the series' own. */
  readonly tzid: string | null;
}

/** Lines whose values have any of the three forms; of a PERIOD the start is what recurs. One at a time: there may be thousands. */
function* linesOf(raw: string | null): Generator<DateLine> {
  for (const text of raw?.split(/\r?\n/) ?? []) {
    if (text.trim() === '') continue;
    const line = parseLine(text);
    yield { line, values: line.jCal ? line.value.split(',') : [], tzid: paramOf(line, 'TZID') ?? null };
  }
}

function readValue(text: string): Digits | undefined {
  const slash = text.indexOf('/');
  return parseDigits(slash < 0 ? text : text.slice(0, slash));
}

/** Codes the values of a line as the series' own are. `time` is the time of day that a bare date gets in a timed series. */
function coder({ isAllDay, timezone }: DateForm, userZone: string, time: number) {
  return ({ civil, kind }: Digits, tzid: string | null): number => {
    if (isAllDay) return Math.floor(civil / dayMs) * dayMs;
    if (timezone === null) {
      if (kind === 'date') return civil + time;
      if (kind === 'utc') return wallOf(civil, userZone);
      return tzid === null ? civil : wallOf(fromWall(civil, tzid), userZone);
    }
    if (kind === 'utc') return civil;
    if (kind === 'local') return fromWall(civil, tzid ?? timezone);
    return fromWall(civil + time, timezone);
  };
}

type ReadDates<R> = (raw: string | null, series: DateForm, userZone: string, time: number) => R;

/** Reading shorter lines again costs nothing. */
const longLines = 2_000;
const maxKept = 4;

/** Each view of a change asks about the same series: thousands of dates are read for the first one. */
function keepingLong<R>(read: ReadDates<R>): ReadDates<R> {
  const kept: { readonly of: readonly unknown[]; readonly found: R }[] = [];
  return (raw, series, userZone, time) => {
    if (raw === null || raw.length < longLines) return read(raw, series, userZone, time);
    const of = [series.isAllDay, series.timezone, userZone, time, raw];
    const at = kept.findIndex(one => of.every((value, index) => value === one.of[index]));
    const [one = { of, found: read(raw, series, userZone, time) }] = at < 0 ? [] : kept.splice(at, 1);
    kept.unshift(one);
    kept.splice(maxKept);
    return one.found;
  };
}

/** The values of RDATE in the series' coding, ascending. `time` is DTSTART's time of day. */
export const codedDates = keepingLong((raw, series, userZone, time): readonly number[] => {
  const coded = coder(series, userZone, time);
  const dates = new Set<number>();
  for (const { values, tzid } of linesOf(raw)) {
    for (const text of values) {
      const value = readValue(text);
      if (value) dates.add(coded(value, tzid));
    }
  }
  return [...dates].sort((a, b) => a - b);
});

const excludedDates = keepingLong((raw, series, userZone, time) => {
  const coded = coder(series, userZone, time);
  const moments = new Set<number>();
  const days = new Set<number>();
  for (const { values, tzid } of linesOf(raw)) {
    for (const text of values) {
      const value = readValue(text);
      if (value?.kind === 'date') days.add(value.civil / dayMs);
      else if (value) moments.add(coded(value, tzid));
    }
  }
  if (moments.size + days.size === 0) return () => false;
  return (instance: number, wall: number) => moments.has(instance) || days.has(Math.floor(wall / dayMs));
});

/** True if EXDATE names an instance: by instant whatever zone it is written in, a bare date by its day. */
export const exdateLine = (
  raw: string | null,
  series: DateForm,
  userZone: string,
): ((instance: number, wall: number) => boolean) => excludedDates(raw, series, userZone, 0);

/** `name` with one value in the form that DTSTART has, as other programs expect of an EXDATE. */
export function dateLine(name: string, instance: number, { isAllDay, timezone }: DateForm): string {
  if (isAllDay) return formatLine(name, formatDay(instance), [['VALUE', 'DATE']]);
  if (timezone === null) return formatLine(name, formatWall(instance));
  if (timezone === 'UTC' || resolveZone(timezone) === undefined) return formatLine(name, formatUtc(instance));
  return formatLine(name, formatWall(wallOf(instance, timezone)), [['TZID', timezone]]);
}

export const appendLine = (raw: string | null, line: string): string => (raw ? `${raw}\n${line}` : line);

/**
 * The lines without the values that `keep` refuses; those untouched stay as they were written. Null if none is left.
 */
export function remainingDates(
  raw: string | null,
  series: DateForm,
  userZone: string,
  time: number,
  keep: (instance: number) => boolean,
): string | null {
  const coded = coder(series, userZone, time);
  const lines = [...linesOf(raw)].map(({ line, values, tzid }) => {
    const kept = values.filter(text => {
      const value = readValue(text);
      return value === undefined || keep(coded(value, tzid));
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
  before: DateForm,
  after: DateForm,
  userZone: string,
  time: number,
  shifted: (instance: number) => number,
): string | null {
  const dates = codedDates(raw, before, userZone, time).map(shifted);
  const name = column === 'exdate' ? 'EXDATE' : 'RDATE';
  return dates.map(date => dateLine(name, date, after)).join('\n') || null;
}
