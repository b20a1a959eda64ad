import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Session } from './support/driver';
import { gitIn, makeRepository, writeIn } from './support/repository';
import { until } from './support/wait';
import { clear } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

const method = (name: string) => `  ${name}(input: string): string {
    const prepared = prepare${name}(input);
    const result = work(prepared);
    return result.trim();
  }
`;
const source = `export class Session {\n${['alpha', 'beta', 'gamma'].map(method).join('\n')}}\n`;

const plain = `import { prepare } from './prepare';

function trimmed(input: string, options: Options): string {
  const prepared = prepare(input);
  if (options.isLoud) return prepared.toUpperCase();
  return options.isLong ? prepared : prepared.slice(0, 80);
}
`;

describe('places in code that changes elsewhere', () => {
  let work: Session;
  let window: Window;
  let folder: string;
  let first: string;
  const git = (...args: string[]) => gitIn(folder, ...args);
  const path = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeIn(folder, name, text);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-changes-'));
    const files = { 'src/session.ts': source, 'src/plain.ts': plain, 'src/other.ts': 'export const other = 1;\n' };
    makeRepository(folder, files, 'git@example.org:team/app.git');
    work = await Session.open({ theme: 'dark', folder, withGit: true, size: { width: 1300, height: 820 } });
    window = work.window;
    first = git('rev-parse', 'HEAD').trim();
    await window.view();
  });
  beforeEach(async () => {
    await window.command('workbench.action.closeAllEditors');
    await clear(window);
    git('checkout', '-qfB', 'main', first);
    git('clean', '-qfd');
    await window.command('dueline.lists.focus');
    await window.expand('Inbox');
  });
  after(async () => {
    await work?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  /** As a person opens a file: the editor lets go of it when its tab is closed. */
  async function show(name: string, line = 1): Promise<void> {
    await window.run(
      async (vscode, path, line) => {
        const selection = new vscode.Range(line - 1, 0, line - 1, 0);
        await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { selection, preview: false });
        await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      },
      path(name),
      line,
    );
    const tab = window.page.locator('.tab.active').filter({ hasText: name.split('/').at(-1)! });
    await tab.first().waitFor({ timeout: timeoutMs });
  }
  /** A task for a line, which is counted from 1. */
  async function link(name: string, line: number, title: string): Promise<number> {
    await show(name, line);
    void window.command('dueline.addHere');
    await window
      .picks(`${name.split('/').at(-1)}:${line}`)
      .first()
      .waitFor({ timeout: timeoutMs });
    await window.quickText.fill(title);
    await window.page.keyboard.press('Enter');
    return until(`the task ${title}`, timeoutMs, async () => (await ids(title))[0]);
  }
  const ids = (query: string): Promise<number[]> =>
    window.run(async (vscode, query) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query(query).map(({ task }: { task: { id: number } }) => task.id);
    }, query);
  const says = (title: string, place: string) =>
    window.rows(title).filter({ hasText: place }).first().waitFor({ timeout: timeoutMs });
  const text = () => window.run(vscode => vscode.window.activeTextEditor?.document.getText() ?? '');
  const lineOf = (text: string, words: string) => text.split('\n').findIndex(line => line.includes(words)) + 1;

  it('takes no equal line of an open file for theirs when a branch is switched to', async () => {
    await link('src/session.ts', lineOf(source, 'preparebeta') + 1, 'Work twice');
    git('checkout', '-qb', 'feature');
    const without = source
      .replace(`${method('beta')}\n`, '')
      .replace(method('gamma'), `${method('gamma')}\n${method('delta')}`);
    write('src/session.ts', without);
    await until('the other text', timeoutMs, async () => (await text()) === without);
    await says('Work twice', '(stale)');
    git('checkout', '-q', '--', 'src/session.ts');
    await says('Work twice', `session.ts:${lineOf(source, 'preparebeta') + 1}`);
    git('checkout', '-q', 'main');
  });

  it('says of a line that is known by its neighbors alone that it is probably there', async () => {
    await link('src/plain.ts', 4, 'Prepare it');
    write('src/plain.ts', plain.replace('prepare(input)', 'prepare(input, options)'));
    await says('Prepare it', '(probably here)');
    await show('src/plain.ts', 4);
    await window.command('editor.action.showHover');
    const hover = window.page.locator('.monaco-hover').filter({ hasText: 'Probably here' });
    await hover.first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Escape');
    git('checkout', '-q', '--', 'src/plain.ts');
    const row = window.rows('Prepare it').filter({ hasText: 'plain.ts:4' });
    await until('the line to be sure', timeoutMs, async () => {
      const text = (await row.count()) > 0 ? ((await row.first().textContent()) ?? '') : 'probably';
      return !text.includes('probably');
    });
  });

  it('keeps what was cut while its file is closed', async () => {
    const { keyboard } = window.page;
    const line = lineOf(source, 'preparegamma');
    await link('src/session.ts', line, 'Carry it');
    await show('src/session.ts', line);
    await keyboard.press('Control+x');
    await window.command('workbench.action.files.save');
    await window.command('workbench.action.closeActiveEditor');
    await until('the file to be closed', timeoutMs, () =>
      window.run(vscode => !vscode.workspace.textDocuments.some(({ fileName }) => fileName.endsWith('session.ts'))),
    );
    await show('src/other.ts');
    await keyboard.press('Control+v');
    await says('Carry it', 'other.ts:1');
    await window.command('workbench.action.files.revert');
    git('checkout', '-q', '--', 'src/session.ts');
    await show('src/session.ts', line);
    assert.equal(readFileSync(path('src/session.ts'), 'utf8'), source);
  });

  it('follows a file that is renamed in the editor, by git with another name, and by another program', async () => {
    await link('src/plain.ts', 4, 'Prepare it');
    await link('src/plain.ts', 3, 'Follow it');
    const move = (from: string, to: string) =>
      window.run(
        async (vscode, from, to) => {
          const edit = new vscode.WorkspaceEdit();
          edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to));
          await vscode.workspace.applyEdit(edit);
        },
        path(from),
        path(to),
      );
    await move('src/plain.ts', 'src/first.ts');
    await says('Follow it', 'first.ts:3');
    await move('src', 'lib');
    await show('lib/first.ts');
    await until('the place in the folder', timeoutMs, async () => (await ids('in:file')).length === 2);
    await move('lib', 'src');
    git('add', '-A');
    git('commit', '-qm', 'first name');
    await window.command('workbench.action.closeAllEditors');
    git('mv', 'src/first.ts', 'src/second.ts');
    git('commit', '-qm', 'second name');
    await says('Follow it', 'second.ts:3');
    git('checkout', '-q', 'HEAD~1');
    await says('Follow it', 'first.ts:3');
    git('checkout', '-q', 'main');
    await says('Follow it', 'second.ts:3');
    await until('no stale place', timeoutMs, async () => (await ids('link:stale Follow')).length === 0);
    mkdirSync(path('other'));
    renameSync(path('src/second.ts'), path('other/second.ts'));
    await show('other/second.ts');
    await until('the place in the other folder', timeoutMs, async () => (await ids('in:file')).length === 2);
    await window.command('workbench.action.closeAllEditors');
    rmSync(path('other/second.ts'));
    await says('Follow it', '(stale)');
    assert.equal((await ids('link:stale Follow')).length, 1);
    git('checkout', '-q', '--', 'src/second.ts');
    await until('the place again', timeoutMs, async () => (await ids('link:stale Follow')).length === 0);
    await says('Follow it', 'second.ts:3');
  });
});
