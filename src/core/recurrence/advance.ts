import type { Task } from '../kernel/model';
import type { RowPatch } from '../kernel/rowEdit';
import { addMonths, civilMs, dayOfCivil, fromWall, wallIn, wallOf } from '../time/dates';
import { dayMs, minuteMs } from '../time/units';
import { remainingDates } from './dateLines';
import { walkRule } from './expand';
import { anchorOf, isAfterUntil, type OpenInstance, type Step, stepsOf } from './instances';
import { namesDates, parseRule, type Rule, withPart } from './rrule';
import type { SeriesContext, SeriesRows } from './seriesRows';

/** Moving a series on by changing its master, as programs without overrides do. */

interface NextInstance extends SeriesRows {
  readonly target: OpenInstance;
}

/**
 * The changes that restart the master at the occurrence after `target`; `ends` if there is none. Undefined if the
 * series cannot be restarted like this: an earlier occurrence is still open, the next one is an extra date of RDATE, or
 * a clock change skips its time, which the series would lose for good.
 */
export function advance({ master, target }: NextInstance, { zone }: SeriesContext): RowPatch | 'ends' | undefined {
  const found = stepsOf(master, zone);
  if (!found) return undefined;
  const first = found.steps.next();
  if (first.done || first.value.id !== target.recurrenceId) return undefined;
  const following = found.steps.next();
  if (following.done) return 'ends';
  const next: Step = following.value;
  if (next.ordinal === 0 || isHidden(next, master)) return undefined;
  const { dtstart, due } = found.walk.instanceOf(next.id);
  const count = found.walk.rule?.count;
  return {
    dtstart: master.dtstart === null ? null : dtstart,
    due: master.due === null ? null : due,
    ...(count === undefined ? {} : { rrule: withPart(master.rrule!, 'COUNT', count - next.ordinal + 1) }),
    ...datesFrom(master, next.id, found.walk.startWall, zone),
  };
}

const isHidden = ({ id, wall }: Step, { timezone }: Task): boolean =>
  timezone !== null && wallOf(id, timezone) !== wall;

/** EXDATE and RDATE without the dates before the new beginning. */
function datesFrom(master: Task, begin: number, startWall: number, zone: string): RowPatch {
  const time = ((startWall % dayMs) + dayMs) % dayMs;
  const kept = (raw: string | null) => remainingDates(raw, master, zone, master.isAllDay ? 0 : time, id => id >= begin);
  const patch: RowPatch = {};
  if (master.exdate !== null) patch.exdate = kept(master.exdate);
  if (master.rdate !== null) patch.rdate = kept(master.rdate);
  return patch;
}

/**
 * The changes that restart the master at its interval after the day of completion; `ends` if COUNT or UNTIL do. The
 * time of day stays. A rule without weekdays or dates counts from DUE, since that is what the user means by "three days
 * after completion"; one with them stays on them.
 */
export function advanceFromCompletion({ master }: NextInstance, { now, zone }: SeriesContext): RowPatch | 'ends' {
  const rule = master.rrule === null ? undefined : parseRule(master.rrule);
  if (!rule || (rule.count !== undefined && rule.count <= 1)) return 'ends';
  const { dtstart, due, timezone } = master;
  const coded = (wall: number) => (timezone === null ? wall : fromWall(wall, timezone));
  const base = namesDates(rule) ? anchorOf(master) : (due ?? dtstart);
  if (base === null) return 'ends';
  const baseWall = wallIn(master, base);
  const nextWall = nextAfter(rule, baseWall, wallOf(now, zone), wallOf(now, timezone ?? zone));
  if (nextWall === undefined) return 'ends';
  const moved = (value: number | null) => (value === null ? null : coded(wallIn(master, value) + nextWall - baseWall));
  const begin = moved(anchorOf(master))!;
  if (rule.until && isAfterUntil(rule.until, wallIn(master, begin), begin, master)) return 'ends';
  return {
    dtstart: moved(dtstart),
    due: moved(due),
    ...(rule.count === undefined ? {} : { rrule: withPart(master.rrule!, 'COUNT', rule.count - 1) }),
    ...datesFrom(master, begin, wallIn(master, begin), zone),
  };
}

/**
 * The next date of the rule after a completion: whole days count from the user's own day, smaller steps from the minute
 * on the task's own clock.
 */
function nextAfter(rule: Rule, baseWall: number, personNow: number, taskNow: number): number | undefined {
  const { freq, interval } = rule;
  if (freq === 'HOURLY' || freq === 'MINUTELY' || freq === 'SECONDLY') {
    const minute = Math.floor(taskNow / minuteMs) * minuteMs;
    return firstAfter(rule, minute, minute);
  }
  const day = Math.floor(personNow / dayMs) * dayMs;
  const time = ((baseWall % dayMs) + dayMs) % dayMs;
  // By dates alone the 31st would leave out every short month; the user means its last day.
  if (!namesDates(rule) && (freq === 'MONTHLY' || freq === 'YEARLY'))
    return civilMs(addMonths(dayOfCivil(day), freq === 'YEARLY' ? interval * 12 : interval)) + time;
  return firstAfter(rule, day + time, day + dayMs - 1);
}

function firstAfter(rule: Rule, start: number, after: number): number | undefined {
  for (const wall of walkRule(rule, start)) if (wall > after) return wall;
  return undefined;
}
