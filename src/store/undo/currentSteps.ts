import type { RowStep, Values } from '../journal/undoStep';
import { type ImageColumns, imagesOf } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { SqlValue } from '../types';
import { digest, groupOf, kept } from './undoSteps';

export type Columns = Record<string, SqlValue>;

/** A step and its row as it is before anything is taken back. */
export interface Found {
  readonly step: RowStep;
  /** Undefined where it is gone. */
  readonly row: Values | undefined;
  /** Nothing has happened to it since the edit. */
  readonly isUntouched: boolean;
}

/** All of them before the first is taken back, since that changes other rows: those below a parent, say. */
export function findRows(database: Database, columns: ImageColumns, steps: readonly RowStep[]): readonly Found[] {
  const images = new Map(
    [...new Set(steps.map(({ table }) => table))].map(table => {
      const ids = steps.filter(step => step.table === table).map(({ id }) => id);
      return [table, imagesOf(database, table, ids, columns[table]!)];
    }),
  );
  return steps.map(step => {
    const names = columns[step.table]!;
    const image = images.get(step.table)!.get(step.id);
    if (!image) return { step, row: undefined, isUntouched: false };
    const row: Columns = { id: step.id };
    for (let at = 0; at < names.length; at++) row[names[at]!] = image[at]!;
    return { step, row, isUntouched: digest(image) === step.mark };
  });
}

export const placeOf = ({ list_id, uid }: Values): string => `${list_id} ${uid}`;
export const place = ['list_id', 'uid', 'recurrence_id'] as const;
export const address = ['href', 'etag'] as const;
export const hasPlace = (values: Values): boolean => place.some(name => values[name] !== undefined);
export const pick = (row: Values, names: readonly string[]): Columns =>
  Object.fromEntries(names.map(name => [name, row[name]!]));

/**
 * The columns to restore: all that the edit changed, or those that still hold what it made of them. Of columns that say
 * something only together, a part would say what nobody has set.
 */
export function valuesOf({ step, row, isUntouched }: Found): Columns {
  const { table, before, after } = step;
  if (isUntouched) return { ...before };
  const isStill = (name: string) =>
    after![name] === undefined || (!kept[table]!.includes(name) && isSame(name, row?.[name], after![name]));
  return Object.fromEntries(Object.entries(before!).filter(([name]) => groupOf(table, name).every(isStill)));
}

/** Servers have no parts of a second. */
function isSame(name: string, one: SqlValue | undefined, other: SqlValue | undefined): boolean {
  const isTime = name === 'completed_at' && typeof one === 'number' && typeof other === 'number';
  return isTime ? Math.floor(one / 1000) === Math.floor(other / 1000) : one === other;
}
