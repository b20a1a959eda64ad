import { hourMs } from '../../core/time/units';
import type { RemoteErrorKind } from './remote';

const first = 30_000;
/** Milliseconds. Nothing keeps an account waiting for longer, whatever it is. */
export const maxWait = hourMs;
/** Retries harm no server that cannot be reached, and a laptop that wakes up should not wait an hour. */
const maxOfflineWait = 300_000;

/**
 * The time to wait after `failures` failed runs in a row: full jitter, so that many devices do not come back at once.
 * `random` is in [0, 1).
 */
export function backoffMs(failures: number, kind: RemoteErrorKind | undefined, random: number): number {
  const cap = kind === 'offline' || kind === 'proxy' ? maxOfflineWait : maxWait;
  return Math.round(random * Math.min(cap, first * 2 ** Math.min(failures, 20)));
}
