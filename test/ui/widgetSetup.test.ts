import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { Session } from './support/driver';
import { until } from './support/wait';
import { clear, fill, isInSight, openWidget, rowsOf, taskNamed, widgetWith } from './support/widgetPages';

/** What each widget has of its own: its setup, its order, its days. */
describe('what a widget shows, and where', () => {
  let session: Session;
  before(async () => {
    session = await Session.open({
      theme: 'light',
      size: { width: 1200, height: 900 },
      settings: { 'dueline.week.firstDay': 'monday' },
    });
    await session.window.command('workbench.action.closeSidebar');
  });
  after(() => session?.close());

  const press = async (...keys: string[]) => {
    for (const key of keys) await session.window.page.keyboard.press(key);
  };
  const titles = (page: Frame) =>
    page.locator('.title').evaluateAll(all => all.map(one => (one.textContent ?? '').trim())) as Promise<string[]>;
  const order = (page: Frame, ...wanted: string[]) =>
    until(`the order ${wanted}`, 20_000, async () => (await titles(page)).join() === wanted.join());
  const setting = (id: string, value: unknown) =>
    session.window.run(
      async (vscode, id, value) => {
        await vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
      },
      id,
      value,
    );

  /** What the engine works by, past the setting, which takes no priority that there is not. */
  const usualPriority = (defaultPriority: number) =>
    session.window.run(async (vscode, defaultPriority) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      api.configure({ defaultPriority });
    }, defaultPriority);

  describe('the form in the page', () => {
    before(async () => {
      await clear(session.window);
      await fill(
        session.window,
        ['Work', 'Home'],
        [
          { list: 'Work', title: 'Write', day: 1, priority: 1, tags: ['late'] },
          { list: 'Home', title: 'Cook', day: 0, tags: ['late'] },
          { list: 'Home', title: 'Rest' },
        ],
      );
    });

    it('sets lists, filter, order, groups and title, each at once, and a reload brings them back', async () => {
      const { window } = session;
      const page = await openWidget(window, 'tasks', 'Rest');
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
      await window.page.getByRole('tab', { name: 'Late at home' }).waitFor();
      await page.locator('.setup .done').click();
      await window.command('dueline.openWidget', 'tasks');
      await until('two tabs', 20_000, async () => (await window.page.locator('.tabs-container .tab').count()) === 2);
      await widgetWith(window, 'tasks', 'Write');
      await window.page.getByRole('tab', { name: 'Late at home' }).click();
      await window.reload();
      await window.page.getByRole('tab', { name: 'Late at home' }).waitFor();
      const again = await widgetWith(window, 'tasks', 'Cook');
      await order(again, 'Cook');
      await again.locator('.group', { hasText: 'Home' }).waitFor();
      await window.page.locator('.tabs-container .tab').last().click();
      const other = await widgetWith(window, 'tasks', 'Write');
      assert.equal((await titles(other)).length, 3);
    });

    it('comes back after a reload, and a task’s form too, where it was hidden before its page had loaded', async () => {
      const { window } = session;
      await window.command('workbench.action.closeAllEditors');
      const { id } = (await taskNamed(window, 'Rest'))!;
      await window.run(async (vscode, id) => {
        await vscode.commands.executeCommand('dueline.open', id);
        for (const kind of ['week', 'tasks']) await vscode.commands.executeCommand('dueline.openWidget', kind);
      }, id);
      await widgetWith(window, 'tasks', 'Rest');
      await window.reload();
      await widgetWith(window, 'tasks', 'Rest');
      await window.page.getByRole('tab', { name: 'Week' }).last().click();
      await widgetWith(window, 'week', 'Cook');
      await window.page.getByRole('tab', { name: 'Rest' }).click();
      await window.frame('input, textarea');
    });

    it('keeps what was typed and not added, while the tab is hidden', async () => {
      const { window } = session;
      const page = await openWidget(window, 'lists', 'Rest');
      await page.locator('dueline-quick-add input').fill('Half a thought');
      await window.command('dueline.openWidget', 'today');
      await widgetWith(window, 'today', 'Cook');
      await window.page.getByRole('tab', { name: 'Lists' }).click();
      const again = await widgetWith(window, 'lists', 'Rest');
      await until(
        'the words',
        20_000,
        async () => (await again.locator('dueline-quick-add input').inputValue()) === 'Half a thought',
      );
    });
  });

  it('keeps the words that are to stay words, where a line comes back', async () => {
    const { window } = session;
    await clear(window);
    await fill(window, ['Work'], [{ list: 'Work', title: 'Write', day: 0 }]);
    const page = await openWidget(window, 'today', 'Write');
    const field = page.locator('dueline-quick-add input');
    await field.fill('Milk today #chip');
    await page.locator('.chip', { hasText: '#chip' }).click();
    await until('words again', 20_000, async () => (await page.locator('.chip').count()) === 1);
    // No task can have such a priority.
    await usualPriority(99);
    await field.press('Enter');
    await page.locator('#not-added').waitFor();
    await usualPriority(0);
    await page.locator('.chip').first().waitFor();
    assert.equal(await page.locator('.chip').count(), 1);
    await window.command('dueline.openWidget', 'week');
    await widgetWith(window, 'week', 'Write');
    await window.page.getByRole('tab', { name: 'Today', exact: true }).click();
    const again = await widgetWith(window, 'today', 'Write');
    await again.locator('.chip').first().waitFor();
    assert.equal(await again.locator('.chip').count(), 1);
    await again.locator('dueline-quick-add input').press('Enter');
    await rowsOf(again, 'Milk #chip').waitFor();
  });

  it('opens the form of a pane by the command, whether its page is there or not', async () => {
    const { window } = session;
    await clear(window);
    await fill(window, ['Work'], [{ list: 'Work', title: 'Write', day: 0 }]);
    for (let turn = 0; turn < 2; turn++) {
      await window.command('dueline.widget.configure', 'week');
      const page = await widgetWith(window, 'week', 'Write');
      await page.locator('.setup').waitFor();
      await page.locator('.setup .done').click();
      await page.locator('.setup').waitFor({ state: 'detached' });
    }
    await window.command('workbench.action.closePanel');
    await window.command('dueline.widget.configure', 'week');
    await (await widgetWith(window, 'week', 'Write')).locator('.setup').waitFor();
    await window.command('workbench.action.closePanel');
  });

  it('takes its defaults from dueline.widgets, in the sidebar too', async () => {
    const { window } = session;
    await clear(window);
    await fill(
      window,
      ['Work', 'Home'],
      [
        { list: 'Work', title: 'Write', day: 0 },
        { list: 'Home', title: 'Cook', day: 0 },
      ],
    );
    await setting('dueline.widgets', { today: { lists: ['Home'], title: 'At home' }, upNext: { group: 'list' } });
    const page = await openWidget(window, 'today', 'Cook');
    assert.deepEqual(await titles(page), ['Cook']);
    await window.command('workbench.action.closeAllEditors');
    await window.command('dueline.today.focus');
    const pane = await widgetWith(window, 'today', 'Cook');
    assert.deepEqual(await titles(pane), ['Cook']);
    await window.pane('At home').waitFor();
    await window.command('dueline.widget.configure.today');
    await pane.locator('.choice', { hasText: 'All lists' }).click();
    await until('all lists', 20_000, async () => (await titles(pane)).length === 2);
    await until('the setting without lists', 20_000, async () => {
      const kept = await window.run(vscode => vscode.workspace.getConfiguration().get('dueline.widgets'));
      return JSON.stringify((kept as { today: unknown }).today) === '{"title":"At home"}';
    });
    await window.command('workbench.action.closeSidebar');
    const next = await openWidget(window, 'upNext', 'Cook');
    assert.deepEqual(await next.locator('.group .name').allTextContents(), ['Work', 'Home']);
    await setting('dueline.widgets', {});
  });

  it('keeps what was set while a picker was open, and the form goes by what was picked', async () => {
    const { window } = session;
    await clear(window);
    await fill(
      window,
      ['Work', 'Home'],
      [
        { list: 'Work', title: 'Write', day: 0, tags: ['late'] },
        { list: 'Home', title: 'Cook', day: 0, tags: ['late'] },
        { list: 'Home', title: 'Rest', day: 0 },
      ],
    );
    const page = await openWidget(window, 'tasks', 'Rest');
    await page.locator('.tree').press(',');
    await page.locator('.control', { hasText: 'All tasks' }).click();
    await window.quickText.fill('#late');
    await window.picks('#late').first().waitFor();
    // A click of the mouse would take the focus from the picker.
    await page.locator('.choice', { hasText: 'Home' }).dispatchEvent('click');
    await order(page, 'Cook', 'Rest');
    await press('Enter');
    await order(page, 'Cook');
    await until('the filter in the form', 20_000, async () => {
      return (await page.locator('dueline-query input').inputValue()) === '#late';
    });
    await page.locator('.choice', { hasText: 'Work' }).click();
    await order(page, 'Cook', 'Write');

    await window.command('workbench.action.closeAllEditors');
    await window.command('dueline.widget.configure', 'week');
    const pane = await widgetWith(window, 'week', 'Rest');
    await pane.locator('.control.menu').first().click();
    await window.picks('Home').first().waitFor();
    await setting('dueline.widgets', { week: { filter: '#late' } });
    await rowsOf(pane, 'Rest').waitFor({ state: 'detached' });
    await window.pickMany('Home');
    await order(pane, 'Cook');
    await until('both in the setting', 20_000, async () => {
      const kept = await window.run(vscode => vscode.workspace.getConfiguration().get('dueline.widgets'));
      return JSON.stringify(kept) === '{"week":{"lists":["Home"],"filter":"#late"}}';
    });
    await setting('dueline.widgets', {});
    await window.command('workbench.action.closePanel');
  });

  it('Lists are put in order by hand, with the keyboard and by dragging', async () => {
    const { window } = session;
    await clear(window);
    await fill(
      window,
      ['Work'],
      [
        { list: 'Work', title: 'One' },
        { list: 'Work', title: 'Two' },
        { list: 'Work', title: 'Three' },
      ],
    );
    await setting('dueline.widgets', { lists: { lists: ['Work'], sort: 'manual' } });
    const page = await openWidget(window, 'lists', 'One');
    await order(page, 'One', 'Two', 'Three');
    await rowsOf(page, 'One').click();
    await press('Alt+ArrowDown');
    await order(page, 'Two', 'One', 'Three');
    const said = page.locator('.bottom .said');
    await said.filter({ hasText: /Moved .One. below .Two./ }).waitFor();
    await said.getByRole('button', { name: 'Undo' }).click();
    await order(page, 'One', 'Two', 'Three');
    await press('Alt+ArrowDown');
    await order(page, 'Two', 'One', 'Three');
    await press('Alt+ArrowDown');
    await order(page, 'Two', 'Three', 'One');
    const { mouse } = window.page;
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
    await said.filter({ hasText: /Moved .One. above .Two./ }).waitFor();
    await setting('dueline.widgets', {});
  });

  describe('Week', () => {
    before(async () => {
      await clear(session.window);
      await fill(
        session.window,
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

    it('begins on the day that is set, all-day tasks first, and walks with J and K', async () => {
      const { window } = session;
      const page = await openWidget(window, 'week', 'Timed');
      assert.equal(await page.locator('.column .name').first().textContent(), 'Mon');
      const shown = await page.locator('.column.accent .title').allTextContents();
      assert.equal(shown.at(-1)?.trim(), 'Timed');
      const first = await page.locator('section.column').first().getAttribute('data-group');
      await rowsOf(page, 'Timed').click();
      await press('j');
      await until('the next week', 20_000, async () => (await page.locator('.column.accent').count()) === 0);
      await page.locator('.tree').first().focus();
      await press('k');
      await page.locator('.column.accent').waitFor();
      assert.equal(await page.locator('section.column').first().getAttribute('data-group'), first);
      await setting('dueline.week.firstDay', 'sunday');
      await page.locator('.column .name', { hasText: 'Sun' }).waitFor();
      await until('Sunday first', 20_000, async () =>
        (await page.locator('.column .name').first().textContent())?.includes('Sun'),
      );
      await setting('dueline.week.firstDay', 'monday');
      await until('Monday first', 20_000, async () =>
        (await page.locator('.column .name').first().textContent())?.includes('Mon'),
      );
    });

    it('moves a day by keyboard and keeps the row active there, and adds to a day', async () => {
      const { window } = session;
      const page = await openWidget(window, 'week', 'All day');
      const today = await dayOf(page, 'All day');
      const isLast = await page
        .locator('section.column')
        .last()
        .getAttribute('data-group')
        .then(last => last === today);
      await rowsOf(page, 'All day').click();
      await press(isLast ? 'Alt+ArrowLeft' : 'Alt+ArrowRight');
      await until('another day', 20_000, async () => (await dayOf(page, 'All day')) !== today);
      await page.locator('.card.active', { hasText: 'All day' }).waitFor();
      await press(isLast ? 'Alt+ArrowRight' : 'Alt+ArrowLeft');
      await until('back', 20_000, async () => (await dayOf(page, 'All day')) === today);
      const third = page.locator('section.column').nth(2);
      await third.hover();
      await third.locator('.add').click();
      await page.locator('dueline-quick-add input').fill('On the third day');
      await press('Enter');
      await third.locator('.card', { hasText: 'On the third day' }).waitFor();
    });

    it('shows day below day where it is narrow, and moves there by keyboard too', async () => {
      const { window } = session;
      await window.resize(500, 900);
      const page = await openWidget(window, 'week', 'Timed');
      assert.equal(await page.locator('.group').count(), 7);
      const before = (await taskNamed(window, 'All day'))?.due;
      const topOf = async (part: Locator) => (await part.boundingBox())!.y;
      const isFirst = (await topOf(rowsOf(page, 'All day'))) < (await topOf(page.locator('.group').nth(1)));
      await rowsOf(page, 'All day').click();
      await press(isFirst ? 'Alt+ArrowDown' : 'Alt+ArrowUp');
      await until('another day', 20_000, async () => (await taskNamed(window, 'All day'))?.due !== before);
      await page.locator('.row.active', { hasText: 'All day' }).waitFor();
      await window.resize(1200, 900);
    });
  });
});
