import { join } from 'node:path';
import type { Message } from '../../core/kernel/message';
import { bytesOfJournal, laterJournals, readOverDamage } from '../journal/damagedJournal';
import { generationOf, randomId } from '../journal/fileNames';
import { Journal, ReloadRequiredError } from '../journal/journal';
import type { OpenOptions } from '../journal/openOptions';
import type { EditRecord, Seal, Tip } from '../journal/record';
import { nextGeneration, prepareJournal, sealOf } from '../journal/rotate';
import { storeMessage } from '../messages';
import { raiseSequences } from '../snapshot/applyRecords';
import type { LoadedStore } from '../snapshot/load';
import { listSnapshots, writeSnapshot } from '../snapshot/snapshot';
import type { Database } from '../sql/database';
import { migrate } from '../sql/migrations';

/** The journal in which reading stopped, and those after it that hold records, if a seal leads there or not. */
export interface Remainder {
  readonly names: readonly string[];
  /** The edits in them that the rows do not have. */
  readonly edits: readonly EditRecord[];
  /** The last of them that has no seal, and the record that a seal has to follow. */
  readonly open: { readonly name: string; readonly tip: Tip } | undefined;
  /** The last one's. */
  readonly seal: Seal | undefined;
}

/** @throws ReloadRequiredError if a seal has come in meanwhile that leads on */
export function remainderOf({ files, folder }: OpenOptions, { journal, broken, catchUp }: LoadedStore): Remainder {
  const names = [journal.name];
  let edits: readonly EditRecord[] = [];
  let { tip, seal } = journal;
  let [from, open]: [number, Remainder['open']] = [journal.offset, undefined];
  for (;;) {
    const name = names.at(-1)!;
    const { records } = readOverDamage(seal ? new Uint8Array() : bytesOfJournal(files, folder, name, from), tip);
    edits = [...edits, ...records.filter(record => record.k === undefined)];
    const last = records.at(-1);
    if (last) tip = { seq: last.s, id: last.i };
    if (last?.k === 'seal') seal = last;
    if (!seal) open = { name, tip };
    const later = laterJournals(files, folder, name).find(({ name }) => !seal || generationOf(name) < seal.next)?.name;
    const next = later ?? (seal?.reload ? undefined : seal?.j);
    if (next === undefined) break;
    // A journal that no seal leads to has a chain of its own.
    if (later !== undefined) tip = { seq: 0, id: '' };
    names.push(next);
    [from, seal] = [0, undefined];
  }
  // Read last: what holds records now was led to by a seal that is in the file by now, if it is in any.
  if (!broken) catchUp();
  if (journal.seal && !journal.seal.reload) throw new ReloadRequiredError(`The journal ${journal.name} has ended.`);
  return { names, edits, open, seal };
}

/**
 * The one way to continue after damage, a lost seal or an older schema: a snapshot of what was loaded, and a new
 * journal. Every journal that a window may still write to ends with a seal that asks for a reload, and everything
 * behind the point where reading stopped is kept in quarantine. After a crash, the next start finds the same point and
 * does the rest. Returns what the user should know, if anything was damaged.
 */
export async function restart(options: OpenOptions, loaded: LoadedStore): Promise<Message | undefined> {
  const { files, folder, databaseSchema } = options;
  const { journal, database, schema, broken, damaged } = loaded;
  if (schema < databaseSchema.version && !journal.seal) await backUp(options, loaded);
  const { remainder, seal } = await endJournals(options, loaded);
  const isDamaged = broken !== undefined || remainder.names.length > 1;
  // By the seal's time: windows that meet this damage at once keep the files in the same folder.
  const notice = isDamaged && damageText(loaded, remainder, await quarantine(options, remainder.names, seal.t));
  const isDone = listSnapshots(files, folder).snapshots.some(
    ({ name, meta }) => meta.gen >= seal.next && !damaged.includes(`${name}.db`),
  );
  if (!isDone) {
    if (seal.schema > schema) migrate(database, schema, seal.schema);
    skipIds(database, remainder);
    await writeSnapshot(files, folder, database.export(), {
      gen: seal.next,
      tip: { seq: seal.s, id: seal.i },
      journal: seal.j,
      store: journal.head!.store,
      schema: seal.schema,
      identityHash: databaseSchema.identity,
    });
  }
  return notice || undefined;
}

/** A row that is made from now on must not have the id of one behind the damage, which would be recovered in its place. */
function skipIds(database: Database, { edits }: Remainder): void {
  const highest = new Map<string, number>();
  for (const [table, id] of edits.flatMap(({ o }) => o)) highest.set(table, Math.max(id, highest.get(table) ?? 0));
  for (const [table, id] of highest) {
    const current = database.value('SELECT seq FROM sqlite_sequence WHERE name = ?', [table]) as number | undefined;
    if (id > (current ?? 0)) raiseSequences(database, { q: { [table]: id } });
  }
}

/**
 * Ends the open journals, the last one first. Its seal counts, no matter which window wrote it, and the others repeat
 * it. The journal in which reading stopped ends once the later ones are in quarantine: older versions continue from its
 * seal, and know nothing of what follows.
 */
async function endJournals(
  options: OpenOptions,
  loaded: LoadedStore,
): Promise<{ readonly remainder: Remainder; readonly seal: Seal }> {
  const { files, folder, databaseSchema, clock } = options;
  const { journal } = loaded;
  const plan = { files, folder, databaseSchema, now: clock.now(), window: randomId() };
  let prepared: { readonly j: string; readonly gen: number } | undefined;
  for (;;) {
    const remainder = remainderOf(options, loaded);
    const { names, open, seal } = remainder;
    if ([journal.seal, seal].some(each => each && each.schema > databaseSchema.version))
      throw new ReloadRequiredError('A newer version of Dueline is changing the store.');
    if (!open) {
      if (prepared && prepared.j !== seal!.j) await files.remove(join(folder, prepared.j));
      return { remainder, seal: seal! };
    }
    if (!seal && !prepared) {
      const gen = nextGeneration(files, folder);
      prepared = { j: await prepareJournal(plan, journal.head!.store, gen), gen };
      continue;
    }
    if (seal && open.name === names[0]) await quarantine(options, names, seal.t);
    const next = seal ? { j: seal.j, gen: seal.next } : prepared!;
    const end = Journal.open(files, folder, open.name, { mode: 'append' });
    try {
      end.append(sealOf(plan, open.tip, { ...next, reload: true }));
      await end.file.sync();
    } finally {
      end.file.close();
    }
  }
}

export const damageText = ({ broken, journal }: LoadedStore, { edits }: Remainder, kept: string): Message =>
  broken
    ? storeMessage('damageRestored', broken.offset, journal.name, edits.length, kept)
    : storeMessage('endRestored', journal.name, edits.length, kept);

/** Keeps a copy of files that cannot be trusted; nothing is ever removed from there. */
export async function quarantine(
  { files, folder }: OpenOptions,
  names: readonly string[],
  at: number,
): Promise<string> {
  const kept = join(folder, 'quarantine', new Date(at).toISOString().replace(/[:.]/g, '-'));
  files.makeFolder(kept);
  for (const name of names) {
    const bytes = await files.read(join(folder, name)).catch(() => undefined);
    // A window may have written to a journal that was copied before it ended.
    if (bytes && bytes.length > files.sizeOf(join(kept, name))) await files.writeWhole(join(kept, name), bytes);
  }
  return kept;
}

async function backUp({ files, folder, log }: OpenOptions, { database, schema, gen }: LoadedStore): Promise<void> {
  const backups = join(folder, 'backup');
  files.makeFolder(backups);
  const path = join(backups, `v${schema}-${String(gen).padStart(8, '0')}-${randomId()}.db`);
  await files.writeWhole(path, database.export());
  log('info', `The task store with schema ${schema} was copied to ${path} before the upgrade.`);
}
