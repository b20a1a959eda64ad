/**
 * Dueline's programmatic interface: what the extension's `activate()` returns and what `openEngine()` of the headless
 * build resolves to. Every method that changes data resolves once the change is durable on disk, and rejects with a
 * `DuelineError`, having changed nothing, otherwise.
 */

import type { Anchor, AnchorEdit, AnchoredTask, FileLinkOfTask } from './core/code/anchors';
import type { TaskBranch } from './core/code/branches';
import type { ExchangeFormat, ImportReport } from './core/exchange/types';
import type { TaskEdit } from './core/fields/values';
import type { TaskClaims } from './core/kernel/claims';
import type { EditClient, EditLabel, MadeStep, UndoableStep, UndoStep } from './core/kernel/editLabel';
import type { DuelineError, ErrorKind } from './core/kernel/errors';
import type { Event } from './core/kernel/events';
import type { KeptPlan, PlanTarget } from './core/kernel/keptPlan';
import type { Log } from './core/kernel/log';
import type { Message } from './core/kernel/message';
import type { Account, Alarm, EpochMs, Id, Occurrence, Task, TaskInput, TaskList } from './core/kernel/model';
import type { EngineSettings } from './core/kernel/settings';
import type { Sidecar } from './core/kernel/sidecar';
import type { WholeData } from './core/kernel/wholeData';
import type { Working } from './core/kernel/working';
import type { Meetings } from './core/meetings/calendars';
import type { QuickAddResult, ReadDate } from './core/quickAdd/types';
import type { EditScope } from './core/recurrence/seriesEdit';
import type { Reminder, Reminders } from './core/reminders/reminders';
import type { AccountReport, NewAccount, Secrets, SyncOptions, SyncProgress, SyncReport } from './core/sync/syncReport';
import type { SyncStatus } from './core/sync/syncState';
import type { TasksAsText, TextTarget } from './core/text/document/types';
import type { PlanStep } from './core/text/planSteps';
import type { TaskLine } from './core/text/taskLines';
import type { Clock } from './core/time/clock';
import type { WidgetGroup, WidgetOptions, WidgetSnapshot } from './query/agenda/types';
import type { WidgetKind } from './query/agenda/widgets';
import type { QueryContext } from './query/eval/context';
import type { QueryCompletion } from './query/help/complete';
import type { Translate } from './query/help/describe';
import type { Explanation } from './query/help/explain';

export type {
  Account,
  AccountReport,
  Alarm,
  Clock,
  DuelineError,
  EpochMs,
  ErrorKind,
  ExchangeFormat,
  Id,
  ImportReport,
  Message,
  NewAccount,
  Occurrence,
  Reminder,
  Secrets,
  SyncOptions,
  SyncProgress,
  SyncReport,
  Task,
  TaskInput,
  TaskList,
  WidgetGroup,
  WidgetKind,
  WidgetOptions,
  WidgetSnapshot,
};

export interface EngineOptions {
  /** Folder that holds the store (the editor's global storage). Created if missing. Shared by processes. */
  readonly folder: string;
  readonly clock?: Clock;
  readonly secrets?: Secrets;
  /** Replaces global `fetch` (proxies, tests). Absent from the offline flavor. */
  readonly fetch?: typeof fetch;
  /** BCP 47 tag; decides the words quick add understands and the first day of the week. */
  readonly locale?: string;
  /** The name of the first list of an empty store; “Inbox” if absent. */
  readonly firstList?: string | Promise<string>;
  readonly log?: Log;
}

export interface Change {
  readonly origin: 'user' | 'sync' | 'otherWindow' | 'undo';
  readonly accounts: readonly Id[];
  readonly lists: readonly Id[];
  readonly tasks: readonly Id[];
  /** Open tasks that were blocked until this change and are ready now. */
  readonly ready?: readonly Id[];
  /** The step of an agent in another process that it is. */
  readonly step?: UndoStep;
}

/** The position that a task goes to: into a list, under a parent (null: to the top), before a sibling (null: to the end). */
export interface MoveTarget {
  listId?: Id;
  parentId?: Id | null;
  before?: Id | null;
}

/**
 * One of the changes that `apply` makes as one step.
 *
 * @example
 * await api.apply([
 *   { type: 'create', listId, input: { title: 'Ship it' } },
 *   { type: 'complete', id: done },
 * ]);
 */
export type TaskChange =
  /** `from` is the date that the next date of a repeating task counts from; the due date if absent. */
  | {
      readonly type: 'create';
      readonly listId: Id;
      readonly input: TaskEdit;
      readonly from?: 'due' | 'completion';
      readonly anchors?: readonly Anchor[];
      /** The UID of the meeting that it is for. */
      readonly meeting?: string;
    }
  | { readonly type: 'update'; readonly id: Id; readonly patch: TaskEdit }
  /**
   * New dates for one occurrence of a series, which its recurrence id names, or with a `scope` for more of them; creates
   * the series that begins with it, which goes to the list.
   */
  | {
      readonly type: 'updateOccurrence';
      readonly id: Id;
      readonly occurrence: EpochMs;
      readonly scope?: EditScope;
      readonly patch: TaskEdit;
      readonly listId?: Id;
    }
  /**
   * Sets or (null) ends a repeat, that of the series if `id` is one occurrence; `from` is the date that the next date
   * counts from, `first` gives a task its first date.
   */
  | {
      readonly type: 'repeat';
      readonly id: Id;
      readonly rrule: string | null;
      readonly from: 'due' | 'completion';
      readonly first?: Pick<TaskInput, 'due' | 'isAllDay' | 'timezone'>;
    }
  /** Has the task depend on others too, which its list need not hold, and no longer on those with the UIDs. */
  | { readonly type: 'blockers'; readonly id: Id; readonly add?: readonly Id[]; readonly remove?: readonly string[] }
  | { readonly type: 'anchors'; readonly id: Id; readonly edit: AnchorEdit }
  /** Makes a branch the task's. */
  | { readonly type: 'branch'; readonly id: Id; readonly branch: TaskBranch }
  /** In a series the occurrence that is named, else the next open one. */
  | { readonly type: 'complete'; readonly id: Id; readonly occurrence?: EpochMs }
  | { readonly type: 'reopen' | 'delete'; readonly id: Id }
  /** Takes one occurrence out of its series, as the call of that name does. */
  | { readonly type: 'deleteOccurrence'; readonly id: Id; readonly occurrence: EpochMs }
  | { readonly type: 'move'; readonly id: Id; readonly to: MoveTarget };

export interface ListPatch {
  name?: string;
  color?: number;
  isVisible?: boolean;
  isSynced?: boolean;
  sortOrder?: number;
}

export interface DuelineApi {
  readonly apiVersion: 1;
  readonly flavor: 'full' | 'offline';

  accounts(): readonly Account[];
  lists(): readonly TaskList[];
  task(id: Id): Task | undefined;
  /** Every stored row of a list, overrides and tombstones included: for inspection. */
  rows(listId: Id): readonly Task[];
  /**
   * Tasks that match a query of the filter language; throws `query` with a range. If it asks when tasks were completed,
   * dates that a series has moved on from are among them, as rows with an id below zero that cannot be changed.
   */
  query(text: string, options?: { lists?: readonly Id[]; limit?: number }): readonly Occurrence[];
  widget<Kind extends WidgetKind>(kind: Kind, options?: WidgetOptions): WidgetSnapshot<Kind>;
  /** Alarms that fire in [from, to), earliest first. */
  alarmsBetween(
    from: EpochMs,
    to: EpochMs,
  ): readonly { readonly fireAt: EpochMs; readonly alarm: Alarm; readonly task: Task }[];

  createList(input: { name: string; color?: number; accountId?: Id | null }): Promise<Id>;
  updateList(id: Id, patch: ListPatch): Promise<void>;
  /** A synced list is deleted on its server first; a server's refusal leaves it as it is. */
  deleteList(id: Id): Promise<void>;

  createTask(listId: Id, input: TaskEdit): Promise<Id>;
  /** Natural-language capture, for example `Pay rent tomorrow 9am #home !high @Bills every month`. */
  quickAdd(text: string, options?: { listId?: Id }): Promise<Id>;
  updateTask(id: Id, patch: TaskEdit): Promise<void>;
  completeTask(id: Id, options?: { occurrence?: EpochMs }): Promise<void>;
  reopenTask(id: Id): Promise<void>;
  deleteTask(id: Id, options?: { children?: 'keep' | 'delete' }): Promise<void>;
  moveTask(id: Id, to: MoveTarget): Promise<void>;
  /** Several changes as one durable, undoable step: all or none. Returns the ids of the tasks it created, in order. */
  apply(changes: readonly TaskChange[]): Promise<readonly Id[]>;
  undo(): Promise<boolean>;
  redo(): Promise<boolean>;

  importTasks(
    format: ExchangeFormat,
    text: string,
    listId: Id,
  ): Promise<{ created: number; updated: number; skipped: readonly string[] }>;
  exportTasks(format: ExchangeFormat, query?: string): string;
  /** Writes the four tables, up to date, as one plain SQLite file. */
  exportDatabase(path: string): Promise<void>;

  /** Full flavor only; `unsupported` in the offline one. */
  addAccount(input: NewAccount): Promise<Id>;
  /** Its lists remain, as lists of this computer. */
  removeAccount(id: Id, options?: Pick<SyncOptions, 'signal'>): Promise<void>;
  sync(options?: SyncOptions): Promise<SyncReport>;

  readonly onDidChange: Event<Change>;
  close(): Promise<void>;
}

/** A deleted task that can come back. */
export interface TrashEntry {
  readonly key: string;
  readonly listId: Id;
  readonly deletedAt: EpochMs;
  readonly task: Task;
}

/** A line as quick add reads it right now. */
export interface ParsedQuickAdd extends Pick<QuickAddResult, 'nearDay' | 'nearPriority'> {
  readonly title: string;
  readonly input: QuickAddResult['input'];
  /** The next date of what repeats counts from its completion. */
  readonly fromCompletion: boolean;
  readonly listId?: Id;
  /** The name of the template that it is made of. */
  readonly template?: string;
  /** The tasks that it depends on. */
  readonly after?: readonly Id[];
  /** In the order of the text, [from, to) in UTF-16 units; `label` is for a chip. */
  readonly tokens: readonly {
    readonly from: number;
    readonly to: number;
    readonly kind: string;
    readonly value: string;
    readonly label: string;
  }[];
  /** A task that is named by `after:`, and is not there. */
  readonly noTask?: { readonly name: string; readonly from: number; readonly to: number };
  /** A named list that the task cannot be in: it does not exist, is read-only, or differs from the parent's list. */
  readonly noList?: {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly why: 'unknown' | 'readOnly' | 'subtask';
  };
  /** Set if no words are left for a title. */
  readonly problem?: DuelineError;
}

export interface QuickAddOptions {
  listId?: Id;
  parentId?: Id;
  /** Tasks that the new one depends on, besides those that the words name. */
  after?: readonly Id[];
  /**
   * The default values, unless the words name others: the day of the group that the task is added to, for example. Tags
   * add up.
   */
  defaults?: TaskEdit;
  /** Its code locations. */
  anchors?: readonly Anchor[];
  /** The branch that it is worked on in. */
  branch?: TaskBranch;
  /** Reads the text as a date or a repeat, even if the settings keep dates in titles as words. */
  onlyDates?: boolean;
  /** A list that is created with the task if the words name it. */
  newList?: { readonly name: string; readonly accountId: Id | null };
  /** Ranges of the text that stay words. */
  rejected?: readonly (readonly [from: number, to: number])[];
  /** Lists and tasks that the words may name; the name of another stays words. */
  mayName?: (kind: 'list' | 'task', id: Id) => boolean;
}

/** One of several lines; `own` has the options for this line alone. */
export interface QuickAddLine extends TaskLine {
  readonly own?: QuickAddOptions;
}

export interface QueryOptions extends Pick<QueryContext, 'isVisible'> {
  readonly lists?: readonly Id[];
  readonly limit?: number;
}

/** Ends a query whose result is no longer wanted. */
export interface Asking {
  readonly signal?: AbortSignal;
}

/**
 * The interface of the extension's own parts. `openEngine()` returns it too, but other extensions are promised
 * `DuelineApi` alone.
 */
export interface DuelineEngine extends DuelineApi {
  readonly clock: Clock;
  readonly locale: string;
  readonly settings: EngineSettings;
  /** The public method. Tasks that are not `isVisible` are not there, for its limit and its conditions too. */
  query(text: string, options?: QueryOptions): readonly Occurrence[];
  /**
   * `query` for questions that are asked while the user types: in slices of a few milliseconds, between which everything
   * else has its turn. Rejects with the signal's reason once that is aborted.
   */
  find(text: string, options?: QueryOptions & Asking): Promise<readonly Occurrence[]>;
  /** The number of lines that `query` would return. */
  count(text: string, options?: QueryOptions & Asking): Promise<number>;
  /** The words of the tasks that a query finds, likewise; a few others may be among them. */
  wordsIn(text: string, options?: Asking): Promise<ReadonlySet<string>>;
  /** `query` for views that ask again after every change: the same array until something in it differs. */
  lines(text: string, options?: { readonly lists?: readonly Id[]; readonly limit?: number }): readonly Occurrence[];
  /** `dl-` and as much of a hash of the task's UID as distinguishes it from all others here; git names commits like this. */
  shortIdOf(task: Id | Task): string;
  /**
   * Accepts it with or without `dl-`. If several tasks have an ID that begins so, it finds the one that had it first. Tasks
   * that are not `isVisible` are ignored. Throws `notFound`, and `invalid` if several tasks match equally well.
   */
  findByShortId(text: string, isVisible?: (task: Task) => boolean): Id;
  /** The task of each of these IDs that names one, for files and lines that may have very many. */
  tasksByShortIds(texts: Iterable<string>): ReadonlyMap<string, Task>;
  /** The tasks that a task depends on, in the order of its lines; without the task if none here has the UID. */
  blockersOf(task: Id | Task): readonly { readonly uid: string; readonly task: Task | undefined }[];
  dependentsOf(id: Id): readonly Task[];
  /** True if an open task depends on another that is open too. */
  isBlocked(id: Id): boolean;
  /**
   * The open task with this short ID or this whole title; undefined for none, and for several. Without
   * `dl-`, a part of a short ID is none. Tasks that are not `isVisible` are not there.
   */
  taskNamed(name: string, isVisible?: (id: Id) => boolean): Id | undefined;
  /** True if tasks in an answer of `query` repeat so often that some of their dates are left out. */
  isCut(found: readonly Occurrence[]): boolean;
  /** When what views show changes although no row does: a task becomes overdue, or the day ends. */
  nextBoundary(): EpochMs;
  /** Takes in changed settings; views are notified through `onDidChange` with no ids. */
  configure(settings: Partial<EngineSettings>): void;
  /** Set if the store is read-only, with the reason for the user. */
  readonly readOnlyReason: Message | undefined;
  /** Notices about the store for the user: damage that was met, and its repair. */
  readonly notices: readonly Message[];
  /** The list that quick add writes to if none is named. */
  defaultListId(): Id;
  /** The edits that undo and redo would act on, for their names. */
  history(): Promise<{ undo: EditLabel | undefined; redo: EditLabel | undefined }>;
  /** Like `undo`, naming what was undone. */
  undoNamed(): Promise<EditLabel | undefined>;
  redoNamed(): Promise<EditLabel | undefined>;
  /** Everything that can be undone, in any window, the newest first. */
  undoSteps(): Promise<readonly UndoableStep[]>;
  /**
   * Undoes one of them; what was changed later stays as it is. Undefined if it is undone already. Rejects with `invalid`,
   * having changed nothing, if tasks that it made were changed later, or all that it changed was. `mayChange`
   * gets the tasks that it writes to, inside the edit, and throws if the step must stay.
   */
  undoStep(id: string, mayChange?: (tasks: readonly Id[]) => void): Promise<EditLabel | undefined>;
  /** Does the work, and returns the id of the undo step that it made: the last one, if there are several. */
  stepOf<T>(work: () => Promise<T>): Promise<MadeStep<T>>;
  /** Edits are made for this program from now on, as the history says. `mayChange` is asked before each write to a task, and throws. */
  workFor(client: EditClient | undefined, mayChange?: (task: Task) => void): void;
  /** The tasks as `changes` would leave them; nothing is changed. Throws what `apply` throws. */
  plan(changes: readonly TaskChange[], ids: readonly Id[]): Promise<readonly Task[]>;
  /** Named maps of JSON values that are stored apart from the tasks. */
  sidecar(): Promise<Sidecar>;
  /** Like `importTasks`, with what became of the file's entries; bytes are read in the encoding that they have. */
  importReported(format: ExchangeFormat, file: string | Uint8Array, listId: Id): Promise<ImportReport>;
  /** Sets or ends a task's repeat; `from` is the date that the next occurrence counts from, `due` if absent. */
  setRepeat(id: Id, rrule: string | null, from?: 'due' | 'completion'): Promise<void>;
  /** Skips one occurrence (the next open one if none is named) without completing it. */
  skipOccurrence(id: Id, occurrence?: EpochMs): Promise<void>;
  /** Takes one occurrence out of its series (EXDATE, RFC 5545 3.8.5.1). */
  deleteOccurrence(id: Id, occurrence: EpochMs): Promise<void>;
  /**
   * `occurrence` is its recurrence id. Dates in `patch` are the occurrence's own. Returns the series that begins with
   * it, if `following` makes one.
   */
  editOccurrence(id: Id, occurrence: EpochMs, scope: EditScope, patch: TaskEdit): Promise<Id | undefined>;
  readonly data: WholeData;
  /** Completions at `position` of a query that is being typed, best first. */
  completeQuery(text: string, position: number): readonly QueryCompletion[];
  /**
   * The meaning of a query; `translate` translates a message into the user's language, `day` shows a civil day. Throws
   * `query`.
   */
  explain(text: string, translate: Translate, day?: (day: string) => string): Explanation;
  trash(): Promise<readonly TrashEntry[]>;
  purge(keys: readonly string[]): Promise<void>;
  restore(keys: readonly string[]): Promise<readonly Id[]>;
  readonly reminders: Reminders;
  readonly working: Working;
  /** The meetings of calendars, which are read and never written. */
  readonly meetings: Meetings;
  /** Absent from the offline flavor, which has no agents. */
  readonly claims: TaskClaims | undefined;
  /** Takes in what other windows wrote, now. */
  refresh(): Promise<void>;
  /** Queries that ask when tasks were completed have the done log from then on; without this, some time after the first. */
  openDoneLog(): Promise<void>;
  /** The public method; `lists` narrows the query to these. */
  exportTasks(format: ExchangeFormat, query?: string, lists?: readonly Id[]): string;
  /**
   * Writes a text into a file that the user has named, replacing what is there, whole or not at all. Rejects with `invalid`
   * among the store's own files, with `storage` if it cannot be written.
   */
  saveFile(path: string, text: string): Promise<void>;
  /** Every tag in use on an open task, by name, with how many tasks carry it. */
  tags(): readonly { readonly name: string; readonly count: number }[];
  /** Open and completed tasks a list, hidden lists included; lists without any are absent. */
  openCounts(): ReadonlyMap<Id, number>;
  doneCounts(): ReadonlyMap<Id, number>;
  /** Exceptions of a series, subtasks right below a task, and the tasks of a UID in all lists, that are not deleted. */
  overridesOf(id: Id): readonly Task[];
  subtasksOf(id: Id): readonly Task[];
  tasksOfUid(uid: string): readonly Task[];
  /** The number of subtasks of each task that has some, and of those that are done. */
  childProgress(): ReadonlyMap<Id, { readonly done: number; readonly total: number }>;
  /** `updateList` for several, in one step. */
  updateLists(changes: readonly { readonly id: Id; readonly patch: ListPatch }[]): Promise<void>;
  /** Reads a line as quick add does. Never throws: a line without a title has a `problem`. */
  parseQuickAdd(text: string, options?: QuickAddOptions): ParsedQuickAdd;
  /** A line in which a date is typed, as Quick Add reads it; a length of time such as “3d” counts from now. Undefined if it is no date. */
  readDate(text: string): ReadDate | undefined;
  /** Anchors in a repository, or in all (only those with one of `paths`, if given), of tasks that are not deleted, by id. */
  anchored(repo?: string, paths?: readonly string[]): readonly AnchoredTask[];
  /** Links to files in the URL and the notes of tasks that are not deleted, by id; the same array until one changes. */
  fileLinks(): readonly FileLinkOfTask[];
  /** The code locations that `in:` and `link:` ask for from now on; views are notified through `onDidChange` with no ids. */
  setCodeLocations(locations: Pick<QueryContext, 'here' | 'links'>): void;
  /**
   * Moves a list with all its tasks into an account, or (null) onto this computer; returns the list they are in now.
   */
  moveListToAccount(listId: Id, accountId: Id | null): Promise<Id>;
  /** The state of sync and its decisions; absent from the offline flavor. */
  readonly syncing: SyncStatus | undefined;
  quickAdd(text: string, options?: QuickAddOptions): Promise<Id>;
  /** Dispose of it after use. */
  asText(target: TextTarget): TasksAsText;
  /** Each line as quick add reads it, in one undo step; a link of which an open task has the address adds nothing. */
  quickAddLines(lines: readonly QuickAddLine[], options?: QuickAddOptions): Promise<readonly Id[]>;
  /** Keeps the steps of a plan as subtasks. Those that are there, by short ID or title, are only ticked: again, it changes nothing. */
  keepPlan(steps: readonly PlanStep[], target: PlanTarget): Promise<KeptPlan>;
}
