import assert from 'node:assert/strict';
import { readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pick } from '../../support/pick';
import type { SyncedList } from '../support/devices';
import { calendar, todo } from '../support/texts';
import { aFolderWorld, aWorld } from '../support/world';

const master = todo('bread', 'SUMMARY:Buy bread', 'DTSTART:20261120T080000Z', 'RRULE:FREQ=DAILY');
const exception = (day: number, title: string) =>
  todo('bread', `RECURRENCE-ID:202611${day}T080000Z`, `DTSTART:202611${day}T100000Z`, `SUMMARY:${title}`);
const series = calendar(master);
const lone = calendar(exception(25, 'Buy two'));

interface Source {
  put(name: string, text: string): void;
  remove(name: string): void;
  texts(): Record<string, string>;
  device(): Promise<SyncedList>;
}

const worlds: Record<string, () => () => Source> = {
  'of a folder': () => {
    const world = aFolderWorld();
    return () => {
      world.folder.addList('errands');
      const pathOf = (name: string) => join(world.folder.path, 'errands', name);
      const names = () => readdirSync(pathOf('.')).filter(name => name.endsWith('.ics'));
      return {
        put: (name, text) => world.folder.put(`errands/${name}`, text),
        remove: name => unlinkSync(pathOf(name)),
        texts: () => Object.fromEntries(names().map(name => [name, readFileSync(pathOf(name), 'utf8')])),
        device: async () => world.devices.list(await world.devices.open(world.folder), 'errands'),
      };
    };
  },
  'of a server': () => {
    const world = aWorld();
    return () => ({
      put: (name, text) => void world.list.put(name, text),
      remove: name => world.list.remove(name),
      texts: () => Object.fromEntries([...world.list.items].map(([href, { text }]) => [href.split('/').at(-1)!, text])),
      device: async () => world.devices.list(await world.devices.open(world.server), 'tasks'),
    });
  },
};

for (const [where, begin] of Object.entries(worlds))
  describe(`a series in several resources ${where}`, () => {
    const placeOf = begin();
    let place: Source;
    beforeEach(() => {
      place = placeOf();
    });

    const faultsOf = async ({ engine }: SyncedList) => {
      await engine.sync();
      return [...engine.syncing!.rowErrors()].map(([id, { code }]) => [engine.task(id)?.title, code]);
    };
    /** Every row with the title of its series. */
    const rowsOf = ({ rows, engine }: SyncedList) =>
      rows()
        .map(({ title, masterId }) => [title, masterId === null ? null : engine.task(masterId)?.title])
        .toSorted();
    const whole = [
      ['Buy bread', null],
      ['Buy two', 'Buy bread'],
    ];

    for (const name of ['a.ics', 'z.ics'])
      it(`is complete, whichever part comes first, and each part stays in place: ${name}`, async () => {
        place.put(name, lone);
        place.put('bread.ics', series);
        const device = await place.device();
        assert.deepEqual(await faultsOf(device), []);
        assert.deepEqual(rowsOf(device), whole);
        const changed = device.rows().find(({ masterId }) => masterId !== null)!;
        await device.engine.updateTask(changed.id, { title: 'Buy three' });
        await device.sync();
        assert.match(place.texts()[name]!, /SUMMARY:Buy three\r\n/);
        assert.equal(place.texts()['bread.ics'], series);
        await device.engine.deleteTask(device.byUid('bread')!.id);
        for (let run = 0; run < 3; run++) await device.sync();
        assert.deepEqual(place.texts(), {});
        assert.deepEqual(device.rows(), []);
      });

    it('takes in the series after its exceptions, and a pending edit of one', async () => {
      place.put('a.ics', lone);
      place.put('b.ics', calendar(exception(27, 'Buy none')));
      const device = await place.device();
      await device.sync();
      await device.engine.updateTask(device.rows().find(({ title }) => title === 'Buy two')!.id, {
        title: 'Buy three',
      });
      place.put('bread.ics', calendar(master, exception(26, 'Buy rolls')));
      await device.sync();
      assert.deepEqual(rowsOf(device), [
        ['Buy bread', null],
        ['Buy none', 'Buy bread'],
        ['Buy rolls', 'Buy bread'],
        ['Buy three', 'Buy bread'],
      ]);
      assert.match(place.texts()['a.ics']!, /SUMMARY:Buy three\r\n/);
    });

    it('reports at the exception that a second resource with it is not shown', async () => {
      place.put('a.ics', lone);
      place.put('bread.ics', calendar(master, exception(25, 'Buy rolls')));
      const device = await place.device();
      for (let run = 0; run < 2; run++) {
        assert.deepEqual(await faultsOf(device), [['Buy two', 'sameUid']]);
        assert.deepEqual(rowsOf(device), [['Buy two', null]]);
      }
      place.remove('a.ics');
      for (let run = 0; run < 3; run++) await device.engine.sync();
      assert.deepEqual(await faultsOf(device), []);
      assert.deepEqual(rowsOf(device), [
        ['Buy bread', null],
        ['Buy rolls', 'Buy bread'],
      ]);
    });

    for (const [part, name, text] of [
      ['the series', 'bread.ics', series],
      ['the exception', 'a.ics', lone],
    ] as const)
      it(`keeps its rows if ${part} gets another name`, async () => {
        place.put('a.ics', lone);
        place.put('bread.ics', series);
        const device = await place.device();
        await device.sync();
        const before = device.rows().map(row => pick(row, 'id', 'title', 'masterId'));
        place.remove(name);
        place.put('other.ics', text);
        for (let run = 0; run < 2; run++) assert.deepEqual(await faultsOf(device), []);
        assert.deepEqual(
          device.rows().map(row => pick(row, 'id', 'title', 'masterId')),
          before,
        );
      });

    for (const isEdited of [false, true])
      it(`leaves its exception if another program removes the series${isEdited ? ', of which one was completed here' : ''}`, async () => {
        place.put('a.ics', lone);
        place.put('bread.ics', series);
        const device = await place.device();
        await device.sync();
        if (isEdited) await device.engine.completeTask(device.byUid('bread')!.id);
        place.remove('bread.ics');
        await device.sync();
        assert.deepEqual(rowsOf(device), [['Buy two', null]]);
      });

    it('takes over the name of another task’s resource', async () => {
      place.put('a.ics', calendar(todo('milk', 'SUMMARY:Buy milk')));
      place.put('bread.ics', series);
      const device = await place.device();
      await device.sync();
      place.put('a.ics', lone);
      for (let run = 0; run < 2; run++) assert.deepEqual(await faultsOf(device), []);
      assert.deepEqual(rowsOf(device), whole);
    });
  });

describe('a series in several resources, one of which cannot be deleted', () => {
  const world = aWorld();

  it('deletes that one later', async () => {
    world.list.put('a.ics', lone);
    world.list.put('bread.ics', series);
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('bread')!.id);
    world.server.hook = ({ method, path }) =>
      method === 'DELETE' && path.endsWith('/a.ics') ? { status: 423 } : undefined;
    await device.engine.sync();
    assert.deepEqual(
      [...world.list.items.keys()].map(href => href.split('/').at(-1)),
      ['a.ics'],
    );
    world.server.hook = undefined;
    await device.engine.sync();
    assert.equal(world.list.items.size, 0);
    assert.deepEqual(device.rows(), []);
  });
});
