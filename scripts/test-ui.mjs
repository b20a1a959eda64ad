// Drives real windows: `node scripts/test-ui.mjs [file ...] [mocha options]`, files below out/test/ui.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resultsFile, root } from './paths.mjs';
import { isGood, readResults } from './results.mjs';
import { needPrograms } from './system.mjs';
import { installVSCode } from './vscode/install.mjs';

needPrograms('chromium', 'radicale', 'xandikos');
await installVSCode('newest');
const results = resultsFile('ui');
rmSync(results, { force: true });
const asked = process.argv.slice(2);
const files = asked.some(arg => arg.endsWith('.js')) ? [] : ['out/test/ui/**/*.test.js'];
const options = ['--no-config', '--timeout', '300000', '--exit', '--reporter', 'scripts/reporter.cjs'];
const env = { ...process.env, TEST_RESULTS: results };
spawnSync(process.execPath, ['node_modules/mocha/bin/mocha.js', ...options, ...files, ...asked], {
  cwd: root,
  env,
  stdio: 'inherit',
});
process.exit(isGood(readResults(results)) ? 0 : 1);
