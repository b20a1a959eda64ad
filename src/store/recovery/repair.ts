import { join } from 'node:path';
import type { Message } from '../../core/kernel/message';
import { randomId } from '../journal/fileNames';
import { Journal, type Tip } from '../journal/journal';
import { laterJournals, restOfJournal } from '../journal/journalRecovery';
import type { OpenOptions } from '../journal/openOptions';
import type { EditRecord, Seal } from '../journal/record';
import { nextGeneration, prepareJournal, sealOf } from '../journal/rotate';
import { storeMessage } from '../messages';
import { quarantine } from '../snapshot/compaction';
import { type LoadedStore, load } from '../snapshot/load';
import { writeSnapshot } from '../snapshot/snapshot';

/**
 * Damage in the middle of a journal: what is before it is a state that once was, and becomes the store again; the
 * damaged file is kept, with the journals after it. Windows that had read past the damaged place find a seal at the end
 * and follow. Gives what a person is told, or undefined where another window has done it meanwhile. `steps` gets the undo
 * steps from before the damage.
 */
export async function repair(options: OpenOptions, steps: EditRecord[]): Promise<Message | undefined> {
  const { files, folder, shape } = options;
  const loaded = await load({ ...options, mode: 'append', beforeDamage: true });
  try {
    const { broken, journal, database, schema } = loaded;
    if (!broken) return undefined;
    if (!journal.head) throw broken;
    const { store } = journal.head;
    const { seal, names, edits } = await end(options, loaded, store);
    // By the seal's time: every window that meets this damage keeps its files in the same place.
    const place = await quarantine(files, folder, names, seal.t);
    await writeSnapshot(files, folder, database.export(), {
      gen: seal.next,
      tip: { seq: seal.s, id: seal.i },
      journal: seal.j,
      store,
      schema,
      identityHash: shape.identity,
    });
    steps.push(...loaded.steps);
    return storeMessage('damageRestored', broken.offset, journal.name, edits, place);
  } finally {
    loaded.journal.file.close();
    loaded.database.close();
  }
}

interface Rest {
  /** The damaged journal and those after it. */
  readonly names: readonly string[];
  /** Where a window that knows the damaged records is: its next record, and so our seal, must name this tip. */
  readonly tip: Tip;
  readonly edits: number;
  /** Set where the chain has been ended. */
  readonly seal: Seal | undefined;
}

/** Ends the chain in favour of a snapshot, unless another window that met the same damage was quicker. */
async function end(options: OpenOptions, loaded: LoadedStore, store: string): Promise<Rest & { readonly seal: Seal }> {
  const { files, folder, shape, clock } = options;
  const plan = { files, folder, shape, now: clock.now(), window: randomId() };
  let prepared: { readonly j: string; readonly gen: number } | undefined;
  for (;;) {
    const { seal, ...rest } = restOf(options, loaded);
    if (seal) {
      if (prepared && prepared.j !== seal.j) await files.remove(join(folder, prepared.j));
      return { seal, ...rest };
    }
    if (!prepared) {
      const gen = nextGeneration(files, folder);
      prepared = { j: await prepareJournal(plan, store, gen), gen };
      continue;
    }
    const last = Journal.open(files, folder, rest.names.at(-1)!, { mode: 'append' });
    try {
      last.append(sealOf(plan, rest.tip, { ...prepared, reload: true }));
      await last.file.sync();
    } finally {
      last.file.close();
    }
  }
}

/** What lies behind the damage, up to the end of the newest journal, whether a seal leads to it or not. */
function restOf({ files, folder }: OpenOptions, { journal }: LoadedStore): Rest {
  const names = [journal.name];
  let { tip } = journal;
  let edits = 0;
  for (;;) {
    const name = names.at(-1)!;
    const rest = restOfJournal(files, join(folder, name), names.length === 1 ? journal.offset : 0, tip);
    const { seal } = rest;
    tip = rest.tip;
    edits += rest.edits;
    const next = seal ? seal.j : laterJournals(files, folder, name)[0]?.name;
    if (seal?.reload || next === undefined) return { names, tip, edits, seal };
    names.push(next);
  }
}
