import { parseArgs } from 'node:util';

/** Does random work for `--minutes`, from `--seed` or any other; the process fails if the work says that something was wrong. */
export function forMinutes(usual: number, work: (minutes: number, seed: number) => Promise<boolean>): void {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
  const minutes = Number(values.minutes ?? usual);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
  console.log(`${minutes} minutes, seed ${seed}`);
  work(minutes, seed)
    .catch(error => console.error(error))
    .then(isRight => {
      if (!isRight) process.exitCode = 1;
    });
}
