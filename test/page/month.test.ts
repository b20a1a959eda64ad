import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { Editor } from '../support/vscode/editor';
import { axe } from './support/axe';
import {
  becomes,
  clear,
  fill,
  hasFocus,
  openWidget,
  passesAxe,
  rowsOf,
  shows,
  taskNamed,
  widgetWith,
} from './support/widgets';

const dayMs = 86_400_000;

/** Six weeks of tasks: by mouse and by keyboard, in a tab, the panel and a narrow sidebar. */
describe('Month', () => {
  let editor: Editor;
  before(async () => {
    const settings = { 'dueline.week.firstDay': 'monday', 'dueline.display.locale': 'de-DE' };
    editor = await Editor.open({ size: { width: 1400, height: 900 }, settings });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.resize(1400, 900);
    await clear(editor);
    await fill(
      editor,
      ['Work'],
      [
        { list: 'Work', title: 'Daily', day: 0, rrule: 'FREQ=DAILY' },
        { list: 'Work', title: 'Once', day: 0, time: 600 },
        { list: 'Work', title: 'Some day' },
      ],
    );
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const open = (text = 'Once') => openWidget(editor, 'month', text);
  const cells = (page: Frame) => page.locator('.month .column');
  const keyOf = async (cell: Locator) => (await cell.getAttribute('data-group'))!;
  const todayOf = (page: Frame) => page.locator('.month .column.accent');
  const cellOf = (page: Frame, day: number) =>
    page.locator(`.month .column[data-group="${new Date(day).toISOString().slice(0, 10)}"]`);
  const press = async (...keys: string[]) => {
    for (const key of keys) await editor.page.keyboard.press(key);
  };
  const today = Date.UTC(2026, 2, 11);
  const dueOf = (title: string) => taskNamed(editor, title)?.due ?? null;

  it('is six weeks from the first day of the week, with their numbers and every date of a series', async () => {
    const page = await open();
    assert.equal(await cells(page).count(), 42);
    const first = new Date(`${await keyOf(cells(page).first())}T00:00Z`);
    assert.equal(first.getUTCDay(), 1);
    const begin = Date.UTC(2026, 2, 1);
    assert.ok(first.getTime() <= begin && begin < first.getTime() + 7 * dayMs);
    const thursday = new Date(first.getTime() + 3 * dayMs);
    const ofYear = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / dayMs / 7) + 1;
    const numbers = await page.locator('.month .number').allTextContents();
    assert.equal(numbers.length, 6);
    assert.equal(numbers[0], String(ofYear));
    assert.equal(await page.locator('.month .weekday').first().textContent(), 'Wk');
    const left = 42 - (await cells(page).evaluateAll(all => all.findIndex(one => one.classList.contains('accent'))));
    await shows(page, 'the series', async () => (await rowsOf(page, 'Daily').count()) === left);
  });

  it('shows the number of a narrow day and the link to its other tasks in one line', async () => {
    await fill(
      editor,
      ['Work'],
      Array.from({ length: 12 }, (_, at) => ({ list: 'Work', title: `Many ${at}`, day: 0 })),
    );
    const page = await open('Many 0');
    await editor.resize(760, 640);
    const link = todayOf(page).locator('.head .link');
    await shows(page, 'the short words', async () => /^\+\d+$/.test((await link.textContent()) ?? ''));
    assert.match((await link.getAttribute('aria-label')) ?? '', /^\d+ more$/);
    const { height } = (await link.boundingBox())!;
    assert.ok(height <= 20, String(height));
    await editor.resize(1200, 800);
  });

  it('shows times if days are wide enough, and otherwise in tooltips', async () => {
    await editor.resize(1900, 900);
    const page = await open();
    const card = page.locator('.card', { hasText: 'Once' });
    const time = card.locator('.time');
    await shows(page, 'the time', () => time.isVisible());
    assert.equal(await time.textContent(), '10:00');
    await editor.resize(1100, 900);
    await shows(page, 'no time', async () => !(await time.isVisible()));
    assert.match((await card.locator('.title').getAttribute('title')) ?? '', /Once\n10:00/);
  });

  it('keeps its date whole in a narrow head, before its title', async () => {
    const page = await open();
    const date = page.locator('.aside');
    const isWhole = () =>
      date.evaluate(one => {
        const [box, head] = [one, one.parentElement!].map(each => each.getBoundingClientRect());
        return one.scrollWidth <= one.clientWidth && box!.top >= head!.top - 1 && box!.bottom <= head!.bottom + 1;
      });
    await editor.resize(560, 700);
    await shows(page, 'the whole date', isWhole);
    await editor.resize(1400, 900);
    await shows(page, 'the title', () => page.locator('h1', { hasText: 'Month' }).isVisible());
  });

  it('has the buttons and icons of rows on its cards, like Week', async () => {
    const { id } = taskNamed(editor, 'Once')!;
    await editor.engine.updateTask(id, { url: 'https://example.org/', description: 'Bring a pen.' });
    for (const kind of ['month', 'week'] as const) {
      const page = await openWidget(editor, kind, 'Once');
      const card = page.locator('.card', { hasText: 'Once' });
      await shows(page, 'signs of link and notes', async () => (await card.locator('.when .glyph').count()) >= 2);
      await card.hover();
      const titles = () =>
        card.locator('.acts .act').evaluateAll(all => all.map(one => one.getAttribute('title') ?? ''));
      assert.deepEqual(await titles(), ['Due Date…', 'Postpone…', 'More Actions…']);
      await card.locator('.act[title="Postpone…"]').click();
      await editor.questions.pick('By 1 day');
      await page.locator('.bottom').getByRole('button', { name: 'Undo' }).click();
      await becomes(editor, 'Once', { due: today + 600 * 60_000 });
      await shows(page, 'the old day', async () => (await rowsOf(page, 'Once').count()) === 1);
      await editor.command('workbench.action.closeActiveEditor');
    }
  });

  it('keeps the time of day of a card whose day is typed', async () => {
    const page = await open();
    await rowsOf(page, 'Once').click();
    for (const [key, title, text, days] of [
      ['d', 'Due Date', 'friday', 2],
      ['s', 'Postpone', 'next thursday', 8],
    ] as const) {
      await press(key);
      await editor.questions.answer(title, text);
      await becomes(editor, 'Once', { due: today + days * dayMs + 600 * 60_000 });
    }
  });

  it('goes to other months and back, by buttons and keys', async () => {
    const page = await open();
    const label = await page.locator('.aside').textContent();
    await page.getByRole('button', { name: 'Next month' }).click();
    await shows(page, 'the next month', async () => (await page.locator('.aside').textContent()) !== label);
    await rowsOf(page, 'Daily').first().click();
    await press('k');
    await page.locator('.card', { hasText: 'Once' }).waitFor();
    await press('k');
    await page.locator('.card', { hasText: 'Once' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'This month' }).click();
    await page.locator('.card', { hasText: 'Once' }).waitFor();
  });

  it('keeps the focus at the same position in another month', async () => {
    const page = await open();
    const focused = page.locator('.month .column:focus-within');
    await rowsOf(page, 'Once').click();
    const key = await keyOf(focused);
    await press('j');
    await shows(page, 'another day with the focus', async () => (await keyOf(focused)) !== key);
    await press('k');
    await shows(page, 'today with the focus', async () => (await keyOf(focused)) === key);
  });

  it('a card is dragged to another day, even from the unscheduled tasks, with a message and undo', async () => {
    const page = await open();
    const cell = cellOf(page, today + 7 * dayMs);
    await rowsOf(page, 'Once').dragTo(cell);
    await cell.locator('.card', { hasText: 'Once' }).waitFor();
    assert.equal(dueOf('Once'), today + 7 * dayMs + 600 * 60_000, 'its time stays');
    await page.locator('.bottom.on').getByRole('button', { name: 'Undo' }).click();
    await todayOf(page).locator('.card', { hasText: 'Once' }).waitFor();
    await rowsOf(page, 'Some day').dragTo(cell);
    await cell.locator('.card', { hasText: 'Some day' }).waitFor();
    await todayOf(page).locator('.card', { hasText: 'Daily' }).dragTo(cell);
    await page.locator('.bottom.on', { hasText: 'Rescheduled this occurrence only' }).waitFor();
  });

  it('the arrow keys move through days and weeks, and with Alt they move the card', async () => {
    const page = await open();
    const below = cellOf(page, today + 7 * dayMs);
    const nextCell = cellOf(page, today + dayMs);
    await rowsOf(page, 'Once').click();
    await press('Home', 'End', 'ArrowDown');
    await hasFocus(below);
    await press('ArrowUp');
    await hasFocus(todayOf(page));
    await press('ArrowRight');
    await hasFocus(nextCell);
    await press('ArrowLeft');
    await hasFocus(todayOf(page));
    await rowsOf(page, 'Once').click();
    await press('Alt+ArrowDown');
    await below.locator('.card.active', { hasText: 'Once' }).waitFor();
    await hasFocus(below);
    assert.equal(dueOf('Once'), today + 7 * dayMs + 600 * 60_000);
    await press('Control+z');
    await becomes(editor, 'Once', { due: today + 600 * 60_000 });
  });

  it('names its days with their dates and marks today, without a landmark for each', async () => {
    const page = await open();
    const name = (await todayOf(page).getAttribute('aria-label'))!;
    assert.equal(await page.getByRole('region').count(), 1, 'Unscheduled');
    assert.equal(await page.getByRole('group').count(), 42);
    const heading = todayOf(page).getByRole('heading', { name, exact: true });
    assert.equal(await heading.getAttribute('aria-current'), 'date');
    const focused = page.getByRole('tree').and(page.locator(':focus'));
    await rowsOf(page, 'Once').click();
    await press('ArrowRight');
    await focused.and(page.locator(':not([aria-current])')).waitFor();
    await press('ArrowLeft');
    await focused.and(page.locator('[aria-current=date]')).waitFor();
    assert.equal(await page.locator('.tree[aria-current]').count(), 1);
    await editor.resize(240, 700);
    const narrow = page.getByRole('treeitem').and(page.locator('[aria-current=date]'));
    await narrow.waitFor();
    assert.ok((await narrow.getAttribute('aria-label'))!.startsWith(name));
  });

  /** More than a day has room for. */
  const errands = Array.from({ length: 9 }, (_, at) => ({ list: 'Work', title: `Errand ${at}`, day: 0 }));

  it('tasks without room in a day are counted, and shown and edited when the day is expanded', async () => {
    await fill(editor, ['Work'], errands);
    const page = await open('Errand');
    const more = todayOf(page).locator('.head .link');
    await more.waitFor();
    assert.match((await more.textContent()) ?? '', /^\d+ more$/);
    const hidden = async () => {
      const cards = await todayOf(page)
        .locator('.card')
        .evaluateAll(all =>
          all.map(card => {
            const { top, bottom } = card.getBoundingClientRect();
            const end = card.closest('dueline-rows')!.getBoundingClientRect().bottom;
            return bottom <= end ? 'shown' : top < end ? 'cut' : 'hidden';
          }),
        );
      return { cut: cards.includes('cut'), shown: cards.filter(one => one === 'shown').length };
    };
    for (const height of [700, 712, 724]) {
      await editor.resize(1200, height);
      await shows(page, 'whole cards alone', async () => {
        const { cut, shown } = await hidden();
        return !cut && shown + Number.parseInt((await more.textContent()) ?? '', 10) === 11;
      });
    }
    await editor.resize(1200, 800);
    await more.click();
    const day = page.locator('dialog.day');
    await day.locator('.row', { hasText: 'Errand 8' }).waitFor();
    assert.equal(await day.locator('.row').count(), 11);
    await hasFocus(day);
    assert.deepEqual(await axe(page), []);
    await day.locator('.row', { hasText: 'Errand 8' }).click();
    await press('1');
    await becomes(editor, 'Errand 8', { priority: 1 });
    const label = await page.locator('.aside').textContent();
    await press('n', ',', 'j', '2');
    await becomes(editor, 'Errand 8', { priority: 5 });
    assert.equal(await day.locator(':focus').count(), 1, 'the keys of the page mean nothing behind the day');
    assert.equal(await page.locator('dueline-setup').count(), 0);
    assert.equal(await page.locator('.aside').textContent(), label);
    await press('Escape');
    await day.waitFor({ state: 'detached' });
    await hasFocus(todayOf(page));
    await press('End');
    await todayOf(page).locator('.card.active', { hasText: 'Once' }).waitFor();
  });

  it('shows the focused card of a day that has no room for one', async () => {
    const page = await open();
    await rowsOf(page, 'Once').click();
    // A line of meetings in a low window leaves none.
    await page.locator('dueline-month').evaluate(month => Object.assign(month, { space: 0 }));
    await shows(page, 'a whole card', () =>
      todayOf(page)
        .locator('.card.active')
        .evaluate(card => card.getBoundingClientRect().height <= card.closest('dueline-rows')!.clientHeight),
    );
  });

  it('keeps the focus in the line if N is pressed before the page learns that a dialog has closed', async () => {
    await fill(editor, ['Work'], errands);
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

  it('appears in the panel, and as a list of days if it is narrow', async () => {
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('dueline.widgets.month.focus');
    // A day has room for one of its two cards.
    const pane = await widgetWith(editor, 'month', 'Daily');
    await shows(pane, 'six weeks', async () => (await cells(pane).count()) === 42);
    await editor.command('workbench.action.closePanel');
    await editor.resize(240, 700);
    const page = await openWidget(editor, 'month', 'Once');
    assert.equal(await page.locator('.month').count(), 0);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    await editor.resize(872, 600);
    const low = await openWidget(editor, 'month', 'Once');
    assert.equal(await cells(low).count(), 42);
    assert.equal(await low.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
  });

  it('axe finds no faults in any theme or from right to left', () => passesAxe(editor, 'month', 'Once'));
});
