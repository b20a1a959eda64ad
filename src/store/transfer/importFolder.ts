import { join } from 'node:path';
import { messageOf } from '../../core/kernel/errors';
import type { Log } from '../../core/kernel/log';
import type { Message } from '../../core/kernel/message';
import type { Files } from '../journal/files';
import { storeMessage } from '../messages';
import type { Replica } from '../replica/replica';
import { Database } from '../sql/database';
import { creationSql, schemaVersion } from '../sql/schema';
import { type ForeignRows, newerFileText, readImportFile } from './importDatabase';
import { importRows } from './importRows';

/** The database files that the user has put into the folder `import` before the first start, by name. */
function waitingFiles(files: Files, folder: string): string[] {
  const imports = join(folder, 'import');
  return files
    .list(imports)
    .filter(name => name.toLowerCase().endsWith('.db'))
    .sort()
    .map(name => join(imports, name));
}

/** The rows of a file; one that cannot be imported returns the error, and stays as it is. */
const contentOf = (files: Files, path: string): Promise<ForeignRows | { readonly error: Message }> =>
  readImportFile(files, path).catch(error => ({ error: messageOf(error) }));

/** Puts an imported file and its companions aside, under names that no later start picks up. */
async function markImported(files: Files, path: string, log: Log): Promise<void> {
  for (const part of [path, `${path}-wal`, `${path}-shm`]) {
    if (files.ageOf(part) === undefined) continue;
    await files.rename(part, `${part}.imported`).catch(error => log('warn', `${part} could not be renamed: ${error}`));
  }
}

/**
 * Takes the waiting files into an empty store, and puts them aside. One of a newer schema is shown instead, and
 * nothing can be changed while it is there.
 */
export async function importWaiting(
  replica: Replica,
  { files, folder, log }: { files: Files; folder: string; log: Log },
): Promise<void> {
  const isEmpty = () => replica.database.value('SELECT 1 FROM accounts UNION SELECT 1 FROM task_lists') === undefined;
  if (replica.readOnlyReason !== undefined || !isEmpty()) return;
  let isFirst = true;
  for (const path of waitingFiles(files, folder)) {
    // One after the other: each may be as large as a store.
    const content = await contentOf(files, path);
    if ('error' in content) {
      replica.addNotice(notImported(path, content.error));
    } else if (content.schema > schemaVersion) {
      if (isFirst) return show(replica, content, newerSchemaReason(path, content.schema));
      replica.addNotice(notImported(path, newerFileText(content.schema)));
    } else {
      const mayImport = () => !isFirst || isEmpty();
      const { hasChanged } = await replica.commit(
        () => (mayImport() ? importRows(replica.database, content) : undefined),
        () => ({ origin: 'user' }),
      );
      // Another window was quicker: it puts the files aside.
      if (isFirst && !hasChanged && !isEmpty()) return;
      isFirst = false;
      await markImported(files, path, log);
    }
  }
}

async function show(replica: Replica, content: ForeignRows, reason: Message): Promise<void> {
  const database = await Database.open();
  for (const sql of creationSql(schemaVersion)) database.run(sql);
  importRows(database, content);
  replica.freeze(database, reason);
}

const notImported = (path: string, reason: Message): Message => storeMessage('fileNotImported', path, reason);

const newerSchemaReason = (path: string, schema: number): Message =>
  storeMessage('newerImport', path, schema, schemaVersion);
