// `npm test`: every suite, a table, and last a plain line with the sums. `node scripts/test.mjs [suite ...]` runs some.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { signal, startJob } from './jobs.mjs';
import { forgetPackages } from './package/once.mjs';
import { resultsFile, resultsFolder, root } from './paths.mjs';
import { isGood, readResults, tellFailures } from './results.mjs';
import { makeScratch } from './scratch.mjs';
import { needPrograms } from './system.mjs';
import { installVSCode } from './vscode/install.mjs';

/**
 * @typedef {object} Suite
 * @property {string[]} command arguments of Node.js
 * @property {string[]} results one file for each of these must be there at the end
 * @property {string[]} [optional] results that count where they are there
 * @property {import('./system.mjs').Program[]} [programs] of the system
 * @property {boolean} [needsEditors] both of them installed
 * @property {number} minutes after which the suite is taken to hang
 * @property {boolean} [isTooling] tests of the scripts, which are not counted among those of the product
 */

/** @type {Record<string, Suite>} */
const suites = {
  check: { command: ['scripts/check.mjs'], results: ['check'], minutes: 10 },
  unit: {
    command: ['node_modules/mocha/bin/mocha.js', '--reporter', 'scripts/reporter.cjs'],
    results: ['unit'],
    minutes: 30,
  },
  scripts: {
    command: ['node_modules/mocha/bin/mocha.js', '--config', 'scripts/test/mocharc.json'],
    results: ['scripts'],
    minutes: 10,
    isTooling: true,
  },
  page: {
    command: [
      'node_modules/mocha/bin/mocha.js',
      '--config',
      'test/page/mocharc.json',
      '--reporter',
      'scripts/reporter.cjs',
    ],
    results: ['page'],
    programs: ['chromium'],
    minutes: 20,
  },
  interop: {
    command: ['scripts/test-interop.mjs'],
    results: ['interop'],
    programs: ['radicale', 'xandikos', 'todoman', 'vdirsyncer'],
    minutes: 20,
  },
  host: {
    command: ['scripts/test-host.mjs'],
    results: ['host-newest', 'host-oldest', 'host-offline'],
    optional: ['host-desktop'],
    programs: ['chromium'],
    needsEditors: true,
    minutes: 40,
  },
  ui: {
    command: ['scripts/test-ui.mjs'],
    results: ['ui', 'ui-oldest'],
    programs: ['chromium', 'radicale', 'xandikos'],
    needsEditors: true,
    minutes: 75,
  },
};

/**
 * Rows side by side, and a row's suites one after the other. Unit, interop and page tests are one process each, and windows
 * take what is left of the processors. The rows end at about the same time.
 */
const rows = [
  ['host', 'ui'],
  ['check', 'scripts', 'unit'],
  ['interop', 'page'],
];

const scratch = makeScratch();
process.on('exit', scratch.remove);
/** @type {Set<number>} process groups of the suites */
const groups = new Set();
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(name, () => {
    for (const group of groups) signal(group, 'SIGTERM');
    setTimeout(() => process.exit(130), 5000).unref();
  });
}

const { positionals: asked } = parseArgs({ allowPositionals: true });
const chosen = asked.length ? asked : Object.keys(suites);
/** @type {Promise<string | undefined>} settled once they are installed, beside the first suites: why they are not */
let editors = Promise.resolve(undefined);
const sums = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const table = [];
/** @type {string[]} told once more at the end, where a log that is cut still has them */
const remarks = [];

try {
  prepare();
  editors = installEditors();
  await Promise.all(rows.map(runRow));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  sums.failed += 1;
}
if (remarks.length > 0) console.log(`\n${remarks.join('\n')}`);
console.log(`\n${['suite          passed  failed skipped  seconds', ...table].join('\n')}\n`);
const skipped = sums.skipped > 0 ? `, ${sums.skipped} skipped` : '';
const line = `${sums.passed} passed, ${sums.failed} failed${skipped}`;
resultsFile('summary');
writeFileSync(join(resultsFolder, 'summary.txt'), `${line}\n`);
console.log(line);
process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1);

/** What the suites need is there before the first of them starts. */
function prepare() {
  for (const name of chosen) if (!suites[name]) throw new Error(`There is no suite "${name}".`);
  needPrograms(...new Set(chosen.flatMap(name => suites[name]?.programs ?? [])));
  for (const args of [['esbuild.js'], ['esbuild.js', '--tests']]) {
    if (spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0)
      throw new Error('The build failed.');
  }
  rmSync(resultsFolder, { recursive: true, force: true });
  forgetPackages();
}

async function installEditors() {
  if (!chosen.some(name => suites[name]?.needsEditors)) return undefined;
  try {
    for (const version of /** @type {const} */ (['newest', 'oldest'])) await installVSCode(version);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {readonly string[]} row
 * @param {number} at beside the first row, a suite's words are kept until its end
 */
async function runRow(row, at) {
  for (const name of row) if (chosen.includes(name)) await runSuite(name, at > 0);
}

/**
 * @param {string} name
 * @param {boolean} keeps what it says until its end
 */
async function runSuite(name, keeps) {
  const suite = /** @type {Suite} */ (suites[name]);
  const lack = suite.needsEditors ? await editors : undefined;
  const started = Date.now();
  if (lack) console.error(`\n== ${name}\n${lack}`);
  else await runToEnd(name, suite, keeps);
  const seconds = Math.round((Date.now() - started) / 1000);
  const optional = (suite.optional ?? []).filter(part => readResults(resultsFile(part)));
  for (const part of [...suite.results, ...optional]) {
    const read = readResults(resultsFile(part));
    const { passed, failed, skipped } = read ?? { passed: 0, failed: 0, skipped: 0 };
    const broken = failed === 0 && !isGood(read);
    if (!suite.isTooling) sums.passed += passed;
    sums.failed += broken ? 1 : failed;
    sums.skipped += skipped;
    if (failed > 0) remarks.push(`Failed in ${part}:\n${tellFailures(read?.failures ?? [])}`);
    const cells = [passed, failed, skipped, seconds].map(number => String(number).padStart(8)).join('');
    const remark = !broken ? '' : read ? '  ran no test' : '  did not come to its end';
    table.push(`${part.padEnd(13)}${cells}${remark}`);
  }
}

/**
 * @param {string} name
 * @param {Suite} suite
 * @param {boolean} keeps
 */
async function runToEnd(name, { command, results: [first = name], minutes }, keeps) {
  const results = resultsFile(first);
  const job = { title: `== ${name}`, args: command, env: { ...scratch.env, TEST_RESULTS: results } };
  const { pid: group = 0, code } = startJob(job, keeps, true);
  if (group) groups.add(group);
  const timer = setTimeout(() => {
    console.log(`Ended ${name} after ${minutes} minutes.`);
    rmSync(results, { force: true });
    signal(group, 'SIGTERM');
    setTimeout(() => signal(group, 'SIGKILL'), 5000);
  }, minutes * 60_000);
  await code;
  clearTimeout(timer);
  groups.delete(group);
}
