import { join } from 'node:path';
import type { Follower } from './follower';
import { AdvisoryLock } from './lock';
import type { OpenOptions } from './openOptions';
import { sealJournal } from './sealing';
import { buildInBackground } from './snapshotWorker';

export interface FoldingOptions extends OpenOptions {
  /** Size in bytes from which a journal is folded into a snapshot; a quarter of the snapshot where that is more. */
  readonly compactAt?: number;
}

export interface FoldingHost {
  readonly follower: Follower;
  readonly window: string;
  /** Runs a step while no edit is under way, and nobody else reads. */
  alone(step: () => Promise<void>): Promise<void>;
  /** Called around the end of a journal, whose records will not be replayed again. */
  willFold(): Promise<unknown>;
}

/** Folds a journal that has become long into a snapshot, in the background, one fold at a time. */
export class Folding {
  #snapshotBytes: number;
  #running: Promise<unknown> | undefined;

  constructor(
    private readonly options: FoldingOptions,
    private readonly host: FoldingHost,
  ) {
    this.#snapshotBytes = host.follower.loaded.snapshotBytes;
  }

  /** Does what a crash or a damaged snapshot left to do. */
  begin(): void {
    const { gen, loaded } = this.host.follower;
    if (gen > loaded.base || loaded.damaged.length > 0) this.#fold();
  }

  /** To be called after every edit. */
  consider(): void {
    if (this.#isDue()) this.#fold();
  }

  /** Resolves when no snapshot is being built. */
  async settled(): Promise<void> {
    await this.#running;
  }

  #fold(): void {
    if (this.#running || this.host.follower.readOnlyReason !== undefined) return;
    this.#running = this.#seal()
      .then(() => this.#build())
      .catch(error => this.options.log('warn', `The snapshot was not built: ${error}`))
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Too long, or (right after opening) the way around a damaged snapshot. */
  #isDue(): boolean {
    const { journal, loaded, gen } = this.host.follower;
    const limit = Math.max(this.options.compactAt ?? 1_000_000, this.#snapshotBytes / 4);
    return journal.offset > limit || (loaded.damaged.length > 0 && gen === loaded.gen);
  }

  async #seal(): Promise<void> {
    if (!this.#isDue()) return;
    const { follower, window } = this.host;
    await this.host.willFold();
    await this.host.alone(async () => {
      await follower.catchUp();
      if (!this.#isDue()) return;
      const plan = { ...this.options, now: this.options.clock.now(), window };
      await sealJournal(plan, follower.journal, { gen: follower.gen + 1 }, () => follower.read());
    });
    await this.host.willFold();
  }

  async #build(): Promise<void> {
    const { files, folder, shape, log } = this.options;
    const lock = new AdvisoryLock(files, join(folder, 'compact.lock'), 120_000);
    if (!(await lock.take(0))) return;
    try {
      const bytes = await buildInBackground({ files, folder, shape, gen: this.host.follower.gen }, log);
      if (bytes > 0) this.#snapshotBytes = bytes;
    } finally {
      lock.release();
    }
  }
}
