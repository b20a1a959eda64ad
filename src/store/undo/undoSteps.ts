import type { RowStep, Values } from '../journal/undoStep';
import type { TransactionResult } from '../replica/transaction';
import type { ImageColumns } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { SqlValue } from '../types';

/** What an edit does to rows, told while the database still has them as they were before. */
export function rowSteps(
  database: Database,
  columns: ImageColumns,
  { operations, before: images }: Pick<TransactionResult<unknown>, 'operations' | 'before'>,
): RowStep[] {
  return operations.flatMap(([table, id, after], at): RowStep[] => {
    const names = columns[table]!;
    const before = images[at];
    if (!before) return after ? [{ table, id, mark: digest(after) }] : [];
    if (!after) return [{ table, id, before: named(names, before) }];
    const changed = names.filter((_, column) => before[column] !== after[column]);
    if (changed.length === 0) return [];
    const step = {
      table,
      id,
      before: picked(changed, names, before),
      after: picked(changed, names, after),
      mark: digest(after),
    };
    const becomesTombstone = table === 'tasks' && step.after.is_deleted === 1;
    if (!becomesTombstone) return [step];
    return [{ ...step, whole: named(names, before), alarms: alarmsOf(database, id) }];
  });
}

/** Tells whether a row is still what it was: 64 bits (FNV-1a and a multiplicative mix), no defence against anyone. */
export function digest(image: readonly SqlValue[]): string {
  const text = JSON.stringify(image);
  let a = 0x811c9dc5;
  let b = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x9e3779b1) ^ (b >>> 15);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}

export const rowOf = (database: Database, table: string, id: number): Values | undefined =>
  database.all<Record<string, SqlValue>>(`SELECT * FROM ${table} WHERE id = ?`, [id])[0];

const named = (names: readonly string[], image: readonly SqlValue[]): Values => picked(names, names, image);

function picked(columns: readonly string[], names: readonly string[], image: readonly SqlValue[]): Values {
  return Object.fromEntries(columns.map(name => [name, image[names.indexOf(name)]!]));
}

const alarmsOf = (database: Database, task: number): Values[] =>
  database.all<Record<string, SqlValue>>('SELECT * FROM task_alarms WHERE task_id = ? ORDER BY id', [task]);
