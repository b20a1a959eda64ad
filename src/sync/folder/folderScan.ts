import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWhole } from '../../core/ical/readResource';
import { messageOf } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
import { syncMessage } from '../messages';
import { type Href, isRemote, type RemoteCopy, RemoteError } from '../remote/remote';
import { copyNameOf, namesAmong, partOf, readCopies, splitByMarkers } from './conflictCopies';
import { entryOf, type FileStat, type FolderListing, isAsNoted, mayChangeUnseen, type Scan } from './fileStat';
import {
  diskError,
  each,
  type FileEntry,
  type FileIndex,
  type FolderDisk,
  hashBytes,
  isFileTooLarge,
  isNotThere,
  type ReadFile,
} from './folderDisk';
import { metadataLine } from './listMetadata';
import {
  fileOfPlaceholder,
  hasAddress,
  isBlank,
  isTaskFile,
  isTransient,
  memberOf,
  metadataNames,
  uidOf,
} from './vdir';

const bare: Scan = { members: [], items: [], uids: new Map(), isComplete: true, isSure: true, isEmptyFolder: true };

/** The index key that notes copies next to a list's tasks. */
export const conflictCopiesKey = (list: Href): Href => `${list}.copies`;
const copiesNote: FileEntry = { size: 0, mtime: 0, ctime: 0, etag: '', text: null };

/** Milliseconds in which the listing for a tag serves a scan, too. A change in between changes the next tag. */
const freshMs = 5_000;

/** The folder of a list, of which only new files are read. */
export class ListFolder {
  readonly path: string;
  /** The second files of a UID in the last scan; `hidden` are the names that are not members. */
  copies: readonly RemoteCopy[] | undefined;
  hidden: ReadonlySet<Href> = new Set();
  #links: ReadonlyMap<string, string> = new Map();
  /** The errors of files that the last scan could not read, by their names. */
  readonly unread = new Map<string, Message>();
  /** Why the disk failed to return one of them; the next time it may succeed. */
  failure: Message | undefined;

  /** `isChosen`: the user has chosen this folder; others are below it, where anyone who shares it can put a link. */
  constructor(
    readonly href: Href,
    private readonly disk: FolderDisk,
    private readonly index: FileIndex,
    private readonly isChosen = false,
    private readonly hrefsOf: (uid: string) => readonly Href[] = () => [],
  ) {
    this.path = fileURLToPath(href);
  }

  pathOf = (name: string): string => join(this.path, name);

  /** The chosen folder may be a list itself, in addition to those in it. */
  #isIn = (href: Href): boolean => href.startsWith(this.href) && !href.includes('/', this.href.length);

  #lastListing: FolderListing | undefined;

  /**
   * For the tag of the list; the scan that follows it does not list the folder a second time. A file that is added
   * after this listing, is read, and is removed again changes no file, but the folder's own time.
   */
  async listFirst(): Promise<FolderListing> {
    const folder = await this.disk.disk.stat(this.path).catch(() => undefined);
    const { tag, ...listing } = await this.list();
    this.#lastListing = { ...listing, tag: tag && folder ? hashBytes(`${tag}/${folder.mtimeMs}`) : null };
    return this.#lastListing;
  }

  /** Before something is written here. */
  forgetListing(): void {
    this.#lastListing = undefined;
  }

  #takeListing(): FolderListing | undefined {
    const list = this.#lastListing;
    this.#lastListing = undefined;
    return list && Math.abs(this.disk.disk.now() - list.at) < freshMs ? list : undefined;
  }

  /** A link leads out of the folder that the user has chosen. */
  async checkIsFolder(): Promise<void> {
    if (this.isChosen || !(await this.disk.isLink(this.path.replace(/[/\\]$/, '')))) return;
    throw new RemoteError('rejected', syncMessage('folderIsLink', this.path));
  }

  /** The names in it; throws `gone` if the folder is not there. */
  async names(): Promise<readonly string[]> {
    await this.checkIsFolder();
    try {
      return (await this.disk.disk.readdir(this.path)).filter(name => !isTransient(name) && hasAddress(name));
    } catch (error) {
      if (isNotThere(error)) throw new RemoteError('gone', syncMessage('listGoneOnServer'), { cause: error });
      throw diskError(error, this.path);
    }
  }

  /** Throws if a folder that had tasks is wholly empty: it is not mounted, or not here yet. */
  checkIsThere(names: readonly string[]): void {
    if (isBlank(names) && this.#hadTasks()) throw new RemoteError('protocol', syncMessage('folderMissing', this.path));
  }

  /** Its tasks are gone for good: it may have nothing in it from now on. */
  async forgetTasks(): Promise<void> {
    const tasks = this.index.all().filter(([href, { text }]) => this.#isIn(href) && text !== null);
    await this.index.put(tasks.map(([href]) => [href, undefined]));
  }

  /** True if the last scan, in this run or before, found copies or links. */
  get hasOtherNames(): boolean {
    return this.index.get(conflictCopiesKey(this.href)) !== undefined;
  }

  #hadTasks = (): boolean => this.index.all().some(([href, { text }]) => this.#isIn(href) && text !== null);

  async list(): Promise<FolderListing> {
    const names = await this.names();
    const stats = new Map<string, FileStat>();
    let isComplete = true;
    this.unread.clear();
    this.failure = undefined;
    await each(names.filter(isTaskFile), async name => {
      const stat = await this.stat(name).catch(error => this.#noteUnread(name, error));
      if (!stat && !this.unread.has(name) && !(await this.#isThere(name))) {
        // Node.js has put this sign for bytes of a name that are not UTF-8, so no file answers to it. It may be the
        // file of any task, renamed.
        if (name.includes('\ufffd')) this.#noteUnread(name, diskError({ code: 'EILSEQ' }, this.pathOf(name)));
        // The file was there a moment ago. It may have been renamed to a name that is not in the listing.
        else isComplete = false;
      }
      if (!stat) return;
      stats.set(name, stat);
      if (isFileTooLarge(stat)) this.unread.set(name, syncMessage('taskFileTooLarge', this.pathOf(name)));
    });
    const placeholders = names.flatMap(name => fileOfPlaceholder(name) ?? []);
    const absent = [...placeholders, ...this.unread.keys()].filter(name => !stats.has(name));
    const now = this.disk.disk.now();
    const isSure = [...stats.values()].every(stat => !mayChangeUnseen(stat, now));
    const lines = [...stats].map(([name, { size, mtimeMs, ctimeMs }]) => `${name}/${size}/${mtimeMs}/${ctimeMs}`);
    const tag = isSure && isComplete ? hashBytes([...lines, ...absent].sort().join('\n')) : null;
    return { stats, absent, isComplete, isEmptyFolder: isBlank(names), tag, at: now };
  }

  /** A tag of its content: tasks, the list's metadata, and folders that are lists. Null as in {@link FolderListing}. */
  async glance(): Promise<Pick<FolderListing, 'tag'>> {
    const names = (await this.names()).filter(name => !name.startsWith('.'));
    const { tag } = await this.list();
    const stats = await Promise.all(metadataNames.map(name => this.stat(name)));
    const lines = stats.map(one => `${one?.size}/${one?.mtimeMs}`);
    return { tag: tag && hashBytes([tag, ...lines, ...names.toSorted()].join('\n')) };
  }

  /** One file that cannot be read stops no other one. */
  #noteUnread(name: string, error: unknown): undefined {
    if (!isRemote(error) || isRemote(error, 'cancelled', 'timeout')) throw error;
    this.unread.set(name, messageOf(error));
    if (isRemote(error, 'server')) this.failure = messageOf(error);
  }

  /** True for a link that leads nowhere, too. */
  #isThere = (name: string): Promise<boolean> =>
    this.disk.disk.lstat(this.pathOf(name)).then(
      () => true,
      () => false,
    );

  async stat(name: string): Promise<FileStat | undefined> {
    try {
      const stat = await this.disk.disk.stat(this.pathOf(name));
      this.disk.checkCanceled();
      return stat.isFile() ? stat : undefined;
    } catch (error) {
      if (isNotThere(error)) return undefined;
      throw diskError(error, this.pathOf(name));
    }
  }

  /**
   * Reads everything in it, in the order of the names; `withTexts` with the texts of known files, too, and `isFirst` by
   * the last listing.
   */
  async scan(isReadOnly: boolean, { withTexts = false, isFirst = false } = {}): Promise<Scan> {
    const list = (isFirst ? this.#takeListing() : undefined) ?? (await this.list());
    if (list.isEmptyFolder && isFirst && this.#hadTasks()) return bare;
    if (list.isEmptyFolder) this.checkIsThere([]);
    const before = new Map(this.index.all().filter(([href]) => this.#isIn(href)));
    const found = new Map<string, { readonly entry: FileEntry; readonly text?: string }>();
    const missed: string[] = [...list.absent];
    let { isComplete } = list;
    let wasSplit = false;
    await each([...list.stats.keys()], async name => {
      const stat = list.stats.get(name)!;
      const known = before.get(memberOf(this.href, name));
      if (known && isAsNoted(known, stat) && !(withTexts && known.text !== null)) {
        found.set(name, { entry: known });
        return;
      }
      const file = await this.readNow(name);
      if (file === 'unreadable') {
        missed.push(name);
        // A file that is too large cannot be a task that another file had before.
        if (!isFileTooLarge(stat)) isComplete = false;
      } else if (file) {
        if (!isReadOnly && (await this.split(name, file))) wasSplit = true;
        const entry = { ...entryOf(stat, file.etag, uidOf(file.text), list.at), ...partOf(file.text) };
        found.set(name, { entry, text: file.text });
      }
      // It has gone since.
      else isComplete = false;
    });
    if (wasSplit) return this.scan(isReadOnly, { withTexts });
    let isSure = isComplete;
    for (const name of missed) {
      const entry = before.get(memberOf(this.href, name));
      // The file counts as unchanged until it can be read.
      if (entry) found.set(name, { entry });
      else if (!isFileTooLarge(list.stats.get(name) ?? { size: 0 })) isSure = false;
    }
    const scan = await this.#finish(found, before, list.stats, isComplete);
    return { ...scan, isSure: isSure && scan.isComplete };
  }

  async hasEach(uids: readonly string[]): Promise<boolean> {
    const here = new Set((await this.scan(await this.isReadOnly())).uids.values());
    return uids.every(uid => here.has(uid));
  }

  async #finish(
    found: ReadonlyMap<string, { readonly entry: FileEntry; readonly text?: string }>,
    before: ReadonlyMap<Href, FileEntry>,
    stats: FolderListing['stats'],
    isComplete: boolean,
  ): Promise<Omit<Scan, 'isSure'>> {
    const names = [...found.keys()].sort();
    const hrefOf = (name: string) => memberOf(this.href, name);
    const isLink = (name: string) => this.disk.isLink(this.pathOf(name));
    const { copies, links } = await namesAmong(found, stats, { isLink, hrefOf, hrefsOf: this.hrefsOf });
    this.hidden = new Set([...copies.keys(), ...links.keys()].map(hrefOf));
    const tasks = names.filter(name => found.get(name)!.entry.text !== null && !this.hidden.has(hrefOf(name)));
    await this.#remember(found, before);
    this.copies = await readCopies(this, copies, name => found.get(name)!.entry);
    this.#links = links;
    await this.#noteCopies(copies.size + links.size > 0);
    const members = tasks.map(name => ({ href: hrefOf(name), etag: found.get(name)!.entry.etag }));
    return {
      members,
      items: tasks.flatMap((name, at) => {
        const { text } = found.get(name)!;
        return text === undefined ? [] : [{ ...members[at]!, text: this.oursOf(text) }];
      }),
      uids: new Map(tasks.map(name => [hrefOf(name), found.get(name)!.entry.text!])),
      // The copies were read, too.
      isComplete: isComplete && this.failure === undefined,
    };
  }

  /** Notes that there are copies or links: as long as there are, every run reads the folder. */
  async #noteCopies(hasCopies: boolean): Promise<void> {
    const note = conflictCopiesKey(this.href);
    if (hasCopies === (this.index.get(note) !== undefined)) return;
    await this.index.put([[note, hasCopies ? copiesNote : undefined]]);
  }

  async #remember(
    found: ReadonlyMap<string, { readonly entry: FileEntry }>,
    before: ReadonlyMap<Href, FileEntry>,
  ): Promise<void> {
    const changes = [...found].flatMap(([name, { entry }]): (readonly [Href, FileEntry])[] => {
      const href = memberOf(this.href, name);
      const old = before.get(href);
      const isSame = old?.mtime === entry.mtime && old.ctime === entry.ctime && old.etag === entry.etag;
      return isSame ? [] : [[href, entry]];
    });
    const there = new Set([...found.keys()].map(name => memberOf(this.href, name)));
    const gone = [...before.keys()].filter(href => /\.ics$/i.test(href) && !there.has(href));
    if (changes.length + gone.length > 0)
      await this.index.put([...changes, ...gone.map(href => [href, undefined] as const)]);
  }

  /** The links to a file, of either kind, and its name last: a hard link that stayed would be the task again. */
  namesOfFile = (name: string): readonly string[] => [
    ...[...this.#links].flatMap(([link, file]) => (file === name ? link : [])),
    name,
  ];

  /** `unreadable` if the file exists but cannot be read yet, or is being written. Undefined if it does not exist. */
  async readNow(name: string): Promise<ReadFile | 'unreadable' | undefined> {
    try {
      const file = await this.disk.read(this.pathOf(name));
      // A program that does not rename a finished file into place is seen while it writes.
      if (file === undefined || (isWhole(file.text) && !(await this.#isLinkWithMarkers(name, file)))) return file;
    } catch (error) {
      this.#noteUnread(name, error);
    }
    return 'unreadable';
  }

  /** Such a file is not resolved here: the other side would become a file in this folder, which others share. */
  async #isLinkWithMarkers(name: string, file: ReadFile): Promise<boolean> {
    const path = this.pathOf(name);
    if (!splitByMarkers(file.text) || !(await this.disk.isLink(path))) return false;
    this.unread.set(name, syncMessage('linkWithMarkers', path));
    return true;
  }

  /** True if one of these files has a task; a new file that cannot be read may have one. Throws if the disk fails. */
  async hasTask(names: readonly string[]): Promise<boolean> {
    const others: [Href, FileEntry][] = [];
    const isTask = async (name: string) => {
      const href = memberOf(this.href, name);
      const known = this.index.get(href);
      const hadTask = known !== undefined && known.text !== null;
      const stat = await this.stat(name).catch(error => {
        if (hadTask || isRemote(error, 'readOnly', 'rejected')) return 'unreadable' as const;
        throw error;
      });
      if (!stat) return false;
      if (stat === 'unreadable' || isFileTooLarge(stat)) return hadTask;
      if (known && isAsNoted(known, stat)) return hadTask;
      const file = await this.readNow(name);
      if (file === 'unreadable') return known?.text !== null;
      const isOther = file !== undefined && uidOf(file.text) === null;
      // A task is left to the scan, which searches it for more.
      if (isOther) others.push([href, entryOf(stat, file.etag, null, this.disk.disk.now())]);
      return file !== undefined && !isOther;
    };
    let isList = false;
    let failure: unknown;
    for (const name of names) {
      isList = await isTask(name).catch(error => {
        failure ??= error;
        return false;
      });
      if (isList) break;
    }
    if (others.length > 0) await this.index.put(others);
    if (!isList && failure) throw failure;
    return isList;
  }

  /** Git's markers do not belong into a task: our version stays, and the other one becomes a copy next to it. */
  async split(name: string, file: ReadFile): Promise<boolean> {
    const sides = splitByMarkers(file.text);
    if (!sides) return false;
    const copy = this.pathOf(copyNameOf(name, hashBytes(sides.theirs)));
    if (!(await this.disk.read(copy))) await this.disk.write(copy, sides.theirs, 'absent');
    await this.disk.write(this.pathOf(name), sides.ours, file.etag).catch(error => {
      // Someone was faster: the next scan reads what they wrote.
      if (!isRemote(error, 'conflict', 'gone')) throw error;
    });
    return true;
  }

  /** In a folder that nobody can write to, the marks stay in the file. */
  oursOf = (text: string): string => splitByMarkers(text)?.ours ?? text;

  async isReadOnly(): Promise<boolean> {
    await this.checkIsFolder();
    return this.disk.isReadOnly(this.path);
  }

  /** {@link metadataLine} */
  metadata = (name: string): Promise<string> => metadataLine(this, this.disk, this.index, name);
}
