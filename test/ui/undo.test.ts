import assert from 'node:assert/strict';
import { Session } from './support/driver';
import { until } from './support/wait';
import { fill, taskNamed } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

/** Each key is pressed once: the first one counts. */
describe('undo and the focus', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await Session.open({ theme: 'light', size: { width: 1280, height: 900 } });
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
  after(() => session?.close());
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

  it('an undo in a tree leaves the focus there: the next key is for the row, and no title takes it', async () => {
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

  it('a preview that the editor gives the focus to edits nothing', async () => {
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

  it('a task that is opened by Enter begins in its title', async () => {
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

/** An Undo that is offered beside words undoes what they name, whatever was done since. */
describe('the undo that is offered', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await Session.open({
      theme: 'light',
      size: { width: 1280, height: 900 },
      settings: { 'dueline.completion.undoSeconds': 120 },
    });
    window = session.window;
    await fill(
      window,
      ['Work'],
      [
        { list: 'Work', title: 'Alpha', day: 0 },
        { list: 'Work', title: 'Bravo', day: 0 },
        { list: 'Work', title: 'Water the plants', day: 0, rrule: 'FREQ=WEEKLY' },
      ],
    );
    await window.view();
    await window.command('dueline.lists.focus');
    await window.expand('Work');
    await window.rows('Alpha').first().waitFor();
  });
  after(() => session?.close());
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const press = (key: string) => window.page.keyboard.press(key);
  const offer = (text: RegExp) => window.page.locator('.statusbar-item[id*="dueline.undo"]', { hasText: text });
  /** Another change, as another part of the window makes one. */
  const change = (title: string, patch: object) =>
    window.run(
      async (vscode, title, patch) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const rows = api.lists().flatMap((list: { id: number }) => api.rows(list.id));
        await api.updateTask(rows.find((row: { title: string }) => row.title === title).id, patch);
      },
      title,
      patch,
    );
  const priorityIs = (title: string, priority: number) =>
    until(
      `priority ${priority} of ${title}`,
      timeoutMs,
      async () => ((await taskNamed(window, title)) ?? { priority: -1 }).priority === priority,
    );

  it('below the tasks of a widget is for what the words say, not for the last change', async () => {
    await window.command('dueline.openWidget', 'today');
    const page = await window.frame('body.as-editor .row', 'Alpha');
    await page.locator('.row', { hasText: 'Alpha' }).click();
    await press('1');
    await page.locator('.bottom', { hasText: /Priority set: .*Alpha/ }).waitFor();
    await change('Bravo', { priority: 5 });
    await page.locator('.bottom').getByRole('button', { name: 'Undo' }).click();
    await priorityIs('Alpha', 0);
    await priorityIs('Bravo', 5);
    await page.locator('.bottom', { hasText: /Undone: change .*Alpha/ }).waitFor();
    await window.picture('undo-in-widget');
    await window.command('workbench.action.closeAllEditors');
  });

  it('in the status bar takes a new name back, and leaves a later change of another task alone', async () => {
    await window.rows('Alpha').first().click();
    await press('F2');
    await window.answer('Rename Task', 'Alfa');
    await offer(/Renamed .*Alpha.* to .*Alfa.* · Undo/).waitFor();
    await window.picture('undo-rename');
    await change('Bravo', { priority: 9 });
    await offer(/Renamed/).click();
    await until('the old name', timeoutMs, () => taskNamed(window, 'Alpha'));
    await priorityIs('Bravo', 9);
  });

  it('is refused if what it would take back was changed again', async () => {
    await window.rows('Alpha').first().click();
    await press('F2');
    await window.answer('Rename Task', 'Alfa');
    await offer(/Renamed .*Alpha.* to .*Alfa.* · Undo/).waitFor();
    await change('Alfa', { title: 'Aleph' });
    await offer(/Renamed/).click();
    await window.notification(/Later changes replaced this one/);
    assert.ok(await taskNamed(window, 'Aleph'));
  });

  it('is there for what is done on the page of a task, as the end of its repeat', async () => {
    const repeats = async () =>
      window.run(async vscode => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const rows = api.lists().flatMap((list: { id: number }) => api.rows(list.id));
        return rows.find((row: { title: string }) => row.title === 'Water the plants').rrule !== null;
      });
    // The preview is there before Enter keeps it: one that is still loading would be replaced under the test.
    await window.rows('Water the plants').first().click();
    const preview = () => window.frame('dueline-task #title');
    await until(
      'the preview',
      timeoutMs,
      async () => (await (await preview()).locator('#title').inputValue()) === 'Water the plants',
    );
    await press('Enter');
    const page = await window.frame('dueline-task #title');
    await until('the focus in the title', timeoutMs, () =>
      page.evaluate<boolean>(`document.hasFocus() && document.activeElement.id === 'title'`),
    );
    await page.getByRole('button', { name: /^Remove Every week/i }).click();
    await offer(/Ended the repeat of .*Water the plants.* · Undo/).waitFor();
    await window.picture('undo-repeat-on-page');
    assert.equal(await repeats(), false);
    await change('Bravo', { priority: 1 });
    await offer(/Ended the repeat/).click();
    await until('the repeat', timeoutMs, repeats);
    await priorityIs('Bravo', 1);
    await page.locator('#title').fill('Water the garden');
    await page.locator('#notes').focus();
    await offer(/Renamed .*Water the plants.* to .*Water the garden.* · Undo/).click();
    await until('the old title', timeoutMs, () => taskNamed(window, 'Water the plants'));
  });
});
