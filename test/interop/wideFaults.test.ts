import assert from 'node:assert/strict';
import { newRandom, seedsOr } from './chance';
import { FaultProxy } from './faultProxy';
import { howToInstall, isInstalled, startRadicale } from './servers';
import { Device, settle } from './twoDevices';
import { listKeys, WideModel } from './wideModel';

describe('two devices with families, series and two lists', function () {
  // Seconds on a machine at rest, minutes on one that much other work shares.
  this.timeout(600_000);
  before(() => {
    if (!isInstalled('radicale')) throw new Error(howToInstall('radicale'));
  });

  for (const seed of seedsOr([1, 2, 3, 4, 5, 6]))
    it(`use, faults and restarts at random lose and double nothing (seed ${seed})`, async () => {
      const server = await startRadicale();
      const proxy = await FaultProxy.start(server.url);
      const { username, password } = server;
      const devices: Device[] = [];
      const open = async (name: string) => {
        const device = new Device(name, '');
        await device.start();
        devices.push(device);
        await device.engine.addAccount({ serverUrl: proxy.url, username, password });
        return device;
      };
      try {
        const a = await open('a');
        for (const name of listKeys.slice(0, 2))
          await a.engine.createList({ name, accountId: a.engine.accounts()[0]!.id });
        assert.equal(await a.sync(), null);
        const b = await open('b');
        assert.equal(await b.sync(), null);
        const model = new WideModel([a, b], newRandom(seed), [proxy]);
        await model.run(90);
        await settle(devices, [proxy]);
        await model.check();
        model.agree(a, b);
        const fresh = await open('fresh');
        assert.equal(await fresh.sync(), null);
        model.agree(a, fresh);
      } finally {
        proxy.next = () => undefined;
        for (const device of devices) await device.end();
        await proxy.stop();
        await server.stop();
      }
    });
});
