import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  fsync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
  watch,
  writeSync,
} from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf, messageOf } from '../../core/kernel/errors';
import type { Disposable } from '../../core/kernel/events';
import type { Message } from '../../core/kernel/message';
import { type LockFiles, lockFiles } from '../../process/lease';
import { bytesOf } from '../bytes';
import { storeMessage } from '../messages';
import { randomId } from './fileNames';

/** An open journal. */
export interface JournalFile {
  /** Bytes in the file now, from any window. */
  size(): number;
  read(from: number, length: number): Uint8Array;
  /** One write at the end of the file; returns how many bytes the system took. */
  append(bytes: Uint8Array): number;
  /** Resolves once everything written is on the disk. */
  sync(): Promise<void>;
  close(): void;
  /** True if no name leads to the file any more, so that writes to it are lost. */
  isGone(): boolean;
}

/**
 * All operations that the store needs of a disk, so that tests can pass one that fails. The journal is written and read
 * synchronously (a few hundred bytes in the page cache); only waiting for the disk is not.
 */
export interface Files extends LockFiles {
  /** Makes a folder, and those above it, for this user alone. */
  makeFolder(path: string): void;
  /** Names in a folder; none if it is missing. */
  list(folder: string): string[];
  /** `append` fails if the file is missing, `create` makes it, `fresh` fails if it exists. */
  openJournal(path: string, mode: 'append' | 'create' | 'fresh' | 'read'): JournalFile;
  read(path: string): Promise<Uint8Array>;
  /** Writes a file as a whole or not at all; by default only this user may read it. */
  writeWhole(path: string, bytes: Uint8Array, mode?: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes if it can; what another program holds open is left for a later time. */
  remove(path: string): Promise<boolean>;
  /** Makes names in a folder durable, if the system can. */
  syncFolder(folder: string): Promise<void>;
  /** The size in bytes; 0 if the file is missing. */
  sizeOf(path: string): number;
  /** Calls back at changes in a folder: a hint, which some file systems never send. */
  watch(folder: string, changed: () => void): Disposable;
}

/** The reason why something could not be written. */
export function reasonOf(error: unknown): Message {
  const reasons: Record<string, Message> = {
    ENOSPC: storeMessage('diskFull'),
    EROFS: storeMessage('diskReadOnly'),
    EACCES: storeMessage('notPermitted'),
    EPERM: storeMessage('notPermitted'),
  };
  return reasons[codeOf(error) ?? ''] ?? messageOf(error);
}

/** True if a path is in a folder, whatever links lead there. */
export function isWithin(path: string, folder: string): boolean {
  const real = (at: string) => {
    try {
      return realpathSync.native(at);
    } catch {
      return resolve(at);
    }
  };
  const way = relative(real(folder), real(dirname(path)));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const flags = {
  append: constants.O_RDWR | constants.O_APPEND,
  create: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT,
  fresh: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
  read: constants.O_RDONLY,
};

const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);

/** Bytes that must last were synced before. An error of closing would only hide the one that explains more. */
function close(fd: number): void {
  try {
    closeSync(fd);
  } catch {}
}

export const diskFiles: Files = {
  ...lockFiles,

  makeFolder(path) {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
    } catch (error) {
      // On a read-only disk, Node.js says that the folder above is missing. Making one folder alone names the real reason.
      if (codeOf(error) === 'ENOENT' && existsSync(dirname(path))) mkdirSync(path);
      throw error;
    }
  },

  list(folder) {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  },

  openJournal(path, mode) {
    // 'a+' and 'ax+' reach FILE_APPEND_DATA on Windows, where the numeric flags would not be atomic.
    const windows = { append: 'a+', create: 'a+', fresh: 'ax+', read: 'r' } as const;
    if (process.platform === 'win32' && mode === 'append') statSync(path);
    const fd = openSync(path, process.platform === 'win32' ? windows[mode] : flags[mode], 0o600);
    let isOpen = true;
    let syncing = 0;
    return {
      size: () => fstatSync(fd).size,
      isGone: () => fstatSync(fd).nlink === 0,
      read(from, length) {
        const bytes = new Uint8Array(length);
        let got = 0;
        while (got < length) {
          const more = readSync(fd, bytes, got, length - got, from + got);
          if (more === 0) break;
          got += more;
        }
        return bytes.subarray(0, got);
      },
      append: bytes => writeSync(fd, bytes),
      async sync() {
        syncing++;
        try {
          await syncData(fd);
        } finally {
          syncing--;
          if (!isOpen && syncing === 0) close(fd);
        }
      },
      /** Not under the feet of a sync, whose number another file could get. */
      close() {
        if (isOpen && syncing === 0) close(fd);
        isOpen = false;
      },
    };
  },

  read: async path => bytesOf(await readFile(path)),

  async writeWhole(path, bytes, mode = 0o600) {
    // A name of its own: another window may be writing the same file.
    const unfinished = `${path}.${randomId()}.tmp`;
    try {
      const file = await open(unfinished, 'w', mode);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close().catch(() => {});
      }
      await retryWhileBusy(() => rename(unfinished, path));
    } catch (error) {
      // A full disk would fill further with every try.
      await this.remove(unfinished);
      throw error;
    }
    await this.syncFolder(dirname(path));
  },

  rename: (from, to) => retryWhileBusy(() => rename(from, to)),

  async remove(path) {
    try {
      await rm(path, { force: true });
      return true;
    } catch {
      return false;
    }
  },

  async syncFolder(folder) {
    // Windows cannot sync a folder; its file system orders names itself.
    if (process.platform === 'win32') return;
    const fd = openSync(folder, 'r');
    try {
      await syncAll(fd);
    } catch (error) {
      if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
    } finally {
      close(fd);
    }
  },

  sizeOf: path => statSync(path, { throwIfNoEntry: false })?.size ?? 0,

  watch(folder, changed) {
    const watcher = watch(folder, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return { dispose: () => watcher.close() };
  },
};

/** Virus scanners and indexers hold new files open on Windows for a moment. */
async function retryWhileBusy(action: () => Promise<void>): Promise<void> {
  for (let wait = 20; ; wait *= 2) {
    try {
      return await action();
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '') || wait > 3000) throw error;
      await pause(wait);
    }
  }
}
