import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { randomId } from '../journal/fileNames';
import { codeOf, type Files } from '../journal/files';

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

/**
 * A file that says "I am writing", to spare two windows their retries. Nothing depends on it: a window that cannot get it
 * goes on without.
 */
export class AdvisoryLock {
  readonly #token = randomId();

  constructor(
    private readonly files: Files,
    private readonly path: string,
    /** Age in milliseconds from which a live holder is thought asleep. */
    private readonly stale: number,
  ) {}

  /** True where it is ours now; false after `timeoutMs` milliseconds. */
  async take(timeoutMs: number): Promise<boolean> {
    const text = JSON.stringify({ pid: process.pid, host: hostname(), token: this.#token } satisfies Holder);
    const end = performance.now() + timeoutMs;
    for (let wait = 1; ; wait = Math.min(wait * 2, 20)) {
      if (this.#attempt(() => this.files.claim(this.path, text))) return true;
      if (this.#isAbandoned()) this.#attempt(() => this.files.release(this.path));
      else if (performance.now() > end) return false;
      else await pause(wait * (0.5 + Math.random()));
    }
  }

  /** Lets go, unless another window took it meanwhile. */
  release(): void {
    if (this.#holder()?.token === this.#token) this.#attempt(() => this.files.release(this.path));
  }

  #isAbandoned(): boolean {
    const age = this.files.ageOf(this.path);
    if (age === undefined) return false;
    // A lock dated in the future was written by a clock that ran ahead: it says as little as an old one.
    if (Math.abs(age) > this.stale) return true;
    const holder = this.#holder();
    return holder !== undefined && holder.host === hostname() && !isAlive(holder.pid);
  }

  #holder(): Holder | undefined {
    try {
      return JSON.parse(this.files.readText(this.path)) as Holder;
    } catch {
      return undefined;
    }
  }

  #attempt(action: () => unknown): boolean {
    try {
      return action() !== false;
    } catch {
      return false;
    }
  }
}

/** Signal 0 reaches a live process; EPERM says that it lives and belongs to someone else. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
