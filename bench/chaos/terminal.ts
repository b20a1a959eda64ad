import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** Titles of what the command line adds begin so. */
export const titleByTerminal = 'By the command line';

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** A person at a terminal: one start of the built command line after the other, each of which adds a task. */
export class Terminal {
  /** Titles of the tasks that it said it had added. */
  readonly acknowledged: string[] = [];
  /** What it said when it failed. */
  readonly errors: string[] = [];
  readonly #ended: Promise<void>;
  #child: ChildProcess | undefined;
  #isOver = false;
  #isKilled = false;

  constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {
    this.#ended = this.#work();
  }

  async #work(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const title = `${titleByTerminal} ${this.name}-${turn}`;
      const { code, said } = await this.#start('add', title);
      if (code === 0) this.acknowledged.push(title);
      else if (!this.#isKilled) this.errors.push(said);
      this.#isKilled = false;
    }
  }

  #start(...words: readonly string[]): Promise<Ended> {
    return new Promise(done => {
      const child = spawn(process.execPath, [resolve('dist/cli.cjs'), '--store', this.folder, ...words], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      this.#child = child;
      let said = '';
      child.stderr.on('data', part => {
        said += part;
      });
      child.once('close', code => done({ code, said }));
    });
  }

  /** Kills the command that is running; the next one starts. Says whether one was. */
  kill(): boolean {
    if (this.#child?.exitCode !== null || this.#isOver) return false;
    this.#isKilled = true;
    return this.#child.kill('SIGKILL');
  }

  /** Lets the command that is running come to its end, and starts none after it. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }
}
