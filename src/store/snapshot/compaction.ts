import { join } from 'node:path';
import { hourMs } from '../../core/time/units';
import { generationOf, isJournal, isSnapshotData, isSnapshotMeta } from '../journal/fileNames';
import type { Files } from '../journal/files';
import { ReloadRequiredError } from '../journal/journal';
import type { DatabaseSchema } from '../sql/databaseSchema';
import { load } from './load';
import { listSnapshots, writeSnapshot } from './snapshot';

export interface SnapshotJob {
  readonly files: Files;
  readonly folder: string;
  readonly databaseSchema: DatabaseSchema;
  /** The generation whose start the snapshot holds. */
  readonly gen: number;
}

/**
 * Builds the snapshot of a generation from files alone, so that it can run anywhere and twice. Returns its size, or 0
 * if there was nothing to do. Then removes the files that neither this snapshot nor the one before it needs.
 */
export async function buildSnapshot({ files, folder, databaseSchema, gen }: SnapshotJob): Promise<number> {
  if (listSnapshots(files, folder).snapshots.some(({ meta }) => meta.gen >= gen)) return 0;
  const loaded = await load({ files, folder, databaseSchema, mode: 'read', until: gen });
  try {
    const { seal } = loaded.journal;
    if (!seal || seal.next < gen || seal.reload) throw new ReloadRequiredError(`Generation ${gen} has not begun.`);
    const bytes = loaded.database.export();
    await writeSnapshot(files, folder, bytes, {
      gen: seal.next,
      tip: loaded.journal.tip,
      journal: seal.j,
      store: loaded.journal.head!.store,
      schema: loaded.schema,
      identityHash: databaseSchema.identity,
    });
    // The base is sound, since it was just read: with its journals it is the second way to today's state.
    await removeOlder(files, folder, loaded.base);
    return bytes.length;
  } finally {
    loaded.journal.file.close();
    loaded.database.close();
  }
}

/** A file that is still unfinished after this long has lost its writer. */
const abandonedMs = hourMs;

/** Removes snapshots and journals of generations before `oldest`, and what crashes left unfinished. */
async function removeOlder(files: Files, folder: string, oldest: number): Promise<void> {
  const old = files
    .list(folder)
    .filter(name => isJournal(name) || isSnapshotData(name) || isSnapshotMeta(name))
    .filter(name => generationOf(name) < oldest);
  // Metas first: data without its meta does not count as a snapshot, but a meta without its data looks like damage.
  for (const name of old.sort((a, b) => Number(isSnapshotMeta(b)) - Number(isSnapshotMeta(a)))) {
    await files.remove(join(folder, name));
  }
  for (const name of files.list(folder).filter(name => name.endsWith('.tmp'))) {
    const age = files.ageOf(join(folder, name)) ?? 0;
    if (age > abandonedMs) await files.remove(join(folder, name));
  }
  await files.syncFolder(folder);
}
