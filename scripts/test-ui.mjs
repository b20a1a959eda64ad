// Drives real windows: `node scripts/test-ui.mjs [file ...] [mocha options]`, files below out/test/ui. Without a file the
// newest VS Code runs all of them, and the oldest those that touch every kind of view and dialog. DUELINE_UI_VERSION,
// newest or oldest, asks for that one alone.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resultsFile, root } from './paths.mjs';
import { isGood, readResults } from './results.mjs';
import { needPrograms } from './system.mjs';
import { installVSCode } from './vscode/install.mjs';

const everything = ['out/test/ui/**/*.test.js'];
const onBoth = [
  ...['start', 'walk', 'window', 'links', 'largeList', 'taskEditor'],
  ...['accounts', 'accountsAdd', 'accountsKeep', 'sync', 'syncHand', 'syncLists'],
].map(name => `out/test/ui/${name}.test.js`);

needPrograms('chromium', 'radicale', 'xandikos');
const asked = process.argv.slice(2);
const files = asked.some(arg => arg.endsWith('.js')) ? [] : everything;
const only = process.env.DUELINE_UI_VERSION;
const good = only
  ? [await runOn(/** @type {'newest' | 'oldest'} */ (only), files)]
  : files.length === 0
    ? [await runOn('newest', [])]
    : [await runOn('newest', files), await runOn('oldest', onBoth)];
process.exit(good.every(Boolean) ? 0 : 1);

/**
 * @param {'newest' | 'oldest'} version
 * @param {string[]} files beside those asked for
 */
async function runOn(version, files) {
  const installed = await installVSCode(version);
  const results = resultsFile(version === 'newest' ? 'ui' : `ui-${version}`);
  rmSync(results, { force: true });
  console.log(`\nVS Code ${installed.version}`);
  const options = ['--no-config', '--timeout', '300000', '--exit', '--reporter', 'scripts/reporter.cjs'];
  spawnSync(process.execPath, ['node_modules/mocha/bin/mocha.js', ...options, ...files, ...asked], {
    cwd: root,
    env: { ...process.env, TEST_RESULTS: results, DUELINE_UI_VERSION: version },
    stdio: 'inherit',
  });
  return isGood(readResults(results));
}
