import { DuelineError } from '../core/kernel/errors';
import type { Account, Id } from '../core/kernel/model';
import type { NewAccount } from '../core/sync/syncReport';
import type { TaskStore } from '../store/taskStore';
import type { NewAccountRow, Reader, Writer } from '../store/types';
import type { Connections, StoredPassword } from './accounts/connections';
import { toDuelineError } from './accounts/toDuelineError';
import { Authenticator } from './dav/auth';
import { CaldavAccount } from './dav/caldavAccount';
import { type Discovery, discover, type ServiceLookup, startingPoint } from './dav/discovery';
import { syncMessage } from './messages';
import type { RemoteList } from './remote/remote';
import { applyLists, detach, listsOf } from './run/listSync';
import type { SyncLedger } from './state/syncLedger';

interface AccountParts {
  readonly store: TaskStore;
  readonly ledger: SyncLedger;
  readonly connections: Connections;
}

/**
 * Finds the account's lists before anything is written: an account that cannot be reached is not set up. The password is
 * stored before the account, which can do nothing without it. If the process ends before the account knows its password,
 * adding it again completes it.
 */
export async function addAccount(
  { store, ledger, connections }: AccountParts,
  input: NewAccount,
  lookup: ServiceLookup,
  signal: AbortSignal,
): Promise<Id> {
  if (/^file:/i.test(input.serverUrl)) return addFolder({ store, ledger, connections }, input);
  const credentials = { username: input.username.trim(), password: input.password };
  const auth = new Authenticator(credentials);
  try {
    const start = await startingPoint(input.serverUrl, lookup);
    const http = connections.client(start.home, auth, input.trusted, signal);
    const found = await discover(http, start);
    const remote = new CaldavAccount(http, found);
    const known = knownAccount(store, found, credentials.username);
    if (known && (await connections.markOfCredentials(known)) !== undefined)
      throw new DuelineError('duplicate', syncMessage('accountDuplicate', known.displayName));
    const lists = await remote.lists();
    const keep = (id: Id, stored: StoredPassword) =>
      connections.usePassword(id, stored, auth, {
        ...(auth.scheme && { scheme: auth.scheme }),
        ...(found.homes.length > 1 && { homes: found.homes }),
        ...(input.trusted?.length && { trusted: input.trusted }),
      });
    const stored = await connections.storePassword({ origin: originOf(found), ...credentials });
    try {
      const columns = columnsOf(found, credentials.username);
      const id = await store.edit({ origin: 'sync' }, tx => {
        refuseDuplicate(knownAccount(tx, found, credentials.username), known);
        // An existing account that is completed gets its lists with its next sync.
        if (known) tx.updateAccount(known.id, columns);
        return known?.id ?? insertAccount(tx, { displayName: displayNameOf(found, input), ...columns }, lists);
      });
      await keep(id, stored);
      if (!known) connections.noteFound(id, lists);
      return id;
    } catch (error) {
      await connections.dropPassword(stored);
      throw error;
    }
  } catch (error) {
    throw toDuelineError(error);
  }
}

/** Another window, or a second call, may have added the account since it was looked for. */
function refuseDuplicate(now: Account | undefined, before: Account | undefined): void {
  if (now && now.id !== before?.id)
    throw new DuelineError('duplicate', syncMessage('accountDuplicate', now.displayName));
}

const columnsOf = ({ principalUrl, homes }: Discovery, username: string) => ({
  principalUrl,
  homeSetUrl: homes[0] ?? null,
  username: username || null,
});

function displayNameOf({ homes: [home], calendarUrl }: Discovery, input: NewAccount): string {
  const { host } = new URL(home ?? calendarUrl!);
  const username = input.username.trim();
  return input.displayName?.trim() || (username ? `${username} (${host})` : host);
}

/** The only origin that the password may be sent to. */
const originOf = ({ homes: [home], principalUrl, calendarUrl }: Discovery): string =>
  new URL(home ?? principalUrl ?? calendarUrl!).origin;

function insertAccount(tx: Writer, row: NewAccountRow, lists: readonly RemoteList[]): Id {
  const id = tx.insertAccount(row);
  applyLists(tx, id, lists);
  return id;
}

/** Nothing is written into a folder before the user edits a task of it. */
async function addFolder({ store, ledger, connections }: AccountParts, input: NewAccount): Promise<Id> {
  try {
    const { root, name, lists } = await connections.inspectFolder(input.serverUrl);
    let known: Account | undefined;
    for (const account of store.accounts()) {
      if (!account.homeSetUrl?.startsWith('file:')) continue;
      const other = await connections.rootOf(account.homeSetUrl);
      if (!isWithin(root, other)) continue;
      const isChosenHere = ledger.account(account.id).folder === account.homeSetUrl;
      if (other !== root || isChosenHere)
        throw new DuelineError('duplicate', syncMessage('accountDuplicate', account.displayName));
      known = account;
    }
    const id =
      known?.id ??
      (await store.edit({ origin: 'sync' }, tx => {
        const isSame = ({ homeSetUrl }: Account) => homeSetUrl?.startsWith('file:') && isWithin(root, homeSetUrl);
        refuseDuplicate(tx.accounts().find(isSame), known);
        return insertAccount(tx, { displayName: input.displayName?.trim() || name, homeSetUrl: root }, lists);
      }));
    await ledger.updateAccount(id, { folder: known?.homeSetUrl ?? root });
    return id;
  } catch (error) {
    throw toDuelineError(error);
  }
}

/** A folder in another one would have its tasks twice. */
const isWithin = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

/** The same account twice would have every task twice. */
function knownAccount(
  store: Reader,
  { principalUrl, homes, calendarUrl }: Discovery,
  username: string,
): Account | undefined {
  const address = homes[0] ?? calendarUrl;
  return store.accounts().find(account => {
    if (principalUrl !== null && account.principalUrl !== null) return account.principalUrl === principalUrl;
    const addresses = [account.homeSetUrl, ...listsOf(store, account.id).map(({ href }) => href)];
    return (account.username ?? '') === username && addresses.includes(address);
  });
}

/** Its lists stay as local ones, without a trace of their addresses. */
export async function removeAccount({ store, ledger, connections }: AccountParts, id: Id): Promise<void> {
  if (!store.account(id)) throw new DuelineError('notFound', syncMessage('accountNotFound'));
  const listIds = listsOf(store, id).map(list => list.id);
  await store.edit({ origin: 'sync' }, tx => {
    for (const listId of listIds) if (tx.list(listId)) detach(tx, listId);
    tx.deleteAccount(id);
  });
  await connections.forget(id);
  await ledger.forget(id, listIds);
}
