import assert from 'node:assert/strict';
import { AServer } from '../sync/support/server';
import { newRandom, seedsOr } from './support/random';
import { RestoreModel } from './support/restoreModel';
import { Device, settle } from './support/twoDevices';

describe('restores and syncs in any order', function () {
  this.timeout(600_000);
  for (const seed of seedsOr([6, 13, 15, 27]))
    it(`leave no task twice, on the server or here (seed ${seed})`, async () => {
      const server = await AServer.start();
      for (const name of ['α', 'β']) server.addList(name, {}, `/home/${name === 'α' ? 'a' : 'b'}/`);
      const devices: Device[] = [];
      try {
        for (const name of seed % 2 === 0 ? ['a', 'b'] : ['a']) {
          const device = new Device(name, '');
          devices.push(device);
          await device.start();
          await device.engine.addAccount({
            serverUrl: server.url,
            username: server.username,
            password: server.password,
          });
          assert.equal(await device.sync(), null);
        }
        const model = new RestoreModel(devices, server, newRandom(seed));
        await model.run(120);
        await settle(devices, []);
        const offered = devices.flatMap(device => device.offered());
        const onServer = model.twiceOnServer().filter(uid => !offered.includes(uid));
        assert.deepEqual(onServer, [], `twice on the server\n${model.trailOf(onServer)}`);
        // A task that one device has moved to its computer may be brought back on the server by the other device.
        for (const device of devices.length === 1 ? devices : []) {
          const here = model.twice(device).filter(uid => !offered.includes(uid) && !model.hasTwoVersions(device, uid));
          assert.deepEqual(here, [], `twice on ${device.name}\n${model.trailOf(here)}`);
        }
      } finally {
        for (const device of devices) await device.end();
        await server.stop();
      }
    });
});
