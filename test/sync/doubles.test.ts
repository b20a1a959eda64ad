import assert from 'node:assert/strict';
import type { AList } from './aServerLists';
import { todoText } from './texts';
import { aWorld } from './world';

/** What no movement under way explains any more: the net below all moves. */
describe('a task that goes on standing in two lists', () => {
  const world = aWorld();
  let other: AList;

  const text = (title: string, modified = '20261101T080000Z', created = '20261001T080000Z') =>
    todoText('t', `SUMMARY:${title}`, `CREATED:${created}`, `LAST-MODIFIED:${modified}`);

  /** A device that has moved the task there, or only seen it there. */
  const deviceThat = async (hasMoved: boolean) => {
    other = world.server.addList('other');
    (hasMoved ? world.list : other).put('t.ics', text('Task'));
    const device = await world.device();
    await device.engine.sync();
    const there = () => world.devices.list(device.engine, 'other');
    if (hasMoved) await device.engine.moveTask(device.byUid('t')!.id, { listId: there().id });
    await device.engine.sync();
    assert.deepEqual([world.list.items.size, other.items.size], [0, 1]);
    return { ...device, there };
  };
  type Device = Awaited<ReturnType<typeof deviceThat>>;

  const later = async ({ engine }: Device, minutes: number) => {
    world.devices.clock.time += minutes * 60_000;
    assert.equal((await world.report(engine)).error, null);
  };
  const titlesOf = ({ rows, there }: Device) => [rows(), there().rows()].map(all => all.map(({ title }) => title));
  const countsOnServer = () => [world.list.items.size, other.items.size];

  it('becomes one, in the place that was written last, where it was moved from here', async () => {
    const device = await deviceThat(true);
    world.list.put('t.ics', text('Written later', '20270101T080000Z'));
    await later(device, 20);
    assert.deepEqual(titlesOf(device), [['Written later'], ['Task']]);
    await later(device, 5);
    assert.deepEqual(countsOnServer(), [1, 1], 'another device may be between the halves of a move');
    await later(device, 20);
    assert.deepEqual(titlesOf(device), [['Written later'], []]);
    assert.deepEqual(countsOnServer(), [1, 0]);
    const lost = (await world.devices.conflictsOf(device.engine)).map(({ mine }) => mine);
    assert.equal(lost.length, 1);
    assert.match(lost[0]!, /SUMMARY:Task/);
  });

  it('begins to wait anew where one of the two changes', async () => {
    const device = await deviceThat(true);
    world.list.put('t.ics', text('Task'));
    await later(device, 20);
    world.list.put('t.ics', text('Edited'));
    await later(device, 20);
    assert.deepEqual(countsOnServer(), [1, 1]);
    await later(device, 20);
    assert.deepEqual(countsOnServer(), [0, 1]);
    assert.deepEqual(titlesOf(device), [[], ['Task']]);
  });

  it('stays two where it was never moved from here', async () => {
    const device = await deviceThat(false);
    world.list.put('t.ics', text('Task'));
    for (let round = 0; round < 4; round++) await later(device, 20);
    assert.deepEqual(countsOnServer(), [1, 1]);
  });

  it('stays two where the other is a stranger of the same UID', async () => {
    const device = await deviceThat(true);
    world.list.put('t.ics', text('Something else', undefined, '20200101T080000Z'));
    for (let round = 0; round < 4; round++) await later(device, 20);
    assert.deepEqual(countsOnServer(), [1, 1]);
  });

  it('stays two while one of them could not be seen', async () => {
    const device = await deviceThat(true);
    world.list.put('t.ics', text('Task'));
    await later(device, 20);
    world.server.hook = ({ path }) => (path.startsWith('/home/other') ? { status: 500 } : undefined);
    other.put('u.ics', todoText('u', 'SUMMARY:New'));
    await device.engine.sync();
    world.devices.clock.time += 3_600_000;
    await device.engine.sync();
    assert.equal(world.list.items.size, 1);
    world.server.hook = undefined;
    await later(device, 60);
    assert.deepEqual(countsOnServer(), [0, 2]);
  });

  it('stays two while one of them waits to be sent', async () => {
    const device = await deviceThat(true);
    world.list.put('t.ics', text('Task'));
    await later(device, 20);
    world.server.hook = ({ method }) => (method === 'PUT' ? { status: 403 } : undefined);
    await device.engine.updateTask(device.byUid('t')!.id, { title: 'Mine' });
    for (let round = 0; round < 2; round++) {
      world.devices.clock.time += 3_600_000;
      await device.engine.sync();
    }
    assert.deepEqual(countsOnServer(), [1, 1]);
    assert.equal(device.byUid('t')?.title, 'Mine');
  });
});
