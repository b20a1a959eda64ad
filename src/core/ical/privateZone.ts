import type { EpochMs } from '../model';
import { parseRule } from '../recurrenceRule';
import { walkRule } from '../recurrenceWalk';
import type { Component } from './components';
import { type ContentLine, paramOf } from './contentLines';
import { parseDigits } from './dateDigits';
import { splitList } from './text';

interface Observance {
  /** Wall clock (under `from`) at which it begins. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly rules: readonly string[];
  readonly dates: readonly number[];
}

interface Transition {
  readonly at: EpochMs;
  readonly before: number;
  readonly after: number;
}

/**
 * No real zone changes its clocks more often than this before the year it is asked for (Outlook's begin in 1601), has
 * more kinds of time, or names more rules for one.
 */
const mostOnsets = 3000;
const mostObservances = 500;
const mostRules = 3;
/** After so many years in which it gives nothing, a rule gives nothing any more. */
const emptyYears = 40;

/** A zone that only its VTIMEZONE describes (RFC 5545 3.6.5). Its transitions are worked out as far as they are asked for. */
export class PrivateZone {
  readonly #observances: readonly Observance[];
  #transitions: readonly Transition[] = [];
  #knownTo = Number.NEGATIVE_INFINITY;

  constructor(lines: readonly ContentLine[], component: Component) {
    this.#observances = component.children
      .filter(child => child.name === 'STANDARD' || child.name === 'DAYLIGHT')
      .slice(0, mostObservances)
      .map(child => observance(child.own.map(index => lines[index]!)))
      .filter(found => found !== undefined);
  }

  toWall(instant: EpochMs): number | undefined {
    const offset = this.#offset(instant);
    return offset === undefined ? undefined : instant + offset;
  }

  /** Left-out times move on by the gap, of doubled ones the first is meant. */
  toInstant(civil: number): EpochMs | undefined {
    const day = 86_400_000;
    const before = this.#offset(civil - day);
    const after = this.#offset(civil + day);
    if (before === undefined || after === undefined) return undefined;
    if (before === after || this.#offset(civil - before) === before) return civil - before;
    return this.#offset(civil - after) === after ? civil - after : civil - before;
  }

  #offset(instant: EpochMs): number | undefined {
    if (instant >= this.#knownTo) this.#extend(instant);
    const passed = this.#transitions.findLast(transition => transition.at <= instant);
    if (passed) return passed.after;
    const first = this.#transitions[0];
    return first ? first.before : this.#observances[0]?.to;
  }

  #extend(instant: EpochMs): void {
    const year = new Date(instant).getUTCFullYear();
    if (Number.isNaN(year)) return;
    const end = Date.UTC(year + 3, 0, 1);
    this.#transitions = this.#observances
      .flatMap(found =>
        onsets(found, end).map(civil => ({ at: civil - found.from, before: found.from, after: found.to })),
      )
      .sort((a, b) => a.at - b.at);
    this.#knownTo = end;
  }
}

function observance(lines: readonly ContentLine[]): Observance | undefined {
  const value = (name: string) => lines.find(line => line.name === name)?.value ?? '';
  const all = (name: string) => lines.filter(line => line.name === name);
  const start = parseDigits(value('DTSTART'))?.civil;
  const to = parseOffset(value('TZOFFSETTO'));
  if (start === undefined || to === undefined) return undefined;
  const from = parseOffset(value('TZOFFSETFROM')) ?? to;
  const dates = all('RDATE').flatMap(line =>
    splitList(line.value).map(text => {
      const digits = parseDigits(text.split('/')[0]!);
      return digits?.utc && paramOf(line, 'TZID') === undefined ? digits.civil + from : digits?.civil;
    }),
  );
  return {
    start,
    from,
    to,
    rules: all('RRULE')
      .slice(0, mostRules)
      .map(line => line.value),
    dates: dates.filter(date => date !== undefined).slice(0, mostOnsets),
  };
}

function onsets({ start, from, rules, dates }: Observance, end: number): number[] {
  const found = [start, ...dates, ...rules.flatMap(text => ruleOnsets(text, start, from, end))];
  return [...new Set(found)].filter(civil => civil < end);
}

/** A rule that cannot be read, or is no yearly one, gives none; the observance's own begin still counts. */
function ruleOnsets(text: string, start: number, from: number, end: number): number[] {
  const rule = parseRule(text.trim());
  if (rule?.freq !== 'YEARLY') return [];
  const until = rule.until ? rule.until.civil + (rule.until.kind === 'utc' ? from : 0) : end;
  const most = Math.min(rule.count ?? mostOnsets, mostOnsets);
  const found: number[] = [];
  for (const civil of walkRule(rule, start, start, emptyYears)) {
    if (civil > until || civil >= end || found.length === most) break;
    found.push(civil);
  }
  return found;
}

/** Milliseconds of `+HHMM` or `+HHMMSS`. */
function parseOffset(text: string): number | undefined {
  const match = /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text.trim());
  if (!match) return undefined;
  const [, sign, hours, minutes, seconds = '0'] = match;
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
