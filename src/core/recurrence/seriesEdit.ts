import { withoutTime } from '../fields/ownLines';
import { transition } from '../fields/status';
import { DuelineError } from '../kernel/errors';
import { coreMessage } from '../kernel/messages';
import type { Task } from '../kernel/model';
import type { RowEdit, RowPatch } from '../kernel/rowEdit';
import { formatDay, formatUtc, formatWall } from '../lines/dateDigits';
import { fromWall, wallOf } from '../time/dates';
import { dayMs } from '../time/units';
import { closedStatus, nextOpenOrThis, occurrenceOf, overrideRow, update } from './completion';
import { type DateForm, remainingDates, shiftedDates } from './dateLines';
import { endOfSeries } from './endOfSeries';
import { splitOff } from './followingEdit';
import { anchorOf, type Instance, nextOpenOccurrence, type OpenInstance, type Step, stepsOf } from './instances';
import { kdeMoved } from './kdeProgress';
import { movedRule } from './movedRule';
import { withPart } from './rrule';
import type { SeriesContext, SeriesRows } from './seriesRows';
import { appliesToFollowing, contentForFollowing, datesAfter, idMoved } from './thisAndFollowing';

export type EditScope = 'this' | 'following' | 'all';

interface OccurrenceEdit {
  readonly occurrence: number;
  readonly scope: EditScope;
  /** Columns as the user set them on the occurrence: its own start and due, not the master's. */
  readonly patch: RowPatch;
  /** For the series that `following` begins. */
  readonly newUid: string;
}

/**
 * Edits one occurrence (its override), the series from it on (the old one ends before it, a new one begins with it,
 * later overrides and subtasks go along), or the whole series (dates move by the distance that this one moved).
 */
export function editOccurrence(series: SeriesRows, context: SeriesContext, edit: OccurrenceEdit): RowEdit[] {
  const target = nextOpenOrThis(occurrenceOf(series, context, edit.occurrence));
  switch (edit.scope) {
    case 'this':
      return editThis(series, context, target, edit.patch);
    case 'all':
      return editAll(series, context, target, edit.patch);
    case 'following':
      return isFirst(series, context, target)
        ? editAll(series, context, target, edit.patch)
        : editFollowing(series, context, target, edit);
  }
}

function editThis(series: SeriesRows, context: SeriesContext, target: OpenInstance, patch: RowPatch): RowEdit[] {
  const own = ofOccurrence(patch);
  const { override } = target;
  if (override) return [...splitOff(series, context, override), update(override, own)];
  return [{ type: 'insert', row: { ...overrideRow(series.master, target), ...own } }];
}

/** The part of a patch that an occurrence has of its own. */
function ofOccurrence({ rrule: _rule, rdate: _dates, exdate: _not, ...own }: RowPatch): RowPatch {
  return own;
}

function editAll(series: SeriesRows, context: SeriesContext, target: OpenInstance, patch: RowPatch): RowEdit[] {
  const { master, overrides } = series;
  if (patch.rrule === null) {
    const end = endOfSeries(series, context, target);
    return [update(master, { ...end.patch, ...patch }), ...end.edits];
  }
  const plain = stepsOf(master, context.zone)?.walk.instanceOf(target.recurrenceId) ?? target;
  const { wholePatch, shift } = onSeries(series, context, target, plain, patch);
  const moved: Task = { ...master, ...(wholePatch as Partial<Task>) };
  // The occurrence's own values would hide those that were set on it.
  const own = target.override ? [update(target.override, ofOccurrence(patch))] : [];
  if (!isRecoded(master, moved, shift)) return [update(master, wholePatch), ...own];
  const shifted = shiftOf(master, moved, shift);
  const progress = kdeMoved(master, moved, shifted);
  return [
    update(master, { ...wholePatch, ...datesRecoded(master, moved, shifted, patch, context), ...progress }),
    ...inFreeOrder(overrides, shifted).map(row =>
      update(row, { ...shiftedOverrideDates(row, shift), ...idMoved(row, shifted(row.recurrenceId!), moved) }),
    ),
    ...own,
  ];
}

/** No occurrence moves to the date of another one before that has left it. */
function inFreeOrder(overrides: readonly Task[], shifted: (value: number) => number): Task[] {
  const named = overrides
    .filter(({ recurrenceId }) => recurrenceId !== null)
    .sort((one, other) => one.recurrenceId! - other.recurrenceId!);
  const first = named[0]?.recurrenceId ?? 0;
  return shifted(first) > first ? named.reverse() : named;
}

/** Occurrences after an override with RANGE=THISANDFUTURE are moved like the rest of the series. */
function shiftedOverrideDates(row: Task, shift: number): RowPatch {
  if (!appliesToFollowing(row) || shift === 0) return {};
  const moved = (value: number | null) => (value === null ? null : fromWallOf(row, wallOfValue(row, value) + shift));
  return { dtstart: moved(row.dtstart), due: moved(row.due) };
}

/** True if the occurrences of a series have other values than before, so that all that names one must follow. */
const isRecoded = (before: DateForm, after: DateForm, shift: number): boolean =>
  shift !== 0 || before.timezone !== after.timezone || before.isAllDay !== after.isAllDay;

const shiftOf = (before: DateForm, after: DateForm, shift: number) => (value: number) =>
  fromWallOf(after, wallOfValue(before, value) + shift);

const dateColumns = ['exdate', 'rdate'] as const;

/** The dates that a series names, as they are named once it is `after`; dates that the user has changed stay. */
function datesRecoded(
  series: Task,
  after: DateForm,
  shifted: (value: number) => number,
  change: RowPatch,
  { zone }: SeriesContext,
): RowPatch {
  const dates: RowPatch = {};
  for (const column of dateColumns) {
    if (change[column] === undefined && series[column] !== null)
      dates[column] = shiftedDates(column, series[column], series, after, zone, timeOf(series), shifted);
  }
  return dates;
}

const newDates = [
  ['dtstart', 'due'],
  ['due', 'dtstart'],
] as const;

/**
 * The patch of one occurrence as one of the master: its dates moved by the same distance, its rule along with them. `plain` is the
 * occurrence as the series has it.
 */
function onSeries(
  { master, overrides }: Pick<SeriesRows, 'master' | 'overrides'>,
  { zone }: SeriesContext,
  target: OpenInstance,
  plain: Instance,
  patch: RowPatch,
): { wholePatch: RowPatch; shift: number } {
  const wholePatch: RowPatch = { ...patch };
  const after = { timezone: master.timezone, isAllDay: master.isAllDay, ...patch };
  const ownDays = daysMovedAlone(master, target, plain);
  const distance = (column: 'dtstart' | 'due'): number | undefined => {
    const [newValue, currentValue, plainValue] = [patch[column], target[column], plain[column]];
    if (newValue == null || currentValue === null || plainValue === null || master[column] === null) return undefined;
    const moved = wallOfValue(after, newValue) - wallOfValue(target.override ?? master, currentValue);
    // A move by whole days sets no time.
    if (ownDays === undefined || moved % dayMs === 0) return moved;
    return wallOfValue(after, newValue) - (wallOfValue(master, plainValue) + ownDays * dayMs);
  };
  for (const column of ['dtstart', 'due'] as const) {
    const moved = distance(column);
    if (moved !== undefined) wholePatch[column] = fromWallOf(after, wallOfValue(master, master[column]!) + moved);
  }
  for (const [column, other] of newDates) {
    // A date that the series has not had yet is as far from its other date as on the occurrence.
    const [value, from, base] = [patch[column], patch[other] ?? target[other], wholePatch[other] ?? master[other]];
    if (value == null || from === null || base === null || master[column] !== null) continue;
    const isSet = patch[other] != null;
    const distance = wallOfValue(after, value) - wallOfValue(isSet ? after : (target.override ?? master), from);
    wholePatch[column] = fromWallOf(after, wallOfValue(isSet ? after : master, base) + distance);
  }
  const before = anchorOf(master)!;
  const begin = anchorOf({ ...master, ...wholePatch });
  const shift = begin === null ? 0 : wallOfValue(after, begin) - wallOfValue(master, before);
  if (shift !== 0 && patch.rrule === undefined) {
    const move = { shift, upTo: Math.max(target.recurrenceId, ...overrides.map(row => row.recurrenceId ?? 0)), zone };
    const rrule = movedRule(master, { ...master, ...(wholePatch as Partial<Task>) }, move);
    if (rrule !== master.rrule) wholePatch.rrule = rrule;
  }
  return { wholePatch, shift };
}

/**
 * The days by which an occurrence was moved alone before, which it keeps; a time of day that is set on it applies to the whole
 * series. A move across midnight by less than half a day counts as a change of the time. Undefined if it was not moved alone.
 */
function daysMovedAlone(master: Task, { override, ...now }: OpenInstance, plain: Instance): number | undefined {
  if (!override || appliesToFollowing(override)) return undefined;
  const column = now.dtstart !== null && plain.dtstart !== null ? 'dtstart' : 'due';
  const [value, plainValue] = [now[column], plain[column]];
  if (value === null || plainValue === null) return undefined;
  const [from, to] = [wallOfValue(master, plainValue), wallOfValue(override, value)];
  return Math.abs(to - from) < dayMs / 2 ? 0 : Math.floor(to / dayMs) - Math.floor(from / dayMs);
}

function isFirst({ master }: SeriesRows, { zone }: SeriesContext, target: OpenInstance): boolean {
  const first = stepsOf(master, zone)?.steps.next();
  return !first || first.done === true || first.value.id >= target.recurrenceId;
}

function editFollowing(
  { master, overrides, subtasks }: SeriesRows,
  context: SeriesContext,
  target: OpenInstance,
  { patch: change, newUid }: OccurrenceEdit,
): RowEdit[] {
  const at = target.recurrenceId;
  const { kept, begun, plain } = splitSeries(master, context, at);
  // The values that the user saw and edited become the series' own: the occurrence's dates, and all of an override that
  // applies to those that follow.
  const held =
    target.following ?? (target.override && appliesToFollowing(target.override) ? target.override : undefined);
  const later = overrides.filter(({ recurrenceId }) => recurrenceId !== null && recurrenceId >= at);
  const patch = held ? { ...overrideColumns(held, master, at), ...change } : change;
  const { wholePatch, shift } = onSeries(
    { master: begun, overrides: later },
    context,
    held ? plain : target,
    plain,
    patch,
  );
  const changed: Task = { ...begun, ...(wholePatch as Partial<Task>) };
  const shifted = shiftOf(begun, changed, shift);
  const dates = isRecoded(begun, changed, shift) ? datesRecoded(begun, changed, shifted, patch, context) : {};
  // The time that was worked on the series until now stays with it, or it would count twice.
  const own = { ...withoutSyncState, uid: newUid, unknownProperties: withoutTime(changed) };
  const { id: _id, ...row } = { ...changed, ...dates, ...own };
  return [
    update(master, { ...kept, ...closedIfOver({ ...master, ...(kept as Partial<Task>) }, overrides, context, at) }),
    { type: 'insert', row: { ...row, sequence: 0 }, name: 'following' },
    ...later.map(({ id }): RowEdit => ({ type: 'delete', id })),
    ...later
      .filter(override => override !== held)
      .map((row): RowEdit => {
        const { id: _id, ...override } = row;
        const id = idMoved(override, shifted(override.recurrenceId!), changed);
        // The first occurrence keeps its own values.
        const own = row === target.override ? ofOccurrence(change) : {};
        const moved = { ...override, ...own, ...withoutSyncState, uid: newUid, ...id };
        return { type: 'insert', row: moved, links: { masterId: 'following' } };
      }),
    ...subtasks
      .filter(({ parentId }) => parentId === master.id)
      .map((subtask): RowEdit => ({ type: 'update', id: subtask.id, patch: {}, links: { parentId: 'following' } })),
  ];
}

/** A series that ends with no open occurrence is over, and not a task to be done. */
function closedIfOver(kept: Task, overrides: readonly Task[], { zone, now }: SeriesContext, at: number): RowPatch {
  const before = overrides.filter(({ recurrenceId }) => recurrenceId !== null && recurrenceId < at);
  if (nextOpenOccurrence(kept, before, zone)) return {};
  return transition({ status: closedStatus(before) }, kept, now);
}

function overrideColumns(held: Task, master: Task, at: number): RowPatch {
  const dates = datesAfter(held, master, at);
  return { ...contentForFollowing(held, master), ...(dates && { dtstart: dates.dtstart, due: dates.due }) };
}

const withoutSyncState = { href: null, etag: null };

/** Splits a series in two: the changes that end it before `at`, and the series from there on. */
function splitSeries(
  master: Task,
  { zone }: SeriesContext,
  at: number,
): { kept: RowPatch; begun: Task; plain: OpenInstance } {
  const { walk, steps } = stepsOf(master, zone)!;
  const ordinal = ordinalOf(steps, at);
  const rrule = master.rrule!;
  const count = walk.rule?.count;
  const [before, after] =
    count === undefined
      ? [withPart(withPart(rrule, 'COUNT', undefined), 'UNTIL', untilBefore(master, at)), rrule]
      : [withPart(rrule, 'COUNT', ordinal - 1), withPart(rrule, 'COUNT', count - ordinal + 1)];
  const kept: RowPatch = { rrule: before };
  const begun = {
    ...master,
    dtstart: master.dtstart === null ? null : at,
    due: master.due === null ? null : walk.instanceOf(at).due,
    rrule: after,
  };
  for (const column of dateColumns) {
    const part = (keep: (id: number) => boolean) => remainingDates(master[column], master, zone, timeOf(master), keep);
    if (master[column] !== null) kept[column] = part(id => id < at);
    begun[column] = part(id => id >= at);
  }
  return { kept, begun, plain: walk.instanceOf(at) };
}

/** The number of the occurrence `at` of a rule, from 1. */
function ordinalOf(steps: Iterable<Step>, at: number): number {
  for (const { id, ordinal } of steps) {
    if (id < at) continue;
    if (id === at && ordinal > 0) return ordinal;
    break;
  }
  throw new DuelineError('unsupported', coreMessage('splitOutsideSeries'));
}

/** UNTIL of DTSTART's type that still lets everything before `at` through (RFC 5545 3.3.10). */
function untilBefore({ isAllDay, timezone }: Task, at: number): string {
  if (isAllDay) return formatDay(at - dayMs);
  return timezone === null ? formatWall(at - 1000) : formatUtc(at - 1000);
}

type Zoned = Pick<Task, 'timezone'>;

const wallOfValue = ({ timezone }: Zoned, value: number): number =>
  timezone === null ? value : wallOf(value, timezone);

const fromWallOf = ({ timezone }: Zoned, wall: number): number => (timezone === null ? wall : fromWall(wall, timezone));

function timeOf(master: Task): number {
  if (master.isAllDay) return 0;
  const wall = wallOfValue(master, anchorOf(master) ?? 0);
  return ((wall % dayMs) + dayMs) % dayMs;
}
