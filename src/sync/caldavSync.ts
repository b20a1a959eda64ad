import { DuelineError } from '../core/kernel/errors';
import { type Log, noLog } from '../core/kernel/log';
import type { Account, Id, Task } from '../core/kernel/model';
import type { ConflictPolicy, SyncTuning } from '../core/kernel/settings';
import type { RemoteCalendars } from '../core/meetings/calendars';
import type { SeriesOrigin } from '../core/recurrence/seriesRows';
import { isFolderAccount } from '../core/sync/folderAccount';
import type { AccountReport, NewAccount, Secrets, SyncOptions, SyncReport } from '../core/sync/syncReport';
import { type Clock, systemClock } from '../core/time/clock';
import type { TaskStore } from '../store/taskStore';
import type { Connections } from './accounts/connections';
import type { ServiceLookup } from './dav/discovery';
import { later } from './door';
import type { Disk } from './folder/folderDisk';
import { anySignal } from './remote/abortSignals';
import { RemoteError } from './remote/remote';
import type { AccountSyncParts } from './run/accountSync';
import { isRetryAfterSet, mustWait } from './state/backoffState';
import type { SyncLedger } from './state/syncLedger';
import { SyncLock } from './syncLock';
import { SyncStatusService } from './syncStatus';

/** Puts tasks into the trash, with the newest row before the run; and the rows that a second file of a task would be. */
interface Discard {
  tasks(tasks: readonly Task[], newest: Id): Promise<void>;
  readonly copy: AccountSyncParts['discardCopy'];
  readonly apart: AccountSyncParts['setApart'];
}

interface CaldavSyncOptions {
  readonly folder: string;
  readonly clock?: Clock;
  readonly secrets?: Secrets;
  readonly fetch?: typeof fetch;
  readonly log?: Log;
  /** Replaces DNS. */
  readonly lookup?: ServiceLookup;
  /** In [0, 1); replaces chance. */
  readonly random?: () => number;
  /** The disk of lists in folders, in place of the computer's own. */
  readonly disk?: Disk;
}

/**
 * Syncs with servers and folders, on behalf of the engine. One account runs after the other, in one window at a time.
 * Invariant: no edit is lost. A version that a merge drops is first stored as a conflict, and a deletion from elsewhere
 * goes through the trash. Runs never overlap: a second request waits for the first.
 */
class CaldavSync {
  readonly #clock: Clock;
  readonly #log: Log;
  #made: Connections | undefined;
  #tuning: Partial<SyncTuning> = {};
  #ledger: Promise<SyncLedger> | undefined;
  #openedLedger: SyncLedger | undefined;
  #conflictPolicy: ConflictPolicy = 'merge';
  #last: Promise<unknown> = Promise.resolve();
  readonly #lock: SyncLock;
  readonly syncStatus: SyncStatusService;
  #calendars: RemoteCalendars | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly store: TaskStore,
    private readonly options: CaldavSyncOptions,
    private readonly discard: Discard,
  ) {
    this.#clock = options.clock ?? systemClock;
    const log = options.log ?? noLog;
    this.#log = (level, text) => {
      log(level, text);
      this.syncStatus.logged({ level, text });
    };
    this.#lock = new SyncLock(options.folder, this.#clock);
    this.syncStatus = new SyncStatusService({
      store,
      now: () => this.#clock.now(),
      connections: () => this.#connections,
      ledger: () => this.#openLedger(),
      openedLedger: () => this.#openedLedger,
      signal: this.#closing.signal,
      runExclusive: work => this.#runExclusive(work),
    });
    // The ledger has what the last runs found, which views show.
    if (store.accounts().length > 0) this.#openLedger().catch(() => undefined);
  }

  tune(tuning: Partial<SyncTuning>): void {
    this.#tuning = { ...this.#tuning, ...tuning };
    if (tuning.conflictPolicy) this.#conflictPolicy = tuning.conflictPolicy;
    if (this.#made) tuneConnections(this.#made, tuning);
  }

  get #connections(): Connections {
    if (!this.#made) {
      const { store } = this;
      const { secrets, fetch, disk } = this.options;
      const ledger = () => this.#openLedger();
      this.#made = new (later().Connections)({
        store,
        ledger,
        secrets,
        fetch,
        log: this.#log,
        clock: this.#clock,
        disk,
      });
      tuneConnections(this.#made, this.#tuning);
    }
    return this.#made;
  }

  get calendars(): RemoteCalendars {
    this.#calendars ??= later().calendarsElsewhere({
      account: id => this.store.account(id),
      connections: () => this.#connections,
      now: () => this.#clock.now(),
      signal: this.#closing.signal,
    });
    return this.#calendars;
  }

  async addAccount(input: NewAccount): Promise<Id> {
    const lookup = this.options.lookup ?? later().lookupService;
    return later().addAccount(await this.#parts(), input, lookup, this.#closing.signal);
  }

  /** It waits for a sync that runs; until then, the signal ends it, and the account stays. */
  async removeAccount(id: Id, signal?: AbortSignal): Promise<void> {
    await this.#runExclusive(async () => {
      const parts = await this.#parts();
      await this.#lock.runExclusive(() => later().removeAccount(parts, id), anySignal(signal, this.#closing.signal));
    }).catch(error => {
      throw later().toDuelineError(error);
    });
  }

  async sync(options: SyncOptions = {}): Promise<SyncReport> {
    return this.#runExclusive(async () => {
      const { readOnlyReason } = this.store;
      if (readOnlyReason !== undefined) throw new DuelineError('readOnly', readOnlyReason);
      try {
        return await this.#lock.runExclusive(
          signal => this.#run({ ...options, signal }),
          anySignal(options.signal, this.#closing.signal),
        );
      } catch (error) {
        throw later().toDuelineError(error);
      }
    });
  }

  async #run(options: SyncOptions & { readonly signal: AbortSignal }): Promise<SyncReport> {
    const parts = await this.#parts();
    const only = this.#listsOf(options);
    const accounts: AccountReport[] = [];
    for (const account of this.#accountsOf(options, only)) {
      const postponedReason = await this.#postponedReason(account, parts.ledger, options);
      if (postponedReason) {
        if (postponedReason !== 'silently') accounts.push(postponedReason);
        continue;
      }
      const report = await later().syncAccount(parts, account, { ...options, only });
      accounts.push(report);
      await this.#decideAtOnce(report);
    }
    return { accounts };
  }

  /** One list, and those in which tasks that moved into it still have an old copy; undefined for all. */
  #listsOf({ listId }: SyncOptions): ReadonlySet<Id> | undefined {
    if (listId === undefined) return undefined;
    if (!this.store.list(listId)) throw new DuelineError('notFound', later().syncMessage('listNotFound'));
    return new Set([listId, ...later().listsLeftFor(this.store, listId)]);
  }

  #accountsOf({ accountId }: SyncOptions, only: ReadonlySet<Id> | undefined): readonly Account[] {
    const { store } = this;
    if (accountId !== undefined && !store.account(accountId))
      throw new DuelineError('notFound', later().syncMessage('accountNotFound'));
    const concerned = only && new Set([...only].map(id => store.list(id)?.accountId));
    return later()
      .destinationsFirst(store, store.accounts())
      .filter(({ id }) => (accountId === undefined || id === accountId) && (!concerned || concerned.has(id)));
  }

  /**
   * Backoff and a refused password hold back automatic runs, a server's Retry-After every run. A caller of the API gets
   * a report of the account that was left alone; the editor's own runs show it in their own way.
   */
  async #postponedReason(
    account: Account,
    ledger: SyncLedger,
    { trigger }: SyncOptions,
  ): Promise<'silently' | AccountReport | undefined> {
    const known = ledger.account(account.id);
    const now = this.#clock.now();
    // A folder that has changed can be read, whatever failed before.
    const isBack = trigger === 'folderChange' && isFolderAccount(account);
    if ((trigger === 'schedule' || trigger === 'folderChange') && !isBack) {
      const mark =
        known.refusedCredentials === undefined ? undefined : await this.#connections.markOfCredentials(account);
      return mustWait(known, now, mark) ? 'silently' : undefined;
    }
    if (!isRetryAfterSet(known, now)) return undefined;
    return trigger !== undefined ? 'silently' : later().notSynced(account, ledger.account(account.id));
  }

  /** Resolves conflicts without asking if the user's setting says which version wins. */
  async #decideAtOnce({ conflicts }: AccountReport): Promise<void> {
    const how = (
      { merge: undefined, ask: undefined, keepBoth: 'both', serverWins: 'server', localWins: 'mine' } as const
    )[this.#conflictPolicy];
    if (how === undefined || conflicts === 0) return;
    for (const { id, reason } of this.syncStatus.conflicts()) {
      if (reason === 'edited') await this.syncStatus.resolveConflict(id, how).catch(() => undefined);
    }
  }

  async deleteList(listId: Id, deleteHere: (isAsBefore: () => boolean) => Promise<void>): Promise<void> {
    await this.#runExclusive(async () => {
      const ledger = await this.#openLedger();
      const isAsBefore = await this.#deleteRemotely(listId, ledger);
      // With a task that came to it meanwhile, in another window for example, the next sync keeps it as a local list.
      await deleteHere(isAsBefore);
      await later().forgetDeletion({ ledger }, listId);
    });
  }

  async #deleteRemotely(listId: Id, ledger: SyncLedger): Promise<() => boolean> {
    const list = this.store.list(listId);
    const account = list?.accountId == null ? undefined : this.store.account(list.accountId);
    if (!list || !account) return () => true;
    // Its creation may have arrived, though the answer did not.
    const href = list.href ?? later().perhapsMadeAt({ store: this.store, ledger }, account.id, listId);
    if (href === undefined) return () => true;
    try {
      if (list.isReadOnly) throw new RemoteError('readOnly', later().syncMessage('foreignList'));
      // A run in another window would mistake a deletion in progress for an interrupted one.
      return await this.#lock.runExclusive(async signal => {
        const { remote } = await this.#connections.open(account, signal);
        return later().deleteRemotely({ store: this.store, ledger }, remote, listId, href);
      }, this.#closing.signal);
    } catch (error) {
      throw later().toDuelineError(error);
    }
  }

  async origins(): Promise<(task: Task) => SeriesOrigin> {
    const ledger = await this.#openLedger();
    return task => {
      const accountId = this.store.list(task.listId)?.accountId;
      const base = accountId == null || task.href === null ? undefined : ledger.anyBase(accountId, task.href);
      if (!base) return { prodid: null, movesOn: false };
      return { prodid: later().readResource(base.text, { uid: task.uid }).prodid, movesOn: base.movesOn ?? false };
    };
  }

  async dispose(): Promise<void> {
    this.#closing.abort();
    await this.#last.catch(() => undefined);
    await this.#ledger?.catch(() => undefined);
    this.#openedLedger?.dispose();
    this.syncStatus.dispose();
  }

  async #parts(): Promise<AccountSyncParts> {
    const { store } = this;
    const [{ newest } = { newest: 0 }] = store.select<{ newest: Id }>(
      'SELECT coalesce(max(id), 0) AS newest FROM tasks',
    );
    return {
      store,
      ledger: await this.#openLedger(),
      connections: this.#connections,
      clock: this.#clock,
      log: this.#log,
      random: this.options.random ?? Math.random,
      discard: tasks => this.discard.tasks(tasks, newest),
      discardCopy: this.discard.copy,
      setApart: this.discard.apart,
    };
  }

  #openLedger(): Promise<SyncLedger> {
    this.#ledger ??= this.store.sidecar().then(sidecar => {
      const ledger = new (later().SyncLedger)(sidecar);
      ledger.onDidChange(() => this.syncStatus.changed());
      this.#openedLedger = ledger;
      this.syncStatus.changed();
      return ledger;
    });
    return this.#ledger;
  }

  #runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.catch(() => undefined).then(work);
    this.#last = run;
    return run;
  }
}

function tuneConnections(
  connections: Connections,
  { timeoutMs, trustedCertificates, proxy }: Partial<SyncTuning>,
): void {
  if (timeoutMs !== undefined) connections.timeoutMs = timeoutMs;
  if (trustedCertificates) connections.trustedCertificates = trustedCertificates;
  if (proxy) connections.proxy = proxy;
}

export const createCaldavSync = (store: TaskStore, options: CaldavSyncOptions, discard: Discard): CaldavSync =>
  new CaldavSync(store, options, discard);
