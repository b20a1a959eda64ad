import { type FSWatcher, watch } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Disposable } from '../../core/events';
import type { Href } from '../remote/remote';
import { FolderDisk, realDisk } from './folderDisk';
import { ListFolder, newFileIndex } from './folderScan';
import { fileOfPlaceholder } from './vdir';

/** A program writes some files one after the other, and each in several steps. */
const quietMs = 200;
const pollMs = 5_000;

/** NFS, SMB, CIFS, SMB2, FUSE, 9P, VirtualBox: what another computer writes there, no watcher is told. */
const remoteDisks = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x786f4256]);

async function isTold(path: string): Promise<boolean> {
  if (path.startsWith('\\\\')) return false;
  if (process.platform !== 'linux') return true;
  return statfs(path).then(
    ({ type }) => !remoteDisks.has(type),
    () => true,
  );
}

/** Which folder lies there now: one that was deleted and made again is another one, and its old watcher is silent. */
const identityOf = (path: string): Promise<string | undefined> =>
  stat(path).then(
    ({ dev, ino, birthtimeMs }) => `${dev}/${ino}/${birthtimeMs}`,
    () => undefined,
  );

/** One folder, watched where the system reports changes, and looked at now and then where it does not. */
class Watched implements Disposable {
  #watcher: FSWatcher | undefined;
  #soon: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #tag: string | null = null;
  #isDisposed = false;
  #isLooking = false;
  #identity: Promise<string | undefined>;
  readonly #folder: ListFolder;
  readonly #path: string;

  constructor(
    href: Href,
    private readonly news: () => void,
  ) {
    this.#folder = new ListFolder(href, new FolderDisk(realDisk, pollMs, undefined), newFileIndex());
    this.#path = fileURLToPath(href);
    this.#identity = identityOf(this.#path);
    this.#open();
    void isTold(this.#path).then(told => !told && this.#startPoll());
  }

  #open(): void {
    this.#watcher?.close();
    try {
      this.#watcher = watch(this.#path, { persistent: false }, (_event, name) => this.#changed(name));
      this.#watcher.on('error', () => this.#startPoll());
    } catch {
      this.#startPoll();
    }
  }

  /** What was written into a new folder before it is watched is news, too. */
  async renew(): Promise<void> {
    const before = this.#identity;
    const now = identityOf(this.#path);
    this.#identity = now;
    if ((await before) === (await now) || (await now) === undefined || this.#isDisposed) return;
    this.#open();
    this.#changed(null);
  }

  #changed(name: string | null): void {
    if (this.#isDisposed || (name?.startsWith('.') && fileOfPlaceholder(name) === undefined)) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.news();
    }, quietMs);
  }

  #startPoll(): void {
    if (this.#isDisposed || this.#poll) return;
    this.#poll = setInterval(() => void this.#look(), pollMs);
    this.#poll.unref();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const tag = await this.#folder.look().then(
      look => look.tag,
      () => 'away',
    );
    this.#isLooking = false;
    const before = this.#tag;
    this.#tag = tag ?? before;
    if (before !== null && tag !== null && tag !== before) this.#changed(null);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.close();
    clearTimeout(this.#soon);
    clearInterval(this.#poll);
  }
}

/** Folders by what news of them is about. */
export class FolderWatch<About> implements Disposable {
  readonly #watched = new Map<Href, Watched>();

  constructor(private readonly news: (about: About) => void) {}

  /** From now on these, and no others. */
  watch(folders: ReadonlyMap<Href, About>): void {
    for (const [href, watched] of this.#watched)
      if (!folders.has(href)) {
        watched.dispose();
        this.#watched.delete(href);
      }
    for (const [href, about] of folders)
      if (this.#watched.has(href)) void this.#watched.get(href)!.renew();
      else this.#watched.set(href, new Watched(href, () => this.news(about)));
  }

  dispose(): void {
    this.watch(new Map());
  }
}
