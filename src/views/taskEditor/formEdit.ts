import type { DuelineEngine } from '../../api';
import type { AnchorEdit } from '../../core/code/anchors';
import { type DetailName, detailNames, textFacts } from '../../core/fields/table';
import { uniqueTags } from '../../core/fields/tags';
import type { TaskEdit, Texts } from '../../core/fields/values';
import {
  type AlarmInput,
  type ClassificationCode,
  type Id,
  Status,
  type StatusCode,
  type Task,
} from '../../core/kernel/model';
import type { EditScope } from '../../core/recurrence/seriesEdit';
import { isolate, t } from '../../shared/l10n';
import type { FormAlarm, FormChange, FormField } from '../../shared/taskEditorProtocol';
import { repeatedText } from '../../ui/text/ruleText';
import { repeats, titleOf } from '../../ui/text/taskText';
import { readDuration } from './durationText';
import { dated, inZone, withoutTimes } from './formDates';

/** Changes of a task that are one step of undo. */
export interface FormEdit {
  readonly patch: TaskEdit;
  /** The patch changes when the task is: in a series it holds for some occurrences. */
  readonly isDated: boolean;
  readonly repeat?: { readonly rule: string | null; readonly from: 'due' | 'completion' };
  readonly listId?: Id;
  /** The address that was typed, as anchors. */
  readonly anchors?: AnchorEdit;
  readonly blockers?: { readonly add: readonly Id[]; readonly remove: readonly string[] };
}

/** Fields that decide when an occurrence is: the user may mean one of them, some of them or all. */
const datesOf: readonly FormField[] = ['due', 'start', 'times', 'timezone', 'duration'];

/** The edit that the changes make of the task together, each on top of those before it. */
export function editOf(changes: readonly FormChange[], task: Task, zone: string): FormEdit {
  let edit: FormEdit = { patch: {}, isDated: false };
  for (const change of changes) {
    const after = { ...task, ...edit.patch } as Task;
    const isDated = edit.isDated || (change.type === 'field' && datesOf.includes(change.field));
    edit = {
      ...edit,
      ...otherThanFields(change, edit),
      patch: { ...edit.patch, ...patchFor(change, after, zone) },
      isDated,
    };
  }
  return edit;
}

function otherThanFields(
  change: FormChange,
  { blockers = { add: [], remove: [] } }: FormEdit,
): Pick<FormEdit, 'repeat' | 'listId' | 'blockers'> {
  if (change.type === 'addBlocker') return { blockers: { ...blockers, add: [...blockers.add, change.id] } };
  if (change.type === 'dropBlocker') return { blockers: { ...blockers, remove: [...blockers.remove, change.uid] } };
  if (change.type === 'repeat') return { repeat: { rule: change.rule.trim() || null, from: change.from } };
  return change.type === 'field' && change.field === 'listId' ? { listId: Number(change.value) } : {};
}

function patchFor(change: FormChange, task: Task, zone: string): TaskEdit {
  const { alarms, tags } = task;
  const tagged = (all: readonly string[]) => patchOf('tags', all.join('\n'), task, zone);
  switch (change.type) {
    case 'field':
      return patchOf(change.field, change.value, task, zone);
    case 'addTags':
      return tagged([...tags, ...change.tags]);
    case 'dropTag':
      return tagged(tags.filter(tag => tag !== change.tag));
    case 'dropLastTag':
      return tagged(tags.slice(0, -1));
    case 'addAlarm':
      return alarms.some(alarm => isSameAlarm(alarm, change.alarm))
        ? {}
        : { alarms: [...alarms, change.alarm as AlarmInput] };
    case 'dropAlarm': {
      const { minutesBefore, reference, message } = change.alarm;
      const dropped = alarms.findIndex(
        alarm => alarm.minutesBefore === minutesBefore && alarm.reference === reference && alarm.message === message,
      );
      return dropped < 0 ? {} : { alarms: alarms.toSpliced(dropped, 1) };
    }
    case 'repeat':
    case 'addBlocker':
    case 'dropBlocker':
      return {};
  }
}

export const isSameAlarm = (one: AlarmInput | FormAlarm, other: AlarmInput | FormAlarm) =>
  one.minutesBefore === other.minutesBefore && (one.reference ?? 'DUE') === (other.reference ?? 'DUE');

/** The edit that one field of the form makes of the task as it is now; throws `invalid` if it cannot be stored. */
function patchOf(field: FormField, value: string, task: Task, zone: string): TaskEdit {
  const text = value.trim() === '' ? null : value;
  if (isDetail(field)) return withText(field, textFacts[field].isUri ? (text?.trim() ?? null) : text);
  switch (field) {
    case 'title':
      return { title: value.trim() };
    case 'notes':
      return { description: text };
    case 'tags':
      return { tags: uniqueTags(value.split('\n').map(tag => tag.trim().replace(/^#/, ''))) };
    case 'status':
      return { status: Number(value) as StatusCode };
    case 'progress':
      return { percentComplete: Number(value), ...(Number(value) === 100 ? { status: 2 as const } : {}) };
    case 'priority':
      return { priority: Number(value) };
    case 'classification':
      return { classification: value === '' ? null : (Number(value) as ClassificationCode) };
    case 'color':
      return { color: text === null ? null : 0xff000000 | Number.parseInt(value.slice(1), 16) | 0 };
    case 'timezone':
      return inZone(task, text, zone);
    case 'due':
      return dated('due', value, task, zone);
    case 'start':
      return dated('dtstart', value, task, zone);
    case 'times':
      return withoutTimes(task, zone);
    case 'duration':
      return { duration: readDuration(value) };
    case 'estimate':
      return { estimate: text };
    case 'listId':
      return {};
  }
}

const isDetail = (field: FormField): field is DetailName => (detailNames as readonly FormField[]).includes(field);

const withText = (name: DetailName, text: string | null): Texts => Object.fromEntries([[name, text]]);

/** Names an edit of a task; one that does several things is a change. */
export function textOfEdit(
  engine: Pick<DuelineEngine, 'lists'>,
  { patch, repeat, listId, isDated, anchors, blockers }: FormEdit,
  task: Task,
  scope: EditScope,
): string {
  const name = isolate(titleOf(task));
  const parts = [repeat, listId, anchors, blockers].filter(part => part !== undefined).length;
  const fields = Object.keys(patch);
  const [field] = fields;
  if (parts + (isDated ? 1 : fields.length) !== 1) return t('Changed {0}', name);
  if (repeat) return repeatedText(name, repeat.rule);
  if (listId !== undefined) {
    const list = engine.lists().find(({ id }) => id === listId);
    return t('Moved {0} to {1}', name, isolate(list?.name ?? ''));
  }
  if (isDated) return datedText(task, scope, name);
  if (field === 'title') return t('Renamed {0} to {1}', name, isolate(patch.title ?? ''));
  if (field === 'description') return t('Changed the notes of {0}', name);
  if (field === 'priority') return t('{0}: {1}', t('Priority set'), name);
  return patch.status === Status.completed ? t('Completed {0}', name) : t('Changed {0}', name);
}

function datedText(task: Task, scope: EditScope, name: string): string {
  if (!repeats(task)) return t('Rescheduled {0}', name);
  if (scope === 'this') return t('Rescheduled this occurrence only: {0}', name);
  return scope === 'following'
    ? t('Rescheduled this and following occurrences: {0}', name)
    : t('Rescheduled the entire series: {0}', name);
}
