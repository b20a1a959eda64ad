// The words of the interface as they stand in the code: the arguments of t() and tn(), which are the keys of the bundles.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    if (!/import \{[^}]*\btn?\b[^}]*\} from '[^']*\/l10n'/s.test(source)) continue;
    const code = withoutComments(source);
    for (const call of code.matchAll(/(?<![\w$.])(tn?)\(\s*/g)) {
      const at = call.index + call[0].length;
      const plural = call[1] === 'tn';
      const texts = plural ? literalsAfter(code, skipArgument(code, at), 2) : literalsAfter(code, at, 1);
      if (texts)
        texts.forEach(
          (text, place) => void words.push({ text, role: plural ? (place === 0 ? 'one' : 'many') : 'plain', file }),
        );
      else faults.push(`${file}: ${code.slice(call.index, call.index + 60).replace(/\s+/g, ' ')}`);
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
  const spoken = ['help/describe.ts', 'help/explain.ts'].flatMap(name => {
    const code = withoutComments(readFileSync(join(root, folder, name), 'utf8'));
    const said = [...code.matchAll(/\bsay\(\s*/g)].flatMap(
      call => literalsAfter(code, call.index + call[0].length, 1) ?? [],
    );
    const table = /const dateNames[^{]*\{([^}]*)\}/.exec(code)?.[1] ?? '';
    return [...said, ...[...table.matchAll(/'([^']+)'/g)].map(([, text]) => text ?? '')];
  });
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
  const fromTables = [...filterWords(), ...messageWords()].filter(({ file }) => !files || files.includes(file));
  for (const { text, role, file } of [...extract(files).words, ...fromTables]) {
    const known = found.get(text) ?? { roles: new Set(), files: new Set() };
    known.roles.add(role);
    known.files.add(file);
    found.set(text, known);
  }
  return found;
}

/**
 * @param {string} code
 * @param {number} start
 * @param {number} count
 * @returns {string[] | undefined} undefined where something else than a plain literal stands there
 */
function literalsAfter(code, start, count) {
  const texts = [];
  let at = start;
  for (let number = 0; number < count; number++) {
    while (/\s/.test(code[at] ?? '')) at += 1;
    const end = endOfLiteral(code, at);
    if (end === undefined) return undefined;
    texts.push(textOf(code.slice(at, end)));
    at = end;
    while (/\s/.test(code[at] ?? '')) at += 1;
    if (code[at] === ',') at += 1;
    else if (number < count - 1 || code[at] !== ')') return undefined;
  }
  return texts;
}

/**
 * @param {string} code
 * @param {number} at
 */
function endOfLiteral(code, at) {
  const quote = code[at] ?? '';
  if (!`'"\``.includes(quote) || quote === '') return undefined;
  let end = at + 1;
  while (end < code.length && code[end] !== quote) {
    if (quote === '`' && code.startsWith('${', end)) return undefined;
    end += code[end] === '\\' ? 2 : 1;
  }
  return end + 1;
}

/** @param {string} literal of JavaScript */
const textOf = literal =>
  JSON.parse(
    `"${literal
      .slice(1, -1)
      .replace(/\\(['`])/g, '$1')
      .replace(/(?<!\\)"/g, '\\"')}"`,
  );

/**
 * @param {string} code
 * @param {number} start
 * @returns {number} the place after the comma that ends the argument
 */
function skipArgument(code, start) {
  let depth = 0;
  let at = start;
  while (at < code.length) {
    const end = endOfLiteral(code, at);
    if (end !== undefined) {
      at = end;
      continue;
    }
    const sign = code[at] ?? '';
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    else if (sign === ',' && depth === 0) return at + 1;
    if (depth < 0) return at;
    at += 1;
  }
  return at;
}

/**
 * Blanks comments, so that an example in one is not taken for a call. Strings with // in them stay.
 * @param {string} code
 */
const withoutComments = code =>
  code.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, part =>
    part.startsWith('/') ? part.replace(/[^\n]/g, ' ') : part,
  );
