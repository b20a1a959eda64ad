import type { Id } from '../core/model';
import type { Database } from './database';
import type { ForeignRows } from './foreignFile';
import type { RowStep } from './historyStep';
import { digest } from './rowSteps';
import { columnNames } from './rows';
import type { SqlValue } from './types';

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
export function differences(database: Database, wanted: ForeignRows): DifferentRow[] {
  return tables.flatMap(table => {
    const now = rowsNow(database, table);
    const then = rowsOf(wanted, table);
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
 * What taking the database back to `wanted` amounts to, as undo understands it: rows of synced lists become new edits
 * that are pushed over what the server has, all others exactly what they were.
 */
export function stepsTo(database: Database, wanted: ForeignRows): RowStep[] {
  const local = new Set(
    database.rows('SELECT id FROM task_lists WHERE account_id IS NULL').map(([id]) => id as number),
  );
  return tables.flatMap(table => {
    const columns = columnNames.get(table)!.slice(1);
    const now = rowsNow(database, table);
    const then = rowsOf(wanted, table);
    const named = (row: readonly SqlValue[]) => Object.fromEntries(columns.map((name, at) => [name, row[at + 1]!]));
    const isLocal = (row: readonly SqlValue[]) => table !== 'tasks' || local.has(row[1] as number);
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

const rowsNow = (database: Database, table: string): Rows =>
  byId(database.rows(`SELECT ${columnNames.get(table)!.join(', ')} FROM ${table}`));
const rowsOf = (wanted: ForeignRows, table: string): Rows => byId(wanted.rows.get(table)!);
const byId = (rows: readonly SqlValue[][]): Rows => new Map(rows.map(row => [row[0] as number, row]));
const isSame = (a: readonly SqlValue[], b: readonly SqlValue[]) => a.every((value, at) => value === b[at]);
