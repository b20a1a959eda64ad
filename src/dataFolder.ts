import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { textOfFile } from './textFile';

/** The name of the file that names the folder of the tasks: nothing is copied. */
const pointerName = 'data-folder';

/** The folder of the tasks that an editor uses by itself, below its storage for the extension. */
export const ownFolder = (storage: string): string => join(storage, 'store');

/** The folder of the tasks for an editor's storage: the one that the user has chosen, else the editor's own. */
export function dataFolderOf(storage: string): string {
  const chosen = textOfFile(join(storage, pointerName))?.trim() ?? '';
  return isAbsolute(chosen) ? chosen : ownFolder(storage);
}

/**
 * Has this storage use a folder from the next start on. The command line and agents follow it. The editor's own folder
 * is not written down, since the home that it is in may be moved.
 */
export function chooseDataFolder(storage: string, folder: string): void {
  const path = join(storage, pointerName);
  if (folder === ownFolder(storage)) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(storage, { recursive: true });
  // Two windows may write at once.
  const written = `${path}.${process.pid}.new`;
  writeFileSync(written, `${folder}\n`);
  renameSync(written, path);
}

export const hasStore = (folder: string): boolean => existsSync(join(folder, 'store'));

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The storages of an extension in the default profile and the other profiles of an editor's user. */
export function storagesIn(user: string, extension: string): readonly string[] {
  const profiles = join(user, 'profiles');
  return [user, ...namesIn(profiles).map(name => join(profiles, name))].map(at => join(at, 'globalStorage', extension));
}

/**
 * The folders with tasks that a profile could use instead of its current one: its own, and those of the same extension in
 * other profiles. The editor's version determines where a profile's storage is, so both layouts are searched.
 */
export function otherFolders(storage: string): readonly string[] {
  const all = dirname(storage);
  const profile = dirname(all);
  const user = basename(dirname(profile)) === 'profiles' ? dirname(dirname(profile)) : profile;
  const storages = basename(all) === 'globalStorage' ? storagesIn(user, basename(storage)) : [];
  const used = dataFolderOf(storage);
  const others = storages.filter(other => other !== storage).map(dataFolderOf);
  return [...new Set([ownFolder(storage), ...others])].filter(folder => folder !== used && hasStore(folder));
}

/** The folders to ask about before a window opens; none if the profile's folder has tasks, or no other one has. */
export const folderChoices = (storage: string): readonly string[] =>
  hasStore(dataFolderOf(storage)) ? [] : otherFolders(storage);
