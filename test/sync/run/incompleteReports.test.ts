import assert from 'node:assert/strict';
import { aWorld } from '../support/world';

describe('a server whose sync report leaves out what came and went since its token, as Xandikos does', () => {
  const world = aWorld();
  beforeEach(() => {
    world.list.passesOver = true;
    world.put('other', 'SUMMARY:Other');
  });

  it('has a task deleted here that was made here and deleted there before the next look', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'Made here' });
    await device.sync();
    world.list.remove(device.engine.task(id)!.href!);
    await device.sync();
    assert.deepEqual(device.titles(), ['Other']);
    assert.deepEqual(
      (await device.engine.trash()).map(({ task }) => task.title),
      ['Made here'],
    );
  });

  it('has a parent deleted here, too, while its subtask stays and something else changes', async () => {
    const device = await world.device();
    const parent = await device.engine.createTask(device.id, { title: 'Parent' });
    const child = await device.engine.createTask(device.id, { title: 'Child', parentId: parent });
    await device.sync();
    world.list.remove(device.engine.task(parent)!.href!);
    world.put('other', 'SUMMARY:Changed');
    await device.sync();
    assert.deepEqual(device.titles(), ['Changed', 'Child']);
    assert.equal(device.engine.task(child)?.parentId, null);
  });

  it('is asked for nothing more where everything is named or nothing was sent', async () => {
    const device = await world.device();
    await device.engine.createTask(device.id, { title: 'Made here' });
    await device.sync();
    world.server.forget();
    await device.sync();
    assert.equal(world.server.requests.length, 3, 'the lists, a report, and the server’s text of what was sent');
    world.server.forget();
    await device.sync();
    assert.equal(world.server.requests.length, 1);
  });
});
