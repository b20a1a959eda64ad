import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, DuelineError } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
import { reasonOf } from '../journal/files';
import { BrokenChainError, NewerFormatError, ReloadRequiredError } from '../journal/journal';
import type { OpenOptions } from '../journal/openOptions';
import type { EditRecord } from '../journal/record';
import { storeMessage } from '../messages';
import { type LoadedStore, load } from '../snapshot/load';
import { schemaDifferences } from '../sql/schemaDescription';
import { damageText, quarantine, type Remainder, remainderOf, restart } from './restart';

interface OpenedStore {
  readonly loaded: LoadedStore;
  readonly readOnlyReason?: Message;
  /** Notices for the user about damage, and about the files that were kept. */
  readonly notices: readonly Message[];
  /** Undo steps, oldest first, of journals that nobody will replay again. */
  readonly leftSteps: readonly EditRecord[];
}

const attemptLimit = 12;

/** Loads a store, whatever state a crash, damage or another version left it in. Rejects with `storage`. */
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
  let isSuspected = false;
  let last: unknown;
  for (let attempt = 0; attempt <= attemptLimit; attempt++) {
    try {
      const loaded = await load({ ...options, mode });
      const remainder = remainderOf(options, loaded);
      // Damage counts once it is read again: a network's disk can show a file's end before its bytes.
      const isNewDamage = loaded.broken !== undefined && !isSuspected;
      if (!isNewDamage && (mode === 'read' || !isRestartDue(options, loaded, remainder))) {
        notices.push(...(await reportDamage(options, loaded, remainder)));
        return { loaded, ...readOnly(options, loaded, mode), notices, leftSteps };
      }
      try {
        if (isNewDamage) isSuspected = true;
        else {
          const notice = await restart(options, loaded);
          if (notice) notices.push(notice);
          leftSteps.push(...loaded.steps);
        }
      } finally {
        loaded.journal.file.close();
        loaded.database.close();
      }
    } catch (error) {
      last = error;
      if (isReadOnlyDisk(error) && mode === 'append') mode = 'read';
      else if (error instanceof ReloadRequiredError || error instanceof BrokenChainError)
        await pause(10 * (attempt + 1));
      else throw asStorageError(options.folder, error);
    }
  }
  throw asStorageError(options.folder, last);
}

/** True if rows are missing, or cannot be written to as the files are. Files of a newer version stay as they are. */
function isRestartDue(
  { databaseSchema }: OpenOptions,
  { journal, schema, broken }: LoadedStore,
  { names }: Remainder,
): boolean {
  if (journal.seal) return true;
  return (
    schema < databaseSchema.version || (schema === databaseSchema.version && (broken !== undefined || names.length > 1))
  );
}

function readOnly(options: OpenOptions, loaded: LoadedStore, mode: 'append' | 'read'): { readOnlyReason?: Message } {
  const { databaseSchema, folder } = options;
  if (loaded.schema > databaseSchema.version) {
    return {
      readOnlyReason: storeMessage('newerStore', loaded.schema, databaseSchema.version),
    };
  }
  if (mode === 'read') {
    return { readOnlyReason: storeMessage('folderReadOnly', folder) };
  }
  if (databaseSchema.name !== 'tasks') return {};
  const differences = schemaDifferences(loaded.database, databaseSchema.version, { defaults: false });
  if (differences.length === 0) return {};
  return { readOnlyReason: storeMessage('tablesDiffer', differences.join('; ')) };
}

/** Reports damage that cost nothing, or only the very last record, and damage in a store that may not be written. */
async function reportDamage(options: OpenOptions, loaded: LoadedStore, remainder: Remainder): Promise<Message[]> {
  const { folder, clock, log } = options;
  const notices: Message[] = [];
  if (loaded.damaged.length > 0) {
    const kept = await quarantine(options, loaded.damaged, clock.now()).catch(() => folder);
    notices.push(storeMessage('snapshotRebuilt', loaded.damaged.join(', '), kept));
  }
  for (const name of loaded.repaired) notices.push(storeMessage('endRepaired', name));
  if (loaded.broken || remainder.names.length > 1) notices.push(damageText(loaded, remainder, folder));
  const { badLines, name, offset } = loaded.journal;
  const last = badLines.at(-1);
  if (last?.whole && last.end === offset) notices.push(storeMessage('lastChangeSkipped', join(folder, name)));
  if (badLines.length > 0) log('info', `${name}: ${badLines.length} unreadable lines were skipped.`);
  return notices;
}

const isReadOnlyDisk = (error: unknown): boolean => ['EACCES', 'EROFS', 'EPERM'].includes(codeOf(error) ?? '');

function asStorageError(folder: string, error: unknown): Error {
  if (error instanceof DuelineError) return error;
  const message =
    error instanceof NewerFormatError
      ? storeMessage('newerStoreUpdate')
      : storeMessage('storeNotOpened', folder, reasonOf(error));
  return new DuelineError('storage', message, { cause: error });
}
