import type { Id, Task } from './model';

/**
 * The name of an edit for undo: a key that the views translate, the number of tasks, and the title if it is one task.
 */
export interface EditLabel {
  readonly key: string;
  readonly count: number;
  readonly title?: string;
  /** The one field that changed; `due` for all that a date is made of. Absent if there are several. */
  readonly field?: string;
  /** The program that made it in the user's place. */
  readonly client?: EditClient;
  /** The name of the step in the done log, if that may have something of it. */
  readonly step?: string;
  /** Later changes, such as those of a sync, have replaced all of it: there was nothing left to undo or redo. */
  readonly isReplaced?: true;
}

/** A program that works on tasks in the user's place: an agent. */
export interface EditClient {
  /** The client's own name for itself. */
  readonly name: string;
  /** Random, one for each of its connections. */
  readonly session: string;
}

/** An entry of the history. */
export interface UndoStep {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly label: EditLabel;
}

/**
 * The effect of a step on a task: the values that it changed and those that belong together with them. `before` is absent if it
 * added the task, `after` if it removed it.
 */
export interface StepChange {
  readonly task: Id;
  readonly before?: Partial<Task>;
  readonly after?: Partial<Task>;
}

/** A step that can be undone, with its changes. */
export interface UndoableStep extends UndoStep {
  changes(): readonly StepChange[];
}

/** The result of a piece of work, and the id of the step of undo that it made; none if it changed nothing. */
export interface MadeStep<T> {
  readonly result: T;
  readonly step: string | undefined;
}
