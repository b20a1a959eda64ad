import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
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
  slowPoll: 60_000,
};

/**
 * The time until the next check of a folder, after one that took `ms`. No watcher notices what another computer writes to
 * a network drive, and some file systems do not report what they promise to; checks take no more than a 200th of the time.
 */
export const waitAfterCheck = (ms: number, { poll, slowPoll } = defaultTiming): number =>
  Math.min(slowPoll, Math.max(poll, 200 * ms));

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
      const began = performance.now();
      await this.#check();
      this.#planCheck(waitAfterCheck(performance.now() - began, this.timing));
    }, ms);
    this.#poll.unref();
  }

  async #check(): Promise<void> {
    await this.renew();
    const { tag } = await this.#folder.glance().catch(() => ({ tag: 'away' }));
    const before = this.#tag;
    this.#tag = tag ?? before;
    if (before !== null && tag !== null && tag !== before) this.#changed(null);
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
