import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DuelineError } from '../../core/errors';
import { codeOf } from '../journal/files';
import { BrokenChainError, NewerFormatError, ReloadRequiredError } from '../journal/journal';
import type { OpenOptions } from '../journal/openOptions';
import { editsIn, quarantineJournals, quarantineText } from '../recovery/quarantineJournals';
import { repair } from '../recovery/repair';
import { finishReload, upgrade } from '../recovery/upgrade';
import { quarantine } from '../snapshot/compaction';
import { type LoadedStore, load } from '../snapshot/load';
import { schemaDifferences } from '../sql/schemaDescription';

interface Opened {
  readonly loaded: LoadedStore;
  readonly readOnlyReason?: string;
  /** What a person should know: damage that was met, and what was kept. */
  readonly notices: readonly string[];
}

const longestWaitMs = 12;

/** Loads a store, whatever state a crash, a damage or another version left it in. Rejects with `storage`. */
export async function openFiles(options: OpenOptions): Promise<Opened> {
  const notices: string[] = [];
  try {
    options.files.makeFolder(options.folder);
  } catch (error) {
    // A read-only disk may still hold a store.
    options.log('info', String(error));
  }
  let mode: 'append' | 'read' = 'append';
  let isBroken = false;
  let last: unknown;
  for (let attempt = 0; attempt <= longestWaitMs; attempt++) {
    try {
      const notice = isBroken ? await repair(options) : undefined;
      if (notice !== undefined) notices.push(notice);
      isBroken = false;
      const loaded = await load({ ...options, mode });
      const done = mode === 'read' || !(await settle(options, loaded, notices));
      if (done)
        return {
          loaded,
          ...readOnly(options, loaded, mode),
          notices: [...notices, ...(await damageSeen(options, loaded))],
        };
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
async function settle(options: OpenOptions, loaded: LoadedStore, notices: string[]): Promise<boolean> {
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

function readOnly(options: OpenOptions, loaded: LoadedStore, mode: 'append' | 'read'): { readOnlyReason?: string } {
  const { shape, folder } = options;
  if (loaded.schema > shape.version) {
    return {
      readOnlyReason: `The tasks were saved by a newer version of Dueline (schema ${loaded.schema}, this version supports ${shape.version}). They are read-only until you update Dueline.`,
    };
  }
  if (mode === 'read') {
    return { readOnlyReason: `Cannot write to the folder ${folder}. Tasks are read-only.` };
  }
  if (shape.name !== 'tasks') return {};
  const differences = schemaDifferences(loaded.database, shape.version, { defaults: false });
  if (differences.length === 0) return {};
  return { readOnlyReason: `The tables of the task store do not match the schema: ${differences.join('; ')}.` };
}

/** Damage that cost nothing, or only the very last record, is told without stopping anybody. */
async function damageSeen({ files, folder, clock, log }: OpenOptions, loaded: LoadedStore): Promise<string[]> {
  const notices: string[] = [];
  if (loaded.damaged.length > 0) {
    const place = await quarantine(files, folder, loaded.damaged, clock.now()).catch(() => folder);
    notices.push(
      `A damaged snapshot of the task store (${loaded.damaged.join(', ')}) was rebuilt from older files. No data was lost. The damaged snapshot is kept in ${place}.`,
    );
  }
  for (const name of loaded.mended)
    notices.push(
      `The task store was damaged at the end of ${name}. It was repaired from the next file. No data was lost.`,
    );
  // Where nothing can be written: otherwise they lie in quarantine by now.
  if (loaded.unreached.length > 0)
    notices.push(quarantineText(loaded.journal.name, editsIn(files, folder, loaded.unreached), folder));
  const { badLines, name, offset } = loaded.journal;
  const last = badLines.at(-1);
  if (last?.whole && last.end === offset) {
    notices.push(
      `The last change in ${join(folder, name)} is damaged and was skipped. Its bytes are still in the file.`,
    );
  }
  if (badLines.length > 0) log('info', `${name}: ${badLines.length} unreadable lines were skipped.`);
  return notices;
}

const isReadOnlyDisk = (error: unknown): boolean => ['EACCES', 'EROFS', 'EPERM'].includes(codeOf(error) ?? '');

function asStorageError(folder: string, error: unknown): Error {
  if (error instanceof DuelineError) return error;
  const message =
    error instanceof NewerFormatError
      ? 'The task store was written by a newer version of Dueline. Update Dueline, or reload this window if you already did.'
      : `The task store in ${folder} cannot be opened: ${error instanceof Error ? error.message : error}`;
  return new DuelineError('storage', message, { cause: error });
}
