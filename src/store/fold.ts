import type { Database } from './database';
import type { EditRecord, Operation, RowImage } from './record';
import type { Shape } from './shape';
import type { SqlValue } from './types';

/** Column names that the images of a journal follow. */
export type ImageColumns = Readonly<Record<string, readonly string[]>>;

/** The rows that a record of our own touches, as they are: its author has just read them. */
export interface KnownRows {
  readonly id: string;
  readonly before: readonly (RowImage | undefined)[];
}

/**
 * Applies accepted records to an armed database. Rows are updated column by column, which leaves indices alone that
 * the edit did not touch; where the order of the rows does not allow that (swapped unique values, a child before its
 * parent), everything touched is removed and put in anew.
 */
export function applyRecords(
  database: Database,
  records: readonly EditRecord[],
  columns: ImageColumns,
  known?: KnownRows,
): void {
  if (!applyInPlace(database, records, columns, known)) applyAnew(database, records, columns);
}

/** Foreign keys stay on: switching them would make SQLite prepare every statement again. False where that forbids it. */
function applyInPlace(
  database: Database,
  records: readonly EditRecord[],
  columns: ImageColumns,
  known: KnownRows | undefined,
): boolean {
  try {
    database.transaction(() => {
      for (const record of records) {
        const before = record.i === known?.id ? known.before : undefined;
        for (const [at, [table, id, image]] of record.o.entries()) {
          const names = columns[table]!;
          if (image)
            putRow(database, table, id, image, names, before ? before[at] : imageOf(database, table, id, names));
        }
        // Last, when nothing refers to these rows any more: what a cascade takes now, the edit took too.
        for (const [table, id, image] of record.o) if (!image) database.run(`DELETE FROM ${table} WHERE id = ?`, [id]);
        raiseSequences(database, record);
      }
      database.run('DELETE FROM touched');
    });
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('constraint')) return false;
    throw error;
  }
}

function putRow(
  database: Database,
  table: string,
  id: number,
  image: RowImage,
  columns: readonly string[],
  now: RowImage | undefined,
): void {
  if (!now) {
    database.run(insertSql(table, columns), [id, ...image]);
    return;
  }
  const changed = [...columns.keys()].filter(at => now[at] !== image[at]);
  if (changed.length === 0) return;
  const sets = changed.map(at => `${columns[at]} = ?`).join(', ');
  database.run(`UPDATE ${table} SET ${sets} WHERE id = ?`, [...changed.map(at => image[at]!), id]);
}

/** Foreign keys are off meanwhile, since what they cascaded is in the images already. */
function applyAnew(database: Database, records: readonly EditRecord[], columns: ImageColumns): void {
  database.run('PRAGMA foreign_keys = OFF');
  try {
    database.transaction(() => {
      for (const record of records) applyRecord(database, record, columns);
      database.run('DELETE FROM touched');
    });
  } finally {
    database.run('PRAGMA foreign_keys = ON');
  }
}

/** For a database whose foreign keys are off: touched rows go, then their images come. */
export function applyRecord(database: Database, record: EditRecord, columns: ImageColumns): void {
  for (const [table, id] of record.o) database.run(`DELETE FROM ${table} WHERE id = ?`, [id]);
  for (const [table, id, image] of record.o) {
    if (image) database.run(insertSql(table, columns[table]!), [id, ...image]);
  }
  raiseSequences(database, record);
}

function raiseSequences(database: Database, { q = {} }: EditRecord): void {
  for (const [table, next] of Object.entries(q)) {
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
  /** The touched rows as they were, in the order of the operations; undefined where there was none. */
  readonly before: readonly (RowImage | undefined)[];
  readonly sequences: Readonly<Record<string, number>> | undefined;
}

/** Runs `work`, notes what it did, and takes all of it back. */
export function propose<T>(database: Database, shape: Shape, columns: ImageColumns, work: () => T): Proposal<T> {
  database.run('BEGIN');
  let result: T;
  let operations: Operation[];
  try {
    result = work();
    operations = collect(database, shape, columns);
  } finally {
    database.run('ROLLBACK');
  }
  const before = operations.map(([table, id]) => imageOf(database, table, id, columns[table]!));
  return { result, operations, before, sequences: hiddenSequences(database, operations) };
}

function collect(database: Database, shape: Shape, columns: ImageColumns): Operation[] {
  const tables = Object.keys(shape.tables);
  const touched = new Map<number, Set<number>>();
  for (const [at, id] of database.rows('SELECT tbl, id FROM touched') as [number, number][]) {
    const ids = touched.get(at);
    if (ids) ids.add(id);
    else touched.set(at, new Set([id]));
  }
  return [...touched]
    .sort(([a], [b]) => a - b)
    .flatMap(([at, ids]) => {
      const table = tables[at]!;
      return [...ids]
        .sort((a, b) => a - b)
        .map((id): Operation => {
          const image = imageOf(database, table, id, columns[table]!);
          return image ? [table, id, image] : [table, id];
        });
    });
}

const imageTexts = new Map<readonly string[], string>();

/** A row's values in the order of `columns`. */
export function imageOf(
  database: Database,
  table: string,
  id: number,
  columns: readonly string[],
): SqlValue[] | undefined {
  let sql = imageTexts.get(columns);
  if (!sql) {
    sql = `SELECT ${columns.join(', ')} FROM ${table} WHERE id = ?`;
    imageTexts.set(columns, sql);
  }
  return database.rows(sql, [id])[0];
}

/** Generated ids that the images do not show, since their rows came and went inside the edit. */
function hiddenSequences(database: Database, operations: readonly Operation[]): Record<string, number> | undefined {
  const gone = new Map<string, number>();
  for (const [table, id, image] of operations) if (!image) gone.set(table, Math.max(id, gone.get(table) ?? 0));
  const hidden: Record<string, number> = {};
  for (const [table, highest] of gone) {
    const shown = operations.filter(([name, , image]) => image && name === table).map(([, id]) => id);
    const before = (database.value('SELECT seq FROM sqlite_sequence WHERE name = ?', [table]) as number) ?? 0;
    if (highest > shown.reduce((a, b) => Math.max(a, b), before)) hidden[table] = highest;
  }
  return Object.keys(hidden).length > 0 ? hidden : undefined;
}
