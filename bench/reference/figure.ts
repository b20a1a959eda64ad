import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One measured figure. */
export interface Figure {
  readonly name: string;
  /** To the reference in the same run, unless the name has another unit; NaN if it could not be measured here. */
  readonly ratio: number;
  /** The upper limit; absent if the figure only informs. */
  readonly goal?: number;
  readonly detail?: string;
}

export type Report = (figure: Figure) => void;

type Verdict = 'ok' | 'MISSED' | 'not measured' | '';

export function verdictOf({ ratio, goal }: Figure): Verdict {
  if (Number.isNaN(ratio)) return 'not measured';
  if (goal === undefined) return '';
  return ratio <= goal ? 'ok' : 'MISSED';
}

export const ratioText = ({ ratio }: Figure): string =>
  Number.isNaN(ratio) ? '–' : ratio.toFixed(ratio < 0.1 ? 4 : 2);

/** A figure of one thing to another in the same run, in milliseconds; the other is no number if it is not installed. */
export function compared(name: string, own: number, other = Number.NaN, goal?: number, note?: string): Figure {
  const times = Number.isNaN(other) ? `${ms(own)}; the other is not installed` : `${ms(own)} to ${ms(other)}`;
  return { name, ratio: own / other, goal, detail: note ? `${times}; ${note}` : times };
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

/** A figure of several values of its own: their median, and how far they are apart. */
export const ofSeveral = (name: string, values: readonly number[], goal?: number, note?: string): Figure => ({
  name,
  ratio: median(values),
  goal,
  detail: `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}${note ? `, ${note}` : ''}`,
});

type Work = (round: number) => unknown;

/**
 * Median milliseconds of each kind of work, all in turns and in another order every time, so that each finds the machine as
 * busy as the others do. Work that measures itself returns its milliseconds. The first round warms up and does not count.
 * Work that is undefined has no number.
 */
export async function inTurns<Name extends string>(
  turns: number,
  works: Readonly<Record<Name, Work | undefined>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const times = new Map(names.map(name => [name, [] as number[]]));
  for (let round = 0; round <= turns; round++)
    for (let at = 0; at < names.length; at++) {
      const name = names[(at + round) % names.length]!;
      const start = performance.now();
      const own = await works[name]?.(round);
      const took = typeof own === 'number' ? own : performance.now() - start;
      if (round > 0 && works[name]) times.get(name)!.push(took);
    }
  return Object.fromEntries(names.map(name => [name, median(times.get(name)!) ?? Number.NaN])) as Record<Name, number>;
}

/** The median milliseconds of one kind of work alone. */
export const timed = async (turns: number, work: Work): Promise<number> => (await inTurns(turns, { work })).work;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The milliseconds of one piece of work. */
export async function took(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Work with a temporary folder. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
