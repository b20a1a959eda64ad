import { decodeTags } from '../../core/fields/tags';
import { groupBy } from '../../core/kernel/groupBy';
import type {
  Account,
  Alarm,
  AlarmReference,
  ClassificationCode,
  EpochMs,
  Id,
  StatusCode,
  Task,
  TaskList,
} from '../../core/kernel/model';
import type { Reader, SqlValue } from '../types';
import type { Database } from './database';
import { schemaVersion, tablesOf } from './schema';

/** Columns of a table in the schema's order, `id` first, for SELECT lists that do not depend on the file's order. */
export const columnNames = new Map<string, readonly string[]>(
  tablesOf(schemaVersion).map(table => [table.name, table.columns.map(column => column.name)]),
);

const accountColumns = selectList('accounts', 'a');
const listColumns = selectList('task_lists', 'l');
const taskColumns = selectList('tasks', 't');
const alarmColumns = selectList('task_alarms', 'm');

function selectList(table: string, alias: string): string {
  return columnNames
    .get(table)!
    .map(name => `${alias}.${name}`)
    .join(', ');
}

const flag = (value: SqlValue | undefined) => value === 1;
const orNull = <T extends SqlValue>(value: SqlValue | undefined) => (value ?? null) as T | null;

const accountOf = (row: readonly SqlValue[]): Account => ({
  id: row[0] as number,
  displayName: row[1] as string,
  principalUrl: orNull<string>(row[2]),
  homeSetUrl: orNull<string>(row[3]),
  username: orNull<string>(row[4]),
  lastSyncAt: orNull<number>(row[5]),
  lastSyncError: orNull<string>(row[6]),
});

const listOf = (row: readonly SqlValue[]): TaskList => ({
  id: row[0] as number,
  name: row[1] as string,
  color: row[2] as number,
  accountId: orNull<number>(row[3]),
  isVisible: flag(row[4]),
  isSynced: flag(row[5]),
  owner: orNull<string>(row[6]),
  isReadOnly: flag(row[7]),
  sortOrder: row[8] as number,
  href: orNull<string>(row[9]),
  ctag: orNull<string>(row[10]),
  syncToken: orNull<string>(row[11]),
  isDirty: flag(row[12]),
});

const taskOf = (row: readonly SqlValue[], alarms: readonly Alarm[]): Task => ({
  id: row[0] as number,
  listId: row[1] as number,
  uid: row[2] as string,
  href: orNull<string>(row[3]),
  etag: orNull<string>(row[4]),
  title: orNull<string>(row[5]),
  description: orNull<string>(row[6]),
  location: orNull<string>(row[7]),
  url: orNull<string>(row[8]),
  color: orNull<number>(row[9]),
  tags: row[10] ? decodeTags(row[10] as string) : [],
  status: row[11] as StatusCode,
  percentComplete: orNull<number>(row[12]),
  completedAt: orNull<number>(row[13]),
  priority: row[14] as number,
  classification: orNull<number>(row[15]) as ClassificationCode | null,
  dtstart: orNull<number>(row[16]),
  due: orNull<number>(row[17]),
  duration: orNull<string>(row[18]),
  isAllDay: flag(row[19]),
  timezone: orNull<string>(row[20]),
  rrule: orNull<string>(row[21]),
  rdate: orNull<string>(row[22]),
  exdate: orNull<string>(row[23]),
  recurrenceId: orNull<number>(row[24]),
  masterId: orNull<number>(row[25]),
  parentId: orNull<number>(row[26]),
  sortOrder: row[27] as number,
  createdAt: orNull<number>(row[28]),
  lastModified: orNull<number>(row[29]),
  sequence: row[30] as number,
  isDirty: flag(row[31]),
  isDeleted: flag(row[32]),
  unknownProperties: orNull<string>(row[33]),
  alarms,
});

const alarmOf = (row: readonly SqlValue[]): Alarm => ({
  id: row[0] as number,
  taskId: row[1] as number,
  minutesBefore: row[2] as number,
  reference: row[3] as AlarmReference,
  message: orNull<string>(row[4]),
});

/** `display_name` → `displayName`; the one column whose field has another name is `categories`. */
export const fieldOf = (column: string) =>
  column === 'categories' ? 'tags' : column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Some columns of a task as its fields. */
export const taskFieldsOf = (values: Readonly<Record<string, SqlValue>>): Partial<Task> =>
  Object.fromEntries(
    Object.entries(values).map(([column, value]) => {
      if (column === 'categories') return ['tags', value ? decodeTags(value as string) : []];
      return [fieldOf(column), column.startsWith('is_') ? flag(value) : value];
    }),
  );

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
