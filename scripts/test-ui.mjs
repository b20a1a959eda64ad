// Drives real windows: `node scripts/test-ui.mjs [file ...] [mocha options]`, files below out/test/ui. Without a file the
// newest VS Code runs all of them, and the oldest those that touch every kind of view and dialog; with `--all` it runs
// all, too, and the packages are used in each language. DUELINE_UI_VERSION, newest or oldest, asks for that one alone. Two
// files run at a time; DUELINE_UI_JOBS says another number.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runJobs } from './jobs.mjs';
import { forgetPackages } from './package/once.mjs';
import { compiledFolder, resultsFile, resultsFolder, root } from './paths.mjs';
import { isGood, joinResults } from './results.mjs';
import { needPrograms } from './system.mjs';
import { installVSCode } from './vscode/install.mjs';

/** @typedef {'newest' | 'oldest'} Version */

/**
 * Every kind of view, menu, question, page and message once more, where an older editor may draw or answer otherwise.
 */
const onBoth = new Set(['start', 'firstTask', 'window', 'trees', 'capture', 'reminders', 'accountsAdd']);

/** Files that share a window, and so a process; see test/ui/support/shared.ts. The first one starts it. */
const together = [
  ['firstTask', 'start', 'window', 'keyboard', 'undo', 'workingOn', 'accountsAdd'],
  ['rows', 'firstSteps', 'widgetSpace', 'widgetTray', 'focusAfterQuestion'],
  ['trees', 'capture', 'reminders'],
  ['code', 'codeLinks', 'todos', 'git'],
];

needPrograms('chromium', 'radicale', 'xandikos');
const asked = process.argv.slice(2).filter(arg => arg.endsWith('.test.js'));
const all = process.argv.includes('--all');
const options = process.argv.slice(2).filter(arg => !asked.includes(arg) && arg !== '--all');
const only = /** @type {Version | undefined} */ (process.env.DUELINE_UI_VERSION);
/** @type {Version[]} */
const versions = only ? [only] : asked.length > 0 ? ['newest'] : ['newest', 'oldest'];

const start = Date.now();
forgetPackages();
rmSync(compiledFolder, { recursive: true, force: true }); // it may be of another build
const results = join(resultsFolder, 'ui');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
/** @type {{version: Version, name: string, files: string[], title: string, results: string}[]} */
const runs = [];
for (const version of versions) {
  rmSync(targetOf(version), { force: true });
  const { version: number } = await installVSCode(version);
  for (const files of groupsOf(filesFor(version))) {
    const names = files.map(file => basename(file, '.test.js'));
    const [name = ''] = names;
    const title = `${names.join(', ')}, VS Code ${number}`;
    runs.push({ version, name, files, title, results: join(results, `${name}-${version}.json`) });
  }
}
// What takes long begins first: begun last, it would run alone.
const known = ['trees', 'locales', 'firstTask', 'code', 'syncWindows', 'installed'];
runs.sort((a, b) => known.indexOf(b.name) - known.indexOf(a.name));
const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--timeout', '300000', '--exit'];
const jobs = runs.map(({ version, files, title, results }) => ({
  title,
  results,
  args: [...mocha, '--reporter', 'scripts/reporter.cjs', ...files, ...options],
  env: { TEST_RESULTS: results, DUELINE_UI_VERSION: version, ...(all && { DUELINE_UI_ALL: '1' }) },
}));
await runJobs(jobs, Number(process.env.DUELINE_UI_JOBS ?? 2));
const joined = versions.map(version =>
  joinResults(
    runs.filter(run => run.version === version),
    { start, target: targetOf(version) },
  ),
);
process.exit(joined.every(isGood) ? 0 : 1);

/** @param {Version} version */
function targetOf(version) {
  return resultsFile(version === 'newest' ? 'ui' : `ui-${version}`);
}

/** @param {Version} version @returns {string[]} */
function filesFor(version) {
  if (asked.length > 0) return asked;
  const names = readdirSync(join(root, 'out/test/ui')).filter(name => name.endsWith('.test.js'));
  const wanted =
    all || only || version === 'newest' ? names : names.filter(name => onBoth.has(basename(name, '.test.js')));
  return wanted.map(name => `out/test/ui/${name}`);
}

/** @param {string[]} files @returns {string[][]} */
function groupsOf(files) {
  const groupOf = (/** @type {string} */ file) => together.find(names => names.includes(basename(file, '.test.js')));
  const shared = together.map(names =>
    files
      .filter(file => groupOf(file) === names)
      .sort((one, other) => names.indexOf(basename(one, '.test.js')) - names.indexOf(basename(other, '.test.js'))),
  );
  return [...shared.filter(group => group.length > 0), ...files.filter(file => !groupOf(file)).map(file => [file])];
}
