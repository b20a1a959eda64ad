import type { Occurrence, Task } from '../../core/kernel/model';
import type { Allowance } from '../../core/recurrence/ruleBudget';
import { addDays, type Day, dayOfCivil, type Moment } from '../../core/time/dates';
import { occurrence } from './items';
import { openBetween } from './series';
import { calendarTime } from './sort';

/** Both days included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/**
 * The open occurrences of a series in a range of days, or from its next one up to the horizon; fewer if the allowance
 * is spent.
 */
export function expandOccurrences(
  master: Task,
  overrides: readonly Task[],
  next: Occurrence,
  moment: Moment,
  reach: DayRange | { readonly horizonDays: number },
  allowance: Allowance,
): Occurrence[] {
  const value = next.due ?? next.dtstart;
  if (value === null) return [next];
  if ('from' in reach) return between(master, overrides, reach, moment, allowance);
  const today = moment.today.day;
  const first = dayOfCivil(calendarTime(value, next.task, moment));
  const from = [first, today].sort()[0]!;
  const range = { from, to: addDays(today, reach.horizonDays) };
  const found = between(master, overrides, range, moment, allowance);
  return found.length > 0 ? found : [next];
}

const between = (
  master: Task,
  overrides: readonly Task[],
  { from, to }: DayRange,
  moment: Moment,
  allowance: Allowance,
): Occurrence[] =>
  openBetween(master, overrides, moment.zone, from, to, allowance)
    .map(dated => occurrence(dated, moment))
    .filter(({ task, due, dtstart }) => {
      const value = due ?? dtstart;
      if (value === null) return false;
      const day = dayOfCivil(calendarTime(value, task, moment));
      return day >= from && day <= to;
    });
