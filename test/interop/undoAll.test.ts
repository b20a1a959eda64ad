import assert from 'node:assert/strict';
import { AFolder } from '../sync/support/folders';
import { AServer } from '../sync/support/server';
import { FaultModel } from './support/deepModel';
import { isSeedGiven, newRandom, seedsOr } from './support/random';
import { Device } from './support/twoDevices';
import { bringingBack } from './support/undoActs';
import { living } from './support/wideModel';

/** The content of all lists of a device, its own too, one line a task or occurrence: all that undo is to bring back. */
const wholeOf = ({ engine }: Device): readonly string[] =>
  engine
    .lists()
    .flatMap(list => [
      `${list.name} of account ${list.accountId}`,
      ...living({ engine }, list.id).map(task => {
        const { uid, recurrenceId, title, description, due, dtstart, status, percentComplete, rrule, exdate } = task;
        const parentId = task.masterId === null ? task.parentId : null;
        const [parent, master] = [parentId, task.masterId].map(id => (id === null ? null : engine.task(id)?.uid));
        const dates = { due, dtstart, rrule, exdate, recurrenceId };
        const content = { title, description, tags: task.tags.toSorted(), status, percentComplete, parent, master };
        return `${list.name} of account ${list.accountId}: ${uid} ${JSON.stringify({ ...content, ...dates })}`;
      }),
    ])
    .toSorted();

/** One user's actions on one device, none of which reverts another; syncs in between. */
class Forward extends FaultModel {
  readonly #device = this.devices[0];

  async act(): Promise<void> {
    const kind = this.random();
    if (kind < 0.1) await this.editOccurrence(this.#device);
    else if (kind < 0.25) await this.takeBack(this.#device, bringingBack);
    else await this.edit(this.#device);
    await this.syncNowAndThen();
  }

  async syncNowAndThen(): Promise<void> {
    if (this.random() < 0.4) await this.syncNow();
  }

  syncNow(): Promise<void> {
    return this.explained(async () => {
      const error = await this.#device.sync();
      assert.ok(error === null, String(error));
    });
  }

  /** `is` is `wanted`; if not, the message names what differs and what was done to it. */
  expect(is: readonly string[], expected: readonly string[], when: string): void {
    const lines = [
      ...is.filter(line => !expected.includes(line)).map(line => `not wanted: ${line}`),
      ...expected.filter(line => !is.includes(line)).map(line => `missing: ${line}`),
    ];
    const uids = lines.flatMap(line => line.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []);
    assert.ok(lines.length === 0, `${when}:\n${lines.join('\n')}\n${this.trailOf(...new Set(uids))}`);
  }
}

describe('undo of everything', function () {
  this.timeout(600_000);
  const servers: (AServer | AFolder)[] = [];
  const devices: Device[] = [];

  async function open(name: string): Promise<Device> {
    const device = new Device(name, '');
    devices.push(device);
    await device.start();
    for (const { url, username, password } of servers)
      await device.engine.addAccount({ serverUrl: url, username, password });
    assert.equal(await device.sync(), null);
    return device;
  }

  /** Three lists on two servers, or on one and in a folder. */
  async function begin(isFolder: boolean): Promise<void> {
    const one = await AServer.start();
    servers.push(one);
    one.addList('α', {}, '/home/a/');
    one.addList('β', {}, '/home/b/');
    const other = isFolder ? new AFolder() : await AServer.start();
    servers.push(other);
    if (other instanceof AServer) other.addList('γ', {}, '/home/c/');
    else other.addList('γ');
  }
  afterEach(async () => {
    for (const device of devices.splice(0)) await device.end();
    for (const server of servers.splice(0)) await server.stop();
  });

  for (const seed of seedsOr([1, 2, 3]))
    it(`leads from random actions on synced lists back to the start, and redo to the end (seed ${seed})`, async () => {
      const random = newRandom(seed);
      await begin(seed % 3 === 0);
      const other = await open('other');
      const before = new Forward([other, other], random, []);
      for (let acts = 0; acts < 15; acts++) await before.act();
      await other.sync();
      const a = await open('a');
      const model = new Forward([a, a], random, []);
      const start = wholeOf(a);
      for (let acts = 0; acts < (isSeedGiven ? 60 : 15); acts++) await model.act();
      const end = wholeOf(a);
      for (const way of ['undoNamed', 'redoNamed'] as const) {
        for (let label = await a.engine[way](); label; label = await a.engine[way]()) {
          model.note(`sync: ${way} ${label.key}`);
          await model.syncNowAndThen();
        }
        const expected = way === 'undoNamed' ? start : end;
        model.expect(wholeOf(a), expected, `after ${way}`);
        for (let runs = 0; runs < 3; runs++) await model.syncNow();
        model.expect(wholeOf(a), expected, `after ${way} and syncs`);
        const fresh = await open('fresh');
        const synced = (device: Device) => wholeOf(device).filter(line => !line.includes(' of account null'));
        model.expect(synced(fresh), synced(a), `after ${way}, on a new device`);
      }
    });
});
