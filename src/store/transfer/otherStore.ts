import type { Database } from '../sql/database';
import { columnNames } from '../sql/rowMapping';
import type { SqlValue } from '../types';
import type { ForeignRows } from './importDatabase';

type Row = Record<string, SqlValue>;
type Table = 'accounts' | 'task_lists' | 'tasks' | 'task_alarms';

/**
 * A backup in which no id is of another row here. Stores of two computers, and one that began again, give the same ids
 * to different rows: as versions of one row, the backup's would be written over what an account has. Rows that are the
 * same by their address or UID get the ids of today, others free ones. A backup of this very store stays as it is.
 */
export function withFreeIds(database: Database, backup: ForeignRows): ForeignRows {
  return isOfOtherStore(database, backup)
    ? { schema: backup.schema, rows: new OtherStore(database, backup).rows() }
    : backup;
}

/** A store gives an id once, and only higher ones: it has given those of its backups, and to the same tasks. */
function isOfOtherStore(database: Database, { rows }: ForeignRows): boolean {
  const given = lastIdOf(database, 'tasks');
  const tasks = new Map(
    database.all<Row>('SELECT id, uid, href, list_id FROM tasks').map(row => [row.id!, row] as const),
  );
  const at = (row: readonly SqlValue[], name: string) => row[columnNames.get('tasks')!.indexOf(name)]!;
  return rows.get('tasks')!.some(row => {
    const here = tasks.get(row[0]!);
    const task = { uid: at(row, 'uid'), href: at(row, 'href'), list_id: at(row, 'list_id') };
    return (row[0] as number) > given || (here !== undefined && !isSameTask(here, task));
  });
}

const lastIdOf = (database: Database, table: Table): number =>
  (database.value('SELECT seq FROM sqlite_sequence WHERE name = ?', [table]) as number | undefined) ?? 0;

const rowsIn = (table: Table, rows: readonly (readonly SqlValue[])[]): readonly Row[] => {
  const names = columnNames.get(table)!;
  return rows.map(row => Object.fromEntries(names.map((name, at) => [name, row[at]!])));
};

/** Some servers change a UID in place. */
const isSameTask = (one: Row, other: Row): boolean =>
  one.uid === other.uid || (one.href !== null && one.href === other.href && one.list_id === other.list_id);

const isSameAccount = (one: Row, other: Row): boolean =>
  one.username === other.username &&
  ['principal_url', 'home_set_url'].some(name => one[name] !== null && one[name] === other[name]);

class OtherStore {
  readonly #here: Readonly<Record<Table, ReadonlyMap<SqlValue, Row>>>;
  readonly #backup: Readonly<Record<Table, readonly Row[]>>;

  constructor(
    private readonly database: Database,
    { rows }: ForeignRows,
  ) {
    const here = (table: Table) => {
      const now = database.rows(`SELECT ${columnNames.get(table)!.join(', ')} FROM ${table}`);
      return new Map(rowsIn(table, now).map(row => [row.id!, row]));
    };
    const backup = (table: Table) => rowsIn(table, rows.get(table)!);
    const each = <T>(of: (table: Table) => T) => ({
      accounts: of('accounts'),
      task_lists: of('task_lists'),
      tasks: of('tasks'),
      task_alarms: of('task_alarms'),
    });
    this.#here = each(here);
    this.#backup = each(backup);
  }

  rows(): ForeignRows['rows'] {
    const { task_lists, tasks, task_alarms } = this.#backup;
    const here = this.#here;
    const accountIds = this.#ids('accounts', row => [...here.accounts.values()].find(one => isSameAccount(one, row)));
    for (const list of task_lists) list.account_id = accountIds.get(list.account_id!) ?? null;
    const listIds = this.#listIds();
    for (const task of tasks) task.list_id = listIds.get(task.list_id!) ?? 0;
    const taskIds = this.#ids('tasks', this.#equal('tasks', ['list_id', 'uid', 'recurrence_id']));
    for (const task of tasks)
      for (const name of ['parent_id', 'master_id']) task[name] = taskIds.get(task[name]!) ?? null;
    for (const alarm of task_alarms) alarm.task_id = taskIds.get(alarm.task_id!) ?? 0;
    this.#ids('task_alarms', this.#equal('task_alarms', columnNames.get('task_alarms')!.slice(1)));
    return new Map(
      Object.entries(this.#backup).map(([table, some]) => [
        table,
        some.map(row => columnNames.get(table)!.map(name => row[name]!)),
      ]),
    );
  }

  /** A list of an account is known by its address, one of this computer by a task in both; an empty one is any. */
  #listIds(): ReadonlyMap<SqlValue, SqlValue> {
    const lists = [...this.#here.task_lists.values()];
    const uidsOf = (tasks: Iterable<Row>, list: Row) =>
      [...tasks].flatMap(task => (task.list_id === list.id ? task.uid! : []));
    return this.#ids('task_lists', row => {
      if (row.account_id !== null)
        return lists.find(one => one.account_id === row.account_id && one.href !== null && one.href === row.href);
      const uids = new Set(uidsOf(this.#backup.tasks, row));
      return lists.find(one => {
        if (one.account_id !== null || (one.id !== row.id && one.name !== row.name)) return false;
        const here = uidsOf(this.#here.tasks.values(), one);
        return here.length === 0 || here.some(uid => uids.has(uid));
      });
    });
  }

  /** Finds the row here that has the same values in these columns. */
  #equal(table: Table, names: readonly string[]): (row: Row) => Row | undefined {
    const keyOf = (row: Row) => JSON.stringify(names.map(name => row[name]));
    const known = new Map([...this.#here[table].values()].map(row => [keyOf(row), row]));
    return row => known.get(keyOf(row));
  }

  /**
   * Gives each row of the backup the id of the row that is `sameOf` it here. The others keep theirs, or all get free ones:
   * rows without an order of their own are in that of their ids.
   */
  #ids(table: Table, sameOf: (row: Row) => Row | undefined): ReadonlyMap<SqlValue, SqlValue> {
    const rows = this.#backup[table];
    const same = new Map<SqlValue, SqlValue>();
    const taken = new Set<SqlValue>();
    for (const row of rows) {
      const id = sameOf(row)?.id;
      if (id === undefined || taken.has(id)) continue;
      same.set(row.id!, id);
      taken.add(id);
    }
    const areFree = rows.every(({ id }) => same.has(id!) || !this.#here[table].has(id!));
    let last = rows.reduce((most, { id }) => Math.max(most, id as number), lastIdOf(this.database, table));
    const ids = new Map(rows.map(({ id }) => [id!, same.get(id!) ?? (areFree ? id! : ++last)] as const));
    for (const row of rows) row.id = ids.get(row.id!)!;
    return ids;
  }
}
