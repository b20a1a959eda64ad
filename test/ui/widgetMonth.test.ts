import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { axe } from './support/axe';
import { Session } from './support/driver';
import { until } from './support/wait';
import { clear, fill, hasFocus, openWidget, passesAxe, rowsOf, taskNamed, widgetWith } from './support/widgetPages';

const dayMs = 86_400_000;

/** Six weeks of tasks: by mouse and by keyboard, in a tab, the panel and where it is narrow. */
describe('Month', () => {
  let session: Session;
  before(async () => {
    const settings = { 'dueline.week.firstDay': 'monday', 'dueline.display.locale': 'de-DE' };
    session = await Session.open({ theme: 'dark', size: { width: 1400, height: 900 }, settings });
    await session.window.command('workbench.action.closeSidebar');
  });
  after(() => session?.close());
  beforeEach(async () => {
    const { window } = session;
    await window.resize(1400, 900);
    await clear(window);
    await fill(
      window,
      ['Work'],
      [
        { list: 'Work', title: 'Daily', day: 0, rrule: 'FREQ=DAILY' },
        { list: 'Work', title: 'Once', day: 0, time: 600 },
        { list: 'Work', title: 'Some day' },
      ],
    );
  });
  afterEach(function () {
    return session.window.tidy(this.currentTest);
  });

  const open = (text = 'Once') => openWidget(session.window, 'month', text);
  const cells = (page: Frame) => page.locator('.month .column');
  const keyOf = async (cell: Locator) => (await cell.getAttribute('data-group'))!;
  const todayOf = (page: Frame) => page.locator('.month .column.accent');
  const cellOf = (page: Frame, day: number) =>
    page.locator(`.month .column[data-group="${new Date(day).toISOString().slice(0, 10)}"]`);
  const press = async (...keys: string[]) => {
    for (const key of keys) await session.window.page.keyboard.press(key);
  };
  /** A week or a day away from today, inside the six weeks. */
  const near = async (page: Frame, days: number) => {
    const today = Date.parse(`${await keyOf(todayOf(page))}T00:00Z`);
    const isOut = (await cellOf(page, today + days * dayMs).count()) === 0;
    return { today, step: isOut ? -1 : 1, cell: cellOf(page, today + (isOut ? -days : days) * dayMs) };
  };
  const dueOf = async (title: string) => (await taskNamed(session.window, title))?.due ?? null;

  it('is six weeks from the first day of the week, with their numbers and every date of a series', async () => {
    const page = await open();
    assert.equal(await cells(page).count(), 42);
    const first = new Date(`${await keyOf(cells(page).first())}T00:00Z`);
    assert.equal(first.getUTCDay(), 1);
    const now = new Date();
    const begin = Date.UTC(now.getFullYear(), now.getMonth(), 1);
    assert.ok(first.getTime() <= begin && begin < first.getTime() + 7 * dayMs);
    const thursday = new Date(first.getTime() + 3 * dayMs);
    const ofYear = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / dayMs / 7) + 1;
    const numbers = await page.locator('.month .number').allTextContents();
    assert.equal(numbers.length, 6);
    assert.equal(numbers[0], String(ofYear));
    const left = 42 - (await cells(page).evaluateAll(all => all.findIndex(one => one.classList.contains('accent'))));
    await until('the series', 20_000, async () => (await rowsOf(page, 'Daily').count()) === left);
    await session.window.pictures('month-wide');
  });

  it('has the buttons and the signs of rows on its cards, as Week has', async () => {
    const { window } = session;
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const [{ task }] = api.query('"Once"');
      await api.updateTask(task.id, { url: 'https://example.org/', description: 'Bring a pen.' });
    });
    for (const kind of ['month', 'week'] as const) {
      const page = await openWidget(window, kind, 'Once');
      const card = page.locator('.card', { hasText: 'Once' });
      await until('signs of link and notes', 20_000, async () => (await card.locator('.when .glyph').count()) >= 2);
      await card.hover();
      const titles = () =>
        card.locator('.acts .act').evaluateAll(all => all.map(one => one.getAttribute('title') ?? ''));
      assert.deepEqual(await titles(), ['Due Date…', 'Postpone…', 'More Actions…']);
      await window.pictures(`${kind}-card-hover`);
      await card.locator('.act[title="Postpone…"]').click();
      await window.pick('By 1 day');
      await page.locator('.bottom').getByRole('button', { name: 'Undo' }).click();
      await until('the old day', 20_000, async () => (await page.locator('.card', { hasText: 'Once' }).count()) === 1);
      await window.command('workbench.action.closeActiveEditor');
    }
  });

  it('goes to other months and back, by buttons and keys', async () => {
    const page = await open();
    const label = await page.locator('.aside').textContent();
    await page.getByRole('button', { name: 'Next month' }).click();
    await until('the next month', 20_000, async () => (await page.locator('.aside').textContent()) !== label);
    await rowsOf(page, 'Daily').first().click();
    await press('k');
    await page.locator('.card', { hasText: 'Once' }).waitFor();
    await press('k');
    await page.locator('.card', { hasText: 'Once' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'This month' }).click();
    await page.locator('.card', { hasText: 'Once' }).waitFor();
  });

  it('keeps the focus at its place in another month', async () => {
    const page = await open();
    const focused = page.locator('.month .column:focus-within');
    await rowsOf(page, 'Once').click();
    const today = await keyOf(focused);
    await press('j');
    await until('another day with the focus', 20_000, async () => (await keyOf(focused)) !== today);
    await press('k');
    await until('today with the focus', 20_000, async () => (await keyOf(focused)) === today);
  });

  it('a card is dragged to another day, from the tray too, with words and undo', async () => {
    const page = await open();
    const { cell, today, step } = await near(page, 7);
    await rowsOf(page, 'Once').dragTo(cell);
    await cell.locator('.card', { hasText: 'Once' }).waitFor();
    assert.equal(await dueOf('Once'), today + step * 7 * dayMs + 600 * 60_000, 'its time stays');
    await page.locator('.bottom.on').getByRole('button', { name: 'Undo' }).click();
    await todayOf(page).locator('.card', { hasText: 'Once' }).waitFor();
    await rowsOf(page, 'Some day').dragTo(cell);
    await cell.locator('.card', { hasText: 'Some day' }).waitFor();
    await todayOf(page).locator('.card', { hasText: 'Daily' }).dragTo(cell);
    await page.locator('.bottom.on', { hasText: 'Rescheduled this occurrence only' }).waitFor();
    await press('Control+z');
  });

  it('the arrows go through days and weeks, and with Alt take a card along', async () => {
    const page = await open();
    const { cell: below, step, today } = await near(page, 7);
    const { cell: beside } = await near(page, 1);
    const [down, right] = step > 0 ? ['ArrowDown', 'ArrowRight'] : ['ArrowUp', 'ArrowLeft'];
    await rowsOf(page, 'Once').click();
    await press('Home', ...(step > 0 ? ['End', down!] : [down!]));
    await hasFocus(below);
    await press(step > 0 ? 'ArrowUp' : 'ArrowDown');
    await hasFocus(todayOf(page));
    await press(right!);
    await hasFocus(beside);
    await press(step > 0 ? 'ArrowLeft' : 'ArrowRight');
    await rowsOf(page, 'Once').click();
    await press(`Alt+${down}`);
    await below.locator('.card.active', { hasText: 'Once' }).waitFor();
    await hasFocus(below);
    assert.equal(await dueOf('Once'), today + step * 7 * dayMs + 600 * 60_000);
    await press('Control+z');
    await until('it is back', 20_000, async () => (await dueOf('Once')) === today + 600 * 60_000);
  });

  it('names its days with their dates and marks today, without a landmark for each', async () => {
    const page = await open();
    const name = (await todayOf(page).getAttribute('aria-label'))!;
    assert.equal(await page.getByRole('region').count(), 1, 'Unscheduled');
    assert.equal(await page.getByRole('group').count(), 42);
    const heading = todayOf(page).getByRole('heading', { name, exact: true });
    assert.equal(await heading.getAttribute('aria-current'), 'date');
    const focused = page.getByRole('tree').and(page.locator(':focus'));
    const { step } = await near(page, 1);
    await rowsOf(page, 'Once').click();
    await press(step > 0 ? 'ArrowRight' : 'ArrowLeft');
    await focused.and(page.locator(':not([aria-current])')).waitFor();
    await press(step > 0 ? 'ArrowLeft' : 'ArrowRight');
    await focused.and(page.locator('[aria-current=date]')).waitFor();
    assert.equal(await page.locator('.tree[aria-current]').count(), 1);
    await session.window.resize(300, 700);
    const narrow = page.getByRole('treeitem').and(page.locator('[aria-current=date]'));
    await narrow.waitFor();
    assert.ok((await narrow.getAttribute('aria-label'))!.startsWith(name));
  });

  /** More than a day has room for. */
  const errands = Array.from({ length: 9 }, (_, at) => ({ list: 'Work', title: `Errand ${at}`, day: 0 }));

  it('what has no room in a day is counted, and shown and edited where the day is opened', async () => {
    await fill(session.window, ['Work'], errands);
    const page = await open('Errand');
    const more = todayOf(page).locator('.head .link');
    await more.waitFor();
    assert.match((await more.textContent()) ?? '', /^\d+ more$/);
    await more.click();
    const day = page.locator('dialog.day');
    await day.locator('.row', { hasText: 'Errand 8' }).waitFor();
    assert.equal(await day.locator('.row').count(), 11);
    await hasFocus(day);
    assert.deepEqual(await axe(page), []);
    await session.window.pictures('month-day');
    await day.locator('.row', { hasText: 'Errand 8' }).click();
    await press('1');
    await until('its priority', 20_000, async () => (await taskNamed(session.window, 'Errand 8'))?.priority === 1);
    const label = await page.locator('.aside').textContent();
    await press('n', ',', 'j', '2');
    await until('its next priority', 20_000, async () => (await taskNamed(session.window, 'Errand 8'))?.priority === 5);
    assert.equal(await day.locator(':focus').count(), 1, 'the keys of the page mean nothing behind the day');
    assert.equal(await page.locator('dueline-setup').count(), 0);
    assert.equal(await page.locator('.aside').textContent(), label);
    await press('Escape');
    await day.waitFor({ state: 'detached' });
    await hasFocus(todayOf(page));
    await press('End');
    await todayOf(page).locator('.card.active', { hasText: 'Once' }).waitFor();
  });

  it('keeps the focus in the line where N comes before the page is told that a dialog has closed', async () => {
    await fill(session.window, ['Work'], errands);
    const page = await open('Errand');
    const openDay = () => todayOf(page).locator('.head .link').click();
    const openKeys = async () => {
      await todayOf(page).locator('.card').first().click();
      await press('?');
    };
    for (const [dialog, opens] of [
      ['dialog.day', openDay],
      ['dialog.help:not(.day)', openKeys],
    ] as const) {
      await opens();
      await page.locator(dialog).waitFor();
      await page.evaluate(`{
        const dialog = document.querySelector('${dialog}');
        dialog.close();
        const card = document.querySelector('.card');
        card.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', code: 'KeyN', bubbles: true, cancelable: true }));
      }`);
      await page.locator(dialog).waitFor({ state: 'detached' });
      assert.equal(await page.locator('dueline-quick-add :focus').count(), 1, dialog);
      await press('Escape', 'Escape');
    }
  });

  it('shows in the panel, and as a list of days where it is narrow', async () => {
    const { window } = session;
    await window.command('workbench.action.closeAllEditors');
    await window.command('dueline.widgets.month.focus');
    const pane = await widgetWith(window, 'month', 'Once');
    await window.pane('Week').locator('.pane-header').click();
    await until('six weeks', 20_000, async () => (await cells(pane).count()) === 42);
    await window.pictures('month-panel');
    await window.command('workbench.action.closePanel');
    await window.resize(300, 700);
    const page = await openWidget(window, 'month', 'Once');
    assert.equal(await page.locator('.month').count(), 0);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    await window.pictures('month-narrow');
    await window.resize(933, 600);
    const low = await openWidget(window, 'month', 'Once');
    assert.equal(await cells(low).count(), 42);
    assert.equal(await low.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    await window.pictures('month-low');
  });

  it('axe finds nothing in any theme, nor right to left', () => passesAxe(session.window, 'month', 'Once', 'month'));
});
