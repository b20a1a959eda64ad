import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Session, withSession } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';

describe('a start', () => {
  let session: Session;
  let status: number;
  let id: number;
  /** One reload for all: it is most of what each case costs. */
  before(async () => {
    session = await sharedSession({});
    const { window } = session;
    const done = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.createTask(api.lists()[0].id, { title: 'Before the reload' }) as Promise<number>;
    });
    id = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const id: number = await api.quickAdd('Write the report');
      await vscode.commands.executeCommand('dueline.open', id);
      return id;
    });
    await form();
    await window.reload();
    status = await window.run(async (vscode, id) => {
      await vscode.commands.executeCommand('dueline.complete', id);
      return vscode.extensions.getExtension('dueline.dueline')!.exports.task(id).status as number;
    }, done);
  });

  const form = () => session.window.frame('dueline-task #notes');

  it('lets commands wait for the store, and gives the API once everything works', () => {
    assert.equal(status, 2);
  });

  it('restores the tab of a task', async () => {
    const { window } = session;
    await window.page.getByRole('tab', { name: 'Write the report' }).first().waitFor();
    await form();
  });

  it('has the page of a task back, which says so when its task is gone', async () => {
    const { window } = session;
    const page = await form();
    assert.equal(await page.locator('#title').inputValue(), 'Write the report');
    // Nothing was used yet that Escape could go back to.
    const row = window.pane('Lists').locator('.monaco-list:focus-within .monaco-list-row.focused');
    // The view that it falls back to may be drawn later than the page.
    await until('the row of the task with the focus', 60_000, async () => {
      await page.locator('#title').click();
      await window.page.keyboard.press('Escape');
      return row
        .filter({ hasText: 'Write the report' })
        .waitFor({ timeout: 5000 })
        .then(() => true);
    });
    await window.run(
      async (vscode, id) =>
        vscode.extensions.getExtension('dueline.dueline')?.exports.deleteTask(id, { children: 'delete' }),
      id,
    );
    await window.frame('.empty', 'This task has been deleted.');
  });
});

describe('a start on a store that cannot be opened', () => {
  const data = mkdtempSync(join(tmpdir(), 'dueline-broken-'));
  const folder = join(data, 'user/User/globalStorage/dueline.dueline/store/store');
  const journal = join(folder, 'j-00000007-0123456789ab.jsonl');
  after(() => rmSync(data, { recursive: true, force: true, maxRetries: 5 }));

  it('says so in the views, by a notification and at every command, changes nothing, and works once it is mended', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(journal, 'what is left of a journal whose snapshot is gone\n');
    return withSession({ data, theme: 'dark' }, async ({ window }) => {
      const api = await window.run(async vscode => {
        const found = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        return found === undefined ? 'none' : 'some';
      });
      assert.equal(api, 'none');
      // There is nothing in it that could take the focus.
      await window.command('workbench.view.extension.dueline');
      await window.pane('Lists').getByText('Your tasks were not changed').first().waitFor();
      await window.pane('Lists').getByRole('button', { name: 'Reveal Data Folder' }).waitFor();
      for (const view of ['Today', 'Filters']) await window.pane(view).waitFor({ state: 'detached' });
      const titleBar = window.page.locator('.part.sidebar .composite.title');
      await titleBar.getByRole('button', { name: /More Actions/ }).waitFor();
      for (const name of [/Quick Add Task/, /Filter Tasks/])
        assert.equal(await titleBar.getByRole('button', { name }).count(), 0, String(name));
      await window.notification('Dueline could not open the task store');
      await window.picture('start-broken');
      await window.command('notifications.clearAll');
      await window.palette('Dueline: Quick Add Task');
      await window.notification('Dueline could not open the task store');
      assert.equal(readFileSync(journal, 'utf8'), 'what is left of a journal whose snapshot is gone\n');
      rmSync(journal);
      await window.pane('Lists').getByRole('button', { name: 'Reload Window' }).click();
      await window.ready();
      await until('the lists', 60_000, async () => (await window.rows('Inbox').count()) > 0);
    });
  });
});
