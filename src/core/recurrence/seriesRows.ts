import type { EpochMs, Task } from '../kernel/model';
import type { CompletionMode } from '../kernel/settings';

/** The rows that a series is made of, tombstones left out. */
export interface SeriesRows {
  readonly master: Task;
  readonly overrides: readonly Task[];
  /** Every descendant of the master. */
  readonly subtasks: readonly Task[];
}

export interface SeriesContext {
  readonly now: EpochMs;
  /** The user's own zone. */
  readonly zone: string;
  readonly mode: CompletionMode;
  readonly resetSubtasks: boolean;
  /** The program that wrote the series: in `auto` it decides the dialect. Undefined if that is not known. */
  readonly origin?: SeriesOrigin | undefined;
}

/** Another program that also writes the series. */
export interface SeriesOrigin {
  /** PRODID of the program that made the resource. */
  readonly prodid: string | null;
  /** Another program has completed it by moving it on. */
  readonly movesOn: boolean;
}
