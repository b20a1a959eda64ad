import type { Operation, RowImage } from '../journal/record';
import type { RowStep, Values } from '../journal/undoStep';
import type { TransactionResult } from '../replica/transaction';
import type { ImageColumns } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { EditLabel, SqlValue } from '../types';

/** What the server and the sync keep: taking an edit back leaves them as they are now. */
export const kept: Readonly<Record<string, readonly string[]>> = {
  accounts: ['last_sync_at', 'last_sync_error'],
  task_lists: ['account_id', 'href', 'ctag', 'sync_token', 'is_dirty'],
  tasks: ['href', 'etag', 'sequence', 'last_modified', 'is_dirty'],
  task_alarms: [],
};

/** Of times, servers have no parts of a second. */
const unsure = [...kept.tasks!, 'created_at', 'completed_at'];

/** Digest of what a row says, whatever a server knows of it. */
export const contentOf = (names: readonly string[], image: readonly SqlValue[]): string =>
  digest(image.filter((_, at) => !unsure.includes(names[at]!)));

const dates = ['dtstart', 'due', 'duration', 'is_all_day', 'timezone', 'rrule', 'rdate', 'exdate'];
const status = ['status', 'percent_complete', 'completed_at'];

/** The columns that say something only together with this one, itself among them. */
export const groupOf = (table: string, name: string): readonly string[] =>
  (table === 'tasks' && [dates, status].find(group => group.includes(name))) || [name];

/** Whether an edit gave a task other dates. */
export const isRedated = ({ table, before, after }: RowStep): boolean =>
  table === 'tasks' && before !== undefined && after !== undefined && dates.some(name => before[name] !== after[name]);

/** What an edit does to rows; the database has them as they were before, or as they are then. */
export function rowSteps(
  database: Database,
  columns: ImageColumns,
  { operations, before: images }: Pick<TransactionResult<unknown>, 'operations' | 'before'>,
  { client }: EditLabel,
): RowStep[] {
  const alarms = new AlarmsBefore(database, columns, operations, images);
  return operations.flatMap(([table, id, after], at): RowStep[] => {
    const names = columns[table]!;
    const before = images[at];
    if (!before)
      return after ? [{ table, id, mark: digest(after), ...(client && { content: contentOf(names, after) }) }] : [];
    if (!after) return [{ table, id, before: named(names, before) }];
    const changed = names.filter((_, column) => before[column] !== after[column]);
    if (changed.length === 0) return [];
    const told = names.filter(name => groupOf(table, name).some(other => changed.includes(other)));
    const step = {
      table,
      id,
      before: picked(told, names, before),
      after: picked(told, names, after),
      mark: digest(after),
    };
    const becomesTombstone = table === 'tasks' && step.after.is_deleted === 1;
    if (!becomesTombstone) return [step];
    return [{ ...step, whole: named(names, before), alarms: alarms.of(id) }];
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

/** The alarms of tasks as they were before an edit. */
class AlarmsBefore {
  #touched: ReadonlyMap<number, Values | undefined> | undefined;

  constructor(
    private readonly database: Database,
    private readonly columns: ImageColumns,
    private readonly operations: readonly Operation[],
    private readonly images: readonly (RowImage | undefined)[],
  ) {}

  of(task: number): Values[] {
    this.#touched ??= this.#touchedAlarms();
    const sql = 'SELECT * FROM task_alarms WHERE task_id = ?';
    const untouched = this.database.all<Values>(sql, [task]).filter(({ id }) => !this.#touched!.has(id as number));
    const touched = [...this.#touched.values()].filter(alarm => alarm?.task_id === task) as Values[];
    return [...untouched, ...touched].sort((a, b) => (a.id as number) - (b.id as number));
  }

  #touchedAlarms(): ReadonlyMap<number, Values | undefined> {
    const names = this.columns.task_alarms!;
    return new Map(
      this.operations.flatMap(([table, id], at) => {
        const image = this.images[at];
        return table === 'task_alarms' ? [[id, image && { id, ...named(names, image) }] as const] : [];
      }),
    );
  }
}
