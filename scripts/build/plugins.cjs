// The bundler’s plugins: they keep code out that could open a connection, and lead to the script that is read later.
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { builtinModules } = require('node:module');
const { dirname, join, relative } = require('node:path');

/** The built-in modules that the offline flavor may use. Everything else in Node.js is refused, not a list of bad ones. */
const harmlessModules = [
  'async_hooks',
  'buffer',
  'crypto',
  'events',
  'fs',
  'fs/promises',
  'os',
  'path',
  'perf_hooks',
  'string_decoder',
  'timers',
  'timers/promises',
  'url',
  'util',
  'v8',
  'worker_threads',
  'zlib',
];

/** Globals that open a connection. The offline build has `undefined` in their place, wherever a package names one. */
const connectingGlobals = [
  'EventSource',
  'RTCPeerConnection',
  'WebSocket',
  'WebTransport',
  'XMLHttpRequest',
  'fetch',
  'importScripts',
];

/**
 * The protocol's package makes code from text in two places: to check by JSON Schema what a client answers to its questions,
 * of which it has none here, and to read messages faster. It also has a copy of another package in it, for HTTP, which is
 * not spoken here. The build fails when a text has changed so that a cut no longer fits.
 */
const protocolCuts = [
  {
    filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    cut: /^.*$/s,
    by: 'export class DefaultJsonSchemaValidator {}\nexport const { process } = globalThis;',
  },
  {
    filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]src-[\w-]+\.mjs$/,
    cut: /^\/\/#region \S+\/content-type\/index\.js\n.*?^\/\/#endregion$/ms,
    by: 'const require_content_type = () => ({});',
  },
  // When the attempt fails, messages are read without.
  { filter: /zod[\\/]v4[\\/]core[\\/](?:doc|util)\.js$/, cut: /const F = Function;/, by: 'const F = undefined;' },
];

/**
 * @param {string} path
 * @param {string} text of that file
 */
function withoutProtocolCuts(path, text) {
  const fitting = protocolCuts.find(({ filter }) => filter.test(path));
  if (!fitting) return text;
  const { cut, by } = fitting;
  if (!cut.test(text)) throw new Error(`${path} has changed: nothing in it fits ${cut.source.slice(0, 40)}…`);
  return text.replace(cut, by);
}

/** @type {import('esbuild').Plugin} */
const cutProtocol = {
  name: 'cut-protocol',
  setup(build) {
    for (const { filter } of protocolCuts)
      build.onLoad({ filter }, ({ path }) => ({ contents: withoutProtocolCuts(path, readFileSync(path, 'utf8')) }));
  },
};

/**
 * Ends the build if anything imports a built-in module that is not known to be harmless.
 * @type {import('esbuild').Plugin}
 */
const refuseNetwork = {
  name: 'refuse-network',
  setup(build) {
    const known = new Set(builtinModules);
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, importer }) => {
      const name = path.replace(/^node:/, '');
      if (!path.startsWith('node:') && !known.has(name)) return undefined;
      if (harmlessModules.includes(name)) return { path: `node:${name}`, external: true, sideEffects: false };
      return { errors: [{ text: `The offline flavor may not use "${path}" (in ${importer}).` }] };
    });
  },
};

/**
 * Lets one file import a built-in module that is refused to all others.
 * @param {string} name
 * @param {string} file
 * @returns {import('esbuild').Plugin}
 */
const onlyIn = (name, file) => ({
  name: `${name} only in ${file}`,
  setup: build =>
    build.onResolve({ filter: new RegExp(`^${name}$`) }, ({ path, importer }) =>
      join(importer) === join(build.initialOptions.absWorkingDir ?? '.', file) ? { path, external: true } : undefined,
    ),
});

/**
 * For esbuild's `resolveExtensions`: a file `x.offline.ts` stands in for `x.ts` in the offline flavor, and leaves out what is
 * said and named of servers.
 */
const standIns = ['.offline.ts', '.ts', '.js', '.json'];

/**
 * For esbuild's `define`. sql.js's loader, which would fetch the binary in a browser, finds nothing to do so with; it reads
 * the file beside the bundle.
 */
const withoutGlobals = Object.fromEntries(
  [...connectingGlobals, 'WebAssembly.instantiateStreaming'].flatMap(name =>
    ['', 'globalThis.', 'window.', 'self.'].map(owner => [`${owner}${name}`, 'undefined']),
  ),
);

/**
 * Leaves what has this name to a script beside the bundle.
 * @param {RegExp} filter
 * @param {string} path
 * @returns {import('esbuild').Plugin}
 */
const apart = (filter, path) => ({
  name: `apart in ${path}`,
  setup: build => build.onResolve({ filter }, () => ({ path, external: true })),
});

/**
 * esbuild shares code between scripts (`splitting`) in ES modules alone, and the editor loads CommonJS.
 * @type {import('esbuild').Plugin}
 */
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    const { minify = false, target, sourcemap, write = true } = build.initialOptions;
    build.initialOptions.write = false;
    build.onEnd(async result => {
      for (const [at, script] of (result.outputFiles ?? []).entries()) {
        const options = /** @type {const} */ ({ format: 'cjs', platform: 'node', minify, target, sourcemap });
        const { code } = await build.esbuild.transform(script.text, options);
        // A hundred files import the editor's interface, and each would make a copy of it: 11 MB.
        const text = code.replace(/(?<![\w$])[\w$]+\((require\("vscode"\))\)/g, '$1');
        result.outputFiles?.splice(at, 1, { ...script, text, contents: new TextEncoder().encode(text) });
        if (!write) continue;
        mkdirSync(dirname(script.path), { recursive: true });
        writeFileSync(script.path, text);
      }
    });
  },
};

/**
 * Leaves each file of src a script of its own, built beside those that import it: tests that run in one process share it,
 * and what it has compiled and optimized.
 * @type {import('esbuild').Plugin}
 */
const sourcesApart = {
  name: 'sources-apart',
  setup(build) {
    const { absWorkingDir: root = '.', outdir = '.' } = build.initialOptions;
    build.onResolve({ filter: /^[.#]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind === 'entry-point' || pluginData === sourcesApart) return undefined;
      const found = await build.resolve(path, { kind, resolveDir, importer, pluginData: sourcesApart });
      const name = relative(root, found.path);
      if (!/^src[\\/].*\.ts$/.test(name)) return undefined;
      return { path: join(root, outdir, name.replace(/\.ts$/, '.js')), external: true };
    });
  },
};

module.exports = {
  apart,
  asCommonJs,
  connectingGlobals,
  cutProtocol,
  harmlessModules,
  onlyIn,
  refuseNetwork,
  sourcesApart,
  standIns,
  withoutGlobals,
  withoutProtocolCuts,
};
