import { dirname, join, relative, sep } from 'node:path';
import { crc32 } from '../../../src/store/journal/crc32';
import type { Files, JournalFile } from '../../../src/store/journal/files';

class Denied extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** The content that a reader of one file finds, and the part of it that would survive a loss of power. */
interface Content {
  seen: Uint8Array;
  durable: Uint8Array;
}

/**
 * A disk in memory that keeps what was not synced apart: bytes until the file is synced, names until their folder is.
 * It can also be told to take only a part of a write, to fail a sync, or to stop for good after some steps.
 */
export class MemoryFiles implements Files {
  readonly #files = new Map<string, Content>();
  readonly #durableNames = new Map<string, Content>();
  /** Steps that change something, until everything fails: a crash. */
  stepsLeft = Number.POSITIVE_INFINITY;
  steps = 0;
  /** How many bytes of the next append the disk takes before it is full; below 0, how many of them it does not take. */
  room = Number.POSITIVE_INFINITY;
  failSync = false;

  /** The disk after a loss of power. */
  afterPowerLoss(): MemoryFiles {
    const disk = new MemoryFiles();
    for (const [path, { durable }] of this.#durableNames) disk.#put(path, durable.slice(), durable.slice());
    return disk;
  }

  /** The disk after the process died: what was written stays. */
  afterCrash(): MemoryFiles {
    const disk = new MemoryFiles();
    for (const [path, { seen }] of this.#files) disk.#put(path, seen.slice(), seen.slice());
    return disk;
  }

  #put(path: string, seen: Uint8Array, durable: Uint8Array): void {
    const content = { seen, durable };
    this.#files.set(path, content);
    this.#durableNames.set(path, content);
  }

  #step(): void {
    this.steps++;
    if (--this.stepsLeft < 0) throw new Denied('ECRASH');
  }

  #content(path: string): Content {
    if (this.stepsLeft < 0) throw new Denied('ECRASH');
    const content = this.#files.get(path);
    if (!content) throw new Denied('ENOENT');
    return content;
  }

  makeFolder(): void {}

  list(folder: string): string[] {
    const below = [...this.#files.keys()].filter(path => path.startsWith(folder + sep));
    return [...new Set(below.map(path => relative(folder, path).split(sep)[0]!))];
  }

  openJournal(path: string, mode: 'append' | 'create' | 'fresh' | 'read'): JournalFile {
    const exists = this.#files.has(path);
    if (exists && mode === 'fresh') throw new Denied('EEXIST');
    if (!exists && (mode === 'append' || mode === 'read')) throw new Denied('ENOENT');
    if (!exists) {
      this.#step();
      this.#files.set(path, { seen: new Uint8Array(), durable: new Uint8Array() });
    }
    const content = this.#content(path);
    return {
      size: () => content.seen.length,
      read: (from, length) => content.seen.slice(from, from + length),
      append: bytes => {
        this.#step();
        const taken = bytes.subarray(0, this.room);
        const longer = new Uint8Array(content.seen.length + taken.length);
        longer.set(content.seen);
        longer.set(taken, content.seen.length);
        content.seen = longer;
        return taken.length;
      },
      sync: async () => {
        this.#step();
        if (this.failSync) throw new Denied('EIO');
        content.durable = content.seen;
      },
      close: () => {},
      isGone: () => this.#files.get(path) !== content,
    };
  }

  async read(path: string): Promise<Uint8Array> {
    return this.#content(path).seen.slice();
  }

  readText(path: string): string {
    return Buffer.from(this.#content(path).seen).toString();
  }

  async writeWhole(path: string, bytes: Uint8Array): Promise<void> {
    this.#step();
    const content = { seen: bytes.slice(), durable: bytes.slice() };
    this.#files.set(`${path}.tmp`, content);
    this.#step();
    this.#files.delete(`${path}.tmp`);
    this.#files.set(path, content);
    await this.syncFolder(dirname(path));
  }

  async rename(from: string, to: string): Promise<void> {
    this.#step();
    const content = this.#content(from);
    this.#files.delete(from);
    this.#files.set(to, content);
  }

  async remove(path: string): Promise<boolean> {
    this.#step();
    return this.#files.delete(path);
  }

  async syncFolder(folder: string): Promise<void> {
    this.#step();
    const inside = (path: string) => dirname(path) === folder;
    for (const path of [...this.#durableNames.keys()].filter(inside)) this.#durableNames.delete(path);
    for (const [path, content] of this.#files) if (inside(path)) this.#durableNames.set(path, content);
  }

  claim(path: string, text: string): boolean {
    if (this.#files.has(path)) return false;
    this.#step();
    this.#files.set(path, { seen: new TextEncoder().encode(text), durable: new Uint8Array() });
    return true;
  }

  replace(path: string, text: string): void {
    this.#step();
    this.#files.set(path, { seen: new TextEncoder().encode(text), durable: new Uint8Array() });
  }

  release(path: string): void {
    this.#step();
    this.#files.delete(path);
  }

  ageOf(path: string): number | undefined {
    return this.#files.has(path) ? 0 : undefined;
  }

  sizeOf(path: string): number {
    return this.#files.get(path)?.seen.length ?? 0;
  }

  watch() {
    return { dispose() {} };
  }

  /** Every file's name and checksum: to see that nothing was changed. */
  fingerprint(): string {
    return [...this.#files]
      .map(([path, { seen }]) => `${join(path)} ${crc32(seen)}`)
      .sort()
      .join('\n');
  }
}
