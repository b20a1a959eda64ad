import { type FSWatcher, watch } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Disposable } from '../../core/kernel/events';
import type { Href } from '../remote/remote';
import { FolderDisk, identityOf, newFileIndex, realDisk } from './folderDisk';
import { ListFolder } from './folderScan';
import { fileOfPlaceholder } from './vdir';

/** Milliseconds. */
const defaultTiming = {
  /** A program writes some files one after the other, and each in several steps. */
  quiet: 200,
  poll: 5_000,
  /** The interval if the system reports changes: some file systems promise that and do not keep it. */
  slowPoll: 60_000,
};

/** NFS, SMB, CIFS, SMB2, FUSE, 9P, VirtualBox: no watcher notices what another computer writes there. */
const remoteDisks = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x786f4256]);

/** True if the system reports what another computer writes there; macOS mounts network drives in /Volumes. */
export async function reportsChanges(path: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (path.startsWith('\\\\') || (platform === 'darwin' && path.startsWith('/Volumes/'))) return false;
  if (platform !== 'linux') return true;
  return statfs(path).then(
    ({ type }) => !remoteDisks.has(type),
    () => true,
  );
}

/**
 * The current identity of the folder: one that was deleted and created again differs, and its old watcher is silent.
 */
const identityAt = (path: string): Promise<string | undefined> => stat(path).then(identityOf, () => undefined);

/** One folder, watched if the system reports changes, and checked now and then. */
class FolderWatcher implements Disposable {
  #watcher: FSWatcher | undefined;
  #soon: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #tag: string | null = null;
  #isDisposed = false;
  #identity: Promise<string | undefined>;
  readonly #folder: ListFolder;
  readonly #path: string;

  constructor(
    href: Href,
    private readonly timing: typeof defaultTiming,
    private readonly onChange: () => void,
  ) {
    this.#folder = new ListFolder(href, new FolderDisk(realDisk, timing.poll, undefined), newFileIndex());
    this.#path = fileURLToPath(href);
    this.#identity = identityAt(this.#path);
    this.#open();
    this.#planCheck(timing.poll);
  }

  #open(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    try {
      const watcher = watch(this.#path, { persistent: false }, (_event, name) => this.#changed(name));
      watcher.on('error', () => {
        watcher.close();
        if (this.#watcher === watcher) this.#watcher = undefined;
      });
      this.#watcher = watcher;
    } catch {
      // It is polled instead.
    }
  }

  /** Watches a new folder. Files that were written into it before count as changes, too. */
  async renew(): Promise<void> {
    const before = this.#identity;
    const now = identityAt(this.#path);
    this.#identity = now;
    if ((await before) === (await now) || this.#isDisposed) return;
    if ((await now) === undefined) {
      // Nobody reports that it is back.
      this.#planCheck(this.timing.poll);
      return;
    }
    this.#open();
    this.#changed(null);
  }

  #changed(name: string | null): void {
    if (this.#isDisposed || (name?.startsWith('.') && fileOfPlaceholder(name) === undefined)) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.onChange();
    }, this.timing.quiet);
  }

  #planCheck(ms: number): void {
    clearTimeout(this.#poll);
    if (this.#isDisposed) return;
    this.#poll = setTimeout(async () => {
      const isThere = await this.#check();
      const isWatched = isThere && this.#watcher !== undefined && (await reportsChanges(this.#path));
      this.#planCheck(isWatched ? this.timing.slowPoll : this.timing.poll);
    }, ms);
    this.#poll.unref();
  }

  /** True if the folder exists and is not empty: a disk that is not connected may leave an empty one. */
  async #check(): Promise<boolean> {
    await this.renew();
    const seen = await this.#folder.glance().catch(() => ({ tag: 'away', isEmptyFolder: true }));
    const before = this.#tag;
    this.#tag = seen.tag ?? before;
    if (before !== null && seen.tag !== null && seen.tag !== before) this.#changed(null);
    return !seen.isEmptyFolder;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.close();
    clearTimeout(this.#soon);
    clearTimeout(this.#poll);
  }
}

/** Folders by the account or list that their changes are about. */
export class FolderWatch<About> implements Disposable {
  readonly #watched = new Map<Href, FolderWatcher>();

  constructor(
    private readonly onChange: (about: About) => void,
    private readonly timing = defaultTiming,
  ) {}

  /** From now on these, and no others. */
  watch(folders: ReadonlyMap<Href, About>): void {
    for (const [href, watched] of this.#watched)
      if (!folders.has(href)) {
        watched.dispose();
        this.#watched.delete(href);
      }
    for (const [href, about] of folders)
      if (this.#watched.has(href)) void this.#watched.get(href)!.renew();
      else this.#watched.set(href, new FolderWatcher(href, this.timing, () => this.onChange(about)));
  }

  dispose(): void {
    this.watch(new Map());
  }
}
