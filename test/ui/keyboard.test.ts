import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { focused } from '../support/focusInPage';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import { asksAboutSubtasks, fill, taskNamed } from './support/widgetPages';

const timeoutMs = 60_000;

/** A user without a mouse: no click and no hover in here. */
describe('by keyboard only', () => {
  let session: Session;
  before(async () => {
    session = await sharedSession({ theme: 'light', size: { width: 1280, height: 900 } });
    await session.window.command('dueline.lists.focus');
    await fill(
      session.window,
      ['Work', 'Home'],
      [
        { list: 'Work', title: 'Write the report', day: 0, priority: 1, tags: ['money'] },
        { list: 'Work', title: 'Call the bank', day: 0 },
        { list: 'Work', title: 'Move house' },
        { list: 'Work', title: 'Pack the books', parent: 'Move house' },
        { list: 'Home', title: 'Water the plants', day: 1 },
      ],
    );
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await session.window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await session.window.page.keyboard.press(key);
  };
  const focusIs = async (page: Frame, pattern: RegExp) => {
    await until(`the focus on ${pattern}`, timeoutMs, async () => pattern.test(await focused(page))).catch(async () =>
      assert.match(await focused(page), pattern),
    );
  };
  const open = async (kind: string, selector: string, text: string) => {
    await session.window.command('workbench.action.closeAllEditors');
    await session.window.command('dueline.openWidget', kind);
    return session.window.frame(`body.as-editor ${selector}`, text);
  };
  /** Down from row to row, each of which is there before the next key. */
  const goDown = async (target: string, read: () => Promise<string>) => {
    for (let now = await read(); !now.includes(target); ) {
      const before = now;
      await press('ArrowDown');
      await until(`the row below ${before}`, timeoutMs, async () => {
        now = await read();
        return now !== before;
      });
    }
  };
  const quickInput = () => session.window.quickInput;

  it('a widget that is opened has the focus in its rows, and gets it back from pickers and menus', async () => {
    const page = await open('week', '.card', 'Call the bank');
    await focusIs(page, /Write the report/);
    await press('d');
    await session.window.picks('Tomorrow').first().waitFor();
    await press('Escape');
    await quickInput().waitFor({ state: 'hidden' });
    await focusIs(page, /Write the report/);
    await press('Shift+F10');
    await session.window.page.getByRole('menuitem', { name: /^Open Task/ }).waitFor();
    await press('Escape');
    await focusIs(page, /Write the report/);
  });

  it('a page has the focus even if the editor only focuses the frame around it', async () => {
    const page = await open('week', '.card', 'Call the bank');
    await focusIs(page, /Write the report/);
    await press('d');
    await session.window.picks('Tomorrow').first().waitFor();
    await page.parentFrame()!.evaluate('window.focus()');
    await quickInput().waitFor({ state: 'hidden' });
    await focusIs(page, /Write the report/);
  });

  it('leaves the second key of an editor chord to the editor', async () => {
    const page = await open('today', '.row', 'Call the bank');
    await focusIs(page, /^Today/);
    await press('Control+k', 's');
    await press('?');
    await page.locator('dialog.help').waitFor();
    assert.equal(await quickInput().isVisible(), false);
    await press('Escape');
    await focusIs(page, /^Today/);
  });

  it('a question in a dialog returns the focus to the row', async () => {
    await asksAboutSubtasks(session.window, 'ask');
    const page = await open('lists', '.row', 'Move house');
    await page.locator('.column[aria-label="Work"] .tree').focus();
    await goDown('Move house', () => focused(page));
    await press('Space');
    await session.window.page.locator('.monaco-dialog-box').waitFor();
    await press('Escape');
    await session.window.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    await focusIs(page, /Move house/);
    await asksAboutSubtasks(session.window);
  });

  it('a tree continues at the next row when a key has removed one', async () => {
    const { window } = session;
    const row = window.page.locator('.pane-body .monaco-list-row.focused');
    const read = async () => (await row.allTextContents()).join();
    const at = (text: string) => until(`the focus on ${text}`, timeoutMs, async () => (await read()).includes(text));
    await window.command('workbench.action.closeAllEditors');
    await window.command('dueline.lists.focus');
    await press('Home', 'ArrowDown');
    await at('Work');
    await press('ArrowRight');
    await window.rows('Call the bank').first().waitFor();
    await goDown('Write the report', read);
    await press('Space');
    await window.rows('Write the report').first().waitFor({ state: 'detached' });
    await at('Call the bank');
    await press('F2');
    await until(
      'its title to be asked',
      timeoutMs,
      async () => (await window.quickText.inputValue()) === 'Call the bank',
    );
    await press('Escape');
    await window.quickInput.waitFor({ state: 'hidden' });
    await press('Control+z');
    await until(
      'the task open again',
      timeoutMs,
      async () => (await taskNamed(window, 'Write the report'))?.status === 0,
    );
  });

  it('? lists the keys in a tree and on the task page, unless text is being typed, and a line does what its key does', async () => {
    const { window } = session;
    await window.command('dueline.lists.focus');
    await press('Shift+Slash');
    await window.picks('Rename').filter({ hasText: 'F2' }).waitFor();
    await window.pictures('keys');
    await window.quickText.fill('Quick Add');
    await window.picks('Quick Add Task').filter({ hasText: 'Ctrl+K Ctrl+;' }).first().waitFor();
    await window.quickText.fill('Close the page');
    await window.picks('Close the page').filter({ hasText: 'Ctrl+Enter' }).waitFor();
    await window.quickText.fill('Search');
    await window.picks('Search Tasks').first().waitFor();
    await press('Enter');
    await until('the search', timeoutMs, async () => /Search/.test((await window.quickInput.textContent()) ?? ''));
    await window.picks('Move house').first().waitFor();
    await press('Escape');
    await quickInput().waitFor({ state: 'hidden' });
    const id = (await taskNamed(window, 'Move house'))!.id;
    // A page that is open already is taken over, and drawn again while it is looked at.
    await window.command('workbench.action.closeAllEditors');
    await window.command('dueline.open', id);
    const page = await window.frame('dueline-task #title');
    await page.locator('#title').focus();
    await press('End', 'Shift+Slash');
    await until('what was typed', timeoutMs, async () => (await page.locator('#title').inputValue()) === 'Move house?');
    await press('Backspace');
    await page.locator('[data-chip=due]').focus();
    await press('Shift+Slash');
    await window.picks('Close the page').waitFor();
    await press('Escape');
    await quickInput().waitFor({ state: 'hidden' });
    await window.command('workbench.action.closeActiveEditor');
  });
});
