import { createHash } from 'node:crypto';
import type { Database } from './database';
import { type ImageColumns, imageOf } from './fold';
import type { RowStep, Values } from './historyStep';
import type { Operation } from './record';
import type { SqlValue } from './types';

/** What an edit does to rows, told while the database still has them as they were before. */
export function rowSteps(database: Database, columns: ImageColumns, operations: readonly Operation[]): RowStep[] {
  return operations.flatMap(([table, id, after]): RowStep[] => {
    const names = columns[table]!;
    const before = imageOf(database, table, id, names);
    if (!before) return after ? [{ table, id, mark: digest(after) }] : [];
    if (!after) return [{ table, id, before: named(names, before) }];
    const changed = names.filter((_, at) => before[at] !== after[at]);
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

/** Tells whether a row is still what it was: equal digests, equal rows. */
export const digest = (image: readonly SqlValue[]): string =>
  createHash('md5').update(JSON.stringify(image)).digest('base64url');

export const rowOf = (database: Database, table: string, id: number): Values | undefined =>
  database.all<Record<string, SqlValue>>(`SELECT * FROM ${table} WHERE id = ?`, [id])[0];

const named = (names: readonly string[], image: readonly SqlValue[]): Values => picked(names, names, image);

function picked(wanted: readonly string[], names: readonly string[], image: readonly SqlValue[]): Values {
  return Object.fromEntries(wanted.map(name => [name, image[names.indexOf(name)]!]));
}

const alarmsOf = (database: Database, task: number): Values[] =>
  database.all<Record<string, SqlValue>>('SELECT * FROM task_alarms WHERE task_id = ? ORDER BY id', [task]);
