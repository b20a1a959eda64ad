import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FolderAccount } from '../../../src/sync/folder/folderAccount';
import { type Disk, realDisk } from '../../../src/sync/folder/folderDisk';
import { newFileIndex } from '../../../src/sync/folder/folderScan';

/** A folder on the disk, as a person or a program has it. */
export class AFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'dueline-folder-'));
  readonly url = `${pathToFileURL(this.path).href}/`;
  /** Without a server, there is no one to be. */
  readonly username = '';
  readonly password = '';

  addList(name: string): string {
    const path = join(this.path, name);
    mkdirSync(path);
    return path;
  }

  /** As another program would write it, some time ago: nothing in the folder is from this moment. */
  put(file: string, text: string, ageMs = 60_000): void {
    const path = join(this.path, file);
    writeFileSync(path, text);
    const time = statSync(path).mtimeMs / 1000 - ageMs / 1000;
    utimesSync(path, time, time + 0.0005);
  }

  connect = (using?: Disk): FolderAccount =>
    new FolderAccount({ root: this.url, index: newFileIndex(), hasLists: false, timeoutMs: 10_000, disk: using });

  stop = async (): Promise<void> => rmSync(this.path, { recursive: true, force: true });
}

export type Operation = Extract<keyof Disk, string>;

/** The real disk, with a say before and after each operation: what it throws is what the disk answers. */
export function diskWith(
  hook: (operation: Operation, when: 'before' | 'after', path: string) => void,
  on: Disk = realDisk,
): Disk {
  const operations = [
    'readdir',
    'stat',
    'readFile',
    'open',
    'rename',
    'link',
    'unlink',
    'mkdir',
    'rmdir',
    'access',
  ] as const;
  const wrapped = operations.map(name => [
    name,
    async (...args: unknown[]) => {
      hook(name, 'before', String(args[0]));
      const result = await (on[name] as (...all: unknown[]) => Promise<unknown>)(...args);
      hook(name, 'after', String(args[0]));
      return result;
    },
  ]);
  return Object.fromEntries(wrapped) as Disk;
}

/** A disk as Windows and macOS have it: a file answers to its name in any case. */
export function caselessDisk(): Disk {
  const actual = (path: string): string => {
    const [folder, name] = [dirname(path), basename(path)];
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return join(folder, names.find(one => one.toLowerCase() === name.toLowerCase()) ?? name);
  };
  const on = (name: 'stat' | 'readFile' | 'open' | 'unlink') => [
    name,
    (path: string, ...more: unknown[]) =>
      (realDisk[name] as (...all: unknown[]) => Promise<unknown>)(actual(path), ...more),
  ];
  const link = (from: string, to: string) => realDisk.link(from, actual(to));
  const wrapped = Object.fromEntries([on('stat'), on('readFile'), on('open'), on('unlink'), ['link', link]]);
  return { ...realDisk, ...wrapped } as Disk;
}

export const fault = (code: string): Error => Object.assign(new Error(`${code}: a fault of the disk`), { code });
