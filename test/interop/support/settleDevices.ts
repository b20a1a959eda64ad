import assert from 'node:assert/strict';
import { AFolder } from '../../sync/support/folders';
import { FaultDisk } from './faultDisk';
import { FaultProxy, faults, type Way } from './faultProxy';
import { SteadyDisk, steadyFiles } from './steadyDisk';
import { Device, settle } from './twoDevices';
import { listKeys, type TwoDeviceModel } from './wideModel';

interface TestServer {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  stop(): Promise<void>;
}

/** Two lists on the first server and one on the second, devices that know them, and faults on every way there. */
interface Stage {
  readonly devices: readonly [Device, Device];
  readonly proxies: readonly Way[];
  /** Below all folders. */
  readonly disk: FaultDisk;
}

const isFolder = (place: TestServer): place is AFolder => place instanceof AFolder;

/**
 * Sets a model's stage, lets it run, and checks the result once all is synced: nothing lost or doubled, and both
 * devices and a new one alike. Stops the servers.
 */
export async function runModel(
  servers: readonly TestServer[],
  run: (stage: Stage) => Promise<TwoDeviceModel>,
  /** Shows the lists in another way too, once they are there. */
  share = () => {},
): Promise<void> {
  // Servers take their time, and what goes on meanwhile is part of the test. Without them, a run can be repeated.
  const isSteady = servers.every(isFolder);
  const disk = new FaultDisk(isSteady ? new SteadyDisk(servers.filter(isFolder)).disk : undefined);
  const proxies: readonly Way[] = await Promise.all(
    servers.map(place => (isFolder(place) ? disk.wayTo(place.url) : FaultProxy.start(place.url))),
  );
  const devices: Device[] = [];
  const start = async (name: string) => {
    const device = new Device(name, '');
    device.disk = disk.disk;
    if (isSteady) device.files = steadyFiles;
    await device.start();
    devices.push(device);
    return device;
  };
  const open = async (name: string) => {
    const device = await start(name);
    for (const [at, { username, password }] of servers.entries())
      await device.engine.addAccount({ serverUrl: proxies[at]!.url, username, password });
    return device;
  };
  const openSynced = async (name: string) => {
    const device = await open(name);
    assert.equal(await device.sync(), null);
    return device;
  };
  /** A device whose accounts are cut short while they are set up. */
  const openCutShort = async (name: string, random: () => number) => {
    const device = await start(name);
    for (const [at, { username, password }] of servers.entries()) {
      const input = { serverUrl: proxies[at]!.url, username, password };
      await device.addAccountTwice(input, random() < 0.5 ? undefined : random() * 100);
    }
    assert.equal(device.engine.accounts().length, servers.length);
    assert.equal(await device.sync(), null);
    return device;
  };
  try {
    const a = await open('a');
    const [first, second] = a.engine.accounts();
    for (const [at, account] of [first, first, second].entries())
      if (account)
        await a.engine.createList({ name: listKeys[at]!, accountId: account.id, color: (0xff700000 + at) | 0 });
    // One of them is made without an answer.
    let isLost = false;
    for (const proxy of proxies)
      proxy.next = method => {
        if (method !== 'MKCALENDAR' || isLost) return undefined;
        isLost = true;
        return faults['reset after the server stored it'];
      };
    await a.sync();
    for (const proxy of proxies) proxy.next = () => undefined;
    assert.equal(await a.sync(), null);
    share();
    assert.equal(await a.sync(), null);
    const b = await openSynced('b');
    const model = await run({ devices: [a, b], proxies, disk });
    disk.meanwhile = undefined;
    await model.explained(() => settle(devices, proxies, model));
    await model.check();
    model.agree(a, b);
    model.agree(a, await openCutShort('fresh', model.random));
  } finally {
    for (const proxy of proxies) proxy.next = () => undefined;
    for (const device of devices) await device.end();
    for (const proxy of proxies) await proxy.stop();
    for (const server of new Set(servers)) await server.stop();
  }
}
