import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import initSqlJs, { type Database as RawDatabase, type SqlJsStatic, type Statement } from 'sql.js';
import { utf8 } from '../bytes';
import type { SqlValue } from '../types';

/** More prepared statements than this are not kept; the oldest goes first. */
const keptStatements = 200;

/** Rows inserted into one table: their values by id, in the order of `columns`. */
interface Inserted {
  readonly columns: readonly string[];
  readonly images: Map<number, readonly SqlValue[]>;
}

/** Rows in one statement. The remaining rows are inserted one by one, so that two prepared statements are enough. */
export const rowsPerStatement = 16;

/** The table that rows are inserted into; their values are in the order of `columns`. */
interface Target {
  readonly table: string;
  readonly columns: readonly string[];
  readonly lastAsBytes?: boolean;
}

/**
 * A small interface to sql.js that keeps prepared statements. Everything is synchronous and in memory.
 *
 * @example
 * const database = await Database.open(await readFile(path));
 * const titles = database.all<{ title: string }>('SELECT title FROM tasks WHERE list_id = ?', [listId]);
 */
export class Database {
  readonly #raw: RawDatabase;
  readonly #statements = new Map<string, Statement>();
  /** By table: rows that the current edit has inserted with `insert`, so that they need not be read again. */
  readonly inserted = new Map<string, Inserted>();
  /** By table: the columns that `update` has set; undefined once another statement may have changed rows. */
  #columnsSet: Map<string, Set<string>> | undefined;
  #writes = 0;
  #lastUpdate: { readonly table: string; readonly columns: readonly string[]; readonly sql: string } | undefined;

  private constructor(raw: RawDatabase) {
    this.#raw = raw;
  }

  /** An empty database, or the one in `bytes` (a whole SQLite file). */
  static open(bytes?: Uint8Array): Promise<Database> {
    // sql.js shares the memory of a Node Buffer instead of copying it, and would write into the caller's.
    return Database.#open(Buffer.isBuffer(bytes) ? Uint8Array.from(bytes) : bytes);
  }

  /** Opens bytes that no one else uses: they become the database's memory, without a copy. */
  static openOwn(bytes: Uint8Array): Promise<Database> {
    return Database.#open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as unknown as Uint8Array);
  }

  static async #open(bytes?: Uint8Array): Promise<Database> {
    const { Database: Raw } = await loadSqlite();
    const database = new Database(new Raw(bytes));
    // The file is in memory, so SQLite's own journal and temporary files would only cost time.
    for (const pragma of [
      'journal_mode = MEMORY',
      'synchronous = OFF',
      'temp_store = MEMORY',
      'locking_mode = EXCLUSIVE',
    ]) {
      database.#raw.exec(`PRAGMA ${pragma}`);
    }
    return database;
  }

  /** Rows as arrays, in the order of the selected columns. */
  rows(sql: string, params: readonly SqlValue[] = []): SqlValue[][] {
    const rows: SqlValue[][] = [];
    this.each(sql, params, row => rows.push(row));
    return rows;
  }

  /** Calls `visit` with each row, as an array. `visit` must not use the database. */
  each(sql: string, params: readonly SqlValue[], visit: (row: SqlValue[]) => void): void {
    const statement = this.#prepared(sql);
    try {
      statement.bind(wellFormed(params) as SqlValue[]);
      while (statement.step()) visit(statement.get());
    } finally {
      statement.reset();
    }
  }

  /** Rows as objects by column name. */
  all<Row = Record<string, SqlValue>>(sql: string, params: readonly SqlValue[] = []): Row[] {
    const statement = this.#prepared(sql);
    try {
      statement.bind(wellFormed(params) as SqlValue[]);
      // One list of names for all rows: sql.js would make it again for each.
      const names = statement.getColumnNames();
      const rows: Row[] = [];
      while (statement.step()) {
        const values = statement.get();
        const row: Record<string, SqlValue> = {};
        for (let at = 0; at < names.length; at++) row[names[at]!] = values[at]!;
        rows.push(row as Row);
      }
      return rows;
    } finally {
      statement.reset();
    }
  }

  /** The first column of the first row. */
  value(sql: string, params: readonly SqlValue[] = []): SqlValue | undefined {
    return this.rows(sql, params)[0]?.[0];
  }

  run(sql: string, params: readonly SqlValue[] = []): void {
    this.#columnsSet = undefined;
    this.#run(sql, wellFormed(params));
  }

  /** Sets columns of one row. */
  update(table: string, id: number, columns: readonly string[], values: readonly SqlValue[]): void {
    if (this.#columnsSet) {
      let set = this.#columnsSet.get(table);
      if (!set) {
        set = new Set();
        this.#columnsSet.set(table, set);
      }
      for (const column of columns) set.add(column);
    }
    this.#run(this.#updateSql(table, columns), wellFormed([...values, id]));
  }

  /** Returns the last SQL again for the same columns, which saves building it for each row. */
  #updateSql(table: string, columns: readonly string[]): string {
    const last = this.#lastUpdate;
    const isSame = last?.table === table && last.columns.length === columns.length;
    if (isSame && columns.every((column, at) => column === last.columns[at])) return last.sql;
    const sql = `UPDATE ${table} SET ${columns.join(' = ?, ')} = ? WHERE id = ?`;
    this.#lastUpdate = { table, columns, sql };
    return sql;
  }

  /** The columns that may have changed in existing rows since `forgetWritten`; undefined if any may have. */
  columnsSet(table: string): ReadonlySet<string> | undefined {
    return this.#columnsSet && (this.#columnsSet.get(table) ?? new Set());
  }

  /** Starts to record what an edit writes. */
  forgetWritten(): void {
    this.inserted.clear();
    this.#columnsSet = new Map();
  }

  /**
   * Inserts rows and returns their ids, in the order of `rows`. Many rows share a statement: one statement for each row
   * costs twice as much. `lastAsBytes` copies the last value at once, since sql.js copies a string letter by letter.
   */
  insert({ table, columns, lastAsBytes = false }: Target, rows: readonly (readonly SqlValue[])[]): number[] {
    const ids: number[] = [];
    while (ids.length < rows.length) {
      const count = rows.length - ids.length < rowsPerStatement ? 1 : rowsPerStatement;
      const images = rows.slice(ids.length, ids.length + count).map(wellFormed);
      this.#run(insertSql(table, columns, count, lastAsBytes), valuesOf(images, lastAsBytes));
      // Ids of one statement follow each other (AUTOINCREMENT).
      const first = (this.value('SELECT last_insert_rowid()') as number) - count + 1;
      for (const [at, image] of images.entries()) {
        ids.push(first + at);
        this.#noteInserted(table, columns, first + at, image);
      }
    }
    return ids;
  }

  #noteInserted(table: string, columns: readonly string[], id: number, image: readonly SqlValue[]): void {
    const known = this.inserted.get(table);
    if (known) known.images.set(id, image);
    else this.inserted.set(table, { columns, images: new Map([[id, image]]) });
  }

  /** Increases with each statement that may change rows or roll changes back: earlier reads are valid until then. */
  get writes(): number {
    return this.#writes;
  }

  #run(sql: string, params: readonly (SqlValue | Uint8Array)[]): void {
    this.#writes++;
    const statement = this.#prepared(sql);
    try {
      statement.bind(params as SqlValue[]);
      statement.step();
    } finally {
      statement.reset();
    }
  }

  /** Several statements without parameters. */
  exec(sql: string): void {
    this.#columnsSet = undefined;
    this.#writes++;
    this.#raw.exec(sql);
  }

  /** How many rows the last statement changed. */
  get changes(): number {
    return this.#raw.getRowsModified();
  }

  transaction<T>(work: () => T): T {
    this.run('BEGIN');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Ends the open transaction. If memory ran out, SQLite has ended it already, and that error is the one to report. */
  rollBack(): void {
    try {
      this.run('ROLLBACK');
    } catch (error) {
      if (!String(error).includes('no transaction is active')) throw error;
    }
  }

  /** The whole file. Pragmas, prepared statements and TEMP objects survive; older builds lost them, so a test checks it. */
  export(): Uint8Array {
    return this.#raw.export();
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.free();
    this.#statements.clear();
    this.#raw.close();
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    if (this.#statements.size >= keptStatements) {
      const [oldest, unused] = this.#statements.entries().next().value!;
      unused.free();
      this.#statements.delete(oldest);
    }
    statement = this.#raw.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const insertTexts = new Map<readonly string[], Map<number, string>>();

function insertSql(table: string, columns: readonly string[], rows: number, lastAsBytes: boolean): string {
  const known = insertTexts.get(columns) ?? new Map<number, string>();
  insertTexts.set(columns, known);
  let sql = known.get(rows);
  if (!sql) {
    const last = lastAsBytes ? 'CAST(? AS TEXT)' : '?';
    const row = `(${'?, '.repeat(columns.length - 1)}${last})`;
    sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`;
    known.set(rows, sql);
  }
  return sql;
}

/** The values of all rows in one array, for one statement. */
function valuesOf(images: readonly (readonly SqlValue[])[], lastAsBytes: boolean): (SqlValue | Uint8Array)[] {
  const values: (SqlValue | Uint8Array)[] = [];
  for (const image of images) {
    for (const value of image) values.push(value);
    if (lastAsBytes) values.push(utf8(values.pop() as string));
  }
  return values;
}

/** Half a surrogate pair would come back as three replacement characters, and `undefined` throws a bare string. */
function wellFormed(params: readonly SqlValue[]): readonly SqlValue[] {
  return params.every(isStorable)
    ? params
    : params.map(value => (typeof value === 'string' ? (value as Text).toWellFormed() : (value ?? null)));
}

/** Methods that the `lib` of the build does not declare yet. */
type Text = string & { isWellFormed(): boolean; toWellFormed(): string };

const isStorable = (value: SqlValue): boolean =>
  typeof value === 'string' ? (value as Text).isWellFormed() : value !== undefined;

let loading: Promise<SqlJsStatic> | undefined;

/** Loads SQLite once per process (or worker). */
export function loadSqlite(): Promise<SqlJsStatic> {
  loading ??= initSqlJs({
    locateFile,
    // Keeps out the functions of old builds, whose start-up prints a deprecation line.
    useOldExtensionFunctions: false,
  } as Parameters<typeof initSqlJs>[0]);
  return loading;
}

/** A shipped bundle, in which the build sets the flavor, has the binary next to it; other code takes the one of sql.js. */
function locateFile(name: string): string {
  const bundled = join(__dirname, name);
  return process.env.DUELINE_FLAVOR || existsSync(bundled) ? bundled : join(dirname(require.resolve('sql.js')), name);
}
