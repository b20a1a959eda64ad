import { join } from 'node:path';
import type { Message } from '../../core/kernel/message';
import { randomId } from '../journal/fileNames';
import type { Files } from '../journal/files';
import { Journal } from '../journal/journal';
import { restOfJournal } from '../journal/journalRecovery';
import type { OpenOptions } from '../journal/openOptions';
import { nextGeneration, prepareJournal, sealOf } from '../journal/rotate';
import { storeMessage } from '../messages';
import { quarantine } from '../snapshot/compaction';
import type { LoadedStore } from '../snapshot/load';
import { upgrade } from './upgrade';

/**
 * Journals that hold records and that no way leads to: more than a seal was damaged before them, or another program put
 * an older file in a journal's place. Keeps them for good, with the journal that should have led there, ends them for
 * windows that still write to them, and lets the store go on from what was loaded. The copies come before the seal from
 * which on nobody would look for them. Gives what a person is told.
 */
export async function quarantineJournals(options: OpenOptions, loaded: LoadedStore): Promise<Message> {
  const { files, folder, shape, clock } = options;
  const { journal, unreached } = loaded;
  const plan = { files, folder, shape, now: clock.now(), window: randomId() };
  const gen = nextGeneration(files, folder);
  const next = { j: await prepareJournal(plan, journal.head!.store, gen), gen };
  let at = plan.now;
  for (const name of unreached) {
    const last = Journal.open(files, folder, name, { mode: 'append' });
    try {
      for (;;) {
        const { tip, seal } = restOfJournal(files, join(folder, name));
        if (seal) {
          // By its time: windows that meet this at once keep the files in the same place.
          at = seal.t;
          break;
        }
        last.append(sealOf(plan, tip, { ...next, reload: true }));
        await last.file.sync();
      }
    } finally {
      last.file.close();
    }
  }
  const edits = editsIn(files, folder, unreached);
  const place = await quarantine(files, folder, [journal.name, ...unreached], at);
  await upgrade(options, loaded, next);
  return quarantineText(journal.name, edits, place);
}

export const quarantineText = (name: string, edits: number, place: string): Message =>
  storeMessage('endRestored', name, edits, place);

export const editsIn = (files: Files, folder: string, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + restOfJournal(files, join(folder, name)).edits, 0);
