import type { Log } from '../../core/log';
import type { Account } from '../../core/model';
import type { Reader } from '../../store/types';
import type { Authenticator } from '../dav/auth';
import { CaldavAccount } from '../dav/caldavAccount';
import { homesOf } from '../dav/discovery';
import { HttpClient } from '../dav/httpClient';
import { isRemote, type RemoteAccount, RemoteError } from '../remote/remote';
import type { SyncLedger } from '../state/syncLedger';

interface ConnectOptions {
  readonly store: Reader;
  readonly memory: SyncLedger;
  readonly fetch: typeof fetch;
  readonly auth: Authenticator;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly log?: Log;
}

/** Where an account's server is: the origin of its home, its principal or, where it shows neither, its one calendar. */
export function startOf(account: Account, store: Reader): { readonly origin: string } {
  const start = account.homeSetUrl ?? account.principalUrl ?? calendarOf(account, store);
  if (start === null || !URL.canParse(start)) {
    throw new RemoteError('protocol', 'This account has lost its address. Remove it and add it again.');
  }
  return { origin: new URL(start).origin };
}

const calendarOf = ({ id }: Account, store: Reader): string | null =>
  store.lists().find(list => list.accountId === id && list.href !== null)?.href ?? null;

/** Opens the way to an account that was set up before. Sends nothing unless the homes have to be found again. */
export async function connect(
  account: Account,
  options: ConnectOptions,
): Promise<RemoteAccount & { http: HttpClient; toldByTags: boolean }> {
  const { memory, store, fetch, auth, signal, timeoutMs, log } = options;
  const known = memory.account(account.id);
  const calendarUrl = account.homeSetUrl === null ? calendarOf(account, store) : null;
  const home = startOf(account, store).origin;
  const http = new HttpClient({ fetch, home, auth, signal, timeoutMs, log });
  const homes = await knownHomes(http, account, known.homes);
  if (known.homes === undefined && homes.length > 1) await memory.updateAccount(account.id, { homes });
  const remote = new CaldavAccount(http, { homes, calendarUrl }, known.toldByTags);
  return Object.assign(remote, { http });
}

export const noPassword = ({ displayName }: Account): RemoteError =>
  new RemoteError('auth', `The password of “${displayName}” is not stored here. Enter it again.`);

/**
 * The row has room for one home. Where the memory of the others got lost, the lists known in them are still found, each
 * by its own address; new ones there are not.
 */
async function knownHomes(
  http: HttpClient,
  account: Account,
  remembered: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (account.homeSetUrl === null) return account.principalUrl === null ? [] : homesOf(http, account.principalUrl);
  if (remembered) return remembered.includes(account.homeSetUrl) ? remembered : [account.homeSetUrl];
  return [account.homeSetUrl];
}

/** A home that is gone may have moved: the principal says where to. Undefined where nothing better is known. */
export async function rediscoverHomes(http: HttpClient, account: Account): Promise<readonly string[] | undefined> {
  if (account.principalUrl === null) return undefined;
  try {
    const homes = await homesOf(http, account.principalUrl);
    return homes.length > 0 && !homes.includes(account.homeSetUrl ?? '') ? homes : undefined;
  } catch (error) {
    if (isRemote(error, 'gone', 'rejected', 'protocol', 'unsupported')) return undefined;
    throw error;
  }
}
