import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { processSurroundings } from '../../../src/cli/process';
import { run } from '../../../src/cli/run';
import type { Sink } from '../../../src/cli/surroundings';
import { TestClock } from '../../store/support/store';

/** A Wednesday, so that yesterday and tomorrow are days of work. */
export const clock = new TestClock(Date.UTC(2026, 2, 11, 9, 30));

export interface Start {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** IANA name. */
  readonly timeZone?: string;
  /** The width of the terminal that it is in. */
  readonly columns?: number;
  /** The user types at a terminal. */
  readonly isTyped?: boolean;
}

class Text implements Sink {
  readonly isClosed = false;
  text = '';

  constructor(readonly columns: number | undefined) {}

  write(text: string): void {
    this.text += text;
  }
}

/** One start of the command line in this process: its whole answer, and streams to talk with it before. */
export function aStart(
  args: readonly string[],
  { input = '', env = {}, cwd = '.', timeZone = 'UTC', columns, isTyped = false }: Start = {},
) {
  const [out, err] = [new Text(columns), new Text(columns)];
  const [sent, received] = [new PassThrough(), new PassThrough()];
  const ended = run({
    version: '1.2.3',
    args,
    env,
    clock: new TestClock(clock.time, timeZone),
    path: typed => resolve(cwd, typed),
    input: { isTyped, read: () => new TextEncoder().encode(input) },
    out,
    err,
    streams: () => ({ input: sent, output: received }),
    openEditor: processSurroundings.openEditor,
    ended: () => new Promise(() => undefined),
  });
  const answer = ended.then(code => ({ code, out: out.text, err: err.text }));
  return { answer, sent, received };
}
