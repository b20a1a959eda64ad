import { encodeTags } from '../../core/fields/tags';
import { alarmKey } from '../../core/ical/alarmKey';
import { DuelineError } from '../../core/kernel/errors';
import type { AlarmInput, Id } from '../../core/kernel/model';
import type { NewRow, RowPatch } from '../../core/kernel/rowEdit';
import type { AccountColumns, ListColumns, NewAccountRow, NewListRow, SqlValue, Writer } from '../types';
import { columnNames, fieldOf, RowReader } from './rowReader';
import { schemaVersion, tablesOf } from './schema';

const nouns: Record<string, string> = { accounts: 'account', task_lists: 'list', tasks: 'task' };

/** Writes rows inside the transaction of an edit, and holds what SQL alone does not. */
export class RowWriter extends RowReader implements Writer {
  insertAccount(row: NewAccountRow): Id {
    return this.#insert('accounts', [row])[0]!;
  }

  updateAccount(id: Id, patch: Partial<AccountColumns>): void {
    this.#update('accounts', id, patch);
  }

  deleteAccount(id: Id): void {
    this.#delete('accounts', id);
  }

  insertList(row: NewListRow): Id {
    return this.#insert('task_lists', [row])[0]!;
  }

  updateList(id: Id, patch: Partial<ListColumns>): void {
    this.#update('task_lists', id, patch);
  }

  deleteList(id: Id): void {
    this.#delete('task_lists', id);
  }

  insertTask(row: NewRow): Id {
    this.#checkUnique(undefined, row.listId, row.uid, row.recurrenceId ?? null);
    const [id] = this.#insert('tasks', [row]);
    this.#insertAlarms(row.alarms?.map(alarm => [id!, alarm]));
    return id!;
  }

  insertMasters(rows: readonly NewRow[]): void {
    this.#checkMasters(rows);
    const ids = this.#insert('tasks', rows);
    this.#insertAlarms(rows.flatMap(({ alarms = [] }, at) => alarms.map(alarm => [ids[at]!, alarm] as const)));
  }

  updateTask(id: Id, patch: RowPatch): void {
    if (patch.listId !== undefined || patch.uid !== undefined || patch.recurrenceId !== undefined) {
      const [now] = this.database().rows('SELECT list_id, uid, recurrence_id FROM tasks WHERE id = ?', [id]);
      if (now) {
        const recurrenceId = patch.recurrenceId === undefined ? (now[2] as number | null) : patch.recurrenceId;
        this.#checkUnique(id, patch.listId ?? (now[0] as Id), patch.uid ?? (now[1] as string), recurrenceId);
      }
    }
    this.#update('tasks', id, patch);
    if (patch.alarms) this.#setAlarms(id, patch.alarms);
  }

  deleteTask(id: Id): void {
    this.#delete('tasks', id);
  }

  /** SQL's unique index lets two masters pass, since it holds their NULL recurrence ids distinct. */
  #checkUnique(self: Id | undefined, listId: Id, uid: string, recurrenceId: number | null): void {
    const taken = this.database().rows(
      'SELECT id FROM tasks WHERE list_id = ? AND uid = ? AND recurrence_id IS ? AND id IS NOT ?',
      [listId, uid, recurrenceId, self ?? null],
    );
    if (taken.length > 0) throw duplicate(listId, uid);
  }

  /** Checks the UIDs of masters, with one query for each list. */
  #checkMasters(rows: readonly NewRow[]): void {
    const taken = new Map<Id, Set<string>>();
    for (const { listId, uid } of rows) {
      const known = taken.get(listId) ?? this.#mastersAmong(listId, rows);
      if (known.has(uid)) throw duplicate(listId, uid);
      taken.set(listId, known.add(uid));
    }
  }

  #mastersAmong(listId: Id, rows: readonly NewRow[]): Set<string> {
    const found = this.database().rows(
      'SELECT uid FROM tasks WHERE list_id = ? AND recurrence_id IS NULL AND uid IN (SELECT value FROM json_each(?))',
      [listId, JSON.stringify(rows.map(({ uid }) => uid))],
    );
    return new Set(found.map(([uid]) => uid as string));
  }

  /** An unchanged alarm keeps its id, so that references to it (a snooze) stay valid. */
  #setAlarms(taskId: Id, alarms: readonly AlarmInput[]): void {
    const kept = new Map<string, Id[]>();
    for (const alarm of this.task(taskId)!.alarms)
      kept.set(alarmKey(alarm), [...(kept.get(alarmKey(alarm)) ?? []), alarm.id]);
    const added = alarms.filter(alarm => kept.get(alarmKey(alarm))?.shift() === undefined);
    for (const id of [...kept.values()].flat()) this.database().run('DELETE FROM task_alarms WHERE id = ?', [id]);
    this.#insertAlarms(added.map(alarm => [taskId, alarm]));
  }

  #insertAlarms(alarms: readonly (readonly [taskId: Id, alarm: AlarmInput])[] = []): void {
    const rows = alarms.map(([taskId, { minutesBefore, reference = 'DUE', message = null }]) => ({
      taskId,
      minutesBefore,
      reference,
      message,
    }));
    if (rows.length > 0) this.#insert('task_alarms', rows);
  }

  #insert(table: string, rows: readonly object[]): Id[] {
    const values = rows.map(row => insertedValues(table, row));
    return this.#guarded(() => this.database().insert({ table, columns: insertedColumns(table) }, values));
  }

  #update(table: string, id: Id, patch: object): void {
    const { columns, values } = columnsOf(table, patch);
    const missing = () => new DuelineError('notFound', `There is no ${nouns[table]} ${id}.`);
    if (columns.length === 0) {
      if (this.database().value(`SELECT 1 FROM ${table} WHERE id = ?`, [id]) === undefined) throw missing();
      return;
    }
    this.#guarded(() => this.database().update(table, id, columns, values));
    if (this.database().changes === 0) throw missing();
  }

  /** Deleting a row that is already gone (by a cascade, by another window) is not an error. */
  #delete(table: string, id: Id): void {
    this.database().run(`DELETE FROM ${table} WHERE id = ?`, [id]);
  }

  #guarded<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      const { message } = error as Error;
      if (message.includes('FOREIGN KEY')) {
        throw new DuelineError('notFound', 'What this refers to does not exist.', {
          cause: error,
        });
      }
      if (message.includes('constraint')) throw new DuelineError('invalid', message, { cause: error });
      throw error;
    }
  }
}

const duplicate = (listId: Id, uid: string): DuelineError =>
  new DuelineError('duplicate', `List ${listId} already has a task with the uid ${uid}.`);

/** By table: what may be set, by the field's name. */
const columnOfField = new Map<string, ReadonlyMap<string, string>>(
  [...columnNames].map(([table, columns]) => [table, new Map(columns.slice(1).map(name => [fieldOf(name), name]))]),
);

/**
 * The columns that a patch sets, and their values; fields that are `undefined` are left out.
 * Throws `invalid` for a number that is no integer and for a field that the table does not have.
 */
function columnsOf(table: string, patch: object): { columns: string[]; values: SqlValue[] } {
  const known = columnOfField.get(table)!;
  const columns: string[] = [];
  const values: SqlValue[] = [];
  for (const [field, value] of Object.entries(patch)) {
    if (value === undefined || field === 'alarms') continue;
    columns.push(known.get(field) ?? refuse(table, field));
    values.push(storedValue(field, value));
  }
  return { columns, values };
}

function refuse(table: string, field: string): never {
  throw new DuelineError('invalid', `${table} has no field ${field} to set.`);
}

interface Insertion {
  readonly columns: readonly string[];
  readonly fields: readonly string[];
  /** The values of columns that are not set. */
  readonly defaults: readonly SqlValue[];
}

/** Every column is named in every row, so that the same prepared statement does for all. */
const insertions = new Map<string, Insertion>(
  tablesOf(schemaVersion).map(({ name, columns }) => {
    const set = columns.slice(1);
    const names = set.map(column => column.name);
    return [
      name,
      {
        columns: names,
        fields: set.map(column => fieldOf(column.name)),
        defaults: set.map(({ defaultValue }) => valueOfLiteral(defaultValue)),
      },
    ];
  }),
);

function valueOfLiteral(literal: string | undefined): SqlValue {
  if (literal === undefined) return null;
  return literal.startsWith("'") ? literal.slice(1, -1) : Number(literal);
}

/** The columns of a table that a new row sets: all but its id. */
const insertedColumns = (table: string): readonly string[] => insertions.get(table)!.columns;

/** A new row's values in that order. Throws as {@link columnsOf} does. */
export function insertedValues(table: string, row: object): SqlValue[] {
  const { fields, defaults } = insertions.get(table)!;
  const values = row as Readonly<Record<string, unknown>>;
  const known = columnOfField.get(table)!;
  for (const field in values) {
    if (values[field] !== undefined && field !== 'alarms' && !known.has(field)) refuse(table, field);
  }
  return fields.map((field, at) => {
    const value = values[field];
    return value === undefined ? defaults[at]! : storedValue(field, value);
  });
}

function storedValue(field: string, value: unknown): SqlValue {
  if (field === 'tags') return encodeTags(value as readonly string[]);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new DuelineError('invalid', `${field} must be an integer, not ${value}.`);
  }
  return value as SqlValue;
}
