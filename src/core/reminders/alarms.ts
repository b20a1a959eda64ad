import { isClosed } from '../fields/status';
import type { Alarm, EpochMs, Id, Task } from '../kernel/model';
import { isRecurring, OverrideIndex, occurrencesOf } from '../recurrence/instances';
import { type Allowance, RuleBudget, shownUnits } from '../recurrence/ruleBudget';
import { appliesToFollowing } from '../recurrence/thisAndFollowing';
import { effectiveDue, fromWall } from '../time/dates';
import { timeOfDay } from '../time/timeOfDay';
import { dayMs, minuteMs } from '../time/units';
import { firingKey } from './firingKey';

/**
 * An alarm that the user snoozed: it fires at `until` instead of its own time. The ids of its row and of the alarm are no
 * part of this: an edit of one occurrence gives it a row with alarms of its own, and so does the trash to what it returns.
 */
export interface Snooze {
  readonly uid: string;
  /** The occurrence that it was shown for; null for a task that does not recur. */
  readonly recurrenceId: number | null;
  /** Its own time. The snooze holds for that alone: an alarm that moves to another time fires there. */
  readonly ownTime: EpochMs;
  readonly until: EpochMs;
}

export interface AlarmContext {
  /** The user's own zone. */
  readonly zone: string;
  /** Wall time `HH:MM` that stands for the reference of an all-day task. */
  readonly allDayAlarmTime: string;
  /**
   * Every override of a recurring master, also those without alarms; if absent, they are taken from the given tasks.
   */
  readonly overridesOf?: (masterId: Id) => readonly Task[];
  /** The master of an override; if absent, it is found among the given tasks. */
  readonly master?: (id: Id) => Task | undefined;
  readonly snoozes?: readonly Snooze[];
  /** Called with each series that repeats so often that some of its alarms are left out. */
  readonly onCut?: (id: Id) => void;
}

export interface FiringAlarm {
  readonly fireAt: EpochMs;
  /** When it would fire had nobody put it off. */
  readonly ownTime: EpochMs;
  readonly alarm: Alarm;
  readonly task: Task;
  /** The occurrence it is for; null for a task that does not recur. */
  readonly recurrenceId: number | null;
  /** The dates of that occurrence, coded like the task's own. */
  readonly dtstart: number | null;
  readonly due: number | null;
}

/**
 * Alarms that fire in [from, to), earliest first: of open tasks and of every open occurrence of a series. Pass the
 * tasks that have alarms; nothing else is read of the others.
 */
export function alarmsBetween(
  tasks: readonly Task[],
  from: EpochMs,
  to: EpochMs,
  context: AlarmContext,
): readonly FiringAlarm[] {
  const found: FiringAlarm[] = [];
  const snoozed = new Set((context.snoozes ?? []).map(({ uid, ownTime }) => firingKey(uid, ownTime)));
  const add: Add = (fireAt, alarm, task, instance) => {
    if (fireAt < from || fireAt >= to) return;
    if (snoozed.size > 0 && snoozed.has(firingKey(task.uid, fireAt))) return;
    found.push({ fireAt, ownTime: fireAt, alarm, task, ...instance });
  };
  const allDayOffset = timeOfDay(context.allDayAlarmTime);
  const overrides = overridesIn(tasks, context);
  const master = masterIn(tasks, context);
  const budget = new RuleBudget();
  for (const task of tasks) {
    if (task.isDeleted || task.alarms.length === 0) continue;
    const series = isRecurring(task) ? task : appliesToFollowing(task) ? master(task.masterId) : undefined;
    if (series && !series.isDeleted && !isClosed(series)) {
      const allowance = budget.allowance();
      seriesAlarms(series, task, overrides(series.id), from, to, context.zone, allDayOffset, allowance, add);
      if (allowance.isSpent) context.onCut?.(task.id);
    }
    if (isRecurring(task) || isClosed(task)) continue;
    const instance = { recurrenceId: task.recurrenceId, dtstart: task.dtstart, due: effectiveDue(task) };
    for (const alarm of task.alarms) {
      const fireAt = fireTime(alarm, task, instance.dtstart, instance.due, context.zone, allDayOffset);
      if (fireAt !== undefined) add(fireAt, alarm, task, instance);
    }
  }
  addSnoozed(tasks, from, to, context, found);
  return found.sort((a, b) => a.fireAt - b.fireAt);
}

type Dates = Pick<FiringAlarm, 'recurrenceId' | 'dtstart' | 'due'>;
type Add = (fireAt: EpochMs, alarm: Alarm, task: Task, instance: Dates) => void;

/** The alarms of a series' own occurrences (`held` is its master), or of those that an override applies to. */
function seriesAlarms(
  master: Task,
  held: Task,
  overrides: readonly Task[],
  from: EpochMs,
  to: EpochMs,
  zone: string,
  allDayOffset: number,
  allowance: Allowance,
  add: Add,
): void {
  const relative = held.alarms.filter(alarm => alarm.reference !== 'ABSOLUTE');
  for (const alarm of held.alarms) {
    if (alarm.reference === 'ABSOLUTE' && held === master)
      add(-alarm.minutesBefore * minuteMs, alarm, master, {
        recurrenceId: null,
        dtstart: master.dtstart,
        due: effectiveDue(master),
      });
  }
  if (relative.length === 0) return;
  const before = relative.map(alarm => alarm.minutesBefore * minuteMs);
  // Civil values are off from instants by no more than a day; so is an all-day task's hour.
  const grace = master.timezone === null ? 2 * dayMs : 0;
  const [least, most] = [before.reduce((a, b) => Math.min(a, b)), before.reduce((a, b) => Math.max(a, b))];
  const changed = new OverrideIndex(master, overrides);
  const range = { from: from + least - grace - changed.reach, to: to + most + grace + changed.reach };
  for (const instance of occurrencesOf(master, { zone, ...range, allowance })) {
    if (!allowance.spend(shownUnits + relative.length)) return;
    // An occurrence with a row of its own has that row's alarms.
    if (!changed.isPlain(instance.recurrenceId)) continue;
    const { following, ...dated } = changed.withFollowing(instance);
    if ((following?.id ?? master.id) !== held.id) continue;
    for (const alarm of relative) {
      const fireAt = fireTime(alarm, master, dated.dtstart, dated.due, zone, allDayOffset);
      if (fireAt !== undefined) add(fireAt, alarm, held, dated);
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

function masterIn(tasks: readonly Task[], { master }: AlarmContext): (id: Id | null) => Task | undefined {
  return id => (id === null ? undefined : master ? master(id) : tasks.find(task => task.id === id));
}

/** A snooze whose alarm has gone, was done or has moved meanwhile says nothing any more. */
function addSnoozed(
  tasks: readonly Task[],
  from: EpochMs,
  to: EpochMs,
  context: AlarmContext,
  found: FiringAlarm[],
): void {
  const due = (context.snoozes ?? []).filter(({ until }) => until >= from && until < to);
  if (due.length === 0) return;
  const plain = { ...context, snoozes: [], overridesOf: overridesIn(tasks, context), master: masterIn(tasks, context) };
  for (const { uid, ownTime, until } of due) {
    const rows = tasks.filter(task => task.uid === uid);
    const firing = alarmsBetween(rows, ownTime, ownTime + 1, plain);
    found.push(...firing.map(one => ({ ...one, fireAt: until })));
  }
}
