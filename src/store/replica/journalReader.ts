import { join } from 'node:path';
import { codeOf, messageOf } from '../../core/kernel/errors';
import { Emitter } from '../../core/kernel/events';
import type { Message } from '../../core/kernel/message';
import { BrokenChainError, type Journal, NewerFormatError, ReloadRequiredError } from '../journal/journal';
import type { OpenOptions } from '../journal/openOptions';
import type { EditRecord } from '../journal/record';
import { storeMessage } from '../messages';
import { openFiles } from '../recovery/openFiles';
import { applyRecords, type ImageColumns, type KnownRows } from '../snapshot/applyRecords';
import type { LoadedStore } from '../snapshot/load';
import type { Database } from '../sql/database';
import { ChangeNotes, type PendingTransaction } from './transaction';

export interface Applied {
  readonly record: EditRecord;
  /** Written by this window. */
  readonly own: boolean;
}

/** The record that this window has written and not yet seen accepted. */
interface Pending extends KnownRows {
  /** Its rows, still in their transaction. */
  readonly transaction: PendingTransaction | undefined;
  accepted: boolean;
}

/**
 * Keeps one database in memory equal to the accepted part of its journal, from any window: from journal to journal, and
 * from a snapshot again if the next journal is gone.
 */
export class JournalReader {
  #loaded!: LoadedStore;
  #journal!: Journal;
  #notes!: ChangeNotes;
  #leftSteps: readonly EditRecord[] = [];
  #gen = 0;
  #isFrozen = false;
  /** In bytes, of the journal as it was loaded. */
  #brokenSize = 0;
  #isClosed = false;
  /** True if the next records cannot be read from here: the next step reloads. */
  #needsReload = false;
  /** Records that are applied, and not announced yet. */
  #unannounced: Applied[] = [];
  #readOnlyReason: Message | undefined;
  /** The error for which the files cannot be read at the moment; every further read tries again. */
  #readError: Message | undefined;
  readonly #notices: Message[] = [];
  readonly #applied = new Emitter<readonly Applied[]>();
  readonly #reloaded = new Emitter<Database>();

  pending: Pending | undefined;
  /** When another window's record came in last, on the monotonic clock. */
  lastForeignRecordAt = Number.NEGATIVE_INFINITY;
  /**
   * Called with records that are about to be applied, while the rows are still unchanged; those of the own edit may
   * already be.
   */
  willApply: (records: readonly EditRecord[], own?: KnownRows) => void = () => {};
  readonly onDidApply = this.#applied.event;
  /** The whole database was replaced; the listener gets the previous one, which is closed afterwards. */
  readonly onDidReload = this.#reloaded.event;

  private constructor(
    private readonly options: OpenOptions,
    private readonly window: string,
  ) {}

  static async open(options: OpenOptions, window: string): Promise<JournalReader> {
    const reader = new JournalReader(options, window);
    await reader.#load();
    return reader;
  }

  get database(): Database {
    return this.#loaded.database;
  }

  get journal(): Journal {
    return this.#journal;
  }

  /** The generation that the journal is of. */
  get gen(): number {
    return this.#gen;
  }

  /** How the files were found at the last loading. */
  get loaded(): LoadedStore {
    return this.#loaded;
  }

  /** Undo steps that the last loading met and nobody will meet again, oldest first. */
  get leftSteps(): readonly EditRecord[] {
    return this.#leftSteps;
  }

  get columns(): ImageColumns {
    return this.#journal.head!.cols;
  }

  /** The rows that an edit in progress touches. */
  get notes(): ChangeNotes {
    return this.#notes;
  }

  get readOnlyReason(): Message | undefined {
    return this.#readOnlyReason ?? this.#readError;
  }

  get notices(): readonly Message[] {
    return this.#notices;
  }

  get needsReload(): boolean {
    return this.#needsReload;
  }

  /** Adds a notice for the user. */
  addNotice(notice: Message): void {
    this.#notices.push(notice);
    this.options.log('warn', notice.text);
  }

  /** Shows another database instead, which cannot be changed. The files stay as they are. */
  freeze(database: Database, reason: Message): void {
    const before = this.#loaded.database;
    this.#loaded = { ...this.#loaded, database };
    this.#readOnlyReason = reason;
    this.#isFrozen = true;
    before.close();
  }

  /** Applies new records, and announces them. Synchronous; if the next journal is gone, `catchUp` finds another way. */
  read(): void {
    this.pull();
    this.announce();
  }

  async catchUp(): Promise<void> {
    this.read();
    if (this.#needsReload) await this.#reload();
  }

  /** Synchronous from the first byte read to the last row applied, so nobody sees half of it. */
  pull(): void {
    if (this.#needsReload || this.#isClosed || this.#isFrozen || this.#isAsBroken()) return;
    try {
      while (this.#takeJournal());
      if (this.#readError !== undefined) this.options.log('info', 'The task store can be read again.');
      this.#readError = undefined;
    } catch (error) {
      this.#cannotFollow(error);
    }
  }

  /** A damaged journal that cannot be repaired here is read again once something has been written to it. */
  #isAsBroken(): boolean {
    const { files, folder } = this.options;
    return this.#loaded.broken !== undefined && files.sizeOf(join(folder, this.#journal.name)) === this.#brokenSize;
  }

  announce(): void {
    const applied = this.#unannounced;
    if (applied.length === 0) return;
    this.#unannounced = [];
    this.#applied.fire(applied);
  }

  close(): void {
    this.#isClosed = true;
    this.#journal.file.close();
    this.database.close();
  }

  /** True if the journal has ended and the next one is open. */
  #takeJournal(): boolean {
    const records: EditRecord[] = [];
    try {
      this.#journal.pull(record => {
        if (record.i === this.pending?.id) this.pending.accepted = true;
        if (record.w !== this.window) this.lastForeignRecordAt = performance.now();
        if (record.k === undefined && record.o) records.push(record);
      });
    } finally {
      this.#apply(records);
    }
    const { seal } = this.#journal;
    if (!seal) return false;
    if (seal.reload) throw new ReloadRequiredError(`The journal ${seal.j} starts from a snapshot.`);
    const { files, folder } = this.options;
    const next = this.#journal.openNext(files, folder, this.#readOnlyReason ? 'read' : 'append');
    this.#journal.file.close();
    this.#journal = next;
    this.#gen = seal.next;
    return true;
  }

  #apply(records: readonly EditRecord[]): void {
    if (records.length === 0) return;
    const isOwnFirst = records[0]!.i === this.pending?.id;
    // Another window's record came first: the pending edit has to be proposed again.
    if (!isOwnFirst) this.pending?.transaction?.drop();
    this.willApply(records, this.pending);
    // It is closed if the disk took the record, and failed: then its rows come from the record.
    const transaction = this.pending?.transaction?.isOpen ? this.pending.transaction : undefined;
    transaction?.keep();
    const rest = transaction ? records.slice(1) : records;
    if (rest.length > 0) applyRecords(this.database, rest, this.columns, this.pending);
    for (const record of records) this.#unannounced.push({ record, own: record.w === this.window });
  }

  #cannotFollow(error: unknown): void {
    if (error instanceof ReloadRequiredError || error instanceof BrokenChainError) {
      this.#needsReload = true;
      return;
    }
    const reason =
      error instanceof NewerFormatError
        ? storeMessage('newerWindow')
        : storeMessage('restUnreadable', messageOf(error));
    // Every read of the files meets the error again: log it once.
    if (reason.text !== this.readOnlyReason?.text) this.options.log('error', reason.text);
    // An error of the disk has changed nothing here, and may be over later. Any other may have left the work half done.
    if (isOfTheDisk(error)) this.#readError = reason;
    else this.#readOnlyReason = reason;
  }

  async #reload(): Promise<void> {
    const before = this.#loaded;
    this.#journal.file.close();
    await this.#load();
    this.#needsReload = false;
    this.#reloaded.fire(before.database);
    before.database.close();
  }

  async #load(): Promise<void> {
    const { files, folder, databaseSchema } = this.options;
    const { loaded, notices, readOnlyReason, leftSteps } = await openFiles(this.options);
    this.#leftSteps = leftSteps;
    this.#loaded = loaded;
    this.#journal = loaded.journal;
    this.#gen = loaded.gen;
    this.#brokenSize = files.sizeOf(join(folder, loaded.journal.name));
    this.#readOnlyReason = readOnlyReason;
    this.#readError = undefined;
    for (const notice of notices) this.addNotice(notice);
    this.#notes = new ChangeNotes(this.database, databaseSchema, this.columns);
    const isNew = loaded.gen === 0 && loaded.journal.tip.seq === 0;
    if (!isNew || readOnlyReason !== undefined) return;
    await loaded.journal.file.sync();
    await files.syncFolder(folder);
  }
}

/** ENOENT, EIO …, not Node.js's names for its own errors (ERR_…). */
const isOfTheDisk = (error: unknown): boolean => /^E[A-Z\d]+$/.test(codeOf(error) ?? '');
