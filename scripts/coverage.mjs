// How much of core, store and sync the unit and interop tests reach: `node scripts/coverage.mjs [--last] [word ...]`.
// Words name files, whose branches that no test takes are then listed; `--last` reads the last run again.
import { parseArgs } from 'node:util';
import { coverageFolder, rooms, runCovered } from './coverage/run.mjs';
import { percent, readCoverage, sum } from './coverage/sums.mjs';

const { values, positionals: words } = parseArgs({ allowPositionals: true, options: { last: { type: 'boolean' } } });
const run = values.last ? undefined : await runCovered();
const files = readCoverage(coverageFolder);

console.log('            lines  branches');
for (const room of rooms) {
  const own = files.filter(({ file }) => file.startsWith(`src/${room}/`));
  const [lines, branches] = [percent(sum(own, 'lines')), percent(sum(own, 'branches'))];
  console.log(`${room.padEnd(9)}${lines.toFixed(1).padStart(6)} %${branches.toFixed(1).padStart(8)} %`);
}

const missing = (/** @type {import('./coverage/sums.mjs').Reached} */ { branches }) =>
  branches.total - branches.covered;
if (words.length === 0) {
  const weakest = files.toSorted((a, b) => missing(b) - missing(a)).slice(0, 20);
  console.log('\nMost branches that no test takes:');
  for (const file of weakest)
    console.log(`${String(missing(file)).padStart(5)} of ${file.branches.total}  ${file.file}`);
}
for (const { file, unreached } of files.filter(({ file }) => words.some(word => file.includes(word)))) {
  console.log(`\n${file}`);
  for (const branch of unreached) console.log(`  ${branch}`);
}
process.exit(run && !run.good ? 1 : 0);
