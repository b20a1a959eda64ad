import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryOf } from '../../src/core/code/repository';
import { axe } from '../page/support/axe';
import { titlesOf } from './support/codeFiles';
import { Session } from './support/driver';
import { gitIn, makeRepository } from './support/repository';
import { fitsEverySize } from './support/taskPage';
import { until } from './support/wait';
import { rowsOf, widgetWith } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

const source = `import { Token } from './token';

class Session {
  #token: Token | undefined;

  refresh(): void {
    // TODO: retry when the token has expired
    this.#token = requestToken(this.user);
  }

  close(): void {
    this.#token?.revoke();
  }
}
`;

interface Row {
  readonly id: number;
  readonly title: string;
  readonly status: number;
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
    const files = { 'src/session.ts': source, 'src/other.ts': 'export const other = 1;\n' };
    makeRepository(folder, files, 'git@example.org:team/app.git');
    work = await Session.open({ theme: 'dark', folder, size: { width: 1300, height: 820 } });
    window = work.window;
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
    until(`the task ${title}`, timeoutMs, async () => (await rows()).find(one => one.title === title));
  const found = (query: string) => titlesOf(window, query);

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
  const line = () =>
    window.run(vscode => {
      const editor = vscode.window.activeTextEditor;
      return editor ? editor.document.lineAt(editor.selection.active.line).text.trim() : '';
    });

  it('are added by one key and a title, and shown behind their line', async () => {
    await show('session.ts', 8);
    await window.page.keyboard.press('Control+Alt+Shift+Enter');
    await window.picks('session.ts:8').first().waitFor({ timeout: timeoutMs });
    await window.quickText.fill('Fix race tomorrow');
    await window.picks('Add').first().waitFor();
    await window.picture('code-add-here');
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
    await window.picture('code-line');
  });

  it('follow edits, without a change to the task', async () => {
    const before = (await row('Fix race')).unknownProperties;
    await show('session.ts', 1);
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.type('/* The session of a person */\n/* and its token */\n');
    await until('the words on the moved line', timeoutMs, async () => (await behind())[0]?.startsWith('this.#token'));
    await window.command('workbench.action.files.save');
    assert.equal((await row('Fix race')).unknownProperties, before);
    await window.view();
    await window.expand('Inbox');
    await window.rows('Fix race').filter({ hasText: 'session.ts:10' }).first().waitFor({ timeout: timeoutMs });
    await window.pictures('code-rows');
  });

  it('are in the group Here of Today while their file is in front, and in queries', async () => {
    await show('session.ts', 1);
    const today = await widgetWith(window, 'today', 'Fix race');
    await today.locator('.group', { hasText: 'Here' }).first().waitFor();
    assert.deepEqual(await found('in:file'), ['Fix race']);
    assert.deepEqual(await found('in:folder'), ['Fix race']);
    assert.deepEqual(await found('in:here link:file:src/session.ts'), ['Fix race']);
    await window.picture('code-here');
    await show('other.ts', 1);
    await until('the group to go', timeoutMs, async () => (await rowsOf(today, 'Fix race').count()) === 0);
    assert.deepEqual(await found('in:file'), []);
    assert.deepEqual(await found('in:workspace'), ['Fix race']);
    assert.deepEqual(await found('in:repo'), ['Fix race']);
  });

  it('have actions on hover', async () => {
    await show('session.ts', 10);
    await window.command('editor.action.showHover');
    const hover = window.page.locator('.monaco-hover').filter({ hasText: 'Fix race' }).first();
    await hover.waitFor({ timeout: timeoutMs });
    await window.picture('code-hover');
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
    await show('session.ts', 10);
    await keyboard.press('Control+x');
    await until('the words to go', timeoutMs, async () => (await behind()).length === 0);
    await show('other.ts', 1);
    await keyboard.press('Control+v');
    await until('the words in the other file', timeoutMs, async () => (await behind()).length === 1);
    await until('the other file', timeoutMs, async () => (await labels()).join() === '0,1,0');
    await keyboard.press('Control+z');
    await window.command('workbench.action.files.revert');
    await show('session.ts', 10);
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
    await show('session.ts', 10);
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

  it('have their path in plain text where that is set', async () => {
    const set = (value?: boolean) =>
      window.run(async (vscode, value) => {
        await vscode.workspace.getConfiguration().update('dueline.links.syncPaths', value, true);
      }, value);
    await set(true);
    await show('other.ts', 1);
    await window.palette('Add Task Here');
    await window.picks('other.ts:1').first().waitFor({ timeout: timeoutMs });
    await window.quickText.fill('Name it');
    await window.page.keyboard.press('Enter');
    await row('Name it');
    await set();
    assert.match((await row('Name it')).unknownProperties!, /PATH=src\/other\.ts;LINE=1:/);
  });

  it('lead to their line from their page', async () => {
    const { id } = await row('Fix race');
    await show('session.ts', 1);
    await window.command('dueline.open', id);
    const page = await window.frame('.places .title', 'session.ts:10');
    assert.deepEqual(await page.locator('.places :is(.folder, .when)').allTextContents(), ['src', 'sure']);
    assert.deepEqual(await axe(page), []);
    await fitsEverySize(window, page, 'code-page');
    await page.locator('.places .title').focus();
    await window.page.keyboard.press('Enter');
    await until('the line', timeoutMs, async () => (await line()) === 'this.#token = requestToken(this.user);');
    assert.deepEqual(await found('in:file'), ['Fix race']);
  });

  it('are added on their page for the cursor of the last editor, and removed, each with undo', async () => {
    const { id, unknownProperties } = await row('Fix race');
    await show('other.ts', 1);
    await window.command('dueline.open', id);
    const page = await window.frame('.places .title', 'session.ts:10');
    const link = page.locator('.places .section-head button', { hasText: 'Link to other.ts:1' });
    await link.focus();
    await window.page.keyboard.press('Enter');
    await page.locator('.places .title', { hasText: 'other.ts:1' }).waitFor();
    await window.page.keyboard.press('Control+z');
    await page.locator('.places .title', { hasText: 'other.ts:1' }).waitFor({ state: 'detached' });
    await page.locator('.places .title').focus();
    await window.page.keyboard.press('Delete');
    await page.locator('.places .title').waitFor({ state: 'detached' });
    assert.equal((await row('Fix race')).unknownProperties, null);
    await window.page.keyboard.press('Control+z');
    await page.locator('.places .title', { hasText: 'session.ts:10' }).waitFor();
    await page.getByRole('button', { name: 'Remove session.ts:10' }).click();
    await page.locator('.places .title').waitFor({ state: 'detached' });
    await window.command('dueline.undo');
    await until('the link', timeoutMs, async () => (await row('Fix race')).unknownProperties === unknownProperties);
  });

  it('are opened at the line that is found again after a branch was switched to', async () => {
    await window.command('workbench.action.closeAllEditors');
    git('commit', '-qam', 'second');
    git('checkout', '-qb', 'feature');
    writeFileSync(file('session.ts'), `// A head\n// of three\n// lines\n${readFileSync(file('session.ts'), 'utf8')}`);
    git('commit', '-qam', 'third');
    const { id } = await row('Fix race');
    await window.command('dueline.openLink', id);
    // The editor may still have the text of before for a moment, and moves the selection with the line.
    await until('the line', timeoutMs, async () => (await line()) === 'this.#token = requestToken(this.user);');
  });

  it('are opened in a file that was moved', async () => {
    await window.command('workbench.action.closeAllEditors');
    mkdirSync(join(folder, 'lib'));
    git('mv', 'src/session.ts', 'lib/session.ts');
    const { id } = await row('Fix race');
    await window.command('dueline.openLink', id);
    await until('the moved file', timeoutMs, async () => (await line()).startsWith('this.#token'));
    git('mv', 'lib/session.ts', 'src/session.ts');
  });

  it('are made from a comment by the light bulb, which leaves it as it is', async () => {
    await show('session.ts', 12);
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
    await window.picks('session.ts:12').first().waitFor({ timeout: timeoutMs });
    assert.equal(await window.quickText.inputValue(), 'retry when the token has expired');
    await window.page.keyboard.press('Enter');
    await row('retry when the token has expired');
    assert.equal(readFileSync(file('session.ts'), 'utf8'), before);
    await until('both lines', timeoutMs, async () => (await behind()).length === 2);
  });

  it('come from a selected comment without its marks, and linked', async () => {
    await show('other.ts', 1);
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.type('/* FIXME(ana): close the file */');
    await window.palette('Add Task from Selection');
    await window.picks('other.ts:2').first().waitFor({ timeout: timeoutMs });
    assert.equal(await window.quickText.inputValue(), 'close the file');
    await window.page.keyboard.press('Escape');
    await window.command('workbench.action.files.revert');
  });

  it('say where their code is gone', async () => {
    writeFileSync(file('session.ts'), 'export const gone = true;\n');
    await window.command('workbench.action.closeAllEditors');
    await show('session.ts', 1);
    await window.view();
    await window.rows('Fix race').filter({ hasText: '(stale)' }).first().waitFor({ timeout: timeoutMs });
    assert.deepEqual((await found('link:stale')).sort(), ['Fix race', 'retry when the token has expired']);
    git('checkout', '-q', '--', 'src/session.ts');
    await until('both lines', timeoutMs, async () => (await behind()).length === 2);
    assert.deepEqual(await found('link:stale'), []);
  });

  it('are pinned to the line where they are found', async () => {
    const { id, unknownProperties } = await row('Fix race');
    assert.match(unknownProperties!, /LINE=8:/);
    await show('session.ts', 13);
    assert.equal(await line(), 'this.#token = requestToken(this.user);');
    await window.command('dueline.pinHere', id);
    await until('the line', timeoutMs, async () => /LINE=13:/.test((await row('Fix race')).unknownProperties ?? ''));
    assert.deepEqual(await found('in:file'), ['Fix race', 'retry when the token has expired']);
    await window.command('dueline.undo');
    await until(
      'the line before',
      timeoutMs,
      async () => (await row('Fix race')).unknownProperties === unknownProperties,
    );
  });

  it('go into the list of the workspace, which opens with it and is in no file of it', async () => {
    const home = () =>
      window.run(async vscode => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        return api.lists().find(({ id }: { id: number }) => id === api.defaultListId()).name as string;
      });
    const own = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const own = await api.createList({ name: 'App' });
      await api.createTask(own, { title: 'In the app' });
      return own as number;
    });
    await window.command('dueline.list.setDefaultWorkspace', own);
    assert.equal(await home(), 'App');
    assert.ok(!existsSync(join(folder, '.vscode')));
    await window.reload();
    await window.view();
    await window.rows('In the app').first().waitFor({ timeout: timeoutMs });
    assert.equal(await home(), 'App');
    await window.command('dueline.list.setDefaultWorkspace', own);
    assert.equal(await home(), 'Inbox');
  });

  it('start on a branch whose name leads back to them; without the git extension it is copied', async () => {
    await show('session.ts', 1);
    const { id } = await row('Fix race');
    const shortId = await window.run(async (vscode, id) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.shortIdOf(id) as string;
    }, id);
    const clip = () => window.run(async vscode => await vscode.env.clipboard.readText());
    await window.choose('Dueline: Start on a Branch', 'Fix race');
    await until('the name', timeoutMs, async () => (await window.quickText.inputValue()) === `fix-race-${shortId}`);
    await window.page.keyboard.press('Enter');
    await window.notification('The branch name was copied.');
    assert.equal(await clip(), `fix-race-${shortId}`);
    await until('the task to be started', timeoutMs, async () => (await row('Fix race')).status === 1);
    assert.deepEqual(await found('in:branch'), []);
    git('checkout', '-qb', await clip());
    await until('the task of the branch', timeoutMs, async () => (await found('in:branch')).includes('Fix race'));
    await window.command('notifications.clearAll');
    await window.command('dueline.insertTrailer');
    await window.notification('The line for the commit message was copied.');
    assert.equal(await clip(), `Task: ${shortId}`);
  });

  it('have their short ID in code as a link', async () => {
    const id = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.shortIdOf(api.query('Fix race')[0].task.id) as string;
    });
    writeFileSync(file('other.ts'), `// See ${id} and dl-zzzzzzzz.\n`);
    await show('other.ts', 1);
    const links = () =>
      window.run(async vscode => {
        const { document } = vscode.window.activeTextEditor!;
        const links = await vscode.commands.executeCommand('vscode.executeLinkProvider', document.uri);
        return (links as { range: never; target: unknown }[]).map(
          ({ range, target }) => `${document.getText(range)} ${decodeURIComponent(String(target))}`,
        );
      });
    const { id: task } = await row('Fix race');
    await until('the link', timeoutMs, async () => (await links()).length === 1);
    assert.deepEqual(await links(), [`${id} command:dueline.open?[${task}]`]);
  });
});
