import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { WidgetKind } from '../../src/query/agenda/widgets';
import { focused } from '../support/focusInPage';
import { Editor } from '../support/vscode/editor';
import { openTask } from './support/task';
import { clear, fill, isTrue, openWidget, rowsOf, shows, taskNamed } from './support/widgets';

/** A user without a mouse: no click and no hover in here. */
describe('by keyboard only', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ theme: 'light', size: { width: 1280, height: 900 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.command('workbench.action.closeAllEditors');
    await clear(editor);
    await fill(
      editor,
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
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await editor.page.keyboard.press(key);
  };
  const focusIs = (page: Frame, pattern: RegExp) =>
    shows(page, `the focus on ${pattern}`, async () => pattern.test(await focused(page)));
  /** A widget with the focus in its rows. */
  const open = async (kind: WidgetKind, text: string, first: RegExp) => {
    const page = await openWidget(editor, kind, text);
    await focusIs(page, first);
    return page;
  };
  const openWeek = () => open('week', 'Call the bank', /Write the report/);
  const openToday = () => open('today', 'Call the bank', /Write the report/);
  const isOpenAgain = (page: Frame) => page.locator('.row.open', { hasText: 'Write the report' }).waitFor();

  it('Tab stops once in the columns, and the arrow keys move between them', async () => {
    const page = await openWeek();
    assert.equal(await page.locator('.columns [tabindex="0"]').count(), 2, 'the rows and the plus of one column');
    const today = await focused(page);
    await press('ArrowRight');
    await shows(page, 'the other day', async () => (await focused(page)) !== today);
    assert.equal(await page.locator('.columns [tabindex="0"]').count(), 2);
    await press('ArrowLeft');
    await focusIs(page, /Write the report/);
    await press('End');
    await focusIs(page, /Call the bank/);
    await press('Alt+ArrowRight');
    await page.locator('.column.accent .card', { hasText: 'Call the bank' }).waitFor({ state: 'detached' });
    await focusIs(page, /Call the bank/);
    await press('Control+z');
    await page.locator('.column.accent .card', { hasText: 'Call the bank' }).waitFor();
  });

  it('Tab stops once in the header, and the arrow keys move in it, in either writing direction', async () => {
    const page = await openWeek();
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
  });

  it('a screen reader announces complete dates, counts, and positions among siblings', async () => {
    const week = await openWeek();
    const day = week.locator('.column.accent');
    assert.equal(await day.getAttribute('aria-label'), 'Wednesday, March 11');
    assert.equal(await day.locator('.tree').getAttribute('aria-label'), 'Wednesday, March 11, 2 open');
    const lists = await openWidget(editor, 'lists', 'Pack the books');
    const row = rowsOf(lists, 'Pack the books');
    const [level, position, size] = await Promise.all(
      ['aria-level', 'aria-posinset', 'aria-setsize'].map(name => row.getAttribute(name)),
    );
    assert.deepEqual({ level, position, size }, { level: '2', position: '1', size: '1' });
    assert.equal(await lists.getByRole('heading', { level: 2 }).count(), 3);
    const { item } = await editor.tree().row('Work');
    assert.match(item.accessibilityInformation?.label ?? '', /Work.*, 4 open$/);
  });

  it('the Undo of the toast is reached by Tab, and leaves the focus in the rows', async () => {
    const page = await openToday();
    await press('Space');
    await page.locator('.bottom').getByRole('button', { name: 'Undo' }).waitFor();
    await press('Tab');
    await focusIs(page, /^Undo$/);
    await press('Enter');
    await isOpenAgain(page);
    await focusIs(page, /^Today/);
  });

  it('E opens the task of a row as text', async () => {
    await openToday();
    await press('e');
    const isText = () => /^Write the report .*#money {2}dl-/.test(editor.tabs.activeEditor?.document.getText() ?? '');
    await editor.changes.until('the text', isText);
  });

  it('an undo by key removes the offer to undo', async () => {
    const page = await openToday();
    await press('Space');
    const undo = page.locator('.bottom').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await press('Control+z');
    await isOpenAgain(page);
    await undo.waitFor({ state: 'detached' });
  });

  it('a menu that opens before the page learns that a question has ended keeps the focus', async () => {
    const page = await openToday();
    await page.evaluate(`addEventListener('message', event => {
      if (event.data.type !== 'focus' || event.data === globalThis.late) return;
      event.stopImmediatePropagation();
      globalThis.late = event.data;
    }, { capture: true })`);
    await press('p');
    await editor.questions.pick('High');
    await isTrue(page, 'globalThis.late');
    await press('Shift+F10');
    assert.ok((await editor.menus.titles()).includes('Open Task'));
    // The menu is the window's, as the focus is then.
    await editor.page.evaluate('document.activeElement.blur(), window.focus()');
    await isTrue(page, '!document.hasFocus()');
    await page.evaluate(`dispatchEvent(new MessageEvent('message', { data: late }))`);
    // The host has answered the page's earlier messages before this one comes.
    await editor.engine.updateTask(taskNamed(editor, 'Write the report')!.id, { tags: ['heard'] });
    await rowsOf(page, 'heard').waitFor();
    assert.equal(await page.evaluate('document.hasFocus()'), false);
  });

  it('the form keeps the focus near a control that disappears', async () => {
    const page = await openTask(editor, taskNamed(editor, 'Call the bank')!.id);
    await page.locator('.due [data-chip=due]').focus();
    await press('Delete');
    await page.locator('.unset [data-chip=due]').waitFor();
    await focusIs(page, /Date$/);
    await page.locator('.head .menu').focus();
    await press('Enter');
    await editor.menus.choose('Delete Task');
    await focusIs(page, /^Restore$/);
    await press('Enter');
    await page.locator('#title').waitFor();
    await focusIs(page, /^Title$/);
  });

  it('the page announces what a chip was set to, what was done and undone, and keeps its place', async () => {
    const [bank, books] = ['Call the bank', 'Pack the books'].map(title => taskNamed(editor, title)!.id);
    await editor.engine.apply([{ type: 'blockers', id: bank!, add: [books!] }]);
    await editor.command('dueline.open', bank!);
    const page = await editor.frame('dueline-task .blocker');
    const status = (words: RegExp) => page.locator('dueline-task > [role=status]', { hasText: words }).waitFor();
    await page.locator('[data-chip=priority]').focus();
    await press('Enter');
    await editor.page.keyboard.type('low');
    await page.locator('#chip-suggestions li.active').waitFor();
    await press('Enter');
    await status(/^Priority Low/);
    await page.locator('.head .check').focus();
    await press('Space');
    await status(/^Completed .*Call the bank/);
    await press('Control+z');
    await status(/^Undone: complete/);
    await page.locator('.blocker .title').focus();
    await press('Delete');
    await page.locator('.blocker').waitFor({ state: 'detached' });
    await focusIs(page, /Add a subtask/);
    await press('Control+z');
    await page.locator('.blocker').waitFor();
  });
});
