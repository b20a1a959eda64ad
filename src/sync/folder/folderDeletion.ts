import { basename, dirname, join } from 'node:path';
import { isTooLarge, readResource } from '../../core/ical/readResource';
import { syncMessage } from '../messages';
import { type Etag, type Href, isRemote, RemoteError } from '../remote/remote';
import type { FolderDisk } from './folderDisk';
import type { ListFolder } from './folderScan';
import { isMarkedDeleted, markDeleted } from './listMarker';
import {
  asideNameOf,
  fileOfPlaceholder,
  isBlank,
  isLeftBehind,
  isOfList,
  isTaskFile,
  isTransient,
  markerName,
  memberOf,
  nameOfAside,
  newTemporaryName,
} from './vdir';

/**
 * Deletes the files that hold one task each, and the folder if nothing else is in it. Every file is read before the first one
 * goes, and a task that is not among the `known` ETags refuses the whole: the user has not seen it. The files are
 * put aside first, and all of them come back if one cannot be; so a deletion that throws has changed nothing. Returns whether the
 * folder is gone.
 */
export async function deleteFolder(
  folder: ListFolder,
  disk: FolderDisk,
  known: ReadonlyMap<Href, Etag | null>,
): Promise<boolean> {
  if (await settleDeletion(folder, disk)) return true;
  const tasks = await tasksIn(folder, disk, known);
  // It is a list again since an earlier deletion.
  if (await isMarkedDeleted(folder, disk)) await markDeleted(folder, disk, false);
  try {
    for (const [name, expect] of tasks) disk.putAside(folder.pathOf(name), expect);
    await markDeleted(folder, disk);
  } catch (error) {
    await putAllBack(folder, disk);
    throw error;
  }
  return finish(folder, disk);
}

/** Ends a deletion in which the process has ended: carries it out if nothing was left to be put aside, and takes it back if not. */
export async function settleDeletion(folder: ListFolder, disk: FolderDisk): Promise<boolean> {
  if ((await putAside(folder, disk)).length === 0) return false;
  if (await isMarkedDeleted(folder, disk)) return finish(folder, disk);
  await putAllBack(folder, disk);
  return false;
}

async function putAside(folder: ListFolder, disk: FolderDisk): Promise<readonly string[]> {
  const names = await disk.disk.readdir(folder.path).catch(() => []);
  return names.flatMap(name => nameOfAside(name) ?? []);
}

async function putAllBack(folder: ListFolder, disk: FolderDisk): Promise<void> {
  for (const name of await putAside(folder, disk)) disk.putBack(folder.pathOf(asideNameOf(name)), folder.pathOf(name));
}

/** From here on the list is gone, whatever a program keeps open. */
async function finish(folder: ListFolder, disk: FolderDisk): Promise<boolean> {
  await disk.removeTemporaries(folder.path, name => nameOfAside(name) !== undefined || isLeftBehind(name));
  return removeFolder(folder, disk);
}

const notAsKnown = (name: string) => new RemoteError('protocol', syncMessage('listChanged', name));

async function tasksIn(
  folder: ListFolder,
  disk: FolderDisk,
  known: ReadonlyMap<Href, Etag | null>,
): Promise<ReadonlyMap<string, Etag | 'link'>> {
  const tasks = new Map<string, Etag | 'link'>();
  // By content: a file that was renamed since, or has a second name, has nothing new.
  const seen = new Set(known.values());
  for (const name of await folder.names()) {
    if (!isTaskFile(name) && fileOfPlaceholder(name) === undefined) continue;
    const file = isTaskFile(name) ? await folder.readNow(name) : 'unreadable';
    if (!file) continue;
    if (file === 'unreadable' || isTooLarge(file.text)) throw notAsKnown(name);
    const { uid, hasOthers } = readResource(file.text, { href: memberOf(folder.href, name) });
    if (uid === undefined) continue;
    if (!seen.has(file.etag)) throw notAsKnown(name);
    // A link to another file of the list leads nowhere once that is put aside.
    if (!hasOthers) tasks.set(name, (await disk.isLink(folder.pathOf(name))) ? 'link' : file.etag);
  }
  return tasks;
}

/**
 * Marks the account's folder if the list at `path` is the last thing in it: without a list, it would look like one that
 * is away. That is done before the list is deleted, as the process can end, and the disk fail, at any moment.
 */
async function keepAccount(path: string, disk: FolderDisk): Promise<void> {
  const [root, list] = [dirname(path), basename(path)];
  if (!isBlank((await disk.disk.readdir(root)).filter(name => name !== list))) return;
  await disk.write(join(root, markerName), '', 'absent').catch(error => {
    // Another process has just made it.
    if (!isRemote(error, 'conflict')) throw error;
  });
}

async function removeFolder(folder: ListFolder, disk: FolderDisk): Promise<boolean> {
  const path = folder.path.replace(/[/\\]$/, '');
  const aside = join(dirname(path), newTemporaryName());
  try {
    if (!(await folder.names()).every(isOfList)) return false;
    await keepAccount(path, disk);
    // An empty folder would look like a list that has lost its tasks.
    disk.disk.renameSync(path, aside);
  } catch {
    // A program keeps the folder open: it stays, but is not a list.
    return false;
  }
  try {
    // Another process may have deleted the other one of two lists meanwhile.
    await keepAccount(path, disk);
    await removeAside(aside, disk);
  } catch {
    // Something else came into it.
    disk.putBack(aside, path);
    await markDeleted(folder, disk).catch(() => undefined);
    return false;
  }
  return true;
}

async function removeAside(path: string, disk: FolderDisk): Promise<void> {
  await disk.removeTemporaries(path, name => isTransient(name) || isOfList(name));
  await disk.disk.rmdir(path);
}

/** Removes what a process that ended has left in the account's folder, among `names`; a folder with other files stays. */
export async function removeLeftBehind(root: string, names: readonly string[], disk: FolderDisk): Promise<void> {
  for (const path of names.filter(isLeftBehind).map(name => join(root, name)))
    await disk.disk.unlink(path).catch(() => removeAside(path, disk).catch(() => undefined));
}
