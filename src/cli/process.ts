import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { systemClock } from '../core/time/clock';
import { codeOfError, pause } from '../programs/cliError';
import { readAll } from './input';
import type { Sink, Surroundings } from './surroundings';

/** Standard output or standard error of this process. */
class Descriptor implements Sink {
  isClosed = false;

  constructor(
    private readonly number: 1 | 2,
    private readonly stream: () => NodeJS.WriteStream,
  ) {}

  get columns(): number | undefined {
    const { isTTY, columns } = this.stream();
    return isTTY ? columns || 80 : undefined;
  }

  write(text: string): void {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length && !this.isClosed; ) {
      try {
        at += writeSync(this.number, bytes, at);
      } catch (error) {
        const code = codeOfError(error);
        if (code === 'EPIPE') this.isClosed = true;
        else if (code === 'EAGAIN') pause();
        else throw error;
      }
    }
  }
}

/** The process that the program runs in. */
export const processSurroundings: Surroundings = {
  version: process.env.DUELINE_VERSION ?? '',
  args: process.argv.slice(2),
  env: process.env,
  path: typed => resolve(typed),
  clock: systemClock,
  input: {
    // Accessing `process.stdin` would stop it from waiting for typed input.
    get isTyped() {
      try {
        const input = fstatSync(0);
        return input.isCharacterDevice() && input.rdev !== statSync(devNull).rdev;
      } catch {
        return false;
      }
    },
    read: () => readAll(0, 'Standard input'),
  },
  out: new Descriptor(1, () => process.stdout),
  err: new Descriptor(2, () => process.stderr),
  streams: () => ({ input: process.stdin, output: process.stdout }),
  ended: () =>
    new Promise(end => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end());
    }),
};
