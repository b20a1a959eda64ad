/** The arguments of commands. */
import type { Anchor } from '../core/code/anchors';
import type { EpochMs, Id } from '../core/kernel/model';
import type { TextTarget } from '../core/text/document/types';

/** A task, or one occurrence of a recurring one: what trees, widgets and links hand to a command. */
export type TaskTarget = Id | { readonly taskId: Id; readonly occurrence?: EpochMs | null };
export type ListTarget = Id | { readonly listId: Id };
export type AccountTarget = Id | { readonly accountId: Id };
export type FilterTarget = string | { readonly filterId: string };

/** A row of the trash, or the trash itself. */
export type TrashTarget = { readonly trashKey: string } | { readonly id: 'trash' };

/** A location in code that a task can be linked to, and its label: `session.ts:118`. */
export interface CodeLocation {
  readonly anchor: Anchor;
  readonly label: string;
}

/** A TODO comment: the one with this text that is nearest to the line. */
export interface TodoTarget {
  /** The URI of the file. */
  readonly file: string;
  /** Zero-based. */
  readonly line: number;
  readonly text?: string;
}

/** The content that quick add starts with. */
export type QuickAddSeed =
  | string
  | {
      readonly text?: string;
      readonly notes?: string | undefined;
      readonly listId?: Id;
      readonly parentId?: Id;
      readonly location?: CodeLocation;
      /** The text is the selection in the editor. */
      readonly fromEditor?: true;
    };

/** VS Code hands over a tree's clicked row and, if several are selected, all of them. */
export type OnTasks = [target?: TaskTarget, selection?: readonly TaskTarget[]];
/** `moves` returns API changes of the same tasks, to be undone in one step with the completion. */
export type OnCompletion = [...tasks: OnTasks, moves?: () => readonly object[]];
export type OnTask = [target?: TaskTarget];
/** The menu of a repository in Source Control hands it over. */
export type OnRepository = [target?: TaskTarget | { readonly rootUri: object }];
export type OnList = [target?: ListTarget];
export type OnFilter = [target?: FilterTarget];
/** A list, a filter, a task or the tasks of a widget, whose text is opened; the user is asked if there is none. */
export type OnText = [
  target?: { readonly listId: Id } | { readonly filterId: string } | { readonly taskId: Id } | NamedText | FocusedRow,
];
export interface NamedText {
  readonly name: string;
  readonly text: TextTarget;
}
/** Without a target, the line with the cursor. */
export type OnTodo = [target?: TodoTarget];
export type OnAccount = [target?: AccountTarget];

/** The argument of a key in a tree: the row that has the focus, whatever is selected elsewhere. */
export type FocusedRow = { readonly focused: true; readonly priority?: number };
/** A row that was clicked once: its task is shown in a preview, and the focus does not move. */
export type ClickedRow = Exclude<TaskTarget, Id> & { readonly clicked: true };
/** For commands that have a key in trees. */
export type OnTaskByKey = [target?: TaskTarget | FocusedRow];
export type OnTasksByKey = [target?: TaskTarget | FocusedRow, selection?: readonly TaskTarget[]];

/** A link of a notification of reminders: what to do, and the number of the notification. */
export type ReminderAnswer = 'complete' | 'snooze' | 'open' | 'list';
export type OnReminders = [answer?: ReminderAnswer, notification?: number];
