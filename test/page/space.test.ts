import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';
import { boxOf, wholeIn } from './support/hands';
import { clear, fill, isInSight, openWidget, resizeWindow, rowsOf, shows, widgetWith } from './support/widgets';

/** The number of tasks that views show by default, and the way to the others. */
describe('space for tasks', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ size: { width: 1400, height: 900 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.resize(1400, 900);
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('workbench.action.closePanel');
    await clear(editor);
    const late = ['Renew the passport', 'Call the insurance', 'Pay the invoice'].map((title, at) => ({
      ...{ list: at % 2 ? 'Work' : 'Home', title, day: -1 },
    }));
    const due = Array.from({ length: 12 }, (_, at) => ({
      list: at % 2 ? 'Work' : 'Home',
      title: `Look at what came in with the mail, part ${at}`,
      day: 0,
      time: 600 + at * 10,
      tags: ['mail'],
    }));
    const tags = Array.from({ length: 9 }, (_, at) => `tag${at}`);
    await fill(editor, ['Work', 'Home'], [...late, ...due, { list: 'Home', title: 'Sort what was kept', tags }]);
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  it('Week shows four cards of a day in a panel of the usual height', async () => {
    await editor.command('dueline.widgets.week.focus');
    const page = await widgetWith(editor, 'week', 'Look at what');
    const count = await wholeIn(page, '.column.accent dueline-rows', '.card');
    assert.ok(count >= 4, `${count} cards`);
    const { height } = await boxOf(page, '.top');
    assert.ok(height <= 36, `one line above the days, not ${height} px`);
  });

  it('rows of a wide tab end at a readable width, with their time and the line above', async () => {
    const page = await openWidget(editor, 'tasks', 'Pay the invoice');
    assert.ok((await boxOf(page, 'body')).width > 900);
    assert.ok((await boxOf(page, '.row .when')).right <= 744);
    assert.ok((await boxOf(page, '.top .control.menu:last-child')).right <= 744);
  });

  it('filters repeat no widget', async () => {
    const filters = editor.tree('dueline.filters');
    await filters.row(/^Overdue/);
    assert.equal(filters.find(/^(Today|Up Next)/), undefined);
  });

  it('what was done is announced at the bottom, with Undo, and the strip disappears again', async () => {
    const page = await openWidget(editor, 'today', 'Pay the invoice');
    await rowsOf(page, 'Pay the invoice').click();
    await editor.page.keyboard.press('1');
    await page.locator('.bottom.on').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.bottom.on').waitFor({ state: 'detached' });
  });

  it('the announcement covers no focused row, and can be copied', async () => {
    const page = await openWidget(editor, 'today', 'Pay the invoice');
    await resizeWindow(editor, 600, 400);
    await rowsOf(page, 'Pay the invoice').click();
    await editor.page.keyboard.press('1');
    await page.locator('.bottom.on').waitFor();
    await editor.page.keyboard.press('End');
    await page.locator('dueline-rows .active', { hasText: 'part 11' }).waitFor();
    const row = await boxOf(page, 'dueline-rows .active');
    const message = await boxOf(page, '.bottom.on');
    assert.ok(row.bottom <= message.top, `the row ends at ${row.bottom}, the message begins at ${message.top}`);
    const isSelected = await page.evaluate(`getComputedStyle(document.querySelector('.said')).userSelect`);
    assert.equal(isSelected, 'text');
  });

  it('Done offers to add no task', async () => {
    await editor.command('dueline.openWidget', 'done');
    const page = await editor.frame(`body[data-boot*='"kind":"done"'] .empty`);
    assert.equal(await page.locator('.empty .link').count(), 0);
  });

  for (const [width, height] of [
    [240, 600],
    [933, 600],
  ] as const)
    it(`nothing is cut off at ${width} pixels, whatever the kind`, async () => {
      await resizeWindow(editor, width === 240 ? 300 : width, height);
      for (const kind of ['today', 'week', 'lists'] as const) {
        const page = await openWidget(editor, kind, 'Look at what');
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.equal(wide, 0, `${kind} is too wide`);
        const { width: room } = await boxOf(page, 'dueline-quick-add');
        assert.ok(room >= 150, `${kind}: ${room} px to type in`);
      }
    });

  it('at 400 % of a window of 1280 pixels, the form, the suggestions and the keys are reachable', async () => {
    const { keyboard } = editor.page;
    await resizeWindow(editor, 320, 256);
    const page = await openWidget(editor, 'month', 'Look at what');
    const isWhole = () =>
      page.evaluate(
        '[document.scrollingElement.scrollHeight <= innerHeight, document.scrollingElement.scrollTop === 0]',
      );
    await rowsOf(page, 'Look at what').first().click();
    await keyboard.press(',');
    await page.locator('.setup').waitFor();
    assert.deepEqual(await isWhole(), [true, true]);
    await page.locator('dueline-query input').focus();
    await page.locator('dueline-query li').nth(4).waitFor();
    for (let at = 0; at < 5; at++) await keyboard.press('ArrowDown');
    await shows(page, 'the fifth in sight', () => isInSight(page.locator('#suggestion-4.active')));
    await keyboard.press('Escape');
    await page.locator('.tree').focus();
    await keyboard.press('Escape');
    await page.locator('.setup').waitFor({ state: 'detached' });
    assert.deepEqual(await isWhole(), [true, true]);
    await keyboard.press('?');
    await page.locator('dialog.help').waitFor();
    assert.equal(await page.locator('dialog.help').evaluate(one => one.scrollWidth - one.clientWidth), 0);
    await keyboard.press('Escape');
    await keyboard.press('n');
    await keyboard.type('Buy milk #tag');
    // The whole tag is typed, since the first letter of one offers others too.
    await page.locator('#line-suggestions:not(:has-text("#mail")) li').nth(6).waitFor();
    for (let at = 0; at < 6; at++) await keyboard.press('ArrowDown');
    await shows(page, 'the seventh in sight', () => isInSight(page.locator('#line-suggestions-6.active')));
  });

  it('a row that moves to a group out of sight is scrolled into view, for a screen reader, too, and on its way back', async () => {
    const { keyboard } = editor.page;
    await resizeWindow(editor, 320, 300);
    const page = await openWidget(editor, 'board', 'Renew the passport');
    const row = rowsOf(page, 'Renew the passport').and(page.locator('.active'));
    await rowsOf(page, 'Renew the passport').click();
    await row.waitFor();
    for (const keys of ['Alt+ArrowDown', 'Control+z']) {
      await keyboard.press(keys);
      await page.locator('.bottom.on', { hasText: keys === 'Control+z' ? 'Undone' : 'Moved' }).waitFor();
      await shows(page, `the row in sight after ${keys}`, () => isInSight(row));
      const active = await page.locator('.tree').getAttribute('aria-activedescendant');
      assert.equal(active, await row.getAttribute('id'));
    }
  });
});
