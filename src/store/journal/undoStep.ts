import type { EditLabel, SqlValue } from '../types';

/** The columns of a row by name. */
export type Values = Readonly<Record<string, SqlValue>>;

/** The effect of an edit on one row, with enough to undo it. */
export interface RowStep {
  readonly table: string;
  readonly id: number;
  /**
   * The old values of the columns that the edit changed and of those that belong together with one of them; of all
   * columns if it removed the row; absent if it made the row.
   */
  readonly before?: Values;
  /** The new values of the same columns; absent if it removed or made the row. */
  readonly after?: Values;
  /** Digest of the whole row after the edit; absent if it removed the row. */
  readonly mark?: string;
  /** Digest of the row's content, without a server's columns, if the edit made the row. */
  readonly content?: string;
  /** All columns of a row that became a tombstone, and its alarms: the server's answer will remove them for good. */
  readonly whole?: Values;
  readonly alarms?: readonly Values[];
}

/** One entry of the undo history, carried by the journal record of its edit. */
export interface HistoryStep {
  readonly label: EditLabel;
  /** Absent for a new edit; else the id of the step that this edit took back or made again. */
  readonly undoes?: string;
  readonly redoes?: string;
  readonly rows: readonly RowStep[];
}
