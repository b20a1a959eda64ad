import { messageOf } from '../../core/kernel/errors';
import type { Id, TaskList } from '../../core/kernel/model';
import type { ListColumns, Reader, Writer } from '../../store/types';
import { readdress } from '../accounts/readdress';
import { decideList } from '../decide/decideList';
import { withSlash } from '../remote/hrefs';
import { type Href, isRemote, type ListProperty, type RemoteList, stopsAccount } from '../remote/remote';
import { revertMoves } from '../resources/taskMoves';
import { noteDecision } from './decisionLog';
import { detachedListOf, reattachLists } from './detachedLists';
import { completeDeletion, forgetDeletion } from './listDeletion';
import type { AccountRun } from './runContext';

/** The color if the server sends none: a quiet blue. */
const defaultColor = 0xff3b82f6 | 0;

export const listsOf = (reader: Reader, accountId: Id): readonly TaskList[] =>
  reader.lists().filter(list => list.accountId === accountId);

/**
 * Updates the account's lists from the server: adds new ones, updates known ones, and requests a missing one directly
 * before it counts as gone. Returns the server's lists by href.
 */
export async function refreshLists(run: AccountRun): Promise<Map<string, RemoteList>> {
  const remote = new Map((await run.remote.lists()).map(list => [list.href, list]));
  const { store, account } = run;
  await reattachLists(run, [...remote.values()]);
  await adoptLists(run, remote);
  const gone = await askForMissing(run, remote);
  for (const { id, href } of listsOf(store, account.id))
    if (href !== null && remote.has(href)) await forgetDeletion(run, id);
  const known = new Map(listsOf(store, account.id).map(list => [list.href, list]));
  const hasChanges = [...remote.values()].some(list => {
    const local = known.get(list.href);
    return !local || Object.keys(patchOf(local, list)).length > 0;
  });
  if (hasChanges) await store.edit({ origin: 'sync' }, tx => applyLists(tx, account.id, [...remote.values()]));
  for (const list of gone) if (!(await completeDeletion(run, list))) await detachLists(run, list.id, gone.length > 1);
  return remote;
}

/** Requests lists that are missing from `remote` directly, and adds them. Returns those that are gone. */
async function askForMissing(run: AccountRun, remote: Map<Href, RemoteList>): Promise<readonly TaskList[]> {
  const { store, account } = run;
  const missing = listsOf(store, account.id).filter(list => {
    const local = list.href === null ? 'new' : list.isSynced ? 'synced' : 'unsynced';
    return decideList({ local, base: 'none', remote: shown(remote, list.href) }).action === 'ask';
  });
  const gone: TaskList[] = [];
  for (const list of missing) {
    try {
      const direct = await run.remote.list(list.href!);
      const href = direct && (await addressOf(run, list, direct, remote));
      if (direct && href !== undefined) remote.set(href, { ...direct, href });
      else gone.push(list);
    } catch (error) {
      if (stopsAccount(error)) throw error;
      run.tally.listErrors.set(list.id, messageOf(error));
    }
  }
  return gone;
}

/**
 * A server that has moved a list redirects from its old address. A second list would have its tasks twice. Undefined if
 * another list has the new address: then this one is gone, and its tasks are not searched for among those of the other.
 */
async function addressOf(
  run: AccountRun,
  list: TaskList,
  direct: RemoteList,
  remote: ReadonlyMap<Href, RemoteList>,
): Promise<Href | undefined> {
  // A server may write an address with a slash at its end and without one.
  const isIts = (href: Href | null) => href !== null && withSlash(href) === withSlash(direct.href);
  if (isIts(list.href)) return list.href!;
  if (listsOf(run.store, run.account.id).some(({ href }) => isIts(href))) return undefined;
  const to = [...remote.keys()].find(isIts) ?? direct.href;
  await readdress(run, list, to);
  return to;
}

const shown = (remote: ReadonlyMap<Href, RemoteList>, href: Href | null): 'same' | 'unlisted' =>
  href !== null && remote.has(href) ? 'same' : 'unlisted';

/**
 * A list that was made here, and whose answer was lost, is the one at the address that was noted for it, unless another one
 * has come from there: one whose making was undone and redone is made at an address of its own.
 */
async function adoptLists(run: AccountRun, remote: ReadonlyMap<Href, RemoteList>): Promise<void> {
  const { store, ledger, account } = run;
  for (const { id, href } of listsOf(store, account.id)) {
    const noted = ledger.creatingAt(account.id, id);
    if (noted === undefined) continue;
    const local = href === null ? 'new' : 'synced';
    const { action, log } = decideList({ local, base: 'creating', remote: shown(remote, noted) });
    if (action === 'adopt') {
      noteDecision(run.tally.decisions, id, log);
      await store.edit({ origin: 'sync' }, tx => {
        // Its name and color may not have got there.
        if (!isListed(tx, account.id, noted) && tx.list(id)) tx.updateList(id, { href: noted, isDirty: true });
      });
    }
    if (store.list(id)?.href != null || isListed(store, account.id, noted))
      await ledger.updateList(id, { creating: undefined });
  }
}

/** The address at which a list that has none was perhaps made: its answer was lost, and no other list has come from there. */
export function perhapsMadeAt(
  { store, ledger }: Pick<AccountRun, 'store' | 'ledger'>,
  accountId: Id,
  listId: Id,
): Href | undefined {
  const noted = ledger.creatingAt(accountId, listId);
  return noted !== undefined && !isListed(store, accountId, noted) ? noted : undefined;
}

const isListed = (reader: Reader, accountId: Id, href: Href): boolean =>
  listsOf(reader, accountId).some(list => list.href === href);

/** Servers list in any order; if they send no order property, new lists are sorted by name. */
const inOrder = (lists: readonly RemoteList[]): readonly RemoteList[] =>
  lists.toSorted((a, b) => (a.order ?? last) - (b.order ?? last) || byName.compare(a.name, b.name));

const last = Number.MAX_SAFE_INTEGER;
const byName = new Intl.Collator(undefined, { numeric: true });

/** Inserts and updates; safe to run again. */
export function applyLists(tx: Writer, accountId: Id, lists: readonly RemoteList[]): void {
  const known = new Map(listsOf(tx, accountId).map(list => [list.href, list]));
  for (const [index, remote] of inOrder(lists).entries()) {
    const local = known.get(remote.href);
    const { action } = decideList({ local: local ? 'synced' : 'none', base: 'none', remote: 'changed' });
    if (local && action !== 'insert') {
      const patch = patchOf(local, remote);
      if (Object.keys(patch).length > 0) tx.updateList(local.id, patch);
      continue;
    }
    tx.insertList({
      name: remote.name,
      color: remote.color ?? defaultColor,
      accountId,
      href: remote.href,
      owner: remote.owner,
      isReadOnly: remote.isReadOnly,
      sortOrder: remote.order ?? index,
    });
  }
}

/** A name or color that was set here waits to be sent and is not overwritten. */
function patchOf(local: TaskList, remote: RemoteList): Partial<ListColumns> {
  const patch: { -readonly [K in keyof ListColumns]?: ListColumns[K] } = {};
  if (!local.isDirty && local.name !== remote.name) patch.name = remote.name;
  if (!local.isDirty && remote.color !== null && local.color !== remote.color) patch.color = remote.color;
  if (local.isReadOnly !== remote.isReadOnly) patch.isReadOnly = remote.isReadOnly;
  if (local.owner !== remote.owner) patch.owner = remote.owner;
  // Switched off: whatever happens there meanwhile is found again by a full listing.
  if (!local.isSynced && (local.ctag !== null || local.syncToken !== null)) {
    patch.ctag = null;
    patch.syncToken = null;
  }
  return patch;
}

/**
 * A list that is really gone: an empty one is removed, one with tasks stays as a local list for the user to decide
 * about.
 */
export async function detachLists(run: AccountRun, listId: Id, isOneOfMany: boolean): Promise<void> {
  const { store, ledger } = run;
  // Before it is cut loose: a run that is cut off in between would not know of it any more.
  await ledger.updateList(listId, { detached: detachedListOf(store, listId) });
  const detached = await store.edit({ origin: 'sync' }, tx => {
    revertMoves(tx, listId);
    const local = tx.tasksOfList(listId).every(({ isDeleted }) => isDeleted) ? 'empty' : 'synced';
    const { action, log } = decideList({ local, base: 'none', remote: isOneOfMany ? 'goneWithOthers' : 'gone' });
    if (action === 'delete') {
      noteDecision(run.tally.decisions, listId, log);
      tx.deleteList(listId);
      return undefined;
    }
    const list = detachedListOf(tx, listId);
    detach(tx, listId);
    return list;
  });
  await ledger.updateList(listId, { detached });
  await ledger.forgetCopies([listId]);
  if (!detached) return;
  run.notice('detached', listId, 1);
}

/**
 * Cuts a list loose from its server: a local list from now on, its tasks too. Those that were on their way into it and
 * never arrived go back to the account that still has them.
 */
export function detach(tx: Writer, listId: Id): void {
  revertMoves(tx, listId);
  for (const task of tx.tasksOfList(listId)) {
    if (task.isDeleted) {
      tx.deleteTask(task.id);
    } else if (task.href !== null || task.etag !== null || task.isDirty) {
      tx.updateTask(task.id, { href: null, etag: null, isDirty: false });
    }
  }
  tx.updateList(listId, {
    accountId: null,
    href: null,
    ctag: null,
    syncToken: null,
    isSynced: false,
    isReadOnly: false,
    isDirty: false,
  });
}

/** Sends new lists, names and colors. A change that the server refuses is reverted here, and reported. */
export async function pushLists(run: AccountRun, remote: Map<string, RemoteList>): Promise<void> {
  for (const list of listsOf(run.store, run.account.id)) {
    const { href } = list;
    // Its name is sent, too, if its tasks are not synced.
    const local = href === null ? 'new' : list.isDirty ? 'renamed' : 'synced';
    const { action } = decideList({ local, base: 'none', remote: shown(remote, href) });
    const there = href === null ? undefined : remote.get(href);
    try {
      if (action === 'create') await createRemote(run, list, remote);
      else if (action === 'rename') await changeRemote(run, list, there);
    } catch (error) {
      if (!isRemote(error) || stopsAccount(error)) throw error;
      run.tally.listErrors.set(list.id, messageOf(error));
      const isRefused = isRemote(error, 'rejected', 'unsupported', 'readOnly');
      const then = decideList({ local, base: 'none', remote: isRefused ? 'refused' : 'unanswered' });
      if (there && then.action === 'restore') await restore(run, list, there, ['name', 'color']);
    }
  }
}

async function createRemote(run: AccountRun, list: TaskList, remote: Map<string, RemoteList>): Promise<void> {
  const { name, color } = list;
  const href = await makeNoted(run, list);
  const made = await run.remote.list(href);
  if (made) remote.set(made.href, made);
  await run.store.edit({ origin: 'sync' }, tx => {
    const now = tx.list(list.id);
    if (!now) return;
    const isSame = now.name === name && now.color === color;
    tx.updateList(list.id, { href: made?.href ?? href, isDirty: !isSame });
  });
  await run.ledger.updateList(list.id, { creating: undefined });
}

async function makeNoted(run: AccountRun, { id, name, color }: TaskList): Promise<Href> {
  const { ledger, account, remote } = run;
  const note = (href: Href) => ledger.updateList(id, { creating: { accountId: account.id, href } });
  try {
    return await remote.createList({ name, color }, note, ledger.creatingAt(account.id, id));
  } catch (error) {
    // After a clear refusal nothing was created, and another address may work. A disk can fail halfway.
    if (isRemote(error, 'rejected', 'unsupported', 'conflict', 'readOnly', 'gone') && !error.details.unsure)
      await ledger.updateList(id, { creating: undefined });
    throw error;
  }
}

async function changeRemote(run: AccountRun, list: TaskList, there: RemoteList | undefined): Promise<void> {
  const { name, color } = list;
  if (!there) return;
  const refused =
    there.name === name && there.color === color ? [] : await run.remote.updateList(there.href, { name, color });
  await run.store.edit({ origin: 'sync' }, tx => {
    const now = tx.list(list.id);
    if (now?.name === name && now.color === color) tx.updateList(list.id, { isDirty: false });
  });
  if (refused.length > 0) await restore(run, list, there, refused);
}

async function restore(
  run: AccountRun,
  list: TaskList,
  there: RemoteList,
  refused: readonly ListProperty[],
): Promise<void> {
  const [name, color] = [refused.includes('name'), refused.includes('color')];
  const isRefused = (name && list.name !== there.name) || (color && list.color !== (there.color ?? list.color));
  await run.store.edit({ origin: 'sync' }, tx =>
    tx.updateList(list.id, {
      ...(name && { name: there.name }),
      ...(color && there.color !== null && { color: there.color }),
      isDirty: false,
    }),
  );
  if (isRefused) run.notice('refusedProperty', list.id, 1);
}
