import type { FolderDisk } from './folderDisk';
import type { ListFolder } from './folderScan';
import { isBlank, isTaskless, markerName } from './vdir';

/** The text of the marker if the list was deleted, and other files have stayed in its folder. */
const deletedText = 'deleted\n';

/** True if the marker says so, from the moment on in which the deletion cannot be undone. */
export async function isMarkedDeleted(folder: ListFolder, disk: FolderDisk): Promise<boolean> {
  await folder.checkIsFolder();
  return (await disk.read(folder.pathOf(markerName)))?.text === deletedText;
}

/** Without its tasks, a folder with other files would look like a list without tasks, here or on another computer. */
export async function markDeleted(folder: ListFolder, disk: FolderDisk, isDeleted = true): Promise<void> {
  const path = folder.pathOf(markerName);
  const marker = await disk.read(path);
  if ((marker?.text === deletedText) !== isDeleted)
    await disk.write(path, isDeleted ? deletedText : '', marker?.etag ?? 'absent');
}

/**
 * Before the last task is removed: keeps a folder with these names from looking like a missing one, or like no list.
 */
export async function keepAsList(folder: ListFolder, disk: FolderDisk, names: readonly string[]): Promise<void> {
  const path = folder.pathOf(markerName);
  const marker = names.includes(markerName) ? await disk.read(path) : undefined;
  if (marker?.text === deletedText) await disk.write(path, '', marker.etag);
  else if (!marker && (isBlank(names) || !isTaskless(names))) await disk.write(path, '', 'absent');
}
