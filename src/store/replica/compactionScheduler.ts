import { join } from 'node:path';
import { AdvisoryLock } from '../../process/lease';
import type { OpenOptions } from '../journal/openOptions';
import { sealJournal } from '../journal/rotate';
import { buildInBackground } from '../snapshot/snapshotWorker';
import type { JournalReader } from './journalReader';

export interface CompactionOptions extends OpenOptions {
  /** Size in bytes from which a journal is compacted; a quarter of the snapshot if that is more. */
  readonly compactAt?: number;
}

interface CompactionHost {
  readonly reader: JournalReader;
  readonly window: string;
  /** Runs a step while no edit is under way, and nobody else reads. */
  runExclusive(step: () => Promise<void>): Promise<void>;
  /** Called before and after a journal is sealed: its records will not be replayed again. */
  beforeCompaction(): Promise<unknown>;
}

/** Compaction keeps the processor and the disk busy: it waits for this long without edits. */
const quietMs = 250;
/** A journal that is this many times as long as its limit is compacted without waiting. */
const urgentSizeFactor = 8;

/** Compacts a journal that has become long into a snapshot, in the background, one compaction at a time. */
export class CompactionScheduler {
  #snapshotBytes: number;
  #soon: NodeJS.Timeout | undefined;
  #running: Promise<unknown> | undefined;

  constructor(
    private readonly options: CompactionOptions,
    private readonly host: CompactionHost,
  ) {
    this.#snapshotBytes = host.reader.loaded.snapshotBytes;
  }

  /** Starts the compaction that a crash or a damaged snapshot has made necessary. */
  begin(): void {
    const { gen, loaded } = this.host.reader;
    if (gen > loaded.base || loaded.damaged.length > 0) this.#compact();
  }

  /** Call it after every edit. */
  schedule(): void {
    if (this.#running || !this.#isDue()) return;
    clearTimeout(this.#soon);
    if (this.host.reader.journal.offset > urgentSizeFactor * this.#limit) this.#compact();
    else this.#soon = setTimeout(() => this.#compact(), quietMs).unref();
  }

  /** Resolves when no snapshot is being built, and none is due. */
  async whenIdle(): Promise<void> {
    if (this.#soon) this.#compact();
    await this.#running;
  }

  #compact(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#running || this.host.reader.readOnlyReason !== undefined) return;
    this.#running = this.#seal()
      .then(() => this.#build())
      .catch(error => this.options.log('warn', `The snapshot was not built: ${error}`))
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** True if the journal is too long, or if the snapshot was damaged when the store was opened. */
  #isDue(): boolean {
    const { journal, loaded, gen } = this.host.reader;
    return journal.offset > this.#limit || (loaded.damaged.length > 0 && gen === loaded.gen);
  }

  get #limit(): number {
    return Math.max(this.options.compactAt ?? 1_000_000, this.#snapshotBytes / 4);
  }

  async #seal(): Promise<void> {
    if (!this.#isDue()) return;
    const { reader, window } = this.host;
    await this.host.beforeCompaction();
    await this.host.runExclusive(async () => {
      await reader.catchUp();
      if (!this.#isDue()) return;
      const plan = { ...this.options, now: this.options.clock.now(), window };
      await sealJournal(plan, reader.journal, reader.gen + 1, () => reader.read());
    });
    await this.host.beforeCompaction();
  }

  async #build(): Promise<void> {
    const { files, folder, databaseSchema, log } = this.options;
    const lock = new AdvisoryLock(files, join(folder, 'compact.lock'), 120_000);
    if (!(await lock.take(0))) return;
    try {
      const bytes = await buildInBackground({ files, folder, databaseSchema, gen: this.host.reader.gen }, log);
      if (bytes > 0) this.#snapshotBytes = bytes;
    } finally {
      lock.release();
    }
  }
}
