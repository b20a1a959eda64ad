import { groupBy } from '../../core/kernel/groupBy';
import type { Account, Alarm, EpochMs, Id, Task, TaskList } from '../../core/kernel/model';
import type { Reader, SqlValue } from '../types';
import type { Database } from './database';
import {
  accountColumns,
  accountOf,
  alarmColumns,
  alarmOf,
  listColumns,
  listOf,
  taskColumns,
  taskOf,
} from './rowMapping';

/** Up to this many tasks fetch their alarms one by one: cheaper than a join through a list of ids. */
const fewTasks = 8;

/** More answers than this are not kept: a program that reads all tasks one by one needs each once. */
const maxCached = 20_000;

/** Most tasks have no alarms: one column that says so is cheaper than a query for the alarms of each. */
const taskColumnsAndAlarms = `${taskColumns}, EXISTS (SELECT 1 FROM task_alarms m WHERE m.task_id = t.id)`;

/** Queries on the current state of the database. */
export class RowReader implements Reader {
  /** The tasks of an id or a UID until the next write: a file full of short IDs needs the same ones again and again. */
  readonly #cache = new Map<Id | string, readonly Task[]>();
  #cachedFrom: Database | undefined;
  #cachedAt = 0;

  /** `database` is a function because a reload replaces the database. */
  constructor(protected readonly database: () => Database) {}

  accounts(): readonly Account[] {
    return this.database().rows(`SELECT ${accountColumns} FROM accounts a ORDER BY a.id`).map(accountOf);
  }

  account(id: Id): Account | undefined {
    return this.database().rows(`SELECT ${accountColumns} FROM accounts a WHERE a.id = ?`, [id]).map(accountOf)[0];
  }

  lists(): readonly TaskList[] {
    return this.database()
      .rows(`SELECT ${listColumns} FROM task_lists l ORDER BY l.account_id, l.sort_order, l.name, l.id`)
      .map(listOf);
  }

  list(id: Id): TaskList | undefined {
    return this.database().rows(`SELECT ${listColumns} FROM task_lists l WHERE l.id = ?`, [id]).map(listOf)[0];
  }

  task(id: Id): Task | undefined {
    return this.#tasksOf(id, 't.id = ?')[0];
  }

  tasksOfList(listId: Id): readonly Task[] {
    return this.selectTasks('t.list_id = ?', [listId], 'ORDER BY t.id');
  }

  tasksOfUid(uid: string): readonly Task[] {
    // The index on UIDs begins with the list: without the lists in it, this would read every row.
    return this.#tasksOf(uid, 't.list_id IN (SELECT id FROM task_lists) AND t.uid = ?');
  }

  tasksAt(listId: Id, uid: string): readonly Task[] {
    return this.selectTasks('t.list_id = ? AND t.uid = ?', [listId, uid]);
  }

  overridesOf(id: Id): readonly Task[] {
    return this.selectTasks('t.master_id = ? AND t.is_deleted = 0', [id], 'ORDER BY t.id');
  }

  subtasksOf(id: Id): readonly Task[] {
    return this.selectTasks('t.parent_id = ? AND t.is_deleted = 0 AND t.master_id IS NULL', [id], 'ORDER BY t.id');
  }

  taskAt(listId: Id, uid: string, recurrenceId: EpochMs | null): Task | undefined {
    const where = 't.list_id = ? AND t.uid = ? AND t.recurrence_id IS ?';
    return this.selectTasks(where, [listId, uid, recurrenceId], 'ORDER BY t.id LIMIT 1')[0];
  }

  #tasksOf(key: Id | string, where: string): readonly Task[] {
    const database = this.database();
    const isCurrent = database === this.#cachedFrom && database.writes === this.#cachedAt;
    if (!isCurrent || this.#cache.size >= maxCached) {
      this.#cache.clear();
      this.#cachedFrom = database;
      this.#cachedAt = database.writes;
    }
    let tasks = this.#cache.get(key);
    if (!tasks) {
      tasks = this.selectTasks(where, [key], 'ORDER BY t.id');
      this.#cache.set(key, tasks);
      if (tasks.length === 1) this.#cache.set(tasks[0]!.id, tasks);
    }
    return tasks;
  }

  selectTasks(where: string, params: readonly SqlValue[] = [], tail = ''): readonly Task[] {
    const rows = this.database().rows(`SELECT ${taskColumnsAndAlarms} FROM tasks t WHERE ${where} ${tail}`, params);
    const alarms = this.#alarmsOf(rows.flatMap(row => (row.at(-1) === 1 ? [row[0] as Id] : [])));
    return rows.map(row => taskOf(row, alarms.get(row[0] as Id) ?? []));
  }

  select<Row = Record<string, SqlValue>>(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    return this.database().all<Row>(sql, params);
  }

  each(sql: string, params: readonly SqlValue[], visit: (row: readonly SqlValue[]) => void): void {
    this.database().each(sql, params, visit);
  }

  #alarmsOf(ids: readonly Id[]): Map<Id, Alarm[]> {
    const select = `SELECT ${alarmColumns} FROM task_alarms m WHERE m.task_id`;
    const rows =
      ids.length <= fewTasks
        ? ids.flatMap(id => this.database().rows(`${select} = ? ORDER BY m.id`, [id]))
        : this.database().rows(`${select} IN (SELECT value FROM json_each(?)) ORDER BY m.id`, [JSON.stringify(ids)]);
    return groupBy(rows.map(alarmOf), ({ taskId }) => taskId);
  }
}
