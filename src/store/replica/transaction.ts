import type { Operation } from '../journal/record';
import type { ImageColumns } from '../snapshot/applyRecords';
import type { Database } from '../sql/database';
import type { ChangeNotes, Changes } from './changeNotes';

export interface TransactionResult<T> extends Changes {
  readonly result: T;
  readonly sequences: Readonly<Record<string, number>> | undefined;
  /** Set if the rows are still as the edit left them, in an open transaction that ends before anything else happens. */
  readonly transaction: PendingTransaction | undefined;
}

/**
 * An edit that removed nothing waits in its transaction: once the record is accepted, committing has the same effect as
 * applying its images, and costs nothing.
 */
export class PendingTransaction {
  #isOpen = true;

  constructor(
    private readonly database: Database,
    private readonly notes: ChangeNotes,
  ) {}

  keep(): void {
    this.#isOpen = false;
    this.notes.clear();
    this.database.run('COMMIT');
  }

  /** May be called at any time; kept changes stay. */
  drop(): void {
    if (this.#isOpen) this.database.rollBack();
    this.#isOpen = false;
  }
}

/**
 * Runs `work`, records its changes, and rolls them back: at once or, if nothing was removed, when `transaction` is
 * dropped.
 */
export function runTransaction<T>(
  database: Database,
  notes: ChangeNotes,
  columns: ImageColumns,
  work: () => T,
): TransactionResult<T> {
  database.run('BEGIN');
  database.forgetWritten();
  const transaction = new PendingTransaction(database, notes);
  try {
    const result = work();
    const { operations, before } = notes.collect(columns);
    if (operations.length > 0 && operations.every(([, , image]) => image))
      return { result, operations, before, sequences: undefined, transaction };
    transaction.drop();
    return { result, operations, before, sequences: hiddenSequences(database, operations), transaction: undefined };
  } catch (error) {
    transaction.drop();
    throw error;
  } finally {
    // An import's rows are not to be kept until the next edit.
    database.forgetWritten();
  }
}

/** Generated ids that the images do not show, since their rows came and went inside the edit. */
function hiddenSequences(database: Database, operations: readonly Operation[]): Record<string, number> | undefined {
  const gone = new Map<string, number>();
  for (const [table, id, image] of operations) if (!image) gone.set(table, Math.max(id, gone.get(table) ?? 0));
  const hidden: Record<string, number> = {};
  for (const [table, highest] of gone) {
    const visibleIds = operations.filter(([name, , image]) => image && name === table).map(([, id]) => id);
    const before = (database.value('SELECT seq FROM sqlite_sequence WHERE name = ?', [table]) as number) ?? 0;
    if (highest > visibleIds.reduce((a, b) => Math.max(a, b), before)) hidden[table] = highest;
  }
  return Object.keys(hidden).length > 0 ? hidden : undefined;
}
