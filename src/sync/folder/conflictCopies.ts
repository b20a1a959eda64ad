import { isTooLarge, readResource } from '../../core/ical/readResource';
import { groupBy } from '../remote/groupBy';
import type { RemoteCopy } from '../remote/remote';
import { type FileStat, fileOf } from './fileStat';
import type { FileEntry, ReadFile } from './folderDisk';
import { memberOf } from './vdir';

const stemOf = (name: string) => name.replace(/\.ics$/i, '');

/** A file as a folder's listing has it: the task that it shows, null if it shows none, and which file it is, under any name. */
interface NamedFile {
  readonly task: string | null;
  readonly identity: string;
}

/** The {@link FileEntry.part} of a file. Files with one exception each are no versions of their series. */
export function partOf(text: string): Pick<FileEntry, 'part'> {
  if (isTooLarge(text)) return { part: '' };
  if (!/^RECURRENCE-ID/im.test(text)) return {};
  const { master, overrides } = readResource(text);
  return master ? {} : { part: String(overrides[0]?.fields.recurrenceId ?? '') };
}

/** Names of a folder that are no tasks of their own. */
interface OtherNames {
  /** Second files of a UID, by the name of the task's file. */
  readonly copies: ReadonlyMap<string, string>;
  /** Second names of one file, by the name that counts: links, of either kind. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * A UID is one task, and each exception with a file of its own is one, whose file is the first of its names: all that make copies put something behind the name, as Syncthing
 * does (`task.sync-conflict-20261120-…`) and Dropbox (` (Anna’s conflicted copy …)`). The names alone decide, so that all
 * computers see the same. `isLink` is asked about second names of one file: the file itself counts before its links.
 */
export function otherNames(
  files: ReadonlyMap<string, NamedFile>,
  isLink: (name: string) => boolean = () => false,
): OtherNames {
  const copies = new Map<string, string>();
  const links = new Map<string, string>();
  const byTask = groupBy([...files.keys()], name => files.get(name)!.task ?? '');
  for (const [task, names] of byTask) {
    if (task === '' || names.length === 1) continue;
    const byFile = groupBy(sorted(names), name => files.get(name)!.identity);
    const own = [...byFile.values()].map(group => {
      const name = group.length === 1 ? group[0]! : (group.find(one => !isLink(one)) ?? group[0]!);
      for (const one of group) if (one !== name) links.set(one, name);
      return name;
    });
    const [original, ...others] = byFile.size === names.length ? own : sorted(own);
    for (const name of others) copies.set(name, original!);
  }
  return { copies, links };
}

/** By the name without `.ics`: a name comes ahead of those that go on from it. */
const sorted = (names: readonly string[]): readonly string[] =>
  names
    .map(name => [stemOf(name), name] as const)
    .sort(([a, one], [b, other]) => (a < b ? -1 : a > b ? 1 : one < other ? -1 : 1))
    .map(([, name]) => name);

/** {@link otherNames} of what a scan found; the disk is asked about links only if two names are one file. */
export async function namesAmong(
  found: ReadonlyMap<string, { readonly entry: FileEntry }>,
  stats: ReadonlyMap<string, FileStat>,
  isLink: (name: string) => Promise<boolean>,
): Promise<OtherNames> {
  const files = new Map([...found].map(([name, { entry }]) => [name, fileOf(name, entry, stats.get(name))] as const));
  const first = otherNames(files);
  if (first.links.size === 0) return first;
  const links = new Map<string, boolean>();
  for (const name of new Set([...first.links].flat())) links.set(name, await isLink(name));
  return otherNames(files, name => links.get(name) ?? false);
}

interface CopiesFolder {
  readonly href: string;
  readNow(name: string): Promise<ReadFile | 'unreadable' | undefined>;
  oursOf(text: string): string;
}

/** The texts of copies and of what they are copies of, as far as they can be read now. */
export async function readCopies(
  folder: CopiesFolder,
  copies: OtherNames['copies'],
  entryOf: (name: string) => FileEntry,
): Promise<readonly RemoteCopy[]> {
  const read: RemoteCopy[] = [];
  for (const [name, originalName] of copies) {
    const { text: uid, etag } = entryOf(name);
    const [copy, original] = [await folder.readNow(name), await folder.readNow(originalName)];
    const textOf = (file: typeof copy) => (typeof file === 'object' ? folder.oursOf(file.text) : undefined);
    const isAsFound = typeof copy === 'object' && copy.etag === etag;
    const text = isAsFound ? textOf(copy) : undefined;
    const [href, originalHref] = [memberOf(folder.href, name), memberOf(folder.href, originalName)];
    read.push({ uid: uid!, href, etag, text, originalHref, original: textOf(original) });
  }
  return read;
}

/** Both versions of a text in which git has left the marks of a merge; undefined if it has none. */
export function splitByMarkers(text: string): { readonly ours: string; readonly theirs: string } | undefined {
  if (!/^<{7}( |\r?$)/m.test(text) || !/^={7}\r?$/m.test(text) || !/^>{7}( |\r?$)/m.test(text)) return undefined;
  const sides = { ours: '', theirs: '' };
  let side: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  for (const line of text.split(/(?<=\n)/)) {
    if (/^<{7}( |\r?$)/m.test(line)) side = 'ours';
    else if (side === 'ours' && /^\|{7}( |\r?$)/m.test(line)) side = 'base';
    else if ((side === 'ours' || side === 'base') && /^={7}\r?$/m.test(line)) side = 'theirs';
    else if (side === 'theirs' && /^>{7}( |\r?$)/m.test(line)) side = 'both';
    else {
      if (side === 'both' || side === 'ours') sides.ours += line;
      if (side === 'both' || side === 'theirs') sides.theirs += line;
    }
  }
  return sides;
}

/** Where the other version goes: named by what it holds, so that a run that was cut off makes no second one. */
export const copyNameOf = (name: string, hash: string): string =>
  `${stemOf(name)}.git-conflict-${hash.replace(/[^A-Za-z0-9]/g, '').slice(0, 8)}.ics`;
