import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { languageOf } from '../src/core/code/languages';
import { isGenerated, todosOf, todoWords } from '../src/core/code/todos';
import { isInstalled } from '../test/interop/support/servers';
import { compared, inTurns, type Report } from './reference/figure';

interface Source {
  readonly language: string;
  readonly text: string;
}

/** The todos of the repository that it is started in, against the time in which ripgrep finds the same words. */
export async function run(report: Report): Promise<void> {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trimEnd().split('\n');
  const sources = files.flatMap(path => sourceOf(path) ?? []);
  const megabytes = sources.reduce((sum, { text }) => sum + text.length, 0) / 1e6;
  const todos = sources.flatMap(({ text, language }) => [...todosOf(text, language)].filter(todo => todo)).length;
  const search = () => void spawnSync('rg', ['--count-matches', todoWords.join('|'), '.']);
  const times = await inTurns(5, {
    own: () => {
      for (const { text, language } of sources) for (const _ of todosOf(text, language));
    },
    ripgrep: isInstalled('rg') ? search : undefined,
  });
  const note = `${sources.length} files, ${megabytes.toFixed(1)} MB, ${todos} todos`;
  report(compared('todos of . to ripgrep’s time', times.own, times.ripgrep, undefined, note));
  report({ name: 'longest time between two stops in ., ms', ratio: longestStep(sources), goal: 8 });
}

function sourceOf(path: string): Source | undefined {
  const language = languageOf(path);
  if (!language || statSync(path).size > 2 << 20) return undefined;
  const text = readFileSync(path, 'utf8');
  return isGenerated(text, path) ? undefined : { language, text };
}

/** The best of three tries: other programs use the processor too. */
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
