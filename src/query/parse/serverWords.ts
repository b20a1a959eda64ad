import type { SavedFilter } from '../../core/kernel/settings';
import type { HasValue, IsValue, NameField, SyncValue } from './syntax';

/**
 * Words of the filter language about servers and agents. The offline flavor is built with the file next to this one,
 * which has none.
 */

export const serverIsValues = {
  dirty: 'Changed here, not yet synced',
  conflicted: 'Changed here and on the server',
  claimed: 'Claimed by an agent',
} as const satisfies Partial<Record<IsValue, string>>;

export const listMeaning: string = 'In the list, by name or account/name';

export const serverNameFields = {
  account: 'In a list of this account',
  claimed: 'Claimed by the agent with this name',
} as const satisfies Partial<Record<NameField, string>>;

export const serverHasValues = {
  account: 'An account',
} as const satisfies Partial<Record<HasValue, string>>;

export const syncValues: Readonly<Record<SyncValue, string>> = {
  pending: 'Changed here, not yet synced',
  error: 'Rejected by the server',
  clean: 'Up to date with the server',
  local: 'In a local list',
};

export const stateFields = { sync: 'Sync status' } as const;

export const serverFilters: readonly SavedFilter[] = [{ id: 'conflicts', name: 'Conflicts', query: 'is:conflicted' }];
