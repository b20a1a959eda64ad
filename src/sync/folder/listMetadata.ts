import { splitByMarkers } from './conflictCopies';
import { entryOf, type FileStat, isAsNoted } from './fileStat';
import { etagOf, type FileIndex, type FolderDisk } from './folderDisk';
import { memberOf } from './vdir';

/** In UTF-16 units; the rest of a longer file is ignored. */
const maxMetadata = 4096;

interface MetadataFolder {
  readonly href: string;
  pathOf(name: string): string;
  stat(name: string): Promise<FileStat | undefined>;
}

/**
 * The first line of a metadata file such as `displayname`, from our side if git left conflict markers; '' without a file.
 * Links are ignored: others with access to the folder could make Dueline show any file of this computer, and overwrite it
 * when the list is renamed.
 */
export async function metadataLine(
  folder: MetadataFolder,
  disk: FolderDisk,
  index: FileIndex,
  name: string,
): Promise<string> {
  const text = await metadataText(folder, disk, index, name);
  const [line = ''] = (splitByMarkers(text)?.ours ?? text).trim().split(/[\r\n]/);
  return line;
}

async function metadataText(folder: MetadataFolder, disk: FolderDisk, index: FileIndex, name: string): Promise<string> {
  const path = folder.pathOf(name);
  const stat = (await disk.isLink(path)) ? undefined : await folder.stat(name);
  if (!stat) return '';
  const href = memberOf(folder.href, name);
  const known = index.get(href);
  if (known && isAsNoted(known, stat)) return known.text ?? '';
  const file = await disk.read(path).catch(() => undefined);
  if (!file) return known?.text ?? '';
  const text = file.text.slice(0, maxMetadata);
  await index.put([[href, entryOf(stat, etagOf(file.size, file.hash), text, disk.disk.now())]]);
  return text;
}
