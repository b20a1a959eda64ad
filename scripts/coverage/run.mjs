import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';
import { findProgram } from '../system.mjs';
import { buildApart, builtFolder } from './build.mjs';

export const coverageFolder = join(root, 'out/coverage');
const counts = join(coverageFolder, 'raw');
/** What coverage is asked of: each with everything below it. */
export const rooms = ['core', 'store', 'sync'];

/**
 * Runs the unit tests, and the interop tests where both servers are installed, and writes what was reached of the rooms
 * to `coverage-final.json`, in Istanbul's format.
 * @returns {Promise<{good: boolean, suites: string[]}>} good where every test passed
 */
export async function runCovered() {
  rmSync(coverageFolder, { recursive: true, force: true });
  // Some tests start the engine, or a process that the tests bring along, as programs of their own.
  for (const part of [[], ['--tests']]) execFileSync(process.execPath, ['esbuild.js', ...part], { cwd: root });
  await buildApart();
  const every = requireEveryFile();
  const withServers = findProgram('radicale') !== undefined && findProgram('xandikos') !== undefined;
  const suites = ['unit', ...(withServers ? ['interop'] : [])];
  const good = suites.map(suite =>
    mocha(every, suite === 'unit' ? '{core,store,sync,engine,shared,media,views,code}' : suite),
  );
  report();
  return { good: good.every(Boolean), suites };
}

/** A file that no test loads counts as not reached, rather than not at all. */
function requireEveryFile() {
  const scripts = rooms
    .flatMap(room =>
      readdirSync(join(builtFolder, 'src', room), { recursive: true, encoding: 'utf8' }).map(name => join(room, name)),
    )
    .filter(name => name.endsWith('.js') && !name.endsWith('.worker.js'));
  const file = join(builtFolder, 'every.cjs');
  writeFileSync(file, scripts.map(name => `require(${JSON.stringify(join(builtFolder, 'src', name))});\n`).join(''));
  return file;
}

/** @param {string} every @param {string} folders */
function mocha(every, folders) {
  const options = ['--no-config', '--require', './test/seed.cjs', '--require', every, '--timeout', '120000', '--exit'];
  const tests = `${builtFolder}/test/${folders}/**/*.test.js`;
  const args = ['node_modules/mocha/bin/mocha.js', ...options, '--reporter', 'dot', tests];
  const env = { ...process.env, NODE_V8_COVERAGE: counts };
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status === 0;
}

function report() {
  const where = ['--temp-directory', counts, '--reports-dir', coverageFolder, '--reporter', 'json'];
  // Bundles that a test loads hold the same sources once more; their counts would not add up.
  const which = ['--exclude', 'none', ...rooms.flatMap(room => ['--include', `out/apart/src/${room}/**`])];
  const args = ['node_modules/c8/bin/c8.js', 'report', ...where, ...which];
  if (spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0) throw new Error('No report.');
}
