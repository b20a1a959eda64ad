import { isBuiltin } from 'node:module';

/** The part of `node:sqlite` that is used here; the types of the oldest Node.js lack it. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): { all(...params: unknown[]): { id: number }[]; run(...params: unknown[]): void };
  close(): void;
}

export const hasSqlite = isBuiltin('node:sqlite');

/** A file in SQLite inside Node.js, in WAL mode with full sync; undefined if this Node.js has none. */
export function sqliteOn(path: string): Database | undefined {
  if (!hasSqlite) return undefined;
  const database: Database = new (require('node:sqlite').DatabaseSync)(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return database;
}
