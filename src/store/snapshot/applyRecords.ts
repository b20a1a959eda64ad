import type { EditRecord, RowImage } from '../journal/record';
import type { Database } from '../sql/database';
import type { SqlValue } from '../types';

/** Column names that the images of a journal follow. */
export type ImageColumns = Readonly<Record<string, readonly string[]>>;

/** The rows that a record of our own touches, as they are: its author has just read them. */
export interface KnownRows {
  readonly id: string;
  readonly before: readonly (RowImage | undefined)[];
}

/**
 * Applies accepted records to an armed database. Rows are updated column by column, which leaves indices alone that the
 * edit did not touch; if the order of the rows does not allow that (swapped unique values, a child before its parent),
 * everything touched is removed and inserted again.
 */
export function applyRecords(
  database: Database,
  records: readonly EditRecord[],
  columns: ImageColumns,
  known?: KnownRows,
): void {
  if (!applyInPlace(database, records, columns, known)) rebuildRows(database, records, columns);
}

/** Foreign keys stay on: switching them would make SQLite prepare every statement again. False if they forbid it. */
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
  let sets = '';
  const values: SqlValue[] = [];
  for (let at = 0; at < columns.length; at++) {
    if (now[at] === image[at]) continue;
    sets += `${sets && ', '}${columns[at]} = ?`;
    values.push(image[at]!);
  }
  if (sets !== '') database.run(`UPDATE ${table} SET ${sets} WHERE id = ?`, [...values, id]);
}

/** Foreign keys are off meanwhile, since the images already contain their cascades. */
function rebuildRows(database: Database, records: readonly EditRecord[], columns: ImageColumns): void {
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

export function raiseSequences(database: Database, { q = {} }: Pick<EditRecord, 'q'>): void {
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

/** Up to this many rows of a table are read one by one: cheaper than a join through their ids. */
export const fewRows = 8;

/** The images of rows by their ids. */
export function imagesOf(
  database: Database,
  table: string,
  ids: readonly number[],
  columns: readonly string[],
): ReadonlyMap<number, SqlValue[]> {
  if (ids.length <= fewRows)
    return new Map(
      ids.flatMap(id => {
        const image = imageOf(database, table, id, columns);
        return image ? [[id, image]] : [];
      }),
    );
  const sql = `SELECT ${columns.join(', ')}, id FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`;
  return new Map(database.rows(sql, [JSON.stringify(ids)]).map(row => [row.pop() as number, row]));
}
