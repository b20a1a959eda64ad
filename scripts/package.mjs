// Makes the .vsix and says what is in it: `node scripts/package.mjs [--out file]`
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { manifest, root } from './paths.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const { name, version, repository } = manifest();
const file = values.out ?? join(root, `${name}-${version}.vsix`);

node('esbuild.js', '--production');
// Without a repository there is no address that the README's relative links could be rewritten to.
const links = repository ? [] : ['--allow-missing-repository', '--no-rewrite-relative-links'];
node('node_modules/@vscode/vsce/vsce', 'package', '--no-dependencies', ...links, '--out', file);
console.log(`${file}: ${Math.ceil(statSync(file).size / 1024)} KB`);

/** @param {string[]} args */
function node(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
