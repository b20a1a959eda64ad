import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sep } from 'node:path';
import { readLines, unescapeText } from '../../core/lines/contentLines';
import { cleanText } from '../../core/lines/text';
import type { Href, RemoteList } from '../remote/remote';

/**
 * The vdir format (https://vdirsyncer.pimutils.org/en/stable/vdir.html): a folder for each list, a file for each task
 * with its exceptions, and the list's name and color in files beside them. A file without an ending, or with a dot in
 * front, is no item; the UID inside identifies a file, its name does not.
 */
export const metadataNames: readonly string[] = ['displayname', 'description', 'color', 'order'];
type Metadata = Readonly<Record<'displayname' | 'color' | 'order', string>>;

export const isTaskFile = (name: string): boolean => /^[^.].*\.ics$/is.test(name);

/**
 * The file that a cloud drive has taken from this computer and shows in another way: iCloud as `.task.ics.icloud`, the
 * virtual files of Nextcloud and ownCloud as `task.ics.nextcloud`.
 */
export function fileOfPlaceholder(name: string): string | undefined {
  const [, icloud, other] = /^\.(.+\.ics)\.icloud$|^([^.].*\.ics)\.(?:nextcloud|owncloud)$/i.exec(name) ?? [];
  return icloud ?? other;
}

/** Keeps a folder without tasks from looking like one that is not mounted; git does not store empty folders either. */
export const markerName = '.dueline';
/** True for a list's metadata file, or a version of it that Syncthing has put aside. */
const isMetadata = (name: string): boolean => metadataNames.includes(name.replace(/\.sync-conflict-[\w-]+$/, ''));
/** True if a folder with these names, and no tasks, is a list without tasks, and not just any folder. */
export const isTaskless = (names: readonly string[]): boolean =>
  names.includes(markerName) || names.every(name => name.startsWith('.') || isMetadata(name) || isLitter(name));
/** Files that systems put into every folder that they show. */
const isLitter = (name: string): boolean => /^(\.DS_Store|\._.*|\.directory|Thumbs\.db|desktop\.ini)$/is.test(name);
/** Files that are deleted together with their list. */
export const isOfList = (name: string): boolean =>
  isMetadata(name) || isLitter(name) || [markerName, '.gitkeep', '.keep'].includes(name);
/** Nothing, or only what Syncthing or the system has put there: the disk may not be connected, the files not here yet. */
export const isBlank = (names: readonly string[]): boolean =>
  names.every(name => isTransient(name) || isLitter(name) || /^\.st(folder|ignore|versions)$/.test(name));
const computer = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
export const newTemporaryName = (): string => `.dueline-${computer}-${randomUUID()}.tmp`;
/**
 * True for a file that an interrupted write on this computer has left behind. A write of another computer may still be
 * going on.
 */
export const isLeftBehind = (name: string): boolean => isTransient(name) && name.startsWith(`.dueline-${computer}-`);
const aside = `.dueline-aside-${computer}-`;
/** The name of a file while this computer deletes its list. */
export const asideNameOf = (name: string): string => `${aside}${name}.tmp`;
/** The file's own name; undefined if this computer has not put it aside. */
export const nameOfAside = (name: string): string | undefined =>
  isTransient(name) && name.startsWith(aside) ? name.slice(aside.length, -'.tmp'.length) : undefined;
/** Names that come and go with a write or a deletion, and prove nothing about a folder. */
export const isTransient = (name: string): boolean => /^\.dueline-.*\.tmp$/s.test(name);

/** An address ends in one encoded name: a lone surrogate cannot be one. */
export const hasAddress = (name: string): boolean =>
  !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(name);
export const memberOf = (list: Href, name: string): Href => list + encodeURIComponent(name);

/** A backslash separates names on Windows alone. */
const noName = sep === '\\' ? /[/\\\0]/ : /[/\0]/;

/** The name of a file or folder right below `parent`; undefined if the address leads anywhere else. */
export function nameIn(parent: Href, href: Href): string | undefined {
  if (!href.startsWith(parent)) return undefined;
  try {
    const name = decodeURIComponent(href.slice(parent.length).replace(/\/$/, ''));
    return name === '' || name === '.' || name === '..' || noName.test(name) ? undefined : name;
  } catch {
    return undefined;
  }
}

/** The UID of a file's first task: null if the file has no task, '' if the task has no UID. */
export function uidOf(text: string): string | null {
  // Inside the task, an alarm may have a UID of its own.
  let depth = -1;
  for (const { name, value } of readLines(text)) {
    const isTask = /^VTODO\s*$/i.test(value);
    if (depth < 0) depth = name === 'BEGIN' && isTask ? 0 : -1;
    else if (name === 'UID' && depth === 0) return cleanText(unescapeText(value.trim()));
    else if (name === 'BEGIN') depth++;
    else if (name === 'END' && (isTask || --depth < 0)) return '';
  }
  return depth < 0 ? null : '';
}

export function describe(
  href: Href,
  folder: string,
  { displayname, color, order }: Metadata,
  more: Pick<RemoteList, 'isReadOnly' | 'ctag'>,
): RemoteList {
  const [, rgb] = /^#([0-9a-f]{6})/i.exec(color.trim()) ?? [];
  return {
    href,
    name: displayname.trim().slice(0, 500) || folder,
    color: rgb === undefined ? null : Number.parseInt(`ff${rgb}`, 16) | 0,
    order: /^\s*-?\d{1,9}\s*$/.test(order) ? Number(order) : null,
    owner: null,
    syncToken: null,
    isTasksOnly: true,
    canReportChanges: false,
    ...more,
  };
}

export const colorText = (color: number): string =>
  `#${(color & 0xffffff).toString(16).padStart(6, '0')}`.toUpperCase();

/** A name for a list's folder that every file system takes. */
export function folderNameOf(list: string): string {
  const name = list
    .normalize('NFC')
    .replace(/[<>:"/\\|?*\x00-\x1f]+/g, '-')
    .slice(0, 60)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  return name === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? 'list' : name;
}
