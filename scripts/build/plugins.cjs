// What the bundler does beyond bundling: keeps code out that could open a connection, or that nothing runs.
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { builtinModules } = require('node:module');
const { basename, dirname, join } = require('node:path');

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
 * sql.js's loader has a second half for browsers, which fetches the binary. Here the binary is a file beside the bundle, so
 * that half goes, in every bundle. The build fails where the loader has changed so that a cut no longer fits.
 * @type {import('esbuild').Plugin}
 */
const cutBrowserLoader = {
  name: 'cut-browser-loader',
  setup(build) {
    build.onLoad({ filter: /sql\.js[\\/]dist[\\/]sql-wasm\.js$/ }, ({ path }) => ({
      contents: withoutBrowserLoader(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/**
 * Of ical.js the part that reads and writes content lines. Its sources name every class of values, components and zones, so
 * that a bundler keeps them all; lines whose values stay as written make none of them.
 * @type {import('esbuild').Plugin}
 */
const leanIcal = {
  name: 'lean-ical',
  setup(build) {
    const unused = 'binary|component|duration|period|recur|time|timezone_service|utc_offset|vcard_time';
    const contents = `
      import design from './design.js';
      import { foldline } from './helpers.js';
      import parse from './parse.js';
      import stringify from './stringify.js';
      export default { foldLength: 75, newLineChar: '\\r\\n', design, helpers: { foldline }, parse, stringify };`;
    build.onLoad({ filter: /ical\.js[\\/]dist[\\/]ical\.js$/ }, ({ path }) => ({
      contents: "export { default } from './module.js';",
      resolveDir: join(dirname(path), '../lib/ical'),
    }));
    build.onLoad({ filter: /ical\.js[\\/]lib[\\/]ical[\\/]module\.js$/ }, ({ path }) => ({
      contents,
      resolveDir: dirname(path),
    }));
    build.onLoad({ filter: new RegExp(`ical\\.js[\\\\/]lib[\\\\/]ical[\\\\/](${unused})\\.js$`) }, () => ({
      contents: 'export default class {}',
    }));
  },
};

/**
 * The names of colors with their values as one text: 148 lists of numbers take more room.
 * @type {import('esbuild').Plugin}
 */
const leanColors = {
  name: 'lean-colors',
  setup(build) {
    build.onLoad({ filter: /[\\/]color-name[\\/]index\.js$/ }, ({ path }) => {
      const found = [...readFileSync(path, 'utf8').matchAll(/(\w+): \[(\d+), (\d+), (\d+)\]/g)];
      if (found.length < 140) throw new Error('color-name is written in another way.');
      const hex = (/** @type {string | undefined} */ value) => Number(value).toString(16).padStart(2, '0');
      const text = found.map(([, name, ...values]) => name + values.map(hex).join('')).join(' ');
      return {
        contents: `export default Object.fromEntries(${JSON.stringify(text)}.split(' ').map(each =>
          [each.slice(0, -6), each.slice(-6).match(/../g).map(part => parseInt(part, 16))]));`,
      };
    });
  },
};

/**
 * sql.js is a file of its own beside the bundles, which the extension's and the worker's share.
 * @type {import('esbuild').Plugin}
 */
const sharedSqlite = {
  name: 'shared-sqlite',
  setup(build) {
    build.onResolve({ filter: /^sql\.js$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './sqlite.cjs', external: true },
    );
  },
};

/** @param {string} loader the text of sql-wasm.js */
function withoutBrowserLoader(loader) {
  const cuts = [
    /else if\(\w+\|\|\w+\)\{try\{\w+=\(new URL\("\.",\w+\)\)\.href\}catch\{\}.*?throw Error\(\w+\.status\+" : "\+\w+\.url\);\}\}/s,
    /if\(![$\w]+&&![$\w]+\([$\w]+\)&&![$\w]+\)try\{var [$\w]+=fetch\(.*?falling back to ArrayBuffer instantiation"\)\}/s,
  ];
  let text = loader;
  for (const cut of cuts) {
    if (!cut.test(text)) throw new Error(`sql.js's loader has changed: nothing in it fits ${cut.source.slice(0, 40)}…`);
    text = text.replace(cut, '');
  }
  const left = connectingGlobals.filter(name => new RegExp(`\\b${name}\\b`).test(text));
  if (left.length > 0) throw new Error(`sql.js's loader still names ${left.join(', ')}.`);
  return text;
}

/**
 * Ends the build where anything imports a built-in module that is not known to be harmless.
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
 * Where `x.ts` has a stand-in `x.offline.ts` beside it, the offline flavor is built with that one: it leaves out what is
 * said and named of servers.
 * @type {import('esbuild').Plugin}
 */
const standIns = {
  name: 'stand-ins',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const file = join(resolveDir, `${path}.offline.ts`);
      return existsSync(file) ? { path: file } : undefined;
    });
  },
};

/**
 * Turns what a build with `splitting` gives, which esbuild has for ES modules alone, into CommonJS.
 * @type {import('esbuild').Plugin}
 */
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    const { minifySyntax: minify = false, target } = build.initialOptions;
    const logOverride = /** @type {const} */ ({ 'commonjs-variable-in-esm': 'silent' });
    build.onEnd(async result => {
      const { outputFiles = [], errors } = result;
      const scripts = outputFiles.filter(({ path }) => path.endsWith('.cjs'));
      if (errors.length > 0) return;
      result.outputFiles = [];
      for (const { path, text } of scripts) {
        const map = outputFiles.find(each => each.path === `${path}.map`);
        const from = map ? `${text}\n//# sourceMappingURL=data:application/json;base64,${encoded(map.text)}` : text;
        const sourcemap = map ? 'external' : false;
        const options = /** @type {const} */ ({
          format: 'cjs',
          platform: 'node',
          logLevel: 'warning',
          logOverride,
          sourcemap,
        });
        const made = await build.esbuild.transform(withRequire(from), { ...options, target, minify });
        const code = map ? `${made.code}//# sourceMappingURL=${basename(path)}.map\n` : made.code;
        result.outputFiles.push(fileOf(path, code), ...(map ? [fileOf(`${path}.map`, made.map)] : []));
      }
    });
  },
};

/**
 * In an ES module, esbuild looks for `require` at run time and hands it from file to file; here it is there.
 * @param {string} text
 */
function withRequire(text) {
  const plain = text
    .replace(/^var __require = [\s\S]*? is not supported'\);\n\}\);\n/m, '')
    .replace(/^ {2}__require,?\n/gm, '')
    .replace(/\b__require\b/g, 'require');
  if (/typeof require\b/.test(plain)) throw new Error('esbuild’s helper for require has changed.');
  return plain;
}

const encoded = (/** @type {string} */ text) => Buffer.from(text).toString('base64');

/**
 * @param {string} path
 * @param {string} text
 */
const fileOf = (path, text) => ({ path, text, contents: new Uint8Array(Buffer.from(text)), hash: '' });

/**
 * Writes what a plugin before it made of a build's files.
 * @type {import('esbuild').Plugin}
 */
const written = {
  name: 'written',
  setup(build) {
    build.onEnd(({ outputFiles = [] }) => {
      for (const { path, contents } of outputFiles) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, contents);
      }
    });
  },
};

/** What tsdav imports, as far as requests alone need it. */
const tsdavImports = {
  'xml-js': "exports.js2xml = require('xml-js/lib/js2xml');",
  debug: 'module.exports = () => () => undefined;',
};

/**
 * tsdav builds requests here and reads no answers: of xml-js it gets the writer without the reader, and nothing of debug.
 * @type {import('esbuild').Plugin}
 */
const leanTsdav = {
  name: 'lean-tsdav',
  setup(build) {
    const names = Object.keys(tsdavImports).join('|');
    build.onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path, importer, resolveDir }) =>
      /[\\/]tsdav[\\/]/.test(importer) ? { path, namespace: 'lean-tsdav', pluginData: resolveDir } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'lean-tsdav' }, ({ path, pluginData }) => ({
      contents: tsdavImports[/** @type {keyof typeof tsdavImports} */ (path)],
      resolveDir: pluginData,
    }));
  },
};

/** For esbuild's `define`. */
const withoutGlobals = Object.fromEntries(
  connectingGlobals.flatMap(name =>
    ['', 'globalThis.', 'window.', 'self.'].map(owner => [`${owner}${name}`, 'undefined']),
  ),
);

/**
 * Of the store's messages only their codes, for a worker whose errors are written to the log and nowhere else: the
 * sentences are in the package once already.
 * @type {import('esbuild').Plugin}
 */
const messageCodes = {
  name: 'message-codes',
  setup(build) {
    const contents = `
      const textOf = argument => argument.text ?? String(argument);
      export const storeMessage = (code, ...args) => ({ code, args, text: [code, ...args.map(textOf)].join(' ') });`;
    let isUsed = false;
    build.onLoad({ filter: /store[\\/]messages\.ts$/ }, () => {
      isUsed = true;
      return { contents, loader: 'js' };
    });
    build.onEnd(() => {
      if (!isUsed) throw new Error('message-codes: store/messages.ts is not in the worker any more.');
    });
  },
};

module.exports = {
  asCommonJs,
  connectingGlobals,
  cutBrowserLoader,
  fileOf,
  harmlessModules,
  leanColors,
  leanIcal,
  leanTsdav,
  messageCodes,
  refuseNetwork,
  sharedSqlite,
  standIns,
  withoutBrowserLoader,
  withoutGlobals,
  written,
};
