import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Session } from '../test/ui/driver';
import type { Window } from '../test/ui/window';
import { median, type Report } from './reference/figure';

const windows = 5;
const edits = 15;

/** The package as people install it, in real windows, beside an extension that does nothing. */
export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-'));
  const packing = ['scripts/package.mjs', '--flavor', 'full', '--quiet', '--out', folder];
  const made = spawnSync(process.execPath, packing, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr + made.stdout);
  const vsix = readdirSync(folder).find(name => name.endsWith('.vsix'))!;
  const data = join(folder, 'data');
  writeExtension(data, 'empty', 'onStartupFinished', 'exports.activate = () => {};');
  writeExtension(data, 'watch', '*', watching);
  const session = await Session.open({ vsix: [join(folder, vsix)], data });
  try {
    await trees(report, session.window);
    await activation(report, session.window);
  } finally {
    await session.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** An extension that is there before Dueline and notes how long the extension host answers nobody. */
const watching = `exports.activate = () => {
  const delays = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  return { longest: () => delays.max / 1e6 };
};`;

function writeExtension(data: string, name: string, event: string, code: string): void {
  const place = join(data, `extensions/dueline-tests.${name}-1.0.0`);
  mkdirSync(place, { recursive: true });
  const engines = { vscode: '^1.90.0' };
  const manifest = { name, publisher: 'dueline-tests', version: '1.0.0', engines, main: 'index.js' };
  const rest = { activationEvents: [event], extensionKind: ['workspace'] };
  writeFileSync(join(place, 'package.json'), JSON.stringify({ ...manifest, ...rest }));
  writeFileSync(join(place, 'index.js'), `${code}\n`);
}

/** What the editor itself says of a start, over fresh windows: one alone tells little. */
async function activation(report: Report, window: Window): Promise<void> {
  const above: number[] = [];
  const waited: number[] = [];
  const shown: number[] = [];
  const pauses: number[] = [];
  const parts: [load: number, call: number, finish: number][] = [];
  await window.page.addInitScript(noteFirstRow);
  for (let turn = 0; turn < windows; turn++) {
    await window.reload();
    await window.page.waitForFunction('window.firstRow');
    shown.push((await window.page.evaluate('window.firstRow')) as number);
    pauses.push(
      await window.run(vscode => vscode.extensions.getExtension('dueline-tests.watch')?.exports.longest() as number),
    );
    const text = await startupText(window);
    const [own, empty] = [timesOf(text, 'dueline.dueline'), timesOf(text, 'dueline-tests.empty')];
    parts.push(own);
    above.push(own[0] + own[1] - empty[0] - empty[1]);
    waited.push(own[2] - empty[2]);
  }
  const part = (at: 0 | 1 | 2) => median(parts.map(times => times[at]));
  report({
    name: 'activation (load and call) above an empty extension, ms',
    ratio: median(above),
    goal: 25,
    detail: `median of ${windows} windows, ${Math.min(...above)} to ${Math.max(...above)}; load ${part(0)} ms, call ${part(1)} ms`,
  });
  report({
    name: 'until the store is open, waiting and not busy, above it, ms',
    ratio: median(waited),
    detail: `finish ${part(2)} ms, ${Math.min(...waited)} to ${Math.max(...waited)}`,
  });
  report({
    name: 'from the page’s start until the tree shows its lists, ms',
    ratio: median(shown),
    detail: `${Math.round(Math.min(...shown))} to ${Math.round(Math.max(...shown))}, with 10 000 tasks in the store`,
  });
  report({
    name: 'longest time that the extension host answered nobody, ms',
    ratio: median(pauses),
    detail: `${Math.round(Math.min(...pauses))} to ${Math.round(Math.max(...pauses))}, the editor’s own start included`,
  });
}

/** Runs in the page from its first moment on. */
const noteFirstRow = `new MutationObserver((_, watch) => {
  const rows = document.querySelectorAll('.part.sidebar .monaco-list-row');
  if (![...rows].some(row => row.textContent.includes('Inbox'))) return;
  watch.disconnect();
  window.firstRow = performance.now();
}).observe(document, { subtree: true, childList: true, characterData: true });`;

/** The document of "Developer: Startup Performance" once it lists both extensions. */
async function startupText(window: Window): Promise<string> {
  for (let tries = 0; tries < 60; tries++) {
    await new Promise(resolve => setTimeout(resolve, 1000));
    await window.command('perfview.show');
    await new Promise(resolve => setTimeout(resolve, 500));
    const text = await window.run(vscode => vscode.window.activeTextEditor?.document.getText() ?? '');
    await window.command('workbench.action.closeAllEditors');
    if (/dueline-tests\.empty\s*\|/.test(text) && /dueline\.dueline\s*\|/.test(text)) return text;
  }
  throw new Error('The editor never listed the start of both extensions.');
}

/** Load Code, Call Activate, Finish Activate; the first two are what the editor calls the activation. */
function timesOf(text: string, id: string): [load: number, call: number, finish: number] {
  const line = text.split('\n').find(one => one.trimStart().startsWith(`| ${id} `));
  const cells = line?.split('|').map(cell => cell.trim()) ?? [];
  const numbers = cells.filter(cell => /^\d+$/.test(cell)).map(Number);
  if (numbers.length < 3) throw new Error(`No times of ${id} in: ${line}`);
  return numbers.slice(0, 3) as [number, number, number];
}

/** From an edit to the row that shows it, in a list of 10 000 tasks and in one of ten, turn by turn. */
async function trees(report: Report, window: Window): Promise<void> {
  const lists = await window.run(async vscode => {
    const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
    const filled = async (name: string, count: number) => {
      const list = await api.createList({ name });
      const changes = Array.from({ length: count }, (_, index) => ({
        type: 'create',
        listId: list,
        input: { title: `${name} task ${index}`, priority: index % 10, tags: index % 3 === 0 ? ['one'] : [] },
      }));
      await api.apply(changes);
      return list as number;
    };
    return { small: await filled('Small', 10), large: await filled('Large', 10_000) };
  });
  await window.view();
  const times = { small: [] as number[], large: [] as number[] };
  for (const name of ['Small', 'Large'] as const) {
    await window
      .rows(new RegExp(`^\\u2068?${name}`))
      .first()
      .click();
    await window.rows(`${name} task`).first().waitFor({ timeout: 60_000 });
    const list = name === 'Small' ? lists.small : lists.large;
    const title = (await window.rows(`${name} task`).first().textContent()) ?? '';
    const shown = /task \d+/.exec(title)![0];
    for (let turn = 0; turn < edits; turn++) {
      const fresh = `Turn ${name} ${turn}`;
      await window.page.evaluate(
        `void (window.seen = new Promise(done => {
          const look = () => document.querySelector('.part.sidebar').textContent.includes(${JSON.stringify(fresh)}) && (watch.disconnect(), done(Date.now()));
          const watch = new MutationObserver(look);
          watch.observe(document.querySelector('.part.sidebar'), { subtree: true, childList: true, characterData: true });
        }))`,
      );
      const before = await window.run(
        async (vscode, list, words, fresh) => {
          const api = vscode.extensions.getExtension('dueline.dueline')?.exports;
          const rows = api.rows(list) as { id: number; title: string }[];
          const { id } = rows.find(row => row.title.endsWith(words) || row.title.startsWith('Turn'))!;
          const start = Date.now();
          await api.updateTask(id, { title: fresh });
          return start;
        },
        list,
        shown,
        fresh,
      );
      const seen = (await window.page.evaluate('window.seen')) as number;
      times[name === 'Small' ? 'small' : 'large'].push(seen - before);
    }
    await window
      .rows(new RegExp(`^\\u2068?${name}`))
      .first()
      .click();
  }
  report({
    name: 'an edit to its row in the tree: 10 000 tasks to 10',
    ratio: median(times.large) / median(times.small),
    goal: 3,
    detail: `${median(times.large)} ms to ${median(times.small)} ms, the write to disk and the 20 ms of gathering included`,
  });
}
