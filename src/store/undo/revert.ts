import type { EpochMs } from '../../core/kernel/model';
import { isMovedAway, moveTombstone } from '../../core/kernel/tombstone';
import type { RowStep, Values } from '../journal/undoStep';
import type { ImageColumns } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { SqlValue } from '../types';
import {
  address,
  type ColumnValues,
  type Found,
  findRows,
  hasInstanceKey,
  identityColumns,
  instanceKey,
  pick,
  taskKey,
  valuesToRestore,
} from './currentSteps';
import { RowEdits } from './rowEdits';
import { rowOf } from './undoSteps';

const stamped = [...address, 'is_dirty'];

/**
 * Reverts the effect of an edit on rows. A row that has not changed since becomes exactly what it was. Any other keeps
 * later changes, column by column, and what the server knows of it by now; the rest is restored as a new edit that has
 * to be pushed. Runs inside an edit, and leaves out rows that cannot come back (their list is gone meanwhile).
 */
export function revert(
  database: Database,
  columns: ImageColumns,
  steps: readonly RowStep[],
  { now, isLatest = false }: { now: EpochMs /** Nothing was written since. */; isLatest?: boolean },
): void {
  new Revert(database, columns, findRows(database, columns, steps, isLatest), now).run();
}

class Revert {
  readonly #rows: RowEdits;

  #found: readonly Found[];

  /**
   * Tombstones of a move that were undone before they were pushed, by list and UID: the row may have its old address
   * again.
   */
  readonly #cancelled = new Map<string, Values>();

  /**
   * Restored accounts and their lists. They were lost here and not deleted on the server, so their rows keep their
   * addresses.
   */
  readonly #restoredIds = new Set<string>();

  /** Accounts that the edit had restored, and that are removed again with everything of theirs: the server keeps it. */
  readonly #removedAccounts: ReadonlySet<SqlValue>;

  /** Lists that become an account's. */
  readonly #joining: number[] = [];

  /** Rows that move, as they were before. */
  readonly #moved: Values[] = [];

  /** Tasks that were restored to exactly their old values. */
  readonly #verbatimIds = new Set<SqlValue>();

  constructor(
    private readonly database: Database,
    private readonly columns: ImageColumns,
    found: readonly Found[],
    private readonly now: EpochMs,
  ) {
    this.#rows = new RowEdits(database);
    this.#found = found;
    const accounts = this.#made('accounts');
    const idsOf = (some: readonly Found[]) => new Set<SqlValue>(some.map(({ step }) => step.id));
    this.#removedAccounts = idsOf(accounts.filter(({ isUntouched }) => isUntouched));
    // An account that has synced since stays, with all its rows.
    const staying = idsOf(accounts.filter(({ isUntouched }) => !isUntouched));
    if (staying.size > 0)
      this.#found = this.#found.filter(one => one.step.before || !staying.has(this.#accountOf(one) ?? null));
  }

  /** Restores rows first and deletes last, so that nothing is deleted with a parent it could still move away from. */
  run(): void {
    for (const table of ['accounts', 'task_lists']) {
      for (const { step } of this.#removed(table)) this.#insertAgain(table, step.id, step.before!);
      for (const found of this.#changed(table)) this.#restorePlace(found);
    }
    this.#putTasksBack();
    this.#putAlarmsBack();
    for (const found of this.#made('tasks')) this.#unmakeTask(found);
    for (const found of this.#made('task_lists')) this.#unmakeList(found);
    // Tasks of a list that comes to an account wait to be sent, too, if they were not in it then or have changed since.
    for (const list of this.#joining)
      for (const id of this.#rows.unsentIn(list)) this.#rows.set('tasks', id, { is_dirty: 1 });
    for (const id of this.#removedAccounts) this.#rows.delete('accounts', id as number);
  }

  #made = (table: string) => this.#found.filter(({ step, row }) => step.table === table && !step.before && row);
  #removed = (table: string) => this.#found.filter(({ step }) => step.table === table && step.before && !step.after);
  #changed = (table: string) => this.#found.filter(({ step }) => step.table === table && step.before && step.after);

  #accountOf({ step, row }: Found): SqlValue | undefined {
    if (step.table === 'accounts') return step.id;
    if (step.table === 'task_lists') return row?.account_id;
    const task = step.table === 'tasks' ? row : rowOf(this.database, 'tasks', (row?.task_id ?? 0) as number);
    return this.#rows.accountOf(task?.list_id);
  }

  #restorePlace(found: Found): void {
    const { step, row } = found;
    const values = valuesToRestore(found);
    if (!row || Object.keys(values).length === 0) return;
    if (step.table === 'task_lists') Object.assign(values, this.#accountColumns(found, values));
    this.#rows.set(step.table, step.id, values);
    if (values.account_id != null) this.#joining.push(step.id);
  }

  /** The columns that follow from the account that a list has from now on. */
  #accountColumns({ step, row, isUntouched }: Found, values: ColumnValues): Values {
    if (!isUntouched) {
      // The list stays in its account, and is still synced there.
      if (step.before!.account_id !== undefined) delete values.is_synced;
      return { is_dirty: row!.account_id === null ? 0 : 1 };
    }
    if (values.account_id == null) return {};
    const noTags = { ctag: null, sync_token: null };
    if (!this.#rows.exists('accounts', values.account_id))
      return { account_id: null, href: null, ...noTags, is_dirty: 0 };
    return this.#restoredIds.has(`accounts ${values.account_id}`) ? {} : noTags;
  }

  #putTasksBack(): void {
    const changed = this.#changed('tasks').map(found => ({ ...found, values: valuesToRestore(found) }));
    for (const found of this.#made('tasks')) this.#cancel(found);
    // A row drops its key before another one gets it.
    for (const { step } of [
      ...this.#made('tasks'),
      ...changed.filter(({ row, values }) => row && hasInstanceKey(values)),
    ])
      this.#rows.set('tasks', step.id, { uid: `parked ${step.id}` });
    const back = [
      ...this.#removed('tasks').map(({ step }) => ({ id: step.id, before: step.before! })),
      ...changed
        // The deletion has reached the server and the row is gone, so the task is inserted as a new one.
        .filter(({ step, row }) => !row && step.whole)
        .map(({ step }) => ({ id: step.id, before: { ...step.whole!, is_deleted: 0 } })),
    ];
    const isTombstone = ({ before }: { before: Values }) => before.is_deleted === 1;
    const moving = changed.flatMap(({ row, values }) =>
      row && hasInstanceKey(values) ? [{ ...this.#wholeTask(row), ...values }] : [],
    );
    // A tombstone of another step does not keep a task from coming back to its list, and leaves it its address.
    for (const restoredRow of [...back.map(one => one.before), ...moving].filter(one => one.is_deleted !== 1)) {
      const old = this.#rows.takeTombstone(restoredRow);
      if (old) this.#cancelled.set(taskKey(old), old);
    }
    const insertAll = (some: typeof back) => some.filter(({ id, before }) => this.#insertAgain('tasks', id, before));
    const isOccurrence = ({ before }: { before: Values }) => before.master_id !== null;
    const living = back.filter(one => !isTombstone(one));
    const inserted = insertAll(living.filter(one => !isOccurrence(one)));
    const restored = changed.filter(found => found.row && this.#restoreTask(found, found.values));
    // They take the address that their series has by now.
    inserted.push(...insertAll(living.filter(isOccurrence)));
    // Only now, since the task that had moved away from there had to come back first.
    for (const { id, before } of back.filter(isTombstone))
      this.#insertAgain('tasks', id, this.#withAddressOfMoved(before));
    for (const row of this.#moved) this.#createTombstone(row);
    // Nothing has come back to these places, and the servers still have what the user moved away from there.
    for (const row of this.#cancelled.values())
      if (isMovedAway(row.unknown_properties) && this.#rows.isSynced(row.list_id) && this.#isFree(row))
        this.#rows.insert('tasks', this.#wholeTask(row));
    for (const { id, before } of inserted) this.#link(id, before, true);
    for (const { step, values } of restored) this.#link(step.id, values, false);
  }

  /** Removes the tombstone of a task that comes back to the list that it had left, but remembers its address. */
  #cancel({ step, row, isUntouched }: Found): void {
    const isMoved = isMovedAway(row!.unknown_properties);
    if (row!.is_deleted !== 1 || !(isMoved || isUntouched)) return;
    this.#cancelled.set(taskKey(row!), row!);
    this.#rows.delete('tasks', step.id);
  }

  /** A tombstone that comes back to an address with the ETag of what leaves it now: the task may have been sent since. */
  #withAddressOfMoved(tombstone: Values): Values {
    const left = this.#moved.find(row => taskKey(row) === taskKey(tombstone) && row.href !== null);
    return left ? { ...tombstone, ...pick(left, address) } : tombstone;
  }

  /** False if there is nothing to restore. */
  #restoreTask({ step, row, isUntouched }: Found, values: ColumnValues): boolean {
    if (Object.keys(values).length === 0) return false;
    const { parent_id: _, master_id: __, ...own } = values;
    const after: ColumnValues = Object.assign(pick(row!, identityColumns), own);
    if (hasInstanceKey(values))
      Object.assign(own, this.#isFree(after) ? pick(after, instanceKey) : pick(row!, [...instanceKey, ...address]));
    Object.assign(after, own);
    const isSynced = this.#rows.isSynced(after.list_id);
    if (after.is_deleted === 1 && !isSynced) {
      this.#rows.delete('tasks', step.id);
      return false;
    }
    const { isProven, ...proven } = this.#provenAddress(row!, after);
    const isExact = isUntouched && isProven;
    // If no server has it, it waits for one; on this computer nothing waits.
    const isDirty = isSynced && isExact && proven.href !== null ? after.is_dirty! : isSynced;
    const stamp: ColumnValues = { ...proven, is_dirty: isDirty };
    const isAsFound = !this.#rows.isChanged('tasks', step.id);
    for (const name of stamped) if (!isAsFound || name in own || stamp[name] !== row![name]) own[name] = stamp[name]!;
    if (!isExact) own.last_modified = this.now;
    this.#rows.set('tasks', step.id, own);
    if (isExact) this.#verbatimIds.add(step.id);
    if (after.list_id !== row!.list_id)
      this.#moveAlong(row!, { list_id: after.list_id!, ...proven, is_dirty: isDirty });
    return true;
  }

  #wholeTask = (row: Values): ColumnValues => pick(row, ['id', ...this.columns.tasks!]);

  #isFree = (after: Values) => this.#rows.exists('task_lists', after.list_id) && this.#rows.taskAt(after) === undefined;

  /** Occurrences that came to be meanwhile go with their series. */
  #moveAlong(row: Values, later: Values): void {
    for (const override of this.#rows.referring('master_id', row))
      if (this.#isFree({ ...rowOf(this.database, 'tasks', override)!, list_id: later.list_id! }))
        this.#rows.set('tasks', override, later);
    this.#moved.push(row);
  }

  /**
   * The address that a row gets with its columns. One that it had before counts only if a tombstone has kept it until
   * now, or if it comes back with its account. Any other may be gone from the server by now, and the next sync would
   * take the task for deleted there.
   */
  #provenAddress(row: Values, after: Values): Values & { readonly isProven: SqlValue } {
    const { list_id, href, etag } = after as ColumnValues;
    if (!this.#rows.isSynced(list_id)) return { href: null, etag: null, isProven: 1 };
    const isMoved = list_id !== row.list_id;
    const old = this.#cancelled.get(taskKey(after));
    if (isMoved && !old) return { href: null, etag: null, isProven: Number(href === null) };
    if (isMoved) return { ...pick(old!, address), isProven: Number(old!.href === href && old!.etag === etag) };
    const isSame = href === row.href && etag === row.etag;
    if (isSame || this.#restoredIds.has(`accounts ${this.#rows.accountOf(list_id)}`))
      return { href: href!, etag: etag!, isProven: 1 };
    if (row.href !== null) return { ...pick(row, address), isProven: 0 };
    return { href: this.#rows.addressAnew(href, list_id), etag: null, isProven: 0 };
  }

  /**
   * Leaves a tombstone if the server has the task at its old address, so that it is deleted there. Subtasks that were
   * added there meanwhile stay.
   */
  #createTombstone(row: Values): void {
    for (const child of this.#rows.referring('parent_id', row)) this.#rows.set('tasks', child, { parent_id: null });
    const isLeft = row.href !== null && row.master_id === null && this.#rows.isSynced(row.list_id);
    if (!isLeft || this.#rows.taskAt(row) !== undefined) return;
    const { id, ...values } = this.#wholeTask(row);
    const mark = { unknown_properties: moveTombstone(id as number), is_deleted: 1, is_dirty: 1 };
    this.#rows.insert('tasks', { ...values, parent_id: null, master_id: null, ...mark });
  }

  /** References to rows that are gone become NULL, as the tables' SET NULL would have made them. */
  #link(id: number, values: Values, isNew: boolean): void {
    const linked: ColumnValues = {};
    for (const name of ['parent_id', 'master_id'])
      if (values[name] !== undefined) linked[name] = this.#rows.isInSameList(id, values[name]) ? values[name] : null;
    if (isNew && linked.master_id === null && values.master_id !== null) this.#rows.delete('tasks', id);
    else this.#rows.set('tasks', id, linked);
  }

  /** False if the row cannot be restored: its list or task is gone, or another row has its key. */
  #insertAgain(table: string, id: number, before: Values): boolean {
    if (this.#rows.exists(table, id)) return false;
    const values: ColumnValues = { ...before };
    if (table === 'tasks' && !this.#readdress(values)) return false;
    if (table === 'task_alarms' && !this.#rows.exists('tasks', values.task_id)) return false;
    if (table === 'task_lists') {
      if (!this.#rows.exists('accounts', values.account_id)) values.account_id = null;
      if (values.href !== null && !this.#restoredIds.has(`accounts ${values.account_id}`)) {
        const isSynced = values.account_id === null ? 0 : 1;
        Object.assign(values, { href: null, ctag: null, sync_token: null, is_dirty: isSynced });
      }
    }
    this.#rows.insert(table, { id, ...values });
    const isAddressed = table === 'accounts' || this.#restoredIds.has(`accounts ${values.account_id}`);
    if (isAddressed) this.#restoredIds.add(`${table} ${id}`);
    if (table === 'tasks') this.#verbatimIds.add(id);
    return true;
  }

  /** Sets the server's columns of a restored task; false if it cannot be restored anywhere. */
  #readdress(values: ColumnValues): boolean {
    const { list_id, href } = values;
    const isTombstone = values.is_deleted === 1;
    const isSynced = this.#rows.isSynced(list_id);
    if (!this.#isFree(values) || (isTombstone && !isSynced)) return false;
    // An occurrence has the address of its series, which may have been sent since.
    const master = values.master_id === null ? undefined : rowOf(this.database, 'tasks', values.master_id as number);
    const series = master?.list_id === list_id ? master : undefined;
    const isWithSeries = series?.href === href && series?.etag === values.etag;
    const isKnown = isTombstone || isWithSeries || this.#restoredIds.has(`task_lists ${list_id}`);
    const known = this.#cancelled.get(taskKey(values)) ?? series;
    const target = known ? pick(known, address) : { href: this.#rows.addressAnew(href, list_id), etag: null };
    const unsent = { ...target, is_dirty: isSynced };
    // The rows that it refers to may be inserted after it.
    Object.assign(values, { parent_id: null, master_id: null }, !isKnown && unsent);
    return true;
  }

  #putAlarmsBack(): void {
    const owners = new Set<SqlValue>();
    for (const { step, row, isUntouched } of this.#made('task_alarms')) {
      if (!isUntouched) continue;
      this.#rows.delete('task_alarms', step.id);
      owners.add(row!.task_id!);
    }
    const whole = this.#changed('tasks').flatMap(({ step, row }) => (row ? [] : (step.alarms ?? [])));
    const removed = this.#removed('task_alarms').map(({ step }) => ({ ...step.before, id: step.id }));
    for (const { id, ...before } of [...whole, ...removed] as Values[])
      if (this.#insertAgain('task_alarms', id as number, before)) owners.add(before.task_id!);
    for (const found of this.#changed('task_alarms').filter(({ row }) => row)) {
      this.#rows.set('task_alarms', found.step.id, valuesToRestore(found));
      owners.add(found.row!.task_id!);
    }
    for (const id of owners) {
      const task = this.#verbatimIds.has(id) ? undefined : rowOf(this.database, 'tasks', id as number);
      if (task && this.#rows.isSynced(task.list_id))
        this.#rows.set('tasks', id as number, { is_dirty: 1, last_modified: this.now });
    }
  }

  #unmakeTask({ step, row, isUntouched }: Found): void {
    if (this.#cancelled.get(taskKey(row!)) === row) return;
    const { list_id, href, etag, uid } = row as ColumnValues;
    const isSynced = this.#rows.isSynced(list_id);
    const isSent = href !== null && isSynced === 1 && !this.#removedAccounts.has(this.#rows.accountOf(list_id)!);
    const replacement = this.#rows.taskAt(row!);
    if (replacement !== undefined && isSent)
      this.#rows.set('tasks', replacement, { href: href!, etag: etag!, is_dirty: 1 });
    else if (isSent && !isUntouched) {
      const tombstone = { uid: uid!, is_deleted: 1, is_dirty: 1, last_modified: this.now };
      this.#rows.set('tasks', step.id, tombstone);
      return;
    }
    this.#rows.delete('tasks', step.id);
  }

  #unmakeList({ step, row, isUntouched }: Found): void {
    const isSent = !isUntouched && row!.href !== null && !this.#removedAccounts.has(row!.account_id!);
    if (!isSent && !this.#rows.hasTasks(step.id)) this.#rows.delete('task_lists', step.id);
  }
}
