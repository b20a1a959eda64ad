import type { RowStep, Values } from '../journal/undoStep';
import { type ImageColumns, imagesOf } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { SqlValue } from '../types';
import { isOfDigest } from './digest';
import { columnGroup, syncColumns } from './undoSteps';

export type ColumnValues = Record<string, SqlValue>;

/** A step and its row as it is before anything is taken back. */
export interface Found {
  readonly step: RowStep;
  /** Undefined if it is gone. Read its columns by name: it has no own properties to copy. */
  readonly row: Values | undefined;
  /** Nothing has happened to it since the edit. */
  readonly isUntouched: boolean;
}

/**
 * Reads all of them before the first is reverted, since that changes other rows, such as the subtasks of a parent. None
 * of them has changed if the edit `isLatest`.
 */
export function findRows(
  database: Database,
  columns: ImageColumns,
  steps: readonly RowStep[],
  isLatest: boolean,
): readonly Found[] {
  const staysThere = ({ table, before, after }: RowStep) =>
    isLatest && table === 'tasks' && before !== undefined && after !== undefined && !hasInstanceKey(before);
  const read = (table: string, some: readonly RowStep[], names: readonly string[]) =>
    imagesOf(
      database,
      table,
      some.map(({ id }) => id),
      names,
    );
  const images = new Map(
    [...new Set(steps.map(({ table }) => table))].map(table => {
      const own = steps.filter(step => step.table === table);
      const whole = own.filter(step => !staysThere(step));
      const some = own.filter(staysThere);
      return [table, { whole: read(table, whole, columns[table]!), some: read(table, some, identityColumns) }];
    }),
  );
  return steps.map(step => {
    const isWhole = !staysThere(step);
    const image = images.get(step.table)![isWhole ? 'whole' : 'some'].get(step.id);
    if (!image) return { step, row: undefined, isUntouched: false };
    const row = rowWith(isWhole ? columns[step.table]! : identityColumns, step.id, image);
    return { step, row, isUntouched: isLatest || isOfDigest(image, step.mark) };
  });
}

type RowClass = new (id: number, image: readonly SqlValue[]) => Values;
const rowClasses = new Map<readonly string[], RowClass>();

/** Reads an image by name: objects of thirty properties cost more than all that is done with them. */
function rowWith(names: readonly string[], id: number, image: readonly SqlValue[]): Values {
  let RowOf = rowClasses.get(names);
  if (!RowOf) {
    const Row = class {
      constructor(
        readonly id: number,
        readonly image: readonly SqlValue[],
      ) {}
    };
    for (const [at, name] of names.entries())
      Object.defineProperty(Row.prototype, name, {
        get(this: InstanceType<typeof Row>) {
          return this.image[at];
        },
      });
    RowOf = Row as unknown as RowClass;
    rowClasses.set(names, RowOf);
  }
  return new RowOf(id, image);
}

export const taskKey = ({ list_id, uid }: Values): string => `${list_id} ${uid}`;
export const instanceKey = ['list_id', 'uid', 'recurrence_id'] as const;
export const address = ['href', 'etag'] as const;
export const hasInstanceKey = (values: Values): boolean => instanceKey.some(name => values[name] !== undefined);
/** The columns that show where a task is and what a server knows of it. */
export const identityColumns = [...instanceKey, ...address, 'is_deleted', 'is_dirty'];

export function pick(row: Values, names: readonly string[]): ColumnValues {
  const picked: ColumnValues = {};
  for (const name of names) picked[name] = row[name]!;
  return picked;
}

/**
 * The columns to restore: all that the edit changed, or those that still have the value that it set. Columns that mean
 * something only together are restored together: a part of them would be a value that nobody has set.
 */
export function valuesToRestore({ step, row, isUntouched }: Found): ColumnValues {
  const { table, before, after } = step;
  if (isUntouched) return { ...before };
  const isStill = (name: string) =>
    after![name] === undefined || (!syncColumns[table]!.includes(name) && isSame(name, row?.[name], after![name]));
  return Object.fromEntries(Object.entries(before!).filter(([name]) => columnGroup(table, name).every(isStill)));
}

/** Servers have no parts of a second. */
function isSame(name: string, one: SqlValue | undefined, other: SqlValue | undefined): boolean {
  const isTime = name === 'completed_at' && typeof one === 'number' && typeof other === 'number';
  return isTime ? Math.floor(one / 1000) === Math.floor(other / 1000) : one === other;
}
