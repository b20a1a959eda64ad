import { creationSql, identityHash, schemaVersion, tablesOf } from './schema';

/** The tables of a journaled database. There are two such databases: the tasks, and the sidecar. */
export interface DatabaseSchema {
  readonly name: 'tasks' | 'sidecar';
  readonly version: number;
  readonly identity: string;
  /** Columns of every table without `id`, parents before children. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** The statements that create an empty database of a version. */
  readonly creation: (version: number) => readonly string[];
}

export const tasksSchema = (version = schemaVersion): DatabaseSchema => ({
  name: 'tasks',
  version,
  identity: identityHash(version),
  tables: Object.fromEntries(
    tablesOf(version).map(table => [table.name, table.columns.slice(1).map(column => column.name)]),
  ),
  creation: creationSql,
});

export const sidecarSchema: DatabaseSchema = {
  name: 'sidecar',
  version: 1,
  identity: 'maps-1',
  tables: { entries: ['map', 'key', 'value'] },
  creation: () => [
    'CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, map TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL)',
    'CREATE UNIQUE INDEX index_entries_map_key ON entries (map, key)',
    'PRAGMA user_version = 1',
  ],
};

export const schemaNamed = (name: DatabaseSchema['name'], version?: number): DatabaseSchema =>
  name === 'tasks' ? tasksSchema(version) : sidecarSchema;
