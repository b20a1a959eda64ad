import assert from 'node:assert/strict';
import { anchorsOf } from '../../../src/core/code/anchors';
import type { SyncedList } from '../support/devices';
import { aWorld } from '../support/world';

describe('our own lines on two devices', () => {
  const world = aWorld();
  const repo = '0123456789ab';

  async function twoDevices() {
    await world.put('ship', 'SUMMARY:Ship', 'X-OTHER:stays');
    const here = await world.device();
    const there = await world.device();
    const link = (device: SyncedList, path: string) =>
      device.engine.apply([
        { type: 'anchors', id: device.byUid('ship')!.id, edit: { add: [{ repo, path, line: 3 }] } },
      ]);
    const unlink = (device: SyncedList) => {
      const [first] = anchorsOf(device.byUid('ship')!);
      return device.engine.apply([
        { type: 'anchors', id: device.byUid('ship')!.id, edit: { remove: [first!.source] } },
      ]);
    };
    const paths = (device: SyncedList) =>
      anchorsOf(device.byUid('ship')!)
        .map(({ path }) => path)
        .sort();
    return { here, there, link, unlink, paths };
  }

  it('are added to a task on the server, and removed', async () => {
    const { here, there, link, unlink, paths } = await twoDevices();
    await link(here, 'a.ts');
    await here.sync();
    await there.sync();
    assert.deepEqual(paths(there), ['a.ts']);
    assert.match(there.byUid('ship')!.unknownProperties!, /X-OTHER:stays/);
    await unlink(there);
    await there.sync();
    await here.sync();
    assert.deepEqual(paths(here), []);
    assert.match(here.byUid('ship')!.unknownProperties!, /X-OTHER:stays/);
  });

  it('are kept from both sides, also beside another edit', async () => {
    const { here, there, link, paths } = await twoDevices();
    await link(there, 'b.ts');
    await there.engine.updateTask(there.byUid('ship')!.id, { title: 'Ship it' });
    await there.sync();
    await link(here, 'a.ts');
    await here.sync();
    await there.sync();
    for (const device of [here, there]) assert.deepEqual(paths(device), ['a.ts', 'b.ts']);
    assert.equal(here.byUid('ship')!.title, 'Ship it');
    assert.deepEqual(here.engine.syncing!.conflicts(), []);
  });
});
