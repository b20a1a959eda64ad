/** One measured figure. */
export interface Figure {
  readonly name: string;
  /** To the reference in the same run, unless the name tells another unit; NaN where it could not be measured here. */
  readonly ratio: number;
  /** What it may be at most; absent where the figure only informs. */
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

/** The median time of `work` in milliseconds, without its first `warmUp` rounds. */
export function timed(rounds: number, work: () => unknown, warmUp = 0): number {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return median(times.slice(warmUp));
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
