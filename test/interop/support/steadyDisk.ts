import crypto from 'node:crypto';
import {
  accessSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskFiles, type Files } from '../../../src/store/journal/files';
import { type Disk, hashBytes } from '../../../src/sync/folder/folderDisk';

/**
 * The computer's disk without waiting and with times of its own, so that what a run does hangs on its seed alone: operations end in
 * the order in which they begin, however busy the disk is, and a file is as old as the number of operations since it was first seen.
 */
export class SteadyDisk {
  #now = Date.UTC(2026, 10, 21, 9);
  readonly #seen = new Map<string, number>();
  /** By folder, how often something in it was changed by way of this disk. */
  readonly #changes = new Map<string, number>();

  /** The folders as they are on the computer, which names them for each run, by the addresses that they have on this disk. */
  constructor(private readonly folders: readonly { readonly url: string; readonly path: string }[]) {}

  #actual = (path: string): string => {
    const folder = this.folders.find(({ url }) => `${path}/`.startsWith(fileURLToPath(url)));
    return folder ? folder.path + path.slice(fileURLToPath(folder.url).length - 1) : path;
  };

  #named = (path: string): string => {
    const folder = this.folders.find(one => path.startsWith(one.path));
    return folder ? fileURLToPath(folder.url).slice(0, -1) + path.slice(folder.path.length) : path;
  };

  #changed(path: string): void {
    this.#changes.set(dirname(path), (this.#changes.get(dirname(path)) ?? 0) + 1);
  }

  /** The content at a path, in words that change with it. */
  #versionOf(path: string, stat: Stats): string {
    const which = `${stat.dev}/${stat.ino}/`;
    if (stat.isSymbolicLink()) return which + readlinkSync(path);
    if (!stat.isDirectory()) return which + hashBytes(new Uint8Array(readFileSync(path)));
    const entries = readdirSync(path).map(name => `${name}/${lstatSync(`${path}/${name}`).ino}`);
    return [which, this.#changes.get(path.replace(/\/$/, '')), stat.mtimeMs, ...entries.sort()].join(' ');
  }

  /** Every other version is from long ago when it is first seen, the rest from that moment. No two are from the same time. */
  #timed(path: string, stat: Stats): Stats {
    this.#now++;
    const version = this.#versionOf(path, stat);
    const age = this.#seen.size % 2 === 0 ? 0 : 60_000;
    const time = this.#seen.get(version) ?? this.#now - age + 0.25;
    this.#seen.set(version, time);
    return Object.assign(stat, { mtimeMs: time, ctimeMs: time });
  }

  #stat = (name: string): Stats => {
    const path = this.#actual(name);
    return this.#timed(path, statSync(path));
  };

  #lstat = (name: string, options?: { readonly throwIfNoEntry: false }): Stats | undefined => {
    const path = this.#actual(name);
    const stat = lstatSync(path, { throwIfNoEntry: options?.throwIfNoEntry ?? true });
    return stat && this.#timed(path, stat);
  };

  #changing =
    (work: (path: string, to: string) => void) =>
    (...names: readonly [string, string?]): void => {
      const [path, to = path] = names.map(name => this.#actual(name!)) as [string, string?];
      work(path, to);
      for (const one of [path, to]) this.#changed(one);
    };

  #open = async (name: string, flags: string, mode: number) => {
    const path = this.#actual(name);
    const fd = openSync(path, flags, mode);
    this.#changed(path);
    return {
      writeFile: async (bytes: Uint8Array) => writeFileSync(fd, bytes),
      chmod: async () => {},
      sync: async () => {},
      close: async () => closeSync(fd),
    };
  };

  readonly disk = {
    now: () => this.#now,
    readdir: async (path: string, options?: { readonly withFileTypes: true }) => {
      const entries = readdirSync(this.#actual(path), { withFileTypes: true }).sort((a, b) =>
        a.name < b.name ? -1 : 1,
      );
      return options ? entries : entries.map(({ name }) => name);
    },
    stat: async (path: string) => this.#stat(path),
    lstat: async (path: string) => this.#lstat(path),
    readFile: async (path: string) => readFileSync(this.#actual(path)),
    realpath: async (path: string) => this.#named(realpathSync(this.#actual(path))),
    open: this.#open,
    link: async (path: string, to: string) => this.#changing(linkSync)(path, to),
    unlink: async (path: string) => this.#changing(unlinkSync)(path),
    mkdir: async (path: string) => this.#changing(made => mkdirSync(made))(path),
    rmdir: async (path: string) => this.#changing(gone => rmdirSync(gone))(path),
    access: async (path: string, mode: number) => accessSync(this.#actual(path), mode),
    statSync: this.#stat,
    lstatSync: this.#lstat,
    readFileSync: (path: string) => readFileSync(this.#actual(path)),
    renameSync: this.#changing(renameSync),
    unlinkSync: this.#changing(unlinkSync),
  } as unknown as Disk;
}

/** The store's files without waiting for the disk. Nothing else is at them. */
export const steadyFiles: Files = {
  ...diskFiles,
  openJournal: (path, mode) => ({ ...diskFiles.openJournal(path, mode), sync: async () => {} }),
  read: async path => new Uint8Array(readFileSync(path)),
  writeWhole: async (path, bytes, mode = 0o600) => writeFileSync(path, bytes, { mode }),
  rename: async (from, to) => renameSync(from, to),
  remove: async path => {
    rmSync(path, { force: true });
    return true;
  },
  syncFolder: async () => {},
  watch: () => ({ dispose: () => {} }),
};

/** During `work`, UIDs are drawn from `random`: files are named after them, and names are in an order. */
export async function withUidsFrom<T>(random: () => number, work: () => Promise<T>): Promise<T> {
  const { randomUUID } = crypto;
  const digits = (count: number) =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  crypto.randomUUID = () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
  try {
    return await work();
  } finally {
    crypto.randomUUID = randomUUID;
  }
}
