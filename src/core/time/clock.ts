import type { EpochMs } from '../kernel/model';

/**
 * Now and here, always handed in, so that a day can be tested in any zone.
 *
 * @example
 * const clock: Clock = { now: () => Date.UTC(2026, 6, 1, 12), timeZone: 'Pacific/Apia' };
 */
export interface Clock {
  now(): EpochMs;
  /** IANA name. */
  readonly timeZone: string;
}

/** Asking for the zone takes a thousand times as long as asking for the time, and views ask for both with every row. */
const zoneKeptMs = 1_000;
let zone = '';
let zoneAskedAt = Number.NEGATIVE_INFINITY;

export const systemClock: Clock = {
  now: () => Date.now(),
  get timeZone() {
    // A clock that is set back asks again too. `performance` would be loaded for this alone at the start of a command.
    const now = Date.now();
    if (Math.abs(now - zoneAskedAt) > zoneKeptMs) {
      zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      zoneAskedAt = now;
    }
    return zone;
  },
};
