import type { EpochMs } from '../kernel/model';
import { type ContentLine, paramOf } from '../lines/contentLines';
import { parseDigits } from '../lines/dateDigits';
import { splitList } from '../lines/text';
import { walkRule } from '../recurrence/expand';
import { parseRule, type Rule } from '../recurrence/rrule';
import { dayMs } from '../time/units';
import type { Component } from './components';

interface Observance {
  /** Wall clock (under `from`) of DTSTART, from which its rules count. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
  /** Yearly ones without COUNT. */
  readonly rules: readonly Rule[];
  /** The wall clocks at which it begins apart from those rules. */
  readonly dates: readonly number[];
}

interface Transition {
  readonly at: EpochMs;
  readonly after: number;
}

/** No real zone has more kinds of time, names more rules for one, or lists more dates. */
const maxObservances = 500;
const maxRules = 3;
const maxDates = 5000;
/**
 * The most steps that the rules of one zone may take: one for each year that is searched, another one for each onset.
 * Two rules of a real zone take some fifty for the ten years around a date. After that, the rules produce nothing more.
 */
const maxSteps = 5000;
/** After this many turns without an onset, a rule counts as over. */
const emptyTurns = 40;

const yearMs = 365.2425 * dayMs;
const spanMs = 10 * yearMs;

/** How much of its limits a zone has left. */
interface Budget {
  dates: number;
  steps: number;
}

/**
 * A zone that only its VTIMEZONE describes (RFC 5545 3.6.5). Its changes are worked out around the dates asked for; ical.js
 * is off by up to five hours around one.
 */
export class PrivateZone {
  readonly #observances: readonly Observance[];
  readonly #budget: Budget = { dates: maxDates, steps: maxSteps };
  /** The offset before its first change. If several changes share that moment, as in files of Outlook, that of standard time. */
  readonly #first: number | undefined;
  readonly #spans = new Map<number, readonly Transition[]>();

  constructor(lines: readonly ContentLine[], component: Component) {
    this.#observances = component.children
      .filter(child => child.name === 'STANDARD' || child.name === 'DAYLIGHT')
      .slice(0, maxObservances)
      .map(child =>
        observance(
          child.own.map(index => lines[index]!),
          this.#budget,
        ),
      )
      .filter(found => found !== undefined);
    const begins = this.#observances.flatMap(({ dates, from }) => dates.map(civil => ({ at: civil - from, from })));
    this.#first = begins.sort((a, b) => a.at - b.at || a.from - b.from)[0]?.from;
  }

  toWall(instant: EpochMs): number | undefined {
    const offset = this.#offset(instant);
    return offset === undefined ? undefined : instant + offset;
  }

  /** A time in a gap moves forward by the gap; a time that occurs twice means the first. */
  toInstant(civil: number): EpochMs | undefined {
    const day = dayMs;
    const before = this.#offset(civil - day);
    const after = this.#offset(civil + day);
    if (before === undefined || after === undefined) return undefined;
    if (before === after || this.#offset(civil - before) === before) return civil - before;
    return this.#offset(civil - after) === after ? civil - after : civil - before;
  }

  #offset(instant: EpochMs): number | undefined {
    return (
      this.#transitionsNear(Math.floor(instant / spanMs)).findLast(({ at }) => at <= instant)?.after ?? this.#first
    );
  }

  /** The changes within one span of years, and of each observance the last one before. */
  #transitionsNear(span: number): readonly Transition[] {
    const known = this.#spans.get(span);
    if (known) return known;
    const found = this.#observances
      .flatMap(one =>
        onsets(one, span * spanMs + one.from, (span + 1) * spanMs + one.from, this.#budget).map(civil => ({
          at: civil - one.from,
          after: one.to,
        })),
      )
      .sort((a, b) => a.at - b.at);
    this.#spans.set(span, found);
    return found;
  }
}

function observance(lines: readonly ContentLine[], budget: Budget): Observance | undefined {
  const value = (name: string) => lines.find(line => line.name === name)?.value ?? '';
  const all = (name: string) => lines.filter(line => line.name === name);
  const start = parseDigits(value('DTSTART'))?.civil;
  const to = parseOffset(value('TZOFFSETTO'));
  if (start === undefined || to === undefined) return undefined;
  const from = parseOffset(value('TZOFFSETFROM')) ?? to;
  const dates = all('RDATE')
    .flatMap(line =>
      splitList(line.value).map(text => {
        const digits = parseDigits(text.split('/')[0]!);
        return digits?.kind === 'utc' && paramOf(line, 'TZID') === undefined ? digits.civil + from : digits?.civil;
      }),
    )
    .filter(date => date !== undefined)
    .slice(0, Math.max(0, budget.dates));
  budget.dates -= dates.length;
  const rules = all('RRULE')
    .slice(0, maxRules)
    .map(line => parseRule(line.value.trim()))
    .filter(rule => rule !== undefined)
    .filter(isChangeOfClocks);
  const counted = rules
    .filter(rule => rule.count !== undefined)
    .flatMap(rule => walked(rule, start, start, lastOf(rule, from), budget).slice(0, rule.count));
  return {
    start,
    from,
    to,
    rules: rules.filter(rule => rule.count === undefined),
    dates: [start, ...dates, ...counted],
  };
}

/** Clocks change on some days of a year, at one time of day: another rule has no onset but its DTSTART. */
const isChangeOfClocks = ({ freq, byHour, byMinute, bySecond }: Rule): boolean =>
  freq === 'YEARLY' && byHour.length <= 1 && byMinute.length <= 1 && bySecond.length <= 1;

const lastOf = ({ until }: Rule, from: number): number =>
  until ? until.civil + (until.kind === 'utc' ? from : 0) : Number.POSITIVE_INFINITY;

/** The onsets in [begin, end), and the last one before of the dates and of each rule. */
function onsets({ start, from, dates, rules }: Observance, begin: number, end: number, budget: Budget): number[] {
  const last = dates.reduce((most, date) => (date < begin ? Math.max(most, date) : most), Number.NEGATIVE_INFINITY);
  const listed = dates.filter(date => date === last || (date >= begin && date < end));
  return [...listed, ...rules.flatMap(rule => ruleOnsets(rule, start, from, begin, end, budget))];
}

function ruleOnsets(rule: Rule, start: number, from: number, begin: number, end: number, budget: Budget): number[] {
  const last = lastOf(rule, from);
  let found: number[] = [];
  // Nearly every rule has an onset in each of its turns; one for a 29 February does not.
  for (const turns of [2, emptyTurns]) {
    const since = Math.min(begin, last) - turns * rule.interval * yearMs;
    found = walked(rule, start, since, Math.min(end - 1, last), budget);
    if (since <= start || (found.length > 0 && found[0]! < begin)) break;
  }
  return found;
}

/** The onsets of a rule in [since, last], as far as the budget reaches. */
function walked(rule: Rule, start: number, since: number, last: number, budget: Budget): number[] {
  const found: number[] = [];
  let reached = Math.max(start, since);
  for (const civil of walkRule(rule, start, since, emptyTurns)) {
    budget.steps -= 1 + (civil - reached) / yearMs / rule.interval;
    reached = civil;
    if (civil > last || found.length === rule.count || budget.steps <= 0) return found;
    found.push(civil);
  }
  budget.steps -= emptyTurns;
  return found;
}

/** Milliseconds of `+HHMM` or `+HHMMSS`. */
function parseOffset(text: string): number | undefined {
  const match = /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text.trim());
  if (!match) return undefined;
  const [, sign, hours, minutes, seconds = '0'] = match;
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
