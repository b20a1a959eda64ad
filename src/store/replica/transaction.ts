import type { Operation, RowImage } from '../journal/record';
import { fewRows, type ImageColumns, imageOf, imagesOf } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { Shape } from '../sql/databaseSchema';
import type { SqlValue } from '../types';

/**
 * Notes every row that a statement touches, cascades included. The table has no keys: an outer OR IGNORE would
 * override a conflict clause in here.
 */
export function installChangeTriggers(database: Database, shape: Shape): void {
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

export interface TransactionResult<T> {
  readonly result: T;
  readonly operations: readonly Operation[];
  /** The touched rows as they were, in the order of the operations; undefined where there was none. */
  readonly before: readonly (RowImage | undefined)[];
  readonly sequences: Readonly<Record<string, number>> | undefined;
  /** Set where the rows are still there, in an open transaction that ends before anything else happens. */
  readonly held: OpenInsert | undefined;
}

/**
 * New rows alone leave nothing to be seen of how it was before, so they wait in their transaction: once the record is
 * accepted, keeping them is what inserting its images again would be, at none of the cost.
 */
export class OpenInsert {
  #isOpen = true;

  constructor(private readonly database: Database) {}

  keep(): void {
    this.#isOpen = false;
    this.database.run('DELETE FROM touched');
    this.database.run('COMMIT');
  }

  /** May be called at any time; what was kept stays. */
  drop(): void {
    if (this.#isOpen) this.database.run('ROLLBACK');
    this.#isOpen = false;
  }
}

/** Runs `work`, notes what it did, and takes all of it back: at once, or (new rows) by what is done with `held`. */
export function runTransaction<T>(
  database: Database,
  shape: Shape,
  columns: ImageColumns,
  work: () => T,
): TransactionResult<T> {
  database.run('BEGIN');
  const held = new OpenInsert(database);
  try {
    const highest = highestIds(database, shape);
    const result = work();
    const operations = collect(database, shape, columns);
    const isNew = ([table, id]: Operation) => id > (highest[table] ?? 0);
    if (operations.length > 0 && operations.every(operation => operation[2] && isNew(operation))) {
      return { result, operations, before: operations.map(() => undefined), sequences: undefined, held };
    }
    held.drop();
    const images = new Map(
      Object.keys(shape.tables).map(table => {
        const known = operations.filter(operation => operation[0] === table && !isNew(operation)).map(([, id]) => id);
        return [table, imagesOf(database, table, known, columns[table]!)];
      }),
    );
    const before = operations.map(([table, id]) => images.get(table)!.get(id));
    return { result, operations, before, sequences: hiddenSequences(database, operations), held: undefined };
  } catch (error) {
    held.drop();
    throw error;
  } finally {
    // An import's rows are not to be kept until the next edit.
    database.inserted.clear();
  }
}

const highestTexts = new Map<Shape['tables'], string>();

/** By table. A row whose id is above this was not there before. */
function highestIds(database: Database, { tables }: Shape): Readonly<Record<string, number | null>> {
  const names = Object.keys(tables);
  let sql = highestTexts.get(tables);
  if (!sql) {
    sql = `SELECT ${names.map(table => `(SELECT max(id) FROM ${table})`).join(', ')}`;
    highestTexts.set(tables, sql);
  }
  const [row] = database.rows(sql) as (number | null)[][];
  return Object.fromEntries(names.map((table, at) => [table, row![at]!]));
}

function collect(database: Database, shape: Shape, columns: ImageColumns): Operation[] {
  const tables = Object.keys(shape.tables);
  const changeCounts = new Map<number, [id: number, times: number][]>();
  const sql = 'SELECT tbl, id, count(*) FROM touched GROUP BY tbl, id ORDER BY tbl, id';
  for (const [at, id, times] of database.rows(sql) as [number, number, number][]) {
    const rows = changeCounts.get(at);
    if (rows) rows.push([id, times]);
    else changeCounts.set(at, [[id, times]]);
  }
  return [...changeCounts].flatMap(([at, rows]) => {
    const table = tables[at]!;
    const names = columns[table]!;
    const asPutIn = insertedImages(database, table, names);
    // Touched once: put in, and not changed or taken out since.
    const known = (id: number, times: number) => (times === 1 ? asPutIn?.get(id) : undefined);
    const unknown = rows.filter(([id, times]) => !known(id, times)).length;
    const images = unknown > fewRows ? touchedImages(database, table, at, names) : undefined;
    return rows.map(([id, times]): Operation => {
      const image = known(id, times) ?? (images ? images.get(id) : imageOf(database, table, id, names));
      return image ? [table, id, image] : [table, id];
    });
  });
}

/** Undefined where an older journal has the columns in another order. */
function insertedImages(
  database: Database,
  table: string,
  columns: readonly string[],
): ReadonlyMap<number, RowImage> | undefined {
  const inserted = database.inserted.get(table);
  const isSame = inserted && inserted.columns.join() === columns.join();
  return isSame ? inserted.images : undefined;
}

function touchedImages(
  database: Database,
  table: string,
  at: number,
  columns: readonly string[],
): Map<number, SqlValue[]> {
  const sql = `SELECT ${columns.join(', ')}, id FROM ${table} WHERE id IN (SELECT id FROM touched WHERE tbl = ?)`;
  return new Map(database.rows(sql, [at]).map(row => [row.pop() as number, row]));
}

/** Generated ids that the images do not show, since their rows came and went inside the edit. */
function hiddenSequences(database: Database, operations: readonly Operation[]): Record<string, number> | undefined {
  const gone = new Map<string, number>();
  for (const [table, id, image] of operations) if (!image) gone.set(table, Math.max(id, gone.get(table) ?? 0));
  const hidden: Record<string, number> = {};
  for (const [table, highest] of gone) {
    const visibleIds = operations.filter(([name, , image]) => image && name === table).map(([, id]) => id);
    const before = (database.value('SELECT seq FROM sqlite_sequence WHERE name = ?', [table]) as number) ?? 0;
    if (highest > visibleIds.reduce((a, b) => Math.max(a, b), before)) hidden[table] = highest;
  }
  return Object.keys(hidden).length > 0 ? hidden : undefined;
}
