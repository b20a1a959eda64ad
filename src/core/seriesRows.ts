import type { EpochMs, Task } from './model';
import type { CompletionMode } from './settings';

/** The rows that a series is made of, tombstones left out. */
export interface SeriesRows {
  readonly master: Task;
  readonly overrides: readonly Task[];
  /** Every descendant of the master. */
  readonly subtasks: readonly Task[];
}

export interface SeriesContext {
  readonly now: EpochMs;
  /** The person's own zone. */
  readonly zone: string;
  readonly mode: CompletionMode;
  readonly resetSubtasks: boolean;
  /** PRODID of the program that wrote the resource last, where known: in `auto` it tells the dialect. */
  readonly prodid?: string | null;
}
