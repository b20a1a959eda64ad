// Types and style: `npm run check`. Every check runs, even after one that failed.
import { writeFileSync } from 'node:fs';
import { resultsFile } from './paths';
import { node } from './system';

const checks = {
  'types of the extension, the tests and the scripts': ['node_modules/typescript/bin/tsc'],
  'types of the pages': ['node_modules/typescript/bin/tsc', '-p', 'media'],
  'style and format': ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
};

const failed = Object.entries(checks).flatMap(([title, args]) => {
  const isGood = node(...args);
  console.log(`  ${isGood ? 'ok  ' : 'FAIL'} ${title}`);
  return isGood ? [] : title;
});
const tests = Object.keys(checks).length;
const stats = { tests, passes: tests - failed.length, pending: 0, failures: failed.length };
const failures = failed.map(fullTitle => ({ fullTitle, err: { message: 'It failed.' } }));
writeFileSync(resultsFile('check'), JSON.stringify({ stats, failures }, null, 2));
process.exit(failed.length === 0 ? 0 : 1);
