import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { Editor } from '../support/vscode/editor';
import { drag, middleOf } from './support/hands';
import {
  becomes,
  clear,
  fill,
  hasFocus,
  openWidget,
  passesAxe,
  rowsOf,
  taskNamed,
  widgetWith,
} from './support/widgets';

const dayMs = 86_400_000;

/** Unscheduled tasks, or overdue ones from before, next to the days of Week. */
describe('tasks moved to a day', () => {
  let editor: Editor;
  before(async () => {
    const settings = { 'dueline.week.firstDay': 'monday', 'dueline.display.timeFormat': '24h' };
    editor = await Editor.open({ size: { width: 1500, height: 900 }, settings });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.resize(1500, 900);
    await clear(editor);
    await fill(
      editor,
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
    return editor.tidy(this.currentTest);
  });

  const days = (page: Frame) => page.locator('.column');
  const keyOf = async (day: Locator) => (await day.getAttribute('data-group'))!;
  const midnightOf = async (day: Locator) => Date.parse(`${await keyOf(day)}T00:00Z`);
  const isDue = (title: string, due: number | null) => becomes(editor, title, { due });
  const toast = (page: Frame, words: string | RegExp) => page.locator('.bottom.on', { hasText: words });

  /** Over the hour at the end of a day, first over the day so that the hours are there. */
  const overHour = (page: Frame, day: Locator, hour: string) => async () => {
    const slot = day.locator('.hours span', { hasText: hour });
    await slot.waitFor();
    const { x, y } = await middleOf(slot);
    await editor.page.mouse.move(x, y, { steps: 4 });
    await page.locator('.hours .at', { hasText: hour }).waitFor();
  };

  it('tasks without a date and overdue ones are next to the days, without their subtasks', async () => {
    const page = await openWidget(editor, 'week', 'At ten');
    const unscheduled = page.locator('section.unscheduled');
    await rowsOf(page, 'Long ago').waitFor();
    assert.deepEqual(await unscheduled.locator('.group .name').allTextContents(), ['Overdue', 'No Date']);
    assert.deepEqual(await unscheduled.locator('.row .title').allTextContents(), ['Long ago', 'Some day', 'Whenever']);
    await page.getByRole('button', { name: /Unscheduled/ }).click();
    await unscheduled.waitFor({ state: 'detached' });
    await editor.command('workbench.action.files.newUntitledFile');
    await editor.command('workbench.action.closeActiveEditor');
    const again = await widgetWith(editor, 'week', 'At ten');
    assert.equal(await again.locator('section.unscheduled').count(), 0, 'as it was left');
    await again.getByRole('button', { name: /Unscheduled/ }).click();
    await again.locator('section.unscheduled').waitFor();
  });

  it('they are dragged to a day, with a message and undo', async () => {
    const page = await openWidget(editor, 'week', 'At ten');
    const day = days(page).nth(5);
    await drag(rowsOf(page, 'Whenever'), await middleOf(day));
    await isDue('Whenever', await midnightOf(day));
    await day.locator('.card', { hasText: 'Whenever' }).waitFor();
    await toast(page, /Rescheduled .Whenever/)
      .getByRole('button', { name: 'Undo' })
      .click();
    await isDue('Whenever', null);
    await page.locator('section.unscheduled .row', { hasText: 'Whenever' }).waitFor();
  });

  it('a day under the pointer shows its hours, and accepts unscheduled tasks or those of another day', async () => {
    const page = await openWidget(editor, 'week', 'At ten');
    const day = days(page).nth(5);
    await drag(rowsOf(page, 'Some day'), await middleOf(day), async () => {
      await overHour(page, day, '14')();
    });
    await day.locator('.card', { hasText: 'Some day' }).locator('.when', { hasText: '14:00' }).waitFor();
    assert.equal(await page.locator('.hours').count(), 0);
    await drag(rowsOf(page, 'At ten'), await middleOf(day), overHour(page, day, '16'));
    await isDue('At ten', (await midnightOf(day)) + 16 * 3_600_000);
    await editor.page.keyboard.press('Control+z');
    await toast(page, 'Rescheduled').waitFor({ state: 'detached' });
  });

  it('of a series only the dragged occurrence moves, and the message says so', async () => {
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Each month', day: -15, rrule: 'FREQ=MONTHLY' }]);
    const page = await openWidget(editor, 'week', 'At ten');
    await drag(rowsOf(page, 'Each month'), await middleOf(days(page).nth(5)));
    await toast(page, 'Rescheduled this occurrence only').waitFor();
  });

  it('the keyboard moves them to today, on to the next day, and back by undo', async () => {
    const { keyboard } = editor.page;
    const page = await openWidget(editor, 'week', 'At ten');
    const today = page.locator('.column.accent');
    await rowsOf(page, 'Whenever').click();
    await keyboard.press('Alt+ArrowRight');
    await today.locator('.card.active', { hasText: 'Whenever' }).waitFor();
    await hasFocus(today);
    await keyboard.press('Alt+ArrowRight');
    await isDue('Whenever', (await midnightOf(today)) + dayMs);
    await keyboard.press('Control+z');
    await keyboard.press('Control+z');
    await isDue('Whenever', null);
    for (let at = 0; at < 7; at += 1) await keyboard.press('ArrowLeft');
    assert.ok(await page.locator('.unscheduled .tree').evaluate(tree => tree === tree.ownerDocument.activeElement));
    await keyboard.press('ArrowRight');
    assert.ok(
      await days(page)
        .first()
        .locator('.tree')
        .evaluate(tree => tree === tree.ownerDocument.activeElement),
    );
  });

  it('an undo returns the focus to the unscheduled tasks after the last one had left them', async () => {
    const { keyboard } = editor.page;
    await clear(editor);
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Some day' }]);
    for (const kind of ['week', 'month'] as const) {
      const page = await openWidget(editor, kind, 'Some day');
      await rowsOf(page, 'Some day').click();
      await keyboard.press('Alt+ArrowRight');
      await hasFocus(page.locator('.column.accent'));
      await page.locator('.column.accent .card.active', { hasText: 'Some day' }).waitFor();
      await page.locator('section.unscheduled').waitFor({ state: 'detached' });
      await keyboard.press('Control+z');
      await hasFocus(page.locator('section.unscheduled'));
      await page.locator('section.unscheduled .row.active', { hasText: 'Some day' }).waitFor();
      await keyboard.press('1');
      await rowsOf(page, 'Some day').locator('.check.high').waitFor();
    }
  });

  it('in a narrow page they are collapsed below the days, and moved from there', async () => {
    await editor.resize(240, 700);
    const page = await openWidget(editor, 'week', 'At ten');
    const groups = page.locator('.group');
    assert.deepEqual((await groups.locator('.name').allTextContents()).slice(-2), ['Overdue', 'No Date']);
    assert.equal(await rowsOf(page, 'Whenever').count(), 0);
    await groups.last().click();
    await rowsOf(page, 'Whenever').click();
    await editor.page.keyboard.press('Alt+ArrowUp');
    await editor.changes.until('a date', () => typeof taskNamed(editor, 'Whenever')?.due === 'number');
    await editor.resize(872, 600);
    const low = await openWidget(editor, 'week', 'At ten');
    await low.getByRole('button', { name: /Unscheduled/ }).click();
    await low.locator('section.unscheduled').waitFor();
    assert.equal(await low.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
  });

  it('axe finds no faults in any theme or from right to left', () => passesAxe(editor, 'week', 'Long ago'));
});
