// The words of the interface as they are in the code: the arguments of t() and tn(), which are the keys of the bundles.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
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

const literal = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\`(?:[^\`\\$]|\\.)*\``;
/** A call with its texts, or one whose texts cannot be read off. */
const calls = new RegExp(
  String.raw`(?<![\w$.])(?:t\(\s*(${literal})(?=\s*[,)])|tn\([^'"\`]*?,\s*(${literal}),\s*(${literal})(?=\s*[,)])|(tn?\([^)]))`,
  'g',
);

/** @param {string} text a literal */
const unquoted = text => compileFunction(`return ${text}`)();

/** @param {string} file */
const codeOf = file => readFileSync(join(root, file), 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$/gm, '');

/**
 * @param {readonly string[]} [files]
 * @returns {{words: Word[], faults: string[]}} `faults`: calls whose words cannot be read off
 */
export function extract(files = speakingFiles()) {
  /** @type {Word[]} */
  const words = [];
  /** @type {string[]} */
  const faults = [];
  const explaining = ['describe', 'explain'].map(name => `src/query/help/${name}.ts`);
  for (const file of new Set(files)) {
    const isExplaining = explaining.includes(file);
    const code = isExplaining ? codeOf(file).replaceAll('say(', 't(') : codeOf(file);
    if (!/from '[^']*\/l10n'/.test(code) && !isExplaining) continue;
    for (const [, plain, one, many, unread] of code.matchAll(calls)) {
      if (plain) words.push({ text: unquoted(plain), role: 'plain', file });
      if (one) words.push({ text: unquoted(one), role: 'one', file });
      if (many) words.push({ text: unquoted(many), role: 'many', file });
      if (unread && !isExplaining) faults.push(`${file}: ${unread}`);
    }
  }
  return { words, faults };
}

const vocabulary = 'src/query/parse/vocabulary.ts';
const keyed = ['textFields', 'nameFields', 'numberFields', 'statusValues', 'sortFields', 'groupFields'];

/**
 * The filter language explains itself without knowing of bundles: its words are in its tables.
 * @param {boolean} isOffline
 * @returns {Word[]}
 */
function filterWords(isOffline) {
  const tables = /** @type {Record<string, Record<string, unknown>>} */ (loadSource(vocabulary, isOffline));
  const meanings = Object.values(tables).flatMap(table => Object.values(table));
  return [...meanings, ...keyed.flatMap(name => Object.keys(tables[name] ?? {}))].flatMap(text =>
    typeof text === 'string' ? { text, role: 'plain', file: vocabulary } : [],
  );
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
 * @param {readonly string[]} [files] that went into a flavor; the words of both where absent
 * @returns {Map<string, Set<Role>>} by text
 */
export function wordsOf(files) {
  /** @type {Map<string, Set<Role>>} */
  const found = new Map();
  const isOffline = files?.some(file => file.endsWith('/serverWords.offline.ts'));
  const ofFilters = isOffline === undefined ? [...filterWords(false), ...filterWords(true)] : filterWords(isOffline);
  const fromTables = [...ofFilters, ...fieldWords(), ...messageWords()];
  for (const { text, role } of [
    ...extract(files).words,
    ...fromTables.filter(({ file }) => !files || files.includes(file)),
  ])
    found.set(text, (found.get(text) ?? new Set()).add(role));
  return found;
}
