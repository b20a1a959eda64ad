import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, type Stats, statSync, unlinkSync } from 'node:fs';
import * as nodeDisk from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { decodeText } from '../../core/exchange/encoding';
import { largestResource } from '../../core/ical/readResource';
import { codeOf } from '../../core/kernel/errors';
import { type Clock, systemClock } from '../../core/time/clock';
import { syncMessage } from '../messages';
import { type Etag, type Href, RemoteError, type RemoteErrorKind } from '../remote/remote';
import { asideNameOf, newTemporaryName } from './vdir';

const nodeDiskSync = { lstatSync, readFileSync, renameSync, statSync, unlinkSync };

/**
 * The operations that sync needs of a disk. A test passes one that fails. The synchronous ones are for the moment in which
 * a file is compared and replaced: nothing else in this process can run in between. `now` is the time by the clock that
 * stamps its files, the computer's: the engine may have another one.
 */
export type Disk = Pick<Clock, 'now'> &
  typeof nodeDiskSync &
  Pick<
    typeof nodeDisk,
    'readdir' | 'stat' | 'lstat' | 'readFile' | 'realpath' | 'open' | 'link' | 'unlink' | 'mkdir' | 'rmdir' | 'access'
  >;

export const realDisk: Disk = { ...nodeDisk, ...nodeDiskSync, now: systemClock.now };

/** A file that is too large is not read, since it may be anything. A known task of it stays as it was. */
export const isFileTooLarge = ({ size }: { readonly size: number }): boolean => size > largestResource;

const kinds: Readonly<Record<string, RemoteErrorKind>> = {
  EACCES: 'readOnly',
  EPERM: 'readOnly',
  EROFS: 'readOnly',
  ENOSPC: 'rejected',
  EDQUOT: 'rejected',
  EFBIG: 'rejected',
  ENAMETOOLONG: 'rejected',
  ELOOP: 'rejected',
};

export const isNotThere = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
const linksNothing = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EINVAL', 'EACCES', 'UNKNOWN']);

/** Turns an error of the disk into one of sync. `unsure`: the disk may have done it nevertheless. */
export function diskError(error: unknown, path: string, unsure = false): unknown {
  const code = codeOf(error) ?? '';
  if (error instanceof RemoteError || code === '') return error;
  const kind = kinds[code] ?? 'server';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new RemoteError('rejected', syncMessage('storageFull', path, code), { status: 507, cause: error });
  return new RemoteError(kind, syncMessage('diskError', path, code), {
    cause: error,
    unsure: unsure && kind === 'server',
  });
}

/** Windows also reports these for a file that a program has open, other systems for a file of another user. */
const refusedOne = new Set(['EPERM', 'EACCES']);
const heldBack = (error: unknown, path: string): RemoteError =>
  new RemoteError('locked', syncMessage('diskError', path, codeOf(error) ?? ''), { cause: error });

/** Identifies a folder or file under any name. The inode alone is reused once it is free. */
export const identityOf = ({ dev, ino, birthtimeMs }: Pick<Stats, 'dev' | 'ino' | 'birthtimeMs'>): string =>
  `${dev}/${ino}/${birthtimeMs}`;

/** By its content alone: a file that is only touched, by a checkout or a restore, has not changed. */
export const hashBytes = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
export const etagOf = (size: number, hash: string): Etag => `"${size}-${hash}"`;

export interface ReadFile {
  readonly text: string;
  readonly size: number;
  readonly hash: string;
  readonly etag: Etag;
}

/** The time in which a disk does not respond is counted in ticks: while this process is busy, none passes. */
const silentTicks = 60;

/** The operations on one account's folder. If the disk does not respond, like a NAS that sleeps, they fail with `timeout`. */
export class FolderDisk {
  #answers = 0;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(
    readonly disk: Disk,
    private readonly timeoutMs: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Waits for `work` as long as the disk answers. */
  async watched<T>(path: string, work: () => Promise<T>): Promise<T> {
    this.checkCanceled();
    let timer: NodeJS.Timeout | undefined;
    let [answers, silent] = [this.#answers, 0];
    const silence = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        silent = answers === this.#answers ? silent + 1 : 0;
        answers = this.#answers;
        if (silent >= silentTicks)
          reject(new RemoteError('timeout', syncMessage('timeoutRetry', path), { unsure: true }));
      }, this.timeoutMs / silentTicks);
    });
    try {
      return await Promise.race([work(), silence]);
    } finally {
      clearInterval(timer);
    }
  }

  checkCanceled(): void {
    this.#answers++;
    if (this.signal?.aborted) throw new RemoteError('cancelled', syncMessage('syncCanceled'));
  }

  /**
   * Undefined if there is no such file, or the name belongs to something else. Throws if it cannot be read now, or is
   * too large.
   */
  async read(path: string): Promise<ReadFile | undefined> {
    try {
      // A pipe or a device, also one that a link leads to, never ends.
      const stat = await this.disk.stat(path);
      if (!stat.isFile()) return undefined;
      if (isFileTooLarge(stat)) throw new RemoteError('tooLarge', syncMessage('taskFileTooLarge', path));
      const bytes = new Uint8Array(await this.disk.readFile(path));
      this.checkCanceled();
      const { text } = decodeText(bytes);
      const hash = hashBytes(bytes);
      return { text, size: bytes.length, hash, etag: etagOf(bytes.length, hash) };
    } catch (error) {
      if (isNotThere(error) || codeOf(error) === 'EISDIR') return undefined;
      throw diskError(error, path);
    }
  }

  /** Throws `gone` if the folder is not there. */
  async isReadOnly(path: string): Promise<boolean> {
    try {
      // Root can write to every folder, but one without any write permission should be left alone.
      // On Windows, the mode is an attribute that forbids nothing in a folder.
      const { mode } = await this.disk.stat(path);
      if (process.platform !== 'win32' && (mode & 0o222) === 0) return true;
      await this.disk.access(path, 2);
      return false;
    } catch (error) {
      if (isNotThere(error)) throw new RemoteError('gone', syncMessage('listGoneOnServer'), { cause: error });
      const refusal = diskError(error, path);
      // Any other refusal may be temporary, and a read-only list would drop its edits.
      if (refusal instanceof RemoteError && refusal.kind === 'readOnly') return true;
      throw refusal;
    }
  }

  async isLink(path: string): Promise<boolean> {
    const stat = await this.disk.lstat(path).catch(() => undefined);
    return stat?.isSymbolicLink() ?? false;
  }

  /**
   * Replaces a file in one step if it still has the ETag `expect`, or creates it if there is none. A link stays a link:
   * the file that it leads to is written. Returns the new ETag.
   */
  async write(path: string, text: string, expect: Etag | 'absent'): Promise<Etag> {
    const isNew = expect === 'absent';
    const target = isNew ? path : await this.#fileBehind(path);
    const temporary = join(dirname(target), newTemporaryName());
    const bytes = new TextEncoder().encode(text);
    const etag = etagOf(bytes.length, hashBytes(bytes));
    let isWritten = false;
    try {
      const mode = isNew ? 0o666 : (await this.disk.stat(target)).mode & 0o777;
      const file = await this.disk.open(temporary, 'wx', mode);
      try {
        await file.writeFile(bytes);
        // The umask does not apply to a file that is replaced; FAT has no such permissions.
        if (!isNew) await file.chmod(mode).catch(() => undefined);
        await file.sync();
      } finally {
        await file.close();
      }
      isWritten = true;
      if (isNew) await this.#moveInto(temporary, path);
      else this.#replace(temporary, target, expect);
      return etag;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw changed();
      if (isNotThere(error)) throw isNew ? noParent(error) : gone(error);
      // Unlike a server, the disk can be asked at once what became of it.
      const now = isWritten ? await this.read(path).catch(() => null) : undefined;
      if (now?.etag === etag) return etag;
      // A file could be created next to it, so the folder is writable and another program keeps this file open.
      const isHeld = (isWritten || target !== path) && refusedOne.has(codeOf(error) ?? '');
      throw isHeld ? heldBack(error, path) : diskError(error, path, now === null);
    } finally {
      await this.disk.unlink(temporary).catch(() => undefined);
    }
  }

  async #fileBehind(path: string): Promise<string> {
    try {
      return await this.disk.realpath(path);
    } catch (error) {
      throw isNotThere(error) ? gone(error) : diskError(error, path);
    }
  }

  /** Creating a link never replaces a file. A file system without links only allows a check right before the rename. */
  async #moveInto(temporary: string, path: string): Promise<void> {
    try {
      await this.disk.link(temporary, path);
    } catch (error) {
      if (!linksNothing.has(codeOf(error) ?? '')) throw error;
      if (this.disk.lstatSync(path, { throwIfNoEntry: false })) throw changed();
      this.disk.renameSync(temporary, path);
    }
  }

  /**
   * Compares and renames without an `await` in between: what another program wrote while the temporary file was flushed,
   * which takes a NAS its time, is not overwritten.
   */
  #replace(temporary: string, target: string, expect: Etag): void {
    this.#checkIsStill(target, expect);
    this.disk.renameSync(temporary, target);
  }

  #checkIsStill(path: string, expect: Etag): void {
    const stat = this.disk.statSync(path);
    if (!stat.isFile() || isFileTooLarge(stat)) throw changed();
    const bytes = new Uint8Array(this.disk.readFileSync(path));
    if (etagOf(bytes.length, hashBytes(bytes)) !== expect) throw changed();
  }

  /** Removes a file if it still has the ETag `expect`. */
  async remove(path: string, expect: Etag): Promise<void> {
    try {
      this.#checkIsStill(path, expect);
      this.disk.unlinkSync(path);
    } catch (error) {
      if (isNotThere(error)) throw gone(error);
      if (error instanceof RemoteError) throw error;
      const now = await this.read(path).catch(() => null);
      if (now === undefined) return;
      throw codeOf(error) === 'EPERM' ? heldBack(error, path) : diskError(error, path, now === null);
    }
  }

  /**
   * Removes another name of the file at `path`, unless one of the two is a symbolic link: then there is only one file.
   */
  async removeHardLink(other: string, path: string, expect: Etag): Promise<void> {
    const identity = this.#identityAt(other);
    if (identity !== undefined && identity === this.#identityAt(path)) await this.remove(other, expect);
  }

  /** Undefined for a symbolic link. */
  #identityAt(path: string): string | undefined {
    try {
      const stat = this.disk.lstatSync(path);
      return stat.isSymbolicLink() ? undefined : identityOf(stat);
    } catch (error) {
      throw isNotThere(error) ? gone(error) : diskError(error, path);
    }
  }

  /**
   * Renames a file that still has the ETag `expect`, or is a link, to a name that no program reads as a task. Returns
   * this name.
   */
  putAside(path: string, expect: Etag | 'link'): string {
    const aside = join(dirname(path), asideNameOf(basename(path)));
    try {
      if (expect !== 'link') this.#checkIsStill(path, expect);
      else if (!this.disk.lstatSync(path).isSymbolicLink()) throw changed();
      this.disk.renameSync(path, aside);
      return aside;
    } catch (error) {
      if (isNotThere(error)) throw gone(error);
      throw codeOf(error) === 'EPERM' ? heldBack(error, path) : diskError(error, path);
    }
  }

  /** Restores the name of a file, unless another file has it now. If that fails, the file keeps the other name. */
  putBack(aside: string, path: string): void {
    try {
      if (!this.disk.lstatSync(path, { throwIfNoEntry: false })) this.disk.renameSync(aside, path);
    } catch {
      // If the disk fails, the other files may still be put back.
    }
  }

  async removeTemporaries(folder: string, which: (name: string) => boolean): Promise<void> {
    const names = await this.disk.readdir(folder).catch(() => []);
    for (const name of names.filter(which)) await this.disk.unlink(join(folder, name)).catch(() => undefined);
  }

  /** Runs the work on a folder one after the other, so that it sees which file is the last one before it removes it. */
  inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(folder) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(work);
    this.#turns.set(folder, turn);
    return turn;
  }
}

const changed = () => new RemoteError('conflict', syncMessage('taskChanged'), { status: 412 });
const noParent = (cause: unknown) => new RemoteError('noParent', syncMessage('listGoneOnServer'), { cause });
const gone = (cause: unknown) => new RemoteError('gone', syncMessage('taskDeletedOnServer'), { cause });

const atOnce = 32;

/** Runs `work` on a few items at a time; the first failure stops the rest. */
export async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let at = 0;
  const worker = async () => {
    while (at < items.length) await work(items[at++]!);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

/** The content of a file when it was last read, and what its folder listed of it then. */
export interface FileEntry {
  readonly size: number;
  /** 0 if the file may have changed since without a change of its time. */
  readonly mtime: number;
  readonly ctime: number;
  readonly etag: Etag;
  /** The UID of its task, null if it has none; the text of a metadata file. */
  readonly text: string | null;
  /** Set if it does not have the whole task: the occurrence that it has, '' if it has nothing that can be shown. */
  readonly part?: string;
}

/** Remembers files between runs, so that a file is read again only when it changed. Forgetting it costs a reading. */
export interface FileIndex {
  get(href: Href): FileEntry | undefined;
  all(): readonly (readonly [Href, FileEntry])[];
  put(changes: readonly (readonly [Href, FileEntry | undefined])[]): Promise<void>;
}

/** An index that lasts as long as the process. */
export function newFileIndex(entries: Iterable<readonly [Href, FileEntry]> = []): FileIndex {
  const known = new Map(entries);
  return {
    get: href => known.get(href),
    all: () => [...known],
    async put(changes) {
      for (const [href, entry] of changes)
        if (entry) known.set(href, entry);
        else known.delete(href);
    },
  };
}
