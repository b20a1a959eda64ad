import type { Event } from './events';
import type { EpochMs, Id, Task } from './model';

/** A time during which the user was at no window. */
export interface Absence {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** The task that the user works on, and since when. */
export interface ActiveTask {
  readonly task: Task;
  readonly start: EpochMs;
  /** When the user was last at a window: the time up to then is certain. */
  readonly seen: EpochMs;
  /** The repository that was in front when it began. */
  readonly repo?: string;
}

/** A correction of a task's time. */
export interface TimeEdit {
  /** The start of the session that is removed. */
  readonly remove?: EpochMs | undefined;
  readonly add: readonly { readonly start: EpochMs; readonly ms: number; readonly repo?: string }[];
}

/** The one task that the user works on now, over all windows, and the time that it takes. */
export interface Working {
  /** Reads the state from the store; no task is active before that. Rejects if the store cannot be read. */
  open(): Promise<void>;
  readonly onDidChange: Event<void>;
  active(): ActiveTask | undefined;
  /** The task whose time ended because the editor did. */
  interrupted(): Task | undefined;
  /**
   * Makes this the active task from now on, which ends the time of the previous one. `repo` is that of {@link
   * WorkSession}.
   */
  start(id: Id, repo?: string): Promise<void>;
  /** Ends the time now and writes it into the task. */
  stop(): Promise<void>;
  /**
   * Each window calls it every 20 seconds, and when the user returns to it. Returns the absence that ends with this
   * call, in the one window that asks about it.
   */
  reportPresence(isUsed: boolean): Promise<Absence | undefined>;
  /**
   * Removes an absence from the time. An absence that is not discarded counts as work. False if the time has ended
   * meanwhile.
   */
  discard(absence: Absence): Promise<boolean>;
  /** Corrects the recorded time of a task, as one undo step, without the session that is running. */
  edit(id: Id, edit: TimeEdit): Promise<void>;
}
