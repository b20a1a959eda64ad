import { isClosed } from '../../core/fields/status';
import type { Occurrence, Task } from '../../core/kernel/model';
import {
  nextOpenOccurrence,
  type OpenInstance,
  OverrideIndex,
  occurrencesOf,
  stepsOf,
} from '../../core/recurrence/instances';
import { type Allowance, shownUnits } from '../../core/recurrence/ruleBudget';
import { contentForFollowing } from '../../core/recurrence/thisAndFollowing';
import { civilMs, type Day, effectiveDue } from '../../core/time/dates';
import { dayMs } from '../../core/time/units';

/** Queries reach the recurrence rules only through this module. */

export const isSeries = (task: Pick<Task, 'rrule' | 'rdate' | 'masterId'>): boolean =>
  (task.rrule !== null || task.rdate !== null) && task.masterId === null;

export interface DatedTask {
  readonly task: Task;
  readonly dtstart: Occurrence['dtstart'];
  readonly due: Occurrence['due'];
}

const datedOf = (master: Task, { dtstart, due, override, following }: OpenInstance): DatedTask => ({
  task: override ?? (following ? { ...master, ...contentForFollowing(following, master) } : master),
  dtstart,
  due,
});

/**
 * The next open occurrence of an open series; undefined if none is left. A series without any date, which no rule can
 * place, stands for itself; so does one that was too costly to follow. `overrides`: its changed occurrences.
 */
export function nextOf(
  master: Task,
  overrides: readonly Task[],
  zone: string,
  allowance?: Allowance,
): DatedTask | undefined {
  if (master.dtstart === null && master.due === null) return { task: master, dtstart: null, due: null };
  const next = nextOpenOccurrence(master, overrides, zone, allowance);
  if (next) return datedOf(master, next);
  return allowance?.isSpent ? { task: master, dtstart: master.dtstart, due: effectiveDue(master) } : undefined;
}

/** The row of a series' first occurrence, if it has one. `overrides`: the changed occurrences of the series. */
export function firstOverride(
  master: Task,
  overrides: readonly Task[],
  zone: string,
  allowance?: Allowance,
): Task | undefined {
  const first = stepsOf(master, zone, allowance)?.steps.next().value;
  return first && new OverrideIndex(master, overrides).of(first.id);
}

/**
 * Open occurrences that may be on the days [from, to], in no order; a day or so more on both sides, since days depend
 * on the zone. Changed ones count on the day to which they were moved.
 */
export function openBetween(
  master: Task,
  overrides: readonly Task[],
  zone: string,
  from: Day,
  to: Day,
  allowance: Allowance,
): readonly DatedTask[] {
  const changed = new OverrideIndex(master, overrides);
  const found: DatedTask[] = [];
  const range = { from: civilMs(from) - 2 * dayMs - changed.reach, to: civilMs(to) + 3 * dayMs + changed.reach };
  for (const instance of occurrencesOf(master, { zone, ...range, allowance })) {
    if (!allowance.spend(shownUnits)) break;
    if (changed.isPlain(instance.recurrenceId)) found.push(datedOf(master, changed.withFollowing(instance)));
  }
  for (const override of overrides)
    if (!override.isDeleted && !isClosed(override))
      found.push({ task: override, dtstart: override.dtstart, due: effectiveDue(override) });
  return found;
}
