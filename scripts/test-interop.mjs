// Syncs with real CalDAV servers, which the tests start themselves: `node scripts/test-interop.mjs [mocha options]`
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { resultsFile, root } from './paths.mjs';
import { isGood, readResults } from './results.mjs';
import { needPrograms } from './system.mjs';

const results = resultsFile('interop');
rmSync(results, { force: true });
if (!existsSync('out/test/interop')) {
  console.log('There are no interop tests.');
  process.exit(0);
}
needPrograms('radicale', 'xandikos');
const options = ['--no-config', '--timeout', '120000', '--exit', '--reporter', 'scripts/reporter.cjs'];
const args = ['node_modules/mocha/bin/mocha.js', ...options, 'out/test/interop/**/*.test.js', ...process.argv.slice(2)];
spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, TEST_RESULTS: results }, stdio: 'inherit' });
process.exit(isGood(readResults(results)) ? 0 : 1);
