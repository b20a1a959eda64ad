import assert from 'node:assert/strict';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';

/** The editor's part in the page of a task; what the page itself does is in test/page. */
describe('the page of a task', () => {
  let session: Session;
  let id: number;

  before(async () => {
    session = await sharedSession({ theme: 'dark', size: { width: 1200, height: 900 } });
    id = await session.window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      return api.createTask(api.lists()[0].id, { title: 'Write the report' }) as number;
    });
    await session.window.command('dueline.open', id);
  });

  const form = () => session.window.frame('dueline-task #notes');

  it('is back after a reload, and says so when its task is gone', async () => {
    await form();
    await session.window.reload();
    const page = await form();
    assert.equal(await page.locator('#title').inputValue(), 'Write the report');
    // Nothing was used yet that Escape could go back to.
    const row = session.window.pane('Lists').locator('.monaco-list:focus-within .monaco-list-row.focused');
    // The view that it falls back to may be drawn later than the page.
    await until('the row of the task with the focus', 60_000, async () => {
      await page.locator('#title').click();
      await session.window.page.keyboard.press('Escape');
      return row
        .filter({ hasText: 'Write the report' })
        .waitFor({ timeout: 5000 })
        .then(() => true);
    });
    await session.window.run(
      async (vscode, id) =>
        vscode.extensions.getExtension('dueline.dueline')?.exports.deleteTask(id, { children: 'delete' }),
      id,
    );
    await session.window.frame('.empty', 'This task has been deleted.');
  });
});
