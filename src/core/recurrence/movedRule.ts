import { DuelineError } from '../kernel/errors';
import { coreMessage } from '../kernel/messages';
import type { Task } from '../kernel/model';
import { formatDay, formatUtc, formatWall } from '../lines/dateDigits';
import { fromWall, wallIn } from '../time/dates';
import { dayMs } from '../time/units';
import type { DateForm } from './dateLines';
import { anchorOf, stepsOf } from './instances';
import { namesDates, parseRule, type Rule, weekdayName, withPart } from './rrule';

interface Move {
  /** Milliseconds on the wall clock. */
  readonly shift: number;
  /** The last occurrence that must be found again. */
  readonly upTo: number;
  readonly zone: string;
}

/**
 * The rule of a series that moves as a whole: every occurrence until `upTo` is where it was, moved by the distance. A rule
 * that names days stays if it does this; `after` has the new dates. Occurrences that are over would open again otherwise,
 * and the moved one would disappear. @throws DuelineError `unsupported` if no rule does
 */
export function movedRule(before: Task, after: Task, move: Move): string | null {
  const { rrule } = before;
  const rule = rrule === null ? undefined : parseRule(rrule);
  if (rrule === null || !rule) return rrule;
  const wall = wallIn(before, anchorOf(before)!);
  const days = Math.floor((wall + move.shift) / dayMs) - Math.floor(wall / dayMs);
  const moved = onOtherDays(withUntilMoved(rrule, rule, before, after, move.shift, days), rule, wall, days);
  // A start that is added or removed only changes the date by which the rule counts.
  const mayStay = days !== 0 && namesDates(rule) && (before.dtstart === null) === (after.dtstart === null);
  const found = [...(mayStay ? [rrule] : []), moved].find(candidate =>
    isMoved(before, { ...after, rrule: candidate }, move),
  );
  if (found === undefined) throw new DuelineError('unsupported', coreMessage('seriesNotMovable'));
  return found;
}

function isMoved(before: Task, after: Task, { shift, upTo, zone }: Move): boolean {
  const stepsIn = (series: Task) => stepsOf({ ...series, rdate: null, exdate: null }, zone)!.steps;
  const moved = stepsIn(after);
  for (const { id, wall } of stepsIn(before)) {
    const next = moved.next();
    // Rows of an older version may have parts of a second.
    if (next.done || Math.abs(next.value.wall - wall - shift) >= 1000) return false;
    if (id >= upTo) break;
  }
  return true;
}

/** The end moves along, or the last occurrence would be after it. */
function withUntilMoved(
  rrule: string,
  { until }: Rule,
  before: DateForm,
  { isAllDay, timezone }: DateForm,
  shift: number,
  days: number,
): string {
  if (!until) return rrule;
  const { civil, kind } = until;
  if (kind === 'date') return days === 0 ? rrule : withPart(rrule, 'UNTIL', formatDay(civil + days * dayMs));
  const wall = (kind === 'utc' ? wallIn(before, civil) : civil) + shift;
  const value = isAllDay ? formatDay(wall) : timezone === null ? formatWall(wall) : formatUtc(fromWall(wall, timezone));
  return withPart(rrule, 'UNTIL', value);
}

/** A rule that names weekdays, or the one date of its series, with those so many days later. */
function onOtherDays(rrule: string, rule: Rule, wall: number, days: number): string {
  if (days === 0) return rrule;
  const { byDay, byMonthDay, byMonth, freq, interval, weekStart } = rule;
  const later = (weekday: number) => weekdayName((((weekday + days) % 7) + 7) % 7);
  if (byDay.length > 0 && freq !== 'MONTHLY' && freq !== 'YEARLY') {
    const moved = withPart(rrule, 'BYDAY', byDay.map(({ weekday }) => later(weekday)).join(','));
    // The week moves along, since its days belong together if weeks are left out.
    return freq === 'WEEKLY' && interval > 1 && byDay.length > 1 ? withPart(moved, 'WKST', later(weekStart)) : moved;
  }
  const [from, to] = [new Date(wall), new Date(wall + days * dayMs)];
  let moved = rrule;
  if (byMonthDay.length === 1 && byMonthDay[0] === from.getUTCDate())
    moved = withPart(moved, 'BYMONTHDAY', to.getUTCDate());
  if (byMonth.length === 1 && byMonth[0] === from.getUTCMonth() + 1)
    moved = withPart(moved, 'BYMONTH', to.getUTCMonth() + 1);
  return moved;
}
