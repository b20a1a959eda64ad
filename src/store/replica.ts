import { join } from 'node:path';
import { DuelineError } from '../core/errors';
import { type Disposable, Emitter } from '../core/events';
import type { Database } from './database';
import { applyRecords, armCapture, type ImageColumns, type KnownRows, type Proposal, propose } from './fold';
import type { HistoryStep } from './historyStep';
import { BrokenChain, Journal, MustReload, NewerFormat } from './journal';
import type { Loaded } from './load';
import { AdvisoryLock } from './lock';
import { randomId } from './names';
import { watchForNews } from './newsWatch';
import { type OpenOptions, openFiles } from './opening';
import type { EditRecord, Operation } from './record';
import { sealJournal } from './sealing';
import { buildInBackground } from './snapshotWorker';
import type { Origin } from './types';

/** How long another window's record makes this one take the lock before it writes. */
const companyMs = 10_000;
const attemptLimit = 100;

export interface ReplicaOptions extends OpenOptions {
  /** False never takes the advisory lock: only slower. */
  readonly lock?: boolean;
  /** Size in bytes from which a journal is folded into a snapshot; a quarter of the snapshot where that is more. */
  readonly compactAt?: number;
}

/** What an edit adds to its record. */
export interface Annotation {
  readonly origin?: Origin;
  readonly h?: HistoryStep;
}

export interface Committed<T> {
  readonly result: T;
  readonly changed: boolean;
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
  #gen = 0;
  #snapshotBytes = 0;
  readonly #window = randomId();
  readonly #lock: AdvisoryLock;
  readonly #applied = new Emitter<readonly Applied[]>();
  readonly #reloaded = new Emitter<Database>();
  readonly #notices: string[] = [];
  #watch: Disposable | undefined;
  /** Edits wait for each other here. */
  #queue: Promise<unknown> = Promise.resolve();
  #building: Promise<unknown> = Promise.resolve();
  /** Applied, and not told to anybody yet. */
  #unannounced: Applied[] = [];
  #folding = false;
  #frozen = false;
  #writing = false;
  #closed = false;
  #pending: (KnownRows & { accepted: boolean }) | undefined;
  #lastCompany = Number.NEGATIVE_INFINITY;
  #readOnlyReason: string | undefined;
  /** What follows cannot be read from here; the next step loads anew. */
  #stranded = false;

  /** Called with records that are about to be applied, while the rows are still as they were. */
  willApply: (records: readonly EditRecord[]) => void = () => {};
  /** Called around the end of a journal, whose records will not be replayed again. */
  willFold: () => Promise<unknown> = async () => {};
  readonly onDidApply = this.#applied.event;
  /** The database was replaced as a whole; the listener gets the one that was, which is closed afterwards. */
  readonly onDidReload = this.#reloaded.event;

  private constructor(private readonly options: ReplicaOptions) {
    this.#lock = new AdvisoryLock(options.files, join(options.folder, 'lock'), 3_000);
  }

  static async open(options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(options);
    await replica.#load();
    replica.#watch = watchForNews(options.files, options.folder, options.log, {
      isBusy: () => replica.#writing,
      look: () => replica.#look(),
    });
    if (replica.#gen > replica.#loaded.base || replica.#loaded.damaged.length > 0) replica.#fold();
    return replica;
  }

  get database(): Database {
    return this.#loaded.database;
  }

  get columns(): ImageColumns {
    return this.#journal.head!.cols;
  }

  /** The store's random name, the same in every window. */
  get storeId(): string {
    return this.#journal.head!.store;
  }

  get readOnlyReason(): string | undefined {
    return this.#readOnlyReason;
  }

  get notices(): readonly string[] {
    return this.#notices;
  }

  /** Undo steps found in the journal at opening, oldest first. */
  get replayedSteps(): readonly EditRecord[] {
    return this.#loaded.steps;
  }

  /**
   * Runs `work` against the newest state and makes what it did durable. `annotate` sees the rows as they were before.
   * `changed` is false where it did nothing, and nothing was written. Rejects with `readOnly`, `storage`, or what
   * `work` threw.
   */
  async commit<T>(work: () => T, annotate: (proposal: Proposal<T>) => Annotation): Promise<Committed<T>> {
    const committed = await this.#enqueue(() => this.#attempts(work, annotate));
    if (this.#journal.offset > this.#limit()) this.#fold();
    return committed;
  }

  /** Takes in what is in the journal and not yet in memory. */
  refresh(): Promise<void> {
    return this.#enqueue(() => this.#catchUp());
  }

  /** Adds something that a person should know. */
  tell(notice: string): void {
    this.#notices.push(notice);
    this.options.log('warn', notice);
  }

  /** Shows another database instead, which cannot be changed. The files stay as they are. */
  freeze(database: Database, reason: string): void {
    const before = this.#loaded.database;
    this.#loaded = { ...this.#loaded, database };
    this.#readOnlyReason = reason;
    this.#frozen = true;
    before.close();
  }

  /** Resolves when no snapshot is being built. */
  async settled(): Promise<void> {
    await this.#building;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#queue.catch(() => {});
    await this.#building;
    await this.#queue.catch(() => {});
    this.#closed = true;
    this.#watch?.dispose();
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

  async #attempts<T>(work: () => T, annotate: (proposal: Proposal<T>) => Annotation): Promise<Committed<T>> {
    let locked = false;
    try {
      for (let attempt = 0; attempt < attemptLimit; attempt++) {
        if (!locked && (attempt > 0 || this.#inCompany())) locked = await this.#takeLock();
        await this.#catchUp();
        if (this.#readOnlyReason) throw new DuelineError('readOnly', this.#readOnlyReason);
        const proposal = propose(this.database, this.options.shape, this.columns, work);
        const { result } = proposal;
        if (result instanceof Promise) throw new DuelineError('invalid', 'The work of an edit must be synchronous.');
        if (proposal.operations.length === 0) return { result, changed: false };
        if (await this.#write(proposal, annotate(proposal))) return { result, changed: true };
      }
    } finally {
      if (locked) this.#lock.release();
    }
    throw new DuelineError('storage', 'Other windows keep writing; the change could not be saved. Try again.');
  }

  #inCompany(): boolean {
    return performance.now() - this.#lastCompany < companyMs;
  }

  #takeLock(): Promise<boolean> {
    return this.options.lock === false ? Promise.resolve(false) : this.#lock.take(2_000);
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
    const pending = { id: record.i, before: proposal.before, accepted: false };
    this.#pending = pending;
    const failure = await this.#writeDown(record);
    this.#pending = undefined;
    // What every window reads as accepted has happened, though it may not outlive a loss of power: take it back.
    if (failure !== undefined && pending.accepted) this.#revoke(record, proposal);
    this.#announce();
    if (failure !== undefined) throw cannotWrite(failure);
    return pending.accepted;
  }

  /** Reads and applies while the disk is at work, as any other window does; nobody is told before it is done. */
  async #writeDown(record: EditRecord): Promise<unknown> {
    this.#writing = true;
    try {
      this.#journal.append(record);
      const synced = this.#journal.file.sync();
      this.#take();
      await synced;
      return undefined;
    } catch (error) {
      return error;
    } finally {
      this.#writing = false;
      // The watcher was not heard meanwhile.
      this.#take();
    }
  }

  #revoke(record: EditRecord, { operations, before }: Proposal<unknown>): void {
    const { tip } = this.#journal;
    if (tip.id !== record.i) return;
    const o = operations.map(([table, id], at): Operation => (before[at] ? [table, id, before[at]] : [table, id]));
    try {
      this.#journal.append({ ...record, s: tip.seq + 1, p: tip.id, i: randomId(), o, h: undefined });
    } catch (error) {
      this.options.log('warn', `A change that could not be made safe could not be taken back either: ${error}`);
    }
    this.#take();
  }

  #look(): void {
    if (this.#writing || this.#closed) return;
    this.#read();
    if (this.#stranded) void this.refresh().catch(error => this.options.log('error', String(error)));
  }

  async #catchUp(): Promise<void> {
    this.#read();
    if (this.#stranded) await this.#reload();
  }

  #read(): void {
    this.#take();
    this.#announce();
  }

  #announce(): void {
    const applied = this.#unannounced;
    if (applied.length === 0) return;
    this.#unannounced = [];
    this.#applied.fire(applied);
  }

  /** Synchronous from the first byte read to the last row applied, so nobody sees half of it. */
  #take(): void {
    if (this.#stranded || this.#closed || this.#frozen) return;
    try {
      for (;;) {
        const records: EditRecord[] = [];
        try {
          this.#journal.pull(record => {
            if (record.i === this.#pending?.id) this.#pending.accepted = true;
            if (record.w !== this.#window) this.#lastCompany = performance.now();
            if (record.k === undefined && record.o) records.push(record);
          });
        } finally {
          this.#apply(records);
        }
        const { seal } = this.#journal;
        if (!seal) return;
        if (seal.reload) throw new MustReload(`The journal ${seal.j} starts from a snapshot.`);
        this.#next(seal.j, seal.next);
      }
    } catch (error) {
      this.#cannotFollow(error);
    }
  }

  #next(name: string, gen: number): void {
    const { files, folder } = this.options;
    const mode = this.#readOnlyReason ? 'read' : 'append';
    const next = Journal.open(files, folder, name, { mode, tip: this.#journal.tip });
    this.#journal.file.close();
    this.#journal = next;
    this.#gen = gen;
  }

  #apply(records: readonly EditRecord[]): void {
    if (records.length === 0) return;
    this.willApply(records);
    applyRecords(this.database, records, this.columns, this.#pending);
    for (const record of records) this.#unannounced.push({ record, own: record.w === this.#window });
  }

  #cannotFollow(error: unknown): void {
    if (error instanceof MustReload || error instanceof BrokenChain) {
      this.#stranded = true;
      return;
    }
    this.#readOnlyReason =
      error instanceof NewerFormat
        ? 'A newer version of Dueline has written to the task store. Reload this window to use it.'
        : `The task store cannot be read any further: ${(error as Error).message}`;
    this.options.log('error', this.#readOnlyReason);
  }

  async #reload(): Promise<void> {
    const before = this.#loaded;
    this.#journal.file.close();
    await this.#load();
    this.#stranded = false;
    this.#reloaded.fire(before.database);
    before.database.close();
  }

  async #load(): Promise<void> {
    const { files, folder, shape } = this.options;
    if (this.#loaded === undefined) files.makeFolder(folder);
    const { loaded, notices, readOnlyReason } = await openFiles(this.options);
    this.#loaded = loaded;
    this.#journal = loaded.journal;
    this.#gen = loaded.gen;
    this.#snapshotBytes = loaded.snapshotBytes;
    this.#readOnlyReason = readOnlyReason;
    for (const notice of notices) this.tell(notice);
    armCapture(this.database, shape);
    if (this.#gen === 0 && this.#journal.tip.seq === 0 && readOnlyReason === undefined) {
      await this.#journal.file.sync();
      await files.syncFolder(folder);
    }
  }

  #limit(): number {
    return Math.max(this.options.compactAt ?? 1_000_000, this.#snapshotBytes / 4);
  }

  /** Folds the journal into a snapshot, in the background, one fold at a time. */
  #fold(): void {
    if (this.#folding || this.#readOnlyReason !== undefined) return;
    this.#folding = true;
    const done = this.#seal().then(() => this.#build());
    this.#building = done
      .catch(error => this.options.log('warn', `The snapshot was not built: ${error}`))
      .finally(() => {
        this.#folding = false;
      });
  }

  async #seal(): Promise<void> {
    if (!this.#mustSeal()) return;
    await this.willFold();
    await this.#enqueue(async () => {
      await this.#catchUp();
      if (!this.#mustSeal()) return;
      const { files, folder, shape, clock } = this.options;
      const plan = { files, folder, shape, now: clock.now(), window: this.#window };
      this.#writing = true;
      try {
        await sealJournal(plan, this.#journal, { gen: this.#gen + 1 }, () => this.#read());
      } finally {
        this.#writing = false;
      }
    });
    await this.willFold();
  }

  /** Too long, or (right after opening) the way around a damaged snapshot. */
  #mustSeal(): boolean {
    return this.#journal.offset > this.#limit() || (this.#loaded.damaged.length > 0 && this.#gen === this.#loaded.gen);
  }

  async #build(): Promise<void> {
    const { files, folder, shape, log } = this.options;
    const lock = new AdvisoryLock(files, join(folder, 'compact.lock'), 120_000);
    if (!(await lock.take(0))) return;
    try {
      const bytes = await buildInBackground({ files, folder, shape, gen: this.#gen }, log);
      if (bytes > 0) this.#snapshotBytes = bytes;
    } finally {
      lock.release();
    }
  }
}

function cannotWrite(error: unknown): DuelineError {
  const code = (error as NodeJS.ErrnoException).code;
  const reasons: Record<string, string> = { ENOSPC: 'the disk is full', EROFS: 'the disk is read-only' };
  return new DuelineError('storage', `The change was not saved: ${reasons[code ?? ''] ?? (error as Error).message}.`, {
    cause: error,
  });
}
