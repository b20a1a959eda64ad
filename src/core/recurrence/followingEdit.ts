import type { AlarmInput, Task } from '../kernel/model';
import type { NewRow, RowEdit } from '../kernel/rowEdit';
import { OverrideIndex, stepsOf } from './instances';
import type { SeriesContext, SeriesRows } from './seriesRows';
import { appliesToFollowing, datesAfter, idMoved, lineFor, withRangeLine } from './thisAndFollowing';

/**
 * Limits an override that applies to the future to its own occurrence: the following ones get another such override, at
 * the next occurrence without a row of its own. Returns nothing if it does not apply to the future.
 */
export function splitOff(series: SeriesRows, context: SeriesContext, override: Task): RowEdit[] {
  if (!appliesToFollowing(override)) return [];
  const line = lineFor(override.recurrenceId!, series.master, false);
  const ownEdit: RowEdit = {
    type: 'update',
    id: override.id,
    patch: { unknownProperties: withRangeLine(override, line) },
  };
  return [ownEdit, ...heldOn(series, context, override)];
}

/** The override for the occurrences after its own; nothing if there are none that it applies to. */
export function heldOn({ master, overrides }: SeriesRows, { zone }: SeriesContext, override: Task): RowEdit[] {
  const { recurrenceId } = override;
  if (!appliesToFollowing(override) || recurrenceId === null) return [];
  const index = new OverrideIndex(master, overrides);
  for (const { id } of stepsOf(master, zone)?.steps ?? []) {
    if (id <= recurrenceId) continue;
    const own = index.of(id);
    if (own && appliesToFollowing(own)) return [];
    if (!own) return [{ type: 'insert', row: atOccurrence(override, master, id) }];
  }
  return [];
}

function atOccurrence(override: Task, master: Task, recurrenceId: number): NewRow {
  const { id: _id, ...columns } = override;
  const dates = datesAfter(override, master, recurrenceId);
  return {
    ...columns,
    ...(dates && { dtstart: dates.dtstart, due: override.due === null ? null : dates.due, ...codingOf(master) }),
    ...idMoved(override, recurrenceId, master),
    status: 0,
    percentComplete: null,
    completedAt: null,
    alarms: override.alarms.filter(({ reference }) => reference !== 'ABSOLUTE').map(alarmInput),
  };
}

const codingOf = ({ timezone, isAllDay }: Task) => ({ timezone, isAllDay });

/** An alarm without its identity. */
export const alarmInput = ({ minutesBefore, reference, message }: AlarmInput): AlarmInput => ({
  minutesBefore,
  reference,
  message,
});
