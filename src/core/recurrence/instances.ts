import { isClosed } from '../fields/status';
import type { Task } from '../kernel/model';
import { addDuration, effectiveDue, fromWall, wallOf } from '../time/dates';
import { dayMs } from '../time/units';
import { codedDates, exdateLine } from './dateLines';
import { walkRule } from './expand';
import { type Instance, type OpenInstance, OverrideIndex } from './overrideIndex';
import { parseRule, type Rule, type Until, withPart } from './rrule';
import type { Allowance } from './ruleBudget';

export { type Instance, type OpenInstance, OverrideIndex } from './overrideIndex';
export { checkRule } from './rrule';

/** The columns that make a row recur. */
export type Series = Pick<
  Task,
  'dtstart' | 'due' | 'duration' | 'isAllDay' | 'timezone' | 'rrule' | 'rdate' | 'exdate'
>;

interface ExpandOptions {
  /** The user's own zone: floating and all-day series need it if EXDATE or RDATE name instants. */
  readonly zone: string;
  /** Coded like the series' own values. Only occurrences that touch [from, to) are returned. */
  readonly from?: number;
  readonly to?: number;
  /** The most instances to return; never more than 10 000. */
  readonly limit?: number;
  /** Once it is spent, the rest is left out. */
  readonly allowance?: Allowance | undefined;
}

/** No view shows more of one series, and a rule may be endless. */
const maxInstances = 10_000;

/** A rule with COUNT must be walked from its beginning; further than this nobody waits. */
const maxSteps = 200_000;

/**
 * @example
 * isRecurring({ rrule: null, rdate: 'RDATE;VALUE=DATE:20261224' }) // true
 */
export const isRecurring = ({ rrule, rdate }: Pick<Task, 'rrule' | 'rdate'>): boolean =>
  rrule !== null || rdate !== null;

/** DTSTART, or DUE for a series that has none. */
export const anchorOf = ({ dtstart, due }: Pick<Task, 'dtstart' | 'due'>): number | null => dtstart ?? due;

/** An instance with its origin, for the edits that must know. */
export interface Step {
  readonly id: number;
  /** The wall clock that the rule meant. */
  readonly wall: number;
  /** 1 for the rule's first, counted before EXDATE; 0 for an RDATE. Only right if the walk began at the start. */
  readonly ordinal: number;
}

/** A series in wall-clock terms, read once. */
class Walk {
  readonly rule: Rule | undefined;
  readonly startWall: number;
  readonly #series: Series;
  readonly #zone: string;
  readonly #anchor: number;
  readonly #allowance: Allowance | undefined;
  #isExcluded: ReturnType<typeof exdateLine> | undefined;

  constructor(series: Series, anchor: number, zone: string, allowance?: Allowance) {
    this.#series = series;
    this.#zone = zone;
    this.#anchor = anchor;
    this.#allowance = allowance;
    this.rule = series.rrule === null ? undefined : parseRule(series.rrule);
    // Rows of an older version may have parts of a second, which no RECURRENCE-ID can name.
    this.startWall = Math.floor(this.wallOf(anchor) / 1000) * 1000;
  }

  wallOf(value: number): number {
    const { timezone, isAllDay } = this.#series;
    if (timezone !== null) return wallOf(value, timezone);
    return isAllDay ? Math.floor(value / dayMs) * dayMs : value;
  }

  /** EXDATE can have thousands of values, so it is read once, at the first question. */
  get isExcluded(): ReturnType<typeof exdateLine> {
    this.#isExcluded ??= exdateLine(this.#series.exdate, this.#series, this.#zone);
    return this.#isExcluded;
  }

  coded(wall: number): number {
    const { timezone, isAllDay } = this.#series;
    if (timezone !== null) return fromWall(wall, timezone);
    return isAllDay ? Math.floor(wall / dayMs) * dayMs : wall;
  }

  /** Every instance in order, EXDATE taken out; from about `from` on if the rule allows it. */
  *steps(from: number | undefined): Generator<Step> {
    const { isExcluded } = this;
    const { rdate, isAllDay } = this.#series;
    const time = isAllDay ? 0 : ((this.startWall % dayMs) + dayMs) % dayMs;
    const extra = codedDates(rdate, this.#series, this.#zone, time);
    let next = 0;
    let last = Number.NEGATIVE_INFINITY;
    for (const step of this.rule ? this.#ruleSteps(this.rule, from) : [this.#first()]) {
      for (; next < extra.length && extra[next]! <= step.id; next++) {
        const id = extra[next]!;
        // The rule's own instance is the same and has its position.
        if (id < step.id && id > last && !isExcluded(id, this.wallOf(id))) {
          last = id;
          yield { id, wall: this.wallOf(id), ordinal: 0 };
        }
      }
      if (step.id <= last || isExcluded(step.id, step.wall)) continue;
      last = step.id;
      yield step;
    }
    for (; next < extra.length; next++) {
      const id = extra[next]!;
      if (id > last && !isExcluded(id, this.wallOf(id))) yield { id, wall: this.wallOf(id), ordinal: 0 };
    }
  }

  /** The steps, or the task's own dates if the rule has no instance: otherwise the task would be invisible. */
  *stepsOrStart(): Generator<Step> {
    let isEmpty = true;
    for (const step of this.steps(undefined)) {
      isEmpty = false;
      yield step;
    }
    if (!isEmpty || !this.rule || this.#series.rdate !== null) return;
    const start = this.#first();
    if (this.#ruleSteps(this.rule, undefined).next().done && !this.isExcluded(start.id, start.wall)) yield start;
  }

  #first(): Step {
    return { id: this.coded(this.startWall), wall: this.startWall, ordinal: 1 };
  }

  *#ruleSteps(rule: Rule, from: number | undefined): Generator<Step> {
    const { isAllDay } = this.#series;
    const dated = isAllDay ? { ...rule, byHour: [], byMinute: [], bySecond: [] } : rule;
    const skipTo = from === undefined || rule.count !== undefined ? undefined : this.wallOf(from);
    let ordinal = 0;
    for (const wall of walkRule(dated, this.startWall, skipTo, Infinity, this.#allowance)) {
      if (this.#allowance?.spend(1) === false) return;
      const id = this.coded(wall);
      if (rule.until && isAfterUntil(rule.until, wall, id, this.#series)) return;
      ordinal++;
      if (ordinal > maxSteps) return;
      yield { id, wall, ordinal };
      if (ordinal === rule.count) return;
    }
  }

  /** Wall-clock distance from DTSTART to DUE, exact for what DURATION says in hours. */
  instanceOf(id: number): Instance {
    const { dtstart, due, duration, timezone } = this.#series;
    if (dtstart === null) return { recurrenceId: id, dtstart: null, due: id };
    if (due !== null) {
      const moved = id === this.#anchor ? due : this.coded(this.wallOf(id) + this.wallOf(due) - this.startWall);
      return { recurrenceId: id, dtstart: id, due: moved };
    }
    const end = duration === null ? undefined : addDuration(id, timezone, duration);
    return { recurrenceId: id, dtstart: id, due: end ?? null };
  }
}

/** True if an instance, given by its wall clock and its coded value, is after UNTIL. */
export function isAfterUntil(
  until: Until,
  wall: number,
  id: number,
  { isAllDay, timezone }: Pick<Task, 'isAllDay' | 'timezone'>,
): boolean {
  if (isAllDay) return wall > until.civil;
  // Many programs write a day instead of a time: it counts whole.
  if (until.kind === 'date') return wall >= until.civil + dayMs;
  return (until.kind === 'utc' && timezone !== null ? id : wall) > until.civil;
}

/** The series in steps, each with its position in the rule; undefined if it has neither DTSTART nor DUE. */
export function stepsOf(
  series: Series,
  zone: string,
  allowance?: Allowance,
): { walk: Walk; steps: Generator<Step> } | undefined {
  const anchor = anchorOf(series);
  if (anchor === null) return undefined;
  const walk = new Walk(series, anchor, zone, allowance);
  return { walk, steps: walk.stepsOrStart() };
}

/**
 * The occurrences of a series in the order of their recurrence ids: RRULE and RDATE without EXDATE. DTSTART is one of
 * them only if the rule says so. Wall clocks stay put over changes of clocks. Overrides are ignored.
 */
export function* occurrencesOf(series: Series, options: ExpandOptions): Generator<Instance> {
  const anchor = anchorOf(series);
  if (anchor === null) return;
  const walk = new Walk(series, anchor, options.zone, options.allowance);
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = options;
  const due = effectiveDue(series);
  const span = series.dtstart === null || due === null ? 0 : due - series.dtstart;
  // A day of grace on both sides for what changes of clocks do to the distance.
  const startFrom = from === Number.NEGATIVE_INFINITY ? undefined : from - Math.max(0, span) - dayMs;
  const stopAt = to - Math.min(0, span) + dayMs;
  let remaining = Math.min(options.limit ?? maxInstances, maxInstances);
  if (remaining <= 0) return;
  for (const { id } of walk.steps(startFrom)) {
    if (id >= stopAt) return;
    const instance = walk.instanceOf(id);
    const end = instance.due ?? id;
    if (Math.max(id, end) < from || Math.min(id, end) >= to) continue;
    yield instance;
    if (--remaining === 0) return;
  }
}

/**
 * The dates of a task that begins to repeat, from the first day of the rule on. Weeks count from the date: without this,
 * "every second Monday" of a task due on Saturday would begin nine days later.
 */
export function datesOnRule(task: Series, rrule: string, zone: string): Partial<Pick<Series, 'dtstart' | 'due'>> {
  const each = { ...task, rrule: withPart(rrule, 'INTERVAL', undefined), rdate: null, exdate: null };
  const [first] = occurrencesOf(each, { zone, limit: 1 });
  if (!first) return {};
  const { dtstart, due } = first;
  return { ...(task.dtstart === null ? {} : { dtstart }), ...(task.due === null ? {} : { due }) };
}

/**
 * The first occurrence that is neither closed nor excluded, with its override's values if it has one; undefined if the
 * series is closed or exhausted. An open override that the rule no longer produces still counts.
 */
export function nextOpenOccurrence(
  master: Task,
  overrides: readonly Task[],
  zone: string,
  allowance?: Allowance,
): OpenInstance | undefined {
  if (isClosed(master)) return undefined;
  for (const instance of openOccurrences(master, overrides, zone, allowance)) return instance;
  return undefined;
}

/** All open occurrences in order, the way `nextOpenOccurrence` sees them; endless if the series is. */
export function* openOccurrences(
  master: Task,
  overrides: readonly Task[],
  zone: string,
  allowance?: Allowance,
): Generator<OpenInstance> {
  const found = stepsOf(master, zone, allowance);
  if (!found) return;
  const { walk, steps } = found;
  const index = new OverrideIndex(master, overrides);
  const orphanOverrides = index.openIds().filter(id => !walk.isExcluded(id, walk.wallOf(id)));
  let stray = 0;
  for (const { id } of steps) {
    for (; stray < orphanOverrides.length && orphanOverrides[stray]! <= id; stray++) {
      if (orphanOverrides[stray]! < id) yield openFrom(index.of(orphanOverrides[stray]!)!, orphanOverrides[stray]!);
    }
    const override = index.of(id);
    if (index.isPlain(id)) yield index.withFollowing(walk.instanceOf(id));
    else if (override && !isClosed(override)) yield openFrom(override, id);
  }
  for (; stray < orphanOverrides.length; stray++)
    yield openFrom(index.of(orphanOverrides[stray]!)!, orphanOverrides[stray]!);
}

const openFrom = (override: Task, recurrenceId: number): OpenInstance => ({
  recurrenceId,
  dtstart: override.dtstart,
  due: effectiveDue(override),
  override,
});
