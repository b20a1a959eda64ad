// How much of core, store and sync the unit and interop tests reach, by c8: `node scripts/coverage.mjs [--last] [text]`. The
// folders of `out/coverage` have the lines that no test takes. `--last` reports the last run again, `text` each file.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './paths.mjs';
import { findProgram } from './system.mjs';

const folder = join(root, 'out/coverage');
const counts = join(folder, 'raw');
/** The rooms that coverage is reported of, each with everything below it. */
const rooms = ['core', 'store', 'sync'];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { last: { type: 'boolean' } } });
const isGood = values.last || (await run());
for (const room of positionals.length > 0 ? [rooms.join(',')] : rooms) {
  console.log(`\n${room}`);
  const what = room.split(',').flatMap(name => ['--include', `out/src/${name}/**`]);
  const reporters = ['html', positionals[0] ?? 'text-summary'].flatMap(name => ['--reporter', name]);
  const where = ['--temp-directory', counts, '--reports-dir', join(folder, room.replaceAll(',', '-'))];
  // Bundles that a test loads hold the same sources once more, whose counts would not add up.
  spawnSync('node_modules/.bin/c8', ['report', ...where, ...reporters, '--exclude', 'none', ...what], {
    cwd: root,
    stdio: 'inherit',
  });
}
process.exit(isGood ? 0 : 1);

/** @returns {Promise<boolean>} true if every test passed */
async function run() {
  rmSync(folder, { recursive: true, force: true });
  // Some tests start the engine, or a process that the tests bring along, as programs of their own.
  for (const part of [[], ['--tests', '--maps']])
    execFileSync(process.execPath, ['esbuild.js', ...part], { cwd: root });
  const hasServers = findProgram('radicale') !== undefined && findProgram('xandikos') !== undefined;
  const suites = ['{core,store,sync,engine,shared,media,views,code}', ...(hasServers ? ['interop'] : [])];
  return suites.map(mocha).every(Boolean);
}

/** @param {string} folders */
function mocha(folders) {
  const options = ['--no-config', '--require', './test/seed.cjs', '--require', requireEveryFile()];
  const tests = `out/test/${folders}/**/*.test.js`;
  const args = [
    'node_modules/mocha/bin/mocha.js',
    ...options,
    '--timeout',
    '120000',
    '--exit',
    '--reporter',
    'dot',
    tests,
  ];
  const env = { ...process.env, NODE_V8_COVERAGE: counts };
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status === 0;
}

/** A file that no test loads counts as not reached, rather than not at all. */
function requireEveryFile() {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'every.cjs');
  const scripts = rooms
    .flatMap(room => namesBelow(join(root, 'out/src', room), '.js').map(name => join(root, 'out/src', room, name)))
    .filter(name => !name.endsWith('.worker.js'));
  writeFileSync(file, scripts.map(name => `require(${JSON.stringify(name)});\n`).join(''));
  return file;
}

/** @param {string} path @param {string} end */
const namesBelow = (path, end) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith(end) && !name.endsWith('.d.ts'),
  );
