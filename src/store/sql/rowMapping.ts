import { decodeTags, encodeTags } from '../../core/fields/tags';
import { DuelineError } from '../../core/kernel/errors';
import type {
  Account,
  Alarm,
  AlarmReference,
  ClassificationCode,
  StatusCode,
  Task,
  TaskList,
} from '../../core/kernel/model';
import type { SqlValue } from '../types';
import { schemaVersion, tablesOf } from './schema';

/** Columns of a table in the schema's order, `id` first, for SELECT lists that do not depend on the file's order. */
export const columnNames = new Map<string, readonly string[]>(
  tablesOf(schemaVersion).map(table => [table.name, table.columns.map(column => column.name)]),
);

export const accountColumns = selectList('accounts', 'a');
export const listColumns = selectList('task_lists', 'l');
export const taskColumns = selectList('tasks', 't');
export const alarmColumns = selectList('task_alarms', 'm');

function selectList(table: string, alias: string): string {
  return columnNames
    .get(table)!
    .map(name => `${alias}.${name}`)
    .join(', ');
}

const flag = (value: SqlValue | undefined) => value === 1;
const orNull = <T extends SqlValue>(value: SqlValue | undefined) => (value ?? null) as T | null;

export const accountOf = (row: readonly SqlValue[]): Account => ({
  id: row[0] as number,
  displayName: row[1] as string,
  principalUrl: orNull<string>(row[2]),
  homeSetUrl: orNull<string>(row[3]),
  username: orNull<string>(row[4]),
  lastSyncAt: orNull<number>(row[5]),
  lastSyncError: orNull<string>(row[6]),
});

export const listOf = (row: readonly SqlValue[]): TaskList => ({
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

export const taskOf = (row: readonly SqlValue[], alarms: readonly Alarm[]): Task => ({
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

export const alarmOf = (row: readonly SqlValue[]): Alarm => ({
  id: row[0] as number,
  taskId: row[1] as number,
  minutesBefore: row[2] as number,
  reference: row[3] as AlarmReference,
  message: orNull<string>(row[4]),
});

/** `display_name` → `displayName`; the one column whose field has another name is `categories`. */
const fieldOf = (column: string) =>
  column === 'categories' ? 'tags' : column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Some columns of a task as its fields. */
export const taskFieldsOf = (values: Readonly<Record<string, SqlValue>>): Partial<Task> =>
  Object.fromEntries(
    Object.entries(values).map(([column, value]) => {
      if (column === 'categories') return ['tags', value ? decodeTags(value as string) : []];
      return [fieldOf(column), column.startsWith('is_') ? flag(value) : value];
    }),
  );

/** By table: what may be set, by the field's name. */
const columnOfField = new Map<string, ReadonlyMap<string, string>>(
  [...columnNames].map(([table, columns]) => [table, new Map(columns.slice(1).map(name => [fieldOf(name), name]))]),
);

/**
 * The columns that a patch sets, and their values; fields that are `undefined` are left out.
 * Throws `invalid` for a number that is no integer and for a field that the table does not have.
 */
export function columnsOf(table: string, patch: object): { columns: string[]; values: SqlValue[] } {
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
export const insertedColumns = (table: string): readonly string[] => insertions.get(table)!.columns;

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
