import type { ParsedQuickAdd } from '../../api';
import type { TaskEdit } from '../../core/fields/values';
import type { Id, Task, TaskInput } from '../../core/kernel/model';
import { isRecurring } from '../../core/recurrence/instances';
import { wallOf } from '../../core/time/dates';

/** The fields that the new line sets and the old one did not. */
export interface LineEdit {
  readonly patch: TaskEdit;
  /** The new dates; in a series, of the occurrence that the line shows. */
  readonly dates?: TaskInput;
  readonly repeat?: { readonly rrule: string | null; readonly from: 'due' | 'completion' };
  readonly listId?: Id;
  readonly after: { readonly add: readonly Id[]; readonly remove: readonly Id[] };
}

/**
 * The edit that leads from the old line to the new one. Both are read at the same moment, so that a field that was not
 * touched is not changed, even if words can only express it roughly.
 */
export function lineEdit(before: ParsedQuickAdd, now: ParsedQuickAdd, task: Task, zone: string): LineEdit {
  const patch: TaskEdit = {};
  const [was, is] = [before.input, now.input];
  if (before.title !== now.title) patch.title = now.title;
  if ((was.priority ?? 0) !== (is.priority ?? 0)) patch.priority = is.priority ?? 0;
  if ((was.url ?? null) !== (is.url ?? null)) patch.url = is.url ?? null;
  if ((was.estimate ?? null) !== (is.estimate ?? null)) patch.estimate = is.estimate ?? null;
  if (is.description && is.description !== was.description)
    patch.description = task.description ? `${task.description}\n${is.description}` : is.description;
  const [tagsBefore, tagsNow] = [was.tags ?? [], is.tags ?? []];
  if (String(tagsBefore) !== String(tagsNow))
    patch.tags = [...task.tags.filter(tag => !tagsBefore.includes(tag) || tagsNow.includes(tag)), ...tagsNow];
  const keys = (input: TaskInput) =>
    (input.alarms ?? []).map(({ minutesBefore, reference }) => `${reference}${minutesBefore}`);
  const [alarmsBefore, alarmsNow] = [keys(was), keys(is)];
  if (String(alarmsBefore) !== String(alarmsNow)) {
    const kept = task.alarms.filter(
      ({ minutesBefore, reference }) => !alarmsBefore.includes(`${reference}${minutesBefore}`),
    );
    patch.alarms = [...kept, ...(is.alarms ?? [])];
  }
  const dates = datesOf(was, is, task, zone);
  const isSameRepeat = (was.rrule ?? null) === (is.rrule ?? null) && before.fromCompletion === now.fromCompletion;
  const from = now.fromCompletion ? ('completion' as const) : ('due' as const);
  const [afterBefore, afterNow] = [before.after ?? [], now.after ?? []];
  return {
    patch,
    ...(dates && { dates }),
    ...(isSameRepeat ? {} : { repeat: { rrule: is.rrule ?? null, from } }),
    ...(now.listId !== undefined && ![before.listId, task.listId].includes(now.listId) ? { listId: now.listId } : {}),
    after: {
      add: afterNow.filter(id => !afterBefore.includes(id)),
      remove: afterBefore.filter(id => !afterNow.includes(id)),
    },
  };
}

/** Both dates, since they share one type (RFC 5545 3.8.2.3); undefined if the line has not changed them. */
function datesOf(was: TaskInput, is: TaskInput, task: Task, zone: string): TaskInput | undefined {
  const fields = ['due', 'dtstart', 'isAllDay'] as const;
  if (fields.every(field => (was[field] ?? null) === (is[field] ?? null))) return undefined;
  const { due = null, dtstart = null, isAllDay = false, timezone = null } = is;
  // A field that the old line did not contain stays, unless the new one sets it.
  const dates = {
    ...(due !== null || was.due != null ? { due } : {}),
    ...(dtstart !== null || was.dtstart != null ? { dtstart } : {}),
  };
  if (due === null && dtstart === null) return dates;
  const isFloating = !isAllDay && !task.isAllDay && task.timezone === null && (task.due ?? task.dtstart) !== null;
  if (isFloating) {
    const wall = (value: number | null | undefined) => (value == null ? value : wallOf(value, zone));
    return {
      ...dates,
      ...(dates.due !== undefined && { due: wall(dates.due) }),
      ...(dates.dtstart !== undefined && { dtstart: wall(dates.dtstart) }),
    };
  }
  const keepsZone = !isAllDay && !task.isAllDay && task.timezone !== null;
  return { ...dates, isAllDay, ...(keepsZone ? {} : { timezone }) };
}

/** True if new dates are one occurrence's, and not the task's. */
export const isOfOccurrence = ({ dates, repeat }: LineEdit, task: Task, occurrence: number | undefined): boolean =>
  dates !== undefined &&
  repeat === undefined &&
  occurrence !== undefined &&
  isRecurring(task) &&
  dates.due !== null &&
  dates.dtstart !== null;
