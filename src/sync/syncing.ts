import { type Clock, systemClock } from '../core/clock';
import { DuelineError } from '../core/errors';
import { readResource } from '../core/ical/readResource';
import { type Log, noLog } from '../core/log';
import type { Account, Id } from '../core/model';
import type { TaskStore } from '../store/types';
import { Authenticator, type Credentials } from './auth';
import { CaldavAccount } from './caldav';
import { fetchTrusting } from './certificates';
import { connect, homesAnew } from './connect';
import { discover, type ServiceLookup, startingPoint } from './discovery';
import { toDuelineError } from './errors';
import { HttpClient } from './http';
import { detach, listsOf, takeLists } from './lists';
import { hashText, SyncMemory } from './memory';
import { mustWait, rememberOutcome } from './outcome';
import { isRemote, RemoteError } from './remote';
import { type AccountRun, newTally, type SyncProgress, type Tally } from './run';
import { runAccount } from './runner';
import { lookupService } from './service';
import { Surface } from './surface';
import { Turn } from './turn';

export interface SyncingOptions {
  readonly folder: string;
  readonly clock?: Clock;
  readonly secrets?: SecretBox;
  readonly fetch?: typeof fetch;
  readonly log?: Log;
  /** Replaces DNS. */
  readonly lookup?: ServiceLookup;
  /** In [0, 1); replaces chance. */
  readonly random?: () => number;
}

/** What a person may tune. */
export interface SyncTuning {
  readonly timeoutMs: number;
  /** What becomes of an edit that gave way: kept for a person to see, or decided at once. */
  readonly conflictPolicy: 'merge' | 'keepBoth' | 'serverWins' | 'localWins';
  /** SHA-256 fingerprints that every account trusts. */
  readonly trustedCertificates: readonly string[];
}

export interface SecretBox {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}

export interface AccountInput {
  readonly serverUrl: string;
  readonly username: string;
  readonly password: string;
  readonly displayName?: string;
  /** SHA-256 fingerprints of certificates to trust for this account though no authority vouches for them. */
  readonly trusted?: readonly string[];
}

export interface RunOptions {
  readonly accountId?: Id;
  readonly listId?: Id;
  /** `schedule` leaves accounts alone that must wait or need a person; `person` those that asked to be left alone. */
  readonly trigger?: 'person' | 'schedule';
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SyncProgress) => void;
}

export interface AccountResult {
  readonly accountId: Id;
  readonly error: string | null;
  readonly requests: number;
  readonly pulled: number;
  readonly pushed: number;
  readonly deletedLocally: number;
  readonly deletedRemotely: number;
  readonly conflicts: number;
  readonly rowErrors: readonly { readonly taskId: Id; readonly message: string }[];
}

const secretKey = (id: Id): string => `caldav:${id}`;

/** Everything the engine asks of sync. Runs never overlap: a second request waits for the first. */
export class CaldavSyncing {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #fetch: typeof fetch;
  readonly #secrets: SecretBox;
  #memory: Promise<SyncMemory> | undefined;
  #openMemory: SyncMemory | undefined;
  #tuning: SyncTuning = { timeoutMs: 30_000, conflictPolicy: 'merge', trustedCertificates: [] };
  #last: Promise<unknown> = Promise.resolve();
  readonly #turn: Turn;
  readonly #random: () => number;
  readonly surface: Surface;
  readonly #closing = new AbortController();
  /** Kept over runs, so that a Digest login lasts. */
  readonly #fetches = new Map<string, typeof fetch>();
  readonly #logins = new Map<Id, { credentials: Credentials; auth: Authenticator }>();

  constructor(
    private readonly store: TaskStore,
    private readonly options: SyncingOptions,
  ) {
    this.#clock = options.clock ?? systemClock;
    const log = options.log ?? noLog;
    this.#log = (level, text) => {
      log(level, text);
      this.surface.logged({ level, text });
    };
    this.#fetch = options.fetch ?? fetch;
    this.#secrets = options.secrets ?? new SecretsOfSession();
    this.#random = options.random ?? Math.random;
    this.#turn = new Turn(options.folder, this.#clock);
    this.surface = new Surface({
      store,
      now: () => this.#clock.now(),
      fetch: this.#fetch,
      memory: () => this.#getMemory(),
      openMemory: () => this.#openMemory,
      connect: (account, password) => this.#connect(account, this.#closing.signal, password),
      keepPassword: (id, password) => this.#secrets.set(secretKey(id), password),
      alone: work => this.#alone(work),
    });
    // What a person may see of the last runs.
    if (store.accounts().length > 0) this.#getMemory().catch(() => undefined);
  }

  tune(tuning: Partial<SyncTuning>): void {
    this.#tuning = { ...this.#tuning, ...tuning };
  }

  /** Finds the account's lists before anything is written: an account that cannot be reached is not set up. */
  async addAccount(input: AccountInput): Promise<Id> {
    const credentials = { username: input.username.trim(), password: input.password };
    const auth = new Authenticator(credentials);
    try {
      const start = await startingPoint(input.serverUrl, this.options.lookup ?? lookupService);
      const http = new HttpClient({
        fetch: this.#fetchTrusting(input.trusted),
        home: new URL(start.urls[0]!).origin,
        auth,
        signal: this.#closing.signal,
        timeoutMs: this.#tuning.timeoutMs,
        log: this.#log,
      });
      const found = await discover(http, start);
      const lists = await new CaldavAccount(http, found).lists();
      const home = found.homes[0] ?? null;
      const host = new URL(home ?? found.calendarUrl!).host;
      const memory = await this.#getMemory();
      const id = await this.store.edit({ origin: 'sync' }, tx => {
        const account = tx.insertAccount({
          displayName: input.displayName?.trim() || (credentials.username ? `${credentials.username} (${host})` : host),
          principalUrl: found.principalUrl,
          homeSetUrl: home,
          username: credentials.username || null,
        });
        takeLists(tx, account, lists);
        return account;
      });
      await this.#secrets.set(secretKey(id), credentials.password);
      await memory.updateAccount(id, {
        ...(auth.scheme && { scheme: auth.scheme }),
        ...(found.homes.length > 1 && { homes: found.homes }),
        ...(input.trusted?.length && { trusted: input.trusted }),
      });
      this.#logins.set(id, { credentials, auth });
      return id;
    } catch (error) {
      throw toDuelineError(error);
    }
  }

  async removeAccount(id: Id): Promise<void> {
    await this.#alone(async () => {
      if (!this.store.account(id)) throw new DuelineError('notFound', 'There is no such account.');
      const memory = await this.#getMemory();
      const listIds = listsOf(this.store, id).map(list => list.id);
      await this.store.edit({ origin: 'sync' }, tx => {
        for (const listId of listIds) if (tx.list(listId)) detach(tx, listId);
        if (tx.account(id)) tx.deleteAccount(id);
      });
      this.#logins.delete(id);
      await this.#secrets.delete(secretKey(id));
      await memory.forget(id, listIds);
    });
  }

  async sync(options: RunOptions = {}): Promise<{ readonly accounts: readonly AccountResult[] }> {
    return this.#alone(() => this.#takingTurns(options));
  }

  async #takingTurns(options: RunOptions): Promise<{ readonly accounts: readonly AccountResult[] }> {
    const signal = anySignal(options.signal, this.#closing.signal);
    try {
      return await this.#turn.take(async () => {
        const accounts: AccountResult[] = [];
        for (const account of this.#chosen(options)) {
          if (!(await this.#isLeftAlone(account, options))) accounts.push(await this.#syncAccount(account, options));
        }
        return { accounts };
      }, signal);
    } catch (error) {
      throw toDuelineError(error);
    }
  }

  async #isLeftAlone(account: Account, { trigger }: RunOptions): Promise<boolean> {
    if (trigger === undefined) return false;
    const known = (await this.#getMemory()).account(account.id);
    if (trigger === 'person') return (known.retryAt ?? 0) > this.#clock.now();
    return mustWait(known, this.#clock.now(), await this.#hashOfCredentials(account));
  }

  async #hashOfCredentials(account: Account): Promise<string | undefined> {
    const password = await this.#secrets.get(secretKey(account.id));
    return password === undefined ? undefined : hashText(JSON.stringify([account.username, password]));
  }

  #chosen({ accountId, listId }: RunOptions): readonly Account[] {
    const list = listId === undefined ? undefined : this.store.list(listId);
    if (listId !== undefined && !list) throw new DuelineError('notFound', 'There is no such list.');
    if (list && list.accountId === null) return [];
    const id = accountId ?? list?.accountId ?? undefined;
    if (id === undefined) return this.store.accounts();
    const account = this.store.account(id);
    if (!account) throw new DuelineError('notFound', 'There is no such account.');
    return [account];
  }

  async #syncAccount(account: Account, options: RunOptions): Promise<AccountResult> {
    const tally = newTally();
    let requests = 0;
    let error: string | null = null;
    let failure: unknown;
    const started = performance.now();
    try {
      const count = await this.#run(account, options, tally);
      requests = count();
      error = [...tally.listErrors].map(([id, message]) => `${this.store.list(id)?.name ?? ''}: ${message}`)[0] ?? null;
    } catch (caught) {
      requests = (caught as Failure).requests ?? 0;
      failure = caught instanceof Failure ? caught.cause : caught;
      const known = toDuelineError(failure);
      if (known.kind === 'cancelled') throw known;
      error = known.message;
    }
    await this.#noteOutcome(account, error, failure);
    const { listErrors, rowErrors, notices, ...counts } = tally;
    this.#log(
      error === null ? 'info' : 'warn',
      logLine(account.id, tally, requests, error, performance.now() - started),
    );
    for (const { kind, listId, count } of notices) this.#log('info', `List ${listId}: ${kind} (${count})`);
    await this.#decideAtOnce(tally);
    return {
      accountId: account.id,
      error,
      requests,
      ...counts,
      rowErrors: [...rowErrors].map(([taskId, message]) => ({ taskId, message })),
    };
  }

  async #run(account: Account, options: RunOptions, tally: Tally): Promise<() => number> {
    const memory = await this.#getMemory();
    const signal = anySignal(options.signal, this.#closing.signal);
    let requests = () => 0;
    try {
      const remote = await this.#connect(account, signal);
      requests = () => remote.requests;
      const run: AccountRun = {
        store: this.store,
        memory,
        remote,
        account,
        clock: this.#clock,
        log: this.#log,
        signal,
        progress: progress => options.onProgress?.(progress),
        tally,
        notice: (kind, listId, count) =>
          tally.notices.push({ kind, listId, listName: this.store.list(listId)?.name ?? '', count }),
      };
      try {
        await runAccount(run, options.listId);
      } catch (error) {
        const homes = isRemote(error, 'gone') ? await homesAnew(remote.http, account) : undefined;
        if (!homes) throw error;
        await this.store.edit({ origin: 'sync' }, tx => tx.updateAccount(account.id, { homeSetUrl: homes[0]! }));
        await memory.updateAccount(account.id, { homes });
        throw new RemoteError('server', 'The server has moved its lists. They are found at the next sync.');
      }
      const { scheme } = remote.http.auth;
      await memory.updateAccount(account.id, { ...(scheme && { scheme }) });
      return requests;
    } catch (error) {
      throw new Failure(error, requests());
    }
  }

  async #login(account: Account, memory: SyncMemory): Promise<{ auth: Authenticator; credentials: Credentials }> {
    const password = await this.#secrets.get(secretKey(account.id));
    if (password === undefined) {
      throw new RemoteError('auth', `The password of “${account.displayName}” is not stored here. Enter it again.`);
    }
    const credentials = { username: account.username ?? '', password };
    const known = this.#logins.get(account.id);
    if (known && hashText(JSON.stringify(known.credentials)) === hashText(JSON.stringify(credentials))) return known;
    const login = { credentials, auth: new Authenticator(credentials, memory.account(account.id).scheme) };
    this.#logins.set(account.id, login);
    return login;
  }

  /** `password`: one to be tried, in place of the stored one. */
  async #connect(account: Account, signal: AbortSignal, password?: string) {
    const memory = await this.#getMemory();
    const auth =
      password === undefined
        ? (await this.#login(account, memory)).auth
        : new Authenticator({ username: account.username ?? '', password }, memory.account(account.id).scheme);
    return connect(account, {
      store: this.store,
      memory,
      fetch: this.#fetchTrusting(memory.account(account.id).trusted),
      auth,
      signal,
      timeoutMs: this.#tuning.timeoutMs,
      log: this.#log,
    });
  }

  /** Kept as long as what is trusted stays the same, and its connections with it. */
  #fetchTrusting(own: readonly string[] = []): typeof fetch {
    const trusted = [...new Set([...own, ...this.#tuning.trustedCertificates])].sort();
    const name = trusted.join();
    const known = this.#fetches.get(name);
    if (known) return known;
    const made = fetchTrusting(trusted, this.#fetch);
    this.#fetches.set(name, made);
    return made;
  }

  async #noteOutcome(account: Account, error: string | null, failure: unknown): Promise<void> {
    const now = this.#clock.now();
    const memory = await this.#getMemory();
    const outcome = rememberOutcome(memory.account(account.id), failure, error !== null && failure === undefined, {
      now,
      random: this.#random(),
      credentials: await this.#hashOfCredentials(account),
    });
    await memory.updateAccount(account.id, outcome);
    await this.store.edit({ origin: 'sync' }, tx => {
      if (!tx.account(account.id)) return;
      if (error === null) tx.updateAccount(account.id, { lastSyncAt: now, lastSyncError: null });
      else tx.updateAccount(account.id, { lastSyncError: error });
    });
  }

  /** Where a person wants conflicts decided without being asked. */
  async #decideAtOnce(tally: Tally): Promise<void> {
    const how = ({ merge: undefined, keepBoth: 'both', serverWins: 'server', localWins: 'mine' } as const)[
      this.#tuning.conflictPolicy
    ];
    if (how === undefined || tally.conflicts === 0) return;
    for (const { id, reason } of this.surface.conflicts()) {
      if (reason === 'edited') await this.surface.resolveConflict(id, how).catch(() => undefined);
    }
  }

  async deleteRemoteList(listId: Id): Promise<void> {
    await this.#alone(async () => {
      const list = this.store.list(listId);
      const account = list?.accountId == null ? undefined : this.store.account(list.accountId);
      if (!list || !account || list.href === null) return;
      try {
        const remote = await this.#connect(account, this.#closing.signal);
        if (list.isReadOnly) {
          throw new RemoteError('readOnly', 'This list belongs to somebody else. You can stop syncing it instead.');
        }
        await remote.deleteList(list.href);
      } catch (error) {
        throw toDuelineError(error);
      }
    });
  }

  /** PRODID of the program that wrote the task's resource last; null where there is no copy of it. */
  async prodidOf(taskId: Id): Promise<string | null> {
    const task = this.store.task(taskId);
    const accountId = task && this.store.list(task.listId)?.accountId;
    if (!task || accountId == null || task.href === null) return null;
    const base = (await this.#getMemory()).base(accountId, task.href, task.etag);
    return base ? readResource(base.text, { uid: task.uid }).prodid : null;
  }

  async dispose(): Promise<void> {
    this.#closing.abort();
    await this.#last.catch(() => undefined);
    await this.#memory?.catch(() => undefined);
    this.#openMemory?.dispose();
    this.surface.dispose();
  }

  #getMemory(): Promise<SyncMemory> {
    this.#memory ??= this.store.sidecar().then(sidecar => {
      const memory = new SyncMemory(sidecar);
      memory.onDidChange(() => this.surface.changed());
      this.#openMemory = memory;
      this.surface.changed();
      return memory;
    });
    return this.#memory;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.catch(() => undefined).then(work);
    this.#last = run;
    return run;
  }
}

export const createSyncing = (store: TaskStore, options: SyncingOptions): CaldavSyncing =>
  new CaldavSyncing(store, options);

/** For a headless caller that brings no safe place for secrets: they last as long as the engine. */
class SecretsOfSession implements SecretBox {
  readonly #values = new Map<string, string>();
  async get(key: string): Promise<string | undefined> {
    return this.#values.get(key);
  }
  async set(key: string, value: string): Promise<void> {
    this.#values.set(key, value);
  }
  async delete(key: string): Promise<void> {
    this.#values.delete(key);
  }
}

/** A run's failure with what was sent before it. */
class Failure extends Error {
  constructor(
    cause: unknown,
    readonly requests: number,
  ) {
    super('sync', { cause });
  }
}

/** Says what a run did, with numbers and host names alone. */
function logLine(id: Id, tally: Tally, requests: number, error: string | null, ms: number): string {
  const { pulled, pushed, deletedLocally, deletedRemotely, conflicts, rowErrors } = tally;
  const counts = [
    `${requests} requests`,
    `${pulled} received`,
    `${pushed} sent`,
    ...(deletedLocally + deletedRemotely > 0 ? [`${deletedLocally} deleted here, ${deletedRemotely} there`] : []),
    ...(conflicts > 0 ? [`${conflicts} conflicts`] : []),
    ...(rowErrors.size > 0 ? [`${rowErrors.size} refused`] : []),
  ];
  const failed = error === null ? '' : `; failed: ${withoutQuotes([...tally.listErrors.values()][0] ?? error)}`;
  return `Account ${id}: ${counts.join(', ')} in ${Math.round(ms)} ms${failed}`;
}

/** A server may quote a task in what it says. */
const withoutQuotes = (text: string) => text.replace(/ It says: .*$/s, '');

function anySignal(one: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  if (!one) return other;
  const either = new AbortController();
  for (const signal of [one, other]) {
    if (signal.aborted) either.abort();
    else signal.addEventListener('abort', () => either.abort(), { once: true });
  }
  return either.signal;
}
