// Types and style: `npm run check`. Every check runs, even after one that failed.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resultsFile, root } from './paths';

const checks = {
  'types of the extension, the tests and the scripts': ['node_modules/typescript/bin/tsc'],
  'types of the pages': ['node_modules/typescript/bin/tsc', '-p', 'media'],
  'style and format': ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
};

const failures = [];
for (const [title, args] of Object.entries(checks)) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  console.log(`  ${status === 0 ? 'ok  ' : 'FAIL'} ${title}`);
  if (status !== 0) failures.push({ fullTitle: title, err: { message: `exit code ${status}` } });
}
const tests = Object.keys(checks).length;
const stats = { tests, passes: tests - failures.length, pending: 0, failures: failures.length };
writeFileSync(resultsFile('check'), JSON.stringify({ stats, failures }, null, 2));
process.exit(failures.length === 0 ? 0 : 1);
