import { uuidOf } from '../../core/exchange/stableUid';
import type { Database } from '../sql/database';
import { columnNames } from '../sql/rowReader';
import type { SqlValue } from '../types';
import type { ForeignRows } from './importDatabase';

/** The counts of an import. */
export interface DatabaseImportReport {
  readonly accounts: number;
  readonly lists: number;
  readonly tasks: number;
  /** Tasks that were here already (same list and uid), or that belong to no list. */
  readonly skipped: number;
}

type Row = Record<string, SqlValue>;

/**
 * Adds the rows of another database to this one, inside an edit. Rows keep ids that this one has never assigned, as in
 * an empty store; otherwise they get new ones and references follow: an older backup of this store may have had such an
 * id. Accounts and lists with the same remote address are not doubled. Their server does not have the tasks that only
 * the other database has, or they would be here: these are sent as new ones, and tasks that were deleted there are not
 * deleted here.
 */
export function importRows(database: Database, { rows }: ForeignRows): DatabaseImportReport {
  return new Import(database, rows).run();
}

class Import {
  readonly #tables = new Map<string, Row[]>();
  readonly #accounts = new Map<SqlValue, number>();
  readonly #lists = new Map<SqlValue, number>();
  readonly #tasks = new Map<SqlValue, number>();
  /** The parents that were set so far, by the file's ids. */
  readonly #parents = new Map<SqlValue, SqlValue>();
  /** The file's tasks that were put in. */
  readonly #fresh = new Set<SqlValue>();
  /** How many of the file's tasks had the same uid in the same list so far. */
  readonly #seen = new Map<string, number>();
  /** Lists that were here already: two of the file's own never become one. */
  readonly #before: ReadonlySet<SqlValue>;
  /** Those of accounts. */
  readonly #synced: ReadonlySet<SqlValue>;
  /** The highest id that each table has assigned. */
  readonly #highestIds: ReadonlyMap<SqlValue, number>;
  readonly #added = { accounts: 0, lists: 0, tasks: 0, skipped: 0 };

  constructor(
    private readonly database: Database,
    private readonly rows: ForeignRows['rows'],
  ) {
    const lists = database.rows('SELECT id, account_id FROM task_lists');
    const sequences = database.rows('SELECT name, seq FROM sqlite_sequence');
    this.#highestIds = new Map(sequences.map(([name, seq]) => [name!, seq as number]));
    this.#before = new Set(lists.map(([id]) => id!));
    this.#synced = new Set(lists.filter(([, account]) => account !== null).map(([id]) => id!));
  }

  run(): DatabaseImportReport {
    for (const row of this.#rowsOf('accounts')) this.#account(row);
    for (const row of this.#rowsOf('task_lists')) this.#list(row);
    for (const row of this.#rowsOf('tasks')) this.#task(row);
    for (const row of this.#rowsOf('tasks')) this.#link(row);
    for (const row of this.#rowsOf('task_alarms')) this.#alarm(row);
    return this.#added;
  }

  #rowsOf(table: string): readonly Row[] {
    const known = this.#tables.get(table);
    if (known) return known;
    const names = columnNames.get(table)!;
    const rows = this.rows.get(table)!.map(row => Object.fromEntries(names.map((name, at) => [name, row[at]!])));
    this.#tables.set(table, rows);
    return rows;
  }

  #account(row: Row): void {
    const known = this.database.value(
      'SELECT id FROM accounts WHERE username IS ? AND (principal_url = ? OR home_set_url = ?)',
      [row.username!, row.principal_url!, row.home_set_url!],
    );
    if (known === undefined) this.#added.accounts++;
    this.#accounts.set(row.id!, (known as number | undefined) ?? this.#insert('accounts', row));
  }

  #list(row: Row): void {
    const account = this.#accounts.get(row.account_id!) ?? null;
    const known =
      account === null
        ? this.#sameList(row)
        : this.database.value('SELECT id FROM task_lists WHERE account_id = ? AND href = ?', [account, row.href!]);
    if (known === undefined) this.#added.lists++;
    const id = (known as number | undefined) ?? this.#insert('task_lists', { ...row, account_id: account });
    this.#lists.set(row.id!, id);
  }

  /** A list of this computer has no address: it is the same if its name and tasks are, as in a copy of this store. */
  #sameList(row: Row): SqlValue | undefined {
    const uids = new Set(this.#uidsOf(row.id!));
    for (const id of this.#before) {
      const [list] = this.database.rows('SELECT name, account_id FROM task_lists WHERE id = ?', [id]);
      if (list?.[0] !== row.name || list?.[1] !== null) continue;
      const here = this.database.rows('SELECT uid FROM tasks WHERE list_id = ?', [id]);
      if (uids.size === 0 || here.some(([uid]) => uids.has(uid!))) return id;
    }
    return undefined;
  }

  #uidsOf(listId: SqlValue): SqlValue[] {
    return this.#rowsOf('tasks').flatMap(task => (task.list_id === listId ? [task.uid!] : []));
  }

  #task(row: Row): void {
    const list = this.#lists.get(row.list_id!);
    if (list === undefined) {
      this.#added.skipped++;
      return;
    }
    const uid = this.#ownUid(list, row);
    const known = this.database.value('SELECT id FROM tasks WHERE list_id = ? AND uid = ? AND recurrence_id IS ?', [
      list,
      uid,
      row.recurrence_id!,
    ]);
    if (known !== undefined) {
      this.#added.skipped++;
      this.#tasks.set(row.id!, known as number);
      return;
    }
    const isUnsent = this.#synced.has(list);
    // A series that is here has its own exceptions.
    const isOfKnown = this.#tasks.has(row.master_id!) && !this.#fresh.has(row.master_id!);
    if (isUnsent && (row.is_deleted === 1 || isOfKnown)) {
      this.#added.skipped++;
      return;
    }
    this.#added.tasks++;
    const own = { ...row, uid, list_id: list, master_id: null, parent_id: null };
    const id = this.#insert('tasks', isUnsent ? { ...own, href: null, etag: null, is_dirty: 1 } : own);
    this.#tasks.set(row.id!, id);
    this.#fresh.add(row.id!);
  }

  /**
   * The file's own rows may share a uid, which SQL lets pass for masters. None of them is dropped: all but the first get
   * another, the same at every import.
   */
  #ownUid(list: number, { uid, recurrence_id }: Row): SqlValue {
    const key = `${list} ${recurrence_id} ${uid}`;
    const before = this.#seen.get(key) ?? 0;
    this.#seen.set(key, before + 1);
    return before === 0 ? uid! : uuidOf(`${uid} ${before}`);
  }

  /** After all tasks are in, since a parent may be after its child. */
  #link(row: Row): void {
    if (!this.#fresh.has(row.id!)) return;
    const master = this.#tasks.get(row.master_id!) ?? null;
    const parent = this.#isOwnAncestor(row) ? null : (this.#tasks.get(row.parent_id!) ?? null);
    this.#parents.set(row.id!, parent === null ? null : row.parent_id!);
    if (master === null && parent === null) return;
    this.database.run('UPDATE tasks SET master_id = ?, parent_id = ? WHERE id = ?', [
      master,
      parent,
      this.#tasks.get(row.id!)!,
    ]);
  }

  /** A walk from parent to parent would never end: one task of a circle loses its parent. */
  #isOwnAncestor({ id, parent_id }: Row): boolean {
    let ancestor: SqlValue = parent_id!;
    while (ancestor !== null && ancestor !== id) ancestor = this.#parents.get(ancestor) ?? null;
    return ancestor !== null;
  }

  #alarm(row: Row): void {
    if (!this.#fresh.has(row.task_id!)) return;
    this.#insert('task_alarms', { ...row, task_id: this.#tasks.get(row.task_id!)! });
  }

  #insert(table: string, { id, ...values }: Row): number {
    const isFree =
      (id as number) > (this.#highestIds.get(table) ?? 0) &&
      this.database.value(`SELECT 1 FROM ${table} WHERE id = ?`, [id!]) === undefined;
    const all: Row = isFree ? { id: id!, ...values } : values;
    const names = Object.keys(all);
    this.database.run(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      Object.values(all),
    );
    return this.database.value('SELECT last_insert_rowid()') as number;
  }
}
