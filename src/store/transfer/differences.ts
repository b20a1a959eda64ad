import type { Id } from '../../core/kernel/model';
import type { RowStep } from '../journal/undoStep';
import type { Database } from '../sql/database';
import { columnNames } from '../sql/rowReader';
import type { SqlValue } from '../types';
import { digest } from '../undo/digest';
import type { ForeignRows } from './importDatabase';

/** A row that differs, with the name that the user knows it by. */
export interface DifferentRow {
  readonly table: 'accounts' | 'task_lists' | 'tasks' | 'task_alarms';
  readonly id: Id;
  readonly name: string;
  /** The change that restoring would make. */
  readonly change: 'added' | 'removed' | 'changed';
}

type Rows = ReadonlyMap<number, readonly SqlValue[]>;

const tables = ['accounts', 'task_lists', 'tasks', 'task_alarms'] as const;
const nameColumn = { accounts: 'display_name', task_lists: 'name', tasks: 'title', task_alarms: 'message' } as const;

/** The changes that would turn a database's rows into those of `wanted`. */
export function differences(database: Database, foreignRows: ForeignRows): DifferentRow[] {
  const compared = compare(database, foreignRows);
  return tables.flatMap(table => {
    const { now, then } = compared[table]!;
    const named = (change: DifferentRow['change'], rows: Rows) => (id: number) => ({
      table,
      id,
      name: String(rows.get(id)![columnNames.get(table)!.indexOf(nameColumn[table])] ?? ''),
      change,
    });
    const changed = [...then.keys()].filter(id => now.has(id) && !isSame(now.get(id)!, then.get(id)!));
    return [
      ...[...then.keys()].filter(id => !now.has(id)).map(named('added', then)),
      ...changed.map(named('changed', then)),
      ...[...now.keys()].filter(id => !then.has(id)).map(named('removed', now)),
    ];
  });
}

/**
 * The undo steps that restore the rows of `wanted`: rows of synced lists become new edits, which are pushed over the
 * server's version; all others become exactly what they were.
 */
export function stepsTo(database: Database, foreignRows: ForeignRows): RowStep[] {
  const compared = compare(database, foreignRows);
  const local = new Set(
    database.rows('SELECT id FROM task_lists WHERE account_id IS NULL').map(([id]) => id as number),
  );
  return tables.flatMap(table => {
    const columns = columnNames.get(table)!.slice(1);
    const { now, then } = compared[table]!;
    const named = (row: readonly SqlValue[]) => Object.fromEntries(columns.map((name, at) => [name, row[at + 1]!]));
    const listColumn = { task_lists: 0, tasks: 1 } as Partial<Record<string, number>>;
    const isLocal = (row: readonly SqlValue[]) =>
      listColumn[table] === undefined || local.has(row[listColumn[table]] as number);
    const mark = (row: readonly SqlValue[]) => (isLocal(row) ? digest(row.slice(1)) : '');
    const made = [...now].filter(([id]) => !then.has(id)).map(([id, row]) => ({ table, id, mark: mark(row) }));
    const removed = [...then].filter(([id]) => !now.has(id)).map(([id, row]) => ({ table, id, before: named(row) }));
    const changed = [...then].flatMap(([id, before]): RowStep[] => {
      const after = now.get(id);
      if (!after || isSame(after, before)) return [];
      const differing = columns.filter((_, at) => before[at + 1] !== after[at + 1]);
      const of = (row: readonly SqlValue[]) =>
        Object.fromEntries(differing.map(name => [name, row[columns.indexOf(name) + 1]!]));
      return [{ table, id, before: of(before), after: of(after), mark: mark(after) }];
    });
    return [...made, ...removed, ...changed];
  });
}

/**
 * True if a backup is of another store: of another computer, or of one that was lost since. Each store assigns ids from 1
 * on, each once: those of its own backups are its own, for the same tasks. If rows of two stores with one id counted
 * as versions of one row, the backup would overwrite what an account has.
 */
export function isOfOtherStore(database: Database, { rows }: ForeignRows): boolean {
  const highestId = (database.value("SELECT seq FROM sqlite_sequence WHERE name = 'tasks'") as number | undefined) ?? 0;
  // A store that never had a task or an account has nothing to lose.
  if (highestId === 0 && database.value('SELECT 1 FROM accounts') === undefined) return false;
  const here = new Map(database.rows('SELECT id, uid, href, list_id FROM tasks').map(([id, ...row]) => [id, row]));
  const at = (row: readonly SqlValue[], name: string) => row[columnNames.get('tasks')!.indexOf(name)]!;
  return rows.get('tasks')!.some(row => {
    if ((row[0] as number) > highestId) return true;
    const [uid, href, list] = here.get(row[0]!) ?? [];
    if (uid === undefined || uid === at(row, 'uid')) return false;
    // Some servers change a UID in place.
    return href === null || href !== at(row, 'href') || list !== at(row, 'list_id');
  });
}

const ownerOf = {
  accounts: undefined,
  task_lists: { table: 'accounts', column: 'account_id' },
  tasks: { table: 'task_lists', column: 'list_id' },
  task_alarms: { table: 'tasks', column: 'task_id' },
} as const;

/**
 * The current rows and those of a backup, by table. Accounts and synced lists that were added since the backup, and
 * everything in them, are left out: the backup does not know them, and removing them here would delete them on the
 * server.
 */
function compare(database: Database, copy: ForeignRows): Readonly<Record<string, { now: Rows; then: Rows }>> {
  const foreignRows = withIdsOfToday(database, copy);
  const brought = new Map<string, ReadonlySet<SqlValue>>();
  const compared = tables.map(table => {
    const at = (row: readonly SqlValue[], name: string) => row[columnNames.get(table)!.indexOf(name)]!;
    const owner = ownerOf[table];
    const isBrought = (row: readonly SqlValue[]) =>
      !owner ||
      brought.get(owner.table)!.has(at(row, owner.column)) ||
      (table === 'task_lists' && at(row, 'account_id') !== null && at(row, 'href') !== null);
    const then = rowsOf(foreignRows, table);
    const [theirs, now] = [new Set<SqlValue>(), new Map<number, readonly SqlValue[]>()];
    for (const [id, row] of rowsNow(database, table)) {
      if (!then.has(id) && isBrought(row)) theirs.add(id);
      else now.set(id, row);
    }
    brought.set(table, theirs);
    return [table, { now, then }] as const;
  });
  return Object.fromEntries(compared);
}

/** Columns that hold the id of a task. */
const taskIds: Readonly<Record<string, readonly string[]>> = {
  tasks: ['id', 'parent_id', 'master_id'],
  task_alarms: ['task_id'],
};

/**
 * A backup with the ids that its tasks have today. A task that was deleted and restored has another row but is still
 * the same task: treated as two, it would come back next to itself.
 */
function withIdsOfToday(database: Database, { schema, rows }: ForeignRows): ForeignRows {
  const ids = idsOfToday(database, rows);
  if (ids.size === 0) return { schema, rows };
  const renamed = [...rows].map(([table, some]) => {
    const columns = (taskIds[table] ?? []).map(name => columnNames.get(table)!.indexOf(name));
    const rename = (row: readonly SqlValue[]) =>
      row.map((value, at) => (columns.includes(at) ? (ids.get(value) ?? value) : value));
    return [table, columns.length === 0 ? some : some.map(rename)] as const;
  });
  return { schema, rows: new Map(renamed) };
}

/**
 * The ids of tasks that have another row by now, in the same list or else in another one of the account that their list
 * belongs to today, or that it belonged to if it has left it since.
 */
function idsOfToday(database: Database, rows: ForeignRows['rows']): ReadonlyMap<SqlValue, SqlValue> {
  const named = (table: string, row: readonly SqlValue[], name: string) => row[columnNames.get(table)!.indexOf(name)]!;
  const accountIn = (lists: Rows, list: SqlValue) =>
    named('task_lists', lists.get(list as number) ?? [], 'account_id') ?? null;
  const living = (some: Iterable<readonly SqlValue[]>, known: Rows, accountOf: (list: SqlValue) => SqlValue) =>
    [...some]
      .filter(row => !known.has(row[0] as number) && named('tasks', row, 'is_deleted') !== 1)
      .map(row => {
        const list = named('tasks', row, 'list_id');
        const task = JSON.stringify([named('tasks', row, 'uid'), named('tasks', row, 'recurrence_id')]);
        return { id: row[0]!, keys: [`${list} ${task}`, `of account ${accountOf(list)} ${task}`] };
      });
  const [now, then] = [rowsNow(database, 'tasks'), byId(rows.get('tasks')!)];
  const [lists, listsThen] = [rowsNow(database, 'task_lists'), byId(rows.get('task_lists')!)];
  const lost = living(then.values(), now, list => accountIn(lists, list) ?? accountIn(listsThen, list));
  const come = lost.length === 0 ? [] : living(now.values(), then, list => accountIn(lists, list));
  const ids = new Map<SqlValue, SqlValue>();
  const taken = new Set<SqlValue>();
  for (const level of [0, 1]) {
    const free = new Map(come.filter(({ id }) => !taken.has(id)).map(({ id, keys }) => [keys[level], id]));
    for (const { id, keys } of lost) {
      const today = ids.has(id) ? undefined : free.get(keys[level]);
      if (today === undefined || taken.has(today)) continue;
      ids.set(id, today);
      taken.add(today);
    }
  }
  return ids;
}

const rowsNow = (database: Database, table: string): Rows =>
  byId(database.rows(`SELECT ${columnNames.get(table)!.join(', ')} FROM ${table}`));
const rowsOf = (foreignRows: ForeignRows, table: string): Rows => byId(foreignRows.rows.get(table)!);
const byId = (rows: readonly SqlValue[][]): Rows => new Map(rows.map(row => [row[0] as number, row]));
const isSame = (a: readonly SqlValue[], b: readonly SqlValue[]) => a.every((value, at) => value === b[at]);
