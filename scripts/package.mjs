// Makes the .vsix and says what is in it: `node scripts/package.mjs [--out file]`
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { manifest, root } from './paths.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const { name, version } = manifest();
const file = values.out ?? join(root, `${name}-${version}.vsix`);

node('esbuild.js', '--production');
node('node_modules/@vscode/vsce/vsce', 'package', '--no-dependencies', '--allow-missing-repository', '--out', file);
console.log(`${file}: ${Math.ceil(statSync(file).size / 1024)} KB`);

/** @param {string[]} args */
function node(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
