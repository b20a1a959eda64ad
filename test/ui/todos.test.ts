import assert from 'node:assert/strict';
import { todoFiles } from '../support/sampleCode';
import { beginAnew, openCode, showFile, titlesOf } from './support/codeFiles';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;
const source = todoFiles['src/session.ts'];

describe('TODO comments', () => {
  let work: Awaited<ReturnType<typeof openCode>>;
  let window: Window;

  before(async () => {
    work = await openCode('todos', todoFiles);
    ({ window } = work);
  });
  beforeEach(async () => {
    await beginAnew(work);
    // Until then the message that there are none is above the rows of before, which would move up under the mouse.
    await shows();
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
  const shows = (...expected: string[]) =>
    until(`the rows ${expected.join()}`, timeoutMs, async () => {
      const rows = await texts();
      return rows.length === expected.length && expected.every((text, at) => rows[at]!.includes(text));
    });
  const open = () => window.openPane('TODO Comments');
  const show = (name: string, line: number) => showFile(window, work.file(name), line);
  const text = () => window.run(vscode => vscode.window.activeTextEditor!.document.getText());
  /** Creates a task by the button of the row. */
  const create = async (comment: string, place: string) => {
    await open();
    // The rows of files that were read again come one by one, and the mouse would be left behind on another row.
    await shows('session.ts', 'retry', 'close the socket');
    await todos(comment).hover();
    await todos(comment).getByRole('button', { name: 'Create Task from TODO Comment' }).click();
    await window.picks(place).first().waitFor({ timeout: timeoutMs });
    // The words are not selected.
    await window.page.keyboard.type(' tomorrow');
    await window.picks('from').filter({ hasText: 'tomorrow' }).first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Enter');
    await todos(comment).filter({ hasText: 'Tomorrow' }).first().waitFor({ timeout: timeoutMs });
    assert.deepEqual(await titlesOf(window, 'source:todo'), [comment]);
  };

  it('of open files have a view, which keeps its place while there are none, and appear after a reload, too', async () => {
    const counts = (words: string) => heading().filter({ hasText: words }).waitFor({ timeout: timeoutMs });
    await counts('0 · Open Files');
    await show('src/session.ts', 1);
    await open();
    await shows('session.ts', 'retry when the token has expired', 'close the socket');
    assert.match((await texts())[2]!, /line 9 · FIXME · ana/);
    assert.match((await heading().textContent()) ?? '', /2 · Open Files/);
    await window.pictures('todos');
    await todos('close the socket').click();
    const line = () => window.run(vscode => vscode.window.activeTextEditor!.selection.active.line);
    await until('the line', timeoutMs, async () => (await line()) === 8);
    await show('lib/token.py', 1);
    await shows('token.py', 'sign it', 'session.ts', 'retry', 'close the socket');
    await window.reload();
    await window.view();
    await open();
    await shows('token.py', 'sign it', 'session.ts', 'retry', 'close the socket');
    // The editor loads a file of before once its tab is shown.
    const loaded = () =>
      window.run(vscode => vscode.workspace.textDocuments.map(({ uri }) => uri.path.split('/').at(-1)));
    assert.ok(!(await loaded()).includes('session.ts'));
    await window.command('workbench.action.closeActiveEditor');
    await shows('session.ts', 'retry', 'close the socket');
    await window.command('workbench.action.closeAllEditors');
    await counts('0 · Open Files');
  });

  it('of a completed task are removed if the user confirms, and its row shows that', async () => {
    await show('src/session.ts', 4);
    await create('retry when the token has expired', 'session.ts:4');
    const id = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query('source:todo')[0].task.id as number;
    });
    await window.command('dueline.complete', id);
    await todos('retry').filter({ hasText: 'done' }).first().waitFor({ timeout: timeoutMs });
    await window.press('Its TODO comment is still in the code.', 'Remove the Comment');
    await window.picture('todos-removed');
    await until('the comment to go', timeoutMs, async () => !/retry/.test(await text()));
    assert.equal(await text(), source.replace(/ {2}\/\/ TODO.*\n/, ''));
    await window.command('undo');
    await until('the comment to come back', timeoutMs, async () => (await text()) === source);
    await window.command('redo');
    await window.command('workbench.action.files.save');
    await shows('session.ts', 'close the socket');
  });

  it('that are gone when their file is saved are marked in the row of their task, without a notification', async () => {
    await show('src/session.ts', 9);
    await create('close the socket', 'session.ts:9');
    await window.expand('Inbox');
    const row = window.pane('Lists').locator('.monaco-list-row').filter({ hasText: 'session.ts:9' });
    await row.first().waitFor({ timeout: timeoutMs });
    await window.command('notifications.clearAll');
    await window.run(async vscode => {
      const editor = vscode.window.activeTextEditor!;
      const { text, range } = editor.document.lineAt(8);
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
});
