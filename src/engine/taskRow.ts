import { transition } from '../core/fields/status';
import { columnsOfKind, groupOf } from '../core/fields/table';
import { uniqueTags } from '../core/fields/tags';
import { type TaskEdit, withLineTexts } from '../core/fields/values';
import { alarmKey } from '../core/ical/alarmKey';
import { emptyFields } from '../core/ical/row';
import { DuelineError } from '../core/kernel/errors';
import type { EpochMs, Task, TaskInput, TaskList } from '../core/kernel/model';
import type { RowPatch } from '../core/kernel/rowEdit';
import { cleanText } from '../core/lines/text';
import { engineMessage } from './messages';

const appleEpochSeconds = 978_307_200;

/** X-APPLE-SORT-ORDER's default if a task has none: seconds from 2001-01-01 to its creation. */
const defaultSortOrder = (created: EpochMs) => Math.floor(created / 1000) - appleEpochSeconds;

/** Rows of lists that belong to no account are never dirty: nobody waits for them. */
export const isTracked = (list: TaskList) => list.accountId !== null;

const texts = columnsOfKind('text');

/** Columns that take a value unchanged. Status and progress depend on each other, and have their own rule. */
const plainColumns = columnsOfKind('number', 'time', 'flag', 'id', 'alarms').filter(
  name => groupOf(name) !== 'completion',
);

/** The row patch for a checked input on the columns of `current`; empty if nothing would change. */
export function patchFor(input: TaskInput, current: Task, now: EpochMs): RowPatch {
  const patch: { -readonly [K in keyof RowPatch]: RowPatch[K] } = {};
  for (const field of texts) {
    const value = input[field];
    if (value !== undefined) patch[field] = value === null ? null : cleanText(value);
  }
  for (const field of plainColumns) if (input[field] !== undefined) Object.assign(patch, { [field]: input[field] });
  if (input.tags !== undefined) patch.tags = uniqueTags(input.tags.map(cleanText));
  settleDates(patch, current);
  Object.assign(patch, transition(input, current, now));
  return onlyChanges(patch, current);
}

/** The patch for an input, with the texts that are stored as lines of the row. */
export const patchWithLines = (input: TaskEdit, current: Task, now: EpochMs): RowPatch => ({
  ...patchFor(input, current, now),
  ...onlyChanges({ unknownProperties: withLineTexts(current, input) }, current),
});

/**
 * Keeps the dates consistent: DUE and DURATION exclude each other, a DATE has no zone, and without a date there is no
 * all-day.
 */
function settleDates(patch: { -readonly [K in keyof RowPatch]: RowPatch[K] }, current: Task): void {
  const after = { ...current, ...patch };
  if (patch.due !== undefined && patch.due !== null) patch.duration = null;
  else if (patch.duration !== undefined && patch.duration !== null) {
    if (after.dtstart === null) throw new DuelineError('invalid', engineMessage('durationWithoutStart'));
    patch.due = null;
  }
  if (after.dtstart === null && after.due === null) {
    if (after.isAllDay) patch.isAllDay = false;
  } else if (after.isAllDay && after.timezone !== null) {
    patch.timezone = null;
  }
}

export function onlyChanges(patch: RowPatch, current: Task): RowPatch {
  return Object.fromEntries(
    Object.entries(patch).filter(
      ([field, value]) => value !== undefined && !isSame(field, value, current[field as keyof Task]),
    ),
  ) as RowPatch;
}

function isSame(field: string, next: unknown, now: unknown): boolean {
  if (field !== 'alarms' && field !== 'tags') return next === now;
  const text = (items: unknown) =>
    JSON.stringify(field === 'alarms' ? (items as Task['alarms']).map(alarmKey) : (items as readonly string[]));
  return text(next) === text(now);
}

/** A task with default values. */
export function blankTask(listId: number, uid: string, now: EpochMs): Task {
  const where = { id: 0, listId, href: null, etag: null, masterId: null, parentId: null };
  const state = { isDirty: false, isDeleted: false, alarms: [] };
  const dates = { sortOrder: defaultSortOrder(now), createdAt: now, lastModified: now };
  return { ...emptyFields(uid), ...where, ...dates, ...state };
}
