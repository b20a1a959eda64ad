// Which files of a build go into which script: what a start needs, what is read later, and what the command line needs as well.
const { readFileSync } = require('node:fs');
const { basename, join, relative } = require('node:path');
const { fileOf } = require('./plugins.cjs');

/**
 * @typedef {import('esbuild').Metafile} Metafile
 * @typedef {{scripts: Map<string, {script: string, name: string}>, common: string[]}} Plan `scripts`: where `require` finds a
 *   file that is read later; `common`: what the command line and the extension both need
 */

const lateCall = /\brequire\('(\.[^']+)'\)/g;

/**
 * `require('./x')` in a file of `src` reads `x` when the program gets there. Here `x` goes into another script: `later.cjs`,
 * or `parts.cjs` where the command line needs it as well. What both need at once is `shared.cjs`. No file is in two scripts.
 * @type {import('esbuild').Plugin}
 */
const chunks = {
  name: 'chunks',
  setup(build) {
    const { initialOptions: options } = build;
    const { absWorkingDir: root = process.cwd() } = options;
    const entries = { .../** @type {Record<string, string>} */ (options.entryPoints) };
    options.metafile = true;
    options.entryPoints = Object.fromEntries(
      ['main', 'later', ...(entries.command ? ['parts', 'command'] : [])].map(name => [name, `start-of:${name}`]),
    );
    /** @type {Plan} */
    let plan;
    build.onStart(async () => {
      plan = await planOf(build, entries);
    });
    build.onResolve({ filter: /^start-of:/ }, ({ path }) => ({ path, namespace: 'chunks' }));
    build.onResolve({ filter: /^\.\/(later|parts)\.cjs$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /./, namespace: 'chunks' }, ({ path }) => ({
      contents: startOf(path.replace('start-of:', ''), plan, entries),
      resolveDir: root,
    }));
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const here = relative(root, join(path, '..'));
      const contents = text.replace(lateCall, (call, target) => {
        const found = plan.scripts.get(`${join(here, target)}.ts`.replaceAll('\\', '/'));
        return found ? `require('./${found.script}.cjs').${found.name}` : call;
      });
      return { contents, loader: 'ts' };
    });
    build.onEnd(result => {
      if (result.errors.length === 0) nameChunks(result);
    });
  },
};

/**
 * @param {import('esbuild').PluginBuild} build
 * @param {Record<string, string>} entries
 * @returns {Promise<Plan>}
 */
async function planOf({ esbuild, initialOptions }, entries) {
  const { chunkNames, outExtension, splitting, ...options } = initialOptions;
  const { metafile } = await esbuild.build({
    ...options,
    plugins: (options.plugins ?? []).filter(({ name }) => !['chunks', 'as-common-js', 'written'].includes(name)),
    entryPoints: entries,
    outdir: 'unused',
    format: 'cjs',
    write: false,
    metafile: true,
    logLevel: 'silent',
    sourcemap: false,
  });
  const all = reached(metafile, entries.main);
  const onCommand = entries.command ? reached(metafile, entries.command) : new Set();
  const late = [...all].flatMap(file => importsOf(metafile, file).filter(isLate(file)));
  // A package that is read late stays with the file that reads it.
  const names = [...new Set(late.map(({ path }) => path))].filter(path => path.startsWith('src/')).sort();
  return {
    scripts: new Map(
      names.map((path, at) => [path, { script: onCommand.has(path) ? 'parts' : 'later', name: `p${at}` }]),
    ),
    common: [...all].filter(file => onCommand.has(file) && file.startsWith('src/')).sort(),
  };
}

/**
 * @param {Metafile} metafile
 * @param {string} file
 */
const importsOf = ({ inputs }, file) => inputs[file]?.imports.filter(({ external }) => !external) ?? [];

/**
 * Packages call `require` as others write `import`.
 * @param {string} file
 * @returns {(one: {kind: string}) => boolean}
 */
const isLate =
  file =>
  ({ kind }) =>
    kind === 'require-call' && file.startsWith('src/');

/**
 * @param {Metafile} metafile
 * @param {string | undefined} entry
 * @returns {Set<string>}
 */
function reached(metafile, entry) {
  const found = new Set(entry ? [entry] : []);
  for (const file of found) for (const { path } of importsOf(metafile, file)) found.add(path);
  return found;
}

/**
 * Where a script begins. One that is read after another one imports all of that, so that what they share stays there.
 * @param {string} name
 * @param {Plan} plan
 * @param {Record<string, string>} entries
 */
function startOf(name, { scripts, common }, entries) {
  const bare = (/** @type {readonly string[]} */ files) => files.map(file => `import './${file}';`);
  const own = [...scripts].filter(([, { script }]) => script === name);
  const given = own.map(([file, { name }]) => `export * as ${name} from './${file}';`);
  if (name === 'main') return `export * from './${entries.main}';`;
  if (name === 'command') return bare([...common, entries.command ?? '']).join('\n');
  return [...bare(common), ...(name === 'later' ? bare([entries.main ?? '']) : []), ...given].join('\n');
}

/**
 * Gives each chunk the name of the script that begins with it, and that script's exports.
 * @param {import('esbuild').BuildResult} result
 */
function nameChunks(result) {
  const { outputFiles = [], metafile } = result;
  const outputs = metafile?.outputs ?? {};
  const starts = Object.keys(outputs).filter(path => outputs[path]?.entryPoint);
  for (const { inputs } of Object.values(outputs))
    for (const input of Object.keys(inputs)) if (input.startsWith('chunks:')) delete inputs[input];
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const path of Object.keys(outputs).filter(each => each.endsWith('.cjs') && !starts.includes(each))) {
    const users = starts.filter(start => outputs[start]?.imports.some(one => one.path === path));
    const name = scriptOf(users.map(user => basename(user)));
    if ([...names.values()].includes(name)) throw new Error(`Two chunks of a build would be ${name}.`);
    names.set(basename(path), name);
    outputs[join(path, '..', name)] = /** @type {Metafile['outputs'][string]} */ (outputs[path]);
    delete outputs[path];
  }
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  /** What each chunk exports. @type {Map<string, string[]>} */
  const order = new Map();
  for (const [chunk, name] of names) {
    const text = texts.get(chunk) ?? '';
    order.set(
      chunk,
      pairs(exportClause, text).map(([, as]) => as),
    );
    texts.set(chunk, withExports(text, texts.get(name) ?? '', chunk));
  }
  const folded = new Set(names.values());
  result.outputFiles = outputFiles.flatMap(({ path }) => {
    const [, script = '', map = ''] = /^(.*\.cjs)(\.map)?$/.exec(basename(path)) ?? [];
    const name = names.get(script);
    if (!name && folded.has(script)) return [];
    const text = texts.get(basename(path)) ?? '';
    const whole = map ? text : withOneEditor(withoutImports(text, names, order));
    return [fileOf(join(path, '..', (name ?? script) + map), whole)];
  });
}

const exportClause = /\nexport \{([^}]*)\}/;

/** @param {readonly string[]} users the scripts that begin with a chunk */
function scriptOf(users) {
  if (users.includes('main.cjs')) return users.includes('command.cjs') ? 'shared.cjs' : 'main.cjs';
  return users.includes('command.cjs') ? 'parts.cjs' : 'later.cjs';
}

/**
 * A chunk that gives what others import from it as a list, which takes less room than names, and with names what the script
 * exports that is nothing but imports from it. Nobody asks before the chunk has come to its end.
 * @param {string} chunk
 * @param {string} start that script
 * @param {string} name of the chunk
 */
function withExports(chunk, start, name) {
  const own = pairs(exportClause, chunk);
  const taken = pairs(new RegExp(`import \\{([^}]*)\\} from "\\./${name.replaceAll('.', '\\.')}"`), start);
  const given = pairs(/\bexport \{([^}]*)\}/, start).map(([local, as]) => {
    const source = taken.find(([, alias]) => alias === local)?.[0];
    const found = own.find(([, alias]) => alias === source)?.[0];
    if (!found) throw new Error(`${name} does not export ${local}.`);
    return `${as}: ${found}`;
  });
  const list = own.map(([local]) => local).join(', ');
  const whole = `module.exports = Object.assign([${list}], { ${given.join(', ')} });`;
  return chunk
    .replace(/\nexport \{[^}]*\};/, '')
    .replace(/(\n\/\/# sourceMappingURL=.*)?\s*$/, end => `\n${whole}\n${end}`);
}

/**
 * What is imported from a chunk is whole when it is asked for, and constant from then on.
 * @param {string} text
 * @param {ReadonlyMap<string, string>} names of the scripts, by those of the chunks
 * @param {ReadonlyMap<string, readonly string[]>} order
 */
function withoutImports(text, names, order) {
  const plain = text.replace(/\nexport \{([^}]*)\};/, (_clause, list) => {
    const given = pairs(/(.*)/s, list).map(([local, as]) => `${as}: ${local}`);
    return `\nmodule.exports = { ${given.join(', ')} };`;
  });
  return plain.replace(/^import (?:\{([^}]*)\} from )?"\.\/([\w-]+\.cjs)"/gm, (clause, list, chunk) => {
    const name = names.get(chunk);
    if (!name) return clause;
    const taken = new Map(pairs(/(.*)/s, list));
    const places = (order.get(chunk) ?? []).map(as => taken.get(as) ?? '');
    while (places.at(-1) === '') places.pop();
    return `${places.length > 0 ? `const [${places.join(', ')}] = ` : ''}require("./${name}")`;
  });
}

/**
 * The editor's interface under one name: a hundred files import it, and each would make an object of its own of it.
 * @param {string} text
 */
function withOneEditor(text) {
  let isFirst = true;
  return text.replace(/\bvscode\d+\b/g, 'vscode').replace(/^import \* as vscode from "vscode";\n/gm, line => {
    const kept = isFirst ? line : '\n';
    isFirst = false;
    return kept;
  });
}

/**
 * The names in `import { a as b }` or `export { a as b }`.
 * @param {RegExp} clause
 * @param {string} text
 */
const pairs = (clause, text) =>
  (clause.exec(text)?.[1] ?? '').split(',').flatMap(one => {
    const [from = '', as = from] = one.trim().split(/\s+as\s+/);
    // Every script has its own `require`.
    return from && from !== '__require' ? [/** @type {const} */ ([from, as])] : [];
  });

/**
 * A bundle that is one file reads all of it at once: there `require('./x')` in a file of `src` is an import as any other.
 * @type {import('esbuild').Plugin}
 */
const inOneFile = {
  name: 'in-one-file',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      /** @type {string[]} */
      const targets = [];
      const text = readFileSync(path, 'utf8').replace(lateCall, (call, target) =>
        target.endsWith('.cjs') ? call : `late${targets.push(target) - 1}`,
      );
      const imports = targets.map((target, at) => `import * as late${at} from '${target}';`);
      return { contents: imports.join('') + text, loader: 'ts' };
    });
  },
};

module.exports = { chunks, inOneFile };
