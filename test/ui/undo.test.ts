import assert from 'node:assert/strict';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import { fill, taskNamed } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

/** Each key is pressed once: the first one counts. */
describe('undo and the focus', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await sharedSession({ theme: 'light', size: { width: 1280, height: 900 } });
    window = session.window;
    await fill(
      window,
      ['Work'],
      ['Alpha', 'Bravo', 'Charlie'].map(title => ({ list: 'Work', title })),
    );
    await window.view();
    await window.command('dueline.lists.focus');
    await window.expand('Work');
    await window.rows('Bravo').first().waitFor();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  const press = (key: string) => window.page.keyboard.press(key);
  const focusedRow = () =>
    window.page.evaluate<string>(`(() => {
      const at = document.activeElement?.closest('.pane-body .monaco-list');
      return at?.querySelector('.monaco-list-row.focused')?.textContent ?? '';
    })()`);
  const focusIsOn = (title: string) =>
    until(`the focus on the row ${title}`, timeoutMs, async () => (await focusedRow()).includes(title));
  const titleOnPage = async () => (await window.frame('dueline-task #title')).locator('#title').inputValue();

  it('an undo in a tree leaves the focus there: the next key applies to the row, and no title gets it', async () => {
    await window.rows('Bravo').first().click();
    await window.frame('dueline-task #title');
    await until('the preview', timeoutMs, async () => (await titleOnPage()) === 'Bravo');
    await focusIsOn('Bravo');
    await press('Delete');
    await window.frame('dueline-task .empty', 'This task has been deleted.');
    await focusIsOn('Charlie');
    await press('Control+z');
    await window.rows('Bravo').first().waitFor();
    await until('the page', timeoutMs, async () => (await titleOnPage()) === 'Bravo');
    await focusIsOn('Charlie');
    await press('2');
    await until('the priority', timeoutMs, async () => (await taskNamed(window, 'Charlie'))?.priority === 5);
    // The editor drops a click on a row that it is redrawing, so the next test begins once it has.
    await until('the redrawn row', timeoutMs, async () =>
      /medium/i.test((await window.rows('Charlie').first().getAttribute('aria-label')) ?? ''),
    );
    await window.picture('undo-in-tree');
    assert.equal(await titleOnPage(), 'Bravo');
  });

  it('a preview that gets the focus from the editor edits nothing', async () => {
    await window.rows('Charlie').first().click();
    await until('the preview', timeoutMs, async () => (await titleOnPage()) === 'Charlie');
    const page = await window.frame('dueline-task #title');
    await window.command('workbench.action.focusActiveEditorGroup');
    await until('the focus in the page', timeoutMs, () =>
      page.evaluate<boolean>('document.hasFocus() && document.activeElement !== document.body'),
    );
    await press('x');
    assert.equal(await page.evaluate<string>('document.activeElement.tagName'), 'H1');
    assert.equal(await titleOnPage(), 'Charlie');
  });

  it('a task that is opened by Enter starts in its title', async () => {
    await window.rows('Alpha').first().click();
    await until('the preview', timeoutMs, async () => (await titleOnPage()) === 'Alpha');
    await focusIsOn('Alpha');
    await press('Enter');
    const page = await window.frame('dueline-task #title');
    await until('the focus in the title', timeoutMs, () =>
      page.evaluate<boolean>(`document.hasFocus() && document.activeElement.id === 'title'`),
    );
    await press('Escape');
    await focusIsOn('Alpha');
  });

  it('a page is left to the tree by Escape, and closed by Ctrl+Enter', async () => {
    await window.command('workbench.action.closeAllEditors');
    await window.command('dueline.lists.focus');
    await window.expand('Inbox');
    await window.command('dueline.newTask');
    const page = await window.frame('dueline-task #title');
    await page.locator('#title').focus();
    await window.page.keyboard.type('Left');
    await press('Control+Enter');
    await window.page.locator('.tab', { hasText: /Left|New Task/ }).waitFor({ state: 'detached' });
    await window.rows('Left').first().click();
    const opened = await window.frame('dueline-task #title');
    await opened.locator('#title').focus();
    await window.page.keyboard.type(' early');
    await press('Escape');
    await until('the focus in the tree', timeoutMs, () =>
      window.page.evaluate<boolean>(`document.activeElement?.closest('.pane-body .monaco-list') !== null`),
    );
    await window.rows('Left early').first().waitFor();
    await press('Delete');
    await window.rows('Left early').waitFor({ state: 'detached' });
  });
});
