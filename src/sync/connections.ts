import { createHmac, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Log } from '../core/log';
import type { Account, Id } from '../core/model';
import { defaultSettings, type ProxySettings } from '../core/settings';
import type { Secrets } from '../core/syncReport';
import type { Reader } from '../store/types';
import { Authenticator, type Credentials } from './auth';
import { connect, noPassword } from './connect';
import { HttpClient } from './http';
import type { SyncMemory } from './memory';
import { ownFetch } from './ownFetch';
import { openTunnel, portOf, proxyFor } from './proxy';
import type { RemoteAccount } from './remote';

interface ConnectionOptions {
  readonly store: Reader;
  readonly memory: () => Promise<SyncMemory>;
  readonly secrets: Secrets | undefined;
  /** In place of the global one, proxies and all. */
  readonly fetch: typeof fetch | undefined;
  readonly log: Log;
}

const secretKey = (id: Id): string => `caldav:${id}`;
/** The key of the account's mark: see `markOfCredentials`. */
const markKey = (id: Id): string => `caldav:${id}:mark`;

/** The ways to the accounts' servers: who logs in with what, over which certificates. Kept over runs. */
export class Connections {
  /** Fingerprints that every account trusts. */
  trustedCertificates: readonly string[] = [];
  timeoutMs = 30_000;
  proxy: ProxySettings = defaultSettings.proxy;
  readonly #secrets: Secrets;
  /** By what is trusted; their connections stay open between requests. */
  readonly #fetches = new Map<string, typeof fetch>();
  /** So that a Digest login lasts. */
  readonly #logins = new Map<Id, { credentials: Credentials; auth: Authenticator }>();

  constructor(private readonly options: ConnectionOptions) {
    this.#secrets = options.secrets ?? new SecretsOfSession();
  }

  /** A `fetch` from outside is the caller's whole way out. */
  get #proxies(): ProxySettings | undefined {
    return this.options.fetch ? undefined : this.proxy;
  }

  /** A way through the proxy where there is one. */
  async tunnel(target: URL): Promise<Socket | undefined> {
    const route = this.#proxies && proxyFor(target, this.#proxies, process.env);
    return route && openTunnel(route, target.hostname.replace(/^\[|\]$/g, ''), portOf(target));
  }

  /** For an account that is not set up yet. */
  client(home: string, auth: Authenticator, trusted: readonly string[] | undefined, signal: AbortSignal): HttpClient {
    const { log } = this.options;
    return new HttpClient({ fetch: this.fetchTrusting(trusted), home, auth, signal, timeoutMs: this.timeoutMs, log });
  }

  /** `password`: one to be tried, in place of the stored one. */
  async open(
    account: Account,
    signal: AbortSignal,
    password?: string,
  ): Promise<RemoteAccount & { readonly http: HttpClient; readonly toldByTags: boolean }> {
    const { store, log } = this.options;
    const memory = await this.options.memory();
    const { trusted, scheme } = memory.account(account.id);
    const auth =
      password === undefined
        ? await this.#login(account, memory)
        : new Authenticator({ username: account.username ?? '', password }, scheme);
    const { timeoutMs } = this;
    const isGiven = password !== undefined;
    const way = { fetch: this.fetchTrusting(trusted), auth, isGiven, signal, timeoutMs, log };
    return connect(account, { store, memory, ...way });
  }

  async keep(id: Id, credentials: Credentials, auth: Authenticator): Promise<void> {
    await this.keepPassword(id, credentials.password);
    this.#logins.set(id, { credentials, auth });
  }

  keepPassword(id: Id, password: string): Promise<void> {
    return this.#secrets.set(secretKey(id), password);
  }

  async forget(id: Id): Promise<void> {
    this.#logins.delete(id);
    await this.#secrets.delete(secretKey(id));
    await this.#secrets.delete(markKey(id));
  }

  /**
   * Tells whether credentials changed; undefined where there are none. It is noted on the disk, so it is made with a key
   * that lies where the password lies: without that, nobody can try passwords until one gives the same mark.
   */
  async markOfCredentials({ id, username }: Account): Promise<string | undefined> {
    const password = await this.#secrets.get(secretKey(id));
    if (password === undefined) return undefined;
    const key = (await this.#secrets.get(markKey(id))) ?? (await this.#newMarkKey(id));
    return createHmac('sha256', key)
      .update(JSON.stringify([username, password]))
      .digest('base64url');
  }

  async #newMarkKey(id: Id): Promise<string> {
    const key = randomBytes(32).toString('base64url');
    await this.#secrets.set(markKey(id), key);
    return key;
  }

  async #login(account: Account, memory: SyncMemory): Promise<Authenticator> {
    const password = await this.#secrets.get(secretKey(account.id));
    if (password === undefined) throw noPassword(account);
    const credentials = { username: account.username ?? '', password };
    const known = this.#logins.get(account.id);
    if (known?.credentials.username === credentials.username && known.credentials.password === password)
      return known.auth;
    const auth = new Authenticator(credentials, memory.account(account.id).scheme);
    this.#logins.set(account.id, { credentials, auth });
    return auth;
  }

  fetchTrusting(own: readonly string[] = []): typeof fetch {
    const trusted = [...new Set([...own, ...this.trustedCertificates])].sort();
    const name = trusted.join();
    const known = this.#fetches.get(name);
    if (known) return known;
    const made = ownFetch(trusted, this.options.fetch ?? fetch, () => this.#proxies);
    this.#fetches.set(name, made);
    return made;
  }
}

/** For a headless caller that brings no safe place for secrets: they last as long as the engine. */
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
