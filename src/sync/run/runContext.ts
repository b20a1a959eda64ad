import type { Log } from '../../core/kernel/log';
import type { Message } from '../../core/kernel/message';
import type { Account, Id, Task } from '../../core/kernel/model';
import type { SyncNotice, SyncProgress } from '../../core/sync/syncReport';
import type { Clock } from '../../core/time/clock';
import type { TaskStore } from '../../store/taskStore';
import type { OrphanState } from '../decide/decideOrphan';
import { syncMessage } from '../messages';
import { type Href, type RemoteAccount, type RemoteCollection, RemoteError, type RemoteList } from '../remote/remote';
import type { SyncLedger } from '../state/syncLedger';
import type { Decisions } from './decisionLog';

/** The parts that one account's run works with, and its counts. */
export interface AccountRun {
  readonly store: TaskStore;
  readonly ledger: SyncLedger;
  readonly remote: RemoteAccount;
  /** The way to another account, whose lists may have what this one misses. */
  readonly reach: (other: Account) => Promise<RemoteAccount>;
  readonly account: Account;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal | undefined;
  readonly progress: (progress: SyncProgress) => void;
  readonly tally: Tally;
  /** Puts tasks into the trash before a server's deletion removes them. */
  readonly discard: (tasks: readonly Task[]) => Promise<void>;
  /** Puts into the trash what a file would be as a task of its own. */
  readonly discardCopy: (rows: readonly [Task, ...Task[]]) => Promise<void>;
  /** Keeps the task in the trash that had this UID: another one takes the UID over, and is there when the result is called. */
  readonly setApart: (listId: Id, uid: string) => Promise<() => Promise<void>>;
  readonly notice: (kind: SyncNotice['kind'], listId: Id, count: number) => void;
}

/** One list within it, whatever its server has. */
export interface ListContext extends AccountRun {
  readonly listId: Id;
}

/** One list and what its server shows of it. */
export interface ListRun extends ListContext {
  readonly remoteList: RemoteList;
  readonly collection: RemoteCollection;
}

/** One list from its pull on. */
export interface PullRun extends ListRun {
  /**
   * `held`: clean resources of the list when the pull began. `count`: how many of these the server has removed since.
   */
  readonly removals: { readonly held: number; count: number };
  /** UIDs that came at another address, while it is not known yet what became of their rows' addresses. */
  readonly moving: Set<string>;
  /** True if the other lists of the run were read before: a task that is gone from this one may be in one of them. */
  readonly areOthersRead: boolean;
  /** Resources that the server has and that could not be had; the list itself if its listing left something open. */
  readonly incomplete: Set<Href>;
}

/** The lists that a run has pulled. */
export interface PulledLists {
  readonly lists: readonly PullRun[];
  /** True if the current content of the list is known. */
  readonly isRead: (list: Id) => boolean;
}

/** The decisions about the orphans of the lists that were pulled. */
export type ResolvedOrphans = ReadonlyMap<Id, OrphanState>;

/** The lists to which this run has sent its changes. */
export interface PushedLists extends Pick<PulledLists, 'isRead'> {
  readonly pushed: readonly PullRun[];
}

/** The report while it grows. */
export interface Tally {
  pulled: number;
  pushed: number;
  deletedLocally: number;
  deletedRemotely: number;
  conflicts: number;
  readonly rowErrors: Map<Id, Message>;
  /** One sentence a list that could not be synced. */
  readonly listErrors: Map<Id, Message>;
  /** Notices for the user about what sync decided on its own. */
  readonly notices: SyncNotice[];
  /** Decisions for the sync log. */
  readonly decisions: Decisions;
}

export const newTally = (): Tally => ({
  pulled: 0,
  pushed: 0,
  deletedLocally: 0,
  deletedRemotely: 0,
  conflicts: 0,
  rowErrors: new Map(),
  listErrors: new Map(),
  notices: [],
  decisions: new Map(),
});

export function checkCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RemoteError('cancelled', syncMessage('syncCanceled'));
}
