import type { EpochMs } from './model';

/** Now and here, always handed in, so that a day can be tested in any zone. */
export interface Clock {
  now(): EpochMs;
  /** IANA name. */
  readonly timeZone: string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  get timeZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
  },
};
