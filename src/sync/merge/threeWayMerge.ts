import { dependenciesOf } from '../../core/fields/dependencies';
import { ownLinesOf } from '../../core/fields/ownLines';
import { isClosed } from '../../core/fields/status';
import { alarmKey } from '../../core/ical/alarmKey';
import {
  type Columns,
  changedGroups,
  dateSet,
  type Group,
  groupColumns,
  groups,
  isSameIn,
  rowWith,
  sameContent,
} from '../../core/ical/contentGroups';
import type { ResourceRow } from '../../core/ical/row';
import type { ResourceRows } from '../../core/ical/writeResource';
import { isRecurring } from '../../core/recurrence/instances';
import type { LostGroup } from '../../core/sync/syncState';
import { fromWall, wallIn } from '../../core/time/zones';
import { mergeDateLines, mergeLines, mergeSet, withoutDates } from './mergeValues';

/** A local value that the merge did not keep, for the conflict store. */
export interface Lost {
  /** Null for the task itself, else the occurrence. */
  readonly recurrenceId: number | null;
  readonly field: LostGroup;
  /** The columns as they were here; null if the occurrence had been removed here. */
  readonly lost: Readonly<Record<string, unknown>> | null;
  /** The same columns as they are now; null if the server has removed the occurrence. */
  readonly kept: Readonly<Record<string, unknown>> | null;
}

interface Merged {
  readonly rows: ResourceRows;
  readonly lost: readonly Lost[];
  /** Nothing is left to push: the rows equal the server's copy. */
  readonly isServers: boolean;
}

/**
 * Three-way merge of a task and its overrides: the version that both sides last agreed on, the local one, and the
 * server's. Each property group that only one side has changed is taken from that side; docs/mapping.md lists what
 * happens if both have. Without a base every difference counts as changed on both sides. Pure.
 */
export function mergeTask(base: ResourceRows | undefined, local: ResourceRows, server: ResourceRows): Merged {
  const lost: Lost[] = [];
  const master =
    local.master && server.master
      ? mergeRow(base?.master, local.master, server.master, lost)
      : (server.master ?? local.master);
  const overrides = mergeOverrides(base, local, server, master, lost);
  const rows = { ...(master ? { master: withOccurrences(master, overrides, server.master) } : {}), overrides };
  return { rows, lost, isServers: sameContent(rows, server) };
}

function mergeRow(base: ResourceRow | undefined, local: ResourceRow, server: ResourceRow, lost: Lost[]): ResourceRow {
  let result = server;
  for (const group of groups) {
    // The lines that no column models are never edited here.
    if (group === 'unknown' || isSameIn(group, local, server)) continue;
    if (base && isSameIn(group, base, local)) continue;
    if (base && isSameIn(group, base, server)) {
      result = rowWith(result, groupColumns(group, local));
      continue;
    }
    const both = mergeGroup(group, base, local, server);
    if (both) result = rowWith(result, both);
    else {
      const { recurrenceId } = server.fields;
      lost.push({ recurrenceId, field: group, lost: groupColumns(group, local), kept: groupColumns(group, server) });
    }
  }
  return result;
}

/** The columns of a group that both sides changed; undefined if the server's value is kept and the local one is lost. */
function mergeGroup(
  group: Group,
  base: ResourceRow | undefined,
  local: ResourceRow,
  server: ResourceRow,
): Columns | undefined {
  const [here, there] = [local.fields, server.fields];
  if (group === 'completion') return mergeCompletion(local, server);
  // Code locations, branches and spans of time: none of them contradicts another.
  if (group === 'ownLines') {
    const known = base ? ownLinesOf(base.fields) : [];
    return { ownLines: mergeSet(known, ownLinesOf(here), ownLinesOf(there)) };
  }
  if (!base) return undefined;
  const before = base.fields;
  switch (group) {
    case 'tags':
      return { tags: mergeSet(before.tags, here.tags, there.tags) };
    case 'dependencies':
      return { dependsOn: mergeSet(dependenciesOf(before), dependenciesOf(here), dependenciesOf(there)) };
    case 'alarms':
      return { alarms: mergeSet(before.alarms, here.alarms, there.alarms, alarmKey) };
    case 'rdate':
      return { rdate: mergeDateLines('RDATE', before.rdate, here.rdate, there.rdate) };
    case 'exdate':
      return { exdate: mergeDateLines('EXDATE', before.exdate, here.exdate, there.exdate) };
    case 'description': {
      const description = mergeLines(before.description ?? '', here.description ?? '', there.description ?? '');
      return description === undefined ? undefined : { description };
    }
    default:
      return undefined;
  }
}

/** A task that one side closed stays closed; a series is closed by an override or by its end, so there the server decides. */
function mergeCompletion(local: ResourceRow, server: ResourceRow): Columns | undefined {
  const isLocalClosed = isClosed(local.fields);
  if (!isRecurring(server.fields) && isLocalClosed && !isClosed(server.fields))
    return groupColumns('completion', local);
  // Both did the same at slightly different moments: nothing of worth is lost.
  if (local.fields.status === server.fields.status && isLocalClosed) return groupColumns('completion', server);
  return undefined;
}

function mergeOverrides(
  base: ResourceRows | undefined,
  local: ResourceRows,
  server: ResourceRows,
  merged: ResourceRow | undefined,
  lost: Lost[],
): ResourceRow[] {
  const [before, here, there] = [
    byOccurrence(base?.overrides ?? []),
    byOccurrence(local.overrides),
    byOccurrence(server.overrides),
  ];
  const overrides: ResourceRow[] = [];
  for (const [id, theirs] of there) {
    const ours = here.get(id);
    const old = before.get(id);
    if (ours) {
      overrides.push(mergeRow(old ?? occurrenceOf(base?.master, id), ours, theirs, lost));
    } else if (!old || isEditedThere(old, theirs)) {
      overrides.push(theirs);
      // Removed here and edited there: an edit outlives a removal.
      const isRemovedHere = old || (isExcluded(local.master, id) && !isExcluded(base?.master, id));
      if (isRemovedHere) lost.push({ recurrenceId: id, field: 'occurrence', lost: null, kept: { ...theirs.fields } });
    }
  }
  for (const [id, ours] of here) {
    const old = before.get(id);
    if (there.has(id) || (old && !isEditedHere(old, ours))) continue;
    if (isExcluded(merged, id)) {
      // Changed here, and taken out of the series there.
      lost.push({ recurrenceId: id, field: 'occurrence', lost: { ...ours.fields }, kept: null });
    } else {
      overrides.push(ours);
    }
  }
  return overrides;
}

const byOccurrence = (rows: readonly ResourceRow[]) => new Map(rows.map(row => [row.fields.recurrenceId ?? 0, row]));

const isEditedHere = (base: ResourceRow, row: ResourceRow) =>
  changedGroups(base, row).some(group => group !== 'unknown');

const isEditedThere = (base: ResourceRow, row: ResourceRow) =>
  changedGroups(base, row).some(group => group !== 'sortOrder');

/** The keys by which an occurrence may be in EXDATE: its id is an instant, a floating time or a day. */
const keysOf = (id: number) => [`at ${id}`, `floating ${id}`, `date ${id}`];

function isExcluded(master: ResourceRow | undefined, id: number): boolean {
  const dates = dateSet('EXDATE', master?.fields.exdate ?? null);
  return keysOf(id).some(key => dates.includes(key));
}

/** The master, without the exclusion of occurrences that only this side has excluded and that the merge has kept. */
function withOccurrences(
  master: ResourceRow,
  overrides: readonly ResourceRow[],
  server: ResourceRow | undefined,
): ResourceRow {
  const kept = overrides
    .map(({ fields }) => fields.recurrenceId ?? 0)
    .filter(id => isExcluded(master, id) && !isExcluded(server, id));
  if (kept.length === 0) return master;
  const exdate = withoutDates('EXDATE', master.fields.exdate, new Set(kept.flatMap(keysOf)));
  return rowWith(master, { exdate });
}

/** The base of an override that neither side had: the series' values at that occurrence. */
function occurrenceOf(master: ResourceRow | undefined, id: number): ResourceRow | undefined {
  if (!master) return undefined;
  const { fields } = master;
  const { timezone } = fields;
  const first = fields.dtstart ?? fields.due;
  const moved = (value: number | null) => {
    if (value === null || first === null) return value;
    const civil = wallIn(fields, id) + (wallIn(fields, value) - wallIn(fields, first));
    return timezone === null ? civil : fromWall(civil, timezone);
  };
  return rowWith(master, {
    rrule: null,
    rdate: null,
    exdate: null,
    recurrenceId: id,
    dtstart: moved(fields.dtstart),
    due: moved(fields.due),
  });
}
