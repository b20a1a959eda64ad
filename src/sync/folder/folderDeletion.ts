import { readResource } from '../../core/ical/readResource';
import { syncMessage } from '../messages';
import { type Etag, type Href, RemoteError } from '../remote/remote';
import { type FolderDisk, isNotThere } from './folderDisk';
import type { ListFolder } from './folderScan';
import { markDeleted } from './listMarker';
import { fileOfPlaceholder, isOfList, isTaskFile, isTransient, memberOf } from './vdir';

/**
 * Deletes the files that hold one task each, and the folder if nothing else is in it. Every file is read before the first one
 * goes, and a task that is not among the `known` ETags refuses the whole: the user has not seen it. The files are
 * put aside first, and all of them come back if one cannot be; so a deletion that throws has changed nothing. Returns whether the
 * folder is gone.
 */
export async function deleteFolder(
  folder: ListFolder,
  disk: FolderDisk,
  known: ReadonlyMap<Href, Etag | null> | undefined,
): Promise<boolean> {
  const tasks = await tasksIn(folder, disk, known);
  const aside = new Map<string, string>();
  try {
    for (const [name, expect] of tasks) aside.set(name, disk.putAside(folder.pathOf(name), expect));
    await dropMarks(folder, disk);
  } catch (error) {
    for (const [name, temporary] of aside) disk.putBack(temporary, folder.pathOf(name));
    throw error;
  }
  // From here on the list is gone, whatever a program keeps open.
  for (const temporary of aside.values()) await disk.disk.unlink(temporary).catch(() => undefined);
  return removeFolder(folder, disk);
}

const notAsKnown = (name: string) => new RemoteError('protocol', syncMessage('listChanged', name));

async function tasksIn(
  folder: ListFolder,
  disk: FolderDisk,
  known: ReadonlyMap<Href, Etag | null> | undefined,
): Promise<ReadonlyMap<string, Etag | 'link'>> {
  const tasks = new Map<string, Etag | 'link'>();
  // By content: a file that was renamed since, or has a second name, has nothing new.
  const seen = known && new Set(known.values());
  for (const name of await folder.names()) {
    if (!isTaskFile(name) && fileOfPlaceholder(name) === undefined) continue;
    const file = isTaskFile(name) ? await folder.readNow(name) : 'unreadable';
    if (!file) continue;
    if (file === 'unreadable') throw notAsKnown(name);
    const { uid, hasOthers } = readResource(file.text, { href: memberOf(folder.href, name) });
    if (uid === undefined) continue;
    if (seen && !seen.has(file.etag)) throw notAsKnown(name);
    // A link to another file of the list leads nowhere once that is put aside.
    if (!hasOthers) tasks.set(name, (await disk.isLink(folder.pathOf(name))) ? 'link' : file.etag);
  }
  return tasks;
}

async function dropMarks(folder: ListFolder, disk: FolderDisk): Promise<void> {
  if (!(await folder.names()).every(isOfList)) await markDeleted(folder, disk);
}

async function removeFolder(folder: ListFolder, disk: FolderDisk): Promise<boolean> {
  try {
    const left = await folder.names();
    if (!left.every(isOfList)) return false;
    await disk.removeTemporaries(folder.path, isTransient);
    for (const name of left)
      await disk.disk.unlink(folder.pathOf(name)).catch(error => {
        if (!isNotThere(error)) throw error;
      });
    await disk.disk.rmdir(folder.path);
    return true;
  } catch {
    // Something else is in it by now, or a program keeps it open: with this, it is no list at least.
    await markDeleted(folder, disk).catch(() => undefined);
    return false;
  }
}
