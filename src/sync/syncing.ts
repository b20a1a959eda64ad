import { type Clock, systemClock } from '../core/clock';
import { DuelineError, type ErrorKind } from '../core/errors';
import { readResource } from '../core/ical/readResource';
import { type Log, noLog } from '../core/log';
import type { Account, Id } from '../core/model';
import type { TaskStore } from '../store/types';
import { Authenticator, type Credentials } from './auth';
import { CaldavAccount } from './caldav';
import { connect, homesAnew } from './connect';
import { discover, NotAnAddress, type ServiceLookup, startingPoint } from './discovery';
import { HttpClient } from './http';
import { detach, listsOf, takeLists } from './lists';
import { hashText, SyncMemory } from './memory';
import { isRemote, RemoteError, type RemoteErrorKind } from './remote';
import { type AccountRun, newTally, type SyncProgress, type Tally } from './run';
import { runAccount } from './runner';
import { lookupService } from './service';

export interface SyncingOptions {
  readonly folder: string;
  readonly clock?: Clock;
  readonly secrets?: SecretBox;
  readonly fetch?: typeof fetch;
  readonly log?: Log;
  /** Replaces DNS. */
  readonly lookup?: ServiceLookup;
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
}

export interface RunOptions {
  readonly accountId?: Id;
  readonly listId?: Id;
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
  #last: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();
  /** Kept over runs, so that a Digest login lasts. */
  readonly #logins = new Map<Id, { credentials: Credentials; auth: Authenticator }>();

  constructor(
    private readonly store: TaskStore,
    private readonly options: SyncingOptions,
  ) {
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? noLog;
    this.#fetch = options.fetch ?? fetch;
    this.#secrets = options.secrets ?? new SecretsOfSession();
  }

  /** Finds the account's lists before anything is written: an account that cannot be reached is not set up. */
  async addAccount(input: AccountInput): Promise<Id> {
    const credentials = { username: input.username.trim(), password: input.password };
    const auth = new Authenticator(credentials);
    try {
      const start = await startingPoint(input.serverUrl, this.options.lookup ?? lookupService);
      const http = new HttpClient({
        fetch: this.#fetch,
        home: new URL(start.urls[0]!).origin,
        auth,
        signal: this.#closing.signal,
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
    return this.#alone(async () => {
      const accounts: AccountResult[] = [];
      for (const account of this.#chosen(options)) accounts.push(await this.#syncAccount(account, options));
      return { accounts };
    });
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
    try {
      const count = await this.#run(account, options, tally);
      requests = count();
      error = [...tally.listErrors].map(([id, message]) => `${this.store.list(id)?.name ?? ''}: ${message}`)[0] ?? null;
    } catch (caught) {
      requests = (caught as Failure).requests ?? 0;
      const failure = caught instanceof Failure ? caught.cause : caught;
      const known = toDuelineError(failure);
      if (known.kind === 'cancelled') throw known;
      this.#log('warn', `Account ${account.id}: ${known.kind}`);
      error = known.message;
    }
    await this.#noteOutcome(account.id, error);
    const { listErrors, rowErrors, notices, ...counts } = tally;
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
    const { auth } = await this.#login(account, memory);
    const signal = anySignal(options.signal, this.#closing.signal);
    let requests = () => 0;
    try {
      const remote = await connect(account, {
        store: this.store,
        memory,
        fetch: this.#fetch,
        auth,
        signal,
        log: this.#log,
      });
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
      await memory.updateAccount(account.id, { ...(auth.scheme && { scheme: auth.scheme }) });
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

  async #noteOutcome(id: Id, error: string | null): Promise<void> {
    await this.store.edit({ origin: 'sync' }, tx => {
      if (!tx.account(id)) return;
      if (error === null) tx.updateAccount(id, { lastSyncAt: this.#clock.now(), lastSyncError: null });
      else tx.updateAccount(id, { lastSyncError: error });
    });
  }

  async deleteRemoteList(listId: Id): Promise<void> {
    await this.#alone(async () => {
      const list = this.store.list(listId);
      const account = list?.accountId == null ? undefined : this.store.account(list.accountId);
      if (!list || !account || list.href === null) return;
      try {
        const memory = await this.#getMemory();
        const { auth } = await this.#login(account, memory);
        const remote = await connect(account, {
          store: this.store,
          memory,
          fetch: this.#fetch,
          auth,
          signal: this.#closing.signal,
          log: this.#log,
        });
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
  }

  #getMemory(): Promise<SyncMemory> {
    this.#memory ??= this.store.sidecar().then(sidecar => new SyncMemory(sidecar));
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

const kinds: Partial<Record<RemoteErrorKind, ErrorKind>> = {
  auth: 'auth',
  tls: 'tls',
  offline: 'offline',
  timeout: 'timeout',
  cancelled: 'cancelled',
  readOnly: 'readOnly',
};

function toDuelineError(error: unknown): DuelineError {
  if (error instanceof DuelineError) return error;
  if (error instanceof NotAnAddress) return new DuelineError('invalid', error.message, { cause: error });
  if (error instanceof RemoteError)
    return new DuelineError(kinds[error.kind] ?? 'server', error.message, { cause: error });
  return new DuelineError('server', error instanceof Error ? error.message : String(error), { cause: error });
}

function anySignal(one: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  if (!one) return other;
  const either = new AbortController();
  for (const signal of [one, other]) {
    if (signal.aborted) either.abort();
    else signal.addEventListener('abort', () => either.abort(), { once: true });
  }
  return either.signal;
}
