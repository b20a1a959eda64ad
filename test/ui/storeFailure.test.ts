import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';

const journal = 'globalStorage/dueline.dueline/store/store/j-00000007-0123456789ab.jsonl';
const text = 'what is left of a journal whose snapshot is gone\n';

/** In the end the window is as one that has just been opened for the first time. */
describe('a start with a store that cannot be opened', () => {
  let session: Session;
  before(async () => {
    session = await sharedSession({ isFirst: true, theme: 'dark', own: { files: { [journal]: text } } });
  });

  it('is reported in the views, by a notification and at every command, changes nothing, and recovers once it is fixed', async () => {
    const { window } = session;
    const file = join(session.server.user, journal);
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
    await window.command('dueline.quickAdd');
    await window.notification('Dueline could not open the task store');
    assert.equal(readFileSync(file, 'utf8'), text);
    rmSync(file);
    await window.pane('Lists').getByRole('button', { name: 'Reload Window' }).click();
    await window.ready();
    await until('the lists', 60_000, async () => (await window.rows('Inbox').count()) > 0);
  });
});
