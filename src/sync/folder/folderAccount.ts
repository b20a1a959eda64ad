import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
import { syncMessage } from '../messages';
import { withSlash } from '../remote/hrefs';
import {
  type Etag,
  type Href,
  isRemote,
  type ListProperty,
  type NewRemoteList,
  type RemoteAccount,
  type RemoteCollection,
  RemoteError,
  type RemoteList,
  stopsAccount,
} from '../remote/remote';
import { FolderCollection } from './folderCollection';
import { deleteFolder, removeLeftBehind, settleDeletion } from './folderDeletion';
import { type Disk, diskError, type FileIndex, FolderDisk, isNotThere, realDisk } from './folderDisk';
import { conflictCopiesKey, ListFolder } from './folderScan';
import { isMarkedDeleted } from './listMarker';
import {
  colorText,
  describe,
  folderNameOf,
  isBlank,
  isLeftBehind,
  isTaskFile,
  isTaskless,
  isTransient,
  memberOf,
  nameIn,
} from './vdir';

/** Follows a list's folder to another name. */
interface Renames {
  known(): readonly KnownList[];
  follow(from: Href, to: Href): Promise<void>;
}

interface KnownList {
  readonly href: Href;
  /** The UIDs of the tasks whose files its folder had. */
  uids(): readonly string[];
}

interface FolderOptions {
  /** `file:` URL. */
  readonly root: Href;
  readonly index: FileIndex;
  /** True if lists of the account are known: an empty folder is then no answer. */
  readonly hasLists: boolean;
  readonly renames?: Renames;
  /** The files that have the task of a UID already. */
  readonly hrefsOf?: (uid: string) => readonly Href[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly disk?: Disk;
}

/** A known list that fails alone is requested again, directly; the others continue. */
function unlessAlone(error: unknown): undefined {
  if (!isRemote(error) || stopsAccount(error)) throw error;
}

/**
 * The port over a folder in the vdir format. Its lists are the folders in it, and the folder itself if it has tasks.
 *
 * Invariant: an empty or missing folder deletes nothing, since its disk may not be connected.
 */
export class FolderAccount implements RemoteAccount {
  requests = 0;
  readonly #root: Href;
  readonly #disk: FolderDisk;
  readonly #folders = new Map<Href, ListFolder>();

  constructor(private readonly options: FolderOptions) {
    this.#root = withSlash(options.root);
    this.#disk = new FolderDisk(options.disk ?? realDisk, options.timeoutMs, options.signal);
  }

  get path(): string {
    return fileURLToPath(this.#root);
  }

  readonly #linked: Message[] = [];

  get problems(): readonly Message[] {
    return [...this.#linked, ...[...this.#folders.values()].flatMap(({ unread }) => [...unread.values()])];
  }

  /** Throws if the folder has become a link since it was chosen: it could lead anywhere. */
  async checkRoot(): Promise<void> {
    return this.#work(async () => {
      // A slash at the end would follow it.
      if (await this.#disk.isLink(resolve(this.path)))
        throw new RemoteError('offline', syncMessage('folderIsLink', this.path));
    });
  }

  async lists(): Promise<readonly RemoteList[]> {
    return this.#work(async () => {
      const entries = await this.#entries();
      const all = entries.map(({ name }) => name);
      const names = all.filter(name => !isTransient(name));
      if (isBlank(names) && this.options.hasLists) throw this.#missing();
      const hrefs = names.some(isTaskFile) ? [this.#root] : [];
      for (const entry of entries) {
        const { name } = entry;
        if (name.startsWith('.') || nameIn(this.#root, memberOf(this.#root, name)) === undefined) continue;
        if (entry.isDirectory() || (entry.isSymbolicLink() && (await this.#isFolder(name))))
          hrefs.push(`${memberOf(this.#root, name)}/`);
      }
      const found: Href[] = [];
      let failure: unknown;
      const noteFailure = (error: unknown) => {
        unlessAlone(error);
        // A folder that cannot be read for another reason than its rights may be any list.
        if (!isRemote(error, 'readOnly', 'rejected')) failure ??= error;
      };
      for (const href of hrefs) if (await this.#isList(href).catch(noteFailure)) found.push(href);
      await this.#followRenames(found, names, failure);
      const lists: RemoteList[] = [];
      // Nothing is written into a folder that is only inspected.
      if (this.options.hasLists) await removeLeftBehind(this.path, all, this.#disk);
      for (const href of found) {
        if (this.options.hasLists) await this.#disk.removeTemporaries(fileURLToPath(href), isLeftBehind);
        const list = await this.#list(href).catch(unlessAlone);
        if (list) lists.push(list);
      }
      return lists;
    });
  }

  /**
   * Finds lists whose folder was renamed, here or on another computer: it is gone, and one unknown folder has each of its
   * tasks. Otherwise its tasks would be here twice. Throws `failure`, for which a folder could not be read, if a list is
   * gone: the folder may be that list.
   */
  async #followRenames(found: readonly Href[], names: readonly string[], failure: unknown): Promise<void> {
    const { renames } = this.options;
    if (!renames) return;
    const known = renames.known();
    const isGone = ({ href }: KnownList) => {
      const name = href === this.#root ? undefined : nameIn(this.#root, href);
      return name !== undefined && !names.includes(name);
    };
    const gone = known.filter(isGone).map(list => ({ ...list, uids: list.uids() }));
    if (gone.length === 0) return;
    if (failure) throw failure;
    let fresh = found.filter(href => href !== this.#root && known.every(list => list.href !== href));
    for (const { href: from, uids } of gone.toSorted((a, b) => b.uids.length - a.uids.length)) {
      const having: Href[] = [];
      for (const href of uids.length > 0 ? fresh : []) if (await this.#folder(href).hasEach(uids)) having.push(href);
      const [to] = having;
      if (to === undefined || having.length > 1) continue;
      await renames.follow(from, to);
      fresh = fresh.filter(href => href !== to);
    }
  }

  /**
   * A link to a folder is not followed, and the user is notified. On Windows, folders of cloud drives are listed as
   * links, too.
   */
  async #isFolder(name: string): Promise<boolean> {
    const path = fileURLToPath(memberOf(this.#root, name));
    const stat = await this.#disk.disk.stat(path).catch(() => undefined);
    if (!stat?.isDirectory()) return false;
    const isLink = await this.#disk.isLink(path);
    if (isLink) this.#linked.push(syncMessage('folderIsLink', path));
    return !isLink;
  }

  /** Nothing is written into a folder that is only inspected. */
  async #isList(href: Href): Promise<boolean> {
    const isGone = this.options.hasLists && (await settleDeletion(this.#folder(href), this.#disk));
    return !isGone && this.#hasTasks(href);
  }

  /** True if a folder is a list of tasks: not a calendar of events, and not just any folder. */
  async #hasTasks(href: Href): Promise<boolean> {
    const folder = this.#folder(href);
    const names = await folder.names();
    const files = names.filter(isTaskFile);
    if (files.length === 0) return isTaskless(names) && !(await isMarkedDeleted(folder, this.#disk));
    return folder.hasTask(files);
  }

  async list(href: Href): Promise<RemoteList | undefined> {
    return this.#work(async () => {
      // If case does not count, a folder that was renamed answers to its old name, too.
      if (href !== this.#root && !(await this.#names()).includes(nameIn(this.#root, href) ?? '')) return undefined;
      if ((await isMarkedDeleted(this.#folder(href), this.#disk)) && !(await this.#hasTasks(href))) return undefined;
      return this.#list(href);
    });
  }

  /** The entries of the account's folder; throws if it is not there. */
  #entries = () =>
    this.#disk.disk.readdir(this.path, { withFileTypes: true }).catch(error => {
      throw this.#missing(error);
    });

  #missing = (cause?: unknown) => new RemoteError('offline', syncMessage('folderMissing', this.path), { cause });

  /** The names in the account's folder; throws if it is not there, or is empty. */
  async #names(): Promise<readonly string[]> {
    const names = (await this.#entries()).map(({ name }) => name);
    if (isBlank(names)) throw this.#missing();
    return names;
  }

  /** Undefined if the account's folder exists but this list does not. */
  async #list(href: Href): Promise<RemoteList | undefined> {
    const folder = this.#folder(href);
    try {
      const { tag } = await folder.listFirst();
      const isReadOnly = await folder.isReadOnly();
      const [displayname, color, order] = [
        await folder.metadata('displayname'),
        await folder.metadata('color'),
        await folder.metadata('order'),
      ];
      const isSettled = this.options.index.get(conflictCopiesKey(href)) === undefined;
      const name = nameIn(this.#root, href) ?? this.path.split(/[/\\]/).filter(Boolean).at(-1) ?? '';
      return describe(href, name, { displayname, color, order }, { isReadOnly, ctag: isSettled ? tag : null });
    } catch (error) {
      if (!isRemote(error, 'gone')) throw error;
      await this.#names();
      return undefined;
    }
  }

  collection({ href }: Pick<RemoteList, 'href'>): RemoteCollection {
    return new FolderCollection(this.#folder(href), this.#disk, () => this.requests++);
  }

  /** An address outside of the folder that was chosen leads nowhere. */
  #folder(href: Href): ListFolder {
    const isInside = href === this.#root || (href.endsWith('/') && nameIn(this.#root, href) !== undefined);
    if (!isInside) throw new RemoteError('gone', syncMessage('listGoneOnServer'));
    const { index, hrefsOf } = this.options;
    const known = this.#folders.get(href) ?? new ListFolder(href, this.#disk, index, href === this.#root, hrefsOf);
    this.#folders.set(href, known);
    return known;
  }

  async createList({ name, color }: NewRemoteList, note: (href: Href) => Promise<void>): Promise<Href> {
    return this.#work(async () => {
      const base = folderNameOf(name);
      for (let count = 1; ; count++) {
        const folderName = count === 1 ? base : `${base}-${count}`;
        const href = `${memberOf(this.#root, folderName)}/`;
        await note(href);
        try {
          await this.#disk.disk.mkdir(fileURLToPath(href));
        } catch (error) {
          if (codeOf(error) === 'EEXIST') continue;
          throw isNotThere(error) ? this.#missing(error) : diskError(error, this.path);
        }
        // By the disk's own name: HFS+ normalizes letters with marks.
        const names = await this.#names();
        const isIt = (one: string) => one.normalize('NFC') === folderName;
        const diskName = names.includes(folderName) ? folderName : (names.find(isIt) ?? folderName);
        const made = `${memberOf(this.#root, diskName)}/`;
        if (made !== href) await note(made);
        await this.#describe(this.#folder(made), { name, color });
        return made;
      }
    });
  }

  async updateList(href: Href, input: NewRemoteList): Promise<readonly ListProperty[]> {
    return this.#work(async () => {
      const folder = this.#folder(href);
      if (await folder.isReadOnly()) throw new RemoteError('readOnly', syncMessage('folderNotWritable', folder.path));
      return this.#describe(folder, input);
    });
  }

  /** Returns the properties that have no place: a folder has the name of their file. */
  async #describe(folder: ListFolder, { name, color }: NewRemoteList): Promise<readonly ListProperty[]> {
    const refused: ListProperty[] = [];
    for (const [file, property, text] of [
      ['displayname', 'name', name],
      ['color', 'color', colorText(color)],
    ] as const) {
      const path = folder.pathOf(file);
      const there = await this.#disk.disk.lstat(path).catch(() => undefined);
      if (there?.isDirectory()) {
        refused.push(property);
        continue;
      }
      // A link could lead to any file of this computer, and a pipe keeps no text.
      if (there && !there.isFile()) await this.#disk.disk.unlink(path);
      const now = await this.#disk.read(path);
      if (now?.text.trim() !== text) await this.#disk.write(path, text, now?.etag ?? 'absent');
    }
    return refused;
  }

  async deleteList(href: Href, known: ReadonlyMap<Href, Etag | null>): Promise<void> {
    return this.#work(async () => {
      if (href === this.#root) throw new RemoteError('unsupported', syncMessage('singleList'));
      const folder = this.#folder(href);
      const isThere = await folder.names().catch(error => {
        if (isRemote(error, 'gone')) return undefined;
        throw error;
      });
      if (!isThere) return;
      if (await folder.isReadOnly()) throw new RemoteError('readOnly', syncMessage('folderNotWritable', folder.path));
      if (await deleteFolder(folder, this.#disk, known)) this.#folders.delete(href);
    });
  }

  #work<T>(work: () => Promise<T>): Promise<T> {
    this.requests++;
    return this.#disk.watched(this.path, work);
  }
}
