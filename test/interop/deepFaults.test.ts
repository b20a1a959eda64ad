import assert from 'node:assert/strict';
import { AServer } from '../sync/aServer';
import { isSeedGiven, newRandom, seedsOr } from './chance';
import { DeepModel } from './deepModel';
import { FaultProxy } from './faultProxy';
import { Device, settle } from './twoDevices';
import { listKeys } from './wideModel';

describe('two devices with two windows each, two accounts, and no peace', function () {
  // Seconds on a machine at rest, minutes on one that much other work shares.
  this.timeout(600_000);
  for (const seed of seedsOr([1, 2, 3]))
    it(`edits while syncs run, restarts and power cuts lose and double nothing (seed ${seed})`, async () => {
      const servers = [await AServer.start(), await AServer.start()];
      const proxies = await Promise.all(servers.map(server => FaultProxy.start(server.url)));
      const devices: Device[] = [];
      const open = async (name: string) => {
        const device = new Device(name, '');
        await device.start();
        devices.push(device);
        const { username, password } = servers[0]!;
        for (const { url } of proxies) await device.engine.addAccount({ serverUrl: url, username, password });
        return device;
      };
      try {
        const a = await open('a');
        for (const [at, name] of listKeys.entries())
          await a.engine.createList({ name, accountId: a.engine.accounts()[at === 2 ? 1 : 0]!.id });
        assert.equal(await a.sync(), null);
        const b = await open('b');
        assert.equal(await b.sync(), null);
        const model = new DeepModel([a, b], newRandom(seed), proxies);
        model.servers = servers.map(({ lists }) => ({
          forgetTokens: () => {
            for (const list of lists.values()) list.oldestToken = list.log.length + 1;
          },
        }));
        // What happens is a matter of timing here, not of the seed alone: long runs, by seed, are for whoever looks for
        // what short ones do not show.
        await model.run(isSeedGiven ? 90 : 30);
        for (const { lists } of servers) for (const list of lists.values()) list.oldestToken = 0;
        await settle(devices, proxies);
        await model.check();
        model.agree(a, b);
        const fresh = await open('fresh');
        assert.equal(await fresh.sync(), null);
        model.agree(a, fresh);
      } finally {
        for (const proxy of proxies) proxy.next = () => undefined;
        for (const device of devices) await device.end();
        for (const proxy of proxies) await proxy.stop();
        for (const server of servers) await server.stop();
      }
    });
});
