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

export type Verdict = 'ok' | 'MISSED' | 'not measured' | '';

export function verdictOf({ ratio, goal }: Figure): Verdict {
  if (Number.isNaN(ratio)) return 'not measured';
  if (goal === undefined) return '';
  return ratio <= goal ? 'ok' : 'MISSED';
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
