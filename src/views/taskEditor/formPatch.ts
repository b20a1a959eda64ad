import { type DetailName, detailNames, textFacts } from '../../core/fields/table';
import { uniqueTags } from '../../core/fields/tags';
import type { TaskEdit, Texts } from '../../core/fields/values';
import type { ClassificationCode, StatusCode, Task } from '../../core/kernel/model';
import type { FormField } from '../../shared/taskEditorProtocol';
import { readDuration } from './durationText';
import { dated, inZone, withoutTimes } from './formDates';

/** What one field of the form means on the task as it is now; throws `invalid` for what nobody can store. */
export function patchOf(field: FormField, value: string, task: Task, zone: string): TaskEdit {
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
    case 'listId':
      return {};
  }
}

const isDetail = (field: FormField): field is DetailName => (detailNames as readonly FormField[]).includes(field);

const withText = (name: DetailName, text: string | null): Texts => Object.fromEntries([[name, text]]);

/** Fields that say when an occurrence is: a person may mean one of them, some of them or all. */
export const datesOf: readonly FormField[] = ['due', 'start', 'times', 'timezone', 'duration'];
