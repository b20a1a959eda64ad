import { parseArgs } from 'node:util';
import { forgetPackages } from '../../scripts/package/once.mjs';
import { newRandom } from '../../test/interop/support/random';
import { verdictOf } from '../reference/figure';
import { Soak } from './soak';

/** `npm run soak -- --minutes 30 --seed 7`: two windows and a server in random use; what must hold, holds at the end. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
  const minutes = Number(values.minutes ?? 5);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
  console.log(`${minutes} minutes, seed ${seed}`);
  // A package that an earlier run left would be installed in place of this code.
  forgetPackages();
  const soak = await Soak.start(newRandom(seed));
  try {
    await soak.run(minutes);
    const result = await soak.end();
    for (const { name, first, second, ratio, goal } of result.memory)
      console.log(
        `  ${name.padEnd(40)} ${ratio.toFixed(2)} ${verdictOf({ name, ratio, goal }).padEnd(8)} ${first.toFixed(1)} → ${second.toFixed(1)}`,
      );
    console.log(result.acts);
    for (const warning of result.warnings) console.log(`Warned: ${warning}`);
    for (const problem of result.problems) console.log(problem);
    console.log(result.problems.length === 0 ? 'Nothing was wrong.' : `${result.problems.length} problems`);
    if (result.problems.length > 0) process.exitCode = 1;
  } finally {
    await soak.close();
  }
}

main().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
