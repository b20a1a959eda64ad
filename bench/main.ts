import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One measured figure: a ratio to its reference in the same run; no goal where it only informs. */
interface Figure {
  readonly name: string;
  readonly ratio: number;
  readonly goal?: number;
  readonly detail?: string;
}

interface Part {
  run(report: (figure: Figure) => void): Promise<void>;
}

/** `npm run bench -- store core`: every part whose name begins with one of the words; all of them without a word. */
async function main(words: readonly string[]): Promise<void> {
  const parts = readdirSync(__dirname)
    .filter(name => name.endsWith('.js') && name !== 'main.js')
    .filter(name => words.length === 0 || words.some(word => name.startsWith(word)));
  if (parts.length === 0) throw new Error(`There is no part ${words.join(', ')}.`);
  let missed = 0;
  for (const name of parts.sort()) {
    console.log(`\n${name.replace('.js', '')}`);
    const { run } = require(join(__dirname, name)) as Part;
    await run(({ name, ratio, goal, detail = '' }) => {
      const isMissed = goal !== undefined && !(ratio <= goal);
      if (isMissed) missed++;
      const verdict = goal === undefined ? '' : `${isMissed ? 'MISSED' : 'ok'} (goal ≤ ${goal})`;
      const shown = Number.isNaN(ratio) ? '–' : ratio.toFixed(ratio < 0.1 ? 4 : 2);
      console.log(`  ${name.padEnd(64)} ${shown.padStart(8)}  ${verdict.padEnd(20)} ${detail}`);
    });
  }
  console.log(missed === 0 ? '\nEvery goal is met.' : `\n${missed} goals are missed.`);
}

main(process.argv.slice(2)).catch(error => {
  console.error(error);
  process.exitCode = 1;
});
