import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DuelineError } from '../core/kernel/errors';
import type { Clock } from '../core/time/clock';
import { Lease } from '../process/lease';
import { reasonOf } from '../store/journal/files';
import { later } from './door';
import { anySignal } from './remote/abortSignals';
import { RemoteError } from './remote/remote';

const pollMs = 200;
/** Enough tries that a program which holds the file for a moment, such as a virus scanner, has let go of it. */
const maxFailures = 10;
/** Frequent enough that a process that was suspended notices that it has lost the lock before it continues. */
const heartbeatMs = 1_000;

/** One run at a time over all windows of a folder: the second waits until the first is done, or gone. */
export class SyncLock {
  readonly #lease: Lease | undefined;

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    if (existsSync(folder)) this.#lease = new Lease(folder, 'sync-run', clock);
  }

  /**
   * If a window was stopped for so long that another took the lock (a laptop's sleep, a debugger), the signal ends its
   * work as soon as it wakes up, and it starts over once it holds the lock again.
   */
  async runExclusive<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const lease = this.#lease;
    if (!lease) {
      refuseCancelled(signal);
      return work(signal);
    }
    for (;;) {
      await this.#wait(lease, signal);
      const lost = new AbortController();
      const heartbeat = setInterval(() => lease.keep() || lease.isHeld || lost.abort(), heartbeatMs);
      try {
        return await work(anySignal(signal, lost.signal));
      } catch (error) {
        if (!lost.signal.aborted || signal.aborted) throw error;
      } finally {
        clearInterval(heartbeat);
        lease.release();
      }
    }
  }

  async #wait(lease: Lease, signal: AbortSignal): Promise<void> {
    for (let failures = 0; ; await pause(pollMs)) {
      refuseCancelled(signal);
      if (lease.keep()) return;
      failures = lease.failure ? failures + 1 : 0;
      if (failures >= maxFailures)
        throw new DuelineError('storage', later().syncMessage('syncBlocked', reasonOf(lease.failure)), {
          cause: lease.failure,
        });
    }
  }
}

function refuseCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new RemoteError('cancelled', later().syncMessage('syncCanceled'));
}
