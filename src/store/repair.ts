import { quarantine } from './compaction';
import { Journal, linesOf, type Tip } from './journal';
import { type Loaded, load } from './load';
import { generationOf, isJournal, randomId } from './names';
import type { OpenOptions } from './openOptions';
import { decodeLine } from './record';
import { prepareJournal, sealOf } from './sealing';
import { writeSnapshot } from './snapshot';

/**
 * Damage in the middle of a journal: what stands before it is a state that once was, and becomes the store again; the
 * damaged file is kept. Windows that had read past the damaged place find a seal at the end and follow.
 * Gives what a person is told, or undefined where another window has done it meanwhile.
 */
export async function repair(options: OpenOptions): Promise<string | undefined> {
  const { files, folder, shape, clock } = options;
  const loaded = await load({ ...options, mode: 'append', beforeDamage: true });
  let last: Journal | undefined;
  try {
    if (!loaded.broken) return undefined;
    const { journal } = loaded;
    if (!journal.head) throw loaded.broken;
    const place = await quarantine(files, folder, [journal.name], clock.now());
    const end = endOf(options, loaded);
    last = end.journal;
    const plan = { files, folder, shape, now: clock.now(), window: randomId() };
    const gen = Math.max(...files.list(folder).filter(isJournal).map(generationOf)) + 1;
    const name = await prepareJournal(plan, journal.head!.store, gen);
    const seal = sealOf(plan, end.tip, { j: name, gen, reload: true });
    last.append(seal);
    await last.file.sync();
    await writeSnapshot(files, folder, loaded.database.export(), {
      gen,
      tip: { seq: seal.s, id: seal.i },
      journal: name,
      store: journal.head!.store,
      schema: loaded.schema,
      identityHash: shape.identity,
      replaces: journal.name,
    });
    return `The task store was damaged at byte ${loaded.broken.offset} of ${journal.name}. It is back at the state before that; ${end.edits} later changes are set aside with the damaged file in ${place}.`;
  } finally {
    if (last && last !== loaded.journal) last.file.close();
    loaded.journal.file.close();
    loaded.database.close();
  }
}

interface End {
  readonly journal: Journal;
  readonly tip: Tip;
  readonly edits: number;
}

/** Where a window that knows the damaged records stands: its next record, and so our seal, must name that tip. */
function endOf({ files, folder }: OpenOptions, { journal, broken }: Loaded): End {
  const at = journal.offset;
  let tip = journal.tip;
  let edits = 0;
  let sealed: string | undefined;
  for (const line of linesOf(journal.file.read(at, journal.file.size() - at))) {
    const record = decodeLine(line);
    if (!record || record.k === 'head' || record.s <= tip.seq) continue;
    tip = { seq: record.s, id: record.i };
    if (record.k === 'seal') sealed = record.j;
    else edits++;
  }
  if (sealed === undefined || !broken) return { journal, tip, edits };
  const next = Journal.open(files, folder, sealed, { mode: 'append', tip });
  next.pull(() => edits++);
  return { journal: next, tip: next.tip, edits };
}
