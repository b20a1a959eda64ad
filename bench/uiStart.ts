import type { Window } from '../test/ui/support/window';
import { median, type Report } from './reference/figure';
import { filledList, type Neighbour, withInstalled } from './reference/installed';

const windows = 5;

/** A start with 10 000 tasks in the store, beside an extension that does nothing. */
export const run = (report: Report): Promise<void> =>
  withInstalled([empty, watch, tree], async session => {
    await filledList(session, 'Large', 10_000);
    await session.window.view();
    await activation(report, session.window);
  });

const empty: Neighbour = { name: 'empty', event: 'onStartupFinished', code: 'exports.activate = () => {};' };

/** An extension that is there before Dueline and notes how long the extension host answers nobody. */
const watch: Neighbour = {
  name: 'watch',
  event: '*',
  code: `exports.activate = () => {
  const delays = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  return { longest: () => delays.max / 1e6 };
};`,
};

/** A tree of one row beside Dueline's views, which needs nothing for it. */
const tree: Neighbour = {
  name: 'tree',
  event: '*',
  contributes: { views: { dueline: [{ id: 'tests.static', name: 'Static' }] } },
  code: `exports.activate = () => {
  const vscode = require('vscode');
  vscode.window.registerTreeDataProvider('tests.static', {
    getChildren: node => (node ? [] : ['Static row']),
    getTreeItem: node => new vscode.TreeItem(node),
  });
};`,
};

/** What the editor itself says of a start, over fresh windows: one alone tells little. */
async function activation(report: Report, window: Window): Promise<void> {
  const above: number[] = [];
  const waited: number[] = [];
  const shown: number[] = [];
  const later: number[] = [];
  const pauses: number[] = [];
  const parts: [load: number, call: number, finish: number][] = [];
  await window.page.addInitScript(noteFirstRow);
  for (let turn = 0; turn < windows; turn++) {
    await window.reload();
    await window.page.waitForFunction('window.firstRow && window.staticRow');
    const at = (await window.page.evaluate('({ own: firstRow, other: staticRow })')) as { own: number; other: number };
    shown.push(at.own);
    later.push(at.own - at.other);
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
    name: 'from a static tree’s row until Lists shows its rows, 10 000 tasks, ms',
    ratio: median(later),
    goal: 150,
    detail: `${Math.round(Math.min(...later))} to ${Math.round(Math.max(...later))}, in the same windows`,
  });
  report({
    name: 'script that is read before Lists shows its rows, KB',
    ratio: (await bytesOf(window, firstScripts)) / 1024,
    goal: 250,
    detail: `${firstScripts.join(', ')}; the rest is read after`,
  });
  report({
    name: 'longest time that the extension host answered nobody, ms',
    ratio: median(pauses),
    detail: `${Math.round(Math.min(...pauses))} to ${Math.round(Math.max(...pauses))}, the editor’s own start included`,
  });
}

const firstScripts = ['extension.js', 'main.cjs', 'shared.cjs', 'door.cjs', 'sqlite.cjs'];

/** Of scripts of the installed package. */
const bytesOf = (window: Window, names: readonly string[]): Promise<number> =>
  window.run((vscode, names) => {
    const { statSync } = require('node:fs') as typeof import('node:fs');
    const folder = vscode.extensions.getExtension('dueline.dueline')!.extensionPath;
    return names.reduce((sum: number, name: string) => sum + statSync(`${folder}/dist/${name}`).size, 0);
  }, names);

/** Runs in the page from its first moment on. */
const noteFirstRow = `new MutationObserver((_, watch) => {
  const rows = [...document.querySelectorAll('.part.sidebar .monaco-list-row')];
  if (rows.some(row => row.textContent.includes('Inbox'))) window.firstRow ??= performance.now();
  if (rows.some(row => row.textContent.includes('Static row'))) window.staticRow ??= performance.now();
  if (window.firstRow && window.staticRow) watch.disconnect();
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
