import { join } from 'node:path';
import type { DatabaseSchema } from '../sql/databaseSchema';
import { generationOf, isJournal, journalName, randomId } from './fileNames';
import type { Files } from './files';
import { Journal } from './journal';
import { journalHead, type Seal, type Tip } from './record';

const attemptLimit = 100;

interface SealPlan {
  readonly files: Files;
  readonly folder: string;
  readonly databaseSchema: DatabaseSchema;
  readonly now: number;
  readonly window: string;
}

/** The number of a generation that is later than every journal in the folder. */
export const nextGeneration = (files: Files, folder: string): number =>
  Math.max(...files.list(folder).filter(isJournal).map(generationOf)) + 1;

/** Creates the journal of a generation, durable before anything names it. Returns its name. */
export async function prepareJournal(
  { files, folder, databaseSchema }: SealPlan,
  store: string,
  gen: number,
): Promise<string> {
  const name = journalName(gen);
  const journal = Journal.open(files, folder, name, { mode: 'fresh' });
  try {
    journal.begin(journalHead(databaseSchema, store, gen));
    await journal.file.sync();
  } finally {
    journal.file.close();
  }
  await files.syncFolder(folder);
  return name;
}

/** The record that ends a journal after `tip`. It is accepted only if no other record comes first. */
export const sealOf = (
  { databaseSchema, now, window }: SealPlan,
  tip: Tip,
  next: { j: string; gen: number; reload?: boolean },
): Seal => ({
  k: 'seal',
  s: tip.seq + 1,
  p: tip.id,
  i: randomId(),
  w: window,
  t: now,
  j: next.j,
  next: next.gen,
  schema: databaseSchema.version,
  ...(next.reload && { reload: true }),
});

/**
 * Ends a journal and begins a new one. Tries until a seal is accepted, from this window or another one; `catchUp`
 * applies the records that arrive before it.
 */
export async function sealJournal(plan: SealPlan, journal: Journal, gen: number, catchUp: () => void): Promise<void> {
  const j = await prepareJournal(plan, journal.head!.store, gen);
  catchUp();
  for (let attempt = 0; !journal.seal; attempt++) {
    if (attempt > attemptLimit) throw new Error(`The journal ${journal.name} cannot be ended.`);
    journal.append(sealOf(plan, journal.tip, { j, gen }));
    await journal.file.sync();
    catchUp();
  }
  if (journal.seal.j !== j) await plan.files.remove(join(plan.folder, j));
}
