import assert from 'node:assert/strict';
import { Session } from './support/driver';
import { until } from './support/wait';

describe('a list of 1 200 tasks', () => {
  let session: Session;
  let list: number;
  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1100, height: 900 } });
    const { window } = session;
    list = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const id: number = await api.createList({ name: 'Large' });
      const input = (index: number) => ({ title: `Task ${String(index).padStart(4, '0')}` });
      await api.apply(
        Array.from({ length: 1200 }, (_, index) => ({ type: 'create', listId: id, input: input(index) })),
      );
      return id;
    });
    await window.view();
    await window.rows('Large').first().click();
    await window.rows('Task 0000').first().waitFor();
  });
  after(() => session?.close());

  /** Edits the task with that title through the API, as another surface would. */
  const rename = (title: string, patch: Record<string, unknown>) =>
    session.window.run(
      async (vscode, list, title, patch) => {
        const api = vscode.extensions.getExtension('dueline.dueline')?.exports;
        const task = api.rows(list).find((row: { title: string }) => row.title === title);
        await api.updateTask(task.id, patch);
      },
      list,
      title,
      patch,
    );
  it('opens with its first page, and goes on from the row for the rest, by keyboard and by mouse', async () => {
    const { window } = session;
    const pane = window.pane('Lists');
    await pane.locator('.monaco-list').first().focus();
    for (const [text, first] of [
      ['1,000 more', 'Task 0200'],
      ['500 more', 'Task 0700'],
    ] as const) {
      const more = window.rows(text).first();
      await until(`the row ${text}`, 30_000, async () => {
        await window.page.keyboard.press('End');
        return more.waitFor({ timeout: 1500 }).then(() => true);
      });
      await window.picture('large-list-more');
      if (text === '1,000 more') await window.page.keyboard.press('Enter');
      else await more.click();
      await window.rows(first).first().waitFor();
      const focused = pane.locator('.monaco-list-row.focused');
      await until('the focus on the first new row', 10_000, async () =>
        ((await focused.textContent()) ?? '').includes(first),
      );
    }
    await until('the last row', 30_000, async () => {
      await window.page.keyboard.press('End');
      return window
        .rows('Task 1199')
        .first()
        .waitFor({ timeout: 1500 })
        .then(() => true);
    });
    assert.equal(await window.rows(/ more$/).count(), 0);
  });

  it('shows edits of rows that are on the screen', async () => {
    const { window } = session;
    await rename('Task 1198', { title: 'Renamed' });
    await window.rows('Renamed').first().waitFor();
    await window.checkbox('Renamed').click();
    await window.rows('Renamed').first().waitFor({ state: 'detached' });
  });

  it('shows a tag that is new, and what became of a closed list', async () => {
    const { window } = session;
    await window.page.keyboard.press('Home');
    await window.rows('Large').first().click();
    await window.rows('Task 0000').first().waitFor({ state: 'detached' });
    await rename('Task 0000', { title: 'First of all', tags: ['brandnew'] });
    await window.pane('Filters').locator('.monaco-list').first().focus();
    await until('the tags', 30_000, async () => {
      await window.page.keyboard.press('End');
      return window
        .rows('Tags')
        .first()
        .waitFor({ timeout: 1500 })
        .then(() => true);
    });
    await window.rows('Large').first().click();
    await window.rows('First of all').first().waitFor();
    await window.picture('large-list');
  });
});
