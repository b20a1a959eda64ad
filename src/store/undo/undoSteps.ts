import type { Operation, RowImage } from '../journal/record';
import type { RowStep, Values } from '../journal/undoStep';
import type { TransactionResult } from '../replica/transaction';
import type { ImageColumns } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { SqlValue } from '../types';
import { digest } from './digest';

/** Columns that the server and sync maintain: undoing an edit leaves them as they are now. */
export const syncColumns: Readonly<Record<string, readonly string[]>> = {
  accounts: ['last_sync_at', 'last_sync_error'],
  task_lists: ['account_id', 'href', 'ctag', 'sync_token', 'is_dirty'],
  tasks: ['href', 'etag', 'sequence', 'last_modified', 'is_dirty'],
  task_alarms: [],
};

/** Columns that servers and other programs change on their own: servers, for one, cut times to whole seconds. */
const nonComparableColumns: ReadonlySet<string> = new Set([
  ...syncColumns.tasks!,
  'created_at',
  'completed_at',
  'sort_order',
  'unknown_properties',
]);

/** The content of a row, without what a server knows of it. */
export const comparableValues = (names: readonly string[], image: readonly SqlValue[]): readonly SqlValue[] =>
  image.filter((_, at) => !nonComparableColumns.has(names[at]!));

const dates = ['dtstart', 'due', 'duration', 'is_all_day', 'timezone', 'rrule', 'rdate', 'exdate'];
const status = ['status', 'percent_complete', 'completed_at'];

/** The columns that mean something only together with this one, itself among them. */
export const columnGroup = (table: string, name: string): readonly string[] =>
  (table === 'tasks' && [dates, status].find(group => group.includes(name))) || [name];

/** True if an edit changed a task's dates. */
export const isRedated = ({ table, before, after }: RowStep): boolean =>
  table === 'tasks' && before !== undefined && after !== undefined && dates.some(name => before[name] !== after[name]);

/** The effect of an edit on rows; the database has them from before the edit, or from then. */
export function rowSteps(
  database: Database,
  columns: ImageColumns,
  { operations, before: images }: Pick<TransactionResult<unknown>, 'operations' | 'before'>,
): RowStep[] {
  const alarms = new AlarmsBefore(database, columns, operations, images);
  let kind:
    | { readonly table: string; readonly changed: readonly number[]; readonly columns: readonly number[] }
    | undefined;
  const steps: RowStep[] = [];
  for (let at = 0; at < operations.length; at++) {
    const [table, id, after] = operations[at]!;
    const names = columns[table]!;
    const before = images[at];
    if (!before) {
      if (after) steps.push({ table, id, mark: digest(after), content: digest(comparableValues(names, after)) });
    } else if (!after) steps.push({ table, id, before: named(names, before) });
    else {
      const changed = differingColumns(before, after);
      if (changed.length === 0) continue;
      // Many rows at once mostly change alike.
      if (kind?.table !== table || !isSame(kind.changed, changed))
        kind = { table, changed, columns: recordedColumns(table, names, changed) };
      const { columns } = kind;
      const step = {
        table,
        id,
        before: pickColumns(columns, names, before),
        after: pickColumns(columns, names, after),
      };
      const mark = digest(after);
      const becomesTombstone = table === 'tasks' && step.after.is_deleted === 1;
      steps.push(
        becomesTombstone ? { ...step, mark, whole: named(names, before), alarms: alarms.of(id) } : { ...step, mark },
      );
    }
  }
  return steps;
}

function differingColumns(before: RowImage, after: RowImage): number[] {
  const columns: number[] = [];
  for (let column = 0; column < after.length; column++) if (before[column] !== after[column]) columns.push(column);
  return columns;
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((column, at) => column === other[at]);

/** The changed columns, and those that belong together with one of them. */
function recordedColumns(table: string, names: readonly string[], changed: readonly number[]): number[] {
  const isRecorded = (name: string) => columnGroup(table, name).some(other => changed.includes(names.indexOf(other)));
  return [...names.keys()].filter(column => isRecorded(names[column]!));
}

export const rowOf = (database: Database, table: string, id: number): Values | undefined =>
  database.all<Record<string, SqlValue>>(`SELECT * FROM ${table} WHERE id = ?`, [id])[0];

const named = (names: readonly string[], image: readonly SqlValue[]): Values =>
  pickColumns([...names.keys()], names, image);

function pickColumns(columns: readonly number[], names: readonly string[], image: readonly SqlValue[]): Values {
  const values: Record<string, SqlValue> = {};
  for (const column of columns) values[names[column]!] = image[column]!;
  return values;
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
