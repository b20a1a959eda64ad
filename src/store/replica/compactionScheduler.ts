import { join } from 'node:path';
import { AdvisoryLock } from '../../process/lease';
import type { OpenOptions } from '../journal/openOptions';
import { sealJournal } from '../journal/rotate';
import { buildInBackground } from '../snapshot/snapshotWorker';
import type { JournalReader } from './journalReader';

export interface CompactionOptions extends OpenOptions {
  /** Size in bytes from which a journal is folded into a snapshot; a quarter of the snapshot where that is more. */
  readonly compactAt?: number;
}

interface CompactionHost {
  readonly follower: JournalReader;
  readonly window: string;
  /** Runs a step while no edit is under way, and nobody else reads. */
  runExclusive(step: () => Promise<void>): Promise<void>;
  /** Called around the end of a journal, whose records will not be replayed again. */
  willFold(): Promise<unknown>;
}

/** Folding is work, and the disk's, too: it waits for a moment without edits. */
const quietMs = 250;
/** A journal this many times too long does not wait any longer. */
const maxDelayMs = 8;

/** Folds a journal that has become long into a snapshot, in the background, one fold at a time. */
export class CompactionScheduler {
  #snapshotBytes: number;
  #soon: NodeJS.Timeout | undefined;
  #running: Promise<unknown> | undefined;

  constructor(
    private readonly options: CompactionOptions,
    private readonly host: CompactionHost,
  ) {
    this.#snapshotBytes = host.follower.loaded.snapshotBytes;
  }

  /** Does what a crash or a damaged snapshot left to do. */
  begin(): void {
    const { gen, loaded } = this.host.follower;
    if (gen > loaded.base || loaded.damaged.length > 0) this.#fold();
  }

  /** To be called after every edit. */
  schedule(): void {
    if (this.#running || !this.#isDue()) return;
    clearTimeout(this.#soon);
    if (this.host.follower.journal.offset > maxDelayMs * this.#limit) this.#fold();
    else this.#soon = setTimeout(() => this.#fold(), quietMs).unref();
  }

  /** Resolves when no snapshot is being built, and none is due. */
  async whenIdle(): Promise<void> {
    if (this.#soon) this.#fold();
    await this.#running;
  }

  #fold(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
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
    return journal.offset > this.#limit || (loaded.damaged.length > 0 && gen === loaded.gen);
  }

  get #limit(): number {
    return Math.max(this.options.compactAt ?? 1_000_000, this.#snapshotBytes / 4);
  }

  async #seal(): Promise<void> {
    if (!this.#isDue()) return;
    const { follower, window } = this.host;
    await this.host.willFold();
    await this.host.runExclusive(async () => {
      await follower.catchUp();
      if (!this.#isDue()) return;
      const plan = { ...this.options, now: this.options.clock.now(), window };
      await sealJournal(plan, follower.journal, follower.gen + 1, () => follower.read());
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
