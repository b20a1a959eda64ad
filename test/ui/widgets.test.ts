import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { axe } from './support/axe';
import { Session } from './support/driver';
import { until } from './support/wait';
import { openKinds, openWidget } from './support/widgetPages';

const day = 86_400_000;

/** The five widgets as editor tabs, each shown with the same tasks. */
describe('widgets', () => {
  let session: Session;
  before(async () => {
    session = await Session.open({ theme: 'light', size: { width: 1400, height: 900 } });
    await session.window.run(async (vscode, day) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      const now = new Date();
      const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
      const work = await api.createList({ name: 'Work' });
      const home = await api.createList({ name: 'Home' });
      const parent = await api.createTask(work, { title: 'Parent task', due: today, isAllDay: true });
      const child = await api.createTask(work, { title: 'First step', parentId: parent });
      await api.createTask(work, { title: 'Second step', parentId: parent });
      await api.completeTask(child);
      await api.createTask(work, { title: 'Late work', due: today - day, isAllDay: true, priority: 1, tags: ['late'] });
      await api.createTask(home, { title: 'Every day', due: today, isAllDay: true, rrule: 'FREQ=DAILY' });
      await api.createTask(home, { title: 'Soon', due: today + day, isAllDay: true });
      await api.createTask(home, { title: '<img src=x onerror=alert(1)> \u202E evil', due: today, isAllDay: true });
    }, day);
    await session.window.command('workbench.action.closeSidebar');
  });
  after(() => session?.close());

  const open = async (kind: string, selector: string, text: string): Promise<Frame> => {
    await session.window.command('workbench.action.closeAllEditors');
    await session.window.command('dueline.openWidget', kind);
    return session.window.frame(selector, text);
  };

  it('Today has Overdue and Today, and shows a hostile title as text', async () => {
    const page = await open('today', '.row', 'Late work');
    assert.deepEqual((await page.locator('.group .name').allTextContents()).slice(0, 2), ['Overdue', 'Today']);
    assert.equal(await page.locator('.row img').count(), 0);
    await page.locator('.row', { hasText: '<img src=x' }).waitFor();
  });

  it('Up Next goes by day', async () => {
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

  it('Lists moves a row to the next column by keyboard, and undo brings it back', async () => {
    const page = await open('lists', '.column .row', 'Late work');
    await page.locator('.row', { hasText: 'Late work' }).click();
    await session.window.page.keyboard.press('Alt+ArrowRight');
    await page.locator('.column[aria-label="Home"] .row', { hasText: 'Late work' }).waitFor();
    await session.window.page.keyboard.press('Control+z');
    await page.locator('.column[aria-label="Work"] .row', { hasText: 'Late work' }).waitFor();
  });

  it('Lists moves a row by dragging', async () => {
    const page = await open('lists', '.column .row', 'Soon');
    await page.locator('.row', { hasText: 'Soon' }).dragTo(page.locator('.column[aria-label="Work"] .head'));
    await page.locator('.column[aria-label="Work"] .row', { hasText: 'Soon' }).waitFor();
    await session.window.command('dueline.undo');
    await page.locator('.column[aria-label="Home"] .row', { hasText: 'Soon' }).waitFor();
  });

  it('Week has seven days with cards, and walks to the next one and back', async () => {
    const page = await open('week', '.card', 'Parent task');
    assert.equal(await page.locator('.column').count(), 7);
    assert.equal(await page.locator('.column.accent').count(), 1);
    const range = await page.locator('.aside').textContent();
    await page.locator('.control[aria-label="Next week"]').click();
    await until('the next week', 20_000, async () => (await page.locator('.aside').textContent()) !== range);
    await until(
      'the daily task on each day',
      20_000,
      async () => (await page.locator('.card', { hasText: 'Every day' }).count()) === 7,
    );
    await page.locator('.control[aria-label="This week"]').click();
    await page.locator('.column.accent').waitFor();
  });

  it('Week moves a task to another day by dragging, and completes the occurrence that is ticked', async () => {
    const page = await open('week', '.card', 'Parent task');
    const today = await page.locator('.column.accent').getAttribute('data-group');
    const other = page.locator('.column:not(.accent)').last();
    const target = await other.getAttribute('data-group');
    await page.locator('.column.accent .card', { hasText: 'Parent task' }).dragTo(other);
    await page.locator(`.column[data-group="${target}"] .card`, { hasText: 'Parent task' }).waitFor();
    await session.window.command('dueline.undo');
    await page.locator(`.column[data-group="${today}"] .card`, { hasText: 'Parent task' }).waitFor();
    await page.locator('.control[aria-label="Next week"]').click();
    await until('the next week', 20_000, async () => (await page.locator('.column.accent').count()) === 0);
    const third = page.locator('.column').nth(3);
    await third.locator('.card', { hasText: 'Every day' }).locator('.check').click();
    await third.locator('.card.done', { hasText: 'Every day' }).waitFor();
    await third.locator('.card.open', { hasText: 'Every day' }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.card.open', { hasText: 'Every day' }).count(), 6);
    await page.locator('.bottom', { hasText: 'Completed' }).getByRole('button', { name: 'Undo' }).click();
    await third.locator('.card.open', { hasText: 'Every day' }).waitFor();
  });

  it('Tasks takes a query, says what is wrong with one, and keeps it after a reload', async () => {
    const { window } = session;
    const page = await open('tasks', '.row', 'Second step');
    await page.locator('.control', { hasText: 'All tasks' }).click();
    await window.quickText.fill('nosuchfield:1');
    await window.picks('nosuchfield:1').first().waitFor();
    await window.page.keyboard.press('Enter');
    await page.locator('.problem').waitFor();
    await page.locator('.control.menu').last().click();
    await window.quickText.fill('#late');
    await window.picks('#late').first().waitFor();
    await window.page.keyboard.press('Enter');
    await until('only the late task', 20_000, async () => (await page.locator('.row').count()) === 1);
    await window.reload();
    const again = await window.frame('.row', 'Late work');
    assert.equal(await again.locator('.row').count(), 1);
  });

  describe('axe', () => {
    /** One widget after the other, also with its form, its keys and a line in quick add. */
    const look = async (theme: string): Promise<string[]> => {
      const faults: string[] = [];
      for (const kind of openKinds) {
        const page = await openWidget(session.window, kind, kind === 'upNext' ? 'Soon' : 'Parent task');
        const note = async (state: string) =>
          faults.push(...(await axe(page)).map(fault => `${theme} ${kind} ${state}: ${fault}`));
        await page.locator('.row, .card').first().click();
        await note('rows');
        await page.locator('dueline-quick-add input').fill('Call the bank tomorrow #money');
        await page.locator('.chip').first().waitFor();
        await page.locator('.tree').first().press(',');
        await page.locator('.setup').waitFor();
        await page.locator('dueline-query input').fill('is:');
        await page.locator('.suggestions li').first().waitFor();
        await note('form');
        await page.locator('.setup .done').click();
        await page.locator('dueline-quick-add input').fill('');
      }
      return faults;
    };

    for (const theme of ['light', 'dark', 'hc', 'hc-light'] as const)
      it(`finds nothing in any widget in ${theme}`, async () => {
        await session.window.theme(theme);
        assert.deepEqual(await look(theme), []);
      });

    it('finds nothing right to left, in Arabic', async () => {
      await session.window.theme('dark');
      const language = (value: string | undefined) =>
        session.window.run(async (vscode, value) => {
          await vscode.workspace
            .getConfiguration()
            .update('dueline.display.language', value, vscode.ConfigurationTarget.Global);
        }, value);
      await language('ar');
      const page = await openWidget(session.window, 'today', 'Late work');
      assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
      assert.deepEqual(await look('ar'), []);
      await language(undefined);
    });
  });
});
