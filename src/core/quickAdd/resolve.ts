import type { EpochMs } from '../kernel/model';
import { fromWall, wallOf } from '../time/dates';
import { dayMs, minuteMs } from '../time/units';
import { dayOnly, moveBy } from './calendar';
import type { ParseContext } from './parseContext';
import type { Repeat } from './repeatParts';
import { dayAfter, firstDayOfRule, isSubDaily, type RuleParts, ruleText } from './rule';
import type { PhraseTime } from './types';

/** A civil day, or a wall clock in the user's zone (encoded as if it were UTC) with the instant it names. */
export type Point = CivilDay | WallTime;

interface CivilDay {
  readonly day: number;
}

interface WallTime {
  readonly wall: number;
  readonly instant: EpochMs;
}

export const isTimed = (point: Point): point is WallTime => 'wall' in point;

/** A time without a day is on the day of the line, and today the next such time. */
export function pointOf(context: ParseContext, moment: PhraseTime): Point {
  const { zone, today, wall, day = today } = context;
  if (moment.instant !== undefined) return { wall: wallOf(moment.instant, zone), instant: moment.instant };
  if (moment.minutes === undefined) return { day: moment.day ?? today };
  let at = (moment.day ?? day) + moment.minutes * minuteMs;
  if (moment.day === undefined && day === today && at < wall) at += dayMs;
  return withTime(context, at);
}

export const withTime = ({ zone }: ParseContext, wall: number): WallTime => ({ wall, instant: fromWall(wall, zone) });

/** The beginning of a series: the first day of its rule from `start` on, else from the line's day, else from today; not in the past. */
export function firstPoint(context: ParseContext, repeat: Repeat, start: PhraseTime | undefined): Point {
  const { rule } = repeat;
  const minutes = start?.minutes ?? repeat.minutes;
  if (start?.instant !== undefined) return pointOf(context, start);
  const from = start?.day ?? context.day ?? context.today;
  if (isSubDaily(rule) && minutes === undefined) {
    if (start?.day !== undefined) return withTime(context, from);
    return withTime(context, context.wall + rule.interval * (rule.unit === 'hour' ? 60 : 1) * minuteMs);
  }
  const first = firstDayOfRule(rule, from);
  if (minutes === undefined) return { day: first };
  const at = first + minutes * minuteMs;
  if (start?.day !== undefined || at >= context.wall) return withTime(context, at);
  return withTime(context, (isSubDaily(rule) ? first + dayMs : dayAfter(rule, first)) + minutes * minuteMs);
}

export const rruleOf = (context: ParseContext, { rule }: Repeat, first: Point): string =>
  ruleText({ ...rule, until: lastOf(rule, first) }, isTimed(first), context.zone);

/** "For 2 weeks" has fourteen days: the day on which it would be two weeks is not in it. */
function lastOf(rule: RuleParts, first: Point): number | undefined {
  if (!rule.duration) return rule.until;
  const wall = isTimed(first) ? first.wall : first.day;
  const { n, unit } = rule.duration;
  return moveBy(isSubDaily(rule) ? wall : dayOnly(wall), n, unit) - 1000;
}

/** Stored form: a civil date without a zone, an instant with one (the user's own if the task repeats). */
export function storedValue(
  context: ParseContext,
  point: Point,
  repeats: boolean,
): { value: EpochMs; timezone: string | null } {
  if (!isTimed(point)) return { value: point.day, timezone: null };
  return { value: point.instant, timezone: repeats ? context.zone : 'UTC' };
}

/** For token values: `2026-12-01` or `2026-12-01T09:00`. */
export const pointText = (point: Point): string =>
  isTimed(point) ? new Date(point.wall).toISOString().slice(0, 16) : new Date(point.day).toISOString().slice(0, 10);
