import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type * as vscode from 'vscode';
import { civilMs, fromWall, today } from '../../src/core/time/dates';
import { type WidgetKind, widgetKinds } from '../../src/query/agenda/widgets';
import { Editor } from '../support/vscode/editor';
import { axe, axeInThemes } from './support/axe';
import { becomes, clear, fill, layoutKinds, openKinds, openWidget, shows, taskNamed } from './support/widgets';

/** The widgets as editor tabs, each shown with the same tasks. */
describe('widgets', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ theme: 'light', size: { width: 1400, height: 900 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await clear(editor);
    await fill(
      editor,
      ['Work', 'Home'],
      [
        { list: 'Work', title: 'Parent task', day: 0 },
        { list: 'Work', title: 'First step', parent: 'Parent task' },
        { list: 'Work', title: 'Second step', parent: 'Parent task' },
        { list: 'Work', title: 'Late work', day: -1, priority: 1, tags: ['late'] },
        { list: 'Home', title: 'Every day', day: 0, rrule: 'FREQ=DAILY' },
        { list: 'Home', title: 'Soon', day: 1 },
        { list: 'Home', title: '<img src=x onerror=alert(1)> \u202E evil', day: 0 },
      ],
    );
    await editor.engine.completeTask(taskNamed(editor, 'First step')!.id);
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const open = async (kind: string, selector: string, text: string): Promise<Frame> => {
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('dueline.openWidget', kind);
    return editor.frame(selector, text);
  };

  it('Today has Overdue and Today, and shows a hostile title as text', async () => {
    const page = await open('today', '.row', 'Late work');
    assert.deepEqual((await page.locator('.group .name').allTextContents()).slice(0, 2), ['Overdue', 'Today']);
    assert.equal(await page.locator('.row img').count(), 0);
    await page.locator('.row', { hasText: '<img src=x' }).waitFor();
  });

  it('have an icon for each kind, which a light and a dark theme can show', async () => {
    const icons: string[] = [];
    for (const kind of [...widgetKinds, 'task']) {
      await editor.command('workbench.action.closeAllEditors');
      if (kind === 'task') await editor.command('dueline.open', taskNamed(editor, 'Soon')!.id);
      else await editor.command('dueline.openWidget', kind);
      const icon = editor.tabs.activePanel!.iconPath as Record<'light' | 'dark', vscode.Uri>;
      icons.push(...[icon.light, icon.dark].map(uri => uri.toString(true)));
    }
    assert.equal(new Set(icons).size, 2 * (widgetKinds.length + 1));
    for (const icon of icons) assert.match(icon, /^data:image\/svg\+xml;base64,/);
  });

  it('Week orders the times of a day by the clock, whether they are in a zone or not', async () => {
    const { clock, engine } = editor;
    const { timeZone } = clock;
    clock.timeZone = 'Europe/Berlin';
    try {
      const list = taskNamed(editor, 'Soon')!.listId;
      const at = (hours: number) => civilMs(today(clock, 0)) + hours * 3_600_000;
      const zoned = { due: fromWall(at(10), clock.timeZone), timezone: clock.timeZone };
      await engine.createTask(list, { title: 'At ten', ...zoned });
      await engine.createTask(list, { title: 'At half past nine', due: at(9.5), timezone: null });
      const page = await openWidget(editor, 'week', 'At ten');
      const titles = await page.locator('.column.accent .card .title').allTextContents();
      assert.deepEqual(titles.slice(-2), ['At half past nine', 'At ten']);
    } finally {
      clock.timeZone = timeZone;
    }
  });

  it('can be edited as text from the menu of their view and of their tab', async () => {
    const textOf = async (command: string, ...args: unknown[]) => {
      await editor.command('workbench.action.closeAllEditors');
      if (args.length > 0) await editor.command('dueline.openWidget', 'lists');
      await editor.command(command, ...args);
      return editor.tabs.activeEditor?.document.getText() ?? '';
    };
    const today = await textOf('dueline.widget.editAsText.today');
    assert.match(today, /^Late work .*@Work {2}dl-/m);
    assert.doesNotMatch(today, /Soon/);
    assert.match(await textOf('dueline.widget.editAsText', {}), /^Home\n(?: .*\n)* {2}Soon .*dl-/m);
  });

  it('Up Next is grouped by day', async () => {
    const page = await open('upNext', '.row', 'Soon');
    const days = await page.locator('.group .name').allTextContents();
    assert.ok(days.includes('Tomorrow'), days.join());
  });

  it('Lists is in columns with progress, subtasks below their parent', async () => {
    const page = await open('lists', '.column .row', 'Parent task');
    assert.deepEqual(await page.locator('.column .name').allTextContents(), ['Inbox', 'Work', 'Home']);
    const parent = page.locator('.row', { hasText: 'Parent task' });
    assert.match((await parent.textContent()) ?? '', /1 of 2/);
    assert.equal(await page.locator('.row[aria-level="2"]', { hasText: 'Second step' }).count(), 1);
  });

  it('Lists moves a row to the next column by keyboard, and undo restores it', async () => {
    const page = await open('lists', '.column .row', 'Late work');
    await page.locator('.row', { hasText: 'Late work' }).click();
    await editor.page.keyboard.press('Alt+ArrowRight');
    await page.locator('.column[aria-label="Home"] .row', { hasText: 'Late work' }).waitFor();
    await editor.page.keyboard.press('Control+z');
    await page.locator('.column[aria-label="Work"] .row', { hasText: 'Late work' }).waitFor();
  });

  it('Lists moves a row by dragging', async () => {
    const page = await open('lists', '.column .row', 'Soon');
    await page.locator('.row', { hasText: 'Soon' }).dragTo(page.locator('.column[aria-label="Work"] .head'));
    await page.locator('.column[aria-label="Work"] .row', { hasText: 'Soon' }).waitFor();
    await editor.command('dueline.undo');
    await page.locator('.column[aria-label="Home"] .row', { hasText: 'Soon' }).waitFor();
  });

  it('Week has seven days with cards, and moves to the next one and back', async () => {
    const page = await open('week', '.card', 'Parent task');
    assert.equal(await page.locator('.column').count(), 7);
    assert.equal(await page.locator('.column.accent').count(), 1);
    const range = await page.locator('.aside').textContent();
    await page.locator('.control[aria-label="Next week"]').click();
    await shows(page, 'the next week', async () => (await page.locator('.aside').textContent()) !== range);
    await shows(
      page,
      'the daily task on each day',
      async () => (await page.locator('.card', { hasText: 'Every day' }).count()) === 7,
    );
    await page.locator('.control[aria-label="This week"]').click();
    await page.locator('.column.accent').waitFor();
  });

  it('Week shows that a title is cut off, also one from left to right in Arabic', async () => {
    // One word in each line, with room left.
    const title = Array.from({ length: 5 }, () => 'Communications').join(' ');
    await fill(editor, [], [{ list: 'Work', title, day: 0 }]);
    editor.settings.update('dueline.display.language', 'ar');
    try {
      const page = await openWidget(editor, 'week', title);
      const { x, y, width, height } = (await page.locator('.card .title', { hasText: title }).boundingBox())!;
      assert.equal(height, 3 * 18);
      // The third line ends with dots.
      const end = (line: number) =>
        editor.page.screenshot({ clip: { x: x + width, y: y + line * 18, width: 10, height: 18 } });
      assert.notDeepEqual(await end(2), await end(1));
    } finally {
      editor.settings.update('dueline.display.language', undefined);
    }
  });

  it('show the parent of a subtask behind a sign, also from right to left', async () => {
    editor.settings.update('dueline.display.language', 'ar');
    try {
      const page = await openWidget(editor, 'board', 'Second step');
      const place = await page.evaluate<{ sign: number; parent: number }>(`(() => {
        const parent = document.querySelector('.parent');
        const sign = document.createRange();
        sign.selectNode(parent.firstChild);
        return { sign: sign.getBoundingClientRect().left, parent: parent.querySelector('bdi').getBoundingClientRect().right };
      })()`);
      assert.ok(place.sign >= place.parent, JSON.stringify(place));
    } finally {
      editor.settings.update('dueline.display.language', undefined);
    }
  });

  it('Week moves a task to another day by dragging, and completes the ticked occurrence', async () => {
    const page = await open('week', '.card', 'Parent task');
    const today = await page.locator('.column.accent').getAttribute('data-group');
    const other = page.locator('.column:not(.accent)').last();
    const target = await other.getAttribute('data-group');
    await page.locator('.column.accent .card', { hasText: 'Parent task' }).dragTo(other);
    await page.locator(`.column[data-group="${target}"] .card`, { hasText: 'Parent task' }).waitFor();
    await editor.command('dueline.undo');
    await page.locator(`.column[data-group="${today}"] .card`, { hasText: 'Parent task' }).waitFor();
    await page.locator('.control[aria-label="Next week"]').click();
    await shows(page, 'the next week', async () => (await page.locator('.column.accent').count()) === 0);
    const third = page.locator('.column').nth(3);
    await third.locator('.card', { hasText: 'Every day' }).locator('.check').click();
    await third.locator('.card.done', { hasText: 'Every day' }).waitFor();
    await third.locator('.card.open', { hasText: 'Every day' }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.card.open', { hasText: 'Every day' }).count(), 6);
    await page.locator('.bottom', { hasText: 'Completed' }).getByRole('button', { name: 'Undo' }).click();
    await third.locator('.card.open', { hasText: 'Every day' }).waitFor();
  });

  it('Week keeps the focus on the card that is dragged to another day', async () => {
    const page = await open('week', '.card', 'Parent task');
    const other = page.locator('.column:not(.accent)').last();
    await page.locator('.column.accent .card', { hasText: 'Parent task' }).dragTo(other);
    await other.locator('.card', { hasText: 'Parent task' }).waitFor();
    await editor.page.keyboard.press('3');
    await becomes(editor, 'Parent task', { priority: 9 });
    await editor.command('dueline.undo');
    await editor.command('dueline.undo');
    await page.locator('.column.accent .card', { hasText: 'Parent task' }).waitFor();
  });

  it('Week keeps the focus on the occurrence that is dragged to another day, and on that which an undo takes back', async () => {
    const { keyboard } = editor.page;
    const page = await open('week', '.card', 'Every day');
    const days = page.locator('.column');
    const at = await days.evaluateAll(all => all.findIndex(one => one.classList.contains('accent')));
    const other = at < 6 ? at + 1 : undefined;
    if (other === undefined) await page.locator('.control.next').click();
    // A day that has an occurrence of its own.
    const [from, to] = other === undefined ? [0, 1] : [at, other];
    await days.nth(from).locator('.card', { hasText: 'Every day' }).dragTo(days.nth(to));
    await shows(page, 'two', async () => (await days.nth(to).locator('.card', { hasText: 'Every day' }).count()) === 2);
    const active = page.locator('.tree:focus .card.active');
    await shows(page, 'the moved one', async () => (await active.getAttribute('data-key'))!.includes('@') === false);
    await keyboard.press('Control+z');
    await days.nth(from).locator('.tree:focus .card.active', { hasText: 'Every day' }).waitFor();
  });

  it('Week begins with today if the setting says so, and other weeks with the same weekday', async () => {
    const page = await open('week', '.card', 'Parent task');
    editor.settings.update('dueline.week.startToday', true);
    await page.locator('.column:first-child.accent').waitFor();
    assert.equal(await page.locator('.column').count(), 7);
    await page.locator('.control.next').click();
    await page.locator('.column.accent').waitFor({ state: 'detached' });
    await page.locator('.control.now').click();
    await page.locator('.column:first-child.accent').waitFor();
    editor.settings.update('dueline.week.startToday', undefined);
    await page.locator('.column.accent:not(:first-child)').waitFor();
  });

  it('Week receives keys after a click next to the cards, which selects no text', async () => {
    const page = await open('week', '.card', 'Parent task');
    await page.locator('.column.accent .card', { hasText: 'Parent task' }).click();
    await editor.page.keyboard.press('3');
    await becomes(editor, 'Parent task', { priority: 9 });
    const aside = (await page.locator('.aside').boundingBox())!;
    await editor.page.mouse.move(aside.x + 2, aside.y + 2);
    await editor.page.mouse.down();
    await editor.page.mouse.move(aside.x + 300, aside.y + 60, { steps: 4 });
    await editor.page.mouse.up();
    assert.equal(await page.evaluate('String(getSelection())'), '');
    await editor.page.keyboard.press('Control+z');
    await becomes(editor, 'Parent task', { priority: 0 });
  });

  it('Done has no line for adding', async () => {
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('dueline.openWidget', 'done');
    const page = await editor.frame(`body[data-boot*='"kind":"done"'] .done-map`);
    assert.equal(await page.locator('dueline-quick-add').count(), 0);
  });

  it('Tasks accepts a query, reports what is wrong with one, and keeps it after a reload', async () => {
    const { questions } = editor;
    const page = await open('tasks', '.row', 'Second step');
    await page.locator('.control', { hasText: 'All tasks' }).click();
    await questions.asked();
    questions.type('nosuchfield:1');
    await questions.row('nosuchfield:1');
    questions.accept();
    await page.locator('.problem').waitFor();
    await page.locator('.control.menu').last().click();
    await questions.asked();
    questions.type('#late');
    await questions.row('#late');
    questions.accept();
    await shows(page, 'only the late task', async () => (await page.locator('.row').count()) === 1);
    await editor.reload();
    const again = await editor.frame('.row', 'Late work');
    assert.equal(await again.locator('.row').count(), 1);
  });

  describe('axe', () => {
    /** With a row chosen; then with the form, its keys and a line in quick add. */
    const faultsIn = async (kind: WidgetKind, find: (page: Frame) => Promise<string[]>): Promise<string[]> => {
      const page = await openWidget(editor, kind, kind === 'upNext' ? 'Soon' : 'Parent task');
      await page.locator('.row, .card').first().click();
      const rows = await find(page);
      await page.locator('dueline-quick-add input').fill('Call the bank tomorrow #money');
      await page.locator('.chip').first().waitFor();
      await page.locator('.tree').first().press(',');
      await page.locator('.setup').waitFor();
      await page.locator('dueline-query input').fill('is:');
      await page.locator('.suggestions li').first().waitFor();
      const form = await find(page);
      await page.locator('.setup .done').click();
      await page.locator('dueline-quick-add input').fill('');
      return [...rows, ...form.map(fault => `form: ${fault}`)];
    };

    // One widget of each layout in every theme, the others in light colors.
    for (const kind of openKinds)
      it(`finds nothing in ${kind}`, async () => {
        const themes = layoutKinds.includes(kind) ? undefined : (['light'] as const);
        assert.deepEqual(await faultsIn(kind, page => axeInThemes(editor, page, themes)), []);
      });

    it('finds nothing right to left, in Arabic', async () => {
      await editor.theme('dark');
      editor.settings.update('dueline.display.language', 'ar');
      const page = await openWidget(editor, 'today', 'Late work');
      assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
      for (const kind of layoutKinds) assert.deepEqual(await faultsIn(kind, axe), [], kind);
      editor.settings.update('dueline.display.language', undefined);
    });
  });
});
