#!/usr/bin/env node
// Every bundle of the project:
// `node esbuild.js [--flavor full|offline|both] [--out folder] [--meta file] [--watch] [--production] [--tests [--maps] [file ...]]`.
const { build, context } = require('esbuild');
const {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { basename, join } = require('node:path');
const { parseArgs } = require('node:util');
const {
  apart,
  asCommonJs,
  cutProtocol,
  onlyIn,
  refuseNetwork,
  sourcesApart,
  standIns,
  withoutGlobals,
} = require('./scripts/build/plugins.cjs');

const { values: flags, positionals: testFiles } = parseArgs({
  allowPositionals: true,
  // A script that takes the bundles from here has arguments of its own.
  args: require.main === module ? process.argv.slice(2) : [],
  options: {
    flavor: { type: 'string', default: 'both' },
    out: { type: 'string', default: 'dist' },
    meta: { type: 'string' },
    watch: { type: 'boolean' },
    production: { type: 'boolean', default: false },
    tests: { type: 'boolean' },
    maps: { type: 'boolean' },
  },
});
const { production, out: dist } = flags;
const flavors = flags.flavor === 'both' ? ['full', 'offline'] : [flags.flavor];
const hasFull = flavors.includes('full');
const root = __dirname;

const filesBelow = (folder, ending) =>
  (existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }) : [])
    .map(name => join(folder, name))
    .filter(name => name.endsWith(ending) && statSync(join(root, name)).isFile());

/** Picks the flavor's own files: the two builds differ in nothing else. */
const flavorAlias = flavor => ({
  '#flavor': join(root, `src/engine/flavor/${flavor}.ts`),
  '#flavor/extension': join(root, `src/app/${flavor}.ts`),
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

/** The offline flavor is built with these, so that a connection is not merely unused but impossible. */
const sealed = { plugins: [refuseNetwork], define: withoutGlobals };

const versionDefined = { 'process.env.DUELINE_VERSION': JSON.stringify(require('./package.json').version) };

/** Packages that the extension and the command line share are scripts beside both. */
const libraries = { sqlite: 'sql.js', ical: 'ical.js', re2js: 're2js' };
const besideLibraries = {
  alias: Object.fromEntries(Object.entries(libraries).map(([script, name]) => [name, `./${script}.cjs`])),
  external: [...host.external, ...Object.keys(libraries).map(script => `./${script}.cjs`)],
};
const libraryBundle = () => ({
  ...host,
  ...sealed,
  entryPoints: libraries,
  outdir: dist,
  outExtension: { '.js': '.cjs' },
});

/** A build of both has the offline extension beside the other. */
const folderOf = flavor => (flavor === 'offline' && flavors.length > 1 ? `${dist}/offline` : dist);

/** In the extension all doors are one, which leads to the two scripts that are read later. */
const doors = apart(/\/door$/, './door.cjs');

function hostBundles(flavor) {
  const common = {
    ...host,
    alias: flavorAlias(flavor),
    ...(flavor === 'offline' && { ...sealed, resolveExtensions: standIns }),
    define: { ...(flavor === 'offline' && sealed.define), 'process.env.DUELINE_FLAVOR': JSON.stringify(flavor) },
  };
  return [
    {
      ...common,
      entryPoints: ['src/engine.ts'],
      outfile: `${dist}/engine${flavor === 'full' ? '' : '-offline'}.cjs`,
    },
    {
      // The extension: `main` is what lists need, `rows` what rows of tasks do, `later` the rest; chunks are what several need.
      ...common,
      ...besideLibraries,
      alias: { ...common.alias, ...besideLibraries.alias },
      plugins: [doors, ...(common.plugins ?? []), asCommonJs],
      entryPoints: { main: 'src/app/main.ts', rows: 'src/app/rows.ts', later: 'src/app/later.ts' },
      outdir: folderOf(flavor),
      outExtension: { '.js': '.cjs' },
      format: 'esm',
      splitting: true,
      sourcemap: production ? false : 'inline',
    },
    { ...host, entryPoints: ['src/door.ts'], external: ['./*.cjs'], outfile: `${folderOf(flavor)}/door.cjs` },
  ];
}

/**
 * The command line: the engine without the sync of the full flavor, and with its words, since the store may have accounts.
 * It cannot connect to anything, and starts one program: the user's editor.
 */
const cliBundle = () => ({
  ...host,
  ...sealed,
  ...besideLibraries,
  plugins: [
    onlyIn('node:child_process', 'src/cli/process.ts'),
    apart(/^\.\/protocol$/, './protocol.cjs'),
    cutProtocol,
    refuseNetwork,
  ],
  // Every start reads all of the first one.
  minify: true,
  alias: { ...flavorAlias('offline'), ...besideLibraries.alias },
  banner: { js: '#!/usr/bin/env node' },
  define: { ...sealed.define, 'process.env.DUELINE_FLAVOR': '"cli"', ...versionDefined },
  entryPoints: { cli: 'src/cli/main.ts', protocol: 'src/mcp/protocol.ts' },
  outdir: dist,
  outExtension: { '.js': '.cjs' },
});

/** Only what syncs has conflicts. */
const isPageOf = name => hasFull || !/\bconflict\./.test(name);

/** The editor's entry, workers and pages serve both flavors, and need no network in either. */
const workerBundles = folder =>
  filesBelow('src', '.worker.ts').map(entry => ({
    ...host,
    ...sealed,
    define: { ...sealed.define, 'process.env.DUELINE_FLAVOR': '"shared"' },
    entryPoints: [entry],
    outfile: `${folder}/${basename(entry).replace('.ts', '.cjs')}`,
  }));

const sharedBundles = () => [
  {
    ...host,
    ...sealed,
    external: ['vscode', './main.cjs'],
    entryPoints: ['src/extension.ts'],
    outfile: `${dist}/extension.js`,
  },
  ...workerBundles(dist).map(worker => ({ ...worker, ...besideLibraries })),
  libraryBundle(),
  {
    ...host,
    ...sealed,
    platform: 'browser',
    format: 'iife',
    target: 'chrome120',
    tsconfig: 'media/tsconfig.json',
    // One style sheet for each page, and what they share.
    entryPoints: [...filesBelow('media', '.page.ts'), ...filesBelow('media/pages', '.css')].filter(isPageOf),
    outdir: `${dist}/media`,
    entryNames: '[name]',
  },
];

/**
 * Tests and benchmarks keep their packages outside, so that they run against the installed ones, the binary among them. The
 * sources are outside too: compiled anew in each of several hundred files, they would take half of a run's time.
 */
const testBundles = () => [
  {
    ...host,
    // For a debugger, which reads one file, and for coverage: those of all are half of what is written and read.
    sourcemap: (flags.maps || testFiles.length > 0) && 'inline',
    sourcesContent: false,
    packages: 'external',
    // Modules that only the extension's own scripts import.
    external: [...host.external, ...['main', 'rows', 'later', 're2js'].map(script => `./${script}.cjs`)],
    alias: flavorAlias('full'),
    plugins: [sourcesApart],
    entryPoints: [
      ...filesBelow('src', '.ts'),
      ...['test', 'bench']
        .flatMap(folder => filesBelow(folder, '.ts'))
        .filter(name => testFiles.length === 0 || testFiles.includes(name)),
    ].filter(name => !name.endsWith('.d.ts')),
    outdir: 'out',
    outbase: '.',
  },
  ...workerBundles('out/src').map(worker => ({ ...worker, packages: 'external', define: sealed.define })),
];

function copyAssets() {
  mkdirSync(join(root, dist), { recursive: true });
  cpSync(join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'), join(root, dist, 'sql-wasm.wasm'));
  const { version } = require('./package.json');
  const notes = readdirSync(join(root, 'docs/whatsnew')).map(locale => [
    locale,
    readFileSync(join(root, 'docs/whatsnew', locale, `${version}.md`), 'utf8'),
  ]);
  writeFileSync(join(root, dist, 'whatsNew.json'), JSON.stringify(Object.fromEntries(notes)));
}

async function main() {
  const missing = testFiles.filter(name => !existsSync(join(root, name)));
  if (missing.length > 0)
    throw new Error(`There is no ${missing.join(', ')}. Patterns are expanded by the shell alone.`);
  const stale = flags.tests ? ['out/src', 'out/test', 'out/bench'] : [dist];
  if (!flags.watch && testFiles.length === 0)
    for (const folder of stale) rmSync(join(root, folder), { recursive: true, force: true });
  const bundles = flags.tests
    ? testBundles()
    : [...flavors.flatMap(hostBundles), ...sharedBundles(), ...(hasFull ? [cliBundle()] : [])];
  if (!flags.tests) copyAssets();
  const filled = bundles.filter(({ entryPoints }) => Object.keys(entryPoints).length > 0);
  if (flags.watch) await Promise.all(filled.map(async options => (await context(options)).watch()));
  else {
    const built = await Promise.all(filled.map(options => build({ ...options, metafile: flags.meta !== undefined })));
    if (flags.meta)
      writeFileSync(flags.meta, JSON.stringify(Object.assign({}, ...built.map(({ metafile }) => metafile.outputs))));
  }
}

if (require.main === module) {
  main().catch(error => {
    if (!error.errors) console.error(error);
    process.exitCode = 1;
  });
}

module.exports = { cliBundle, hostBundles, libraryBundle, sharedBundles };
