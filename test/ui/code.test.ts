import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { repositoryOf } from '../../src/core/code/repository';
import { gitIn, makeRepository } from '../support/repository';
import { source } from '../support/sampleCode';
import { Session } from './support/driver';
import { until } from './support/wait';
import { clear } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

const plain = `import { prepare } from './prepare';

function trimmed(input: string, options: Options): string {
  const prepared = prepare(input);
  if (options.isLoud) return prepared.toUpperCase();
  return options.isLong ? prepared : prepared.slice(0, 80);
}
`;

/** Files that the editor has in mind are read again a moment after they were changed. */
async function textsAreFresh({ workspace }: typeof vscode): Promise<boolean> {
  const files = workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file' || uri.scheme === 'vscode-remote');
  for (const document of files) {
    const text = new TextDecoder().decode(await workspace.fs.readFile(document.uri));
    if (text !== document.getText()) return false;
  }
  return true;
}

interface Row {
  readonly id: number;
  readonly title: string;
  readonly status: number;
  readonly isDeleted: boolean;
  readonly unknownProperties: string | null;
}

describe('tasks in code', () => {
  let work: Session;
  let window: Window;
  let folder: string;
  const git = (...args: string[]) => gitIn(folder, ...args);
  const file = (name: string) => join(folder, 'src', name);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-code-'));
    const files = { 'src/session.ts': source, 'src/plain.ts': plain, 'src/other.ts': 'export const other = 1;\n' };
    makeRepository(folder, files, 'git@example.org:team/app.git');
    work = await Session.open({ theme: 'dark', folder, size: { width: 1300, height: 820 } });
    window = work.window;
    await window.view();
  });
  beforeEach(async () => {
    await window.command('workbench.action.closeAllEditors');
    await clear(window);
    git('checkout', '-q', '--', '.');
    await until('the texts of the files', timeoutMs, () => window.run(textsAreFresh));
  });
  after(async () => {
    await work?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const rows = (): Promise<Row[]> =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.rows(api.lists()[0].id) as Row[];
    });
  const row = (title: string) =>
    until(`the task ${title}`, timeoutMs, async () =>
      (await rows()).find(one => one.title === title && !one.isDeleted),
    );

  /** Shows a file with the cursor on a line, which is counted from 1. */
  async function show(name: string, line: number): Promise<void> {
    await window.run(
      async (vscode, path, line) => {
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(path));
        editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
        await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      },
      file(name),
      line,
    );
    await window.page.locator('.tab.active').filter({ hasText: name }).first().waitFor({ timeout: timeoutMs });
  }

  /** The text behind lines: what is drawn there is in no element. */
  const behind = () =>
    window.page.evaluate<string[]>(`[...document.querySelectorAll('.editor-instance .view-line')].flatMap(line => {
      const words = [...line.querySelectorAll('span')]
        .map(part => getComputedStyle(part, '::after').content).filter(text => text.includes('○'));
      return words.map(text => line.textContent.trim().replace(/\\u00a0/g, ' ') + ' ' + text.replace(/["\\u2068\\u2069]/g, ''));
    })`);
  /** A task for a line, which is counted from 1, and its words behind the line. */
  async function link(name: string, line: number, title: string): Promise<void> {
    await show(name, line);
    const id = await window.run(async (vscode, title) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return (await api.createTask(api.lists()[0].id, { title })) as number;
    }, title);
    await window.command('dueline.linkHere', id);
    await until('the words behind the line', timeoutMs, async () => (await behind()).length === 1);
  }

  it('are added by one key and a title, and shown behind their line', async () => {
    await show('session.ts', 8);
    await window.page.keyboard.press('Control+Alt+Shift+Enter');
    await window.picks('session.ts:8').first().waitFor({ timeout: timeoutMs });
    await window.quickText.fill('Fix race tomorrow');
    await window.picks('Add').first().waitFor();
    await window.page.keyboard.press('Enter');
    const { unknownProperties } = await row('Fix race');
    const { id } = repositoryOf(['https://example.org/team/app'], '');
    assert.match(
      unknownProperties!,
      new RegExp(`X-DUELINE-ANCHOR;V=1;REPO=${id};PATH=#[0-9a-f]{24};LINE=8:[0-9a-f]{77}`),
    );
    assert.doesNotMatch(unknownProperties!, /session|token/i);
    await until('the words behind the line', timeoutMs, async () => (await behind()).length > 0);
    assert.deepEqual(await behind(), ['this.#token = requestToken(this.user); ○ Fix race · Tomorrow']);
  });

  it('follow edits, without a change to the task', async () => {
    await link('session.ts', 8, 'Fix race');
    const before = (await row('Fix race')).unknownProperties;
    await show('session.ts', 1);
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.type('/* The session of a person */\n/* and its token */\n');
    await until('the words on the moved line', timeoutMs, async () => (await behind())[0]?.startsWith('this.#token'));
    await window.command('workbench.action.files.save');
    assert.equal((await row('Fix race')).unknownProperties, before);
    await window.expand('Inbox');
    await window.rows('Fix race').filter({ hasText: 'session.ts:10' }).first().waitFor({ timeout: timeoutMs });
  });

  it('have actions on hover', async () => {
    await link('session.ts', 8, 'Fix race');
    await window.command('editor.action.showHover');
    const hover = window.page.locator('.monaco-hover').filter({ hasText: 'Fix race' }).first();
    await hover.waitFor({ timeout: timeoutMs });
    await hover.getByText('Complete', { exact: true }).click();
    await until('the task to be done', timeoutMs, async () => (await row('Fix race')).status === 2);
    await until('the line to be bare', timeoutMs, async () => (await behind()).length === 0);
    await window.command('dueline.undo');
    await until('the task to be open', timeoutMs, async () => (await row('Fix race')).status === 0);
  });

  it('go along with their line into another file, and come back with undo', async () => {
    const { keyboard } = window.page;
    const labels = () =>
      window.run(async vscode => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const at = (query: string) => api.query(query).length as number;
        return [at('link:file:src/session.ts'), at('link:file:src/other.ts'), at('link:stale')];
      });
    await link('session.ts', 8, 'Fix race');
    await keyboard.press('Control+x');
    await until('the words to go', timeoutMs, async () => (await behind()).length === 0);
    await show('other.ts', 1);
    await keyboard.press('Control+v');
    await until('the words in the other file', timeoutMs, async () => (await behind()).length === 1);
    await until('the other file', timeoutMs, async () => (await labels()).join() === '0,1,0');
    await keyboard.press('Control+z');
    await window.command('workbench.action.files.revert');
    await show('session.ts', 8);
    await keyboard.press('Control+z');
    await until('the words back', timeoutMs, async () => (await behind()).length === 1);
    await window.command('workbench.action.files.save');
    await until('the first file', timeoutMs, async () => (await labels()).join() === '1,0,0');
  });

  it('are shown above their line, or not at all, where that is set', async () => {
    const set = (value?: string) =>
      window.run(async (vscode, value) => {
        await vscode.workspace.getConfiguration().update('dueline.links.show', value, true);
      }, value);
    await link('session.ts', 8, 'Fix race');
    await set('codeLens');
    await window.page.locator('.codelens-decoration').filter({ hasText: 'Fix race' }).waitFor({ timeout: timeoutMs });
    assert.deepEqual(await behind(), []);
    await set('gutter');
    const mark = window.page.locator('.glyph-margin-widgets .cgmr');
    await mark.first().waitFor({ timeout: timeoutMs });
    const image = `getComputedStyle(document.querySelector('.glyph-margin-widgets .cgmr')).backgroundImage`;
    assert.match(await window.page.evaluate<string>(image), /^url\("data:image/);
    assert.deepEqual(await behind(), []);
    await set('off');
    await mark.first().waitFor({ state: 'detached', timeout: timeoutMs });
    await window.page.locator('.codelens-decoration').waitFor({ state: 'detached', timeout: timeoutMs });
    await set();
    await until('the words back', timeoutMs, async () => (await behind()).length === 1);
  });

  it('are made from a comment by the light bulb, which leaves it as it is', async () => {
    await link('session.ts', 8, 'Fix race');
    await show('session.ts', 7);
    const before = readFileSync(file('session.ts'), 'utf8');
    const titles = await window.run(async vscode => {
      const { document, selection } = vscode.window.activeTextEditor!;
      const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, selection);
      return (actions as { title: string }[]).map(({ title }) => title);
    });
    assert.ok(titles.includes('Create Task from This TODO'), titles.join());
    await window.page.keyboard.press('Control+.');
    await window.page.getByText('Create Task from This TODO').first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Enter');
    await window.picks('session.ts:7').first().waitFor({ timeout: timeoutMs });
    assert.equal(await window.quickText.inputValue(), 'retry when the token has expired');
    await window.page.keyboard.press('Enter');
    await row('retry when the token has expired');
    assert.equal(readFileSync(file('session.ts'), 'utf8'), before);
    await until('both lines', timeoutMs, async () => (await behind()).length === 2);
  });

  it('say that they are probably on a line that is known by its neighbors alone', async () => {
    await link('plain.ts', 4, 'Prepare it');
    await window.expand('Inbox');
    writeFileSync(file('plain.ts'), plain.replace('prepare(input)', 'prepare(input, options)'));
    const row = window.rows('Prepare it').filter({ hasText: 'plain.ts:4' });
    await row.filter({ hasText: '(probably here)' }).first().waitFor({ timeout: timeoutMs });
    await show('plain.ts', 4);
    await window.command('editor.action.showHover');
    const hover = window.page.locator('.monaco-hover').filter({ hasText: 'Probably here' });
    await hover.first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Escape');
    git('checkout', '-q', '--', 'src/plain.ts');
    await row.filter({ hasNotText: 'probably' }).first().waitFor({ timeout: timeoutMs });
  });
});
