import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf } from '../src/core/code/languages';
import { isGenerated, todosOf, todoWords } from '../src/core/code/todos';
import { type Report, timed } from './reference/figure';

const fixtures = 'test/core/fixtures/todos';

interface Source {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/** The todos of a folder of source files, against the time in which ripgrep finds the same words; and hits in strings. */
export async function run(report: Report, { repo = ['.'] }: { readonly repo?: readonly string[] } = {}): Promise<void> {
  for (const folder of repo) {
    const sources = sourcesIn(folder);
    const bytes = sources.reduce((sum, { text }) => sum + text.length, 0);
    let found = 0;
    const own = timed(5, () => (found = scan(sources).length), 2);
    const search = timed(5, () => ripgrep(folder), 2);
    const megabytes = `${sources.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${found} todos`;
    report({
      name: `todos of ${folder}, to ripgrep's time`,
      ratio: ripgrep(folder) ? own / search : Number.NaN,
      detail: `${megabytes}: ${own.toFixed(0)} ms, ripgrep ${ripgrep(folder) ? `${search.toFixed(0)} ms` : 'is not on the PATH'}`,
    });
    report({ name: `longest time between two stops in ${folder}, ms`, ratio: longestStep(sources), goal: 8 });
  }
  const corpus = readdirSync(fixtures).map(name => sourceOf(join(fixtures, name), name.replace(/\.txt$/, '')));
  const inStrings = scan(corpus.filter(one => one !== undefined)).filter(text => text.startsWith('fake'));
  report({ name: `hits in strings of ${corpus.length} languages`, ratio: inStrings.length, goal: 0 });
}

function sourceOf(path: string, name = path): Source | undefined {
  const language = languageOf(name) ?? languageOf(path);
  if (!language || statSync(path).size > 2 << 20) return undefined;
  const text = readFileSync(path, 'utf8');
  return isGenerated(text, path) ? undefined : { path, language, text };
}

const sourcesIn = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => !/(^|\/)(node_modules|\.git|dist|out)(\/|$)/.test(name))
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
    .flatMap(path => sourceOf(path) ?? []);

const scan = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ text, language }) => [...todosOf(text, language)].flatMap(todo => (todo ? [todo.text] : [])));

/** Of three tries the best: other programs have the processor too. */
const longestStep = (sources: readonly Source[]): number =>
  Math.max(...sources.map(source => Math.min(...[1, 2, 3].map(() => longestStepOf(source)))));

/** With a word at the end, so that no file is left out at once. */
function longestStepOf({ text, language }: Source): number {
  let longest = 0;
  let last = performance.now();
  for (const _ of todosOf(`${text}\nTODO`, language)) {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  return Math.max(longest, performance.now() - last);
}

const ripgrep = (folder: string): boolean =>
  spawnSync('rg', ['--count-matches', todoWords.join('|'), folder], { stdio: 'ignore' }).status === 0;
