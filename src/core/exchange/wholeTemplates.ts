import { readEstimate } from '../fields/estimate';
import { detailsIn } from '../fields/values';
import type { AlarmInput } from '../kernel/model';
import type { Template, TemplateTask } from '../kernel/settings';
import { checkRule } from '../recurrence/rrule';

/** Limits of one template, also for those that are written by hand or imported. */
export const maxTemplateTasks = 1000;
export const maxDepth = 20;

/** Days after the day on which the template is used, and a time of day: `+3d`, `+0d 09:30`. */
export const dayOffset = /^\+(\d{1,5})d(?: ([01]\d|2[0-3]):([0-5]\d))?$/;

/** The valid templates among entries that were written by hand or imported, without their invalid parts. */
export function wholeTemplates(entries: readonly unknown[]): Template[] {
  return entries.flatMap(entry => {
    const name = isObject(entry) && typeof entry.name === 'string' ? entry.name.trim() : '';
    const task = name === '' ? undefined : wholeTask(entry, { left: maxTemplateTasks }, 0);
    return task ? [{ name, ...task }] : [];
  });
}

/** True if reading the stored template would leave nothing out. */
export function isWholeTemplate(template: TemplateTask): boolean {
  const isWithin = (task: TemplateTask, room: { left: number }, depth: number): boolean =>
    depth <= maxDepth && room.left-- > 0 && (task.subtasks ?? []).every(child => isWithin(child, room, depth + 1));
  return isWithin(template, { left: maxTemplateTasks }, 0);
}

function wholeTask(entry: unknown, room: { left: number }, depth: number): TemplateTask | undefined {
  if (!isObject(entry) || depth > maxDepth || room.left-- <= 0) return undefined;
  const { title, notes, tags, priority, estimate, reminders, after, subtasks } = entry;
  const dates = (['start', 'due', 'until'] as const).flatMap(field =>
    typeof entry[field] === 'string' && dayOffset.test(entry[field]) ? [[field, entry[field]]] : [],
  );
  const rule = typeof entry.repeat === 'string' && checkRule(entry.repeat) === undefined ? entry.repeat : undefined;
  const children = listIn(subtasks).flatMap(child => wholeTask(child, room, depth + 1) ?? []);
  const alarms = listIn(reminders).filter(isAlarm);
  const words = listIn(tags).filter(tag => typeof tag === 'string');
  const blockers = listIn(after).filter(one => typeof one === 'string');
  return {
    title: typeof title === 'string' ? title : '',
    ...(typeof notes === 'string' && notes !== '' ? { notes } : {}),
    ...detailsIn(entry),
    ...Object.fromEntries(dates),
    ...(rule ? { repeat: rule } : {}),
    ...(words.length > 0 ? { tags: words } : {}),
    ...(Number.isInteger(priority) && (priority as number) > 0 && (priority as number) < 10
      ? { priority: priority as number }
      : {}),
    ...(typeof estimate === 'string' && readEstimate(estimate) !== undefined ? { estimate } : {}),
    ...(entry.fromCompletion === true ? { fromCompletion: true } : {}),
    ...(blockers.length > 0 ? { after: blockers } : {}),
    ...(alarms.length > 0 ? { reminders: alarms } : {}),
    ...(children.length > 0 ? { subtasks: children } : {}),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isAlarm = (value: unknown): value is AlarmInput =>
  isObject(value) &&
  Number.isInteger(value.minutesBefore) &&
  (value.reference === undefined || value.reference === 'DUE' || value.reference === 'START') &&
  (value.message == null || typeof value.message === 'string');
