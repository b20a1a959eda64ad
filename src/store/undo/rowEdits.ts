import { keepHrefIfSameCollection } from '../../core/kernel/tombstone';
import type { Values } from '../journal/undoStep';
import type { Database } from '../sql/database';
import type { SqlValue } from '../types';
import { rowOf } from './undoSteps';

/** Reads and changes rows by the names of tables and columns, and remembers which rows it has changed. */
export class RowEdits {
  readonly #changed = new Map<string, Set<SqlValue>>();
  readonly #accounts = new Map<SqlValue | undefined, SqlValue | undefined>();

  constructor(private readonly database: Database) {}

  /** True if a row was changed here. */
  isChanged(table: string, id: number): boolean {
    return this.#changed.get(table)?.has(id) ?? false;
  }

  exists(table: string, id: SqlValue | undefined): boolean {
    return this.database.value(`SELECT 1 FROM ${table} WHERE id = ?`, [id ?? null]) !== undefined;
  }

  /** The task with a list, a UID and an occurrence, of which there is only one. */
  taskAt({ list_id, uid, recurrence_id }: Values): number | undefined {
    const sql = 'SELECT id FROM tasks WHERE list_id = ? AND uid = ? AND recurrence_id IS ?';
    return this.database.value(sql, [list_id!, uid!, recurrence_id!]) as number | undefined;
  }

  /** Deletes the tombstone with a key, and returns it. */
  takeTombstone(key: Values): Values | undefined {
    const id = this.taskAt(key);
    const row = id === undefined ? undefined : rowOf(this.database, 'tasks', id);
    if (id === undefined || row?.is_deleted !== 1) return undefined;
    this.delete('tasks', id);
    return row;
  }

  hasTasks(list: number): boolean {
    return this.database.value('SELECT 1 FROM tasks WHERE list_id = ? LIMIT 1', [list]) !== undefined;
  }

  /** Tasks of a list that no server has and that do not wait to be sent. */
  unsentIn(list: number): number[] {
    const sql = 'SELECT id FROM tasks WHERE list_id = ? AND href IS NULL AND is_dirty = 0';
    return this.database.rows(sql, [list]).map(([id]) => id as number);
  }

  /** The tasks that refer to a task in a column, in the list that the task was in. */
  referring(column: 'master_id' | 'parent_id', { id, list_id }: Values): number[] {
    // `+`: through its index SQLite would read the whole list for each task.
    const sql = `SELECT id FROM tasks WHERE ${column} = ? AND +list_id = ?`;
    return this.database.rows(sql, [id!, list_id!]).map(([found]) => found as number);
  }

  isInSameList(task: number, other: SqlValue | undefined): boolean {
    const sql = 'SELECT 1 FROM tasks a JOIN tasks b ON b.list_id = a.list_id WHERE a.id = ? AND b.id = ?';
    return this.database.value(sql, [task, other ?? null]) !== undefined;
  }

  accountOf(list: SqlValue | undefined): SqlValue | undefined {
    if (!this.#accounts.has(list)) {
      const sql = 'SELECT account_id FROM task_lists WHERE id = ?';
      this.#accounts.set(list, this.database.value(sql, [list ?? null]));
    }
    return this.#accounts.get(list);
  }

  /** 1 for a list that belongs to an account: only its rows are ever dirty. */
  isSynced(list: SqlValue | undefined): 0 | 1 {
    return this.accountOf(list) == null ? 0 : 1;
  }

  /** The address that a task may keep in a list without an ETag. */
  addressAnew(href: SqlValue | undefined, list: SqlValue | undefined): string | null {
    const sql = 'SELECT href FROM task_lists WHERE id = ? AND account_id IS NOT NULL AND is_read_only = 0';
    const ofList = (this.database.value(sql, [list ?? null]) as string | null | undefined) ?? null;
    return keepHrefIfSameCollection((href as string | null | undefined) ?? null, ofList);
  }

  set(table: string, id: number, values: Values): void {
    const names = Object.keys(values);
    this.#note(table, id);
    if (names.length > 0) this.database.update(table, id, names, Object.values(values));
  }

  insert(table: string, values: Values): void {
    const names = Object.keys(values);
    this.#note(table, values.id);
    this.database.run(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      Object.values(values),
    );
  }

  delete(table: string, id: number): void {
    this.#note(table, id);
    this.database.run(`DELETE FROM ${table} WHERE id = ?`, [id]);
  }

  #note(table: string, id: SqlValue | undefined): void {
    const changed = this.#changed.get(table) ?? new Set();
    this.#changed.set(table, changed.add(id ?? null));
    if (table === 'accounts' || table === 'task_lists') this.#accounts.clear();
  }
}
