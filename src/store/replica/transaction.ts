import type { Operation, RowImage } from '../journal/record';
import { fewRows, type ImageColumns, imageOf } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { DatabaseSchema } from '../sql/databaseSchema';

interface Changes {
  /** Parents before children. */
  readonly operations: readonly Operation[];
  /** The touched rows from before the edit, in the order of the operations; undefined for a new row. */
  readonly before: readonly (RowImage | undefined)[];
}

/** A row that an edit touched. */
interface Touch {
  readonly id: number;
  /** The first note of it, which has how it was. */
  readonly nr: number;
  readonly wasThere: boolean;
  times: number;
}

type Images = (id: number) => RowImage | undefined;

const cells = (columns: Iterable<number>) => Array.from(columns, column => `c${column}`).join(', ');

/** Notes for every row that a statement touches, cascades included: that it was touched, and how it was before. */
export class ChangeNotes {
  readonly #tables: readonly string[];
  /** How a single row was, by the columns that are asked for: the text is as long as reading the row takes. */
  readonly #rowBefore = new Map<readonly string[], string>();

  /** The table has no keys but its own: an outer OR IGNORE would override a conflict clause in here. */
  constructor(
    private readonly database: Database,
    databaseSchema: DatabaseSchema,
    /** The columns by table, in the order of the noted values. */
    private readonly noted: ImageColumns,
  ) {
    this.#tables = Object.keys(databaseSchema.tables);
    database.run('PRAGMA recursive_triggers = ON');
    const widest = Math.max(...this.#tables.map(table => noted[table]!.length));
    database.exec(
      `CREATE TEMP TABLE touched (nr INTEGER PRIMARY KEY, tbl, id, was_there, ${cells(Array(widest).keys())})`,
    );
    for (const [at, table] of this.#tables.entries()) {
      const names = noted[table]!;
      const noteOld = `INSERT INTO touched (tbl, id, was_there, ${cells(names.keys())})
        VALUES (${at}, OLD.id, 1, ${names.map(name => `OLD.${name}`).join(', ')});`;
      database.exec(`
      CREATE TEMP TRIGGER touched_${table}_i AFTER INSERT ON main.${table} BEGIN
        INSERT INTO touched (tbl, id, was_there) VALUES (${at}, NEW.id, 0);
      END;
      CREATE TEMP TRIGGER touched_${table}_u AFTER UPDATE ON main.${table} BEGIN
        ${noteOld}
        INSERT INTO touched (tbl, id, was_there) SELECT ${at}, NEW.id, 0 WHERE NEW.id <> OLD.id;
      END;
      CREATE TEMP TRIGGER touched_${table}_d AFTER DELETE ON main.${table} BEGIN
        ${noteOld}
      END;`);
    }
    database.run('PRAGMA foreign_keys = ON');
  }

  /** The touched rows as they are now and as they were, in the order of `columns`. */
  collect(columns: ImageColumns): Changes {
    const operations: Operation[] = [];
    const before: (RowImage | undefined)[] = [];
    const touched = this.#touched();
    for (const [at, table] of this.#tables.entries()) {
      const byId = touched.get(at);
      if (!byId) continue;
      const rows = [...byId.values()].sort((a, b) => a.id - b.id);
      const names = columns[table]!;
      const now = this.#imagesNow(table, at, rows, names);
      const old = this.#imagesBefore(table, at, rows, names, now);
      for (const { id, wasThere } of rows) {
        const image = now(id);
        operations.push(image ? [table, id, image] : [table, id]);
        before.push(wasThere ? old(id) : undefined);
      }
    }
    return { operations, before };
  }

  clear(): void {
    this.database.run('DELETE FROM touched');
  }

  /** By table, in the order of the schema. */
  #touched(): ReadonlyMap<number, ReadonlyMap<number, Touch>> {
    const touched = new Map<number, Map<number, Touch>>();
    const sql = 'SELECT tbl, id, was_there, nr FROM touched ORDER BY nr';
    for (const [table, id, wasThere, nr] of this.database.rows(sql) as [number, number, number, number][]) {
      let rows = touched.get(table);
      if (!rows) {
        rows = new Map();
        touched.set(table, rows);
      }
      const known = rows.get(id);
      if (known) known.times++;
      else rows.set(id, { id, nr, wasThere: wasThere === 1, times: 1 });
    }
    return touched;
  }

  #imagesNow(table: string, at: number, rows: readonly Touch[], names: readonly string[]): Images {
    const { database } = this;
    const inserted = insertedImages(database, table, names);
    const known = new Map<number, RowImage>();
    // Touched once: inserted, and not changed or deleted since.
    if (inserted)
      for (const { id, times } of rows) {
        const image = times === 1 ? inserted.get(id) : undefined;
        if (image) known.set(id, image);
      }
    if (rows.length - known.size <= fewRows) return id => known.get(id) ?? imageOf(database, table, id, names);
    const sql = `SELECT ${names.join(', ')}, id FROM ${table} WHERE id IN (SELECT id FROM touched WHERE tbl = ?)`;
    const images = new Map(database.rows(sql, [at]).map(row => [row.pop() as number, row]));
    return id => known.get(id) ?? images.get(id);
  }

  /** The images from before the edit. Columns that nothing has set are read from the rows as they are `now`. */
  #imagesBefore(table: string, at: number, rows: readonly Touch[], names: readonly string[], now: Images): Images {
    const { database } = this;
    const columnOf = (name: string) => this.noted[table]!.indexOf(name);
    const first = new Map<number, number>();
    for (const { id, nr, wasThere } of rows) if (wasThere) first.set(nr, id);
    const old = new Map<number, RowImage>();
    if (first.size <= fewRows) {
      const sql = this.#rowBefore.get(names) ?? `SELECT ${cells(names.map(columnOf))} FROM touched WHERE nr = ?`;
      this.#rowBefore.set(names, sql);
      for (const [nr, id] of first) old.set(id, database.rows(sql, [nr])[0]!);
      return id => old.get(id);
    }
    const set = database.columnsSet(table);
    const changed = [...names.keys()].filter(column => !set || set.has(names[column]!));
    const sql = `SELECT ${['nr', ...changed.map(column => `c${columnOf(names[column]!)}`)].join(', ')} FROM touched WHERE tbl = ?`;
    for (const row of database.rows(sql, [at])) {
      const id = first.get(row[0] as number);
      if (id === undefined) continue;
      const image = set ? [...now(id)!] : [];
      for (let cell = 0; cell < changed.length; cell++) image[changed[cell]!] = row[cell + 1]!;
      old.set(id, image);
    }
    return id => old.get(id);
  }
}

/** Undefined if an older journal has the columns in another order. */
function insertedImages(
  database: Database,
  table: string,
  columns: readonly string[],
): ReadonlyMap<number, RowImage> | undefined {
  const inserted = database.inserted.get(table);
  const isSame = inserted && inserted.columns.join() === columns.join();
  return isSame ? inserted.images : undefined;
}

export interface TransactionResult<T> extends Changes {
  readonly result: T;
  readonly sequences: Readonly<Record<string, number>> | undefined;
  /** Set if the rows are still as the edit left them, in an open transaction that ends before anything else happens. */
  readonly transaction: PendingTransaction | undefined;
}

/**
 * An edit that removed nothing waits in its transaction: once the record is accepted, committing has the same effect as
 * applying its images, and costs nothing.
 */
export class PendingTransaction {
  #isOpen = true;

  constructor(
    private readonly database: Database,
    private readonly notes: ChangeNotes,
  ) {}

  keep(): void {
    this.#isOpen = false;
    this.notes.clear();
    this.database.run('COMMIT');
  }

  /** False once its rows are kept or dropped. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** May be called at any time; kept changes stay. */
  drop(): void {
    if (this.#isOpen) this.database.rollBack();
    this.#isOpen = false;
  }
}

/**
 * Runs `work`, records its changes, and rolls them back: at once or, if nothing was removed, when `transaction` is
 * dropped.
 */
export function runTransaction<T>(
  database: Database,
  notes: ChangeNotes,
  columns: ImageColumns,
  work: () => T,
): TransactionResult<T> {
  database.run('BEGIN');
  database.forgetWritten();
  const transaction = new PendingTransaction(database, notes);
  try {
    const result = work();
    const { operations, before } = notes.collect(columns);
    if (operations.length > 0 && operations.every(([, , image]) => image))
      return { result, operations, before, sequences: undefined, transaction };
    transaction.drop();
    return { result, operations, before, sequences: hiddenSequences(database, operations), transaction: undefined };
  } catch (error) {
    transaction.drop();
    throw error;
  } finally {
    // An import's rows are not to be kept until the next edit.
    database.forgetWritten();
  }
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
