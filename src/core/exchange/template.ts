import { dependenciesOf } from '../fields/dependencies';
import { detailsIn, detailsOf, type TaskEdit, textOf } from '../fields/values';
import type { AlarmInput, EpochMs, Id, Task } from '../kernel/model';
import type { Template, TemplateTask } from '../kernel/settings';
import { formatDay, formatUtc } from '../lines/dateDigits';
import { repeatsFromCompletion } from '../recurrence/repeatFrom';
import { parseRule, withPart } from '../recurrence/rrule';
import { addDays, civilMs, type Day, dayOfCivil, daysBetween, effectiveDue, fromWall, wallOf } from '../time/dates';
import { minuteMs } from '../time/units';
import { dayOffset } from './wholeTemplates';

type ChildrenOf = (id: Id) => readonly Task[];

/**
 * A task with its open and done subtasks as a template: nothing in it is done, and dates count from the first one. Only
 * dependencies between its own tasks are kept.
 */
export function templateOf(name: string, root: Task, childrenOf: ChildrenOf, zone: string): Template {
  const wall = (value: EpochMs, { timezone }: Task) => (timezone === null ? value : wallOf(value, zone));
  const subtasksOf = (task: Task, seen: ReadonlySet<Id>) => childrenOf(task.id).filter(({ id }) => !seen.has(id));
  const inOrder = (task: Task, seen: ReadonlySet<Id>): Task[] => [
    task,
    ...subtasksOf(task, seen).flatMap(child => inOrder(child, new Set([...seen, child.id]))),
  ];
  const tasks = inOrder(root, new Set([root.id]));
  const dates = tasks.flatMap(task =>
    [task.dtstart, effectiveDue(task)].flatMap(value => (value === null ? [] : [wall(value, task)])),
  );
  const first = dayOfCivil(Math.min(...dates, Number.MAX_SAFE_INTEGER));
  // A title means the first task that has it.
  const uids = new Map(tasks.toReversed().map(({ title, uid }) => [title ?? '', uid]));
  const when = (value: EpochMs, task: Task) => {
    const at = wall(value, task);
    const day = `+${daysBetween(first, dayOfCivil(at))}d`;
    return task.isAllDay ? day : `${day} ${new Date(at).toISOString().slice(11, 16)}`;
  };
  const taskOf = (task: Task, seen: ReadonlySet<Id>): TemplateTask => {
    const subtasks = subtasksOf(task, seen).map(child => taskOf(child, new Set([...seen, child.id])));
    const alarms = task.alarms.flatMap(alarm => reminderOf(alarm, task));
    const until = lastDayOf(task, zone);
    const estimate = textOf(task, 'estimate');
    const due = effectiveDue(task);
    const blockers = dependenciesOf(task);
    const after = [...uids].flatMap(([title, uid]) => (title !== '' && blockers.includes(uid) ? [title] : []));
    return {
      title: task.title ?? '',
      ...(task.description ? { notes: task.description.replace(tickedBox, '$1 ]') } : {}),
      ...detailsIn(detailsOf(task, null)),
      ...(task.tags.length > 0 ? { tags: [...task.tags] } : {}),
      ...(task.priority > 0 ? { priority: task.priority } : {}),
      ...(estimate === null ? {} : { estimate }),
      ...(task.dtstart === null ? {} : { start: when(task.dtstart, task) }),
      ...(due === null ? {} : { due: when(due, task) }),
      ...(task.rrule === null ? {} : { repeat: withPart(task.rrule, 'UNTIL', undefined) }),
      ...(until === undefined ? {} : { until: `+${Math.max(0, daysBetween(first, until))}d` }),
      ...(repeatsFromCompletion(task) ? { fromCompletion: true } : {}),
      ...(after.length > 0 ? { after } : {}),
      ...(alarms.length > 0 ? { reminders: alarms } : {}),
      ...(subtasks.length > 0 ? { subtasks } : {}),
    };
  };
  return { name, ...taskOf(root, new Set([root.id])) };
}

/** A box of a checklist that is ticked, wherever Markdown has one: in any list, and in quotes. */
const tickedBox = /^([ >]*(?:[-*+]|\d{1,9}[.)])\s+\[)[xX]\]/gm;

/** A reminder by its distance from the task's date. One at a fixed time has none if the task has no time of day. */
function reminderOf({ minutesBefore, reference, message }: Task['alarms'][number], task: Task): AlarmInput[] {
  if (reference !== 'ABSOLUTE') return [{ minutesBefore, reference, message }];
  const value = task.due ?? task.dtstart;
  if (value === null || task.timezone === null || task.isAllDay) return [];
  const before = Math.round(value / minuteMs) + minutesBefore;
  return [{ minutesBefore: before, reference: task.due === null ? 'START' : 'DUE', message }];
}

/** The day with which its rule ends. */
function lastDayOf({ rrule }: Task, zone: string): Day | undefined {
  const until = rrule === null ? undefined : parseRule(rrule)?.until;
  return until && dayOfCivil(until.kind === 'utc' ? wallOf(until.civil, zone) : until.civil);
}

/** A task of a template, to be made; `parent` is the index of one before it, `after` are those of any. */
export interface TemplateRow {
  readonly input: TaskEdit;
  readonly parent?: number;
  readonly after: readonly number[];
  readonly fromCompletion: boolean;
}

/**
 * Its tasks, each after its parent, with the dates that they have if the first of all is on that day. None waits for
 * itself: in a template that was written by hand, the word that would close a circle is left out.
 */
export function rowsOfTemplate(template: TemplateTask, base: Day, zone: string): readonly TemplateRow[] {
  const tasks: { readonly task: TemplateTask; readonly parent?: number }[] = [];
  const add = (task: TemplateTask, parent?: number) => {
    const at = tasks.push({ task, ...(parent === undefined ? {} : { parent }) }) - 1;
    for (const child of task.subtasks ?? []) add(child, at);
  };
  add(template);
  const after: number[][] = tasks.map(() => []);
  const leadsTo = (from: number, to: number): boolean => {
    const found = new Set([from]);
    for (const at of found) for (const next of after[at]!) found.add(next);
    return found.has(to);
  };
  for (const [at, { task }] of tasks.entries())
    for (const title of task.after ?? []) {
      const other = tasks.findIndex(one => one.task.title === title);
      if (other >= 0 && !leadsTo(other, at)) after[at]!.push(other);
    }
  return tasks.map(({ task, ...row }, at) => ({
    ...row,
    input: inputOf(task, base, zone),
    fromCompletion: task.fromCompletion === true,
    after: after[at]!,
  }));
}

/**
 * The number of days from the first date of all to the due date, or start, of the template's own task; 0 if it has no
 * date.
 */
const daysToRoot = ({ due, start }: TemplateTask): number => Number(/\d+/.exec(due ?? start ?? '')?.[0] ?? 0);

export const firstDayFor = (template: TemplateTask, due: Day): Day => addDays(due, -daysToRoot(template));

function inputOf(task: TemplateTask, base: Day, zone: string): TaskEdit {
  const { title, notes, tags, priority, estimate, repeat, reminders } = task;
  const [start, due] = [momentOf(task.start, base), momentOf(task.due, base)];
  const isAllDay = [start, due].every(moment => moment?.minutes === undefined);
  const value = (moment: ReturnType<typeof momentOf>) => {
    if (!moment) return undefined;
    const wall = civilMs(moment.day) + (moment.minutes ?? 0) * minuteMs;
    return isAllDay ? wall : fromWall(wall, zone);
  };
  const [begin, end] = [value(start), value(due)];
  // Servers refuse a task that begins after it is due (RFC 5545 3.8.2.3).
  const dtstart = begin !== undefined && end !== undefined && begin > end ? undefined : begin;
  const dates = {
    ...(dtstart === undefined ? {} : { dtstart }),
    ...(end === undefined ? {} : { due: end }),
    isAllDay,
    timezone: isAllDay ? null : zone,
  };
  return {
    title,
    ...(notes ? { description: notes } : {}),
    ...detailsIn({ ...task }),
    ...(tags ? { tags } : {}),
    ...(priority ? { priority } : {}),
    ...(estimate ? { estimate } : {}),
    ...(start || due ? dates : {}),
    ...(repeat && (start || due)
      ? { rrule: withLastDay(repeat, momentOf(task.until, base)?.day, { isAllDay, zone }) }
      : {}),
    ...(reminders ? { alarms: reminders } : {}),
  };
}

/** UNTIL of the type that the task's dates have; its day counts whole (RFC 5545 3.3.10). */
function withLastDay(rrule: string, last: Day | undefined, { isAllDay, zone }: { isAllDay: boolean; zone: string }) {
  if (last === undefined) return rrule;
  const until = isAllDay ? formatDay(civilMs(last)) : formatUtc(fromWall(civilMs(addDays(last, 1)) - 1000, zone));
  return withPart(withPart(rrule, 'COUNT', undefined), 'UNTIL', until);
}

function momentOf(text: string | undefined, base: Day): { day: Day; minutes: number | undefined } | undefined {
  const [whole, days, hours, minutes] = dayOffset.exec(text ?? '') ?? [];
  if (whole === undefined) return undefined;
  return {
    day: addDays(base, Number(days)),
    minutes: hours === undefined ? undefined : Number(hours) * 60 + Number(minutes),
  };
}

/** The templates; those that are meant are as they were before and keep their positions. */
export function restoreTemplates(
  templates: readonly Template[],
  before: readonly Template[],
  isMeant: (one: Template) => boolean,
): readonly Template[] {
  const next = templates.filter(one => !isMeant(one));
  for (const [at, one] of before.entries()) if (isMeant(one)) next.splice(at, 0, one);
  return next;
}
