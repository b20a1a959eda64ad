// Syncs with real CalDAV servers, which the tests start themselves, or with one that is named:
// `node scripts/test-interop.mjs [--url URL --user U --password P] [-- mocha options]`. The lists that it makes on a named
// server are deleted again; others are only read.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { resultsFile, root } from './paths.mjs';
import { isGood, readResults } from './results.mjs';
import { needPrograms } from './system.mjs';

const results = resultsFile('interop');
rmSync(results, { force: true });
const { values, positionals: rest } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, user: { type: 'string' }, password: { type: 'string' } },
});
const named = {
  DUELINE_SERVER_URL: values.url,
  DUELINE_SERVER_USER: values.user,
  DUELINE_SERVER_PASSWORD: values.password,
};
if (!named.DUELINE_SERVER_URL) needPrograms('radicale', 'xandikos', 'todoman', 'vdirsyncer');
const options = [
  '--no-config',
  '--require',
  './test/seed.cjs',
  '--timeout',
  '120000',
  '--exit',
  '--reporter',
  'scripts/reporter.cjs',
];
const tests = named.DUELINE_SERVER_URL ? 'out/test/interop/servers.test.js' : 'out/test/interop/**/*.test.js';
const args = ['node_modules/mocha/bin/mocha.js', ...options, tests, ...rest];
spawnSync(process.execPath, args, {
  cwd: root,
  env: { ...process.env, ...named, TEST_RESULTS: results },
  stdio: 'inherit',
});
process.exit(isGood(readResults(results)) ? 0 : 1);
