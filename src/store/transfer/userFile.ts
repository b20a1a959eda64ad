import { realpathSync, statSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, DuelineError, messageOf } from '../../core/kernel/errors';
import { diskFiles, isWithin } from '../journal/files';
import { storeMessage } from '../messages';

/** The file that the named path leads to through any links; the path itself if nothing is there. */
function targetOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * Writes a file that the user has named, whole or not at all, and never among the store's own. A link to a file stays a
 * link. A device or a pipe is written to as it is.
 *
 * @throws DuelineError `invalid` in a folder of the store's own, `storage` if the file cannot be written
 */
export async function writeUserFile(
  path: string,
  bytes: Uint8Array,
  { storeFolder, mode }: { readonly storeFolder: string; readonly mode: number },
): Promise<void> {
  const target = targetOf(path);
  if (['store', 'sidecar'].some(name => isWithin(target, join(storeFolder, name))))
    throw new DuelineError('invalid', storeMessage('ownFolder', path));
  try {
    const there = statSync(target, { throwIfNoEntry: false });
    if (there && !there.isFile()) return await writeFile(target, bytes);
    const kept = there && there.mode & 0o777;
    await diskFiles.writeWhole(target, bytes, kept ?? mode);
    // The umask does not apply to a file that is replaced; FAT has no such rights.
    if (kept !== undefined) await chmod(target, kept).catch(() => undefined);
  } catch (error) {
    throw new DuelineError('storage', storeMessage('fileNotWritten', path, codeOf(error) ?? messageOf(error)), {
      cause: error,
    });
  }
}
