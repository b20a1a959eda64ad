import { readPackage } from '../scripts/package/check';
import { packageOnce } from '../scripts/package/once';
import type { Window } from '../test/ui/support/window';
import { ofSeveral, type Report } from './reference/figure';
import { filledList, type Neighbor, withInstalled } from './reference/installed';

const windows = 5;

/**
 * A start with 10 000 tasks in the store, beside an extension that does nothing: fresh windows, since one alone shows
 * little.
 */
export const run = (report: Report): Promise<void> =>
  withInstalled([empty, tree], async session => {
    const { window } = session;
    await filledList(session, 'Large', 10_000);
    await window.view();
    const [above, later]: [number[], number[]] = [[], []];
    await window.page.addInitScript(noteFirstRows);
    for (let round = 0; round < windows; round++) {
      await window.reload();
      await window.page.waitForFunction('window.firstRow && window.staticRow');
      later.push((await window.page.evaluate('firstRow - staticRow')) as number);
      const text = await startupText(window);
      above.push(activationOf(text, 'dueline.dueline') - activationOf(text, 'dueline-tests.empty'));
    }
    const first = readWith('extension.js', readPackage(await packageOnce('full')));
    const name = 'from a static tree’s row until Lists shows its rows, 10 000 tasks, ms';
    report(ofSeveral('activation (load and call) above an empty extension, ms', above, 25, `${windows} windows`));
    report(ofSeveral(name, later, 150, 'in the same windows'));
    report({
      name: 'script that is read before Lists shows its rows, KB',
      ratio: [...first.values()].reduce((sum, length) => sum + length) / 1024,
      goal: 250,
      detail: `${[...first.keys()].join(', ')}; the rest is read after`,
    });
  });

const empty: Neighbor = { name: 'empty', event: 'onStartupFinished', code: 'exports.activate = () => {};' };

/** A tree of one row beside Dueline's views, which needs nothing for it. */
const tree: Neighbor = {
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

/** A script of the package and those that it requires, with their sizes; the door leads further once it is asked. */
function readWith(name: string, files: ReturnType<typeof readPackage>, read = new Map<string, number>()) {
  const script = files.get(`extension/dist/${name}`)!;
  read.set(name, script.length);
  const required =
    name === 'door.cjs' ? [] : new TextDecoder().decode(script).matchAll(/require\("\.\/([\w-]+\.cjs)"\)/g);
  for (const [, next] of required) if (!read.has(next!)) readWith(next!, files, read);
  return read;
}

/** Runs in the page from its first moment on. */
const noteFirstRows = `new MutationObserver((_, watch) => {
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

/** Load Code and Call Activate, which is what the editor calls the activation. */
function activationOf(text: string, id: string): number {
  const line = text.split('\n').find(one => one.trimStart().startsWith(`| ${id} `));
  const numbers = [...(line?.matchAll(/\|\s*(\d+)\s*(?=\|)/g) ?? [])].map(([, number]) => Number(number));
  if (numbers.length < 3) throw new Error(`No times of ${id} in: ${line}`);
  return numbers[0]! + numbers[1]!;
}
