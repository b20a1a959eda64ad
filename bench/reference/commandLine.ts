import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The built command line. */
export const program = resolve('dist/cli.cjs');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** One start of the command line on a store. */
export function startProgram(store: string, ...words: readonly string[]): { child: ChildProcess; end: Promise<Ended> } {
  const child = spawn(process.execPath, [program, ...words, '--store', store], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  for (const [name, stream] of [['out', child.stdout] as const, ['err', child.stderr] as const])
    stream.on('data', part => {
      said[name] += part;
    });
  const end = new Promise<Ended>(done => child.once('close', code => done({ code, ...said })));
  return { child, end };
}
