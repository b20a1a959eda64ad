import type { Database } from './database';
import type { EditRecord, Operation } from './record';
import type { Shape } from './shape';
import type { SqlValue } from './types';

/** Column names that the images of a journal follow. */
export type ImageColumns = Readonly<Record<string, readonly string[]>>;

/**
 * Applies accepted records: touched rows go, then their images come, so that rows may swap unique values. Foreign
 * keys are off meanwhile, since what they cascaded is in the images already.
 */
export function applyRecords(database: Database, records: readonly EditRecord[], columns: ImageColumns): void {
  database.run('PRAGMA foreign_keys = OFF');
  try {
    database.transaction(() => {
      for (const record of records) applyRecord(database, record, columns);
    });
  } finally {
    database.run('PRAGMA foreign_keys = ON');
  }
}

export function applyRecord(database: Database, record: EditRecord, columns: ImageColumns): void {
  for (const [table, id] of record.o) database.run(`DELETE FROM ${table} WHERE id = ?`, [id]);
  for (const [table, id, image] of record.o) {
    if (image) database.run(insertSql(table, columns[table]!), [id, ...image]);
  }
  for (const [table, next] of Object.entries(record.q ?? {})) {
    database.run('DELETE FROM sqlite_sequence WHERE name = ?', [table]);
    database.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [table, next]);
  }
}

const insertTexts = new Map<readonly string[], string>();

function insertSql(table: string, columns: readonly string[]): string {
  let sql = insertTexts.get(columns);
  if (!sql) {
    sql = `INSERT INTO ${table} (id, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`;
    insertTexts.set(columns, sql);
  }
  return sql;
}

/**
 * Notes every row that a statement touches, cascades included. The table has no keys: an outer OR IGNORE would
 * override a conflict clause in here.
 */
export function armCapture(database: Database, shape: Shape): void {
  database.run('PRAGMA recursive_triggers = ON');
  database.exec('CREATE TEMP TABLE touched (tbl INTEGER, id INTEGER)');
  for (const [at, table] of Object.keys(shape.tables).entries()) {
    database.exec(`
      CREATE TEMP TRIGGER touched_${table}_i AFTER INSERT ON main.${table} BEGIN
        INSERT INTO touched VALUES (${at}, NEW.id);
      END;
      CREATE TEMP TRIGGER touched_${table}_u AFTER UPDATE ON main.${table} BEGIN
        INSERT INTO touched VALUES (${at}, OLD.id), (${at}, NEW.id);
      END;
      CREATE TEMP TRIGGER touched_${table}_d AFTER DELETE ON main.${table} BEGIN
        INSERT INTO touched VALUES (${at}, OLD.id);
      END;`);
  }
  database.run('PRAGMA foreign_keys = ON');
}

export interface Proposal<T> {
  readonly result: T;
  readonly operations: readonly Operation[];
  readonly sequences: Readonly<Record<string, number>> | undefined;
}

/** Runs `work`, notes what it did, and takes all of it back. */
export function propose<T>(database: Database, shape: Shape, columns: ImageColumns, work: () => T): Proposal<T> {
  database.run('DELETE FROM touched');
  database.run('BEGIN');
  try {
    const before = sequencesOf(database);
    const result = work();
    const operations = collect(database, shape, columns);
    const sequences = operations.length > 0 ? raised(before, sequencesOf(database), operations) : undefined;
    return { result, operations, sequences };
  } finally {
    database.run('ROLLBACK');
  }
}

function collect(database: Database, shape: Shape, columns: ImageColumns): Operation[] {
  const tables = Object.keys(shape.tables);
  return database.rows('SELECT DISTINCT tbl, id FROM touched ORDER BY tbl, id').map(([at, id]) => {
    const table = tables[at as number]!;
    const image = imageOf(database, table, id as number, columns[table]!);
    return image ? [table, id as number, image] : [table, id as number];
  });
}

/** A row's values in the order of `columns`. */
export const imageOf = (
  database: Database,
  table: string,
  id: number,
  columns: readonly string[],
): SqlValue[] | undefined => database.rows(`SELECT ${columns.join(', ')} FROM ${table} WHERE id = ?`, [id])[0];

const sequencesOf = (database: Database) =>
  new Map(database.rows('SELECT name, seq FROM sqlite_sequence') as [string, number][]);

/** Generated ids that the images do not show, since their rows are gone again. */
function raised(
  before: Map<string, number>,
  after: Map<string, number>,
  operations: readonly Operation[],
): Record<string, number> | undefined {
  const found: Record<string, number> = {};
  for (const [table, next] of after) {
    let shown = before.get(table) ?? 0;
    for (const [name, id, image] of operations) if (image && name === table && id > shown) shown = id;
    if (next > shown) found[table] = next;
  }
  return Object.keys(found).length > 0 ? found : undefined;
}
