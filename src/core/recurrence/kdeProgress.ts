import { linesOf, type Raw } from '../fields/lines';
import type { Task } from '../kernel/model';
import type { RowPatch } from '../kernel/rowEdit';
import { wallIn } from '../time/dates';
import { dayMs } from '../time/units';
import { codedDates, dateLine } from './dateLines';

/**
 * KDE writes no overrides for what is done: it keeps the occurrence that a series has come to in a line of its own, and
 * takes all before it for done.
 */
export const kdeProgressName = 'X-KDE-LIBKCAL-DTRECURRENCE';
/** `X-KDE-LIBKCAL-DTRECURRENCE:20261224`. */
const form = /^X-KDE-LIBKCAL-DTRECURRENCE[;:]/i;

type Series = Pick<Task, 'unknownProperties' | 'isAllDay' | 'timezone'>;

/** The line; undefined if there is none. */
export const kdeProgress = ({ unknownProperties }: Raw): string | undefined =>
  unknownProperties?.toUpperCase().includes(kdeProgressName)
    ? linesOf({ unknownProperties }).find(text => form.test(text))
    : undefined;

const reachedBy = (series: Series): number | undefined => {
  const line = kdeProgress(series);
  return line === undefined ? undefined : codedDates(line, series, series.timezone ?? 'UTC', 0)[0];
};

/** Compares days: if the series was moved to another time of day, no open occurrence may disappear. */
export function doneInKde(series: Series): ((id: number) => boolean) | undefined {
  const progress = reachedBy(series);
  if (progress === undefined) return undefined;
  const dayOf = (value: number) => Math.floor(wallIn(series, value) / dayMs);
  const day = dayOf(progress);
  return id => dayOf(id) < day;
}

/** The progress of a series moves with the series. */
export function kdeMoved(before: Series, after: Series, shifted: (value: number) => number): RowPatch {
  const progress = reachedBy(before);
  const unknownProperties = progress === undefined ? undefined : kdeReached(after, shifted(progress));
  return unknownProperties === undefined ? {} : { unknownProperties };
}

/** The series' raw lines once it has come to an occurrence; undefined if KDE keeps nothing of it. */
export function kdeReached(series: Series, id: number): string | undefined {
  const line = kdeProgress(series);
  if (line === undefined) return undefined;
  // An all-day one is written as a date or as its midnight.
  const isTimed = series.isAllDay && /T\d{6}Z?$/i.test(line);
  const next = dateLine(kdeProgressName, id, isTimed ? { isAllDay: false, timezone: null } : series);
  return JSON.stringify(linesOf(series).map(text => (text === line ? next : text)));
}

/** An occurrence of its own has come to nothing but itself. */
export function withoutKdeProgress(unknownProperties: string | null): string | null {
  if (kdeProgress({ unknownProperties }) === undefined) return unknownProperties;
  const others = linesOf({ unknownProperties }).filter(text => !form.test(text));
  return others.length > 0 ? JSON.stringify(others) : null;
}
