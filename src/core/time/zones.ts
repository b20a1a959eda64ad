import type { EpochMs } from '../kernel/model';
import { dayMs, hourMs, minuteMs } from './units';
import { windowsZones } from './windowsZones';

/**
 * Time-zone maths on integers. Offsets are asked of Intl once per zone and stretch of time, then kept: views ask for the
 * same few years a hundred thousand times.
 */

/** About 400 days: one stretch rarely holds more than three transitions. */
const stretchMs = 2 ** 35;

/** Beyond this there are no dates, so no offset applies to a value there. */
const farthestMs = 8.64e15 - stretchMs;

/** No zone has changed its offset and taken that back within so little time. */
const stepMs = 7 * dayMs;

interface Stretch {
  /** Instants at which a new offset begins, ascending; the first is the stretch's own start. */
  readonly from: readonly EpochMs[];
  readonly offset: readonly number[];
}

class ZoneOffsets {
  readonly #stretches = new Map<number, Stretch>();
  readonly #format: Intl.DateTimeFormat;

  constructor(zone: string) {
    this.#format = offsetFormat(zone);
  }

  /** Milliseconds to add to `instant` for the zone's wall clock. */
  at(instant: EpochMs): number {
    if (!(Math.abs(instant) < farthestMs)) return 0;
    const stretch = this.#stretch(Math.floor(instant / stretchMs));
    let index = stretch.from.length - 1;
    while (index > 0 && stretch.from[index]! > instant) index--;
    return stretch.offset[index]!;
  }

  /** The instants at which a new offset begins, in [begin, end). */
  *changes(begin: EpochMs, end: EpochMs): Generator<EpochMs> {
    for (let key = Math.floor(begin / stretchMs); key * stretchMs < end; key++) {
      const { from } = this.#stretch(key);
      for (const at of from) if (at >= begin && at < end && this.at(at - 1) !== this.at(at)) yield at;
    }
  }

  #stretch(key: number): Stretch {
    const known = this.#stretches.get(key);
    if (known) return known;
    const stretch = this.#load(key * stretchMs, (key + 1) * stretchMs - 1);
    this.#stretches.set(key, stretch);
    return stretch;
  }

  #load(begin: EpochMs, last: EpochMs): Stretch {
    const from = [begin];
    const offset = [this.#ask(begin)];
    for (let at = begin; at < last; ) {
      const next = Math.min(at + stepMs, last);
      const change = firstAfter(at, next, instant => this.#ask(instant) !== offset.at(-1));
      if (change !== undefined) {
        from.push(change);
        offset.push(this.#ask(change));
      }
      at = change ?? next;
    }
    return { from, offset };
  }

  #ask(instant: EpochMs): number {
    const [, sign, hours, minutes, seconds = 0] = offsetText.exec(this.#format.format(instant)) ?? [];
    const ms = Number(hours ?? 0) * hourMs + Number(minutes ?? 0) * minuteMs + Number(seconds) * 1000;
    return sign === '-' ? -ms : ms;
  }
}

/** Throws if the zone is not known. */
const offsetFormat = (timeZone: string) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });

/** `GMT`, `GMT+01:00`; with seconds, before zones had whole minutes. */
const offsetText = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/**
 * The first instant in (before, last] for which `isTrue` holds, provided that it holds for the last one; otherwise
 * undefined.
 */
function firstAfter(before: EpochMs, last: EpochMs, isTrue: (instant: EpochMs) => boolean): EpochMs | undefined {
  if (!isTrue(last)) return undefined;
  let [low, high] = [before, last];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isTrue(middle)) high = middle;
    else low = middle;
  }
  return high;
}

const resolved = new Map<string, string | undefined>();
const offsets = new Map<string, ZoneOffsets>();

/**
 * The IANA zone that a TZID means: itself, the one of a Windows zone's name (CLDR), or the one at the end of a vendor's
 * path such as `/mozilla.org/20050126_1/Europe/Berlin`. Undefined if nobody knows it.
 *
 * @example
 * resolveZone('W. Europe Standard Time') // 'Europe/Berlin'
 */
export function resolveZone(tzid: string): string | undefined {
  if (!resolved.has(tzid)) resolved.set(tzid, findZone(tzid));
  return resolved.get(tzid);
}

function findZone(tzid: string): string | undefined {
  const name = tzid.trim().replace(/^"(.*)"$/, '$1');
  if (name === 'Z' || /^(etc\/|tzone:\/\/microsoft\/)?(utc|gmt|zulu)$/i.test(name)) return 'UTC';
  if (isZone(name)) return name;
  const windows = windowsZones.get(name.toLowerCase());
  if (windows) return windows;
  const parts = name.split('/').filter(part => part !== '');
  // No name has more parts than America/Argentina/Buenos_Aires; to try each end of a path of thousands takes minutes.
  for (let from = Math.max(1, parts.length - 3); from < parts.length; from++) {
    const tail = parts.slice(from).join('/');
    if (tail.includes('/') && isZone(tail)) return tail;
  }
  return undefined;
}

function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    offsetFormat(name);
    return true;
  } catch {
    return false;
  }
}

/** A zone nobody knows counts as UTC: its instants are still true, only their wall clock is not its own. */
function offsetsOf(zone: string): ZoneOffsets {
  let found = offsets.get(zone);
  if (!found) {
    const name = resolveZone(zone) ?? 'UTC';
    found = offsets.get(name) ?? new ZoneOffsets(name);
    offsets.set(zone, found);
    offsets.set(name, found);
  }
  return found;
}

/**
 * The wall clock that `zone` shows at an instant, encoded as if it were UTC.
 *
 * @example
 * wallOf(Date.UTC(2026, 6, 1, 10), 'Europe/Berlin') // Date.UTC(2026, 6, 1, 12)
 */
export const wallOf = (instant: EpochMs, zone: string): number => instant + offsetsOf(zone).at(instant);

/** The wall-clock time of a task's value on the task's own clock; a floating or all-day value is one already. */
export const wallIn = ({ timezone }: { readonly timezone: string | null }, value: number): number =>
  timezone === null ? value : wallOf(value, timezone);

/** When the clocks of a zone change between two moments; `to` if they do not. */
export function clockChange(from: EpochMs, to: EpochMs, zone: string): EpochMs {
  const zoneOffsets = offsetsOf(zone);
  const offset = zoneOffsets.at(from);
  return firstAfter(from, to, instant => zoneOffsets.at(instant) !== offset) ?? to;
}

/** All moments in [from, to) at which the clocks of a zone change. */
export const clockChanges = (from: EpochMs, to: EpochMs, zone: string): readonly EpochMs[] => [
  ...offsetsOf(zone).changes(from, to),
];

/** An instant as RFC 9557 writes it, to the minute: `2026-11-26T09:30+01:00[Europe/Berlin]`. */
export function zonedText(instant: EpochMs, zone: string): string {
  const name = resolveZone(zone) ?? 'UTC';
  const wall = wallOf(instant, name);
  const minutes = Math.round(Math.abs(wall - instant) / minuteMs);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map(part => String(part).padStart(2, '0'));
  return `${new Date(wall).toISOString().slice(0, 16)}${wall < instant ? '-' : '+'}${hours}:${rest}[${name}]`;
}

/**
 * The instant at which `zone` shows a wall clock (encoded as if it were UTC). A time that a change of clocks leaves
 * out is moved on by the gap; of a time that comes twice the first is meant (RFC 5545 3.3.5).
 *
 * @example
 * fromWall(Date.UTC(2026, 6, 1, 12), 'Europe/Berlin') // Date.UTC(2026, 6, 1, 10)
 */
export function fromWall(civil: number, zone: string): EpochMs {
  const zoneOffsets = offsetsOf(zone);
  const before = zoneOffsets.at(civil - dayMs);
  const after = zoneOffsets.at(civil + dayMs);
  const first = civil - before;
  if (before === after || zoneOffsets.at(first) === before) return first;
  const second = civil - after;
  return zoneOffsets.at(second) === after ? second : first;
}

/** The instant of a stored value: civil if its `timezone` is null, then read in the user's own zone. */
export const instantOf = (value: number, timezone: string | null, userZone: string): EpochMs =>
  timezone === null ? fromWall(value, userZone) : value;
