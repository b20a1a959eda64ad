// The words of the interface as they are in the code: the arguments of t() and tn(), which are the keys of the bundles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { textFacts } from '../../src/core/fields/table';
import { loadSource } from '../loadSource';
import { filesBelow, root } from '../paths';

/** The role of a text in t(), or by its position in tn(). Under a `many` a bundle may add forms of its own as `text|few`. */
type Role = 'plain' | 'one' | 'many';

interface Word {
  readonly text: string;
  readonly role: Role;
  readonly file: string;
}

/** Sources that speak to people. */
const speakingFiles = (): string[] =>
  [...filesBelow('src', '.ts'), ...filesBelow('media', '.ts')].filter(name => !/\.d\.ts$|l10n\.ts$/.test(name));

const literal = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\`(?:[^\`\\$]|\\.)*\``;
/** A call with its texts, or one whose texts cannot be read off. */
const calls = new RegExp(
  String.raw`(?<![\w$.])(?:t\(\s*(${literal})(?=\s*[,)])|tn\([^'"\`]*?,\s*(${literal}),\s*(${literal})(?=\s*[,)])|(tn?\([^)]))`,
  'g',
);

const unquoted = (literal: string) => compileFunction(`return ${literal}`)();

const codeOf = (file: string) => readFileSync(join(root, file), 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$/gm, '');

/** The words in calls; `faults` are calls whose words cannot be read off. */
export function extract(files: readonly string[] = speakingFiles()): { words: Word[]; faults: string[] } {
  const words: Word[] = [];
  const faults: string[] = [];
  const explaining = ['describe', 'explain'].map(name => `src/query/help/${name}.ts`);
  for (const file of new Set(files)) {
    const isExplaining = explaining.includes(file);
    const code = isExplaining ? codeOf(file).replaceAll('translate(', 't(') : codeOf(file);
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

/** The filter language explains itself without knowing of bundles: its words are in its tables. */
function filterWords(isOffline: boolean): Word[] {
  const tables = loadSource(vocabulary, isOffline) as Record<string, Record<string, unknown>>;
  const meanings = Object.values(tables).flatMap(table => Object.values(table));
  return [...meanings, ...keyed.flatMap(name => Object.keys(tables[name] ?? {}))].flatMap(text =>
    typeof text === 'string' ? { text, role: 'plain', file: vocabulary } : [],
  );
}

/** The names of the fields of a task: the table says them, `translate` puts them in the user's language. */
const fieldWords = (): Word[] =>
  Object.values(textFacts).flatMap(({ label, name }) =>
    [label, name].map((text): Word => ({ text, role: 'plain', file: 'src/core/fields/table.ts' })),
  );

/** The messages of the layers below the views: the templates of their message tables. */
export const messageWords = (): (Word & { code: string })[] =>
  filesBelow('src', '/messages.ts').flatMap(file =>
    Object.values(loadSource(file) as Record<string, { table: Record<string, string> }>)
      .flatMap(({ table }) => Object.entries(table))
      .map(([code, text]) => ({ code, text, role: 'plain', file })),
  );

/** The roles of each text; `files`: those that went into a flavor, of both if it is absent. */
export function wordsOf(files?: readonly string[]): Map<string, Set<Role>> {
  const found = new Map<string, Set<Role>>();
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
