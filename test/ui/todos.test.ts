import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, makeRepository, writeIn } from '../support/repository';
import { showFile, titlesOf } from './support/codeFiles';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

const source = `import { Token } from './token';

class Session {
  // TODO: retry when the token has expired
  refresh(token: Token): string {
    return token.ask('TODO: not a comment');
  }

  close(): void {} // FIXME(ana): close the socket
}
`;

describe('TODO comments', () => {
  let work: Session;
  let window: Window;
  let folder: string;
  const git = (...args: string[]) => gitIn(folder, ...args);
  const path = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeIn(folder, name, text);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-todos-'));
    makeRepository(folder, {
      'src/session.ts': source,
      'src/other.ts': '// HACK: as long as the server is old\nexport const other = 1;\n',
      'lib/token.py': 'def token():\n    """TODO: words"""\n    pass  # TODO: sign it\n',
      'dist/built.js': '// TODO: made by a program\n',
      'generated/made.js': '// TODO: searched by nobody\n',
      '.gitignore': 'dist/\n',
    });
    work = await Session.open({
      theme: 'dark',
      folder,
      size: { width: 1300, height: 900 },
      helpers: ['test/ui/git'],
      settings: { 'search.exclude': { '**/generated': true } },
    });
    window = work.window;
    await window.view();
  });
  after(async () => {
    await work?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const heading = () => window.pane('TODO Comments').locator('.pane-header');
  const todos = (text?: string | RegExp) =>
    window.pane('TODO Comments').locator('.monaco-list-row').filter({ hasText: text });
  const texts = async () =>
    (await todos().allInnerTexts()).map(text =>
      text
        .replace(/[\u2066-\u2069]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  const shows = (...wanted: string[]) =>
    until(`the rows ${wanted.join()}`, timeoutMs, async () => {
      const rows = await texts();
      return rows.length === wanted.length && wanted.every((text, at) => rows[at]!.includes(text));
    });

  const show = (name: string, line: number) => showFile(window, path(name), line);
  const text = () => window.run(vscode => vscode.window.activeTextEditor!.document.getText());
  const found = (query: string) => titlesOf(window, query);
  const idOf = (title: string): Promise<{ id: number; shortId: string }> =>
    window.run(async (vscode, title) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const [{ task }] = api.query(`title:"${title}" show:done`);
      return { id: task.id, shortId: api.shortIdOf(task.id) };
    }, title);

  /** Before the editor knows that there is something to take back, the keys are those of the file. */
  const historyIsKnown = () =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await api.history();
      // It comes after what Dueline said of the same history.
      await vscode.commands.executeCommand('setContext', 'dueline.test', true);
    });

  it('of open files have a view, which is hidden while there are none', async () => {
    assert.equal(await heading().count(), 0);
    await show('src/session.ts', 1);
    await heading().waitFor({ timeout: timeoutMs });
    await heading().click();
    await shows('session.ts', 'retry when the token has expired', 'close the socket');
    assert.match((await texts())[2]!, /FIXME · ana · line 9/);
    assert.match((await heading().textContent()) ?? '', /2 · Open Files/);
    await window.pictures('todos');
    await todos('close the socket').click();
    const line = () => window.run(vscode => vscode.window.activeTextEditor!.selection.active.line);
    await until('the line', timeoutMs, async () => (await line()) === 8);
    await show('src/other.ts', 1);
    await shows('other.ts', 'as long as the server is old', 'session.ts', 'retry', 'close the socket');
    await window.command('workbench.action.closeActiveEditor');
    await shows('session.ts', 'retry', 'close the socket');
  });

  it('of open files are listed after a reload too, also of those that are not shown yet', async () => {
    await show('lib/token.py', 1);
    await window.reload();
    await window.view();
    await shows('token.py', 'sign it', 'session.ts', 'retry', 'close the socket');
    const loaded = () =>
      window.run(vscode => vscode.workspace.textDocuments.map(({ uri }) => uri.path.split('/').at(-1)));
    assert.ok(!(await loaded()).includes('session.ts'));
    await window.command('workbench.action.closeActiveEditor');
    await shows('session.ts', 'retry', 'close the socket');
  });

  it('become tasks by a button of their row, which says so then', async () => {
    await todos('close the socket').hover();
    await todos('close the socket').getByRole('button', { name: 'Create Task from TODO Comment' }).click();
    await window.picks('session.ts:9').first().waitFor({ timeout: timeoutMs });
    assert.equal(await window.quickText.inputValue(), 'close the socket');
    await window.quickText.fill('close the socket tomorrow');
    await window.page.keyboard.press('Enter');
    await todos('Tomorrow').first().waitFor({ timeout: timeoutMs });
    assert.equal(readFileSync(path('src/session.ts'), 'utf8'), source);
    assert.deepEqual(await found('source:todo'), ['close the socket']);
    await window.picture('todos-task');
  });

  it('have the keys of the other views: Space completes, Ctrl+Z takes that back, / searches', async () => {
    const { keyboard } = window.page;
    const focused = window.pane('TODO Comments').locator('.monaco-list:focus-within .monaco-list-row.focused');
    await window.command('dueline.todos.focus');
    await keyboard.press('End');
    await focused.filter({ hasText: 'close the socket' }).waitFor({ timeout: timeoutMs });
    await keyboard.press('Space');
    await until('the task to be done', timeoutMs, async () => (await found('source:todo')).length === 0);
    await todos('close the socket').filter({ hasText: 'done' }).waitFor({ timeout: timeoutMs });
    await focused.waitFor({ timeout: timeoutMs });
    await historyIsKnown();
    await keyboard.press('Control+z');
    await until('the task to be open', timeoutMs, async () => (await found('source:todo')).length === 1);
    await historyIsKnown();
    await keyboard.press('Control+Shift+z');
    await until('the task to be done again', timeoutMs, async () => (await found('source:todo')).length === 0);
    await focused.waitFor({ timeout: timeoutMs });
    await historyIsKnown();
    await keyboard.press('Control+z');
    await until('the task to be open again', timeoutMs, async () => (await found('source:todo')).length === 1);
    // A comment without a task has none to complete.
    await keyboard.press('ArrowUp');
    await focused.filter({ hasText: 'retry' }).waitFor({ timeout: timeoutMs });
    await keyboard.press('Space');
    await keyboard.press('/');
    await window.quickText.waitFor({ timeout: timeoutMs });
    assert.deepEqual(await found('source:todo'), ['close the socket']);
    await keyboard.press('Escape');
    await window.command('notifications.clearAll');
  });

  it('stay what their task was created from when it is pinned to its line', async () => {
    const { id } = await idOf('close the socket');
    const lines = () =>
      window.run(async (vscode, id) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        return api.task(id).unknownProperties as string;
      }, id);
    await show('src/session.ts', 1);
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.press('Enter');
    await until('the line above', timeoutMs, async () => (await text()).startsWith('\n'));
    await window.command('dueline.pinHere', id);
    await until('the line', timeoutMs, async () => /;LINE=10[:;]/.test(await lines()));
    assert.match(await lines(), /SOURCE=TODO/);
    assert.deepEqual(await found('source:todo'), ['close the socket']);
    await window.command('dueline.undo');
    // A busy editor can still be reading the file, and leave it as it is.
    await until('the text as it was', timeoutMs, async () => {
      await window.command('workbench.action.files.revert');
      return (await text()) === source;
    });
  });

  it('have the ID of their task written in them by the light bulb, which Ctrl+Z takes back', async () => {
    await show('src/session.ts', 4);
    await window.page.locator('.monaco-editor.focused').first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Control+.');
    const entry = window.page.locator('.action-widget').getByText('Create Task from This TODO and Write Its ID');
    await entry.first().click({ timeout: timeoutMs });
    await window.picks('session.ts:4').first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Enter');
    await until('the ID', timeoutMs, async () => (await text()) !== source);
    const { shortId } = await idOf('retry when the token has expired');
    const written = source.replace('TODO: retry', `TODO(${shortId}): retry`);
    assert.equal(await text(), written);
    await todos('retry').filter({ hasText: 'task' }).first().waitFor({ timeout: timeoutMs });
    await window.picture('todos-id');
    await window.command('workbench.action.focusActiveEditorGroup');
    await window.page.keyboard.press('Control+z');
    await until('the text as it was', timeoutMs, async () => (await text()) === source);
    await window.page.keyboard.press('Control+y');
    await until('the ID again', timeoutMs, async () => (await text()) === written);
    await window.command('workbench.action.files.save');
    assert.deepEqual((await found('source:todo')).sort(), ['close the socket', 'retry when the token has expired']);
  });

  it('of a task that is done are removed where a person agrees, and its row says so', async () => {
    const { id } = await idOf('retry when the token has expired');
    await window.command('dueline.complete', id);
    await window.press('Its TODO comment is still in the code.', 'Remove the Comment');
    const preview = window.page.locator('.part.panel');
    const line = preview.locator('.monaco-list-row').filter({ hasText: 'retry' });
    await line.waitFor({ timeout: timeoutMs });
    await window.picture('todos-preview');
    assert.match(await text(), /retry/);
    await line.locator('.edit-checkbox, [role="checkbox"]').first().click();
    await preview.getByRole('button', { name: 'Apply' }).click();
    await until('the comment to go', timeoutMs, async () => !/retry/.test(await text()));
    assert.equal(await text(), source.replace(/ {2}\/\/ TODO.*\n/, ''));
    await window.command('workbench.action.files.save');
    await shows('session.ts', 'close the socket');
  });

  it('that are gone when their file is saved are missed in the row of their task, without a notification', async () => {
    await window.command('notifications.clearAll');
    await show('src/session.ts', 8);
    await window.expand('Inbox');
    const row = window.rows('close the socket').filter({ hasText: 'session.ts:8' });
    await row.first().waitFor({ timeout: timeoutMs });
    await window.run(async vscode => {
      const editor = vscode.window.activeTextEditor!;
      const { text, range } = editor.document.lineAt(7);
      await editor.edit(edit => edit.replace(range, text.replace(/ \/\/.*/, '')));
      await editor.document.save();
    });
    await row.filter({ hasText: '(comment removed)' }).first().waitFor({ timeout: timeoutMs });
    assert.equal(await window.page.locator('.notification-list-item').count(), 0);
    await window.picture('todos-removed');
    await window.command('workbench.action.focusActiveEditorGroup');
    await window.page.keyboard.press('Control+z');
    await window.command('workbench.action.files.save');
    await row.filter({ hasText: 'removed' }).first().waitFor({ state: 'detached', timeout: timeoutMs });
  });

  it('of the branch are those on the lines that it adds', async () => {
    git('commit', '-qam', 'second');
    git('checkout', '-qb', 'feature');
    write('lib/token.py', `${readFileSync(path('lib/token.py'), 'utf8')}    # TODO: committed here\n`);
    git('commit', '-qam', 'third');
    write('src/other.ts', `${readFileSync(path('src/other.ts'), 'utf8')}// BUG: not committed\n`);
    write('src/new.ts', '// XXX: not tracked\n');
    await window.choose('Dueline: Choose TODO Comments to Show', 'This Branch');
    await shows('token.py', 'committed here', 'new.ts', 'not tracked', 'other.ts', 'not committed');
    await window
      .pane('TODO Comments')
      .getByText(/Compared with \u2068?main/)
      .waitFor({ timeout: timeoutMs });
    await window.pictures('todos-branch');
    git('commit', '-qam', 'fourth');
    await show('src/other.ts', 1);
    await window.command('workbench.action.files.save');
    await shows('token.py', 'committed here', 'new.ts', 'not tracked', 'other.ts', 'not committed');
  });

  it('of a branch that cannot be compared are none, and it is said why', async () => {
    const enable = (value?: boolean) =>
      window.run(async (vscode, value) => {
        await vscode.workspace.getConfiguration().update('git.enabled', value, true);
      }, value);
    await enable(false);
    await window.choose('Dueline: Choose TODO Comments to Show', 'This Branch');
    await window.pane('TODO Comments').getByText('This branch cannot be compared').waitFor({ timeout: timeoutMs });
    // The editor draws the words before the rows.
    await until('no rows', timeoutMs, async () => (await todos().count()) === 0);
    await enable();
  });

  it('of the workspace are searched for by a command, without what is excluded and ignored', async () => {
    await window.palette('Find TODO Comments in Workspace');
    await shows(
      ...['token.py', 'sign it', 'committed here', 'new.ts', 'not tracked'],
      ...['other.ts', 'as long as', 'not committed', 'session.ts', 'close the socket'],
    );
    await todos('sign it').click();
    const line = () => window.run(vscode => vscode.window.activeTextEditor!.document.lineAt(2).text);
    await until('the file', timeoutMs, async () => (await line()).includes('sign it'));
    await show('src/new.ts', 1);
    await window.run(async vscode => {
      await vscode.window.activeTextEditor!.edit(edit => edit.insert(new vscode.Position(0, 0), '// TODO: typed\n'));
    });
    await todos('typed').waitFor({ timeout: timeoutMs });
    await window.command('workbench.action.files.revert');
  });

  it('of the workspace follow a folder and a file that the editor renames or deletes', async () => {
    const edit = (from: string, to?: string) =>
      window.run(
        async (vscode, from, to) => {
          const change = new vscode.WorkspaceEdit();
          if (to === null) change.deleteFile(vscode.Uri.file(from));
          else change.renameFile(vscode.Uri.file(from), vscode.Uri.file(to));
          await vscode.workspace.applyEdit(change);
        },
        path(from),
        to === undefined ? null : path(to),
      );
    await edit('lib', 'tools');
    await todos('token.py').filter({ hasText: 'tools' }).waitFor({ timeout: timeoutMs });
    await edit('src/new.ts', 'src/newer.ts');
    await todos('newer.ts').waitFor({ timeout: timeoutMs });
    await edit('src/newer.ts');
    await shows(
      ...['other.ts', 'as long as', 'not committed', 'session.ts', 'close the socket'],
      ...['token.py', 'sign it', 'committed here'],
    );
    await edit('tools', 'lib');
    write('src/new.ts', '// XXX: not tracked\n');
    await show('src/new.ts', 1);
    await window.palette('Find TODO Comments in Workspace');
    await todos('not tracked').waitFor({ timeout: timeoutMs });
  });

  it('are not listed where that is off, and are those of the words that are set', async () => {
    const set = (id: string, value?: unknown) =>
      window.run(
        async (vscode, id, value) => {
          await vscode.workspace.getConfiguration().update(id, value ?? undefined, true);
        },
        id,
        value ?? null,
      );
    await set('dueline.todos.scope', 'off');
    await heading().waitFor({ state: 'detached', timeout: timeoutMs });
    await set('dueline.todos.words', ['HACK']);
    await set('dueline.todos.scope');
    await show('src/other.ts', 1);
    await shows('other.ts', 'as long as the server is old');
    await set('dueline.todos.words');
    await shows(
      ...['token.py', 'sign it', 'committed here', 'new.ts', 'not tracked'],
      ...['other.ts', 'as long as', 'not committed', 'session.ts', 'close the socket'],
    );
  });
});
