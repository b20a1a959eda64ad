import { isClosed, transition } from '../fields/status';
import { DuelineError } from '../kernel/errors';
import { coreMessage } from '../kernel/messages';
import { Status, type Task } from '../kernel/model';
import type { NewRow, RowEdit, RowPatch } from '../kernel/rowEdit';
import { dayMs } from '../time/units';
import { advance, advanceFromCompletion } from './advance';
import { appendLine, dateLine, remainingDates } from './dateLines';
import { alarmInput, heldOn, splitOff } from './followingEdit';
import { type OpenInstance, OverrideIndex, openOccurrences, stepsOf } from './instances';
import { kdeProgress, kdeReached, withoutKdeProgress } from './kdeProgress';
import { repeatsFromCompletion, withRepeatFrom } from './repeatFrom';
import type { SeriesContext, SeriesRows } from './seriesRows';
import { contentForFollowing, withRangeLine } from './thisAndFollowing';

/** Programs that move the one task on when it is completed, and would not find the next occurrence otherwise. */
const advancingClients =
  /tasks\.org|org\.tasks|nextcloud tasks|opentasks|org\.dmfs|dav(x5|droid)|apple|evolution|ximian|todoman/i;
const keepsInstances = /techbee|jtx/i;

/** How this series records that an occurrence is done: as an override (RFC 5545 3.8.4.4), or by moving on. */
export function completionStyleOf({ overrides }: SeriesRows, { mode, origin }: SeriesContext): 'override' | 'advance' {
  // The RECURRENCE-IDs of overrides would name nothing any more once the series begins later.
  if (overrides.length > 0 || mode === 'override') return 'override';
  if (mode === 'advance') return 'advance';
  if (!origin) return 'override';
  const { prodid, movesOn } = origin;
  return movesOn || (prodid && advancingClients.test(prodid) && !keepsInstances.test(prodid)) ? 'advance' : 'override';
}

/**
 * Completes one occurrence, named by its recurrence id, start or due; without a name, the next open one. If none is
 * left, the series is completed. Returns nothing if it is completed already; throws `notFound` for an occurrence that
 * does not exist.
 */
export function completeRecurring(series: SeriesRows, context: SeriesContext, occurrence?: number): RowEdit[] {
  return close(series, context, Status.completed, occurrence);
}

/** Leaves one occurrence out without calling it done: a cancelled override, or the series moves on. */
export function skipOccurrence(series: SeriesRows, context: SeriesContext, occurrence?: number): RowEdit[] {
  return close(series, context, Status.cancelled, occurrence);
}

type ClosedStatus = typeof Status.completed | typeof Status.cancelled;

function close(series: SeriesRows, context: SeriesContext, status: ClosedStatus, occurrence?: number): RowEdit[] {
  const { master } = series;
  if (isClosed(master)) {
    // Another program may have closed the series alone.
    const own = occurrence === undefined ? undefined : new OverrideIndex(master, series.overrides).of(occurrence);
    return own && !isClosed(own) ? [update(own, transition({ status }, own, context.now))] : [];
  }
  const target = occurrenceOf(series, context, occurrence);
  if (target === 'closed') return [];
  if (target === undefined) return [closeMaster(master, Status.completed, context)];
  const onward = { ...series, target };
  if (status === Status.completed && repeatsFromCompletion(master))
    return advanceSeries(series, context, status, advanceFromCompletion(onward, context));
  if (completionStyleOf(series, context) === 'advance' || repeatsFromCompletion(master)) {
    const step = series.overrides.length === 0 ? advance(onward, context) : undefined;
    if (step) return advanceSeries(series, context, status, step);
  }
  return byOverride(series, context, status, target);
}

/** Moves a series on: the master's next values, or the end of the series. */
function advanceSeries(
  series: SeriesRows,
  context: SeriesContext,
  status: ClosedStatus,
  next: RowPatch | 'ends',
): RowEdit[] {
  const { master, overrides } = series;
  if (next === 'ends') return [closeMaster(master, status, context)];
  const stale: RowEdit[] = overrides.filter(row => !isClosed(row)).map(row => ({ type: 'delete', id: row.id }));
  return [...stale, update(master, { ...next, ...resetProgress(master) }), ...subtasksReset(series, context, status)];
}

function byOverride(series: SeriesRows, context: SeriesContext, status: ClosedStatus, target: OpenInstance): RowEdit[] {
  const { master, overrides } = series;
  const { override } = target;
  const goesOn = hasOther(series, context, target);
  // The status of a series of one occurrence is its own; it needs no override.
  if (!goesOn && overrides.length === 0) return [closeMaster(master, status, context)];
  const edits: RowEdit[] = override
    ? [...splitOff(series, context, override), update(override, transition({ status }, override, context.now))]
    : [{ type: 'insert', row: { ...overrideRow(master, target), ...transition({ status }, master, context.now) } }];
  if (goesOn) {
    const fresh = { ...resetProgress(master), ...progressAfter(series, context, target) };
    if (Object.keys(fresh).length > 0) edits.push(update(master, fresh));
    return [...edits, ...subtasksReset(series, context, status)];
  }
  const closed = status === Status.completed ? status : closedStatus(overrides);
  return [...edits, closeMaster(master, closed, context)];
}

/** The status of a series whose occurrences are all over. */
export const closedStatus = (overrides: readonly Task[]): ClosedStatus =>
  overrides.some(row => row.status === Status.completed) ? Status.completed : Status.cancelled;

/**
 * Deletes one occurrence of a series: adds an EXDATE in DTSTART's form, and deletes its override. A series without any
 * other occurrence is closed.
 */
export function deleteOccurrence(series: SeriesRows, context: SeriesContext, occurrence: number): RowEdit[] {
  const { master, overrides } = series;
  const target = nextOpenOrThis(occurrenceOf(series, context, occurrence));
  const exdate = appendLine(master.exdate, dateLine('EXDATE', target.recurrenceId, master));
  const edits: RowEdit[] = [update(master, { exdate })];
  if (target.override)
    edits.unshift(...heldOn(series, context, target.override), { type: 'delete', id: target.override.id });
  if (isClosed(master) || hasOther(series, context, target)) return edits;
  return [...edits, closeMaster(master, closedStatus(overrides), context)];
}

/**
 * Reverts a completion: of one occurrence (its override opens again), or of a series that was done, whose last closed
 * occurrence opens again if no other is open.
 */
export function reopenRecurring(series: SeriesRows, context: SeriesContext, occurrence?: number): RowEdit[] {
  const { master, overrides } = series;
  const open = (row: Task) => update(row, transition({ status: Status.needsAction }, row, context.now));
  const edits: RowEdit[] = isClosed(master) ? [open(master)] : [];
  const closed = overrides
    .filter(row => isClosed(row) && row.recurrenceId !== null)
    .sort((a, b) => a.recurrenceId! - b.recurrenceId!);
  if (occurrence !== undefined) {
    const row = new OverrideIndex(master, overrides).of(occurrence);
    if (row && isClosed(row)) edits.push(open(row));
    return edits;
  }
  const [anyOpen] = openOccurrences(master, overrides, context.zone);
  const last = closed.at(-1);
  if (!anyOpen && last) edits.push(open(last));
  // All of them were deleted: without one, no view would show the task.
  else if (!anyOpen && master.exdate !== null) edits.push(update(master, { exdate: withoutLast(master, context) }));
  return edits;
}

/** EXDATE without the last of the series' occurrences. */
function withoutLast(master: Task, { zone }: SeriesContext): string | null {
  const found = stepsOf({ ...master, exdate: null }, zone);
  const last = [...(found?.steps ?? [])].at(-1)?.id;
  const time = (((found?.walk.startWall ?? 0) % dayMs) + dayMs) % dayMs;
  return remainingDates(master.exdate, master, zone, time, id => id !== last);
}

/** KDE's line names the next one if the first open one is done. */
function progressAfter({ master, overrides }: SeriesRows, { zone }: SeriesContext, target: OpenInstance): RowPatch {
  if (kdeProgress(master) === undefined) return {};
  const open = openOccurrences(master, overrides, zone);
  const [first, next]: (OpenInstance | undefined)[] = [open.next().value, open.next().value];
  if (first?.recurrenceId !== target.recurrenceId || !next) return {};
  return { unknownProperties: kdeReached(master, next.recurrenceId) ?? null };
}

export const update = (row: Task, patch: RowPatch): RowEdit => ({ type: 'update', id: row.id, patch });

const closeMaster = (master: Task, status: ClosedStatus, { now }: SeriesContext): RowEdit =>
  update(master, transition({ status }, master, now));

/** Progress belongs to the occurrence it was made on; the next one begins at nothing. */
function resetProgress({ status, percentComplete, completedAt }: Task): RowPatch {
  return {
    ...(status === Status.needsAction ? {} : { status: Status.needsAction }),
    ...(percentComplete === null ? {} : { percentComplete: null }),
    ...(completedAt === null ? {} : { completedAt: null }),
  };
}

/**
 * Reopens subtasks that were completed for an occurrence, for the next one, unless the occurrence was skipped: then
 * they count for the next one. Cancelled subtasks stay cancelled; a subtask with its own rule moves on by itself.
 */
function subtasksReset({ subtasks }: SeriesRows, { resetSubtasks }: SeriesContext, status: ClosedStatus): RowEdit[] {
  if (!resetSubtasks || status === Status.cancelled) return [];
  return subtasks
    .filter(({ status, rrule, masterId }) => status !== Status.cancelled && rrule === null && masterId === null)
    .map(subtask => ({ subtask, patch: resetProgress(subtask) }))
    .filter(({ patch }) => Object.keys(patch).length > 0)
    .map(({ subtask, patch }) => update(subtask, patch));
}

function hasOther({ master, overrides }: SeriesRows, { zone }: SeriesContext, target: OpenInstance): boolean {
  for (const { recurrenceId } of openOccurrences(master, overrides, zone))
    if (recurrenceId !== target.recurrenceId) return true;
  return false;
}

/** The occurrence that a view names; `closed` if it is over. */
export function occurrenceOf(
  { master, overrides }: SeriesRows,
  { zone }: SeriesContext,
  occurrence: number | undefined,
): OpenInstance | 'closed' | undefined {
  const open = openOccurrences(master, overrides, zone);
  if (occurrence === undefined) {
    const first = open.next();
    return first.done ? undefined : first.value;
  }
  // A view may know an occurrence by the start or due it shows, which an override may have moved anywhere.
  const moved = overrides.find(
    row => !isClosed(row) && row.recurrenceId !== occurrence && (row.dtstart === occurrence || row.due === occurrence),
  );
  const reach = occurrence + Math.abs((master.due ?? 0) - (master.dtstart ?? master.due ?? 0)) + 2 * dayMs;
  const isClosedAt = (named: (row: Task) => readonly (number | null)[]) =>
    overrides.some(row => isClosed(row) && named(row).includes(occurrence));
  // Another window may have closed it just now: the start of one can be the due date of another one, which stays open.
  if (isClosedAt(row => [row.recurrenceId])) return 'closed';
  let visible: OpenInstance | undefined;
  for (const instance of open) {
    if (instance.recurrenceId === occurrence) return instance;
    if (instance.recurrenceId > reach && !moved) break;
    if (instance.dtstart === occurrence || instance.due === occurrence) visible ??= instance;
    if (visible && instance.recurrenceId > reach) break;
  }
  if (visible) return visible;
  if (isClosedAt(row => [row.dtstart, row.due])) return 'closed';
  throw new DuelineError('notFound', coreMessage('occurrenceNotInSeries'));
}

export function nextOpenOrThis(target: OpenInstance | 'closed' | undefined): OpenInstance {
  if (target === undefined || target === 'closed') throw new DuelineError('notFound', coreMessage('occurrenceOver'));
  return target;
}

/** A row for one occurrence: the master's columns with the occurrence's own dates, in the same resource. */
export function overrideRow(master: Task, { recurrenceId, dtstart, due, following }: OpenInstance): NewRow {
  const { id, ...columns } = master;
  const from = following ?? master;
  return {
    ...columns,
    ...(following && contentForFollowing(following, master)),
    masterId: id,
    recurrenceId,
    dtstart: from.dtstart === null ? null : dtstart,
    due: from.due === null ? null : due,
    duration: from.duration,
    rrule: null,
    rdate: null,
    exdate: null,
    unknownProperties: following ? withRangeLine(following) : withoutKdeProgress(withRepeatFrom(master, 'due')),
    // A moment that was set once for the whole series is not one of each occurrence.
    alarms: from.alarms.filter(({ reference }) => reference !== 'ABSOLUTE').map(alarmInput),
  };
}
