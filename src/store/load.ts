import { DuelineError } from '../core/errors';
import { Database } from './database';
import type { Files } from './files';
import { applyRecord } from './fold';
import { Journal, MustReload, NewerFormat, type Tip } from './journal';
import { firstJournal, isJournal, isSnapshotData } from './names';
import { type ChainRecord, type EditRecord, journalFormat } from './record';
import type { Shape } from './shape';
import { listSnapshots, openSnapshot, type Snapshot } from './snapshot';

/** A database as its files have it, and the journal that goes on from there. */
export interface Loaded {
  readonly database: Database;
  readonly journal: Journal;
  readonly gen: number;
  readonly schema: number;
  /** Size of the snapshot that it started from. */
  readonly snapshotBytes: number;
  /** The undo steps that were replayed, oldest first. */
  readonly steps: readonly EditRecord[];
  /** Files that could not be read, where an older way led to the same state. */
  readonly damaged: readonly string[];
}

export interface LoadOptions {
  readonly files: Files;
  readonly folder: string;
  readonly shape: Shape;
  readonly mode: 'append' | 'read';
  /** Stop where this generation starts; for building its snapshot. */
  readonly until?: number;
}

interface Base {
  readonly database: Database;
  readonly gen: number;
  readonly schema: number;
  readonly journal: string;
  readonly tip: Tip | undefined;
  readonly snapshotBytes: number;
}

/**
 * Newest sound snapshot, then every journal from there on. Throws BrokenChain for damage in the middle of a
 * journal, NewerFormat for files of a later version, `storage` where data is missing; never invents an empty
 * database beside existing files.
 */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { files, folder } = options;
  const damaged: string[] = [];
  const found = listSnapshots(files, folder);
  damaged.push(...found.unreadable);
  const candidates = found.snapshots.filter(({ meta }) => options.until === undefined || meta.gen < options.until);
  for (const snapshot of candidates) {
    const base = await baseOf(options, snapshot).catch(error => {
      if (error instanceof NewerFormat) throw error;
      damaged.push(`${snapshot.name}.db`);
    });
    if (!base) continue;
    try {
      return { ...follow(options, base), damaged };
    } catch (error) {
      base.database.close();
      // A journal is missing on this way only: an older snapshot cannot know more, a newer one was damaged.
      throw error instanceof MustReload && damaged.length > 0 ? missing(folder, error) : error;
    }
  }
  const names = files.list(folder);
  const isNew = !names.some(name => isJournal(name) || isSnapshotData(name)) && damaged.length === 0;
  if (!names.includes(firstJournal) && !isNew) throw missing(folder);
  return { ...follow(options, await emptyBase(options)), damaged };
}

const missing = (folder: string, cause?: unknown) =>
  new DuelineError(
    'storage',
    `The task store in ${folder} is incomplete: files that it needs are damaged or gone. Nothing was changed. Restore the folder, or a backup from its folder "backup".`,
    { cause },
  );

async function baseOf({ files, folder }: LoadOptions, snapshot: Snapshot): Promise<Base> {
  const { meta } = snapshot;
  if (meta.format > journalFormat) throw new NewerFormat(`Snapshot format ${meta.format}.`);
  return {
    database: await openSnapshot(files, folder, snapshot),
    gen: meta.gen,
    schema: meta.schema,
    journal: meta.journal,
    tip: { seq: meta.seq, id: meta.last },
    snapshotBytes: meta.bytes,
  };
}

async function emptyBase({ shape }: LoadOptions): Promise<Base> {
  const database = await Database.open();
  for (const sql of shape.creation) database.run(sql);
  return { database, gen: 0, schema: shape.version, journal: firstJournal, tip: undefined, snapshotBytes: 0 };
}

function follow({ files, folder, shape, mode, until }: LoadOptions, base: Base): Omit<Loaded, 'damaged'> {
  const { database, snapshotBytes } = base;
  const steps: EditRecord[] = [];
  let { gen, schema } = base;
  let journal = open(base.journal, base.tip);
  database.run('PRAGMA foreign_keys = OFF');
  database.run('BEGIN');
  const take = (record: ChainRecord) => {
    if (record.k === 'seal') return;
    if (record.o) applyRecord(database, record, journal.head!.cols);
    if (record.h) steps.push(record);
  };
  for (;;) {
    journal.pull(take);
    const seal = journal.seal;
    if (!seal || (until !== undefined && seal.next >= until)) break;
    journal.file.close();
    if (seal.reload) throw new MustReload(`The journal ${seal.j} starts from a snapshot.`);
    journal = open(seal.j, journal.tip);
    gen = seal.next;
    schema = seal.schema;
  }
  database.run('COMMIT');
  schema = journal.head?.schema ?? schema;
  return { database, journal, gen, schema, snapshotBytes, steps };

  function open(name: string, tip: Tip | undefined): Journal {
    // Only the first journal is ever made by opening it; it needs no name that others would have to agree on.
    const create = name === firstJournal && mode === 'append';
    const opened = Journal.open(files, folder, name, { mode: create ? 'create' : mode, ...(tip && { tip }) });
    if (create && opened.file.size() === 0) {
      opened.append({
        k: 'head',
        format: journalFormat,
        minReader: journalFormat,
        gen: 0,
        schema: shape.version,
        cols: shape.tables,
        s: 0,
        p: '',
      });
    }
    return opened;
  }
}
