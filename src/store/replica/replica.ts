import { join } from 'node:path';
import { DuelineError } from '../../core/kernel/errors';
import type { Disposable } from '../../core/kernel/events';
import type { Message } from '../../core/kernel/message';
import { AdvisoryLock } from '../../process/lease';
import { randomId } from '../journal/fileNames';
import { reasonOf } from '../journal/files';
import type { Journal } from '../journal/journal';
import type { EditRecord, Operation } from '../journal/record';
import type { HistoryStep } from '../journal/undoStep';
import { storeMessage } from '../messages';
import type { ImageColumns, KnownRows } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { Origin } from '../types';
import { type CompactionOptions, CompactionScheduler } from './compactionScheduler';
import { watchFiles } from './fileWatcher';
import { JournalReader } from './journalReader';
import { runTransaction, type TransactionResult } from './transaction';

/** How long another window's record makes this one take the lock before it writes. */
const contentionMs = 10_000;
const attemptLimit = 100;
const filesRemovedMessage = storeMessage('filesRemoved');

export interface ReplicaOptions extends CompactionOptions {
  /** If false, the advisory lock is never taken: windows that write at the same time only take longer. */
  readonly lock?: boolean;
}

/** The fields of a record that an edit adds. */
export interface Annotation {
  readonly origin?: Origin;
  readonly h?: HistoryStep;
}

interface Committed<T> {
  readonly result: T;
  /** False if the edit did nothing, and nothing was written. */
  readonly hasChanged: boolean;
}

/**
 * One window's copy of a journaled database. Edits are made in memory, rolled back, written to the journal, and applied
 * only when the file shows that they are accepted, as edits of other windows are. Invariant: the database equals the
 * accepted records of the journal, up to the one that was read last.
 */
export class Replica {
  readonly #window: string;
  readonly #reader: JournalReader;
  readonly #compaction: CompactionScheduler;
  readonly #lock: AdvisoryLock;
  readonly #watch: Disposable;
  /** Edits wait for each other here. */
  #queue: Promise<unknown> = Promise.resolve();
  /** A write or a seal is under way, which reads changes itself. */
  #isBusy = false;
  #isClosed = false;

  /** Called before and after a journal is sealed: its records will not be replayed again. */
  beforeCompaction: () => Promise<unknown> = async () => {};

  private constructor(
    private readonly options: ReplicaOptions,
    reader: JournalReader,
    window: string,
  ) {
    this.#window = window;
    this.#reader = reader;
    this.#lock = new AdvisoryLock(options.files, join(options.folder, 'lock'), 3_000);
    this.#compaction = new CompactionScheduler(options, {
      reader,
      window,
      runExclusive: step => this.#enqueue(() => this.#whileBusy(step)),
      beforeCompaction: () => this.beforeCompaction(),
    });
    this.#watch = watchFiles(options.files, options.folder, options.log, {
      isBusy: () => this.#isBusy,
      check: () => this.#check(),
    });
  }

  static async open(options: ReplicaOptions): Promise<Replica> {
    const window = randomId();
    const replica = new Replica(options, await JournalReader.open(options, window), window);
    replica.#compaction.begin();
    return replica;
  }

  get database(): Database {
    return this.#reader.database;
  }

  get columns(): ImageColumns {
    return this.#reader.columns;
  }

  /** The store's random name, the same in every window. */
  get storeId(): string {
    return this.#reader.journal.head!.store;
  }

  /** The id of the record that was accepted last, from any window. */
  get newestRecord(): string {
    return this.#reader.journal.tip.id;
  }

  /** True if nothing was ever written to it. */
  get isNew(): boolean {
    return this.#reader.journal.tip.seq === 0;
  }

  get readOnlyReason(): Message | undefined {
    return this.#reader.readOnlyReason;
  }

  get notices(): readonly Message[] {
    return this.#reader.notices;
  }

  /** Undo steps found in the journals at opening, oldest first. */
  get replayedSteps(): readonly EditRecord[] {
    return [...this.#reader.leftSteps, ...this.#reader.loaded.steps];
  }

  /** True if some of these steps are in journals that no window will replay again. */
  get hasLeftSteps(): boolean {
    return this.#reader.leftSteps.length > 0;
  }

  get onDidApply() {
    return this.#reader.onDidApply;
  }

  get onDidReload() {
    return this.#reader.onDidReload;
  }

  /** Called with records that are about to be applied, and with the earlier rows of this window's own record. */
  set willApply(listener: (records: readonly EditRecord[], own?: KnownRows) => void) {
    this.#reader.willApply = listener;
  }

  /** Adds a notice for the user. */
  addNotice(notice: Message): void {
    this.#reader.addNotice(notice);
  }

  /** Replaces the database by a read-only one. The files stay as they are. */
  freeze(database: Database, reason: Message): void {
    this.#reader.freeze(database, reason);
  }

  /**
   * Runs `work` on the newest state and makes its changes durable. `annotate` gets the rows as they were before.
   * Rejects with `readOnly`, `storage`, or the error of `work`.
   */
  async commit<T>(work: () => T, annotate: (proposal: TransactionResult<T>) => Annotation): Promise<Committed<T>> {
    const committed = await this.#enqueue(() => this.#attempts(work, annotate));
    this.#compaction.schedule();
    return committed;
  }

  /** Applies the records of the journal that are not in memory yet. */
  refresh(): Promise<void> {
    return this.#enqueue(() => this.#reader.catchUp());
  }

  /** Resolves when no snapshot is being built. */
  whenIdle(): Promise<void> {
    return this.#compaction.whenIdle();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#queue.catch(() => {});
    await this.#compaction.whenIdle();
    await this.#queue.catch(() => {});
    this.#isClosed = true;
    this.#watch.dispose();
    this.#reader.close();
  }

  #enqueue<T>(step: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(() => {
      if (this.#isClosed) throw new DuelineError('storage', storeMessage('storeClosed'));
      return step();
    });
    this.#queue = run.catch(() => {});
    return run;
  }

  async #whileBusy<T>(step: () => Promise<T>): Promise<T> {
    this.#isBusy = true;
    try {
      return await step();
    } finally {
      this.#isBusy = false;
    }
  }

  async #attempts<T>(work: () => T, annotate: (proposal: TransactionResult<T>) => Annotation): Promise<Committed<T>> {
    const reader = this.#reader;
    let locked = false;
    let gone: Journal | undefined;
    try {
      for (let attempt = 0; attempt < attemptLimit; attempt++) {
        if (!locked && (attempt > 0 || this.#isContended())) locked = await this.#takeLock();
        await reader.catchUp();
        if (reader.readOnlyReason) throw new DuelineError('readOnly', reader.readOnlyReason);
        if (reader.journal === gone) throw new DuelineError('storage', filesRemovedMessage);
        // If the window was stopped right here for a while, the journal may have been compacted since: its seal names
        // the next one.
        gone = reader.journal.file.isGone() ? reader.journal : undefined;
        if (gone) continue;
        const proposal = runTransaction(reader.database, reader.notes, reader.columns, work);
        const { result } = proposal;
        try {
          if (result instanceof Promise)
            throw new DuelineError('invalid', 'The work of an edit must be done when it returns.');
          if (proposal.operations.length === 0) return { result, hasChanged: false };
          if (await this.#write(proposal, annotate(proposal))) return { result, hasChanged: true };
        } finally {
          proposal.transaction?.drop();
        }
      }
    } finally {
      if (locked) this.#lock.release();
    }
    throw new DuelineError('storage', storeMessage('othersWriting'));
  }

  #isContended(): boolean {
    return performance.now() - this.#reader.lastForeignRecordAt < contentionMs;
  }

  #takeLock(): Promise<boolean> {
    return this.options.lock === false ? Promise.resolve(false) : this.#lock.take(2_000);
  }

  /** True if the record was accepted; false if another window's came first. */
  async #write(proposal: TransactionResult<unknown>, annotation: Annotation): Promise<boolean> {
    const reader = this.#reader;
    const { tip } = reader.journal;
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
    const pending = { id: record.i, before: proposal.before, transaction: proposal.transaction, accepted: false };
    reader.pending = pending;
    const failure = await this.#writeDown(record);
    reader.pending = undefined;
    // A record that every window has accepted has happened, though it may not outlive a loss of power: revoke it.
    if (failure !== undefined && pending.accepted) this.#revoke(record, proposal);
    reader.announce();
    if (failure !== undefined) throw cannotWrite(failure);
    return pending.accepted;
  }

  /** Reads and applies records while the disk is busy, as other windows do; announces nothing before the write is done. */
  async #writeDown(record: EditRecord): Promise<unknown> {
    this.#isBusy = true;
    try {
      await this.#append(record);
      return undefined;
    } catch (error) {
      return error;
    } finally {
      this.#isBusy = false;
      // The watcher was ignored meanwhile.
      this.#reader.pull();
    }
  }

  /**
   * Nothing can run in between: the rows of the pending transaction are committed, or rolled back, when this returns.
   */
  #append(record: EditRecord): Promise<void> {
    const { journal, pending } = this.#reader;
    try {
      journal.append(record);
      const synced = journal.file.sync();
      this.#reader.pull();
      return synced;
    } finally {
      pending?.transaction?.drop();
    }
  }

  #revoke(record: EditRecord, { operations, before }: TransactionResult<unknown>): void {
    const { journal } = this.#reader;
    if (journal.tip.id !== record.i) return;
    const { seq, id } = journal.tip;
    const o = operations.map(([table, row], at): Operation => (before[at] ? [table, row, before[at]] : [table, row]));
    try {
      journal.append({ ...record, s: seq + 1, p: id, i: randomId(), o, h: undefined });
    } catch (error) {
      this.options.log('warn', `A change that could not be made safe could not be taken back either: ${error}`);
    }
    this.#reader.pull();
  }

  #check(): void {
    if (this.#isBusy || this.#isClosed) return;
    this.#reader.read();
    if (this.#reader.needsReload) void this.refresh().catch(error => this.options.log('error', String(error)));
  }
}

const cannotWrite = (error: unknown): DuelineError =>
  new DuelineError('storage', storeMessage('changeNotSaved', reasonOf(error)), { cause: error });
