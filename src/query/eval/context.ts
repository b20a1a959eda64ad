import type { Account, Id, Task, TaskList } from '../../core/kernel/model';
import type { EngineSettings } from '../../core/kernel/settings';
import type { Clock } from '../../core/time/clock';
import type { CodeScope } from '../parse/syntax';

export type SqlParam = string | number | null;

/** The source of the rows of a query, such as the store's reader. */
export interface TaskSource {
  accounts(): readonly Account[];
  lists(): readonly TaskList[];
  task(id: Id): Task | undefined;
  /** Tasks (alias `t`) that a SQL condition over the table `tasks` selects; `tail` may hold ORDER BY and LIMIT. */
  selectTasks(where: string, params?: readonly SqlParam[], tail?: string): readonly Task[];
  /** Rows of any read-only SELECT over the four tables. */
  select<Row = Record<string, SqlParam | Uint8Array>>(sql: string, params?: readonly SqlParam[]): readonly Row[];
  /** Visits the rows of a SELECT one by one, with the values in the order of their columns: for very many rows. */
  each(sql: string, params: readonly SqlParam[], visit: (row: readonly (SqlParam | Uint8Array)[]) => void): void;
}

/** Everything a query depends on besides its text and the rows. */
export interface QueryContext {
  readonly clock: Clock;
  readonly settings: EngineSettings;
  /** BCP 47; decides the first day of the week if the settings leave it open, and the order of titles. */
  readonly locale?: string;
  /** Only these lists, hidden ones among them included. */
  readonly lists?: readonly Id[];
  /** At most this many; the smaller of this and the query's own `limit:` holds. */
  readonly limit?: number;
  /** A task that is hidden from the caller is not there: no line, no relative, and nothing that a limit counts. */
  readonly isVisible?: (task: Task) => boolean;
  /** Tasks that the sidecar knows as snoozed, in conflict, or refused by their server. */
  readonly snoozed?: ReadonlySet<Id>;
  readonly conflicted?: ReadonlySet<Id>;
  /** The task that time runs for. */
  readonly active?: () => ReadonlySet<Id>;
  /** The tasks that agents have claimed, with the names of the agents. */
  readonly claimed?: () => ReadonlyMap<Id, string>;
  readonly syncErrors?: ReadonlySet<Id>;
  /**
   * Tasks linked to the code in front; absent or undefined if it is unknown, as in a terminal, which has no file in
   * front.
   */
  readonly here?: (scope: CodeScope) => ReadonlySet<Id> | undefined;
  /** Tasks whose code links are `any`, `stale` or `file:path`; absent, or undefined, in the same way. */
  readonly links?: (value: string) => ReadonlySet<Id> | undefined;
  /** Completed dates of series that have moved on, as rows that no table has: for queries that ask when a task was done. */
  readonly done?: () => readonly Task[];
  /** Called with each task that repeats so often that some of its dates are left out of the answer. */
  readonly onCut?: (id: Id) => void;
}
