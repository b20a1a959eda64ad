import type { Account } from '../../core/kernel/model';
import type { Reader } from '../../store/types';
import { homesOf } from '../dav/discovery';
import type { HttpClient } from '../dav/httpClient';
import { syncMessage } from '../messages';
import { isRemote, RemoteError } from '../remote/remote';

/** The origin of an account's server: of its home, its principal or, if it has neither, its one calendar. */
export function startOf(account: Account, store: Reader): { readonly origin: string } {
  const start = account.homeSetUrl ?? account.principalUrl ?? calendarOf(account, store);
  if (start === null || !URL.canParse(start)) {
    throw new RemoteError('protocol', syncMessage('serverAddressMissing'));
  }
  return { origin: new URL(start).origin };
}

export const calendarOf = ({ id }: Account, store: Reader): string | null =>
  store.lists().find(list => list.accountId === id && list.href !== null)?.href ?? null;

/**
 * The row has room for one home. If the ledger with the others got lost, the lists known in them are still found, each
 * by its own address; new ones there are not.
 */
export async function knownHomes(
  http: HttpClient,
  account: Account,
  remembered: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (account.homeSetUrl === null) return account.principalUrl === null ? [] : homesOf(http, account.principalUrl);
  return remembered?.includes(account.homeSetUrl) ? remembered : [account.homeSetUrl];
}

/** A home that is gone may have moved: the principal names the new one. Undefined if nothing better is known. */
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
