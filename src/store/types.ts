import type { EditLabel, UndoStep } from '../core/kernel/editLabel';
import type { Account, EpochMs, Id, Task, TaskList } from '../core/kernel/model';
import type { NewRow, RowPatch } from '../core/kernel/rowEdit';
import type { KeyValueWriter, Sidecar } from '../core/kernel/sidecar';

export type { EditLabel, KeyValueWriter, Sidecar };

/** The edit that was undone, and the tasks whose dates have been changed again since and are kept. */
export interface StepLabel extends EditLabel {
  readonly kept?: readonly Id[];
}

/** The maker of an edit. A listener that pushes to a server acts on `user` and `undo` only, so nothing bounces. */
export type Origin = 'user' | 'sync' | 'otherWindow' | 'undo';

/** The rows that one durable edit touched (inserted, updated or deleted), in any window. */
export interface StoreChange {
  readonly origin: Origin;
  readonly accounts: readonly Id[];
  readonly lists: readonly Id[];
  readonly tasks: readonly Id[];
  /** The step of an agent in another process that it is. */
  readonly step?: UndoStep;
}

export type ListColumns = Omit<TaskList, 'id'>;
export type NewListRow = Partial<ListColumns> & Pick<TaskList, 'name' | 'color'>;
export type AccountColumns = Omit<Account, 'id'>;
export type NewAccountRow = Partial<AccountColumns> & Pick<Account, 'displayName'>;

/**
 * The rows as they are now. The same questions can be asked of the store and, inside an edit, of its uncommitted state.
 *
 * @example
 * store.selectTasks('t.parent_id = ? AND t.is_deleted = 0', [id], 'ORDER BY t.sort_order')
 */
export interface Reader {
  accounts(): readonly Account[];
  account(id: Id): Account | undefined;
  /** Local lists first, then account by account; among those by `sortOrder`, then name. */
  lists(): readonly TaskList[];
  list(id: Id): TaskList | undefined;
  task(id: Id): Task | undefined;
  /** Every row of a list, overrides and tombstones included. */
  tasksOfList(listId: Id): readonly Task[];
  /** Every row with this UID, in whatever list; at the cost of a few rows, not of all. */
  tasksOfUid(uid: string): readonly Task[];
  /** The rows with this UID in one list: of a task and its exceptions, or their tombstones. */
  tasksAt(listId: Id, uid: string): readonly Task[];
  /** The exceptions of a series that are not deleted. */
  overridesOf(id: Id): readonly Task[];
  /** The subtasks right below a task that are not deleted. Exceptions, which have their series' parent, are none. */
  subtasksOf(id: Id): readonly Task[];
  /** The row of a task (null) or of one of its exceptions, or its tombstone. */
  taskAt(listId: Id, uid: string, recurrenceId: EpochMs | null): Task | undefined;
  /**
   * Tasks that a SQL condition over the table `tasks` (alias `t`) selects, tombstones included unless the condition
   * says otherwise. `tail` may hold ORDER BY and LIMIT. Values go in as parameters, never into the text.
   */
  selectTasks(where: string, params?: readonly SqlValue[], tail?: string): readonly Task[];
  /** Rows of any read-only SELECT over the four tables, for counts and the like. */
  select<Row = Record<string, SqlValue>>(sql: string, params?: readonly SqlValue[]): readonly Row[];
  /** Visits the rows of a SELECT one by one, for very many rows: values by column. `visit` must not use the store. */
  each(sql: string, params: readonly SqlValue[], visit: (row: readonly SqlValue[]) => void): void;
}

/** A value that SQLite returns or takes as a parameter. */
export type SqlValue = string | number | null | Uint8Array;

/**
 * Passed to the work of an edit. Works on rows alone: the rules of the four tables hold here (foreign keys, cascades,
 * uniqueness of (list, uid, recurrence id) also for masters, which SQL's NULLs would not enforce); the caller decides
 * what an action of the user implies (dirty flags, completion).
 *
 * @example
 * await store.edit({ origin: 'user' }, tx => tx.updateTask(id, { title: 'Call Ada' }));
 */
export interface Writer extends Reader {
  insertAccount(row: NewAccountRow): Id;
  updateAccount(id: Id, patch: Partial<AccountColumns>): void;
  deleteAccount(id: Id): void;
  insertList(row: NewListRow): Id;
  updateList(id: Id, patch: Partial<ListColumns>): void;
  deleteList(id: Id): void;
  /** Throws `duplicate` if (listId, uid, recurrenceId) is taken. */
  insertTask(row: NewRow): Id;
  /** Inserts many new tasks that are not overrides, in half the time of single inserts. */
  insertMasters(rows: readonly NewRow[]): void;
  updateTask(id: Id, patch: RowPatch): void;
  deleteTask(id: Id): void;
}

export interface EditOptions {
  readonly origin: 'user' | 'sync' | 'undo';
  /** The name of this edit in undo. Only edits of origin `user` that have a label enter the history. */
  readonly label?: EditLabel;
}
