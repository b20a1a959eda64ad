import { isTooLarge, readResource } from '../../core/ical/readResource';
import { groupBy } from '../../core/kernel/groupBy';
import type { Href, RemoteCopy } from '../remote/remote';
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

/** Names in a folder that are not separate tasks. */
interface OtherNames {
  /** Second files of a UID, by the name of the task's file. */
  readonly copies: ReadonlyMap<string, string>;
  /** Second names of one file, by the name that counts: links, of either kind. */
  readonly links: ReadonlyMap<string, string>;
}

interface NameOptions {
  /** Asked about second names of one file: the file itself counts before its links. */
  readonly isLink?: (name: string) => boolean;
  /** Names of a lower rank come first. */
  readonly rankOf?: (name: string) => number;
}

/**
 * A UID is one task, and each exception with a file of its own is one, whose file is the first of its names: all that make copies put
 * something behind the name, as Syncthing does (`task.sync-conflict-20261120-…`) and Dropbox (` (Anna’s conflicted copy …)`).
 */
export function otherNames(
  files: ReadonlyMap<string, NamedFile>,
  { isLink = () => false, rankOf = () => 0 }: NameOptions = {},
): OtherNames {
  const copies = new Map<string, string>();
  const links = new Map<string, string>();
  const byTask = groupBy([...files.keys()], name => files.get(name)!.task ?? '');
  for (const [task, names] of byTask) {
    if (task === '' || names.length === 1) continue;
    const byFile = groupBy(sorted(names, rankOf), name => files.get(name)!.identity);
    const own = [...byFile.values()].map(group => {
      const name = group.length === 1 ? group[0]! : (group.find(one => !isLink(one)) ?? group[0]!);
      for (const one of group) if (one !== name) links.set(one, name);
      return name;
    });
    const [original, ...others] = byFile.size === names.length ? own : sorted(own, rankOf);
    for (const name of others) copies.set(name, original!);
  }
  return { copies, links };
}

/** By the name without `.ics`: a name comes before longer names that begin with it. */
const sorted = (names: readonly string[], rankOf: (name: string) => number): readonly string[] =>
  names
    .map(name => ({ name, rank: rankOf(name), stem: stemOf(name) }))
    .sort((a, b) => a.rank - b.rank || compare(a.stem, b.stem) || compare(a.name, b.name))
    .map(({ name }) => name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The facts that decide between several files of a task. */
interface KnownNames {
  readonly isLink: (name: string) => Promise<boolean>;
  readonly hrefOf: (name: string) => Href;
  /** The files that have the task of a UID already. */
  readonly hrefsOf: (uid: string) => readonly Href[];
}

/**
 * {@link otherNames} of what a scan found. The file that has the task already keeps it, or else the one that is named by the
 * UID; beyond that the names decide. So computers whose rows came from different files may differ. The disk is asked about
 * links only if two names are one file.
 */
export async function namesAmong(
  found: ReadonlyMap<string, { readonly entry: FileEntry }>,
  stats: ReadonlyMap<string, FileStat>,
  { isLink, hrefOf, hrefsOf }: KnownNames,
): Promise<OtherNames> {
  const files = new Map([...found].map(([name, { entry }]) => [name, fileOf(name, entry, stats.get(name))] as const));
  const known = new Map<string, ReadonlySet<Href>>();
  const rankOf = (name: string) => {
    const uid = found.get(name)!.entry.text!;
    if (!known.has(uid)) known.set(uid, new Set(hrefsOf(uid)));
    return known.get(uid)!.has(hrefOf(name)) ? 0 : stemOf(name) === uid ? 1 : 2;
  };
  const first = otherNames(files, { rankOf });
  if (first.links.size === 0) return first;
  const links = new Map<string, boolean>();
  for (const name of new Set([...first.links].flat())) links.set(name, await isLink(name));
  return otherNames(files, { rankOf, isLink: name => links.get(name) ?? false });
}

interface CopiesFolder {
  readonly href: string;
  readNow(name: string): Promise<ReadFile | 'unreadable' | undefined>;
  oursOf(text: string): string;
}

/** The texts of copies and of their originals, as far as they can be read now. */
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

/** Both versions of a text with git's conflict markers; undefined if it has none. */
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

/** The file name for the other version: named by its content, so that a run that was cut off makes no second one. */
export const copyNameOf = (name: string, hash: string): string =>
  `${stemOf(name)}.git-conflict-${hash.replace(/[^A-Za-z0-9]/g, '').slice(0, 8)}.ics`;
