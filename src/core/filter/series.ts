import type { Day } from '../dates';
import type { Occurrence, Task } from '../model';

/** The one place where queries ask the recurrence rules. */

export const isSeries = (task: Pick<Task, 'rrule' | 'rdate' | 'masterId'>): boolean =>
  (task.rrule !== null || task.rdate !== null) && task.masterId === null;

export interface Dated {
  readonly task: Task;
  readonly dtstart: Occurrence['dtstart'];
  readonly due: Occurrence['due'];
}

/** The next open occurrence of an open series; undefined where none is left. `overrides`: its changed occurrences. */
export function nextOf(master: Task, _overrides: readonly Task[], _zone: string): Dated | undefined {
  return { task: master, dtstart: master.dtstart, due: master.due };
}

/** Open occurrences whose effective day lies in [from, to], earliest first. */
export function openBetween(
  master: Task,
  overrides: readonly Task[],
  zone: string,
  _from: Day,
  _to: Day,
): readonly Dated[] {
  const next = nextOf(master, overrides, zone);
  return next ? [next] : [];
}
