import { linesOf, type Raw } from '../fields/lines';
import { type ContentColumn, contentColumns } from '../fields/table';
import { lineTextsOf, withLineTexts } from '../fields/values';
import type { Task } from '../kernel/model';
import type { RowPatch } from '../kernel/rowEdit';
import { type ContentLine, paramOf, parseLine } from '../lines/contentLines';
import { addDuration, fromWall, wallIn } from '../time/dates';
import { dayMs } from '../time/units';
import { dateLine } from './dateLines';

/**
 * An override that holds for the occurrences behind it as well: `RECURRENCE-ID;RANGE=THISANDFUTURE` (RFC 5545 3.2.13).
 * No column has this; the line is kept raw next to `recurrenceId`, which has its value. Status, progress and completion
 * apply only to the one occurrence: otherwise open occurrences after it would disappear.
 */

type Coding = Pick<Task, 'isAllDay' | 'timezone'>;
type OverrideDates = Pick<Task, 'dtstart' | 'due'> & { readonly recurrenceId: number };

/** `RECURRENCE-ID;VALUE=DATE:20261224`. */
const idLine = /^RECURRENCE-ID[;:]/i;

/** The raw line; rows have it only if there is, or was, a range. */
export function rangeLine(row: Raw): string | undefined {
  if (!row.unknownProperties?.toUpperCase().includes('"RECURRENCE-ID')) return undefined;
  return linesOf(row).find(text => idLine.test(text));
}

/** True if a RECURRENCE-ID line has RANGE=THISANDFUTURE (RFC 5545 3.2.13). */
export const hasThisAndFuture = (line: ContentLine): boolean =>
  paramOf(line, 'RANGE')?.trim().toUpperCase() === 'THISANDFUTURE';

/** True if the override has RANGE=THISANDFUTURE; undefined if the row does not say. */
export function appliesToFollowing(row: Raw): boolean | undefined {
  const line = rangeLine(row);
  return line === undefined ? undefined : hasThisAndFuture(parseLine(line));
}

/** The row's raw lines with that one in place of its own; without it if none is passed. */
export function withRangeLine(row: Raw, line?: string): string | null {
  const others = linesOf(row).filter(text => !idLine.test(text));
  const lines = line === undefined ? others : [...others, line];
  return lines.length > 0 ? JSON.stringify(lines) : null;
}

/** The line for an occurrence of the series, alone or with the following ones. */
export function lineFor(recurrenceId: number, series: Coding, appliesToFuture: boolean): string {
  const name = 'RECURRENCE-ID';
  const line = dateLine(name, recurrenceId, series);
  return appliesToFuture ? `${name};RANGE=THISANDFUTURE${line.slice(name.length)}` : line;
}

/** The range of an override that gets another id, with the new id. */
export function idMoved(row: Raw, recurrenceId: number, series: Coding): RowPatch {
  const appliesToFuture = appliesToFollowing(row);
  if (appliesToFuture === undefined) return { recurrenceId };
  return { recurrenceId, unknownProperties: withRangeLine(row, lineFor(recurrenceId, series, appliesToFuture)) };
}

/** The start and due of a later occurrence: as far from the series' own as those of the override are from its own. */
export function datesAfter(row: Task, master: Task, recurrenceId: number): OverrideDates | undefined {
  if (row.recurrenceId === null || (row.dtstart === null && row.due === null)) return undefined;
  const distance = wallIn(master, recurrenceId) - wallIn(master, row.recurrenceId);
  const moved = (value: number | null): number | null => {
    if (value === null) return null;
    const isInstant = row.timezone !== null && master.timezone !== null;
    const wall = wallIn(isInstant ? master : row, value) + distance;
    if (master.timezone !== null) return fromWall(wall, master.timezone);
    return master.isAllDay ? Math.floor(wall / dayMs) * dayMs : wall;
  };
  const dtstart = moved(row.dtstart);
  const isLong = row.due === null && dtstart !== null && row.duration !== null;
  const due = isLong ? (addDuration(dtstart, master.timezone, row.duration!) ?? null) : moved(row.due);
  return { recurrenceId, dtstart, due };
}

/**
 * The content of an override that applies to the occurrences after it, dates aside; texts in lines become lines of
 * the series.
 */
export const contentForFollowing = (row: Task, series: Raw): Pick<Task, ContentColumn | 'unknownProperties'> => {
  const columns = Object.fromEntries(contentColumns.map(column => [column, row[column]])) as Pick<Task, ContentColumn>;
  return { ...columns, unknownProperties: withLineTexts(series, lineTextsOf(row)) };
};
