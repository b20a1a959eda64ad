import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DuelineError, messageOf } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
import { codeOf } from '../journal/files';
import { BrokenChainError, NewerFormatError, ReloadRequiredError } from '../journal/journal';
import type { OpenOptions } from '../journal/openOptions';
import type { EditRecord } from '../journal/record';
import { storeMessage } from '../messages';
import { editsIn, quarantineJournals, quarantineText } from '../recovery/quarantineJournals';
import { repair } from '../recovery/repair';
import { finishReload, upgrade } from '../recovery/upgrade';
import { quarantine } from '../snapshot/compaction';
import { type LoadedStore, load } from '../snapshot/load';
import { schemaDifferences } from '../sql/schemaDescription';

interface OpenedStore {
  readonly loaded: LoadedStore;
  readonly readOnlyReason?: Message;
  /** What a person should know: damage that was met, and what was kept. */
  readonly notices: readonly Message[];
  /** Undo steps, oldest first, of journals that nobody will replay again. */
  readonly leftSteps: readonly EditRecord[];
}

const maxWaitMs = 12;

/** Loads a store, whatever state a crash, a damage or another version left it in. Rejects with `storage`. */
export async function openFiles(options: OpenOptions): Promise<OpenedStore> {
  const notices: Message[] = [];
  const leftSteps: EditRecord[] = [];
  try {
    options.files.makeFolder(options.folder);
  } catch (error) {
    // A read-only disk may still hold a store.
    options.log('info', String(error));
  }
  let mode: 'append' | 'read' = 'append';
  let isBroken = false;
  let last: unknown;
  for (let attempt = 0; attempt <= maxWaitMs; attempt++) {
    try {
      const notice = isBroken ? await repair(options, leftSteps) : undefined;
      if (notice !== undefined) notices.push(notice);
      isBroken = false;
      const loaded = await load({ ...options, mode });
      const done = mode === 'read' || !(await repairBeforeUse(options, loaded, notices));
      if (done)
        return {
          loaded,
          ...readOnly(options, loaded, mode),
          notices: [...notices, ...(await reportDamage(options, loaded))],
          leftSteps,
        };
      leftSteps.push(...loaded.steps);
    } catch (error) {
      last = error;
      if (isReadOnlyDisk(error) && mode === 'append') mode = 'read';
      else if (error instanceof BrokenChainError && mode === 'append' && !isBroken) isBroken = true;
      else if (error instanceof ReloadRequiredError) await pause(10 * (attempt + 1));
      else throw asStorageError(options.folder, error);
    }
  }
  throw asStorageError(options.folder, last);
}

/** Does what the files ask for before they can be used; true where they have to be loaded again. */
async function repairBeforeUse(options: OpenOptions, loaded: LoadedStore, notices: Message[]): Promise<boolean> {
  const { version } = options.shape;
  const isAside = loaded.unreached.length > 0 && loaded.schema <= version;
  const again = loaded.journal.seal !== undefined || loaded.schema < version || isAside;
  if (!again) return false;
  try {
    if (loaded.journal.seal) await finishReload(options, loaded);
    else if (isAside) notices.push(await quarantineJournals(options, loaded));
    else await upgrade(options, loaded);
  } finally {
    loaded.journal.file.close();
    loaded.database.close();
  }
  return true;
}

function readOnly(options: OpenOptions, loaded: LoadedStore, mode: 'append' | 'read'): { readOnlyReason?: Message } {
  const { shape, folder } = options;
  if (loaded.schema > shape.version) {
    return {
      readOnlyReason: storeMessage('newerStore', loaded.schema, shape.version),
    };
  }
  if (mode === 'read') {
    return { readOnlyReason: storeMessage('folderReadOnly', folder) };
  }
  if (shape.name !== 'tasks') return {};
  const differences = schemaDifferences(loaded.database, shape.version, { defaults: false });
  if (differences.length === 0) return {};
  return { readOnlyReason: storeMessage('tablesDiffer', differences.join('; ')) };
}

/** Damage that cost nothing, or only the very last record, is told without stopping anybody. */
async function reportDamage({ files, folder, clock, log }: OpenOptions, loaded: LoadedStore): Promise<Message[]> {
  const notices: Message[] = [];
  if (loaded.damaged.length > 0) {
    const place = await quarantine(files, folder, loaded.damaged, clock.now()).catch(() => folder);
    notices.push(storeMessage('snapshotRebuilt', loaded.damaged.join(', '), place));
  }
  for (const name of loaded.mended) notices.push(storeMessage('endRepaired', name));
  // Where nothing can be written: otherwise they lie in quarantine by now.
  if (loaded.unreached.length > 0)
    notices.push(quarantineText(loaded.journal.name, editsIn(files, folder, loaded.unreached), folder));
  const { badLines, name, offset } = loaded.journal;
  const last = badLines.at(-1);
  if (last?.whole && last.end === offset) {
    notices.push(storeMessage('lastChangeSkipped', join(folder, name)));
  }
  if (badLines.length > 0) log('info', `${name}: ${badLines.length} unreadable lines were skipped.`);
  return notices;
}

const isReadOnlyDisk = (error: unknown): boolean => ['EACCES', 'EROFS', 'EPERM'].includes(codeOf(error) ?? '');

function asStorageError(folder: string, error: unknown): Error {
  if (error instanceof DuelineError) return error;
  const message =
    error instanceof NewerFormatError
      ? storeMessage('newerStoreUpdate')
      : storeMessage('storeNotOpened', folder, messageOf(error));
  return new DuelineError('storage', message, { cause: error });
}
