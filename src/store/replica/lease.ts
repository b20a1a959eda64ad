import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../core/time/clock';
import { randomId } from '../journal/fileNames';
import { isAlive } from './advisoryLock';

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
  /** When the holder last said that it is there. */
  readonly beat: number;
}

/** How often a holder should call {@link Lease.keep}, in milliseconds. */
export const leaseBeatMs = 10_000;
const staleMs = 60_000;

/**
 * One window among those on a folder leads. The holder says so in a file every ten seconds; after a minute of silence,
 * or at once where its process is gone, another takes over. Two windows may both believe in their lead for a moment:
 * what must happen once is decided by a step of the store or the sidecar, never by this alone.
 */
export class Lease {
  readonly #token = randomId();
  readonly #path: string;
  #trouble: unknown;

  /** `name` says what is led, `reminders` for example; the file is `<name>.lease` in the folder, which exists. */
  constructor(
    folder: string,
    name: string,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.#path = join(folder, `${name}.lease`);
  }

  /**
   * Takes the lead where it is free and keeps it where it is ours; `eagerly` takes it from a living holder too. True
   * where this window leads.
   */
  keep(eagerly = false): boolean {
    this.#trouble = undefined;
    const holder = this.#holder();
    if (holder === undefined) return this.#claim() || this.isHeld;
    if (holder.token !== this.#token && !eagerly && !this.#isGone(holder)) return false;
    return this.#replace();
  }

  /** Why the last {@link keep} could not write; undefined where it did, or another window leads. */
  get trouble(): unknown {
    return this.#trouble;
  }

  get isHeld(): boolean {
    return this.#holder()?.token === this.#token;
  }

  /** Lets another window lead at once. */
  release(): void {
    if (this.isHeld) rmSync(this.#path, { force: true });
  }

  /** A clock that was set back makes a beat of the future: as silent as an old one. */
  #isGone({ pid, host, beat }: Holder): boolean {
    return Math.abs(this.clock.now() - beat) > staleMs || (host === hostname() && !isAlive(pid));
  }

  get #text(): string {
    const holder: Holder = { pid: process.pid, host: hostname(), token: this.#token, beat: this.clock.now() };
    return JSON.stringify(holder);
  }

  #claim(): boolean {
    return this.#attempt(() => writeFileSync(this.#path, this.#text, { flag: 'wx', mode: 0o600 }));
  }

  /** By renaming, so that nobody finds the file missing or half written. */
  #replace(): boolean {
    const aside = `${this.#path}.${this.#token}`;
    const done = this.#attempt(() => {
      writeFileSync(aside, this.#text, { mode: 0o600 });
      renameSync(aside, this.#path);
    });
    if (!done) rmSync(aside, { force: true });
    return done;
  }

  /** Undefined where the file is not there; what cannot be understood is nobody's. */
  #holder(): Holder | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch {
      return undefined;
    }
    try {
      const holder = JSON.parse(text) as Partial<Holder> | null;
      if (typeof holder?.token === 'string' && typeof holder.beat === 'number') return holder as Holder;
    } catch {}
    return { pid: 0, host: '', token: '', beat: Number.NEGATIVE_INFINITY };
  }

  #attempt(action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      this.#trouble = error;
      return false;
    }
  }
}
