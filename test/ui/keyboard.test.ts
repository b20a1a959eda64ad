import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { Session } from './support/driver';
import { until } from './support/wait';
import { fill, taskNamed } from './support/widgetPages';

const timeoutMs = 60_000;

/** A person without a mouse: no click and no hover in here. */
describe('by keyboard alone', () => {
  let session: Session;
  before(async () => {
    session = await Session.open({ theme: 'light', size: { width: 1280, height: 900 } });
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
  after(() => session?.close());

  const press = async (...keys: string[]) => {
    for (const key of keys) await session.window.page.keyboard.press(key);
  };
  /** What has the focus in a page, and the row that its keys mean. */
  const focused = (page: Frame) =>
    page.evaluate<string>(`(() => {
      const at = document.hasFocus() ? document.activeElement : null;
      const row = document.getElementById(at?.getAttribute('aria-activedescendant'));
      const name = at?.getAttribute('aria-label') || at?.id || at?.textContent.trim();
      return [name, row?.dataset.key && row.textContent].filter(Boolean).join(': ');
    })()`);
  const focusIs = async (page: Frame, what: RegExp) => {
    await until(`the focus on ${what}`, timeoutMs, async () => what.test(await focused(page))).catch(async () =>
      assert.match(await focused(page), what),
    );
  };
  const open = async (kind: string, selector: string, text: string) => {
    await session.window.command('workbench.action.closeAllEditors');
    await session.window.command('dueline.openWidget', kind);
    return session.window.frame(`body.as-editor ${selector}`, text);
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
    await session.window.page.getByRole('menuitem', { name: 'Open Task' }).waitFor();
    await press('Escape');
    await focusIs(page, /Write the report/);
  });

  it('a page has the focus where the editor gives it to the frame around alone', async () => {
    const page = await session.window.frame('body.as-editor .card');
    await press('d');
    await session.window.picks('Tomorrow').first().waitFor();
    await page.parentFrame()!.evaluate('window.focus()');
    await quickInput().waitFor({ state: 'hidden' });
    await focusIs(page, /Write the report/);
  });

  it('Tab stops once in the columns, and the arrows go through them', async () => {
    const page = await session.window.frame('body.as-editor .card');
    assert.equal(await page.locator('.columns [tabindex="0"]').count(), 2, 'the rows and the plus of one column');
    // On the last day of a week there is one more day only on the other side.
    const isLast = await page.locator('.column:last-child.accent').count();
    const [on, back] = isLast ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    const today = await focused(page);
    await press(on!);
    await until('the other day', timeoutMs, async () => (await focused(page)) !== today);
    assert.equal(await page.locator('.columns [tabindex="0"]').count(), 2);
    await press(back!);
    await focusIs(page, /Write the report/);
    await press('End');
    await focusIs(page, /Call the bank/);
    await press(`Alt+${on}`);
    await page.locator('.column.accent .card', { hasText: 'Call the bank' }).waitFor({ state: 'detached' });
    await focusIs(page, /Call the bank/);
    await press('Control+z');
    await page.locator('.column.accent .card', { hasText: 'Call the bank' }).waitFor();
  });

  it('Tab stops once in the head, and the arrows go through it, in either direction of writing', async () => {
    const page = await session.window.frame('body.as-editor .card');
    const stops = page.locator('.top .control[tabindex="0"]');
    assert.equal(await stops.count(), 1);
    await stops.focus();
    await press('Home');
    await focusIs(page, /^Previous week/);
    await press('ArrowRight');
    await focusIs(page, /^This week/);
    await press('End', 'ArrowRight');
    await focusIs(page, /^Previous week/);
    await page.evaluate(`document.dir = 'rtl'`);
    await press('ArrowLeft');
    await focusIs(page, /^This week/);
    await page.evaluate(`document.dir = 'ltr'`);
    assert.equal(await stops.count(), 1);
    await press('Shift+Tab', 'Tab');
    await focusIs(page, /^This week/);
    await page.locator('.columns [tabindex="0"]').first().focus();
  });

  it('a screen reader hears dates in full, counts, and places among siblings', async () => {
    const { window } = session;
    const week = await window.frame('body.as-editor .card');
    const day = week.locator('.column.accent');
    assert.match((await day.getAttribute('aria-label')) ?? '', /^\w+day, \w+ \d+$/);
    assert.match((await day.locator('.tree').getAttribute('aria-label')) ?? '', /^\w+day, \w+ \d+, 2 open$/);
    const lists = await open('lists', '.row', 'Pack the books');
    const row = lists.locator('.row', { hasText: 'Pack the books' });
    const [level, position, size] = await Promise.all(
      ['aria-level', 'aria-posinset', 'aria-setsize'].map(name => row.getAttribute(name)),
    );
    assert.deepEqual({ level, position, size }, { level: '2', position: '1', size: '1' });
    assert.equal(await lists.getByRole('heading', { level: 2 }).count(), 3);
    assert.match((await window.rows('Work').first().getAttribute('aria-label')) ?? '', /Work.*, 4 open$/);
  });

  it('the toast’s Undo is reached by Tab, and leaves the focus in the rows', async () => {
    const page = await open('today', '.row', 'Call the bank');
    await focusIs(page, /Write the report/);
    await press('Space');
    const undo = page.locator('.bottom').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await press('Tab');
    await focusIs(page, /^Undo$/);
    await press('Enter');
    await page.locator('.row.open', { hasText: 'Write the report' }).waitFor();
    await focusIs(page, /^Today/);
  });

  it('an undo by its key takes the offer to undo away', async () => {
    const page = await session.window.frame('body.as-editor .row', 'Call the bank');
    await focusIs(page, /^Today/);
    await press('Space');
    const undo = page.locator('.bottom').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await press('Control+z');
    await page.locator('.row.open', { hasText: 'Write the report' }).waitFor();
    await until('no offer', 5000, async () => (await undo.count()) === 0);
  });

  it('leaves the second key of a shortcut of the editor to the editor', async () => {
    const page = await session.window.frame('body.as-editor .row', 'Call the bank');
    await page.locator('.tree').focus();
    await press('Control+k', 's');
    await press('?');
    await page.locator('dialog.help').waitFor();
    assert.equal(await quickInput().isVisible(), false);
    await press('Escape');
    await focusIs(page, /^Today/);
  });

  it('a question in a dialog gives the focus back to the row', async () => {
    const page = await open('lists', '.row', 'Move house');
    await page.locator('.column[aria-label="Work"] .tree').focus();
    await until('the parent', timeoutMs, async () => {
      if (/Move house/.test(await focused(page))) return true;
      await press('ArrowDown');
      return false;
    });
    await press('Space');
    await session.window.page.locator('.monaco-dialog-box').waitFor();
    await press('Escape');
    await session.window.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    await focusIs(page, /Move house/);
  });

  it('a tree goes on from the next row where a key took one away', async () => {
    const { window } = session;
    const row = window.page.locator('.pane-body .monaco-list-row.focused');
    const at = async (text: string) => {
      await until(`the focus on ${text}`, timeoutMs, async () =>
        ((await row.allTextContents()).join() ?? '').includes(text),
      );
    };
    await window.command('workbench.action.closeAllEditors');
    await window.command('dueline.lists.focus');
    await press('Home', 'ArrowDown');
    await at('Work');
    await press('ArrowRight');
    await window.rows('Call the bank').first().waitFor();
    await until('the task', timeoutMs, async () => {
      if (((await row.allTextContents()).join() ?? '').includes('Write the report')) return true;
      await press('ArrowDown');
      return false;
    });
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

  it('the form keeps the focus near a control that goes away', async () => {
    const { window } = session;
    const { id } = (await taskNamed(window, 'Call the bank'))!;
    await window.command('dueline.open', id);
    const page = await window.frame('dueline-task #title');
    await page.locator('.due [data-chip=due]').focus();
    await press('Delete');
    await page.locator('.unset [data-chip=due]').waitFor();
    await focusIs(page, /Date$/);
    const restore = page.getByRole('button', { name: 'Restore' });
    await until('the task to be deleted', timeoutMs, async () => {
      if (await restore.isVisible()) return true;
      await page.locator('.head .menu').focus({ timeout: 2000 });
      await press('Enter');
      await window.menu('Delete Task');
      return restore.waitFor({ timeout: 5000 }).then(() => true);
    });
    await focusIs(page, /^Restore$/);
    await press('Enter');
    await page.locator('#title').waitFor();
    await focusIs(page, /^Title$/);
  });

  it('the page says what a chip was set to, what was done and what was undone, and keeps its place', async () => {
    const { window } = session;
    const [bank, books] = await Promise.all(['Call the bank', 'Pack the books'].map(title => taskNamed(window, title)));
    await window.run(
      async (vscode, id, other) =>
        vscode.extensions.getExtension('dueline.dueline')?.exports.apply([{ type: 'blockers', id, add: [other] }]),
      bank!.id,
      books!.id,
    );
    await window.command('dueline.open', bank!.id);
    const page = await window.frame('dueline-task .blocker');
    const said = (words: RegExp) => page.locator('dueline-task > [role=status]', { hasText: words }).waitFor();
    await page.locator('[data-chip=priority]').focus();
    await press('Enter');
    await window.page.keyboard.type('low');
    await page.locator('#chip-offers li.active').waitFor();
    await press('Enter');
    await said(/^Priority Low/);
    await page.locator('.head .check').focus();
    await press('Space');
    await said(/^Completed .*Call the bank/);
    await press('Control+z');
    await said(/^Undone: complete/);
    await page.locator('.blocker .title').focus();
    await press('Delete');
    await page.locator('.blocker').waitFor({ state: 'detached' });
    await focusIs(page, /Add a subtask/);
    await press('Control+z');
  });

  it('? lists the keys in a tree and on the task page, where no text is written, and a line does what its key does', async () => {
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
