import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { makePackage } from '../../scripts/package/make';
import { packageFolder, packageOnce } from '../../scripts/package/once';

/** They need no window, but are made for the windows that install them. */
describe('the packages', () => {
  for (const flavor of ['full', 'offline'] as const) {
    it(`are byte for byte the same when built again: the ${flavor} one`, async () => {
      const again = resolve(`out/made-again-${flavor}`);
      rmSync(again, { recursive: true, force: true });
      await makePackage(flavor, again);
      const { status, stdout } = spawnSync('diff', ['-r', await packageFolder(flavor), again], { encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    });
  }

  it('contain no network access in the offline flavor', async () => {
    const script = ['scripts/run.mjs', 'verifyOffline', await packageOnce('offline')];
    const { status, stdout } = spawnSync(process.execPath, script, { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });
});
