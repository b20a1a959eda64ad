import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import type { MadeStep, UndoableStep, UndoStep } from '../core/kernel/editLabel';
import { codeOf, isDuelineError, messageOf } from '../core/kernel/errors';
import { Emitter, type Event } from '../core/kernel/events';
import { type Log, noLog } from '../core/kernel/log';
import type { Message } from '../core/kernel/message';
import type { Id } from '../core/kernel/model';
import { defaultSettings } from '../core/kernel/settings';
import type { Clock } from '../core/time/clock';
import { hourMs } from '../core/time/units';
import { later } from './door';
import { diskFiles, type Files } from './journal/files';
import { NewerFormatError } from './journal/journal';
import type { EditRecord } from './journal/record';
import { storeMessage } from './messages';
import { changedRows, originOf, reloadChange } from './replica/changeEvents';
import type { Applied } from './replica/journalReader';
import { KeyValueStore } from './replica/keyValueStore';
import { type Annotation, Replica } from './replica/replica';
import type { TransactionResult } from './replica/transaction';
import { tasksSchema } from './sql/databaseSchema';
import { RowReader } from './sql/rowReader';
import type { RowWriter } from './sql/rowWriter';
import type { BackupRules } from './transfer/backups';
import type { DataTools } from './transfer/dataTools';
import type { EditLabel, EditOptions, Reader, Sidecar, StepLabel, StoreChange, Writer } from './types';
import { History } from './undo/history';

/**
 * Tasks in several windows, without a server: every window has all rows in memory, and a journal on the disk decides the
 * order of edits.
 *
 *     edit(work) → proposed in a transaction → one line in the journal → accepted → applied in every window
 *
 * Invariant: what a resolved `edit` has changed is on the disk, and no window ever shows a change that is not accepted.
 */
export interface TaskStore extends Reader {
  /** Set if nothing may be written, with the reason that the user is shown. */
  readonly readOnlyReason: Message | undefined;
  /** Damage that was found when the files were opened, and what was done about it: for the user to read. */
  readonly notices: readonly Message[];
  /**
   * The one write door. `work` is synchronous, has no effect outside its writer and may run again when another
   * window won the race. Resolves with its result once the change is durable on disk; rejects, having changed
   * nothing, otherwise. A throw inside `work` rolls back and rejects with that error.
   */
  edit<T>(options: EditOptions, work: (tx: Writer) => T): Promise<T>;
  readonly onDidChange: Event<StoreChange>;
  /** Undoes (redoes) the newest undoable user edit as a new edit; returns its label, or undefined if there is none. */
  undo(): Promise<StepLabel | undefined>;
  redo(): Promise<StepLabel | undefined>;
  /** Everything that can be undone, the newest first. */
  undoSteps(): Promise<readonly UndoableStep[]>;
  /**
   * Undoes one of them; later changes stay. Undefined if it is undone already. `mayChange` gets the tasks that it
   * writes to, inside the edit, and throws if the step must stay.
   */
  undoStep(id: string, mayChange?: (tasks: readonly Id[]) => void): Promise<StepLabel | undefined>;
  /** Does the work, and returns the id of the undo step that it made: the last one, if there are several. */
  stepOf<T>(work: () => Promise<T>): Promise<MadeStep<T>>;
  /** The edits that undo and redo would revert. */
  history(): Promise<{ undo: EditLabel | undefined; redo: EditLabel | undefined }>;
  /** Everything else that is stored: sync bases, snoozes, conflicts. Opened on first use. */
  sidecar(): Promise<Sidecar>;
  /** Backups, import of database files, the integrity check. */
  readonly data: DataTools;
  /** When copies are made by themselves, and how long they are kept. */
  backupRules: BackupRules;
  /** The four tables as one plain SQLite file. */
  exportDatabase(path: string): Promise<void>;
  /** Writes a text into a file that the user has named, whole or not at all, and never among the store's own files. */
  saveFile(path: string, text: string): Promise<void>;
  /** Applies the changes of other windows now. */
  refresh(): Promise<void>;
  /** Waits for writes under way, then lets go of files, timers and watchers. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** The folder in which the store makes its own folders; shared by every window. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log?: Log;
  /** Tests hand in a disk that fails. */
  readonly files?: Files;
  /** Size in bytes from which a journal is compacted into a snapshot. */
  readonly compactAt?: number;
  /** False never takes the advisory lock, which only saves retries. */
  readonly lock?: boolean;
}

/**
 * Opens the store of a folder, and creates it if the folder is empty. Rejects with `storage`.
 *
 * @example
 * const store = await openTaskStore({ folder, clock });
 * const listId = await store.edit({ origin: 'user' }, tx => tx.insertList({ name: 'Work', color: 0xff3b82f6 | 0 }));
 */
export async function openTaskStore(options: StoreOptions): Promise<JournaledStore> {
  const { folder, log = noLog, files = diskFiles } = options;
  const base = { ...options, files, log };
  const replica = await Replica.open({ ...base, folder: join(folder, 'store'), databaseSchema: tasksSchema() });
  const hasRows = () => replica.database.value('SELECT 1 FROM accounts UNION SELECT 1 FROM task_lists') !== undefined;
  if (!hasRows()) await later().importWaiting(replica, { folder, files, log });
  const isEmpty = replica.isNew && replica.database.value('SELECT 1 FROM task_lists LIMIT 1') === undefined;
  const hasBackups = isEmpty && later().listBackups(files, folder).length > 0;
  if (isEmpty && hasBackups) replica.addNotice(storeMessage('storeEmpty', join(folder, 'backups')));
  const sidecarFolder = join(folder, 'sidecar');
  const openSidecar = () =>
    KeyValueStore.open({ ...base, folder: sidecarFolder }, replica.storeId, kept => {
      if (isEmpty && !hasBackups) replica.addNotice(storeMessage('storeLost', join(folder, 'store')));
      replica.addNotice(storeMessage('sidecarKept', kept));
    });
  const sidecar = () =>
    openSidecar().catch(async error => {
      const isDamaged = isDuelineError(error, 'storage') && !isOfTheMoment(error.cause);
      if (!isDamaged || replica.readOnlyReason !== undefined) throw error;
      // It has no tasks: a store without its key-value maps is better than no store.
      const aside = `${sidecarFolder}-damaged-${options.clock.now()}`;
      await files.rename(sidecarFolder, aside);
      replica.addNotice(storeMessage('sidecarReset', aside, messageOf(error)));
      return openSidecar();
    });
  const store = new JournaledStore(replica, sidecar, base);
  // The files next to a new store show that there was another one before it.
  if (isEmpty && files.list(sidecarFolder).length > 0)
    await store.sidecar().catch(error => log('warn', `The data beside the store was not read: ${error}`));
  await store.keepLeftSteps().catch(error => log('warn', `The undo history was not kept: ${error}`));
  return store;
}

/** True if the error may not occur again: the machine's limits and other windows' work are not damage. */
const isOfTheMoment = (cause: unknown): boolean =>
  cause instanceof NewerFormatError ||
  ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EAGAIN', 'EBUSY'].includes(codeOf(cause) ?? '');

export class JournaledStore extends RowReader implements TaskStore {
  readonly #replica: Replica;
  /** Made by the first edit. */
  #writer: RowWriter | undefined;
  /** Made when they are first used. */
  #data: DataTools | undefined;
  readonly #history: History;
  readonly #openSidecar: () => Promise<KeyValueStore>;
  readonly #changes = new Emitter<StoreChange>();
  /** The steps that the current work has made, for `stepOf`: concurrent pieces of work do not see each other's. */
  readonly #made = new AsyncLocalStorage<string[]>();
  readonly #changeOfRecord = new WeakMap<EditRecord, Omit<StoreChange, 'origin'>>();
  #sidecar: Promise<KeyValueStore> | undefined;

  readonly onDidChange = this.#changes.event;
  backupRules: BackupRules = { isDaily: defaultSettings.backupDaily, keptDays: defaultSettings.backupDaysKept };
  /** Checks for a due backup soon after the start, and every hour. */
  readonly #backups = [
    setTimeout(() => this.#backUpIfDue(), 60_000).unref(),
    setInterval(() => this.#backUpIfDue(), hourMs).unref(),
  ];

  constructor(
    replica: Replica,
    sidecar: () => Promise<KeyValueStore>,
    private readonly options: Pick<Required<StoreOptions>, 'folder' | 'clock' | 'log' | 'files'>,
  ) {
    super(() => replica.database);
    this.#replica = replica;
    this.#openSidecar = sidecar;
    this.#history = new History(replica, () => this.#openKeyValues(), options.clock);
    replica.willApply = (records, own) => {
      for (const record of records) {
        const before = record.i === own?.id ? own.before : undefined;
        this.#changeOfRecord.set(record, changedRows(replica.database, replica.columns, record.o, before));
      }
    };
    replica.beforeCompaction = () => this.#history.flush();
    replica.onDidReload(before => {
      this.#changes.fire(reloadChange(before, replica.database, replica.columns));
    });
    replica.onDidApply(applied => {
      for (const each of applied) this.#announce(each);
    });
  }

  /** Damage that was found when the files were opened, and what was done about it: for the user to read. */
  get notices(): readonly Message[] {
    return this.#replica.notices;
  }

  get readOnlyReason(): Message | undefined {
    return this.#replica.readOnlyReason;
  }

  get data(): DataTools {
    const { options } = this;
    this.#data ??= new (later().DataTools)({ ...options, replica: this.#replica, rules: () => this.backupRules });
    return this.#data;
  }

  async edit<T>(options: EditOptions, work: (tx: Writer) => T): Promise<T> {
    this.#writer ??= new (later().RowWriter)(this.database);
    const writer = this.#writer;
    const { result } = await this.#replica.commit(
      () => work(writer),
      proposal => this.#annotate(options, proposal),
    );
    return result;
  }

  undo(): Promise<StepLabel | undefined> {
    return this.#history.step('undo');
  }

  redo(): Promise<StepLabel | undefined> {
    return this.#history.step('redo');
  }

  undoSteps(): Promise<readonly UndoableStep[]> {
    return this.#history.steps();
  }

  undoStep(id: string, mayChange?: (tasks: readonly Id[]) => void): Promise<StepLabel | undefined> {
    return this.#history.step('undo', id, mayChange);
  }

  async stepOf<T>(work: () => Promise<T>): Promise<MadeStep<T>> {
    const made: string[] = [];
    const result = await this.#made.run(made, work);
    return { result, step: made.at(-1) };
  }

  history(): Promise<{ undo: EditLabel | undefined; redo: EditLabel | undefined }> {
    return this.#history.top();
  }

  keepLeftSteps(): Promise<void> {
    return this.#history.keepLeftSteps();
  }

  sidecar(): Promise<Sidecar> {
    return this.#openKeyValues();
  }

  async exportDatabase(path: string): Promise<void> {
    await this.refresh();
    const storeFolder = this.options.folder;
    await later().writeUserFile(path, this.#replica.database.export(), { storeFolder, mode: 0o600 });
  }

  saveFile(path: string, text: string): Promise<void> {
    const storeFolder = this.options.folder;
    return later().writeUserFile(path, new TextEncoder().encode(text), { storeFolder, mode: 0o666 });
  }

  async refresh(): Promise<void> {
    await this.#replica.refresh();
    await (await this.#sidecar)?.refresh();
  }

  async close(): Promise<void> {
    for (const timer of this.#backups) clearTimeout(timer);
    await this.#replica.whenIdle();
    const sidecar = await this.#sidecar?.catch(() => undefined);
    await sidecar?.close();
    await this.#replica.close();
    this.#changes.dispose();
  }

  #backUpIfDue(): void {
    this.data.backUpIfDue().catch(error => this.options.log('warn', `The daily backup failed: ${error}`));
  }

  #openKeyValues(): Promise<KeyValueStore> {
    this.#sidecar ??= this.#openSidecar().catch(error => {
      this.#sidecar = undefined;
      throw error;
    });
    return this.#sidecar;
  }

  #annotate({ origin, label }: EditOptions, proposal: TransactionResult<unknown>): Annotation {
    if (origin !== 'user' || !label) return { origin };
    const rows = later().rowSteps(this.#replica.database, this.#replica.columns, proposal);
    if (rows.length === 0) return { origin };
    return { origin, h: { label, rows } };
  }

  #announce({ record, own }: Applied): void {
    if (own && record.h && !record.h.undoes && !record.h.redoes) this.#made.getStore()?.push(record.i);
    const changes = this.#changeOfRecord.get(record);
    const step = own ? undefined : stepOfAgent(record);
    if (changes) this.#changes.fire({ origin: originOf(own, record.origin), ...changes, ...(step && { step }) });
  }
}

const stepOfAgent = ({ i: id, t: at, h }: EditRecord): UndoStep | undefined =>
  h?.label.client && !h.undoes && !h.redoes ? { id, at, label: h.label } : undefined;
