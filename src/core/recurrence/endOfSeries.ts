import { linesOf } from '../fields/lines';
import type { Task } from '../kernel/model';
import type { RowEdit, RowPatch } from '../kernel/rowEdit';
import { parseLine } from '../lines/contentLines';
import { alarmInput } from './followingEdit';
import { nextOpenOccurrence, type OpenInstance } from './instances';
import { withoutKdeProgress } from './kdeProgress';
import { withRepeatFrom } from './repeatFrom';
import type { SeriesContext, SeriesRows } from './seriesRows';
import { contentForFollowing, withRangeLine } from './thisAndFollowing';

interface EndOfSeries {
  /** Makes the series a task that does not repeat. */
  readonly patch: RowPatch;
  /** Removes the row of the occurrence that the task now is. */
  readonly edits: readonly RowEdit[];
}

/**
 * A series that repeats no more is the occurrence that stood for it: the next open one, or `target`. Completed occurrences stay
 * as they are, and so do open ones that were changed by themselves: another program may have put something into them.
 */
export function endOfSeries(
  { master, overrides }: SeriesRows,
  { zone }: Pick<SeriesContext, 'zone'>,
  target: OpenInstance | undefined = nextOpenOccurrence(master, overrides, zone),
): EndOfSeries {
  const occurrence = target ? occurrencePatch(master, target) : {};
  const unknownProperties = occurrence.unknownProperties ?? master.unknownProperties;
  const patch: RowPatch = {
    ...occurrence,
    rrule: null,
    rdate: null,
    exdate: null,
    unknownProperties: withoutKdeProgress(withRepeatFrom({ unknownProperties }, 'due')),
  };
  return { patch, edits: target?.override ? [{ type: 'delete', id: target.override.id }] : [] };
}

function occurrencePatch(master: Task, { dtstart, due, override, following }: OpenInstance): RowPatch {
  const from = override ?? following ?? master;
  const dates: RowPatch = {
    dtstart: from.dtstart === null ? null : dtstart,
    due: from.due === null ? null : due,
    duration: from.duration,
  };
  if (from === master) return dates;
  const content = { ...contentForFollowing(from, master), alarms: from.alarms.map(alarmInput), ...dates };
  if (!override) return content;
  const { isAllDay, timezone, status, percentComplete, completedAt } = override;
  const progress = { status, percentComplete, completedAt };
  return { ...content, ...progress, isAllDay, timezone, unknownProperties: linesOfBoth(content, override) };
}

/** The lines that an occurrence has beside those of its series. */
function linesOfBoth(series: Pick<Task, 'unknownProperties'>, override: Task): string | null {
  const lines = linesOf(series);
  const names = new Set(lines.map(nameOf));
  const own = linesOf({ unknownProperties: withRangeLine(override) }).filter(line => !names.has(nameOf(line)));
  return lines.length + own.length > 0 ? JSON.stringify([...lines, ...own]) : null;
}

const nameOf = (line: string): string => parseLine(line).name.toUpperCase();
