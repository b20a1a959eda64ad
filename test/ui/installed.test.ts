import assert from 'node:assert/strict';
import { Session } from './driver';
import { packExtension } from './package';

describe('the package', () => {
  let session: Session;
  before(async () => {
    session = await Session.open({ vsix: [packExtension()] });
  });
  after(() => session?.close());

  it('installs, and activates with the editor', async () => {
    const { window } = session;
    const found = await window.run(async vscode => {
      const extension = vscode.extensions.getExtension('dueline.dueline');
      await extension?.activate();
      return { active: extension?.isActive, path: extension?.extensionPath };
    });
    assert.equal(found.active, true);
    assert.ok(found.path?.startsWith(session.server.data), `installed in ${found.path}`);
  });

  it('leaves no note of an error in the window', async () => {
    const { window } = session;
    assert.equal(
      await window.page
        .locator('.notification-toast')
        .filter({ hasText: /dueline/i })
        .count(),
      0,
    );
    await window.shot('installed');
  });
});
