import { dayMs, effectiveDue, fromWall } from './dates';
import type { Alarm, EpochMs, Id, Task } from './model';
import { isClosed, isRecurring, OverrideIndex, occurrencesOf } from './recurrence';

/** An alarm put off by a person: it fires at `until` instead of its own time. */
export interface Snooze {
  readonly taskId: Id;
  readonly alarmId: Id;
  /** The occurrence that it was shown for; null for a task that does not recur. */
  readonly recurrenceId: number | null;
  readonly until: EpochMs;
}

export interface AlarmContext {
  /** The person's own zone. */
  readonly zone: string;
  /** Wall time `HH:MM` that stands for the reference of an all-day task. */
  readonly allDayAlarmTime: string;
  /** Every override of a recurring master, also those without alarms; taken from the tasks given where absent. */
  readonly overridesOf?: (masterId: Id) => readonly Task[];
  readonly snoozes?: readonly Snooze[];
}

export interface FiringAlarm {
  readonly fireAt: EpochMs;
  readonly alarm: Alarm;
  readonly task: Task;
  /** The occurrence it is for; null for a task that does not recur. */
  readonly recurrenceId: number | null;
}

const minuteMs = 60_000;

/**
 * Alarms that fire in [from, to), earliest first: of open tasks and of every open occurrence of a series. Give it the
 * tasks that have alarms; nothing else is read of the others.
 */
export function alarmsBetween(
  tasks: readonly Task[],
  from: EpochMs,
  to: EpochMs,
  context: AlarmContext,
): readonly FiringAlarm[] {
  const found: FiringAlarm[] = [];
  const snoozes = new Map((context.snoozes ?? []).map(snooze => [keyOf(snooze), snooze.until]));
  const add = (fireAt: EpochMs, alarm: Alarm, task: Task, recurrenceId: number | null) => {
    const until =
      snoozes.size === 0 ? undefined : snoozes.get(keyOf({ taskId: task.id, alarmId: alarm.id, recurrenceId }));
    if (until === undefined && fireAt >= from && fireAt < to) found.push({ fireAt, alarm, task, recurrenceId });
  };
  const allDayOffset = timeOfDay(context.allDayAlarmTime);
  const overrides = overridesIn(tasks, context);
  for (const task of tasks) {
    if (task.isDeleted || task.alarms.length === 0 || isClosed(task)) continue;
    if (isRecurring(task)) {
      seriesAlarms(task, overrides(task.id), from, to, context.zone, allDayOffset, add);
      continue;
    }
    for (const alarm of task.alarms) {
      const fireAt = fireTime(alarm, task, task.dtstart, effectiveDue(task), context.zone, allDayOffset);
      if (fireAt !== undefined) add(fireAt, alarm, task, task.recurrenceId);
    }
  }
  addSnoozed(tasks, from, to, context, found);
  return found.sort((a, b) => a.fireAt - b.fireAt);
}

type Add = (fireAt: EpochMs, alarm: Alarm, task: Task, recurrenceId: number | null) => void;

function seriesAlarms(
  master: Task,
  overrides: readonly Task[],
  from: EpochMs,
  to: EpochMs,
  zone: string,
  allDayOffset: number,
  add: Add,
): void {
  const relative = master.alarms.filter(alarm => alarm.reference !== 'ABSOLUTE');
  for (const alarm of master.alarms) {
    if (alarm.reference === 'ABSOLUTE') add(-alarm.minutesBefore * minuteMs, alarm, master, null);
  }
  if (relative.length === 0) return;
  const before = relative.map(alarm => alarm.minutesBefore * minuteMs);
  // Civil values are off from instants by no more than a day; so is an all-day task's hour.
  const grace = master.timezone === null ? 2 * dayMs : 0;
  const range = { from: from + Math.min(...before) - grace, to: to + Math.max(...before) + grace };
  const changed = new OverrideIndex(master, overrides);
  for (const instance of occurrencesOf(master, { zone, ...range })) {
    // An occurrence with a row of its own has that row's alarms.
    if (changed.of(instance.recurrenceId)) continue;
    for (const alarm of relative) {
      const fireAt = fireTime(alarm, master, instance.dtstart, instance.due, zone, allDayOffset);
      if (fireAt !== undefined) add(fireAt, alarm, master, instance.recurrenceId);
    }
  }
}

/**
 * Reference minus `minutesBefore`. START without a start counts from DUE and the other way round. The reference of an
 * all-day task is a wall time on its day, so whole days before it stay at that time over changes of clocks; every
 * other distance is exact.
 */
export function fireTime(
  { reference, minutesBefore }: Alarm,
  { isAllDay, timezone }: Pick<Task, 'isAllDay' | 'timezone'>,
  dtstart: number | null,
  due: number | null,
  zone: string,
  allDayOffset: number,
): EpochMs | undefined {
  const before = minutesBefore * minuteMs;
  if (reference === 'ABSOLUTE') return -before;
  const value = reference === 'START' ? (dtstart ?? due) : (due ?? dtstart);
  if (value === null) return undefined;
  if (timezone !== null) return value - before;
  if (!isAllDay) return fromWall(value, zone) - before;
  const days = Math.trunc(before / dayMs) * dayMs;
  return fromWall(Math.floor(value / dayMs) * dayMs + allDayOffset - days, zone) - (before - days);
}

function overridesIn(tasks: readonly Task[], { overridesOf }: AlarmContext): (masterId: Id) => readonly Task[] {
  if (overridesOf) return overridesOf;
  const byMaster = new Map<Id, Task[]>();
  for (const task of tasks) {
    if (task.masterId === null) continue;
    const known = byMaster.get(task.masterId);
    if (known) known.push(task);
    else byMaster.set(task.masterId, [task]);
  }
  return masterId => byMaster.get(masterId) ?? [];
}

function addSnoozed(
  tasks: readonly Task[],
  from: EpochMs,
  to: EpochMs,
  { snoozes = [], overridesOf }: AlarmContext,
  found: FiringAlarm[],
): void {
  const due = snoozes.filter(({ until }) => until >= from && until < to);
  if (due.length === 0) return;
  const byId = new Map(tasks.map(task => [task.id, task]));
  for (const { taskId, alarmId, recurrenceId, until } of due) {
    const task = byId.get(taskId);
    const alarm = task?.alarms.find(({ id }) => id === alarmId);
    if (!task || !alarm || task.isDeleted || isClosed(task) || isOver(task, recurrenceId, overridesOf)) continue;
    found.push({ fireAt: until, alarm, task, recurrenceId });
  }
}

/** Whether the occurrence that was put off has been closed meanwhile. */
function isOver(task: Task, recurrenceId: number | null, overridesOf: AlarmContext['overridesOf']): boolean {
  if (recurrenceId === null || !overridesOf || !isRecurring(task)) return false;
  const override = new OverrideIndex(task, overridesOf(task.id)).of(recurrenceId);
  return override !== undefined && isClosed(override);
}

const keyOf = ({ taskId, alarmId, recurrenceId }: Omit<Snooze, 'until'>) => `${taskId}/${alarmId}/${recurrenceId}`;

/** `HH:MM` in milliseconds; nine o'clock where it is no time. */
function timeOfDay(text: string): number {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  return match ? (Number(match[1]) * 60 + Number(match[2])) * minuteMs : 9 * 60 * minuteMs;
}
