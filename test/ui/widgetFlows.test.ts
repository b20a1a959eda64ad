import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { WidgetKind } from '../../src/core/agenda/widgets';
import { Session } from './support/driver';
import { until } from './support/wait';
import { clear, fill, openKinds, openWidget, rowsOf, taskNamed } from './support/widgetPages';

/** What a person does to rows, the same in each of the five widgets. */
describe('what can be done in every widget', () => {
  let session: Session;
  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1200, height: 800 } });
    await session.window.command('workbench.action.closeSidebar');
  });
  after(() => session?.close());

  const press = (...keys: string[]) =>
    keys.reduce<Promise<void>>(
      (before, key) => before.then(() => session.window.page.keyboard.press(key)),
      Promise.resolve(),
    );
  const toast = (page: Frame, words: string) => page.locator('.bottom', { hasText: words });
  const alphaAndBeta = async () => {
    await clear(session.window);
    const tasks = ['Alpha', 'Beta'].map(title => ({ list: 'Work', title, day: 0 }));
    await fill(session.window, ['Work'], tasks);
  };
  const priorityOf = async (title: string) => (await taskNamed(session.window, title))?.priority;

  for (const kind of openKinds)
    describe(kind, () => {
      let page: Frame;
      beforeEach(async () => {
        const { window } = session;
        await alphaAndBeta();
        page = await openWidget(window, kind, 'Beta');
      });

      it('completes by click, says so, and undoes beside the words', async () => {
        await rowsOf(page, 'Alpha').locator('.check').click();
        await toast(page, 'Completed').waitFor();
        assert.equal((await taskNamed(session.window, 'Alpha'))?.status, 2);
        await page.getByRole('button', { name: 'Undo' }).click();
        await rowsOf(page, 'Alpha').and(page.locator('.open')).waitFor();
      });

      it('has the whole keyboard: priority, delete with undo, select several, pickers, form', async () => {
        await rowsOf(page, 'Alpha').click();
        await press('1');
        await rowsOf(page, 'Alpha').locator('.check.high').waitFor();
        await press('0');
        await rowsOf(page, 'Alpha').locator('.check.none').waitFor();
        await press('Shift+ArrowDown', '2');
        await until('both of medium priority', 20_000, async () => (await page.locator('.check.medium').count()) === 2);
        await press('Escape', 'Delete');
        await toast(page, 'Deleted').waitFor();
        await press('Control+z');
        await rowsOf(page, 'Beta').waitFor();
        for (const [key, words] of [
          ['p', 'High'],
          ['d', 'Tomorrow'],
          ['m', 'Inbox'],
        ] as const) {
          await rowsOf(page, 'Alpha').click();
          await press(key);
          await session.window.picks(words).first().waitFor();
          await press('Escape');
          await session.window.quickInput.waitFor({ state: 'hidden' });
        }
        await rowsOf(page, 'Alpha').click();
        await press('F2');
        await session.window.answer('Rename Task', 'Alpha renamed');
        await rowsOf(page, 'Alpha renamed').waitFor();
        await rowsOf(page, 'Alpha renamed').click();
        await press('Enter');
        await session.window.frame('dueline-task #title');
      });

      it('adds in place, with chips that Backspace turns back into words', async () => {
        const field = page.locator('dueline-quick-add input');
        await field.fill('Fresh milk today !high #chip');
        await page.locator('.chip', { hasText: '#chip' }).waitFor();
        assert.equal(await page.locator('.chip').count(), 3);
        await field.press('End');
        await field.press('Backspace');
        await until('the chip is words again', 20_000, async () => (await page.locator('.chip').count()) === 2);
        await field.fill('Fresh milk today !high');
        await page.locator('.chip').nth(1).waitFor();
        await field.press('Enter');
        await toast(page, 'Added').waitFor();
        await rowsOf(page, 'Fresh milk').locator('.check.high').waitFor();
        assert.equal(await field.inputValue(), '');
        await field.press('ArrowDown');
        await until(
          'the rows have the focus',
          20_000,
          () => page.evaluate(`document.activeElement.getAttribute('role') === 'tree'`) as Promise<boolean>,
        );
      });

      it('turns back the very words whose chip was chosen, where the same are there twice', async () => {
        const field = page.locator('dueline-quick-add input');
        await field.fill('Ask #paper about #paper');
        await until('both are chips', 20_000, async () => (await page.locator('.chip').count()) === 2);
        await field.press('End');
        await field.press('Backspace');
        await until('one is words again', 20_000, async () => (await page.locator('.chip').count()) === 1);
        await field.press('Enter');
        await rowsOf(page, 'Ask about #paper').waitFor();
        await session.window.command('dueline.undo');
        await rowsOf(page, 'Ask about #paper').waitFor({ state: 'detached' });
      });

      it('leaves nothing of a line under the next one, however fast Enter comes', async () => {
        const field = page.locator('dueline-quick-add input');
        // The host answers neither before both: only what is done at the end of an event lies between them.
        await page.evaluate(`(async () => {
          const line = document.querySelector('dueline-quick-add');
          const input = line.querySelector('input');
          input.value = 'Quick tea today #haste';
          input.dispatchEvent(new InputEvent('input', { bubbles: true }));
          await line.updateComplete;
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        })()`);
        await rowsOf(page, 'Quick tea').waitFor();
        // What the host has said of the words comes before what it says of the task.
        await toast(page, 'Added').waitFor();
        assert.equal(await field.inputValue(), '');
        assert.equal(await page.locator('dueline-quick-add .chip').count(), 0);
        await session.window.command('dueline.undo');
        await rowsOf(page, 'Quick tea').waitFor({ state: 'detached' });
      });

      it('means the row one is at by a command from elsewhere', async () => {
        await rowsOf(page, 'Beta').click();
        await press('1');
        await rowsOf(page, 'Beta').locator('.check.high').waitFor();
        await session.window.command('dueline.dueTomorrow');
        await until('it is due tomorrow', 20_000, async () => {
          const [alpha, beta] = [await taskNamed(session.window, 'Alpha'), await taskNamed(session.window, 'Beta')];
          return alpha?.due != null && beta?.due === alpha.due + 86_400_000;
        });
      });

      it('means all selected rows by the menu on one of them', async () => {
        await rowsOf(page, 'Alpha').click();
        await rowsOf(page, 'Beta').click({ modifiers: ['Control'] });
        await rowsOf(page, 'Alpha').click({ modifiers: ['Control'] });
        await until('both selected', 20_000, async () => (await page.locator('.selected').count()) === 2);
        await rowsOf(page, 'Beta').click({ button: 'right' });
        await session.window.menu('Priority › Set High Priority');
        await until('both of high priority', 20_000, async () => (await page.locator('.check.high').count()) === 2);
      });

      it('goes on at the neighbour where the active row leaves', async () => {
        await rowsOf(page, 'Alpha').click();
        await press('Delete');
        await rowsOf(page, 'Alpha').waitFor({ state: 'detached' });
        await page.locator('.active', { hasText: 'Beta' }).waitFor();
        await press('1');
        await until('its priority', 20_000, async () => (await priorityOf('Beta')) === 1);
      });

      if (kind !== 'upNext')
        it('reopens what is done', async () => {
          await session.window.command('dueline.complete', (await taskNamed(session.window, 'Alpha'))!.id);
          await reveal(page, kind);
          await rowsOf(page, 'Alpha').and(page.locator('.done')).locator('.check').click();
          await until('it is open', 20_000, async () => (await taskNamed(session.window, 'Alpha'))?.status === 0);
        });
    });

  /** Done tasks are folded away in Today, and matched in Tasks by a query alone. */
  async function reveal(page: Frame, kind: WidgetKind): Promise<void> {
    if (kind === 'today') await page.locator('.group.past').click();
    if (kind !== 'tasks') return;
    await page.locator('.tree').press(',');
    await page.locator('dueline-query input').fill('is:done');
    await page.locator('dueline-query input').press('Enter');
    await page.locator('.setup .done').click();
  }

  it('Week: two quick clicks on the circle of a card open no form', async () => {
    const { window } = session;
    await alphaAndBeta();
    const page = await openWidget(window, 'week', 'Beta');
    await rowsOf(page, 'Alpha').locator('.check').dispatchEvent('dblclick');
    // What comes after it comes later to the host, too.
    await rowsOf(page, 'Beta').locator('.title').dblclick();
    await window.page.locator('.tab', { hasText: 'Beta' }).waitFor();
    assert.equal(await window.page.locator('.tab', { hasText: 'Alpha' }).count(), 0);
    await window.command('workbench.action.closeAllEditors');
  });

  it('Week: up and down say that its tasks have no order of their own', async () => {
    await alphaAndBeta();
    const page = await openWidget(session.window, 'week', 'Beta');
    await rowsOf(page, 'Alpha').click();
    await press('Alt+ArrowDown');
    const said = await session.window.notification(/not sorted manually/);
    assert.equal(await said.getByRole('button', { name: 'Sort Manually' }).count(), 0, 'it cannot be');
    await session.window.command('notifications.clearAll');
  });

  it('shows a ticked row as open again at once where the question about its subtasks is left', async () => {
    const { window } = session;
    await clear(window);
    await fill(
      window,
      ['Work'],
      [
        { list: 'Work', title: 'Alpha', day: 0 },
        { list: 'Work', title: 'Step', parent: 'Alpha' },
      ],
    );
    const page = await openWidget(window, 'today', 'Alpha');
    // A row that is done stays for a while; here nothing ends that by itself.
    await page.evaluate(`{
      const later = window.setTimeout;
      window.setTimeout = (work, pause, ...args) => later(work, pause > 1000 ? 1e9 : pause, ...args);
    }`);
    await rowsOf(page, 'Alpha').locator('.check').click();
    await rowsOf(page, 'Alpha').and(page.locator('.done')).waitFor();
    await window.page.locator('.monaco-dialog-box').waitFor();
    await press('Escape');
    await rowsOf(page, 'Alpha').and(page.locator('.open')).waitFor();
    assert.equal((await taskNamed(window, 'Alpha'))?.status, 0);
  });

  it('Up Next: the keys go on meaning a task that goes to another day', async () => {
    await clear(session.window);
    const days = { Alpha: 0, Beta: 0, Gamma: 1 };
    const tasks = Object.entries(days).map(([title, day]) => ({ list: 'Work', title, day }));
    await fill(session.window, ['Work'], tasks);
    const page = await openWidget(session.window, 'upNext', 'Gamma');
    await rowsOf(page, 'Alpha').click();
    await press('d');
    await session.window.answer(/./, 'tomorrow');
    await until(
      'the new day',
      20_000,
      async () => (await taskNamed(session.window, 'Alpha'))?.due === (await taskNamed(session.window, 'Gamma'))?.due,
    );
    await page.locator('.tree:focus .active', { hasText: 'Alpha' }).waitFor();
    await press('1');
    await until('its priority', 20_000, async () => (await priorityOf('Alpha')) === 1);
    assert.equal(await priorityOf('Beta'), 0);
  });

  it('Up Next and Today: rows are dragged to another day, several at once', async () => {
    await clear(session.window);
    await fill(
      session.window,
      ['Work'],
      [
        { list: 'Work', title: 'Alpha', day: 0 },
        { list: 'Work', title: 'Beta', day: 0 },
        { list: 'Work', title: 'Gamma', day: 1 },
      ],
    );
    const page = await openWidget(session.window, 'upNext', 'Gamma');
    await rowsOf(page, 'Alpha').click();
    await rowsOf(page, 'Beta').click({ modifiers: ['Shift'] });
    await rowsOf(page, 'Alpha').dragTo(rowsOf(page, 'Gamma'));
    await toast(page, 'Rescheduled 2 tasks').waitFor();
    const dues = await Promise.all(
      ['Alpha', 'Beta', 'Gamma'].map(async one => (await taskNamed(session.window, one))?.due),
    );
    assert.equal(new Set(dues).size, 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.group', { hasText: 'Today' }).waitFor();
  });

  describe('the keys', () => {
    it('are shown on ?, and mean the rows again after Escape', async () => {
      await clear(session.window);
      await fill(session.window, ['Work'], [{ list: 'Work', title: 'Beta', day: 0 }]);
      const page = await openWidget(session.window, 'tasks', 'Beta');
      await rowsOf(page, 'Beta').click();
      await press('?');
      await page.locator('dialog[open]', { hasText: 'Complete or reopen' }).waitFor();
      await press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await press('1');
      await until('its priority', 20_000, async () => (await priorityOf('Beta')) === 1);
    });
  });
});
