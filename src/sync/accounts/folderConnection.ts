import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Account, Id, TaskList } from '../../core/kernel/model';
import type { Clock } from '../../core/time/clock';
import type { TaskStore } from '../../store/taskStore';
import type { Reader } from '../../store/types';
import { FolderAccount } from '../folder/folderAccount';
import { type Disk, type FileEntry, type FileIndex, newFileIndex, realDisk } from '../folder/folderDisk';
import { syncMessage } from '../messages';
import { withSlash } from '../remote/hrefs';
import { type Href, RemoteError, type RemoteList } from '../remote/remote';
import type { SyncLedger } from '../state/syncLedger';
import { readdress } from './readdress';

interface FolderParts {
  readonly store: TaskStore;
  readonly ledger: SyncLedger;
  readonly disk: Disk | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The connection to a folder that the user chose on this computer. */
export async function openFolder(account: Account, parts: FolderParts) {
  const { store, ledger, disk, timeoutMs, signal } = parts;
  const root = account.homeSetUrl!;
  if (ledger.account(account.id).folder !== root)
    throw new RemoteError('protocol', syncMessage('folderUnknown', fileURLToPath(root)));
  const index = indexOf(ledger, account.id);
  const lists = () => store.lists().filter(({ accountId, href }) => accountId === account.id && href !== null);
  const hasLists = lists().length > 0;
  const renames = {
    known: () => lists().map(({ id, href }) => ({ href: href!, uids: () => uidsIn(store, id) })),
    follow: async (from: Href, to: Href) => {
      const list = lists().find(({ href }) => href === from);
      if (list) await followRename(parts, index, { ...list, href: from }, to);
    },
  };
  const hrefsOf = (uid: string) => store.tasksOfUid(uid).flatMap(({ href }) => href ?? []);
  const remote = new FolderAccount({ root, index, hasLists, renames, hrefsOf, disk, timeoutMs, signal });
  await remote.checkRoot();
  return {
    remote,
    rediscover: async () => undefined,
    finish: () => watchReturned(parts, lists()),
  };
}

/**
 * A computer that had edited tasks of a list brings them back in a folder of its old name, after another has renamed it:
 * then they are in two lists.
 */
async function watchReturned({ store, ledger, clock }: FolderParts, lists: readonly TaskList[]): Promise<void> {
  for (const { id } of lists) {
    const { formerHref } = ledger.list(id);
    const returned = formerHref === undefined ? undefined : lists.find(({ href }) => href === formerHref);
    if (!returned) continue;
    const [here, known] = [new Set(uidsIn(store, id)), new Set(ledger.moved().map(([uid]) => uid))];
    const twice = uidsIn(store, returned.id).filter(uid => here.has(uid) && !known.has(uid));
    await ledger.putMoved(twice.map(uid => [uid, { at: clock.now() }]));
  }
}

const uidsIn = (store: Reader, listId: Id): readonly string[] =>
  store
    .select<{ uid: string }>(
      'SELECT DISTINCT uid FROM tasks WHERE list_id = ? AND href IS NOT NULL AND etag IS NOT NULL AND is_deleted = 0',
      [listId],
    )
    .map(({ uid }) => uid);

/** Follows a list to its folder's new address. The file index comes last: if this is cut off, it shows the rename again. */
async function followRename(
  { store, ledger }: FolderParts,
  index: FileIndex,
  list: TaskList & { readonly href: Href },
  to: Href,
): Promise<void> {
  const { id, href: from } = list;
  await readdress({ store, ledger }, list, to);
  await ledger.updateList(id, { formerHref: from });
  const files = index.all().filter(([href]) => href.startsWith(from));
  await index.put(
    files.flatMap(([href, entry]) => [[to + href.slice(from.length), entry] as const, [href, undefined] as const]),
  );
}

/** The address of a folder without links in it: the same folder has the same one, whatever name leads to it. */
export async function rootOf(url: string, disk: Disk = realDisk): Promise<string> {
  const path = resolve(fileURLToPath(url));
  // If the folder is away, its other names are unknown.
  return withSlash(pathToFileURL(await disk.realpath(path).catch(() => path)).href);
}

/** Lists what a folder has, before it is an account. */
export async function inspectFolder(
  url: string,
  parts: Pick<FolderParts, 'disk' | 'timeoutMs'>,
): Promise<{ readonly root: string; readonly name: string; readonly lists: readonly RemoteList[] }> {
  const path = resolve(fileURLToPath(url));
  const root = await rootOf(url, parts.disk);
  const remote = new FolderAccount({ root, index: newFileIndex(), hasLists: false, ...parts });
  return { root, name: basename(path) || path, lists: await remote.lists() };
}

/** Read whole only if a folder has changed. */
function indexOf(ledger: SyncLedger, accountId: Id): FileIndex {
  let whole: FileIndex | undefined;
  const load = () => {
    whole ??= newFileIndex(ledger.files<FileEntry>(accountId));
    return whole;
  };
  return {
    get: href => (whole ? whole.get(href) : ledger.file<FileEntry>(accountId, href)),
    all: () => load().all(),
    async put(changes) {
      await ledger.putFiles(accountId, changes);
      await whole?.put(changes);
    },
  };
}
