import type { Database } from './database';
import { identitySql } from './schema';
import { schemaDifferences } from './schemaDescription';

/** The step from a schema version to the next, by the version it starts from. */
const steps: Readonly<Record<number, readonly string[]>> = {
  // Rebuilding the table would be wrong besides slow: DROP TABLE with foreign keys deletes all alarms by cascade.
  1: ["ALTER TABLE tasks ADD COLUMN categories TEXT NOT NULL DEFAULT ''"],
};

/** Migrates a database from one schema version to another with all its rows, or leaves it untouched and throws. */
export function migrate(database: Database, from: number, to: number): void {
  // Inside a transaction the pragma would be ignored without a word.
  database.run('PRAGMA foreign_keys = OFF');
  database.transaction(() => {
    const before = rowCounts(database);
    for (let version = from; version < to; version++) for (const sql of steps[version]!) database.run(sql);
    if (JSON.stringify(rowCounts(database)) !== JSON.stringify(before)) throw new Error('The migration lost rows.');
    for (const sql of identitySql(to)) database.run(sql);
    database.run(`PRAGMA user_version = ${to}`);
    const differences = schemaDifferences(database, to, { defaults: false });
    if (differences.length > 0) throw new Error(`The migrated tables differ: ${differences.join('; ')}.`);
  });
}

const rowCounts = (database: Database) =>
  ['accounts', 'task_lists', 'tasks', 'task_alarms'].map(table => database.value(`SELECT count(*) FROM ${table}`));
