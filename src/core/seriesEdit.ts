import { occurrenceOf, openOr, overrideRow, update } from './completion';
import { dayMs, fromWall, wallOf } from './dates';
import { DuelineError } from './errors';
import type { Task } from './model';
import { anchorOf, type OpenInstance, stepsOf } from './recurrence';
import { type Coding, keptDates, shiftedDates } from './recurrenceDates';
import { digitsOf, parseRule, weekdayName, withPart } from './recurrenceRule';
import type { RowEdit, RowPatch } from './rowEdit';
import type { SeriesContext, SeriesRows } from './seriesRows';

export type EditScope = 'this' | 'following' | 'all';

export interface OccurrenceEdit {
  readonly occurrence: number;
  readonly scope: EditScope;
  /** Columns as the person set them on the occurrence: its own start and due, not the master's. */
  readonly patch: RowPatch;
  /** For the series that `following` begins. */
  readonly newUid: string;
}

/**
 * Edits one occurrence (its override), the series from it on (the old one ends before it, a new one begins with it,
 * later overrides and sub-tasks go along), or the whole series (dates move by the distance that this one moved).
 */
export function editOccurrence(series: SeriesRows, context: SeriesContext, edit: OccurrenceEdit): RowEdit[] {
  const target = openOr(occurrenceOf(series, context, edit.occurrence));
  switch (edit.scope) {
    case 'this':
      return editThis(series, target, edit.patch);
    case 'all':
      return editAll(series, context, target, edit.patch);
    case 'following':
      return isFirst(series, context, target)
        ? editAll(series, context, target, edit.patch)
        : editFollowing(series, context, target, edit);
  }
}

function editThis({ master }: SeriesRows, target: OpenInstance, patch: RowPatch): RowEdit[] {
  const { rrule: _rule, rdate: _dates, exdate: _not, ...own } = patch;
  if (target.override) return [update(target.override, own)];
  return [{ type: 'insert', row: { ...overrideRow(master, target), ...own } }];
}

function editAll({ master, overrides }: SeriesRows, context: SeriesContext, target: OpenInstance, patch: RowPatch) {
  const { wholePatch, shift } = onSeries(master, target, patch);
  const moved: Task = { ...master, ...(wholePatch as Partial<Task>) };
  if (!isRecoded(master, moved, shift)) return [update(master, wholePatch)];
  const shifted = (value: number) => fromWallOf(moved, wallOfValue(master, value) + shift);
  for (const column of ['exdate', 'rdate'] as const) {
    if (patch[column] === undefined && master[column] !== null)
      wholePatch[column] = shiftedDates(column, master[column], master, moved, context.zone, timeOf(master), shifted);
  }
  return [
    update(master, wholePatch),
    ...overrides
      .filter(({ recurrenceId }) => recurrenceId !== null)
      .map(row => update(row, { recurrenceId: shifted(row.recurrenceId!) })),
  ];
}

/** Whether the occurrences of a series have other values than before, so that whatever names one must follow. */
const isRecoded = (before: Coding, after: Coding, shift: number): boolean =>
  shift !== 0 || before.timezone !== after.timezone || before.isAllDay !== after.isAllDay;

/** What a patch of one occurrence is for the master: its dates moved by the same distance, its rule along with them. */
function onSeries(master: Task, target: OpenInstance, patch: RowPatch): { wholePatch: RowPatch; shift: number } {
  const wholePatch: RowPatch = { ...patch };
  const after = { timezone: master.timezone, isAllDay: master.isAllDay, ...patch };
  const distance = (column: 'dtstart' | 'due'): number | undefined => {
    const [wanted, shown] = [patch[column], target[column]];
    if (wanted === undefined || wanted === null || shown === null || master[column] === null) return undefined;
    return wallOfValue(after, wanted) - wallOfValue(target.override ?? master, shown);
  };
  for (const column of ['dtstart', 'due'] as const) {
    const moved = distance(column);
    if (moved !== undefined) wholePatch[column] = fromWallOf(after, wallOfValue(master, master[column]!) + moved);
  }
  const before = anchorOf(master)!;
  const begin = anchorOf({ ...master, ...wholePatch });
  const shift = begin === null ? 0 : wallOfValue(after, begin) - wallOfValue(master, before);
  if (shift !== 0 && patch.rrule === undefined && master.rrule !== null) {
    const rrule = ruleMoved(master.rrule, wallOfValue(master, before), shift);
    if (rrule !== master.rrule) wholePatch.rrule = rrule;
  }
  return { wholePatch, shift };
}

/** A rule that names the one weekday or date its series is on goes along when the series moves to another. */
function ruleMoved(rrule: string, wall: number, shift: number): string {
  const rule = parseRule(rrule);
  const [from, to] = [new Date(wall), new Date(wall + shift)];
  if (!rule || Math.floor(wall / dayMs) === Math.floor((wall + shift) / dayMs)) return rrule;
  const [weekday] = rule.byDay;
  if (rule.byDay.length === 1 && weekday!.nth === 0 && weekday!.weekday === from.getUTCDay() && rule.freq === 'WEEKLY')
    return withPart(rrule, 'BYDAY', weekdayName(to.getUTCDay()));
  let moved = rrule;
  if (rule.byMonthDay.length === 1 && rule.byMonthDay[0] === from.getUTCDate())
    moved = withPart(moved, 'BYMONTHDAY', to.getUTCDate());
  if (rule.byMonth.length === 1 && rule.byMonth[0] === from.getUTCMonth() + 1)
    moved = withPart(moved, 'BYMONTH', to.getUTCMonth() + 1);
  return moved;
}

function isFirst({ master }: SeriesRows, { zone }: SeriesContext, target: OpenInstance): boolean {
  const first = stepsOf(master, zone)?.steps.next();
  return !first || first.done === true || first.value.id >= target.recurrenceId;
}

function editFollowing(
  { master, overrides, subtasks }: SeriesRows,
  context: SeriesContext,
  target: OpenInstance,
  { patch, newUid }: OccurrenceEdit,
): RowEdit[] {
  const { zone } = context;
  const at = target.recurrenceId;
  const found = stepsOf(master, zone)!;
  let ordinal = 0;
  for (const step of found.steps) {
    if (step.id >= at) {
      ordinal = step.id === at ? step.ordinal : 0;
      break;
    }
  }
  if (ordinal === 0)
    throw new DuelineError('unsupported', 'A series cannot be divided at a date that its rule does not give.');
  const time = timeOf(master);
  const part = (raw: string | null, keep: (id: number) => boolean) => keptDates(raw, master, zone, time, keep);
  const count = found.walk.rule?.count;
  const oldRule =
    count === undefined
      ? withPart(withPart(master.rrule!, 'COUNT', undefined), 'UNTIL', untilBefore(master, at))
      : withPart(master.rrule!, 'COUNT', ordinal - 1);
  const { id: _id, ...columns } = master;
  const begun: Task = {
    ...master,
    ...{ href: null, etag: null, uid: newUid },
    dtstart: master.dtstart === null ? null : at,
    due: master.due === null ? null : found.walk.instanceOf(at).due,
    rrule: count === undefined ? master.rrule : withPart(master.rrule!, 'COUNT', count - ordinal + 1),
    rdate: part(master.rdate, id => id >= at),
    exdate: part(master.exdate, id => id >= at),
  };
  // What an override of this very occurrence says is what the person saw and edited; it becomes the series' own.
  const { wholePatch, shift } = onSeries(begun, target, patch);
  const fresh = { ...begun, ...wholePatch };
  const shifted = (value: number) => fromWallOf(fresh, wallOfValue(master, value) + shift);
  if (isRecoded(master, fresh, shift)) {
    fresh.exdate = shiftedDates('exdate', begun.exdate, master, fresh, zone, time, shifted);
    fresh.rdate = shiftedDates('rdate', begun.rdate, master, fresh, zone, time, shifted);
  }
  const { id: _old, ...row } = fresh;
  const later = overrides.filter(({ recurrenceId }) => recurrenceId !== null && recurrenceId >= at);
  return [
    update(master, {
      rrule: oldRule,
      ...(columns.rdate === null ? {} : { rdate: part(master.rdate, id => id < at) }),
      ...(columns.exdate === null ? {} : { exdate: part(master.exdate, id => id < at) }),
    }),
    { type: 'insert', row: { ...row, sequence: 0 }, name: 'following' },
    ...later.flatMap((override): RowEdit[] => {
      const { id, ...own } = override;
      const gone: RowEdit = { type: 'delete', id };
      if (override === target.override) return [gone];
      const recurrenceId = shifted(own.recurrenceId!);
      const moved = { ...own, uid: newUid, href: null, etag: null, recurrenceId };
      return [gone, { type: 'insert', row: moved, links: { masterId: 'following' } }];
    }),
    ...subtasks
      .filter(({ parentId }) => parentId === master.id)
      .map((subtask): RowEdit => ({ type: 'update', id: subtask.id, patch: {}, links: { parentId: 'following' } })),
  ];
}

/** UNTIL of DTSTART's type that still lets everything before `at` through (RFC 5545 3.3.10). */
function untilBefore({ isAllDay, timezone }: Task, at: number): string {
  if (isAllDay) return digitsOf(at - dayMs, false);
  return digitsOf(at - 1000, true) + (timezone === null ? '' : 'Z');
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
