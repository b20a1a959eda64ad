import assert from 'node:assert/strict';
import { openContext } from '../../scripts/vscode/window';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { fill } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

/** The server of the editor keeps an extension's storage in one place for all profiles. */
describe('two windows with different profiles', () => {
  let session: Session;
  let first: Window;
  let second: Window;
  before(async () => {
    session = await sharedSession({});
    first = session.window;
    await fill(first, ['Work'], [{ list: 'Work', title: 'Pay rent' }]);
    second = await openInProfile('Evenings');
  });
  after(() => second?.page.context().close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await second.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  /** Opens the folder in a profile with settings of its own; its extensions are those of the default profile. */
  async function openInProfile(name: string): Promise<Window> {
    const { browser, server, folder } = session;
    const user = await openContext(browser, server, {});
    // `$mid` makes the workbench read it as a URI.
    const location = { $mid: 1, scheme: 'vscode-userdata', path: '/User/profiles/second' };
    const folderUri = `vscode-remote://${encodeURIComponent(new URL(server.origin).host)}${folder}`;
    const kept = {
      userDataProfiles: [{ name, location, useDefaultFlags: { extensions: true } }],
      profileAssociations: { workspaces: { [folderUri]: 'second' } },
    };
    for (const [key, value] of Object.entries(kept))
      await user.addInitScript(`localStorage.setItem('${key}', ${JSON.stringify(JSON.stringify(value))})`);
    return session.openWindow(user);
  }

  it('have the same tasks: neither is empty, asks for a folder or needs a reload', async () => {
    assert.deepEqual(
      await Promise.all([first, second].map(startupEditorOf)),
      ['none', undefined],
      'settings of its own',
    );
    await second.view();
    await second.expand('Work');
    await second.rows('Pay rent').first().waitFor({ timeout: timeoutMs });
    await second.command('notifications.showList');
    const notes = second.page.locator('.notifications-center .notification-list-item');
    assert.equal(await notes.filter({ hasText: 'another profile' }).count(), 0);

    await fill(second, [], [{ list: 'Work', title: 'From the other profile' }]);
    await first.view();
    await first.expand('Work');
    await first.rows('From the other profile').first().waitFor({ timeout: timeoutMs });
  });
});

/** The user's setting in the profile of a window. */
const startupEditorOf = (window: Window) =>
  window.run(vscode => vscode.workspace.getConfiguration('workbench').inspect<string>('startupEditor')?.globalValue);
