import * as Instant from 'temporal-polyfill/fns/Instant';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';
import type { EpochMs } from '../kernel/model';
import { dayMs } from './units';
import { windowsZones } from './windowsZones';

/**
 * Time-zone maths on integers. Offsets are asked of Temporal once per zone and stretch of time, then kept: views ask
 * for the same few years a hundred thousand times.
 */

/** About 400 days: one stretch rarely holds more than three transitions. */
const stretchMs = 2 ** 35;

/** Beyond these Temporal has no instants; a value out there is moved by no offset. */
const farthestMs = 8.64e15 - stretchMs;

interface Stretch {
  /** Instants at which a new offset begins, ascending; the first is the stretch's own start. */
  readonly from: readonly EpochMs[];
  readonly offset: readonly number[];
}

class ZoneOffsets {
  readonly #stretches = new Map<number, Stretch>();

  constructor(readonly zone: string) {}

  /** Milliseconds to add to `instant` for the zone's wall clock. */
  at(instant: EpochMs): number {
    if (!(Math.abs(instant) < farthestMs)) return 0;
    const key = Math.floor(instant / stretchMs);
    let stretch = this.#stretches.get(key);
    if (!stretch) {
      stretch = this.#load(key);
      this.#stretches.set(key, stretch);
    }
    let index = stretch.from.length - 1;
    while (index > 0 && stretch.from[index]! > instant) index--;
    return stretch.offset[index]!;
  }

  #load(key: number): Stretch {
    const end = (key + 1) * stretchMs;
    let moment = Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(key * stretchMs), this.zone);
    const from = [moment.epochMilliseconds];
    const offset = [ZonedDateTime.offsetNanoseconds(moment) / 1e6];
    for (;;) {
      const next = ZonedDateTime.getTimeZoneTransition(moment, 'next');
      if (!next || next.epochMilliseconds >= end) break;
      from.push(next.epochMilliseconds);
      offset.push(ZonedDateTime.offsetNanoseconds(next) / 1e6);
      moment = next;
    }
    return { from, offset };
  }
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
  if (name === 'Z' || /^(etc\/)?(utc|gmt|zulu)$/i.test(name)) return 'UTC';
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
    Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(0), name);
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

/** When the clocks of a zone change between two moments; `to` if they do not. */
export function clockChange(from: EpochMs, to: EpochMs, zone: string): EpochMs {
  const zoneOffsets = offsetsOf(zone);
  const offset = zoneOffsets.at(from);
  if (zoneOffsets.at(to) === offset) return to;
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zoneOffsets.at(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** An instant as RFC 9557 writes it, to the minute: `2026-11-26T09:30+01:00[Europe/Berlin]`. */
export function zonedText(instant: EpochMs, zone: string): string {
  const moment = Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(instant), resolveZone(zone) ?? 'UTC');
  return ZonedDateTime.toString(moment, { smallestUnit: 'minute' });
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
