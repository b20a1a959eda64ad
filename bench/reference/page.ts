import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Figure, ratioText, verdictOf } from './figure';

/** The parts, by the names that the page gives them, in its order. */
export const parts: Readonly<Record<string, string>> = {
  anchors: 'Links to code',
  cli: 'Command line',
  meetings: 'Meetings',
  store: 'Store',
  sync: 'Sync',
  syncFolder: 'Lists in a folder',
  text: 'Lists as text',
  todos: 'TODO comments',
  uiStart: 'Start in the editor',
  widgets: 'Widgets',
  window: 'Acts in the editor',
};

const [begin, end] = ['<!-- bench -->', '<!-- /bench -->'];
const head = ['| Part | Figure | Ratio | Goal |  | Measured | Commit |', '| --- | --- | --- | --- | --- | --- | --- |'];

/**
 * The page with the figures of a part in the place of those that it had; other parts keep theirs, with the commit that
 * they were measured on. Throws if the page has no place for the table.
 */
export function withFigures(page: string, part: string, figures: readonly Figure[], commit: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no marks ${begin} … ${end}.`);
  const rows = page
    .slice(from + begin.length, to)
    .split('\n')
    .filter(line => line.startsWith('| '))
    .slice(head.length);
  const ofPart = (title: string) => rows.filter(row => row.startsWith(`| ${title} | `));
  const table = Object.entries(parts).flatMap(([name, title]) =>
    name === part ? figures.map(figure => rowOf(title, figure, commit)) : ofPart(title),
  );
  return `${page.slice(0, from + begin.length)}\n\n${[...head, ...table].join('\n')}\n\n${page.slice(to)}`;
}

function rowOf(title: string, figure: Figure, commit: string): string {
  const { name, goal, detail = '' } = figure;
  const verdict = verdictOf(figure);
  const shown = verdict === 'MISSED' ? '**missed**' : verdict;
  const cells = [title, name, ratioText(figure), goal === undefined ? '' : `≤ ${goal}`, shown, detail, commit];
  return `| ${cells.join(' | ')} |`;
}

/** Writes the figures of a part into `docs/quality.md`; another repository has none. */
export function writeFigures(part: string, figures: readonly Figure[]): void {
  const path = 'docs/quality.md';
  if (!existsSync(path)) return;
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
  writeFileSync(path, withFigures(readFileSync(path, 'utf8'), part, figures, commit));
}
