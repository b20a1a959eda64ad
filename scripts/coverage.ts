// How much of core, query, store and sync the unit and interop tests reach, by c8: `npm run coverage`. The pages of
// `out/coverage` have the lines that no test takes.
import { spawnSync } from 'node:child_process';
import { root } from './paths';
import { findProgram } from './system';

const hasServers = findProgram('radicale') && findProgram('xandikos');
const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--require', './test/seed.cjs', '--timeout', '120000'];
const c8 = ['node_modules/c8/bin/c8.js', '--temp-directory', 'out/coverage/raw', '--exclude', 'none'];
// A file that no test loads counts as not reached, rather than not at all.
const all = ['--all', '--src', 'out/src'];

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;

// Some tests start the engine, or a process that the tests bring along, as programs of their own.
const isBuilt = node('esbuild.js') && node('esbuild.js', '--tests', '--maps');
const folders = `core,query,store,sync,engine,shared,media,views,code${hasServers ? ',interop' : ''}`;
const tests = `out/test/{${folders}}/**/*.test.js`;
const isGood = isBuilt && node(...c8, '--reporter', 'none', ...mocha, '--exit', '--reporter', 'dot', tests);
for (const room of ['core', 'query', 'store', 'sync']) {
  console.log(`\n${room}`);
  const where = ['--include', `out/src/${room}/**`, '--reports-dir', `out/coverage/${room}`];
  node(...c8, ...all, ...where, '--reporter', 'html', '--reporter', 'text-summary', 'report');
}
process.exit(isGood ? 0 : 1);
