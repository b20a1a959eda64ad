import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { Editor } from '../support/vscode/editor';
import { clear, fill, isInSight, openWidget, rowsOf, shows, taskNamed, widgetWith } from './support/widgets';

/** The setup, order and days that each widget has of its own. */
describe('the setup of widgets', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ theme: 'light', size: { width: 1200, height: 900 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.resize(1200, 900);
    editor.settings.reset();
    editor.settings.update('dueline.week.firstDay', 'monday');
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('workbench.action.closeSidebar');
    await editor.command('workbench.action.closePanel');
    await clear(editor);
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await editor.page.keyboard.press(key);
  };
  const titles = (page: Frame) =>
    page.locator('.title').evaluateAll(all => all.map(one => (one.textContent ?? '').trim())) as Promise<string[]>;
  const order = (page: Frame, ...expected: string[]) =>
    shows(page, `the order ${expected}`, async () => (await titles(page)).join() === expected.join());
  const setting = (id: string, value: unknown) => editor.settings.update(id, value);
  const tab = (title: string) => editor.changes.until(`a tab ${title}`, () => editor.tabs.titles.includes(title));
  const kept = (subject: string, widgets: string) =>
    editor.changes.until(subject, () => JSON.stringify(editor.settings.value('dueline.widgets')) === widgets);

  describe('the form in the page', () => {
    beforeEach(async () => {
      await fill(
        editor,
        ['Work', 'Home'],
        [
          { list: 'Work', title: 'Write', day: 1, priority: 1, tags: ['late'] },
          { list: 'Home', title: 'Cook', day: 0, tags: ['late'] },
          { list: 'Home', title: 'Rest' },
        ],
      );
    });

    it('sets lists, filter, order, groups and title, each at once, and a reload brings them back', async () => {
      const page = await openWidget(editor, 'tasks', 'Rest');
      await rowsOf(page, 'Rest').click();
      await press(',');
      const query = page.locator('dueline-query input');
      await query.focus();
      const offered = page.locator('dueline-query li');
      await offered.nth(4).waitFor();
      for (const one of await offered.all()) assert.ok(await isInSight(one), 'what is offered is not cut off');
      await query.fill('is:opne');
      await page.locator('.verdict.bad').waitFor();
      await query.fill('');
      await query.pressSequentially('#la');
      await page.locator('.suggestions li', { hasText: '#late' }).waitFor();
      await press('Enter');
      assert.equal((await query.inputValue()).trim(), '#late');
      await page.locator('.verdict', { hasText: '2 tasks match' }).waitFor();
      await press('Enter');
      await order(page, 'Cook', 'Write');
      await page.getByLabel('Sort').selectOption({ label: 'By priority' });
      await order(page, 'Write', 'Cook');
      await page.getByLabel('Group').selectOption({ label: 'By list' });
      await page.locator('.group', { hasText: 'Home' }).waitFor();
      await page.locator('.choice', { hasText: 'Home' }).click();
      await order(page, 'Cook');
      await page.getByRole('textbox', { name: 'Title' }).fill('Late at home');
      await page.getByRole('textbox', { name: 'Title' }).press('Enter');
      await tab('Late at home');
      await page.locator('.setup .done').click();
      await editor.command('dueline.openWidget', 'tasks');
      assert.equal(editor.tabs.titles.length, 2);
      await widgetWith(editor, 'tasks', 'Write');
      await editor.tabs.click('Late at home');
      await editor.reload();
      await tab('Late at home');
      const again = await widgetWith(editor, 'tasks', 'Cook');
      await order(again, 'Cook');
      await again.locator('.group', { hasText: 'Home' }).waitFor();
      await editor.tabs.click('Tasks');
      const other = await widgetWith(editor, 'tasks', 'Write');
      assert.equal((await titles(other)).length, 3);
    });

    it('comes back after a reload, like a task’s form, even if it was hidden before its page had loaded', async () => {
      await editor.command('workbench.action.closeAllEditors');
      await editor.command('dueline.open', taskNamed(editor, 'Rest')!.id);
      for (const kind of ['week', 'tasks']) await editor.command('dueline.openWidget', kind);
      await widgetWith(editor, 'tasks', 'Rest');
      await editor.reload();
      await widgetWith(editor, 'tasks', 'Rest');
      await editor.tabs.click('Week');
      await widgetWith(editor, 'week', 'Cook');
      await editor.tabs.click('Rest');
      await editor.frame('dueline-task :is(input, textarea)');
    });

    it('keeps typed text that was not added while the tab is hidden', async () => {
      const page = await openWidget(editor, 'lists', 'Rest');
      await page.locator('dueline-quick-add input').fill('Half a thought');
      await editor.command('dueline.openWidget', 'today');
      await widgetWith(editor, 'today', 'Cook');
      await editor.tabs.click('Lists');
      const again = await widgetWith(editor, 'lists', 'Rest');
      await shows(
        again,
        'the words',
        async () => (await again.locator('dueline-quick-add input').inputValue()) === 'Half a thought',
      );
    });
  });

  it('keeps the words turned into text when a line comes back', async () => {
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Write', day: 0 }]);
    const page = await openWidget(editor, 'today', 'Write');
    const field = page.locator('dueline-quick-add input');
    await field.fill('Milk today #chip');
    await page.locator('.chip', { hasText: '#chip' }).click();
    await shows(page, 'words again', async () => (await page.locator('.chip').count()) === 1);
    // No task can have such a priority.
    editor.engine.configure({ defaultPriority: 99 });
    await field.press('Enter');
    await page.locator('#not-added').waitFor();
    editor.engine.configure({ defaultPriority: 0 });
    await page.locator('.chip').first().waitFor();
    assert.equal(await page.locator('.chip').count(), 1);
    await editor.command('dueline.openWidget', 'week');
    await widgetWith(editor, 'week', 'Write');
    await editor.tabs.click('Today');
    const again = await widgetWith(editor, 'today', 'Write');
    await again.locator('.chip').first().waitFor();
    assert.equal(await again.locator('.chip').count(), 1);
    await again.locator('dueline-quick-add input').press('Enter');
    await rowsOf(again, 'Milk #chip').waitFor();
  });

  it('opens the form of a view by the command, whether its page exists or not', async () => {
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Write', day: 0 }]);
    for (let round = 0; round < 2; round++) {
      await editor.command('dueline.widget.configure', 'week');
      const page = await widgetWith(editor, 'week', 'Write');
      await page.locator('.setup').waitFor();
      await page.locator('.setup .done').click();
      await page.locator('.setup').waitFor({ state: 'detached' });
    }
    await editor.command('workbench.action.closePanel');
    await editor.command('dueline.widget.configure', 'week');
    await (await widgetWith(editor, 'week', 'Write')).locator('.setup').waitFor();
    await editor.command('workbench.action.closePanel');
  });

  it('is set up from a button in the title of each view', async () => {
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Write', day: 0 }]);
    for (const [kind, view, title] of [
      ['week', 'dueline.widgets.week', 'Configure Widget: Week…'],
      ['today', 'dueline.today', 'Configure Widget: Today…'],
    ] as const) {
      await editor.command(`${view}.focus`);
      const page = await widgetWith(editor, kind, 'Write');
      await editor.viewButton(title, view);
      await page.locator('.setup').waitFor();
      await press('Escape');
      await page.locator('.setup').waitFor({ state: 'detached' });
    }
  });

  it('has defaults in dueline.widgets, in the sidebar, too', async () => {
    await fill(
      editor,
      ['Work', 'Home'],
      [
        { list: 'Work', title: 'Write', day: 0 },
        { list: 'Home', title: 'Cook', day: 0 },
      ],
    );
    setting('dueline.widgets', { today: { lists: ['Home'], title: 'At home' }, upNext: { group: 'list' } });
    const page = await openWidget(editor, 'today', 'Cook');
    assert.deepEqual(await titles(page), ['Cook']);
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('dueline.today.focus');
    const pane = await widgetWith(editor, 'today', 'Cook');
    assert.deepEqual(await titles(pane), ['Cook']);
    await editor.changes.until('its title', () => editor.views.page('dueline.today')?.title === 'At home');
    await editor.command('dueline.widget.configure.today');
    await pane.locator('.choice', { hasText: 'All lists' }).click();
    await shows(pane, 'all lists', async () => (await titles(pane)).length === 2);
    await kept('the setting without lists', '{"today":{"title":"At home"},"upNext":{"group":"list"}}');
    await editor.command('workbench.action.closeSidebar');
    const next = await openWidget(editor, 'upNext', 'Cook');
    assert.deepEqual(await next.locator('.group .name').allTextContents(), ['Work', 'Home']);
  });

  it('keeps changes made while a picker was open, and the form reflects what was picked', async () => {
    await fill(
      editor,
      ['Work', 'Home'],
      [
        { list: 'Work', title: 'Write', day: 0, tags: ['late'] },
        { list: 'Home', title: 'Cook', day: 0, tags: ['late'] },
        { list: 'Home', title: 'Rest', day: 0 },
      ],
    );
    const page = await openWidget(editor, 'tasks', 'Rest');
    await page.locator('.tree').press(',');
    await page.locator('.control', { hasText: 'All tasks' }).click();
    await editor.questions.asked();
    editor.questions.type('#late');
    await editor.questions.row('#late');
    // A click of the mouse would take the focus from the picker.
    await page.locator('.choice', { hasText: 'Home' }).dispatchEvent('click');
    await order(page, 'Cook', 'Rest');
    editor.questions.accept();
    await order(page, 'Cook');
    await shows(page, 'the filter in the form', async () => {
      return (await page.locator('dueline-query input').inputValue()) === '#late';
    });
    await page.locator('.choice', { hasText: 'Work' }).click();
    await order(page, 'Cook', 'Write');

    await editor.command('workbench.action.closeAllEditors');
    await editor.command('dueline.widget.configure', 'week');
    const pane = await widgetWith(editor, 'week', 'Rest');
    await pane.locator('.control.menu').first().click();
    await editor.questions.row('Home');
    setting('dueline.widgets', { week: { filter: '#late' } });
    await rowsOf(pane, 'Rest').waitFor({ state: 'detached' });
    await editor.questions.pickMany('Home');
    await order(pane, 'Cook');
    await kept('both in the setting', '{"week":{"lists":["Home"],"filter":"#late"}}');
  });

  it('keeps a query if Enter is pressed before another filter is chosen', async () => {
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Write', day: 0, tags: ['late'] }]);
    setting('dueline.widgets', { week: { filter: '#late' } });
    await editor.command('dueline.widget.configure', 'week');
    const pane = await widgetWith(editor, 'week', 'Write');
    await pane.locator('.control.menu', { hasText: '#late' }).click();
    await editor.questions.asked('Widget Filter');
    editor.questions.accept();
    await pane.locator('.control.menu', { hasText: 'All lists' }).click();
    await editor.questions.row('Work');
    await editor.questions.pickMany('Work');
    await kept('both in the setting', '{"week":{"lists":["Work"],"filter":"#late"}}');
  });

  it('puts Lists in order by hand, with the keyboard and by dragging', async () => {
    await fill(
      editor,
      ['Work'],
      [
        { list: 'Work', title: 'One' },
        { list: 'Work', title: 'Two' },
        { list: 'Work', title: 'Three' },
      ],
    );
    setting('dueline.widgets', { lists: { lists: ['Work'], sort: 'manual' } });
    const page = await openWidget(editor, 'lists', 'One');
    await order(page, 'One', 'Two', 'Three');
    await rowsOf(page, 'One').click();
    await press('Alt+ArrowDown');
    await order(page, 'Two', 'One', 'Three');
    const message = page.locator('.bottom .said');
    await message.filter({ hasText: /Moved .One. below .Two./ }).waitFor();
    await message.getByRole('button', { name: 'Undo' }).click();
    await order(page, 'One', 'Two', 'Three');
    await press('Alt+ArrowDown');
    await order(page, 'Two', 'One', 'Three');
    await press('Alt+ArrowDown');
    await order(page, 'Two', 'Three', 'One');
    const { mouse } = editor.page;
    const [from, to] = [await rowsOf(page, 'One').boundingBox(), await rowsOf(page, 'Two').boundingBox()];
    await mouse.move(from!.x + 60, from!.y + 10);
    await mouse.down();
    await mouse.move(to!.x + 60, to!.y + 3, { steps: 8 });
    await page.locator('.row.land-before', { hasText: 'Two' }).waitFor();
    await mouse.move(to!.x + 60, to!.y + to!.height - 3, { steps: 3 });
    await page.locator('.row.land-after', { hasText: 'Two' }).waitFor();
    await mouse.move(to!.x + 60, to!.y + 3, { steps: 3 });
    await page.locator('.row.land-before', { hasText: 'Two' }).waitFor();
    await mouse.up();
    await order(page, 'One', 'Two', 'Three');
    await message.filter({ hasText: /Moved .One. above .Two./ }).waitFor();
  });

  describe('Week', () => {
    beforeEach(async () => {
      await fill(
        editor,
        ['Work'],
        [
          { list: 'Work', title: 'Timed', day: 0, time: 23 * 60 + 50 },
          { list: 'Work', title: 'All day', day: 0 },
          { list: 'Work', title: 'Daily', day: 0, rrule: 'FREQ=DAILY' },
        ],
      );
    });

    const dayOf = (page: Frame, title: string) =>
      page
        .locator('section.column', { has: rowsOf(page, title) })
        .first()
        .getAttribute('data-group');

    it('starts on the set day, all-day tasks first, and moves with J and K', async () => {
      const page = await openWidget(editor, 'week', 'Timed');
      const firstDay = page.locator('.column .name').first();
      const firstIs = async (day: string) => (await firstDay.textContent())?.includes(day) ?? false;
      assert.equal(await firstDay.textContent(), 'Mon');
      const shown = await page.locator('.column.accent .title').allTextContents();
      assert.equal(shown.at(-1)?.trim(), 'Timed');
      const first = await page.locator('section.column').first().getAttribute('data-group');
      await rowsOf(page, 'Timed').click();
      await press('j');
      await shows(page, 'the next week', async () => (await page.locator('.column.accent').count()) === 0);
      await page.locator('.tree').first().focus();
      await press('k');
      await page.locator('.column.accent').waitFor();
      assert.equal(await page.locator('section.column').first().getAttribute('data-group'), first);
      setting('dueline.week.firstDay', 'sunday');
      await page.locator('.column .name', { hasText: 'Sun' }).waitFor();
      await shows(page, 'Sunday first', () => firstIs('Sun'));
      setting('dueline.week.firstDay', 'monday');
      await shows(page, 'Monday first', () => firstIs('Mon'));
    });

    it('moves a day by keyboard and keeps the row active there, and adds to a day', async () => {
      const page = await openWidget(editor, 'week', 'All day');
      const today = await dayOf(page, 'All day');
      await rowsOf(page, 'All day').click();
      await press('Alt+ArrowRight');
      await shows(page, 'another day', async () => (await dayOf(page, 'All day')) !== today);
      await page.locator('.card.active', { hasText: 'All day' }).waitFor();
      await press('Alt+ArrowLeft');
      await shows(page, 'back', async () => (await dayOf(page, 'All day')) === today);
      const third = page.locator('section.column').nth(2);
      await third.hover();
      await third.locator('.add').click();
      await page.locator('dueline-quick-add input').fill('On the third day');
      await press('Enter');
      await third.locator('.card', { hasText: 'On the third day' }).waitFor();
    });

    it('shows days stacked if it is narrow, and also moves there by keyboard', async () => {
      await editor.resize(500, 900);
      const page = await openWidget(editor, 'week', 'Timed');
      assert.equal(await page.locator('.group').count(), 7);
      const before = taskNamed(editor, 'All day')?.due;
      await rowsOf(page, 'All day').click();
      await press('Alt+ArrowDown');
      await editor.changes.until('another day', () => taskNamed(editor, 'All day')?.due !== before);
      await page.locator('.row.active', { hasText: 'All day' }).waitFor();
    });
  });
});
