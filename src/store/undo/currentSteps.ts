import type { RowStep, Values } from '../journal/undoStep';
import { type ImageColumns, imageOf } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { SqlValue } from '../types';
import { digest, rowOf } from './undoSteps';

/** What the server and the sync keep: taking an edit back leaves them as they are now. */
const kept: Readonly<Record<string, readonly string[]>> = {
  accounts: ['last_sync_at', 'last_sync_error'],
  task_lists: ['account_id', 'href', 'ctag', 'sync_token', 'is_dirty'],
  tasks: ['href', 'etag', 'sequence', 'last_modified', 'is_dirty'],
  task_alarms: [],
};

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
export const findRows = (database: Database, columns: ImageColumns, steps: readonly RowStep[]): readonly Found[] =>
  steps.map(step => {
    const image = imageOf(database, step.table, step.id, columns[step.table]!);
    const isUntouched = image !== undefined && digest(image) === step.mark;
    return { step, row: image && rowOf(database, step.table, step.id), isUntouched };
  });

export const placeOf = ({ list_id, uid }: Values): string => `${list_id} ${uid}`;
export const place = ['list_id', 'uid', 'recurrence_id'] as const;
export const address = ['href', 'etag'] as const;
export const hasPlace = (values: Values): boolean => place.some(name => values[name] !== undefined);
export const pick = (row: Values, names: readonly string[]): Columns =>
  Object.fromEntries(names.map(name => [name, row[name]!]));

/** The columns to restore: all that the edit changed, or those that still hold what it made of them. */
export function valuesOf({ step, row, isUntouched }: Found): Columns {
  if (isUntouched) return { ...step.before };
  const still = ([name]: [string, SqlValue]) => !kept[step.table]!.includes(name) && row?.[name] === step.after![name];
  return Object.fromEntries(Object.entries(step.before!).filter(still));
}
