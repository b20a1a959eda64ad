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

/**
 * Opens a file in an editor and waits until it ends; resolves to how it failed, if it did. This is the only program that
 * the command line starts. The name may have arguments (`code --wait`), so a shell reads it, as with POSIX's own commands.
 */
async function openEditor(editor: string, file: string): Promise<string | undefined> {
  const { spawn } = await import('node:child_process');
  // The key that interrupts a program is the editor's.
  const stay = () => undefined;
  process.on('SIGINT', stay);
  try {
    return await new Promise<string | undefined>(resolve => {
      const child =
        process.platform === 'win32'
          ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
          : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
      child.on('error', ({ message }) => resolve(message));
      child.on('close', (code, signal) =>
        resolve(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`),
      );
    });
  } finally {
    process.off('SIGINT', stay);
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
  openEditor,
  ended: () =>
    new Promise(end => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end());
    }),
};
