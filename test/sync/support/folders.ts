import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FolderAccount } from '../../../src/sync/folder/folderAccount';
import { type Disk, newFileIndex, realDisk } from '../../../src/sync/folder/folderDisk';

/** A folder on the disk, as the user or a program has it. */
export class AFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'dueline-folder-'));
  readonly url: string;

  /** `url`: another address than its own, under which a disk of the test has it. */
  constructor(url?: string) {
    this.url = url ?? `${pathToFileURL(this.path).href}/`;
  }

  /** Without a server, there is no one to be. */
  readonly username = '';
  readonly password = '';

  addList(name: string): string {
    const path = join(this.path, name);
    mkdirSync(path);
    return path;
  }

  /** Writes a file like another program, some time ago: nothing in the folder is from this moment. */
  put(file: string, text: string, ageMs = 60_000): void {
    const path = join(this.path, file);
    writeFileSync(path, text);
    const time = statSync(path).mtimeMs / 1000 - ageMs / 1000;
    utimesSync(path, time, time + 0.0005);
  }

  /** The lists as another program on it sees them, by address. */
  get lists() {
    const names = readdirSync(this.path, { withFileTypes: true }).flatMap(one => (one.isDirectory() ? one.name : []));
    return new Map(names.map(name => [this.#addressOf(name), this.#listOf(name)] as const));
  }

  #addressOf = (name: string) => `${this.url}${encodeURIComponent(name)}/`;

  #listOf(name: string) {
    const path = this.#addressOf(name);
    const fileOf = (file: string) => join(this.path, name, decodeURIComponent(file.replace(path, '')));
    // A link may lead nowhere.
    const isThere = (one: string) => existsSync(join(this.path, name, one));
    const files = readdirSync(join(this.path, name)).filter(one => /^[^.].*\.ics$/.test(one) && isThere(one));
    const items = new Map(
      files.map(one => [path + encodeURIComponent(one), { text: readFileSync(fileOf(one), 'utf8') }]),
    );
    const put = (file: string, text: string) => writeFileSync(fileOf(file), text);
    const remove = (file: string) => rmSync(fileOf(file), { force: true });
    return { path, name, items, put, remove };
  }

  connect = (using?: Disk): FolderAccount =>
    new FolderAccount({ root: this.url, index: newFileIndex(), hasLists: false, timeoutMs: 10_000, disk: using });

  stop = async (): Promise<void> => rmSync(this.path, { recursive: true, force: true });
}

/** By the name of the kind that waits: the synchronous one of the same name counts as the same. */
export type Operation = (typeof awaited)[number] | (typeof synchronous)[number];

const awaited = [
  'readdir',
  'stat',
  'lstat',
  'readFile',
  'open',
  'link',
  'unlink',
  'mkdir',
  'rmdir',
  'access',
  'realpath',
] as const;

const synchronous = ['lstat', 'stat', 'readFile', 'rename', 'unlink'] as const;

const syncOf = (name: (typeof synchronous)[number]) => `${name}Sync` as const;

/** The real disk, with a say before and after each operation: what it throws is what the disk answers. */
export function diskWith(
  hook: (operation: Operation, when: 'before' | 'after', path: string) => void,
  on: Disk = realDisk,
): Disk {
  const waiting = awaited.map(name => [
    name,
    async (...args: unknown[]) => {
      hook(name, 'before', String(args[0]));
      const result = await (on[name] as (...all: unknown[]) => Promise<unknown>)(...args);
      try {
        hook(name, 'after', String(args[0]));
      } catch (error) {
        // Nobody else gets to close what was opened.
        if (name === 'open') await (result as FileHandle).close();
        throw error;
      }
      return result;
    },
  ]);
  const atOnce = synchronous.map(name => [
    syncOf(name),
    (...args: unknown[]) => {
      hook(name, 'before', String(args[0]));
      const result = (on[syncOf(name)] as (...all: unknown[]) => unknown)(...args);
      hook(name, 'after', String(args[0]));
      return result;
    },
  ]);
  return { ...Object.fromEntries([...waiting, ...atOnce]), now: on.now } as Disk;
}

/** A disk that takes each path for another one. */
const diskWhere = (actual: (path: string) => string): Disk =>
  ({
    ...realDisk,
    ...Object.fromEntries(
      [...awaited, ...synchronous.map(syncOf)].map(name => [
        name,
        (...args: unknown[]) => {
          const there = args.map(one => (typeof one === 'string' && one.startsWith('/') ? actual(one) : one));
          return (realDisk[name] as (...all: unknown[]) => unknown)(...there);
        },
      ]),
    ),
  }) as Disk;

/** A disk as Windows and macOS have it: a file or folder answers to its name in any case. */
export function caselessDisk(): Disk {
  const actual = (path: string): string => {
    if (existsSync(path)) return path;
    const [folder, name] = [actual(dirname(path)), basename(path)];
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return join(folder, names.find(one => one.toLowerCase() === name.toLowerCase()) ?? name);
  };
  return diskWhere(actual);
}

/** A disk as HFS+ has it: names are given out with letters and their marks apart, and answer to both. */
export const decomposingDisk = (): Disk => diskWhere(path => path.normalize('NFD'));

export const fault = (code: string): Error => Object.assign(new Error(`${code}: a fault of the disk`), { code });
