import { checkDatabaseSize } from '../../core/exchange/importSize';
import { codeOf, DuelineError, messageOf } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
import type { Files } from '../journal/files';
import { storeMessage } from '../messages';
import { Database } from '../sql/database';
import { schemaVersion, type Table, tablesOf } from '../sql/schema';
import type { SqlValue } from '../types';
import { withWal } from './wal';

/** The rows of a database file with the four tables, in this version's columns (`id` first). */
export interface ForeignRows {
  readonly schema: number;
  readonly rows: ReadonlyMap<string, readonly SqlValue[][]>;
}

export const newerFileText = (schema: number): Message => storeMessage('newerDatabase', schema, schemaVersion);

/** Reads a file like {@link readForeignFile}, to add its rows here. Throws `invalid` if it is too large. */
export async function readImportFile(files: Files, path: string): Promise<ForeignRows> {
  checkDatabaseSize(files.sizeOf(path) + files.sizeOf(`${path}-wal`));
  return readForeignFile(files, path);
}

/** Reads a database file and the `-wal` next to it, if there is one. */
export async function readForeignFile(files: Files, path: string): Promise<ForeignRows> {
  const bytes = await files.read(path).catch(error => {
    throw new DuelineError('notFound', storeMessage('fileUnreadable', path, codeOf(error) ?? messageOf(error)), {
      cause: error,
    });
  });
  const wal = await files.read(`${path}-wal`).catch(() => undefined);
  return readForeignBytes(bytes, wal);
}

/**
 * Reads a whole database file, ours or one that Android Room wrote. Throws `invalid` for anything else, and for one
 * that is damaged. Columns that this version does not know are left out; tables may have theirs in any order.
 */
async function readForeignBytes(bytes: Uint8Array, wal?: Uint8Array): Promise<ForeignRows> {
  const database = await Database.open(withWal(bytes, wal)).catch(error => {
    throw new DuelineError('invalid', storeMessage('notSqlite', messageOf(error)), { cause: error });
  });
  try {
    const verdict = soundness(database);
    if (verdict !== 'ok') throw new DuelineError('invalid', storeMessage('databaseDamaged', verdict));
    const tables = tablesOf(schemaVersion);
    // A view may return rows without end.
    const present = new Set(database.rows(`SELECT name FROM sqlite_master WHERE type = 'table'`).map(([name]) => name));
    const missing = tables.filter(table => !present.has(table.name));
    if (missing.length > 0) {
      throw new DuelineError('invalid', storeMessage('tableMissing', missing.map(table => table.name).join(', ')));
    }
    const schema = schemaOf(database);
    return { schema, rows: new Map(tables.map(table => [table.name, rowsOf(database, table)])) };
  } finally {
    database.close();
  }
}

function soundness(database: Database): string {
  try {
    return String(database.value('PRAGMA quick_check'));
  } catch (error) {
    return (error as Error).message;
  }
}

const columnsIn = (database: Database, table: Table): string[] =>
  database.all<{ name: string }>(`PRAGMA table_info(${table.name})`).map(column => column.name);

/** A file that lost its version number is still recognized by its columns. */
function schemaOf(database: Database): number {
  const declared = database.value('PRAGMA user_version') as number;
  if (declared > 0) return declared;
  const tasks = tablesOf(schemaVersion).find(table => table.name === 'tasks')!;
  return columnsIn(database, tasks).includes('categories') ? 2 : 1;
}

function rowsOf(database: Database, table: Table): SqlValue[][] {
  const present = new Set(columnsIn(database, table));
  const list = table.columns.map(({ name, defaultValue = 'NULL' }) => {
    if (!present.has(name)) return defaultValue;
    return defaultValue === 'NULL' ? `\`${name}\`` : `coalesce(\`${name}\`, ${defaultValue})`;
  });
  return database.rows(`SELECT ${list.join(', ')} FROM ${table.name} ORDER BY id`);
}
