import type { DuelineEngine } from '../../api';
import { hoursText, workTimeOf } from '../../core/code/workTime';
import { bucketOf } from '../../core/fields/priority';
import { isClosed } from '../../core/fields/status';
import { detailsOf, estimateOf, textOf } from '../../core/fields/values';
import type { EpochMs, Id, Task } from '../../core/kernel/model';
import { anchorOf, datesOnRule, isRecurring, openOccurrences } from '../../core/recurrence/instances';
import { repeatsFromCompletion } from '../../core/recurrence/repeatFrom';
import { type Day, dayOf, effectiveDue, isPast, momentOf, today } from '../../core/time/dates';
import { plain, t } from '../../shared/l10n';
import type { FormCodeLink, FormRepeat, FormState, FormSubtask, FormTask } from '../../shared/taskEditorProtocol';
import { isActive, movedFrom } from '../../ui/occurrences';
import { dateStyle } from '../../ui/settings/settings';
import { alarmLabel } from '../../ui/text/alarmText';
import { claimWords } from '../../ui/text/claimText';
import { type CodeLink, codeLinks } from '../../ui/text/codeLinks';
import { cssColor } from '../../ui/text/cssColor';
import { momentLabel, stampLabel } from '../../ui/text/dateText';
import { lengthText } from '../../ui/text/lengthText';
import { repeatText } from '../../ui/text/ruleText';
import { waitingSentence } from '../../ui/text/syncText';
import { parentWords, repeats, shownTags, titleOf } from '../../ui/text/taskText';
import { durationText } from './durationText';
import type { EditedTask } from './editedTask';
import { wallFields, wallOfTask, wallOfUser } from './formDates';

type Edited = Pick<EditedTask, 'occurrence' | 'scope' | 'rowId' | 'series'>;

/**
 * A task as the form shows it; `edited` names the occurrence of a series, and is absent for a task that is not created
 * yet.
 */
export function formState(engine: DuelineEngine, task: Task, edited: Edited | undefined): FormState {
  const series = edited?.series() ?? task;
  const own = edited && engine.task(edited.rowId);
  const list = engine.lists().find(({ id }) => id === task.listId);
  const style = dateStyle(engine);
  const zone = engine.clock.timeZone;
  const minutes = estimateOf(task);
  const due = effectiveDue(task);
  const value = due ?? task.dtstart;
  const local = wallOfUser(value, task, zone);
  const label = (civil: EpochMs | null) =>
    civil === null ? '' : momentLabel(civil, { timezone: null, isAllDay: task.isAllDay }, style);
  return {
    task: formTask(task, zone),
    menu: edited ? menuOf(edited, task.id) : null,
    labels: {
      due: label(wallOfTask(task.due, task, zone)),
      start: label(wallOfTask(task.dtstart, task, zone)),
      priority: priorityName(task.priority),
      estimate: minutes === undefined ? '' : lengthText(minutes),
    },
    overdue: due !== null && !isClosed(task) && isPast(due, task, momentOf(engine.clock, style.startHour)),
    active: isActive(engine, task),
    claimed: claimWords(engine, task) ?? null,
    today: today(engine.clock, style.startHour),
    firstDay: style.firstDay,
    readOnly: list?.isReadOnly ?? false,
    lists: engine
      .lists()
      .filter(one => !one.isReadOnly || one.id === task.listId)
      .map(({ id, name, color }) => ({ id, name: plain(name), color: cssColor(color) })),
    zone,
    localTime:
      local === undefined
        ? null
        : t('{0} in your time zone', momentLabel(local, { timezone: null, isAllDay: false }, style)),
    occurrence:
      edited && edited.occurrence !== null && value !== null && isRecurring(series)
        ? momentLabel(value, task, style)
        : null,
    movedFrom: (own && movedFrom(engine, own, style)) ?? null,
    scope: edited && isRecurring(series) ? edited.scope : null,
    repeat: repeatState(engine, series),
    alarms: task.alarms.map(alarm => ({
      label: alarmLabel(alarm, style),
      minutesBefore: alarm.minutesBefore,
      reference: alarm.reference,
      message: alarm.message,
    })),
    parent: parentOf(engine, series),
    subtasks: subtasksOf(engine, task).map(row => subtaskOf(engine, row)),
    codeLinks: (codeLinks()?.of(series) ?? []).map(formLink),
    cursor: (edited && codeLinks()?.cursor()?.label) ?? null,
    ...(edited
      ? { blockers: blockersOf(engine, series), shortId: engine.shortIdOf(series) }
      : { blockers: [], shortId: '' }),
    facts: [
      task.createdAt === null ? undefined : t('Created {0}', stampLabel(task.createdAt, style)),
      task.lastModified === null ? undefined : t('Modified {0}', stampLabel(task.lastModified, style)),
      task.completedAt === null ? undefined : t('Completed {0}', stampLabel(task.completedAt, style)),
      timeWorked(series),
      waitingSentence(task),
    ].filter(fact => fact !== undefined),
  };
}

/** Open ones first, each kind in the order that the user gave it. */
const subtasksOf = (engine: DuelineEngine, task: Task): readonly Task[] =>
  engine
    .subtasksOf(task.id)
    .toSorted((a, b) => Number(isClosed(a)) - Number(isClosed(b)) || a.sortOrder - b.sortOrder || a.id - b.id);

function parentOf(engine: DuelineEngine, { parentId }: Task): FormState['parent'] {
  const parent = parentId === null ? undefined : engine.task(parentId);
  if (!parent || parent.isDeleted) return null;
  const title = titleOf(parent);
  return { id: parent.id, title, words: parentWords(title) };
}

function timeWorked(task: Task): string | undefined {
  const { ms } = workTimeOf(task);
  return ms > 0 ? t('Time {0}', hoursText(ms)) : undefined;
}

const blockersOf = (engine: DuelineEngine, task: Task): FormState['blockers'] =>
  engine.blockersOf(task).map(({ uid, task: blocker }) => ({
    ...(blocker ? subtaskOf(engine, blocker) : unknownTask()),
    uid,
  }));

const unknownTask = (): FormSubtask => ({
  id: 0,
  title: t('Unknown task'),
  state: 'open',
  priority: 'none',
  when: '',
  overdue: false,
  recurring: false,
  tags: [],
});

const formLink = ({ source, label, folder, isGone, isStale, isProbable }: CodeLink): FormCodeLink => ({
  source,
  label,
  folder,
  state: isGone ? 'gone' : isStale ? 'stale' : isProbable ? 'probable' : 'sure',
});

function subtaskOf(engine: DuelineEngine, row: Task): FormSubtask {
  const style = dateStyle(engine);
  const due = effectiveDue(row);
  const value = due ?? row.dtstart;
  return {
    id: row.id,
    title: titleOf(row),
    state: (['open', 'doing', 'done', 'cancelled'] as const)[row.status],
    priority: bucketOf(row.priority),
    when: value === null ? '' : momentLabel(value, row, style),
    overdue: due !== null && !isClosed(row) && isPast(due, row, momentOf(engine.clock, style.startHour)),
    recurring: repeats(row),
    tags: shownTags(row),
  };
}

/** The occurrence's own row, or the occurrence of its series. */
const menuOf = ({ rowId, occurrence }: Edited, id: Id) =>
  rowId === id ? { taskId: id, occurrence } : { taskId: rowId, occurrence: null };

/** The effect that a rule would have on this task or series: its words and the next five dates. */
export function previewRule(engine: DuelineEngine, task: Task, rule: string) {
  const dates = anchorOf(task) === null ? { due: Date.parse(dayIn(engine, task)), isAllDay: true, timezone: null } : {};
  const series = { ...task, ...dates };
  const begin = isRecurring(task) ? {} : datesOnRule(series, rule, engine.clock.timeZone);
  return { label: repeatText(rule), next: nextFive(engine, { ...series, ...begin, rrule: rule }) };
}

function repeatState(engine: DuelineEngine, task: Task): FormRepeat {
  const isFromCompletion = repeatsFromCompletion(task);
  return {
    label:
      task.rrule !== null ? repeatText(task.rrule, isFromCompletion) : isRecurring(task) ? t('on specific dates') : '',
    next: isRecurring(task) ? nextFive(engine, task) : [],
    from: isFromCompletion ? 'completion' : 'due',
  };
}

/** The day that a task's rule counts from. */
export function dayIn({ clock, settings }: DuelineEngine, task: Task): Day {
  const anchor = anchorOf(task);
  return anchor === null ? today(clock, settings.dayStartHour) : dayOf(anchor, task.timezone, clock.timeZone);
}

function formTask(task: Task, zone: string): FormTask {
  const [dueDate, dueTime] = wallFields(task.due, task, zone);
  const [startDate, startTime] = wallFields(task.dtstart, task, zone);
  return {
    id: task.id,
    title: task.title ?? '',
    notes: task.description ?? '',
    listId: task.listId,
    ...detailsOf(task, ''),
    tags: task.tags,
    status: task.status,
    progress: task.percentComplete ?? 0,
    priority: task.priority,
    classification: task.classification,
    color: task.color === null ? '' : cssColor(task.color),
    dueDate,
    dueTime,
    startDate,
    startTime,
    duration: durationText(task.duration),
    estimate: textOf(task, 'estimate') ?? '',
    timezone: task.timezone ?? '',
    rrule: task.rrule ?? '',
  };
}

/** The next five open dates of a series, in words. */
function nextFive(engine: DuelineEngine, task: Task): string[] {
  const overrides = engine.overridesOf(task.id);
  const found: EpochMs[] = [];
  if (anchorOf(task) === null) return [];
  for (const { due, dtstart } of openOccurrences(task, overrides, engine.clock.timeZone)) {
    const value = due ?? dtstart;
    if (value !== null) found.push(value);
    if (found.length === 5) break;
  }
  const style = dateStyle(engine);
  return found.map(value => momentLabel(value, task, style));
}

/** Other clients write other numbers: those are shown with the name of their bucket, *High (3)*. */
export function priorityName(priority: number): string {
  if (priority === 0) return '';
  const [word, usual] = priority < 5 ? [t('High'), 1] : priority === 5 ? [t('Medium'), 5] : [t('Low'), 9];
  return priority === usual ? word : `${word} (${priority})`;
}
