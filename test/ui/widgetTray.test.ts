import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { Session } from './support/driver';
import { until } from './support/wait';
import { clear, fill, hasFocus, openWidget, passesAxe, rowsOf, taskNamed, widgetWith } from './support/widgetPages';

/** Tasks without a day, or from before, beside the days of Week; and what is dragged there out of the trees. */
describe('tasks on their way to a day', () => {
  let session: Session;
  before(async () => {
    const settings = { 'dueline.week.firstDay': 'monday', 'dueline.display.timeFormat': '24h' };
    session = await Session.open({ theme: 'dark', size: { width: 1500, height: 900 }, settings });
  });
  after(() => session?.close());
  beforeEach(async () => {
    const { window } = session;
    await window.resize(1500, 900);
    await clear(window);
    await fill(
      window,
      ['Work'],
      [
        { list: 'Work', title: 'Some day', priority: 1 },
        { list: 'Work', title: 'Whenever' },
        { list: 'Work', title: 'Long ago', day: -20 },
        { list: 'Work', title: 'At ten', day: 0, time: 600 },
        { list: 'Work', title: 'Parent', day: 0 },
        { list: 'Work', title: 'Step', parent: 'Parent' },
      ],
    );
  });
  afterEach(function () {
    return session.window.tidy(this.currentTest);
  });

  const days = (page: Frame) => page.locator('.column');
  const other = async (page: Frame): Promise<Locator> => {
    const isToday =
      (await page.locator('.column.accent').getAttribute('data-group')) === (await keyOf(days(page).nth(5)));
    return days(page).nth(isToday ? 4 : 5);
  };
  const keyOf = async (day: Locator) => (await day.getAttribute('data-group'))!;
  const dueOf = async (title: string) => (await taskNamed(session.window, title))?.due ?? null;
  const midnightOf = async (day: Locator) => Date.parse(`${await keyOf(day)}T00:00Z`);
  const isDue = (title: string, value: number | null) =>
    until(`${title} due ${value}`, 20_000, async () => (await dueOf(title)) === value);
  const toast = (page: Frame, words: string | RegExp) => page.locator('.bottom.on', { hasText: words });

  /** A drag by hand, held for a moment over its end, so that the page can say where it would land. */
  const drag = async (from: Locator, to: { x: number; y: number }, work?: () => Promise<void>, shift = false) => {
    const { mouse, keyboard } = session.window.page;
    const start = (await from.boundingBox())!;
    await mouse.move(start.x + 60, start.y + 10);
    await mouse.down();
    await mouse.move(start.x + 70, start.y + 16, { steps: 3 });
    if (shift) await keyboard.down('Shift');
    await mouse.move(to.x, to.y, { steps: 8 });
    await mouse.move(to.x + 1, to.y + 1, { steps: 2 });
    await work?.();
    await mouse.up();
    if (shift) await keyboard.up('Shift');
  };
  const middleOf = async (place: Locator) => {
    const { x, y, width, height } = (await place.boundingBox())!;
    return { x: x + width / 3, y: y + height / 2 };
  };
  /** Over the hour at the end of a day, first over the day so that the hours are there. */
  const overHour = (page: Frame, day: Locator, hour: string) => async () => {
    const slot = day.locator('.hours span', { hasText: hour });
    await slot.waitFor();
    const { x, y } = await middleOf(slot);
    await session.window.page.mouse.move(x, y, { steps: 4 });
    await page.locator('.hours .at', { hasText: hour }).waitFor();
  };

  it('tasks without a date and those from before are beside the days, not their subtasks', async () => {
    const page = await openWidget(session.window, 'week', 'At ten');
    const tray = page.locator('section.tray');
    await rowsOf(page, 'Long ago').waitFor();
    assert.deepEqual(await tray.locator('.group .name').allTextContents(), ['Overdue', 'No Date']);
    assert.deepEqual(await tray.locator('.row .title').allTextContents(), ['Long ago', 'Some day', 'Whenever']);
    await session.window.pictures('tray-wide');
    await page.getByRole('button', { name: /Unscheduled/ }).click();
    await tray.waitFor({ state: 'detached' });
    await session.window.command('workbench.action.files.newUntitledFile');
    await session.window.command('workbench.action.closeActiveEditor');
    const again = await widgetWith(session.window, 'week', 'At ten');
    assert.equal(await again.locator('section.tray').count(), 0, 'as it was left');
    await again.getByRole('button', { name: /Unscheduled/ }).click();
    await again.locator('section.tray').waitFor();
  });

  it('they are dragged to a day, with words and undo', async () => {
    const page = await openWidget(session.window, 'week', 'At ten');
    const day = await other(page);
    await drag(rowsOf(page, 'Whenever'), await middleOf(day));
    await isDue('Whenever', await midnightOf(day));
    await day.locator('.card', { hasText: 'Whenever' }).waitFor();
    await toast(page, /Rescheduled .Whenever/)
      .getByRole('button', { name: 'Undo' })
      .click();
    await isDue('Whenever', null);
    await page.locator('section.tray .row', { hasText: 'Whenever' }).waitFor();
  });

  it('over a day its hours show, and take a task in from the tray or from another day', async () => {
    const page = await openWidget(session.window, 'week', 'At ten');
    const day = await other(page);
    await drag(rowsOf(page, 'Some day'), await middleOf(day), async () => {
      await overHour(page, day, '14')();
      await session.window.pictures('tray-hours');
    });
    await day.locator('.card', { hasText: 'Some day' }).locator('.when', { hasText: '14:00' }).waitFor();
    assert.equal(await page.locator('.hours').count(), 0);
    await drag(rowsOf(page, 'At ten'), await middleOf(day), overHour(page, day, '16'));
    await isDue('At ten', (await midnightOf(day)) + 16 * 3_600_000);
    await session.window.page.keyboard.press('Control+z');
    await toast(page, 'Rescheduled').waitFor({ state: 'detached' });
  });

  it('of a series, the occurrence that is dragged moves alone, and the words say so', async () => {
    await fill(session.window, ['Work'], [{ list: 'Work', title: 'Each month', day: -15, rrule: 'FREQ=MONTHLY' }]);
    const page = await openWidget(session.window, 'week', 'At ten');
    await drag(rowsOf(page, 'Each month'), await middleOf(await other(page)));
    await toast(page, 'Rescheduled this occurrence only').waitFor();
  });

  it('the keyboard takes them to today, on to the next day, and back by undo', async () => {
    const { keyboard } = session.window.page;
    const page = await openWidget(session.window, 'week', 'At ten');
    const today = page.locator('.column.accent');
    await rowsOf(page, 'Whenever').click();
    await keyboard.press('Alt+ArrowRight');
    const card = today.locator('.card.active', { hasText: 'Whenever' });
    await card.waitFor();
    assert.ok(await today.locator('.tree').evaluate(tree => tree === tree.ownerDocument.activeElement));
    const back = (await keyOf(today)) === (await keyOf(days(page).last()));
    await keyboard.press(back ? 'Alt+ArrowLeft' : 'Alt+ArrowRight');
    await isDue('Whenever', (await midnightOf(today)) + (back ? -1 : 1) * 86_400_000);
    await keyboard.press('Control+z');
    await keyboard.press('Control+z');
    await isDue('Whenever', null);
    for (let at = 0; at < 7; at += 1) await keyboard.press('ArrowLeft');
    assert.ok(await page.locator('.tray .tree').evaluate(tree => tree === tree.ownerDocument.activeElement));
    await keyboard.press('ArrowRight');
    assert.ok(
      await days(page)
        .first()
        .locator('.tree')
        .evaluate(tree => tree === tree.ownerDocument.activeElement),
    );
  });

  it('an undo takes the person back into the tray that the last task had left', async () => {
    const { window } = session;
    const { keyboard } = window.page;
    await clear(window);
    await fill(window, ['Work'], [{ list: 'Work', title: 'Some day' }]);
    for (const kind of ['week', 'month'] as const) {
      const page = await openWidget(window, kind, 'Some day');
      await rowsOf(page, 'Some day').click();
      await keyboard.press('Alt+ArrowRight');
      await hasFocus(page.locator('.column.accent'));
      await page.locator('.column.accent .card.active', { hasText: 'Some day' }).waitFor();
      await page.locator('section.tray').waitFor({ state: 'detached' });
      await keyboard.press('Control+z');
      await hasFocus(page.locator('section.tray'));
      await page.locator('section.tray .row.active', { hasText: 'Some day' }).waitFor();
      await keyboard.press('1');
      await rowsOf(page, 'Some day').locator('.check.high').waitFor();
    }
  });

  it('rows of the trees are dragged to a day or an hour while Shift is held, and the page says so', async () => {
    const { window } = session;
    await window.view();
    await window.expand('Work');
    const page = await openWidget(window, 'week', 'At ten');
    const day = await other(page);
    const row = () => window.pane('Lists').locator('.monaco-list-row', { hasText: 'Whenever' });
    await drag(row(), await middleOf(day), () => toast(page, 'Hold Shift').waitFor());
    assert.equal(await dueOf('Whenever'), null, 'without Shift the editor keeps it');
    await drag(row(), await middleOf(day), () => window.pictures('tray-tree'), true);
    await isDue('Whenever', await midnightOf(day));
    await toast(page, /Rescheduled .Whenever/)
      .getByRole('button', { name: 'Undo' })
      .click();
    await isDue('Whenever', null);
    await drag(row(), await middleOf(day), overHour(page, day, '09'), true);
    await day
      .locator('.card', { hasText: 'Whenever' })
      .locator('.when bdi', { hasText: /^0?9:00/ })
      .waitFor();
    await window.command('workbench.action.closeSidebar');
  });

  it('where it is narrow they are folded below the days, and moved from there', async () => {
    const { window } = session;
    await window.resize(300, 700);
    const page = await openWidget(window, 'week', 'At ten');
    const groups = page.locator('.group');
    assert.deepEqual((await groups.locator('.name').allTextContents()).slice(-2), ['Overdue', 'No Date']);
    assert.equal(await rowsOf(page, 'Whenever').count(), 0);
    await groups.last().click();
    await rowsOf(page, 'Whenever').click();
    await window.page.keyboard.press('Alt+ArrowUp');
    await until('a date', 20_000, async () => (await dueOf('Whenever')) !== null);
    await window.pictures('tray-narrow');
    await window.resize(933, 600);
    const low = await openWidget(window, 'week', 'At ten');
    await low.getByRole('button', { name: /Unscheduled/ }).click();
    await low.locator('section.tray').waitFor();
    assert.equal(await low.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    await window.pictures('tray-low');
  });

  it('axe finds nothing in any theme, nor right to left', () => passesAxe(session.window, 'week', 'Long ago', 'tray'));
});
