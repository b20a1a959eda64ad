/** In [0, 1), the same row of numbers at every run of a seed (Mulberry32). */
export const newRandom = (seed: number) => {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let t = Math.imul(at ^ (at >>> 15), 1 | at);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The seed of random edits: `DUELINE_SEED=7` draws others. */
export const seedOr = (usual: number): number => Number(process.env.DUELINE_SEED) || usual;

export const isSeedGiven = !!process.env.DUELINE_FAULT_SEED;

/** A seed of a failing run repeats it: `DUELINE_FAULT_SEED=7 npm run test:interop`. */
export const seedsOr = (usual: readonly number[]): readonly number[] =>
  process.env.DUELINE_FAULT_SEED ? process.env.DUELINE_FAULT_SEED.split(',').map(Number) : usual;
