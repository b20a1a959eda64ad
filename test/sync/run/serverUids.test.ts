import assert from 'node:assert/strict';
import { aWorld } from '../support/world';

describe('a task that its server stores under another UID, with the response lost', () => {
  const world = aWorld();

  /** A device with one task, which the server has by then. */
  const sent = async () => {
    const { list, server } = world;
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'Mine' });
    let isDown = false;
    server.hook = (request, next) => {
      if (request.method !== 'PUT') return isDown ? 'cut' : next();
      if (!isDown) list.put(request.path, request.body.replace(/UID:.*/, 'UID:server'));
      isDown = true;
      return 'cut';
    };
    await device.engine.sync();
    server.hook = (request, next) => {
      if (request.method !== 'PUT' || list.items.has(request.path)) return next();
      list.put(request.path, request.body.replace(/UID:.*/, 'UID:server-2'));
      return { status: 201 };
    };
    const sync = async () => {
      for (let run = 0; run < 3; run++) {
        world.devices.clock.time += 3_600_000;
        await device.engine.sync();
      }
    };
    return { device, id, sync };
  };

  it('is one task, here and there', async () => {
    const { device, sync } = await sent();
    await sync();
    assert.deepEqual(
      device.rows().map(({ title }) => title),
      ['Mine'],
    );
    assert.equal(world.list.items.size, 1);
  });

  it('is also deleted there if it was deleted here meanwhile', async () => {
    const { device, id, sync } = await sent();
    await device.engine.deleteTask(id);
    await sync();
    assert.deepEqual(device.rows(), []);
    assert.equal(world.list.items.size, 0);
  });
});
