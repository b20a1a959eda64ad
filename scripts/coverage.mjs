// How much of core, store and sync the unit and interop tests reach, by c8: `node scripts/coverage.mjs [--last] [text]`. The
// folders of `out/coverage` have the lines that no test takes. `--last` reports the last run again, `text` each file.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { root } from './paths.mjs';
import { findProgram } from './system.mjs';

const built = join(root, 'out/apart');
const folder = join(root, 'out/coverage');
const counts = join(folder, 'raw');
/** The rooms that coverage is reported of, each with everything below it. */
const rooms = ['core', 'store', 'sync'];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { last: { type: 'boolean' } } });
const isGood = values.last || (await run());
for (const room of positionals.length > 0 ? [rooms.join(',')] : rooms) {
  console.log(`\n${room}`);
  const what = room.split(',').flatMap(name => ['--include', `out/apart/src/${name}/**`]);
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
  for (const part of [[], ['--tests']]) execFileSync(process.execPath, ['esbuild.js', ...part], { cwd: root });
  await buildApart();
  const hasServers = findProgram('radicale') !== undefined && findProgram('xandikos') !== undefined;
  const suites = ['{core,store,sync,engine,shared,media,views,code}', ...(hasServers ? ['interop'] : [])];
  return suites.map(mocha).every(Boolean);
}

/** @param {string} folders */
function mocha(folders) {
  const options = ['--no-config', '--require', './test/seed.cjs', '--require', requireEveryFile()];
  const tests = `${built}/test/${folders}/**/*.test.js`;
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
  const file = join(built, 'every.cjs');
  const scripts = rooms
    .flatMap(room => namesBelow(join(built, 'src', room), '.js').map(name => join(built, 'src', room, name)))
    .filter(name => !name.endsWith('.worker.js'));
  writeFileSync(file, scripts.map(name => `require(${JSON.stringify(name)});\n`).join(''));
  return file;
}

/** @param {string} path @param {string} end */
const namesBelow = (path, end) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith(end) && !name.endsWith('.d.ts'),
  );

/**
 * Builds the sources that need no editor and the tests so that every file of src is a script of its own, however many tests
 * load it: what V8 counts in one test adds up with what it counts in the next.
 */
async function buildApart() {
  const sources = [
    'core',
    'store',
    'sync',
    'engine',
    'contributions',
    'shared',
    'ui',
    'views',
    'commands',
    'app',
    'code',
  ];
  const tests = ['core', 'store', 'sync', 'engine', 'shared', 'media', 'views', 'code', 'interop'];
  const folders = [...sources.map(name => `src/${name}`), ...tests.map(name => `test/${name}`)];
  /** @type {import('esbuild').Plugin} */
  const apart = {
    name: 'apart',
    setup({ onResolve, resolve: find }) {
      onResolve({ filter: /^[.#]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
        if (kind === 'entry-point' || pluginData === apart) return undefined;
        const found = await find(path, { kind, resolveDir, importer, pluginData: apart });
        const isSource = found.path.startsWith(join(root, 'src/')) && found.path.endsWith('.ts');
        const script = join(built, relative(root, found.path)).replace(/\.ts$/, '.js');
        return isSource ? { path: script, external: true } : undefined;
      });
    },
  };
  await build({
    entryPoints: [
      ...folders.flatMap(name => namesBelow(join(root, name), '.ts').map(file => join(name, file))),
      'src/engine.ts',
      'bench/chaos/writer.ts',
    ],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    alias: { '#flavor': resolve('src/engine/flavor/full.ts'), '#flavor/extension': resolve('src/app/full.ts') },
    plugins: [apart],
    sourcemap: 'inline',
    absWorkingDir: root,
    outbase: '.',
    outdir: built,
  });
  mkdirSync(built, { recursive: true });
  writeFileSync(join(built, 'snapshot.worker.cjs'), "require('./src/store/snapshot/snapshot.worker.js');\n");
}
