import type { Id } from '../../core/model';
import type { RowStep } from '../journal/undoStep';
import type { Database } from '../sql/database';
import { columnNames } from '../sql/rowMapping';
import type { SqlValue } from '../types';
import { digest } from '../undo/digest';
import type { ForeignRows } from './importDatabase';

/** A row that differs, with a name that a person knows it by. */
export interface DifferentRow {
  readonly table: 'accounts' | 'task_lists' | 'tasks' | 'task_alarms';
  readonly id: Id;
  readonly name: string;
  /** What restoring would do. */
  readonly change: 'added' | 'removed' | 'changed';
}

type Rows = ReadonlyMap<number, readonly SqlValue[]>;

const tables = ['accounts', 'task_lists', 'tasks', 'task_alarms'] as const;
const nameColumn = { accounts: 'display_name', task_lists: 'name', tasks: 'title', task_alarms: 'message' } as const;

/** How a database would change if its rows became those of `wanted`. */
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
 * What taking the database back to `wanted` amounts to, as undo understands it: synced lists and their rows become new
 * edits that are pushed over what the server has, all others exactly what they were.
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

const ownerOf = {
  accounts: undefined,
  task_lists: { table: 'accounts', column: 'account_id' },
  tasks: { table: 'task_lists', column: 'list_id' },
  task_alarms: { table: 'tasks', column: 'task_id' },
} as const;

/**
 * The rows of now and of a copy, by table. Accounts that came since the copy was made, lists that a server has since, and
 * all in them are left out: the copy says nothing of them, and taking them away here would delete them there.
 */
function compare(database: Database, foreignRows: ForeignRows): Readonly<Record<string, { now: Rows; then: Rows }>> {
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

const rowsNow = (database: Database, table: string): Rows =>
  byId(database.rows(`SELECT ${columnNames.get(table)!.join(', ')} FROM ${table}`));
const rowsOf = (foreignRows: ForeignRows, table: string): Rows => byId(foreignRows.rows.get(table)!);
const byId = (rows: readonly SqlValue[][]): Rows => new Map(rows.map(row => [row[0] as number, row]));
const isSame = (a: readonly SqlValue[], b: readonly SqlValue[]) => a.every((value, at) => value === b[at]);
