import assert from 'node:assert/strict';
import type { AccountReport, DuelineEngine, EngineOptions } from '../../../src/api';
import { Devices, type SyncedList } from './devices';
import { AFolder } from './folders';
import { AServer } from './server';
import type { AList } from './serverLists';
import { todoText } from './texts';

/** A server of one list, and devices on it; new for every test of the suite that calls this. */
export function aWorld() {
  const world = {
    server: undefined as unknown as AServer,
    list: undefined as unknown as AList,
    devices: new Devices(),

    /** Puts a task on the server. */
    put: (uid: string, ...lines: string[]) => world.list.put(`${uid}.ics`, todoText(uid, ...lines)),

    async device(options: Partial<EngineOptions> = {}): Promise<SyncedList> {
      const engine = await world.devices.open(world.server, options);
      const device = world.devices.list(engine, world.list.name);
      await device.sync();
      world.server.forget();
      return device;
    },

    /** Syncs everything, errors and all. */
    async report(engine: DuelineEngine): Promise<AccountReport> {
      const [report] = (await engine.sync()).accounts;
      assert.ok(report);
      return report;
    },

    /** The one task of this title. */
    titled(device: SyncedList, title: string) {
      const found = device.rows().filter(row => row.title === title);
      assert.equal(found.length, 1, `one task "${title}" among ${JSON.stringify(device.rows().map(row => row.title))}`);
      return found[0]!;
    },
  };
  beforeEach(async () => {
    world.server = await AServer.start();
    world.list = world.server.addList('tasks');
  });
  afterEach(async () => {
    await world.devices.close();
    await world.server.stop();
  });
  return world;
}

/** A folder, and devices on it; new for every test of the suite that calls this. */
export function aFolderWorld() {
  const world = { folder: undefined as unknown as AFolder, devices: new Devices() };
  beforeEach(() => {
    world.folder = new AFolder();
  });
  afterEach(async () => {
    await world.devices.close();
    await world.folder.stop();
  });
  return world;
}
