import { join } from 'node:path';
import type { Clock } from '../core/clock';
import { DuelineError } from '../core/errors';
import { type Disposable, Emitter } from '../core/events';
import type { Log } from '../core/log';
import type { Database } from './database';
import type { Files } from './files';
import { applyRecords, armCapture, type ImageColumns, type Proposal, propose } from './fold';
import type { HistoryStep } from './historyStep';
import { Journal, MustReload, NewerFormat } from './journal';
import { type Loaded, load } from './load';
import { AdvisoryLock } from './lock';
import { randomId } from './names';
import type { EditRecord } from './record';
import type { Shape } from './shape';
import type { Origin } from './types';

/** How long another window's record makes this one take the lock before it writes. */
const companyMs = 10_000;
const attemptLimit = 100;
const pollMs = 2_000;
const watchDelayMs = 5;

export interface ReplicaOptions {
  readonly folder: string;
  readonly shape: Shape;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  readonly lock?: boolean;
}

/** What an edit adds to its record. */
export interface Annotation {
  readonly origin?: Origin;
  readonly h?: HistoryStep;
}

export interface Applied {
  readonly record: EditRecord;
  /** Written by this window. */
  readonly own: boolean;
}

/**
 * One database in memory, kept equal to the accepted part of its journal. Edits are proposed in memory, taken back,
 * written, and applied only when the file shows them accepted: the same way that other windows' edits come in.
 */
export class Replica {
  #loaded!: Loaded;
  #journal!: Journal;
  readonly #window = randomId();
  readonly #lock: AdvisoryLock;
  readonly #applied = new Emitter<readonly Applied[]>();
  readonly #reloaded = new Emitter<Database>();
  readonly #parts: Disposable[] = [];
  /** Edits wait for each other here. */
  #queue: Promise<unknown> = Promise.resolve();
  #writing = false;
  #closed = false;
  #pending: { readonly id: string; accepted: boolean } | undefined;
  #lastCompany = Number.NEGATIVE_INFINITY;
  #readOnlyReason: string | undefined;
  /** Called with records that are about to be applied, while the rows are still as they were. */
  willApply: (records: readonly EditRecord[]) => void = () => {};

  readonly onDidApply = this.#applied.event;
  /** The database was replaced as a whole; the old one is handed over and closed afterwards. */
  readonly onDidReload = this.#reloaded.event;

  private constructor(private readonly options: ReplicaOptions) {
    this.#lock = new AdvisoryLock(options.files, join(options.folder, 'lock'), 3_000);
  }

  static async open(options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(options);
    options.files.makeFolder(options.folder);
    await replica.#load();
    replica.#watch();
    return replica;
  }

  get database(): Database {
    return this.#loaded.database;
  }

  get columns(): ImageColumns {
    return this.#journal.head!.cols;
  }

  get readOnlyReason(): string | undefined {
    return this.#readOnlyReason;
  }

  /** Undo steps found in the journal at opening, oldest first. */
  get replayedSteps(): readonly EditRecord[] {
    return this.#loaded.steps;
  }

  /**
   * Runs `work` against the newest state and makes what it did durable. `annotate` sees the rows as they were before.
   * Rejects with `readOnly`, `storage`, or what `work` threw.
   */
  commit<T>(work: () => T, annotate: (proposal: Proposal<T>) => Annotation): Promise<T> {
    return this.#enqueue(async () => {
      let locked = false;
      try {
        for (let attempt = 0; attempt < attemptLimit; attempt++) {
          if (!locked && (attempt > 0 || this.#inCompany())) locked = await this.#takeLock();
          const proposal = this.#propose(work);
          if (proposal.operations.length === 0) return proposal.result;
          if (await this.#write(proposal, annotate(proposal))) return proposal.result;
        }
      } finally {
        if (locked) this.#lock.release();
      }
      throw new DuelineError('storage', 'Other windows keep writing; the change could not be saved. Try again.');
    });
  }

  /** Takes in what is in the journal and not yet in memory. */
  refresh(): Promise<void> {
    return this.#enqueue(async () => this.#catchUp());
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#queue.catch(() => {});
    this.#closed = true;
    for (const part of this.#parts) part.dispose();
    this.#journal.file.close();
    this.database.close();
  }

  #enqueue<T>(step: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(() => {
      if (this.#closed) throw new DuelineError('storage', 'The task store is closed.');
      return step();
    });
    this.#queue = run.catch(() => {});
    return run;
  }

  #inCompany(): boolean {
    return performance.now() - this.#lastCompany < companyMs;
  }

  #takeLock(): Promise<boolean> {
    return this.options.lock === false ? Promise.resolve(false) : this.#lock.take(2_000);
  }

  #propose<T>(work: () => T): Proposal<T> {
    this.#catchUp();
    if (this.#readOnlyReason) throw new DuelineError('readOnly', this.#readOnlyReason);
    const proposal = propose(this.database, this.options.shape, this.columns, work);
    if (proposal.result instanceof Promise)
      throw new DuelineError('invalid', 'The work of an edit must be synchronous.');
    return proposal;
  }

  /** True where the record was accepted; false where another window's came first. */
  async #write(proposal: Proposal<unknown>, annotation: Annotation): Promise<boolean> {
    const { tip } = this.#journal;
    const record: EditRecord = {
      s: tip.seq + 1,
      p: tip.id,
      i: randomId(),
      w: this.#window,
      t: this.options.clock.now(),
      o: proposal.operations,
      ...(proposal.sequences && { q: proposal.sequences }),
      ...annotation,
    };
    const pending = { id: record.i, accepted: false };
    this.#pending = pending;
    this.#writing = true;
    let failure: unknown;
    try {
      this.#journal.append(record);
      await this.#journal.file.sync();
    } catch (error) {
      failure = error;
    } finally {
      this.#writing = false;
    }
    this.#catchUp();
    this.#pending = undefined;
    // After a failed write the file decides: what every window will read as accepted has happened.
    if (failure !== undefined && !pending.accepted) throw cannotWrite(failure);
    return pending.accepted;
  }

  /** Synchronous from the first byte read to the last row applied, so nobody sees half of it. */
  #catchUp(): void {
    if (!this.#journal.hasNews || this.#closed) return;
    try {
      for (;;) {
        const records: EditRecord[] = [];
        this.#journal.pull(record => {
          if (record.i === this.#pending?.id) this.#pending.accepted = true;
          if (record.w !== this.#window) this.#lastCompany = performance.now();
          if (record.k === undefined && (record as EditRecord).o) records.push(record as EditRecord);
        });
        this.#apply(records);
        const { seal } = this.#journal;
        if (!seal) return;
        if (seal.reload) throw new MustReload(`The journal ${seal.j} starts from a snapshot.`);
        this.#next(seal.j);
      }
    } catch (error) {
      this.#cannotFollow(error);
    }
  }

  #next(name: string): void {
    const { files, folder } = this.options;
    const next = Journal.open(files, folder, name, { mode: this.#mode(), tip: this.#journal.tip });
    this.#journal.file.close();
    this.#journal = next;
  }

  #apply(records: readonly EditRecord[]): void {
    if (records.length === 0) return;
    this.willApply(records);
    applyRecords(this.database, records, this.columns);
    this.#applied.fire(records.map(record => ({ record, own: record.w === this.#window })));
  }

  #cannotFollow(error: unknown): void {
    this.#readOnlyReason =
      error instanceof NewerFormat
        ? 'A newer version of Dueline has written to the task store. Reload this window to use it.'
        : `The task store cannot be read any further: ${(error as Error).message}`;
    this.options.log('error', this.#readOnlyReason);
  }

  #mode(): 'append' | 'read' {
    return this.#readOnlyReason ? 'read' : 'append';
  }

  async #load(): Promise<void> {
    const { files, folder, shape } = this.options;
    this.#loaded = await load({ files, folder, shape, mode: 'append' });
    this.#journal = this.#loaded.journal;
    armCapture(this.database, shape);
    if (this.#loaded.gen === 0 && this.#journal.tip.seq === 0) {
      await this.#journal.file.sync();
      await files.syncFolder(folder);
    }
  }

  /** The watcher is quick where it works, the poll works everywhere. */
  #watch(): void {
    const look = () => {
      if (!this.#writing && !this.#closed) this.#catchUp();
    };
    const poll = setInterval(look, pollMs);
    poll.unref();
    let soon: NodeJS.Timeout | undefined;
    this.#parts.push({
      dispose: () => {
        clearInterval(poll);
        clearTimeout(soon);
      },
    });
    try {
      const hint = () => {
        soon ??= setTimeout(() => {
          soon = undefined;
          look();
        }, watchDelayMs);
      };
      this.#parts.push(this.options.files.watch(this.options.folder, hint));
    } catch (error) {
      this.options.log('info', `The storage folder cannot be watched; it is polled instead. ${error}`);
    }
  }
}

function cannotWrite(error: unknown): DuelineError {
  const code = (error as NodeJS.ErrnoException).code;
  const why =
    code === 'ENOSPC'
      ? 'the disk is full'
      : code === 'EROFS' || code === 'EACCES'
        ? 'the folder is read-only'
        : (error as Error).message;
  return new DuelineError('storage', `The change was not saved: ${why}.`, { cause: error });
}
