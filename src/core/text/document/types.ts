import type { Disposable } from '../../kernel/events';
import type { Message } from '../../kernel/message';
import type { Id, TaskInput } from '../../kernel/model';

/** The subject of a text of tasks: every list that is shown, one list, a task with its subtasks, or what a query finds. */
export type TextTarget =
  | { readonly all: true }
  | { readonly listId: Id }
  | { readonly taskId: Id }
  | { readonly query: string };

/** Something about a line of a text that the user should know. */
export interface TextProblem {
  /** The line, from 0. */
  readonly at: number;
  /** The part of the line that is meant, in UTF-16 units; all of it if absent. */
  readonly from?: number;
  readonly to?: number;
  readonly kind:
    | 'changed'
    | 'gone'
    | 'doubled'
    | 'unknown'
    | 'heading'
    | 'unread'
    | 'noList'
    | 'noDate'
    | 'template'
    | 'circle'
    | 'deep'
    | 'refused';
  readonly message: Message;
  /** The line is not taken: it stays in the text as it is. */
  readonly isHeld: boolean;
  /** The current words of the task. */
  readonly theirs?: string;
}

/** The end of the tasks whose lines are not in a text any more. */
export type Vanished = 'complete' | 'cancel' | 'delete' | 'keep';

export interface SavedText {
  readonly added: number;
  readonly changed: number;
  readonly completed: number;
  readonly cancelled: number;
  readonly deleted: number;
  readonly problems: readonly TextProblem[];
  /** The text from now on: the tasks, and the lines that were not taken. */
  readonly text: string;
  /** The text that the next save compares it with. */
  readonly base: string;
  /** Lines were not taken. */
  readonly isHeld: boolean;
  /** The lines that now have the tasks of the lines that were saved. */
  linesNow(): ReadonlyMap<number, number>;
}

/** A parsed line of a text. */
export interface LineMeaning {
  readonly title: string;
  readonly input: TaskInput;
  readonly fromCompletion: boolean;
  /** In the order of the line, with their columns in it. */
  readonly tokens: readonly {
    readonly from: number;
    readonly to: number;
    readonly kind: string;
    readonly value: string;
    readonly label: string;
  }[];
  readonly listId?: Id;
  readonly after?: readonly Id[];
  readonly id?: string;
  /** The column of the ID. */
  readonly idFrom?: number;
  /** The words, without what is around them. */
  readonly words: string;
  readonly from: number;
}

export interface EditedText {
  readonly base: string;
  readonly mine: string;
  readonly vanished?: Vanished;
  /** Undo in the editor led back to lines that had no ID yet, although their tasks were changed since. */
  readonly isUndone?: boolean;
  /**
   * The text is a file that may have been saved before: a line without an ID never stands for a task at another place, and
   * a line whose parent's line is missing stays below its parent.
   */
  readonly isFile?: boolean;
}

/** Tasks as a text, one per line, in Quick Add syntax. */
export interface TasksAsText extends Disposable {
  /** With `base`, the text that the user has, tasks of it stay in the text once they are closed. */
  write(base?: string): { readonly text: string; readonly isReadOnly: boolean };
  /** Says what a save would do, without doing it. */
  check(
    base: string,
    mine: string,
    isUndone?: boolean,
  ): {
    readonly problems: readonly TextProblem[];
    /** The titles of open tasks whose lines are not in the text any more. */
    readonly vanished: readonly string[];
  };
  /** Saves as one undo step. Lines that cannot be saved stay in the text. */
  save(text: EditedText): Promise<SavedText>;
  /** Saves the text of a file, which may be the same as before: nothing is removed, and no task is added again. */
  saveFile(mine: string): Promise<SavedText>;
  /** The words of a line as quick add reads them; undefined for a heading and an empty line. */
  read(line: string): LineMeaning | undefined;
}
