import type { DuelineEngine } from '../../api';
import { dayOfCivil, effectiveDue, fromWall, wallOf } from '../../core/dates';
import type { EpochMs, StatusCode, Task, TaskInput } from '../../core/model';
import { anchorOf, openOccurrences } from '../../core/recurrence';
import { uniqueTags } from '../../core/tags';
import { alarmLabel } from '../alarmLabel';
import { isClosed, isRecurring, titleOf } from '../describe';
import { currentLocale, plain, t } from '../l10n';
import { cssColor } from '../listIcon';
import { dateStyle } from '../settings';
import { momentLabel } from '../when';
import type { FormField, FormState, FormTask } from './protocol';

/** A task as the form shows it. */
export function formState(engine: DuelineEngine, task: Task): FormState {
  const list = engine.lists().find(({ id }) => id === task.listId);
  const style = dateStyle(engine);
  const zone = engine.clock.timeZone;
  const stamp = new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  const subtasks = engine
    .rows(task.listId)
    .filter(row => row.parentId === task.id && row.masterId === null && !row.isDeleted)
    .toSorted((a, b) => Number(isClosed(a)) - Number(isClosed(b)) || a.sortOrder - b.sortOrder || a.id - b.id);
  return {
    task: formTask(task, zone),
    readOnly: list?.isReadOnly ?? false,
    lists: engine
      .lists()
      .filter(one => !one.isReadOnly || one.id === task.listId)
      .map(({ id, name }) => ({ id, name: plain(name) })),
    knownTags: engine.tags().map(({ name }) => name),
    zones: [...new Set([zone, ...(task.timezone === null ? [] : [task.timezone]), 'UTC'])],
    repeat: isRecurring(task)
      ? {
          label: task.rrule ?? t('on given dates'),
          next: nextFive(engine, task).map(value => momentLabel(value, task, style)),
        }
      : null,
    alarms: task.alarms.map(alarm => ({
      label: alarmLabel(alarm, engine.clock.timeZone),
      minutes: alarm.minutesBefore,
      reference: alarm.reference,
    })),
    subtasks: subtasks.map(row => ({ id: row.id, title: titleOf(row), done: isClosed(row) })),
    facts: [
      task.createdAt === null ? undefined : t('Created {0}', stamp.format(task.createdAt)),
      task.lastModified === null ? undefined : t('Changed {0}', stamp.format(task.lastModified)),
      task.completedAt === null ? undefined : t('Completed {0}', stamp.format(task.completedAt)),
      task.isDirty ? t('Waits for its server') : undefined,
    ].filter(fact => fact !== undefined),
  };
}

function formTask(task: Task, zone: string): FormTask {
  const [dueDate, dueTime] = wall(effectiveDue(task), task, zone);
  const [startDate, startTime] = wall(task.dtstart, task, zone);
  return {
    id: task.id,
    title: task.title ?? '',
    notes: task.description ?? '',
    listId: task.listId,
    location: task.location ?? '',
    url: task.url ?? '',
    tags: task.tags.join(', '),
    status: task.status,
    progress: task.percentComplete ?? 0,
    priority: task.priority,
    classification: task.classification,
    color: task.color === null ? '' : cssColor(task.color),
    dueDate,
    dueTime,
    startDate,
    startTime,
    timezone: task.timezone ?? '',
    rrule: task.rrule ?? '',
  };
}

function wall(value: EpochMs | null, task: Task, zone: string): readonly [date: string, time: string] {
  if (value === null) return ['', ''];
  const civil = task.timezone === null ? value : wallOf(value, zone);
  return [dayOfCivil(civil), task.isAllDay ? '' : new Date(civil).toISOString().slice(11, 16)];
}

/** The next five open dates of a series. */
function nextFive(engine: DuelineEngine, task: Task): EpochMs[] {
  const overrides = engine.rows(task.listId).filter(row => row.masterId === task.id && !row.isDeleted);
  const found: EpochMs[] = [];
  for (const { due, dtstart } of openOccurrences(task, overrides, engine.clock.timeZone)) {
    const value = due ?? dtstart;
    if (value !== null) found.push(value);
    if (found.length === 5) break;
  }
  return found.length > 0 || anchorOf(task) === null ? found : [];
}

/** What one field of the form means on the task as it is now; throws what the engine would not take. */
export function patchOf(field: FormField, value: string, task: Task, zone: string): TaskInput {
  const text = value.trim() === '' ? null : value;
  switch (field) {
    case 'title':
      return { title: value.trim() };
    case 'notes':
      return { description: text };
    case 'location':
      return { location: text };
    case 'url':
      return { url: text?.trim() ?? null };
    case 'tags':
      return { tags: uniqueTags(value.split(',').map(tag => tag.trim().replace(/^#/, ''))) };
    case 'status':
      return { status: Number(value) as StatusCode };
    case 'progress':
      return { percentComplete: Number(value), ...(Number(value) === 100 ? { status: 2 as const } : {}) };
    case 'priority':
      return { priority: Number(value) };
    case 'classification':
      return { classification: value === '' ? null : (Number(value) as 0 | 1 | 2) };
    case 'color':
      return { color: text === null ? null : 0xff000000 | Number.parseInt(value.slice(1), 16) | 0 };
    case 'timezone':
      return inZone(task, text, zone);
    case 'due':
      return dated('due', value, task, zone);
    case 'start':
      return dated('dtstart', value, task, zone);
    case 'listId':
      return {};
  }
}

/** Both dates are of one kind (RFC 5545 3.8.2.3): the one that is not edited keeps its day and follows in kind. */
function dated(which: 'due' | 'dtstart', said: string, task: Task, zone: string): TaskInput {
  const other = which === 'due' ? 'dtstart' : 'due';
  if (said === '') return which === 'due' ? { due: null, duration: null } : { dtstart: null };
  const isAllDay = !said.includes('T');
  const timezone = isAllDay ? null : (task.timezone ?? (isFloating(task) ? null : isRecurring(task) ? zone : 'UTC'));
  const civil = Date.parse(isAllDay ? `${said}T00:00Z` : `${said}Z`);
  const coded = (wallValue: number) => (timezone === null ? wallValue : fromWall(wallValue, zone));
  const patch: TaskInput = { [which]: coded(civil), isAllDay, timezone };
  const current = task[other];
  if (current === null) return patch;
  const currentWall = task.timezone === null ? current : wallOf(current, zone);
  const day = Date.parse(`${dayOfCivil(currentWall)}T00:00Z`);
  const timeOfDay = task.isAllDay ? civil % 86_400_000 : currentWall - day;
  const followed = isAllDay ? day : day + timeOfDay;
  const inOrder = which === 'due' ? followed <= civil : followed >= civil;
  return { ...patch, [other]: coded(inOrder ? followed : civil) };
}

const isFloating = (task: Task) =>
  !task.isAllDay && task.timezone === null && (task.due !== null || task.dtstart !== null);

/** The wall times stay; what they mean elsewhere changes. */
function inZone(task: Task, timezone: string | null, zone: string): TaskInput {
  if (task.isAllDay) return {};
  const recode = (value: EpochMs | null) => {
    if (value === null) return null;
    const wallValue = task.timezone === null ? value : wallOf(value, zone);
    return timezone === null ? wallValue : fromWall(wallValue, zone);
  };
  return {
    timezone,
    ...(task.due === null ? {} : { due: recode(task.due) }),
    ...(task.dtstart === null ? {} : { dtstart: recode(task.dtstart) }),
  };
}
