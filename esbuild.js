#!/usr/bin/env node
// Every bundle of the project: `node esbuild.js [--flavor full|offline|both] [--watch] [--production] [--tests]`.
const { build, context } = require('esbuild');
const { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } = require('node:fs');
const { basename, join } = require('node:path');

const argument = name => process.argv[process.argv.indexOf(`--${name}`) + 1];
const has = name => process.argv.includes(`--${name}`);
const production = has('production');
const flavors = has('flavor') && argument('flavor') !== 'both' ? [argument('flavor')] : ['full', 'offline'];
const root = __dirname;

const filesBelow = (folder, ending) =>
  (existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }) : [])
    .map(name => join(folder, name))
    .filter(name => name.endsWith(ending) && statSync(join(root, name)).isFile());

/** Picks the flavor's own files: the one place where the two builds differ. */
const flavorAlias = flavor => ({
  '#flavor': join(root, `src/flavor/${flavor}.ts`),
  '#flavor/extension': join(root, `src/flavor/${flavor}.extension.ts`),
});

const host = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  sourcemap: production ? false : 'linked',
  minify: production,
  legalComments: 'none',
  logLevel: 'warning',
  absWorkingDir: root,
};

function hostBundles(flavor) {
  const suffix = flavor === 'full' ? '' : `-${flavor}`;
  const common = {
    ...host,
    alias: flavorAlias(flavor),
    define: { 'process.env.DUELINE_FLAVOR': JSON.stringify(flavor) },
  };
  return [
    { ...common, entryPoints: ['src/engine.ts'], outfile: `dist/engine${suffix}.cjs` },
    { ...common, entryPoints: ['src/extension.ts'], outfile: `dist/extension${suffix}.js` },
  ];
}

const workerBundles = folder =>
  filesBelow('src/store', '.worker.ts').map(entry => ({
    ...host,
    entryPoints: [entry],
    outfile: `${folder}/${basename(entry).replace('.ts', '.cjs')}`,
  }));

const sharedBundles = () => [
  ...workerBundles('dist'),
  {
    ...host,
    platform: 'browser',
    format: 'iife',
    target: 'chrome120',
    tsconfig: 'media/tsconfig.json',
    entryPoints: filesBelow('media', '.page.ts'),
    outdir: 'dist/media',
    entryNames: '[name]',
  },
];

/** Tests and benchmarks keep their packages outside, so that they run against the installed ones. */
const testBundles = () => [
  {
    ...host,
    sourcemap: 'inline',
    packages: 'external',
    alias: flavorAlias('full'),
    entryPoints: [...filesBelow('test', '.ts'), ...filesBelow('bench', '.ts')].filter(name => !name.endsWith('.d.ts')),
    outdir: 'out',
    outbase: '.',
  },
  ...workerBundles('out').map(worker => ({ ...worker, packages: 'external' })),
];

function copyAssets() {
  mkdirSync(join(root, 'dist'), { recursive: true });
  cpSync(join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'), join(root, 'dist/sql-wasm.wasm'));
  for (const style of filesBelow('media', '.css')) cpSync(join(root, style), join(root, 'dist/media', basename(style)));
}

async function main() {
  if (!has('watch')) rmSync(join(root, has('tests') ? 'out' : 'dist'), { recursive: true, force: true });
  const bundles = has('tests') ? testBundles() : [...flavors.flatMap(hostBundles), ...sharedBundles()];
  if (!has('tests')) copyAssets();
  const filled = bundles.filter(options => options.entryPoints.length > 0);
  if (has('watch')) await Promise.all(filled.map(async options => (await context(options)).watch()));
  else await Promise.all(filled.map(options => build(options)));
}

main().catch(error => {
  if (!error.errors) console.error(error);
  process.exitCode = 1;
});
