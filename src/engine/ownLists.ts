import type { Account, TaskList } from '../core/kernel/model';

/** The store, or the engine: both know the accounts. */
interface Source {
  accounts(): readonly Account[];
}

/**
 * Checks if a list is the user's own: on this computer, or owned by the principal that the account signs in as (RFC
 * 3744 5.1).
 */
export function ownership(source: Source): (list: TaskList) => boolean {
  const principals = new Map(source.accounts().map(({ id, principalUrl }) => [id, principalUrl]));
  return ({ accountId, owner, isReadOnly }) => {
    if (accountId === null) return true;
    if (isReadOnly) return false;
    return owner === null || pathOf(owner) === pathOf(principals.get(accountId) ?? '');
  };
}

/** One server writes a path with its address, and another without, with escapes or a slash at its end. */
function pathOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url, 'http://server').pathname).replace(/\/+$/, '');
  } catch {
    return url;
  }
}
