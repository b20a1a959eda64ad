import type { EpochMs } from '../core/model';
import { addressAnew, movedAway } from '../core/tombstone';
import type { Database } from './database';
import { type ImageColumns, imageOf } from './fold';
import type { RowStep, Values } from './historyStep';
import { digest, rowOf } from './rowSteps';
import type { SqlValue } from './types';

/** What the server and the sync keep: taking an edit back leaves them as they are now. */
const kept: Readonly<Record<string, readonly string[]>> = {
  accounts: ['last_sync_at', 'last_sync_error'],
  task_lists: ['account_id', 'href', 'ctag', 'sync_token', 'is_dirty'],
  tasks: ['href', 'etag', 'sequence', 'last_modified', 'is_dirty'],
  task_alarms: [],
};

/**
 * Takes back what an edit did to rows. A row that nothing has happened to since becomes exactly what it was. Any
 * other keeps what came later, column by column, and what the server knows of it by now; the rest is restored as a
 * new edit that has to be pushed. To be run inside an edit; made anew where rows stay out (a list gone meanwhile).
 */
export function takeBack(database: Database, columns: ImageColumns, steps: readonly RowStep[], now: EpochMs): void {
  const back = new TakeBack(database, columns, now);
  const made = steps.filter(step => !step.before);
  const removed = steps.filter(step => step.before && !step.after);
  const changed = steps.filter(step => step.before && step.after);
  for (const step of [...made].reverse()) back.unmake(step);
  back.remake(removed.filter(step => !isTombstone(step)));
  for (const step of changed) back.unchange(step);
  // Only now: the task that moved away from there had come back to its place.
  back.remake(removed.filter(isTombstone));
}

const placeOf = ({ list_id, uid }: Values): string => `${list_id} ${uid}`;
const isTombstone = ({ table, before }: RowStep) => table === 'tasks' && before?.is_deleted === 1;

class TakeBack {
  /** Tombstones of a move that were taken back unpushed, by list and uid: the row may have its old address again. */
  readonly #cancelled = new Map<string, Values>();

  /**
   * Accounts that come back, and their lists: what was lost was lost here and not deleted there, so their rows keep the
   * addresses under which the server has them.
   */
  readonly #revived = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly columns: ImageColumns,
    private readonly now: EpochMs,
  ) {}

  unmake(step: RowStep): void {
    const row = rowOf(this.database, step.table, step.id);
    if (!row) return;
    const isOldPlace = row.is_deleted === 1 && row.unknown_properties === movedAway;
    const untouched = isOldPlace || this.#isUntouched(step);
    if (step.table === 'tasks' && !untouched && row.href !== null) {
      this.#set('tasks', step.id, { is_deleted: 1, is_dirty: this.#isSynced(row.list_id), last_modified: this.now });
      return;
    }
    if (step.table === 'task_lists' && ((!untouched && row.href !== null) || this.#hasTasks(step.id))) return;
    if ((step.table === 'accounts' || step.table === 'task_alarms') && !untouched) return;
    if (step.table === 'tasks' && row.is_deleted === 1) this.#cancelled.set(placeOf(row), row);
    this.database.run(`DELETE FROM ${step.table} WHERE id = ?`, [step.id]);
  }

  /** Rows first, then what they refer to among each other: a parent may come back after its child. */
  remake(steps: readonly RowStep[]): void {
    const back = steps.filter(step => this.#insertAgain(step.table, step.id, step.before!));
    for (const { id, before } of back.filter(step => step.table === 'tasks')) {
      const { parent_id, master_id } = this.#withLivingParents('tasks', before!);
      if (master_id === null && before!.master_id !== null) this.database.run('DELETE FROM tasks WHERE id = ?', [id]);
      else this.#set('tasks', id, { parent_id: parent_id!, master_id: master_id! });
    }
  }

  unchange(step: RowStep): void {
    const row = rowOf(this.database, step.table, step.id);
    if (!row) {
      if (step.whole) this.#revive(step);
      return;
    }
    if (this.#isUntouched(step)) {
      const values = this.#withLivingParents(step.table, step.before!);
      this.#set(step.table, step.id, step.table === 'tasks' ? this.#withProvenAddress(row, values) : values);
      return;
    }
    const restored = Object.entries(step.before!).filter(
      ([name]) => !kept[step.table]!.includes(name) && row[name] === step.after![name],
    );
    if (restored.length === 0) return;
    const values = this.#withLivingParents(step.table, Object.fromEntries(restored));
    if (step.table === 'tasks') this.#restoreTask(step, row, values);
    else if (step.table === 'task_lists') {
      this.#set(step.table, step.id, { ...values, is_dirty: row.account_id === null ? 0 : 1 });
    } else this.#set(step.table, step.id, values);
  }

  #restoreTask(step: RowStep, row: Values, values: Record<string, SqlValue>): void {
    const list = values.list_id ?? row.list_id;
    const address: Record<string, SqlValue> = {};
    if (values.list_id !== undefined) {
      const old = this.#cancelled.get(placeOf({ ...row, ...values }));
      address.href = old?.href ?? null;
      address.etag = old?.etag ?? null;
    }
    this.#set('tasks', step.id, { ...values, ...address, is_dirty: this.#isSynced(list), last_modified: this.now });
    if (values.list_id === undefined) return;
    // Occurrences that came to be meanwhile go with their series.
    const later = { list_id: values.list_id, ...address, is_dirty: this.#isSynced(list) };
    const overrides = 'SELECT id FROM tasks WHERE master_id = ? AND list_id = ?';
    for (const [id] of this.database.rows(overrides, [step.id, row.list_id!])) this.#set('tasks', id as number, later);
    // It had arrived in the list that it leaves now: the server must forget it there.
    if (row.href !== null) this.#leaveTombstone(row);
  }

  /**
   * The columns that a row gets back, its address among them only where a tombstone has kept it until now. Any other
   * address may be gone from the server by now, and the next sync would take the task for deleted there.
   */
  #withProvenAddress(row: Values, values: Record<string, SqlValue>): Record<string, SqlValue> {
    const isAddressed = ['list_id', 'href', 'etag'].some(name => values[name] !== undefined);
    if (!isAddressed) return values;
    const after = { ...row, ...values };
    const { href, etag } = after;
    const isSynced = this.#isSynced(after.list_id);
    const old = isSynced ? this.#cancelled.get(placeOf(after)) : undefined;
    const isMoved = after.list_id !== row.list_id;
    if (old && old.href === href && old.etag === etag) return values;
    if (!isMoved && this.#revived.has(`accounts ${this.#accountOf(after.list_id)}`)) return values;
    if (!isSynced || href === null) return { ...values, href: null, etag: null, is_dirty: isSynced };
    const anew = isMoved ? null : addressAnew(href as string, this.#addressOfList(after.list_id));
    const address = old ? { href: old.href!, etag: old.etag! } : { href: anew, etag: null };
    return { ...values, ...address, is_dirty: isSynced, last_modified: this.now };
  }

  #leaveTombstone(row: Values): void {
    const { id: _, ...values } = row;
    const mark = { unknown_properties: movedAway, is_deleted: 1, is_dirty: 1 };
    this.#insert('tasks', { ...values, parent_id: null, master_id: null, ...mark });
  }

  /** The tombstone has reached the server and the row is gone: it comes back as a new one. */
  #revive(step: RowStep): void {
    const alarms = (step.alarms ?? []).map(({ id, ...before }) => ({ table: 'task_alarms', id: id as number, before }));
    this.remake([{ table: 'tasks', id: step.id, before: { ...step.whole, is_deleted: 0 } }, ...alarms]);
  }

  /** False where the row cannot come back: its list or task is gone, or its place is taken. */
  #insertAgain(table: string, id: number, before: Values): boolean {
    if (this.#exists(table, id)) return false;
    const values = this.#withLivingParents(table, before);
    if (table === 'tasks') {
      if (!this.#exists('task_lists', values.list_id) || this.#isTaken(values)) return false;
      const keepsAddress = this.#revived.has(`task_lists ${values.list_id}`);
      const isKnownElsewhere = values.href !== null && values.is_deleted !== 1 && !keepsAddress;
      if (isKnownElsewhere) {
        const href = addressAnew(values.href as string, this.#addressOfList(values.list_id));
        Object.assign(values, { href, etag: null, is_dirty: this.#isSynced(values.list_id) });
      }
    }
    if (table === 'task_lists' && values.href !== null && !this.#revived.has(`accounts ${values.account_id}`)) {
      const isSynced = values.account_id === null ? 0 : 1;
      Object.assign(values, { href: null, ctag: null, sync_token: null, is_dirty: isSynced });
    }
    if (table === 'task_alarms' && !this.#exists('tasks', values.task_id)) return false;
    this.#insert(table, { id, ...values });
    const isAddressed = table === 'accounts' || this.#revived.has(`accounts ${values.account_id}`);
    if (isAddressed) this.#revived.add(`${table} ${id}`);
    return true;
  }

  /** References to rows that are gone become NULL, as the tables' SET NULL would have made them. */
  #withLivingParents(table: string, values: Values): Record<string, SqlValue> {
    const living = { ...values };
    const parents = table === 'tasks' ? ['parent_id', 'master_id'] : [];
    for (const name of parents) if (living[name] != null && !this.#exists('tasks', living[name])) living[name] = null;
    if (table === 'task_lists' && living.account_id != null && !this.#exists('accounts', living.account_id)) {
      living.account_id = null;
    }
    if (table === 'tasks' && living.list_id !== undefined && !this.#exists('task_lists', living.list_id)) {
      delete living.list_id;
    }
    return living;
  }

  #isUntouched(step: RowStep): boolean {
    const image = imageOf(this.database, step.table, step.id, this.columns[step.table]!);
    return image !== undefined && digest(image) === step.mark;
  }

  #exists(table: string, id: SqlValue | undefined): boolean {
    return this.database.value(`SELECT 1 FROM ${table} WHERE id = ?`, [id ?? null]) !== undefined;
  }

  #isTaken({ list_id, uid, recurrence_id }: Values): boolean {
    const sql = 'SELECT 1 FROM tasks WHERE list_id = ? AND uid = ? AND recurrence_id IS ?';
    return this.database.value(sql, [list_id!, uid!, recurrence_id!]) !== undefined;
  }

  #hasTasks(list: number): boolean {
    return this.database.value('SELECT 1 FROM tasks WHERE list_id = ? LIMIT 1', [list]) !== undefined;
  }

  /** 1 for a list that belongs to an account: only its rows are ever dirty. */
  #isSynced(list: SqlValue | undefined): number {
    return this.database.value('SELECT account_id IS NOT NULL FROM task_lists WHERE id = ?', [list!]) as number;
  }

  #accountOf(list: SqlValue | undefined): SqlValue | undefined {
    return this.database.value('SELECT account_id FROM task_lists WHERE id = ?', [list!]);
  }

  #addressOfList(list: SqlValue | undefined): string | null {
    const sql = 'SELECT href FROM task_lists WHERE id = ? AND account_id IS NOT NULL AND is_read_only = 0';
    return (this.database.value(sql, [list!]) as string | null | undefined) ?? null;
  }

  #set(table: string, id: number, values: Readonly<Record<string, SqlValue>>): void {
    const names = Object.keys(values);
    if (names.length === 0) return;
    const sets = names.map(name => `${name} = ?`).join(', ');
    this.database.run(`UPDATE ${table} SET ${sets} WHERE id = ?`, [...Object.values(values), id]);
  }

  #insert(table: string, values: Readonly<Record<string, SqlValue>>): void {
    const names = Object.keys(values);
    this.database.run(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      Object.values(values),
    );
  }
}
