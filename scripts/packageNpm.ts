// Makes the package of the command line for npm, which `npx` runs: `npm run package:npm [-- --out folder]`.
// All that it needs is in its scripts: nothing has to be installed with it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { siteOf } from './package/make';
import { noticesFor } from './package/packages';
import { manifest, root } from './paths';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const target = values.out ? resolve(values.out) : join(root, 'packages');
const folder = join(root, 'out/npm');
rmSync(folder, { recursive: true, force: true });
for (const path of [folder, target]) mkdirSync(path, { recursive: true });

const { cliBundle, libraryBundle } = createRequire(join(root, 'package.json'))('./esbuild.js');
const options = { outdir: folder, minify: true, sourcemap: false, metafile: true } as const;
const bundles: BuildOptions[] = [cliBundle(), libraryBundle()];
const built = await Promise.all(bundles.map(bundle => build({ ...bundle, ...options })));
const { name, version, license } = manifest();
const described = {
  name,
  version,
  description: 'The command line of Dueline, a task manager for VS Code',
  license,
  keywords: ['tasks', 'todo', 'task manager', 'command line', 'mcp'],
  bin: { dueline: 'cli.cjs' },
  engines: { node: '>=20' },
};
const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
write('package.json', `${JSON.stringify(described, null, 2)}\n`);
write('README.md', readmeOf(version));
write('THIRD-PARTY-NOTICES.txt', noticesFor(built.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}))));
copyFileSync(join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'), join(folder, 'sql-wasm.wasm'));
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));

// On Windows npm is a script, which a shell alone runs.
const shell = process.platform === 'win32';
const args = ['pack', '--silent', '--pack-destination', shell ? `"${target}"` : target];
const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', shell });
if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
console.log(join(target, stdout.trim()));

/**
 * The page of the command line. Its links and pictures lead into the repository; if that is not known, links are plain
 * text and there are no pictures.
 */
function readmeOf(version: string) {
  const site = siteOf();
  const at = (kind: string, path: string) => `${site}/${kind}/v${version}/docs/${path}`;
  const page = readFileSync(join(root, 'docs/cli.md'), 'utf8');
  if (!site) return page.replace(/^<img .*\n\n/gm, '').replace(/\[([^\]]+)\]\((?!https:)[^)]+\)/g, '$1');
  return page
    .replace(/src="(?=images\/)/g, `src="${at('raw', '')}`)
    .replace(/\]\((?!https:)([^)]+)\)/g, (_, path) => `](${at('blob', path)})`);
}
