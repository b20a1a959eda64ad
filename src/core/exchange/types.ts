import type { Texts } from '../fields/values';
import type { TaskFields } from '../ical/row';
import type { Message } from '../kernel/message';
import type { Id, Task } from '../kernel/model';
import type { WhenContext } from '../quickAdd/types';
import type { Clock } from '../time/clock';

export type ExchangeFormat = 'ics' | 'json' | 'csv' | 'todotxt' | 'markdown';

export interface ExportContext {
  readonly clock: Clock;
  /** Shown in csv, json and todo.txt. */
  readonly listName?: (listId: Id) => string | undefined;
  /** Finds a parent that is not among the exported tasks, for its UID. */
  readonly task?: (id: Id) => Pick<Task, 'uid'> | undefined;
}

export interface ImportContext {
  readonly clock: Clock;
  /** Names the target list for good (its id): part of the UIDs made for formats without them. */
  readonly listKey: string;
  readonly listName?: string;
  /** For dates in words. */
  readonly locale?: string;
  readonly settings?: WhenContext['settings'];
}

/**
 * Only the columns that the file has; on an update the others stay. `recurrenceId` marks an override of its UID's
 * master.
 */
export type ImportedFields = { -readonly [Key in keyof TaskFields]?: TaskFields[Key] } & { readonly uid: string };

export interface ImportedTask {
  readonly fields: ImportedFields;
  /** Texts without a column; they go into the lines that the task has. */
  readonly lineTexts?: Texts;
  /** The UID of the parent, in the file or in the list; null for none, undefined if the file leaves it open. */
  readonly parentUid?: string | null;
  /** UIDs of tasks that it depends on besides those that it depends on here. */
  readonly after?: readonly string[];
  /** The file has no column for time zones: a time is in the user's, unless the task has another one. */
  readonly isZoneless?: boolean;
  /** The task repeats from completion; undefined if the file does not express it apart from `unknownProperties`. */
  readonly fromCompletion?: boolean;
  /**
   * An entry of a tracker, which is read again and again: its task is known in whatever list it is, by its UID or the address
   * that is its UID, and keeps what was changed here.
   */
  readonly isOfTracker?: true;
  /** 1-based line (or entry) of the file. */
  readonly line: number;
}

export interface ImportResult {
  /** Masters before their overrides; parents may come after their children. */
  readonly tasks: readonly ImportedTask[];
  /** One sentence each: the line, and why nothing or not all was taken from it. */
  readonly skipped: readonly Message[];
  /** Entries that nothing was taken from. */
  readonly left: number;
  /** Entries among `tasks` that something was left out of. */
  readonly partly: number;
}

/** The result of an import. */
export interface ImportReport extends Omit<ImportResult, 'tasks'> {
  readonly created: number;
  readonly updated: number;
  /** The bytes are not UTF-8 and were read as Windows-1252. */
  readonly isGuess?: boolean;
}
