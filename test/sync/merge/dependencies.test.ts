import assert from 'node:assert/strict';
import type { SyncedList } from '../support/devices';
import { aWorld } from '../support/world';

describe('dependencies on two devices', () => {
  const world = aWorld();

  async function twoDevices() {
    const here = await world.device();
    for (const title of ['Ship', 'Build', 'Test', 'Docs']) await here.engine.createTask(here.id, { title });
    await here.sync();
    const there = await world.device();
    const id = (device: SyncedList, title: string) => device.rows().find(row => row.title === title)!.id;
    const depend = (device: SyncedList, ...titles: string[]) =>
      device.engine.apply([{ type: 'blockers', id: id(device, 'Ship'), add: titles.map(title => id(device, title)) }]);
    const free = (device: SyncedList, title: string) => {
      const uid = device.rows().find(row => row.title === title)!.uid;
      return device.engine.apply([{ type: 'blockers', id: id(device, 'Ship'), remove: [uid] }]);
    };
    const blockers = (device: SyncedList) =>
      device.engine
        .blockersOf(id(device, 'Ship'))
        .map(({ task }) => task?.title)
        .sort();
    return { here, there, id, depend, free, blockers };
  }

  it('are sent, received and undone like other edits', async () => {
    const { here, there, depend, blockers, free } = await twoDevices();
    await depend(here, 'Build', 'Test');
    await here.sync();
    await there.sync();
    assert.deepEqual(blockers(there), ['Build', 'Test']);
    await free(there, 'Build');
    await there.sync();
    await here.sync();
    assert.deepEqual(blockers(here), ['Test']);
    await there.engine.undo();
    await there.sync();
    await here.sync();
    assert.deepEqual(blockers(here), ['Build', 'Test']);
  });

  it('are merged as sets: what either side added is there, and what either removed is not', async () => {
    const { here, there, depend, free, blockers } = await twoDevices();
    await depend(here, 'Build');
    await here.sync();
    await there.sync();
    await depend(here, 'Test');
    await free(there, 'Build');
    await depend(there, 'Docs');
    await there.sync();
    await here.sync();
    await there.sync();
    for (const device of [here, there]) assert.deepEqual(blockers(device), ['Docs', 'Test']);
    assert.deepEqual(here.engine.syncing!.conflicts(), []);
  });

  it('announce what is ready now on the device that receives a completion', async () => {
    const { here, there, id, depend } = await twoDevices();
    await depend(here, 'Build');
    await here.sync();
    await there.sync();
    assert.equal(there.engine.isBlocked(id(there, 'Ship')), true);
    const ready: number[] = [];
    there.engine.onDidChange(change => ready.push(...(change.ready ?? [])));
    await here.engine.completeTask(id(here, 'Build'));
    await here.sync();
    await there.sync();
    assert.deepEqual(ready, [id(there, 'Ship')]);
  });
});
