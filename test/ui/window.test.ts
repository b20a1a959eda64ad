import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';

describe('the window', () => {
  let session: Session;
  before(async () => {
    session = await sharedSession({});
  });

  it('has Dueline in it', async () => {
    const { window } = session;
    const active = await window.run(async vscode => {
      const extension = vscode.extensions.getExtension('dueline.dueline');
      await extension?.activate();
      return extension?.isActive;
    });
    assert.equal(active, true);
  });

  it('shows in each theme', async () => {
    const { window } = session;
    for (const theme of ['dark', 'hc', 'hc-light', 'light'] as const) {
      await window.theme(theme);
      assert.ok(statSync(await window.shot(`window-${theme}`)).size > 5000);
    }
  });
});
