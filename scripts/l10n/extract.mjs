// The words of the interface as they are in the code: the arguments of t() and tn(), which are the keys of the bundles.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'acorn';
import { buildSync } from 'esbuild';
import { loadSource } from '../loadSource.mjs';
import { root } from '../paths.mjs';

/**
 * @typedef {'plain' | 'one' | 'many'} Role of t(), or of tn() by its place. Under a `many` a bundle may add forms of its
 *   own as `text|few`
 * @typedef {{text: string, role: Role, file: string}} Word
 */

/** @returns {string[]} sources that speak to people, relative to the project */
const speakingFiles = () =>
  ['src', 'media'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.endsWith('l10n.ts'))
      .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
      .sort(),
  );

/**
 * @param {readonly string[]} [files]
 * @returns {{words: Word[], faults: string[]}} `faults`: calls whose words cannot be read off
 */
export function extract(files = speakingFiles()) {
  /** @type {Word[]} */
  const words = [];
  /** @type {string[]} */
  const faults = [];
  const speaking = [...new Set(files)].filter(file =>
    /from '[^']*\/l10n'/.test(readFileSync(join(root, file), 'utf8')),
  );
  for (const [file, code] of scriptsOf(speaking)) {
    for (const call of callsIn(code, ['t', 'tn'])) {
      const plural = call.callee.name === 'tn';
      const texts = (plural ? call.arguments.slice(1, 3) : call.arguments.slice(0, 1)).map(textOf);
      /** @type {Role[]} */
      const roles = plural ? ['one', 'many'] : ['plain'];
      const isRead = texts.length === roles.length && !texts.includes(undefined);
      if (isRead) roles.forEach((role, place) => void words.push({ text: texts[place] ?? '', role, file }));
      else faults.push(`${file}: ${code.slice(call.start, call.start + 60).replace(/\s+/g, ' ')}`);
    }
  }
  return { words, faults };
}

/**
 * The filter language explains itself without knowing of bundles: its words are the arguments of `say`, and its tables.
 * @returns {Word[]}
 */
function filterWords() {
  const folder = 'src/core/filter';
  const spoken = scriptsOf(['help/describe.ts', 'help/explain.ts'].map(name => `${folder}/${name}`)).flatMap(
    ([, code]) => {
      const said = callsIn(code, ['say']).map(call => textOf(call.arguments[0]));
      return [...said, ...tableIn(code, 'dateNames')].filter(text => text !== undefined);
    },
  );
  const load = (/** @type {string} */ file) =>
    /** @type {Record<string, Record<string, string>>} */ (loadSource(`${folder}/${file}`));
  const tables = load('parse/vocabulary.ts');
  const server = load('parse/serverWords.ts');
  const meanings = Object.values(tables)
    .flatMap(table => Object.values(table))
    .filter(meaning => typeof meaning === 'string');
  const names = ['textFields', 'nameFields', 'numberFields', 'statusValues', 'sortFields', 'groupFields'];
  const texts = [...spoken, ...meanings, ...names.flatMap(table => Object.keys(tables[table] ?? {}))];
  const wordsIn = (/** @type {string | Record<string, string>} */ table) =>
    typeof table === 'string' ? [table] : [...Object.keys(table), ...Object.values(table)];
  const ofServers = new Set(Object.values(server).flatMap(wordsIn));
  const fileOf = (/** @type {string} */ text) => (ofServers.has(text) ? 'parse/serverWords.ts' : 'parse/vocabulary.ts');
  const ofOffline = Object.values(load('parse/serverWords.offline.ts')).filter(word => typeof word === 'string');
  return [
    ...[...new Set(texts)].map(text => ({ text, file: fileOf(text) })),
    ...ofOffline.map(text => ({ text: String(text), file: 'parse/serverWords.offline.ts' })),
  ].map(({ text, file }) => ({ text, role: 'plain', file: `${folder}/${file}` }));
}

/**
 * What the fields of a task are called: the table says it, `translate` puts it in the person's language.
 * @returns {Word[]}
 */
function fieldWords() {
  const file = 'src/core/fields/table.ts';
  const { textFacts } = /** @type {{textFacts: Record<string, {label: string, name: string}>}} */ (loadSource(file));
  return Object.values(textFacts).flatMap(({ label, name }) =>
    [label, name].map(text => ({ text, role: 'plain', file })),
  );
}

/**
 * What the layers below the views say: the templates of their message tables.
 * @returns {(Word & {code: string})[]}
 */
export function messageWords() {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map(name => `src/${name.replaceAll('\\', '/')}`)
    .filter(name => name.endsWith('/messages.ts'))
    .sort();
  return files.flatMap(file => {
    const tables = /** @type {Record<string, {table: Record<string, string>}>} */ (loadSource(file));
    return Object.values(tables)
      .flatMap(({ table }) => Object.entries(table))
      .map(([code, text]) => ({ code, text, role: /** @type {const} */ ('plain'), file }));
  });
}

/**
 * @param {readonly string[]} [files]
 * @returns {Map<string, {roles: Set<Role>, files: Set<string>}>} by text
 */
export function wordsOf(files) {
  /** @type {Map<string, {roles: Set<Role>, files: Set<string>}>} */
  const found = new Map();
  const fromTables = [...filterWords(), ...fieldWords(), ...messageWords()].filter(
    ({ file }) => !files || files.includes(file),
  );
  for (const { text, role, file } of [...extract(files).words, ...fromTables]) {
    const known = found.get(text) ?? { roles: new Set(), files: new Set() };
    known.roles.add(role);
    known.files.add(file);
    found.set(text, known);
  }
  return found;
}

/**
 * @param {readonly string[]} files
 * @returns {[file: string, code: string][]} without types
 */
function scriptsOf(files) {
  if (files.length === 0) return [];
  const options = /** @type {const} */ ({
    write: false,
    format: 'esm',
    logLevel: 'error',
    charset: 'utf8',
    target: 'es2022',
  });
  const { outputFiles } = buildSync({
    ...options,
    entryPoints: [...files],
    absWorkingDir: root,
    outbase: root,
    outdir: root,
  });
  return outputFiles.map(({ path, text }) => [
    relative(root, path).replaceAll('\\', '/').replace(/\.js$/, '.ts'),
    text,
  ]);
}

/**
 * @typedef {{type: string, start: number, [key: string]: any}} Node
 * @param {unknown} value
 * @returns {Generator<Node>} the nodes of a syntax tree in the order of the text
 */
function* nodesIn(value) {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) yield/** @type {Node} */ (value);
  for (const part of Object.values(value)) yield* nodesIn(part);
}

/** @param {string} code */
const treeOf = code => nodesIn(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));

/**
 * @param {string} code
 * @param {readonly string[]} names of functions
 */
const callsIn = (code, names) =>
  [...treeOf(code)].filter(({ type, callee }) => type === 'CallExpression' && names.includes(callee.name));

/**
 * @param {string} code
 * @param {string} name
 * @returns {(string | undefined)[]} the texts of an object
 */
const tableIn = (code, name) =>
  [...treeOf(code)]
    .filter(({ type, id }) => type === 'VariableDeclarator' && id.name === name)
    .flatMap(({ init }) => init.properties.map((/** @type {Node} */ property) => textOf(property.value)));

/**
 * @param {Node | undefined} node
 * @returns {string | undefined} undefined where it is something else than a plain literal
 */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0].value.cooked : undefined;
}
