import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../core/kernel/errors';
import { type Clock, systemClock } from '../core/time/clock';

/**
 * A small file names the process that holds what only one may have. Two processes may both believe that they hold it for
 * a moment, since one that was stopped is not heard. So nothing is safe because of a lock: what must happen once is decided
 * by a step of the journal or the sidecar, or by a server's condition.
 */

interface ProcessName {
  readonly pid: number;
  readonly host: string;
}

/** The content of the file. */
interface Holder extends ProcessName {
  readonly token: string;
  /** The time of the holder's last heartbeat; without it, the time of the file counts. */
  readonly beat?: number;
}

/** The operations of a disk that a lock needs. */
export interface LockFiles {
  readText(path: string): string;
  /** Creates a small file; false if it exists. */
  claim(path: string, text: string): boolean;
  /** Writes a small file in one step: nobody finds it missing or half written. */
  replace(path: string, text: string): void;
  release(path: string): void;
  /** How many milliseconds ago a file was written, negative for a date in the future; undefined if it is missing. */
  ageOf(path: string): number | undefined;
}

export const lockFiles: LockFiles = {
  readText: path => readFileSync(path, 'utf8'),

  claim(path, text) {
    try {
      writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  },

  replace(path, text) {
    const aside = `${path}.${randomUUID()}`;
    try {
      writeFileSync(aside, text, { mode: 0o600 });
      renameSync(aside, path);
    } catch (error) {
      rmSync(aside, { force: true });
      throw error;
    }
  },

  release(path) {
    const aside = `${path}.${randomUUID()}`;
    renameSync(path, aside);
    unlinkSync(aside);
  },

  ageOf(path) {
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    return written === undefined ? undefined : systemClock.now() - written;
  },
};

export const thisProcess = (): ProcessName => ({ pid: process.pid, host: hostname() });

/**
 * True if the process has ended, as far as this computer knows, or was silent for longer than `maxMs`. Silence is
 * negative if a clock ran ahead: treat such a date as stale.
 */
export const isGone = ({ pid, host }: ProcessName, silentMs: number, maxMs: number): boolean =>
  Math.abs(silentMs) > maxMs || (host === hostname() && !isAlive(pid));

/** Signal 0 reaches a live process; EPERM means that it lives and belongs to someone else. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The holder if the file cannot be read: nobody. */
const nobody: Holder = { pid: 0, host: '', token: '', beat: Number.NEGATIVE_INFINITY };

/** A lock with one holder. A process that cannot get it may continue without it: the lock only saves two windows their retries. */
export class AdvisoryLock {
  readonly #token = randomUUID();
  #failure: unknown;

  constructor(
    private readonly files: LockFiles,
    private readonly path: string,
    /** Milliseconds of silence after which a live holder counts as asleep. */
    private readonly staleMs: number,
    private readonly clock?: Pick<Clock, 'now'>,
  ) {}

  /** True if it is held now; false after `timeoutMs` milliseconds. */
  async take(timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    for (let wait = 1; !this.keep(); wait = Math.min(wait * 2, 20)) {
      if (performance.now() > end) return false;
      await pause(wait * (0.5 + Math.random()));
    }
    return true;
  }

  /**
   * Takes the lock if it is free, and renews it if this process holds it; `eagerly` takes it from a living holder, too.
   * True if it is held now.
   */
  keep(eagerly = false): boolean {
    this.#failure = undefined;
    const holder = this.#holder();
    if (holder === undefined) return this.#attempt(() => this.files.claim(this.path, this.#text)) || this.isHeld;
    if (holder.token !== this.#token && !eagerly && !this.#isFree(holder)) return false;
    return this.#attempt(() => this.files.replace(this.path, this.#text));
  }

  /** Why the last {@link keep} could not read or write the file; undefined if it could, or another process holds the lock. */
  get failure(): unknown {
    return this.#failure;
  }

  get isHeld(): boolean {
    return this.#holder()?.token === this.#token;
  }

  /** Lets go, unless another process has taken it meanwhile. */
  release(): void {
    if (this.isHeld) this.#attempt(() => this.files.release(this.path));
  }

  #isFree(holder: Holder): boolean {
    const silentMs =
      holder.beat === undefined ? this.files.ageOf(this.path) : (this.clock ?? systemClock).now() - holder.beat;
    return isGone(holder, silentMs ?? 0, this.staleMs);
  }

  get #text(): string {
    return JSON.stringify({ ...thisProcess(), token: this.#token, beat: this.clock?.now() } satisfies Holder);
  }

  /** The holder; undefined if there is no readable file. */
  #holder(): Holder | undefined {
    let text: string;
    try {
      text = this.files.readText(this.path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#failure = error;
      return undefined;
    }
    try {
      const holder = JSON.parse(text) as Partial<Holder> | null;
      if (typeof holder?.token === 'string') return holder as Holder;
    } catch {}
    return nobody;
  }

  #attempt(action: () => unknown): boolean {
    try {
      return action() !== false;
    } catch (error) {
      this.#failure = error;
      return false;
    }
  }
}

/** How often a holder should call {@link Lease.keep}, in milliseconds. */
export const leaseBeatMs = 10_000;

/** A lock that is held for long: its holder renews it every ten seconds, and loses it after a minute of silence. */
export class Lease extends AdvisoryLock {
  /**
   * `name` is what the lease is for, `reminders` for example; the file is `<name>.lease` in the folder, which exists.
   */
  constructor(folder: string, name: string, clock: Pick<Clock, 'now'>) {
    super(lockFiles, join(folder, `${name}.lease`), 60_000, clock);
  }
}
