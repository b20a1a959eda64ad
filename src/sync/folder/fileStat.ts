import type { Etag, Href, RemoteItem, RemoteMember } from '../remote/remote';
import { type FileEntry, identityOf } from './folderDisk';

/** The facts about a file that a folder knows without reading it. */
export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly dev: number;
  readonly ino: number;
  readonly birthtimeMs: number;
}

/** The files of a folder as its listing names them, none of them read. */
export interface FolderListing {
  readonly stats: ReadonlyMap<string, FileStat>;
  /** Files that a cloud drive has removed from this computer, and files whose size even the disk does not know. */
  readonly absent: readonly string[];
  /** False if a file went while the folder was listed. */
  readonly isComplete: boolean;
  /** Nothing at all is in it. */
  readonly isEmptyFolder: boolean;
  /** Null if a file may change once more without a sign of it. */
  readonly tag: string | null;
  readonly at: number;
}

/** The tasks of a folder, of which only the new ones were read. */
export interface Scan {
  readonly members: readonly RemoteMember[];
  readonly items: readonly RemoteItem[];
  readonly uids: ReadonlyMap<Href, string>;
  readonly isComplete: boolean;
  /** False, too, if a file that is new cannot be read: it may have any task. */
  readonly isSure: boolean;
  readonly isEmptyFolder?: boolean;
}

/** Some file systems count time in steps of two seconds: seen in whole seconds, a file may be written twice in one. */
const stepOf = (time: number): number => (time % 1000 === 0 ? 2_000 : 50);
export const mayChangeUnseen = ({ mtimeMs, ctimeMs }: FileStat, now: number): boolean =>
  Math.abs(now - mtimeMs) < stepOf(mtimeMs) || Math.abs(now - ctimeMs) < stepOf(ctimeMs);

export const isAsNoted = (entry: FileEntry, { size, mtimeMs, ctimeMs }: FileStat): boolean =>
  entry.size === size && entry.mtime === mtimeMs && entry.ctime === ctimeMs;

/** `at`: the time of the check, by the disk's clock. */
export function entryOf(stat: FileStat, etag: Etag, text: string | null, at: number): FileEntry {
  const mtime = mayChangeUnseen(stat, at) ? 0 : stat.mtimeMs;
  return { size: stat.size, mtime, ctime: stat.ctimeMs, etag, text };
}

/** By size and times, too: some disks number no files, and the numbers of others are too long to differ. */
const keyOf = (stat: FileStat): string => [identityOf(stat), stat.size, stat.mtimeMs, stat.ctimeMs].join('/');

/** A file in the form that {@link otherNames} takes. */
export const fileOf = (name: string, { text: uid, part }: FileEntry, stat: FileStat | undefined) => ({
  task: uid && part !== '' ? `${part ?? ''} ${uid}` : null,
  identity: stat ? keyOf(stat) : name,
});
