import { DuelineError, isDuelineError } from '../../core/kernel/errors';
import { bytesOfJournal, laterJournals } from '../journal/damagedJournal';
import { firstJournal, generationOf, isJournal, isSnapshotData, isSnapshotMeta, randomId } from '../journal/fileNames';
import type { Files } from '../journal/files';
import { BrokenChainError, Journal, NewerFormatError, ReloadRequiredError } from '../journal/journal';
import { decodeLine, type EditRecord, journalFormat, journalHead, recordLines, type Tip } from '../journal/record';
import { storeMessage } from '../messages';
import { Database } from '../sql/database';
import type { DatabaseSchema } from '../sql/databaseSchema';
import { applyRecord } from './applyRecords';
import { listSnapshots, openSnapshot, type Snapshot } from './snapshot';

/** The database of the files, and the journal that continues it. */
export interface LoadedStore {
  readonly database: Database;
  readonly journal: Journal;
  readonly gen: number;
  readonly schema: number;
  /** The generation and size of the snapshot that it started from; 0 for none. */
  readonly base: number;
  readonly snapshotBytes: number;
  /** The undo steps that were replayed, oldest first. */
  readonly steps: readonly EditRecord[];
  /** Snapshot files that could not be read, if an older one and its journals led to the same state. */
  readonly damaged: readonly string[];
  /** Journals with a damaged seal whose content the next journal proves. */
  readonly repaired: readonly string[];
  /** The damage in the journal that the rows are the state before. */
  readonly broken?: BrokenChainError;
  /** Applies the records that were written to the journal since. */
  catchUp(): void;
}

interface LoadOptions {
  readonly files: Files;
  readonly folder: string;
  readonly databaseSchema: DatabaseSchema;
  readonly mode: 'append' | 'read';
  /** Stop at the start of this generation: for building its snapshot. */
  readonly until?: number;
}

interface Base {
  readonly database: Database;
  readonly base: number;
  readonly schema: number;
  readonly journal: string;
  readonly tip: Tip | undefined;
  readonly snapshotBytes: number;
  readonly store: string;
}

/**
 * Newest sound snapshot, then every journal from there on; stops before damage in the middle of a journal, and at a seal that
 * asks for a reload. Throws NewerFormatError for files of a later version, ReloadRequiredError if another process was quicker,
 * `storage` if data is missing. Never invents an empty database beside files.
 */
export async function load(options: LoadOptions): Promise<LoadedStore> {
  const { files, folder } = options;
  const names = () => files.list(folder).filter(name => isJournal(name) || isSnapshotFile(name));
  const before = names().sort().join();
  try {
    const loaded = await loadFrom(options);
    // A file that another process removed meanwhile is not damaged. Its meta goes first.
    const metas = new Set(names());
    return { ...loaded, damaged: loaded.damaged.filter(name => metas.has(name.replace(/\.db$/, '.json'))) };
  } catch (error) {
    const isMoving = isDuelineError(error, 'storage') && names().sort().join() !== before;
    throw isMoving ? new ReloadRequiredError('Another process compacted the store meanwhile.') : error;
  }
}

async function loadFrom(options: LoadOptions): Promise<LoadedStore> {
  const { files, folder } = options;
  const found = listSnapshots(files, folder);
  const newest = found.snapshots[0]?.meta.gen ?? -1;
  // An unreadable meta older than a readable one is of no use any more.
  const damaged = found.unreadable.filter(name => generationOf(name) > newest);
  const candidates = found.snapshots.filter(({ meta }) => options.until === undefined || meta.gen < options.until);
  for (const snapshot of candidates) {
    const base = await baseOf(options, snapshot).catch(error => {
      if (error instanceof NewerFormatError) throw error;
      damaged.push(`${snapshot.name}.db`);
    });
    if (!base) continue;
    try {
      return { ...follow(options, base), damaged };
    } catch (error) {
      base.database.close();
      // A missing journal usually means a newer snapshot; not if the newer one is damaged.
      throw error instanceof ReloadRequiredError && damaged.length > 0 ? incomplete(folder, error) : error;
    }
  }
  const names = files.list(folder);
  const isNew = !names.some(name => isJournal(name) || isSnapshotData(name)) && damaged.length === 0;
  if (!names.includes(firstJournal) && !isNew) throw incomplete(folder);
  const loaded = follow(options, await emptyBase(options));
  // Another window may have compacted the first journal and removed it since: ours would be a new one.
  if (damaged.length === 0 && options.until === undefined && listSnapshots(files, folder).snapshots.length > 0) {
    loaded.journal.file.close();
    loaded.database.close();
    throw new ReloadRequiredError('A snapshot appeared.');
  }
  return { ...loaded, damaged };
}

const incomplete = (folder: string, cause?: unknown) =>
  new DuelineError('storage', storeMessage('storeIncomplete', folder), { cause });

async function baseOf({ files, folder }: LoadOptions, snapshot: Snapshot): Promise<Base> {
  const { meta } = snapshot;
  if (meta.format > journalFormat) throw new NewerFormatError(`Snapshot format ${meta.format}.`);
  return {
    database: await openSnapshot(files, folder, snapshot),
    base: meta.gen,
    schema: meta.schema,
    journal: meta.journal,
    tip: { seq: meta.seq, id: meta.last },
    snapshotBytes: meta.bytes,
    store: meta.store,
  };
}

async function emptyBase({ files, folder, databaseSchema }: LoadOptions): Promise<Base> {
  const database = await Database.open();
  const schema = Math.min(
    schemaOfJournal(files, folder, firstJournal) ?? databaseSchema.version,
    databaseSchema.version,
  );
  for (const sql of databaseSchema.creation(schema)) database.run(sql);
  return { database, base: 0, schema, journal: firstJournal, tip: undefined, snapshotBytes: 0, store: randomId() };
}

/** Undefined if the journal is missing, or if its first readable line is not its head. */
function schemaOfJournal(files: Files, folder: string, name: string): number | undefined {
  for (const bytes of recordLines(bytesOfJournal(files, folder, name))) {
    const line = decodeLine(bytes);
    if (line) return line.k === 'head' ? line.schema : undefined;
  }
  return undefined;
}

function follow(options: LoadOptions, start: Base): Omit<LoadedStore, 'damaged'> {
  const { files, folder, mode, until = Number.POSITIVE_INFINITY } = options;
  const { database, snapshotBytes, base } = start;
  const steps: EditRecord[] = [];
  const repaired: string[] = [];
  let gen = base;
  let journal = openFirst(options, start);
  let broken: BrokenChainError | undefined;
  const catchUp = () =>
    journal.pull(record => {
      if (record.k !== undefined || !record.o) return;
      applyRecord(database, record, journal.head!.cols);
      if (record.h) steps.push(record);
    });
  database.run('PRAGMA foreign_keys = OFF');
  database.transaction(() => {
    try {
      for (;;) {
        catchUp();
        const { seal } = journal;
        if (journal.isSealDamaged) repaired.push(journal.name);
        if (!seal || seal.reload || seal.next >= until) break;
        const next = journal.openNext(files, folder, mode);
        journal.file.close();
        journal = next;
        gen = seal.next;
      }
    } catch (error) {
      if (!(error instanceof BrokenChainError && journal.head)) {
        journal.file.close();
        throw error;
      }
      broken = error;
    }
  });
  if (!journal.head) startNewGeneration(options, journal, start);
  const schema = journal.head?.schema ?? start.schema;
  return { database, journal, gen, schema, base, snapshotBytes, steps, repaired, ...(broken && { broken }), catchUp };
}

/**
 * A journal without any readable line. Cut short by a crash at its very first write, or at its end: begun again. If it
 * was more than that, or is beside data that leads elsewhere, something is missing.
 */
function startNewGeneration({ files, folder, mode, databaseSchema }: LoadOptions, journal: Journal, start: Base): void {
  const isAlone = files.list(folder).every(name => name === firstJournal || !(isJournal(name) || isSnapshotFile(name)));
  const isUnfinished =
    journal.name === firstJournal
      ? isAlone
      : start.schema === databaseSchema.version && laterJournals(files, folder, journal.name).length === 0;
  if (journal.file.size() > tornHeadBytes || !isUnfinished || mode === 'read') throw incomplete(folder);
  journal.begin(journalHead(databaseSchema, start.store, generationOf(journal.name)));
  journal.pull(() => {});
}

const isSnapshotFile = (name: string) => isSnapshotData(name) || isSnapshotMeta(name);

/** A first journal no longer than this may be one whose first write was torn; a longer one has lost its content. */
const tornHeadBytes = 4_096;

function openFirst({ files, folder, mode, databaseSchema }: LoadOptions, { journal: name, tip, store }: Base): Journal {
  // Only the first journal is ever made by opening it: it has the one name that needs no agreement.
  const create = name === firstJournal && mode === 'append';
  const fallback = journalHead(databaseSchema, store, generationOf(name));
  const journal = Journal.open(files, folder, name, { mode: create ? 'create' : mode, tip, fallback });
  if (create && journal.file.size() === 0) journal.begin(journalHead(databaseSchema, randomId(), 0));
  return journal;
}
