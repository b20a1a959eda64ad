import type { Message } from '../../core/kernel/message';
import { syncMessage } from '../messages';
import {
  type Etag,
  type Href,
  isRemote,
  type RemoteBatch,
  type RemoteChanges,
  type RemoteCollection,
  type RemoteCopy,
  RemoteError,
  type RemoteItem,
  type RemoteListing,
  type RemoteMember,
} from '../remote/remote';
import { each, type FolderDisk } from './folderDisk';
import type { ListFolder } from './folderScan';
import { keepAsList } from './listMarker';
import { isTaskFile, memberOf, nameIn } from './vdir';

/** One list in a folder: an address for each file of a task. */
export class FolderCollection implements RemoteCollection {
  /** Set by the listing: if texts are still asked for, the user has agreed that the tasks are gone. */
  #isEmptyFolder = false;

  constructor(
    private readonly folder: ListFolder,
    private readonly disk: FolderDisk,
    private readonly count: () => void,
  ) {}

  /** Adds the extension: in a vdir, a file with another one is not a task. */
  member = (name: string): Href => memberOf(this.folder.href, isTaskFile(name) ? name : `${name}.ics`);

  isTaken = (href: Href): boolean => this.folder.hidden.has(href);

  get copies(): readonly RemoteCopy[] | undefined {
    return this.folder.copies;
  }

  get failure(): Message | undefined {
    return this.folder.failure;
  }

  async listing(): Promise<RemoteListing> {
    const { members, isComplete, isEmptyFolder = false } = await this.#scan({ isFirst: true });
    this.#isEmptyFolder = isEmptyFolder;
    return { members, isComplete, ...(isEmptyFolder && { isEmptyFolder }) };
  }

  async everyItem(): Promise<RemoteListing & { readonly items: readonly RemoteItem[] }> {
    const { members, isComplete, items } = await this.#scan({ withTexts: true, isFirst: true });
    return { members, isComplete, items };
  }

  /** @throws RemoteError `server` if no file has it, and one could not be read: that may be the one */
  async findUid(uid: string): Promise<readonly RemoteMember[]> {
    const { members, uids, isSure } = await this.#scan();
    const found = members.filter(({ href }) => uids.get(href) === uid);
    if (found.length === 0 && !isSure) throw new RemoteError('server', this.failure ?? syncMessage('fileNotHere'));
    return found;
  }

  /** A listing costs no more: what has not changed is not read. */
  async changes(): Promise<RemoteChanges> {
    throw new RemoteError('unsupported', syncMessage('listGoneOnServer'));
  }

  #scan(how?: { readonly withTexts?: boolean; readonly isFirst: boolean }) {
    return this.#work(async () => this.folder.scan(await this.folder.isReadOnly(), how));
  }

  #work<T>(work: () => Promise<T>): Promise<T> {
    this.count();
    return this.disk.watched(this.folder.path, work);
  }

  async fetch(hrefs: readonly Href[]): Promise<RemoteBatch> {
    if (hrefs.length === 0) return { items: [], gone: [] };
    const { folder } = this;
    if (folder.hasOtherNames && folder.copies === undefined) await this.#scan();
    return this.#work(async () => {
      const names = await folder.names();
      if (this.#isEmptyFolder) await folder.forgetTasks();
      else folder.checkIsThere(names);
      // The exact names that the folder lists: if case does not count, another file answers to the name, too.
      const there = new Set(names);
      const items: RemoteItem[] = [];
      const gone: Href[] = [];
      const withheld: { href: Href; message: Message }[] = [];
      await each(hrefs, async href => {
        const name = nameIn(folder.href, href);
        const isAway =
          name !== undefined && [`.${name}.icloud`, `${name}.nextcloud`, `${name}.owncloud`].some(n => there.has(n));
        const file = isAway
          ? 'unreadable'
          : name === undefined || !there.has(name) || folder.hidden.has(href)
            ? undefined
            : await this.#read(name);
        if (file === undefined) gone.push(href);
        else if (file === 'unreadable')
          withheld.push({ href, message: folder.unread.get(name!) ?? syncMessage('fileNotHere') });
        else items.push({ href, etag: file.etag, text: folder.oursOf(file.text) });
      });
      return { items, gone, withheld };
    });
  }

  async #read(name: string) {
    const file = await this.folder.readNow(name);
    if (!file || file === 'unreadable') return file;
    const isSplit = !(await this.folder.isReadOnly()) && (await this.folder.split(name, file));
    return isSplit ? this.folder.readNow(name) : file;
  }

  /** Runs the work on a file that may be written, after all earlier work on its folder. */
  #alone<T>(href: Href, work: (name: string, path: string) => Promise<T>): Promise<T> {
    const { folder } = this;
    const name = nameIn(folder.href, href);
    if (name === undefined || !isTaskFile(name))
      throw new RemoteError('rejected', syncMessage('gone', folder.path, href));
    return this.#work(async () => {
      const isReadOnly = await folder.isReadOnly();
      if (isReadOnly) throw new RemoteError('readOnly', syncMessage('folderNotWritable', folder.path));
      folder.forgetListing();
      return this.disk.inTurn(folder.path, () => work(name, folder.pathOf(name)));
    });
  }

  async put(href: Href, text: string, expect: Etag | 'absent'): Promise<Etag> {
    return this.#alone(href, async (name, path) => {
      // If case does not count, another task may have this name, and a list of names does not show it.
      if (expect === 'absent' && (await this.disk.read(path)) && !(await this.folder.names()).includes(name))
        throw new RemoteError('uidTaken', syncMessage('sameUid'));
      // A write replaces the file, and a hard link to the old one would be another version of the task.
      if (expect !== 'absent')
        for (const other of this.folder.namesOfFile(name).slice(0, -1))
          await this.disk.removeHardLink(this.folder.pathOf(other), path, expect).catch(error => {
            if (!isRemote(error, 'conflict', 'gone')) throw error;
          });
      return this.disk.write(path, text, expect);
    });
  }

  async remove(href: Href, expect: Etag): Promise<void> {
    return this.#alone(href, async name => {
      // Nothing after the removal may fail: a failure counts as a file that still exists.
      const going = this.folder.namesOfFile(name);
      const others = (await this.folder.names()).filter(other => !going.includes(other));
      if (!others.some(isTaskFile)) await keepAsList(this.folder, this.disk, others);
      for (const one of going) await this.disk.remove(this.folder.pathOf(one), expect);
      this.folder.copies = this.folder.copies?.filter(copy => copy.href !== href);
    });
  }
}
