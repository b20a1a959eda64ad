import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Log } from '../../core/kernel/log';
import type { Account, Id } from '../../core/kernel/model';
import { defaultSettings, type ProxySettings } from '../../core/kernel/settings';
import { isFolderAccount } from '../../core/sync/folderAccount';
import type { Secrets } from '../../core/sync/syncReport';
import type { Clock } from '../../core/time/clock';
import type { TaskStore } from '../../store/taskStore';
import { Authenticator, type Credentials, type Login } from '../dav/auth';
import { CaldavAccount } from '../dav/caldavAccount';
import { CaldavCalendars } from '../dav/caldavCalendars';
import { mayReceiveCredentials } from '../dav/credentialScope';
import { HttpClient } from '../dav/httpClient';
import { nodeFetch } from '../dav/nodeFetch';
import { openTunnel, portOf, proxyFor } from '../dav/proxy';
import type { Disk } from '../folder/folderDisk';
import { syncMessage } from '../messages';
import { type RemoteAccount, RemoteError, type RemoteList } from '../remote/remote';
import { errorOf, mustWait, tryAgain } from '../state/backoffState';
import type { AccountRecord } from '../state/ledgerTypes';
import type { SyncLedger } from '../state/syncLedger';
import { inspectFolder, openFolder, rootOf } from './folderConnection';
import { calendarOf, knownHomes, rediscoverHomes, startOf } from './homes';

interface ConnectionOptions {
  readonly store: TaskStore;
  readonly ledger: () => Promise<SyncLedger>;
  readonly secrets: Secrets | undefined;
  /** Replaces the global one, with its proxies. */
  readonly fetch: typeof fetch | undefined;
  readonly log: Log;
  readonly clock: Clock;
  /** The disk of lists in folders, in place of the computer's own. */
  readonly disk?: Disk;
}

/** The way to an account that was set up, and what only its kind does about a run. */
export interface Connection {
  readonly remote: RemoteAccount;
  /** Absent from a folder. */
  readonly calendars?: CaldavCalendars;
  /** Discovers the lists again after they have disappeared; undefined if nothing better is found. */
  rediscover(): Promise<readonly string[] | undefined>;
  /** Remembers what a run showed that went through. */
  finish(): Promise<void>;
}

/** The text in the secret storage for an account: its login, and the server where it may go. */
interface Secret extends Credentials {
  readonly origin: string;
}

/** A password in the secret storage that no account has yet. */
export interface StoredPassword {
  readonly token: string;
  /** The text that is stored. */
  readonly secret: string;
}

/**
 * The key is a random token that the sidecar has for the account. Ids are numbered alike in every folder, and a
 * restored or imported file uses them for other servers, while all folders share one secret storage.
 */
const secretKey = (token: string): string => `caldav:${token}`;
/**
 * The keys of 1.1.0's passwords: by id, without a word about their server. Nothing shows whose they are, so none is
 * sent.
 */
const keysOfOld = (id: Id): readonly string[] => [`caldav:${id}`, `caldav:${id}:mark`];

const noPassword = ({ displayName }: Account): RemoteError =>
  new RemoteError('auth', syncMessage('passwordMissing', displayName));

/** The connections to the accounts' servers: credentials and trusted certificates. Kept between runs. */
export class Connections {
  /** Fingerprints that every account trusts. */
  trustedCertificates: readonly string[] = [];
  timeoutMs = 30_000;
  proxy: ProxySettings = defaultSettings.proxy;
  readonly #secrets: Secrets;
  /** One for each set of trusted certificates, because each keeps its connections open between requests. */
  readonly #fetches = new Map<string, typeof fetch>();
  /** Kept so that a Digest login lasts. */
  readonly #logins = new Map<Id, { readonly secret: string; readonly auth: Authenticator }>();
  /** The lists of an account that was just added, until its first run. */
  readonly #found = new Map<Id, readonly RemoteList[]>();

  constructor(private readonly options: ConnectionOptions) {
    this.#secrets = options.secrets ?? new SecretsOfSession();
  }

  /** A `fetch` from outside is the caller's whole way out. */
  get #proxies(): ProxySettings | undefined {
    return this.options.fetch ? undefined : this.proxy;
  }

  /** Opens a tunnel through the proxy, if there is one. */
  async tunnel(target: URL): Promise<Socket | undefined> {
    const route = this.#proxies && proxyFor(target, this.#proxies, process.env);
    return route && openTunnel(route, target.hostname.replace(/^\[|\]$/g, ''), portOf(target));
  }

  /** The way to a server; for an account that is not set up yet, too. */
  client(home: string, auth: Authenticator, trusted: readonly string[] | undefined, signal: AbortSignal): HttpClient {
    const { log } = this.options;
    return new HttpClient({ fetch: this.fetchTrusting(trusted), home, auth, signal, timeoutMs: this.timeoutMs, log });
  }

  /** The way to a feed. Its address is a secret, which no log gets. */
  feedClient(
    home: string,
    auth: Login,
    approve: (origin: string) => Promise<boolean>,
    signal: AbortSignal,
  ): HttpClient {
    const { timeoutMs } = this;
    return new HttpClient({ fetch: this.fetchTrusting(), home, isHomeOnly: true, auth, approve, signal, timeoutMs });
  }

  /** The storage for passwords. */
  get secrets(): Secrets {
    return this.#secrets;
  }

  /** Sends nothing unless the homes have to be found again. `password`: one to be tried, in place of the stored one. */
  async open(account: Account, signal: AbortSignal, password?: string): Promise<Connection> {
    const { store } = this.options;
    const ledger = await this.options.ledger();
    const { disk, clock } = this.options;
    const { timeoutMs } = this;
    if (isFolderAccount(account)) return openFolder(account, { store, ledger, disk, clock, timeoutMs, signal });
    const known = ledger.account(account.id);
    const { trusted, scheme } = known;
    const { origin } = startOf(account, store);
    const auth =
      password === undefined
        ? await this.#login(account, origin, ledger)
        : new Authenticator({ username: account.username ?? '', password }, scheme);
    const http = this.client(origin, auth, trusted, signal);
    const homes = await knownHomes(http, account, known.homes);
    if (known.homes === undefined && homes.length > 1) await ledger.updateAccount(account.id, { homes });
    const calendarUrl = account.homeSetUrl === null ? calendarOf(account, store) : null;
    const remote = new CaldavAccount(http, { homes, calendarUrl }, known.toldByTags, () => this.#takeFound(account.id));
    return {
      remote,
      calendars: new CaldavCalendars(http, { homes, calendarUrl, principalUrl: account.principalUrl }),
      rediscover: () => rediscoverHomes(http, account),
      async finish() {
        const { scheme } = auth;
        await ledger.updateAccount(account.id, { toldByTags: remote.wasCtagSufficient, ...(scheme && { scheme }) });
      },
    };
  }

  noteFound = (id: Id, lists: readonly RemoteList[]): void => void this.#found.set(id, lists);

  /** Nothing if another window has synced since: its tags are newer. */
  #takeFound(id: Id): readonly RemoteList[] | undefined {
    const found = this.#found.get(id);
    this.#found.delete(id);
    const lists = this.options.store.lists().filter(({ accountId }) => accountId === id);
    return lists.every(({ ctag, syncToken }) => ctag === null && syncToken === null) ? found : undefined;
  }

  rootOf = (url: string) => rootOf(url, this.options.disk);

  inspectFolder = (url: string) => inspectFolder(url, { disk: this.options.disk, timeoutMs: this.timeoutMs });

  /** Stores the password that the user entered for the current account; a failure halfway leaves the previous one. */
  async keepPassword(account: Account, password: string): Promise<void> {
    const { origin } = startOf(account, this.options.store);
    await this.usePassword(
      account.id,
      await this.storePassword({ origin, username: account.username ?? '', password }),
    );
  }

  /** Stores a password that nothing uses before {@link usePassword}: for an account that does not exist yet, too. */
  async storePassword(secret: Secret): Promise<StoredPassword> {
    const stored = { token: randomUUID(), secret: JSON.stringify(secret) };
    await this.#secrets.set(secretKey(stored.token), stored.secret);
    return stored;
  }

  /** From now on the account logs in with it. `facts`: what else is remembered of the account, in the same step. */
  async usePassword(
    id: Id,
    { token, secret }: StoredPassword,
    auth?: Authenticator,
    facts?: AccountRecord,
  ): Promise<void> {
    const ledger = await this.options.ledger();
    const before = ledger.account(id).token;
    await ledger.updateAccount(id, { ...tryAgain, ...facts, token });
    if (auth) this.#logins.set(id, { secret, auth });
    await this.#delete(id, before);
  }

  dropPassword = ({ token }: StoredPassword): Promise<void> => this.#secrets.delete(secretKey(token));

  /** Forgets the password, before the account's record in the ledger is deleted. */
  async forget(id: Id): Promise<void> {
    this.#logins.delete(id);
    this.#found.delete(id);
    await this.#delete(id, (await this.options.ledger()).account(id).token);
  }

  async #delete(id: Id, token: string | undefined): Promise<void> {
    const keys = token === undefined ? keysOfOld(id) : [secretKey(token), ...keysOfOld(id)];
    for (const key of keys) await this.#secrets.delete(key);
  }

  /**
   * A mark that changes when the password is entered again, since the token is new then. Undefined if there is no
   * password.
   */
  async markOfCredentials({ id }: Account): Promise<string | undefined> {
    const { token } = (await this.options.ledger()).account(id);
    return token !== undefined && (await this.#secrets.get(secretKey(token))) !== undefined ? token : undefined;
  }

  /** Throws for an account that sync leaves alone; a list that fails does not count. Returns the mark of its password. */
  async admit(account: Account): Promise<string | undefined> {
    const record = (await this.options.ledger()).account(account.id);
    const login = await this.markOfCredentials(account);
    const isLeftAlone = record.trouble !== 'lists' && mustWait(record, this.options.clock.now(), login);
    if (isLeftAlone) throw new RemoteError('busy', errorOf(account, record) ?? syncMessage('serverBusy'));
    return login;
  }

  async #login(account: Account, origin: string, ledger: SyncLedger): Promise<Authenticator> {
    const { token, scheme } = ledger.account(account.id);
    const kept = token === undefined ? undefined : await this.#secrets.get(secretKey(token));
    if (kept === undefined) throw noPassword(account);
    const secret: Secret = JSON.parse(kept);
    const isItsOwn = secret.username === (account.username ?? '');
    if (!isItsOwn || !mayReceiveCredentials(origin, secret.origin)) throw noPassword(account);
    const known = this.#logins.get(account.id);
    if (known?.secret === kept) return known.auth;
    const auth = new Authenticator(secret, scheme);
    this.#logins.set(account.id, { secret: kept, auth });
    return auth;
  }

  fetchTrusting(own: readonly string[] = []): typeof fetch {
    const trusted = [...new Set([...own, ...this.trustedCertificates])].sort();
    const name = trusted.join();
    const known = this.#fetches.get(name);
    if (known) return known;
    const made = nodeFetch(trusted, this.options.fetch ?? fetch, () => this.#proxies);
    this.#fetches.set(name, made);
    return made;
  }
}

/** For a headless caller that brings no storage for secrets: they last as long as the engine. */
class SecretsOfSession implements Secrets {
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
