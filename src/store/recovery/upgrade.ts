import { join } from 'node:path';
import { randomId } from '../journal/fileNames';
import { ReloadRequiredError } from '../journal/journal';
import type { OpenOptions } from '../journal/openOptions';
import { nextGeneration, sealJournal } from '../journal/rotate';
import { applyRecord } from '../snapshot/applyRecords';
import type { LoadedStore } from '../snapshot/load';
import { listSnapshots, type Snapshot, writeSnapshot } from '../snapshot/snapshot';
import { migrate } from '../sql/migrations';

/**
 * Lets the store go on from a snapshot of what was loaded, in this version's schema. Where that is a newer one, a backup
 * first; then the old journal is sealed, from which moment nobody writes to it; then the snapshot. A crash anywhere
 * leaves the old files whole, and the next start goes on. `next` is the journal to go on in, where it is prepared.
 */
export async function upgrade(
  options: OpenOptions,
  loaded: LoadedStore,
  next?: { j: string; gen: number },
): Promise<void> {
  const { files, folder, shape, clock } = options;
  if (loaded.schema < shape.version) await backUp(options, loaded);
  const { journal, database } = loaded;
  const catchUp = () =>
    journal.pull(record => {
      if (record.k === undefined && record.o) applyRecord(database, record, journal.head!.cols);
    });
  const plan = { files, folder, shape, now: clock.now(), window: randomId() };
  const place = next ?? { gen: nextGeneration(files, folder) };
  await sealJournal(plan, journal, { ...place, reload: true }, catchUp);
  await finishReload(options, loaded);
}

/** A journal ended by a seal that asks for a reload goes on from a snapshot: waits for it, or makes it. */
export async function finishReload({ files, folder, shape }: OpenOptions, loaded: LoadedStore): Promise<void> {
  const { journal, database } = loaded;
  const seal = journal.seal!;
  const ready = ({ name, meta }: Snapshot) => meta.gen >= seal.next && !loaded.damaged.includes(`${name}.db`);
  if (listSnapshots(files, folder).snapshots.some(ready)) return;
  if (seal.schema > shape.version) throw new ReloadRequiredError('A newer version of Dueline is changing the store.');
  if (seal.schema > loaded.schema) migrate(database, loaded.schema, seal.schema);
  await writeSnapshot(files, folder, database.export(), {
    gen: seal.next,
    tip: journal.tip,
    journal: seal.j,
    store: journal.head!.store,
    schema: seal.schema,
    identityHash: shape.identity,
  });
}

async function backUp({ files, folder, log }: OpenOptions, loaded: LoadedStore): Promise<void> {
  const place = join(folder, 'backup');
  files.makeFolder(place);
  const path = join(place, `v${loaded.schema}-${String(loaded.gen).padStart(8, '0')}-${randomId()}.db`);
  await files.writeWhole(path, loaded.database.export());
  log('info', `The task store with schema ${loaded.schema} was copied to ${path} before the upgrade.`);
}
