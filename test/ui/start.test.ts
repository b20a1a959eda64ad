import assert from 'node:assert/strict';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';

describe('a start', () => {
  let session: Session;
  before(async () => {
    session = await sharedSession({});
  });

  it('lets commands wait for the store, and restores the page of a task, which Escape leaves for its row', async () => {
    const { window } = session;
    const add = (title: string) =>
      window.run(async (vscode, title) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        return api.createTask(api.lists()[0].id, { title }) as Promise<number>;
      }, title);
    const [done, id] = [await add('Before the reload'), await add('Write the report')];
    const form = () => window.frame('dueline-task #notes');
    await window.command('dueline.open', id);
    await form();
    await window.reload();
    const status = await window.run(async (vscode, id) => {
      await vscode.commands.executeCommand('dueline.complete', id);
      return vscode.extensions.getExtension('dueline.dueline')!.exports.task(id).status as number;
    }, done);
    assert.equal(status, 2);
    await window.page.getByRole('tab', { name: 'Write the report' }).first().waitFor();
    const page = await form();
    assert.equal(await page.locator('#title').inputValue(), 'Write the report');
    // Nothing was used yet that Escape could go back to.
    await page.locator('#title').click();
    await window.page.keyboard.press('Escape');
    const row = window.pane('Lists').locator('.monaco-list:focus-within .monaco-list-row.focused');
    await row.filter({ hasText: 'Write the report' }).waitFor({ timeout: 60_000 });
    await window.run(
      async (vscode, id) =>
        vscode.extensions.getExtension('dueline.dueline')?.exports.deleteTask(id, { children: 'delete' }),
      id,
    );
    await window.frame('.empty', 'This task has been deleted.');
  });
});
