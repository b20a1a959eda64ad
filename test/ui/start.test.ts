import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Session, withSession } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';

describe('a start', () => {
  let session: Session;
  before(async () => {
    session = await sharedSession({});
  });

  it('lets commands wait for the store, and gives the API once everything works', async () => {
    const { window } = session;
    const id = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.createTask(api.lists()[0].id, { title: 'Before the reload' }) as Promise<number>;
    });
    await window.reload();
    const status = await window.run(async (vscode, id) => {
      await vscode.commands.executeCommand('dueline.complete', id);
      return vscode.extensions.getExtension('dueline.dueline')!.exports.task(id).status as number;
    }, id);
    assert.equal(status, 2);
  });

  it('shows today’s count on the activity bar of a window in which Dueline was not opened', async () => {
    const { window } = session;
    await window.command('workbench.view.explorer');
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const now = new Date();
      const due = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
      await api.createTask(api.lists()[0].id, { title: 'For today', due, isAllDay: true });
    });
    await window.reload();
    const tab = window.page.locator('.part.activitybar').getByRole('tab', { name: /^Dueline.*1/ });
    await tab.waitFor({ timeout: 30_000 });
  });

  it('restores the tab of a task', async () => {
    const { window } = session;
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await vscode.commands.executeCommand('dueline.open', await api.quickAdd('Still open'));
    });
    await window.frame('input, textarea');
    await window.reload();
    await window.page.getByRole('tab', { name: 'Still open' }).first().waitFor();
    await window.frame('input, textarea');
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
