import { estimateOf } from '../fields/values';
import { type EpochMs, Status, type Task } from '../kernel/model';
import { addDays, type Day, dayOf, startOfMonth, startOfWeek } from '../time/dates';
import { minuteMs } from '../time/units';
import { workTimeOf } from './workTime';

/** A session of a task; without a start it is the sum of its oldest ones. */
export interface TimeEntry {
  readonly task: Task;
  readonly start?: EpochMs;
  readonly ms: number;
  readonly repo?: string;
}

/** Days, both included; an absent end is open. */
interface Days {
  readonly from?: Day;
  readonly to?: Day;
}

/** How the user counts days. */
export interface DayRule {
  readonly zone: string;
  readonly startHour: number;
  /** 0 Sunday … 6 Saturday. */
  readonly firstDay: number;
}

/** The day on which a session began. */
const dayOfEntry = ({ start }: TimeEntry, { zone, startHour }: DayRule): Day | undefined =>
  start === undefined ? undefined : dayOf(start, 'UTC', zone, startHour);

/** The time of tasks on these days, the earliest first. Sums have no day and count if no end is named. */
export function timeEntries(tasks: Iterable<Task>, { from, to }: Days, rule: DayRule): TimeEntry[] {
  const entries: TimeEntry[] = [];
  for (const task of tasks) {
    const { sessions, folded } = workTimeOf(task);
    if (folded && !from) entries.push({ task, ms: folded.ms });
    for (const session of sessions) entries.push({ task, ...session });
  }
  const isMeant = (entry: TimeEntry) => {
    const day = dayOfEntry(entry, rule);
    return day === undefined || ((!from || day >= from) && (!to || day <= to));
  };
  return entries.filter(isMeant).sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
}

export interface TimeSum<Key> {
  readonly key: Key;
  readonly ms: number;
}

/** The longest first. */
export function sumBy<Key>(entries: readonly TimeEntry[], keyOf: (entry: TimeEntry) => Key): TimeSum<Key>[] {
  const sums = new Map<Key, number>();
  for (const entry of entries) sums.set(keyOf(entry), (sums.get(keyOf(entry)) ?? 0) + entry.ms);
  return [...sums].map(([key, ms]) => ({ key, ms })).sort((a, b) => b.ms - a.ms);
}

/** By the day on which each session began, or the first one of its week, the latest first; what has no day comes last. */
export function sumByDay(
  entries: readonly TimeEntry[],
  rule: DayRule,
  span: 'day' | 'week' = 'day',
): TimeSum<Day | undefined>[] {
  const keyOf = (entry: TimeEntry) => {
    const day = dayOfEntry(entry, rule);
    return day && (span === 'day' ? day : startOfWeek(day, rule.firstDay));
  };
  return sumBy(entries, keyOf).sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? 1 : -1));
}

interface TagError {
  readonly tag: string;
  /** The middle of measured time through estimate: 1.5 takes half as long again. */
  readonly factor: number;
  /** The tasks that it is known from. */
  readonly count: number;
}

/** The least number of tasks whose estimates say something about a tag. */
const leastTasks = 3;

/**
 * The estimate to compare with the time of a task. A series has none, since its time is the sum of all occurrences and its
 * estimate is for one.
 */
export const estimateOfWork = (task: Task): number | undefined => (task.rrule === null ? estimateOf(task) : undefined);

/** How far the estimates of tasks with a tag are off, the worst first: from those that are done and have both. */
export function tagErrors(tasks: Iterable<Task>): TagError[] {
  const byTag = new Map<string, { readonly tag: string; readonly factors: number[] }>();
  for (const task of tasks) {
    const [minutes, { ms }] = [estimateOfWork(task), workTimeOf(task)];
    if (task.status !== Status.completed || minutes === undefined || ms === 0) continue;
    for (const tag of task.tags) {
      const entry = byTag.get(tag.toLowerCase()) ?? { tag, factors: [] };
      byTag.set(tag.toLowerCase(), entry);
      entry.factors.push(ms / (minutes * minuteMs));
    }
  }
  const far = ({ factor }: TagError) => Math.abs(Math.log(factor));
  return [...byTag.values()]
    .filter(({ factors }) => factors.length >= leastTasks)
    .map(({ tag, factors }) => ({ tag, factor: middleOf(factors), count: factors.length }))
    .sort((a, b) => far(b) - far(a));
}

function middleOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export type Period = 'thisWeek' | 'lastWeek' | 'thisMonth' | 'lastMonth' | 'all';
export const periods: readonly Period[] = ['thisWeek', 'lastWeek', 'thisMonth', 'lastMonth', 'all'];

export function daysOf(period: Period, today: Day, firstDay: number): Days {
  const week = startOfWeek(today, firstDay);
  const month = startOfMonth(today);
  const before = addDays(month, -1);
  switch (period) {
    case 'thisWeek':
      return { from: week, to: addDays(week, 6) };
    case 'lastWeek':
      return { from: addDays(week, -7), to: addDays(week, -1) };
    case 'thisMonth':
      return { from: month, to: addDays(startOfMonth(addDays(month, 31)), -1) };
    case 'lastMonth':
      return { from: startOfMonth(before), to: before };
    case 'all':
      return {};
  }
}
