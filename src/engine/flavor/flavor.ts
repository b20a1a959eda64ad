import type { EngineOptions, NewAccount, SyncOptions, SyncReport } from '../../api';
import type { Id, Task } from '../../core/kernel/model';
import type { SyncTuning } from '../../core/kernel/settings';
import type { RemoteCalendars } from '../../core/meetings/calendars';
import type { SeriesOrigin } from '../../core/recurrence/seriesRows';
import type { SyncStatus } from '../../core/sync/syncState';
import type { TaskStore } from '../../store/taskStore';
import type { ClaimParts, Claims } from './claims';

/** The part of sync that the engine needs. */
export interface SyncEngine {
  addAccount(input: NewAccount): Promise<Id>;
  /** Forgets the account, its secret and every remote address of its lists, which stay as local ones. */
  removeAccount(id: Id, signal?: AbortSignal): Promise<void>;
  sync(options?: SyncOptions): Promise<SyncReport>;
  /**
   * Deletes a list on its server and then here, by `deleteHere`, which keeps it unless it `isAsBefore`. If the server
   * refuses, it throws and the list stays.
   */
  deleteList(listId: Id, deleteHere: (isAsBefore: () => boolean) => Promise<void>): Promise<void>;
  /** The programs that write tasks' resources, as far as is known, to be asked for each task. */
  origins(): Promise<(task: Task) => SeriesOrigin>;
  /** The state of sync and its decisions, for the user. */
  readonly syncStatus: SyncStatus;
  /** The calendars of accounts, and feeds: read only. */
  readonly calendars: RemoteCalendars;
  tune(tuning: SyncTuning): void;
  dispose(): Promise<void>;
}

/** Puts into the trash what a sync is about to take away. */
export interface Discard {
  /** `newest`: the newest row before that sync. */
  tasks(tasks: readonly Task[], newest: Id): Promise<void>;
  /** The rows that a second file of a task would be. */
  copy(rows: readonly [Task, ...Task[]]): Promise<void>;
  /**
   * A second resource takes over the UID of a task in the trash, which stays another task. The returned function is called once
   * that resource is there.
   */
  apart(listId: Id, uid: string): Promise<() => Promise<void>>;
}

export interface Flavor {
  readonly name: 'full' | 'offline';
  /** The full flavor alone has sync, and agents. */
  readonly createClaims: ((parts: ClaimParts) => Claims) | undefined;
  createSyncing: ((store: TaskStore, options: EngineOptions, discard: Discard) => SyncEngine) | undefined;
}
