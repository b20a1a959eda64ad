import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { Session } from './support/driver';
import { until } from './support/wait';
import { fill, isInSight, openWidget, rowsOf } from './support/widgetPages';

/** Rows or cards that are in sight as a whole. */
const wholeIn = (page: Frame, area: string, item: string) =>
  page.evaluate(`(() => {
    const bounds = document.querySelector('${area}').getBoundingClientRect();
    const isWhole = one => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= bounds.top && bottom <= Math.min(bounds.bottom, innerHeight);
    };
    return [...document.querySelectorAll('${area} ${item}')].filter(isWhole).length;
  })()`) as Promise<number>;

const boxOf = (page: Frame, selector: string) =>
  page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().toJSON()`) as Promise<{
    readonly width: number;
    readonly height: number;
    readonly right: number;
  }>;

/** How much of the tasks the views show as they come, and where the rest has gone. */
describe('room for tasks', () => {
  let session: Session;
  const pane = (kind: string) => session.window.frame(`body[data-boot*='"kind":"${kind}"'] :is(.row, .card)`);
  const title = (name: string) => session.window.pane(name);

  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1400, height: 900 } });
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
    await fill(
      session.window,
      ['Work', 'Home'],
      [...late, ...due, { list: 'Home', title: 'Sort what was kept', tags }],
    );
    await session.window.view();
  });
  after(() => session?.close());
  afterEach(function () {
    return session.window.tidy(this.currentTest);
  });

  it('Today shows eight rows or more at a height of 900 pixels', async () => {
    const page = await pane('today');
    const count = await wholeIn(page, 'dueline-rows', '.row');
    assert.ok(count >= 8, `${count} rows`);
    assert.equal(await page.locator('.heading, .control').count(), 0, 'nothing above the rows but quick add');
    assert.equal((await boxOf(page, '.bottom')).height, 0);
    assert.match((await title('Today').textContent()) ?? '', /15 open/);
  });

  it('Week shows four cards of a day in a panel of the usual height', async () => {
    await session.window.command('dueline.widgets.week.focus');
    const page = await pane('week');
    const count = await wholeIn(page, '.column.accent dueline-rows', '.card');
    assert.ok(count >= 4, `${count} cards`);
    const { height } = await boxOf(page, '.top');
    assert.ok(height <= 36, `one line above the days, not ${height} px`);
    await session.window.pictures('space-window');
  });

  it('the way to the setup is a button in the title of each view', async () => {
    const { window } = session;
    const page = await pane('week');
    await title('Week').locator('.pane-header').hover();
    await title('Week').getByRole('button', { name: 'Configure Widget' }).click();
    await page.locator('.setup').waitFor();
    await window.page.keyboard.press('Escape');
    await page.locator('.setup').waitFor({ state: 'detached' });
    const today = await pane('today');
    await title('Today').locator('.pane-header').hover();
    await title('Today').getByRole('button', { name: 'Configure Widget' }).click();
    await today.locator('.setup').waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('in a tab it is a button beside the tabs, and opens that tab’s own', async () => {
    const { window } = session;
    await window.command('workbench.action.closePanel');
    const page = await openWidget(window, 'tasks', 'Pay the invoice');
    await window.page.locator('.editor-actions').getByRole('button', { name: 'Configure Widget' }).click();
    await page.locator('.setup').waitFor();
    await window.page.keyboard.type('Mail');
    await window.page.keyboard.press('Tab');
    await page.locator('h1', { hasText: 'Mail' }).waitFor();
    await window.page.keyboard.press('Escape');
    await page.locator('.setup').waitFor({ state: 'detached' });
  });

  it('rows of a wide tab end at a readable width, their time and the line above with them', async () => {
    const page = await openWidget(session.window, 'tasks', 'Pay the invoice');
    assert.ok((await boxOf(page, 'body')).width > 900);
    assert.ok((await boxOf(page, '.row .when')).right <= 744);
    assert.ok((await boxOf(page, '.top .control.menu:last-child')).right <= 744);
    await session.window.pictures('space-tab');
  });

  it('filters that do what a widget does are folded away, and open in one step', async () => {
    const { window } = session;
    const tops = window.pane('Filters').locator('.monaco-list-row');
    await tops.filter({ hasText: 'Overdue' }).waitFor();
    await tops.filter({ hasText: 'Today, Up Next' }).waitFor();
    assert.equal(await tops.filter({ hasText: /^Up Next/ }).count(), 0);
    await window.expand('Today, Up Next');
    await tops.filter({ hasText: /^Today\d/ }).waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await window.page.keyboard.press(key);
    await tops
      .and(window.page.locator('[aria-expanded=true]'))
      .filter({ hasText: /^Up Next/ })
      .waitFor();
  });

  it('what was done is said at the foot, with Undo, and the strip goes again', async () => {
    const page = await openWidget(session.window, 'today', 'Pay the invoice');
    await rowsOf(page, 'Pay the invoice').click();
    await session.window.page.keyboard.press('1');
    await page.locator('.bottom.on').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.bottom.on').waitFor({ state: 'detached' });
  });

  for (const [name, width, height] of [
    ['narrow', 240, 600],
    ['low', 933, 600],
  ] as const)
    it(`nothing is cut off at ${width} pixels, whatever the kind`, async () => {
      const { window } = session;
      await window.command('workbench.action.closeSidebar');
      await window.resize(width === 240 ? 300 : width, height);
      for (const kind of ['today', 'week', 'lists'] as const) {
        const page = await openWidget(window, kind, 'Look at what');
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.equal(wide, 0, `${kind} is too wide`);
        const { width: room } = await boxOf(page, 'dueline-quick-add');
        assert.ok(room >= 150, `${kind}: ${room} px to type in`);
        await window.pictures(`space-${name}-${kind}`);
      }
    });

  it('at 400 % of a window of 1280 pixels, the form, what is offered and the keys are reached', async () => {
    const { window } = session;
    const { keyboard } = window.page;
    await window.command('workbench.action.closeSidebar');
    await window.resize(320, 256);
    const page = await openWidget(window, 'month', 'Look at what');
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
    await until('the fifth in sight', 20_000, () => isInSight(page.locator('#suggestion-4.active')));
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
    await page.locator('#offers li').nth(6).waitFor();
    for (let at = 0; at < 6; at++) await keyboard.press('ArrowDown');
    await until('the seventh in sight', 20_000, () => isInSight(page.locator('#offers-6.active')));
    await window.picture('space-zoomed');
  });

  it('a row that goes to a group out of sight is brought into sight, for a screen reader too, and so on its way back', async () => {
    const { window } = session;
    const { keyboard } = window.page;
    await window.command('workbench.action.closeSidebar');
    await window.resize(320, 300);
    const page = await openWidget(window, 'board', 'Renew the passport');
    const row = rowsOf(page, 'Renew the passport').and(page.locator('.active'));
    await rowsOf(page, 'Renew the passport').click();
    await row.waitFor();
    for (const keys of ['Alt+ArrowDown', 'Control+z']) {
      await keyboard.press(keys);
      await page.locator('.bottom.on', { hasText: keys === 'Control+z' ? 'Undone' : 'Moved' }).waitFor();
      await until(`the row in sight after ${keys}`, 20_000, () => isInSight(row));
      const said = await page.locator('.tree').getAttribute('aria-activedescendant');
      assert.equal(said, await row.getAttribute('id'));
    }
  });
});
