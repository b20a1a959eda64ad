import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once.mjs';
import { Session } from './support/driver';
import { lists } from './support/engine';
import { until } from './support/wait';
import { fill, taskNamed } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('lists and filters in the window', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    // As people have it: VS Code 1.90 refuses to ask in a window for development.
    const size = { width: 1280, height: 1000 };
    session = await Session.open({ vsix: [await packageOnce('full')], theme: 'dark', size });
    window = session.window;
    await fill(window, ['Work'], [{ list: 'Work', title: 'Pay the rent', day: 0, tags: ['money'] }]);
    await window.view();
    await window.rows('Work').first().waitFor({ timeout: timeoutMs });
  });
  after(() => session?.close());
  afterEach(function () {
    return window.tidy(this.currentTest);
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await window.page.keyboard.press(key);
  };
  const saved = () =>
    window.run(
      vscode => vscode.workspace.getConfiguration().get('dueline.filters') as { name: string; query: string }[],
    );
  const holds = (...names: string[]) =>
    until(
      `the filters ${names}`,
      timeoutMs,
      async () => (await saved()).map(({ name }) => name).join() === names.join(),
    );

  /** By keys alone: from the top of the view down until the row has the focus. */
  async function goTo(view: string, row: string): Promise<void> {
    const focused = window.pane(view).locator('.monaco-list:focus-within .monaco-list-row.focused');
    await window.palette(`Dueline: Focus on ${view} View`);
    await press('Home');
    await until(`the focus on ${row}`, timeoutMs, async () => {
      if (((await focused.textContent({ timeout: 1000 })) ?? '').includes(row)) return true;
      await press('ArrowDown');
      return undefined;
    });
  }

  /** The same in the menu of the row that has the focus. */
  async function fromMenu(item: string): Promise<void> {
    const menu = window.page.locator('.monaco-menu-container .monaco-menu').last();
    const focused = menu.locator('.action-item.focused');
    await press('Shift+F10');
    await menu.waitFor({ timeout: timeoutMs });
    await until(`the focus on ${item}`, timeoutMs, async () => {
      await press('ArrowDown');
      return ((await focused.first().textContent({ timeout: 1000 })) ?? '').includes(item);
    });
    await press('Enter');
  }

  /** Where a box with a text in it comes up: accepts another one. */
  async function change(from: string, to: string): Promise<void> {
    await until(`the question about ${from}`, timeoutMs, async () => (await window.quickText.inputValue()) === from);
    await window.quickText.fill(to);
    await press('Enter');
  }

  it('a filter is saved, renamed and deleted by mouse, and comes back where that was a mistake', async () => {
    // What takes the focus late closes the question.
    await until('the query to be typed', timeoutMs, async () => {
      if (!(await window.quickInput.isVisible())) {
        await window.pane('Filters').locator('.pane-header').hover();
        await window.pane('Filters').getByRole('button', { name: 'Save Filter…' }).click({ timeout: 10_000 });
      }
      await window.quickInput.getByText('Save Filter').first().waitFor({ timeout: 10_000 });
      return window.quickText.fill('#money', { timeout: 3000 }).then(() => true);
    });
    await window.quickInput.getByText('1 task matches').waitFor({ timeout: timeoutMs });
    await window.pictures('filter-save', window.quickInput);
    await press('Enter');
    await window.answer('Filter Name', 'Bills');
    await window.rows('Bills').first().click();
    await window
      .pane('Filters')
      .locator('.monaco-list-row', { hasText: 'Pay the rent' })
      .waitFor({ timeout: timeoutMs });
    await window.context('Bills', 'Edit Filter…');
    await change('#money', '#money is:open');
    await change('Bills', 'To pay');
    await window.rows('To pay').first().waitFor({ timeout: timeoutMs });
    assert.deepEqual(
      (await saved()).map(({ name, query }) => `${name}: ${query}`),
      ['To pay: #money is:open'],
    );
    await window.context('To pay', 'Delete Filter');
    await window.rows('To pay').first().waitFor({ state: 'detached', timeout: timeoutMs });
    await window.press(/Deleted filter .To pay/, 'Undo');
    await window.rows('To pay').first().waitFor({ timeout: timeoutMs });
    await holds('To pay');
  });

  it('a filter is saved, renamed and deleted by keyboard', async () => {
    await window.palette('Dueline: Save Filter…');
    await window.answer('due:<=today', 'due:today');
    await window.answer('Filter Name', 'For now');
    await holds('To pay', 'For now');
    await goTo('Filters', 'For now');
    await fromMenu('Edit Filter…');
    await change('due:today', 'due:week');
    await change('For now', 'This week');
    await holds('To pay', 'This week');
    await goTo('Filters', 'This week');
    await press('F2');
    await change('due:week', 'due:month');
    await change('This week', 'This month');
    await holds('To pay', 'This month');
    await goTo('Filters', 'This month');
    await press('Delete');
    await holds('To pay');
    await goTo('Filters', 'To pay');
    await fromMenu('Delete Filter');
    await holds();
  });

  it('a list gets a color by mouse, and one of the person’s own by keyboard', async () => {
    const colors = (rgb: number) =>
      until('the color', timeoutMs, async () => {
        const work = (await lists(window)).find(({ name }) => name === 'Work');
        return work?.color === (0xff000000 | rgb | 0);
      });
    await window.chooseFor('Work', 'Set List Color…', 'Pink');
    await colors(0xdb2777);
    await goTo('Lists', 'Work');
    await fromMenu('Set List Color…');
    await window.picks('Green').first().waitFor({ timeout: timeoutMs });
    await window.pictures('list-color');
    await window.page.keyboard.type('Other');
    await window.picks('Other…').first().waitFor();
    await press('Enter');
    await window.quickInput.getByPlaceholder('#3b82f6').waitFor({ timeout: timeoutMs });
    await window.page.keyboard.type('0f766');
    await press('Enter');
    await window.quickInput.getByText('Six hexadecimal digits').waitFor({ timeout: timeoutMs });
    await window.page.keyboard.type('e');
    await press('Enter');
    await colors(0x0f766e);
    await window.pictures('list-color-own', window.pane('Lists'));
  });

  it('the menu of a list means that list where the tree has just lost its rows', async () => {
    await goTo('Lists', 'Work');
    await window.run(async vscode => void vscode.commands.executeCommand('dueline.list.rename', undefined));
    await change('Work', 'Office');
    await until('the name', timeoutMs, async () => (await lists(window)).some(({ name }) => name === 'Office'));
    await window.rows('Office').first().waitFor({ timeout: timeoutMs });
  });

  it('a change below a folded task is drawn when it is unfolded', async () => {
    await fill(
      window,
      ['Flat'],
      [
        { list: 'Flat', title: 'Move house' },
        { list: 'Flat', title: 'Pack the books', parent: 'Move house' },
      ],
    );
    const { id } = (await taskNamed(window, 'Pack the books'))!;
    const rename = (what: 'parent' | 'step', title: string) =>
      window.run(
        async (vscode, id, what, title) => {
          const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
          await api.updateTask(what === 'step' ? id : api.task(id).parentId, { title });
        },
        id,
        what,
        title,
      );
    const twistie = (text: string) => window.rows(text).first().locator('.monaco-tl-twistie').click();
    await twistie('Flat');
    await twistie('Move house');
    await window.rows('Pack the books').first().waitFor({ timeout: timeoutMs });
    await twistie('Move house');
    await window.rows('Pack the books').first().waitFor({ state: 'detached', timeout: timeoutMs });
    await rename('parent', 'Move to Rome');
    await window.rows('Move to Rome').first().waitFor({ timeout: timeoutMs });
    for (const title of ['Pack the plates', 'Pack the lamps']) {
      await rename('step', title);
      // Another row of the list shows that the tree has taken the change in.
      await fill(window, [], [{ list: 'Flat', title: `After: ${title}` }]);
      await window.rows(`After: ${title}`).first().waitFor({ timeout: timeoutMs });
    }
    await twistie('Move to Rome');
    await window.rows('Pack the lamps').first().waitFor({ timeout: timeoutMs });
  });
});
