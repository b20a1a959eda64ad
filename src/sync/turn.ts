import { existsSync } from 'node:fs';
import type { Clock } from '../core/clock';
import { Lease, leaseBeatMs } from '../store/lease';
import { RemoteError } from './remote';

const pollMs = 200;

/** One run at a time over all windows of a folder: whoever comes second waits until the first is done, or gone. */
export class Turn {
  readonly #lease: Lease | undefined;

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    if (existsSync(folder)) this.#lease = new Lease(folder, 'sync-run', clock);
  }

  async take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lease = this.#lease;
    if (!lease) return work();
    while (!lease.keep()) {
      if (signal?.aborted) throw new RemoteError('cancelled', 'The sync was cancelled.');
      await new Promise(resolve => setTimeout(resolve, pollMs));
    }
    const beat = setInterval(() => lease.keep(), leaseBeatMs);
    try {
      return await work();
    } finally {
      clearInterval(beat);
      lease.release();
    }
  }
}
