import assert from 'node:assert/strict';
import { type AList, sizesOf } from '../support/serverLists';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('tasks with the same UID in two lists', () => {
  const world = aWorld();
  let other: AList;

  const text = (title: string, created = '20261001T080000Z') =>
    todoText('t', `SUMMARY:${title}`, `CREATED:${created}`, 'LAST-MODIFIED:20261101T080000Z');

  /** A device that has moved the task to the other list, or only seen it there. */
  const deviceThat = async (hasMoved: boolean) => {
    other = world.server.addList('other');
    (hasMoved ? world.list : other).put('t.ics', text('Task'));
    const device = await world.device();
    await device.engine.sync();
    const there = () => world.devices.list(device.engine, 'other');
    if (hasMoved) await device.engine.moveTask(device.byUid('t')!.id, { listId: there().id });
    await device.engine.sync();
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 1 });
    return { ...device, there };
  };
  type Device = Awaited<ReturnType<typeof deviceThat>>;

  const later = async ({ engine }: Pick<Device, 'engine'>, minutes: number) => {
    world.devices.clock.time += minutes * 60_000;
    assert.equal((await world.report(engine)).error, null);
  };
  const titlesIn = ({ rows }: Pick<Device, 'rows'>) =>
    rows()
      .filter(row => !row.isDeleted)
      .map(({ title }) => title);
  const titlesOf = (device: Device) => ({ list: titlesIn(device), other: titlesIn(device.there()) });
  const countsOnServer = () => sizesOf({ list: world.list, other });
  const offersOf = ({ engine }: Pick<Device, 'engine'>) =>
    engine.syncing!.conflicts().filter(({ reason }) => reason === 'duplicate');

  it('stay two, and are offered as duplicates after ten minutes if the task was moved from here', async () => {
    const device = await deviceThat(true);
    world.list.put('t.ics', text('Put back'));
    await later(device, 20);
    await later(device, 5);
    assert.deepEqual(offersOf(device), [], 'another device may be between the halves of a move');
    for (let round = 0; round < 4; round++) await later(device, 20);
    assert.deepEqual(countsOnServer(), { list: 1, other: 1 });
    assert.deepEqual(titlesOf(device), { list: ['Put back'], other: ['Task'] });
    const [offer, ...more] = offersOf(device);
    assert.deepEqual(
      { listId: offer!.listId, otherListId: offer!.other!.listId, more },
      { listId: device.there().id, otherListId: device.id, more: [] },
    );
    assert.match(offer!.mine, /SUMMARY:Task/);
    assert.match(offer!.server, /SUMMARY:Put back/);
  });

  it('are offered, too, if the task was moved to this computer and an edit elsewhere has brought it back', async () => {
    world.list.put('t.ics', text('Task'));
    const device = await world.device();
    const own = await device.engine.createList({ name: 'Own' });
    const { id } = device.byUid('t')!;
    await device.engine.moveTask(id, { listId: own });
    await later(device, 1);
    assert.equal(world.list.items.size, 0);
    world.list.put('t.ics', text('Edited elsewhere'));
    for (let round = 0; round < 3; round++) await later(device, 20);
    const [offer, ...more] = offersOf(device);
    assert.deepEqual(
      { taskId: offer!.taskId, otherListId: offer!.other!.listId, more },
      { taskId: id, otherListId: device.id, more: [] },
    );
    assert.match(offer!.mine, /SUMMARY:Task/);
    assert.match(offer!.server, /SUMMARY:Edited elsewhere/);
    await device.engine.syncing!.resolveConflict(offer!.id, 'server');
    await later(device, 20);
    assert.deepEqual([titlesIn(device), device.engine.rows(own)], [['Edited elsewhere'], []]);
  });

  it('are not offered if the task was never moved from here', async () => {
    const device = await deviceThat(false);
    world.list.put('t.ics', text('Task'));
    for (let round = 0; round < 4; round++) await later(device, 20);
    assert.deepEqual(countsOnServer(), { list: 1, other: 1 });
    assert.deepEqual(offersOf(device), []);
  });

  it('are not offered again once the user keeps both', async () => {
    const device = await deviceThat(true);
    world.list.put('t.ics', text('Task'));
    for (let round = 0; round < 2; round++) await later(device, 20);
    await device.engine.syncing!.resolveConflict(offersOf(device)[0]!.id, 'both');
    assert.deepEqual(offersOf(device), []);
    for (let round = 0; round < 3; round++) await later(device, 31 * 24 * 60);
    assert.deepEqual(countsOnServer(), { list: 1, other: 1 });
    assert.deepEqual(offersOf(device), []);
  });

  it('become the one that the user chooses; the other is kept with the conflicts, and undo restores it', async () => {
    const device = await deviceThat(true);
    world.list.put('t.ics', text('Put back'));
    for (let round = 0; round < 2; round++) await later(device, 20);
    await device.engine.syncing!.resolveConflict(offersOf(device)[0]!.id, 'server');
    await later(device, 20);
    assert.deepEqual(countsOnServer(), { list: 1, other: 0 });
    assert.deepEqual(titlesOf(device), { list: ['Put back'], other: [] });
    const [merged, ...more] = device.engine.syncing!.conflicts();
    assert.deepEqual(
      { reason: merged!.reason, taskId: merged!.taskId, more },
      { reason: 'merged', taskId: device.byUid('t')!.id, more: [] },
    );
    assert.match(merged!.mine, /SUMMARY:Task/);
    await device.engine.undo();
    await later(device, 20);
    assert.deepEqual(countsOnServer(), { list: 1, other: 1 });
    assert.deepEqual(titlesOf(device), { list: ['Put back'], other: ['Task'] });
  });

  it('keep the chosen copy if the other one is gone by then', async () => {
    const device = await deviceThat(true);
    world.list.put('t.ics', text('Put back'));
    for (let round = 0; round < 2; round++) await later(device, 20);
    const [offer] = offersOf(device);
    await device.engine.deleteTask(device.byUid('t')!.id);
    assert.deepEqual(offersOf(device), []);
    await assert.rejects(device.engine.syncing!.resolveConflict(offer!.id, 'server'), { kind: 'notFound' });
    await later(device, 20);
    assert.deepEqual(countsOnServer(), { list: 0, other: 1 });
  });

  describe('from one checklist', () => {
    let third: AList;
    const file = todoText('f', 'SUMMARY:Umbrella');

    /** Both lists have the task from the beginning; a third has nothing. */
    const deviceOf = async () => {
      other = world.server.addList('other');
      third = world.server.addList('third');
      for (const list of [world.list, other]) list.put('t.ics', text('Passport'));
      const device = await world.device();
      await device.engine.sync();
      const listOf = (name: string) => world.devices.list(device.engine, name);
      return { ...device, there: () => listOf('other'), third: listOf('third') };
    };

    it('stay in place when one of them is moved', async () => {
      const device = await deviceOf();
      await device.engine.moveTask(device.byUid('t')!.id, { listId: device.third.id });
      for (let round = 0; round < 6; round++) await later(device, 20);
      assert.deepEqual(sizesOf({ list: world.list, other, third }), { list: 0, other: 1, third: 1 });
      assert.deepEqual(
        { ...titlesOf(device), third: device.third.titles() },
        { list: [], other: ['Passport'], third: ['Passport'] },
      );
    });

    it('stay two, without a question, if the deletion of one is undone after another device took the file into a second list', async () => {
      const device = await deviceOf();
      const { engine } = device;
      const neighbor = await world.device();
      await engine.importTasks('ics', file, device.id);
      await later(device, 20);
      await later(neighbor, 20);
      const { id } = device.byUid('f')!;
      await engine.updateTask(id, { title: 'Umbrella of Ann' });
      await engine.deleteTask(id);
      for (const each of [device, neighbor]) await later(each, 20);
      await neighbor.engine.importTasks('ics', file, world.devices.list(neighbor.engine, 'other').id);
      for (const each of [neighbor, device, device]) await later(each, 20);
      await engine.undo();
      for (let round = 0; round < 4; round++) for (const each of [device, neighbor]) await later(each, 20);
      for (const { engine, rows } of [device, neighbor]) {
        assert.deepEqual(titlesIn({ rows }), ['Passport', 'Umbrella of Ann']);
        assert.deepEqual(titlesIn(world.devices.list(engine, 'other')), ['Passport', 'Umbrella']);
        assert.deepEqual(
          [engine.syncing!.conflicts(), engine.syncing!.pendingChanges(), await engine.trash()],
          [[], [], []],
        );
      }
      // The import is another task, which goes alone.
      await neighbor.engine.undo();
      for (const each of [neighbor, device, neighbor]) await later(each, 20);
      assert.deepEqual(titlesOf(device), { list: ['Passport', 'Umbrella of Ann'], other: ['Passport'] });
      assert.deepEqual(countsOnServer(), { list: 2, other: 1 });
    });

    it('do not get each other’s edits when one of them is deleted on the server', async () => {
      const device = await deviceOf();
      await device.engine.updateTask(device.byUid('t')!.id, { title: 'Passport of Ann' });
      world.list.remove('t.ics');
      for (let round = 0; round < 3; round++) await later(device, 20);
      assert.deepEqual(titlesOf(device), { list: ['Passport of Ann'], other: ['Passport'] });
      assert.match(world.list.get('t.ics'), /Passport of Ann/);
      assert.doesNotMatch(other.get('t.ics'), /of Ann/);
    });

    it('do not get each other’s edits if one is moved here and edited there', async () => {
      const device = await deviceOf();
      await device.engine.moveTask(device.byUid('t')!.id, { listId: device.third.id });
      world.server.hook = ({ method }) => (method === 'DELETE' ? { status: 423 } : undefined);
      await device.engine.sync();
      world.server.hook = undefined;
      world.list.put('t.ics', text('Passport of Ann'));
      for (let round = 0; round < 3; round++) await later(device, 20);
      assert.deepEqual(sizesOf({ list: world.list, other, third }), { list: 0, other: 1, third: 1 });
      assert.match(third.get('t.ics'), /Passport of Ann/);
      assert.doesNotMatch(other.get('t.ics'), /of Ann/);
    });

    it('do not follow each other when another device moves one of them', async () => {
      const device = await deviceOf();
      await device.engine.updateTask(device.byUid('t')!.id, { title: 'Passport of Ann' });
      await device.engine.updateTask(device.there().byUid('t')!.id, { description: 'Of Bob' });
      third.put('t.ics', world.list.get('t.ics'));
      world.list.remove('t.ics');
      for (let round = 0; round < 3; round++) await later(device, 20);
      assert.deepEqual(sizesOf({ list: world.list, other, third }), { list: 0, other: 1, third: 1 });
      assert.match(third.get('t.ics'), /Passport of Ann/);
      assert.match(other.get('t.ics'), /SUMMARY:Passport\r\n/);
      assert.match(other.get('t.ics'), /Of Bob/);
    });
  });

  describe('because one list is reached through two accounts', () => {
    /** A store that has the same account twice, as older versions let people make it. */
    const deviceTwice = async () => {
      other = world.server.addList('other');
      const device = await world.device();
      const { engine } = device;
      const store = world.devices.storeOf(engine);
      const { id, principalUrl, homeSetUrl } = engine.accounts()[0]!;
      await store.edit({ origin: 'sync' }, tx => tx.updateAccount(id, { principalUrl: null, homeSetUrl: null }));
      const { url, username, password } = world.server;
      await engine.addAccount({ serverUrl: url, username, password });
      await store.edit({ origin: 'sync' }, tx => tx.updateAccount(id, { principalUrl, homeSetUrl }));
      await engine.sync();
      const listOf = (name: string, account: number) =>
        engine.lists().filter(list => list.name === name && list.accountId !== null)[account]!.id;
      return { ...device, listOf };
    };

    const rounds = async (device: Pick<Device, 'engine'>) => {
      for (let round = 0; round < 5; round++) await later(device, 20);
    };

    for (const [way, back] of [
      ['the same account', 0],
      ['the other account', 1],
    ] as const)
      it(`lose nothing if one is moved out and back by ${way}`, async () => {
        const device = await deviceTwice();
        const id = await device.engine.createTask(device.listOf('tasks', 0), { title: 'Pay the rent' });
        await rounds(device);
        await device.engine.moveTask(id, { listId: device.listOf('other', 0) });
        await rounds(device);
        assert.deepEqual(countsOnServer(), { list: 0, other: 1 });
        await device.engine.moveTask(id, { listId: device.listOf('tasks', back) });
        await rounds(device);
        assert.deepEqual(countsOnServer(), { list: 1, other: 0 });
        assert.equal(device.engine.task(id)?.title, 'Pay the rent');
        assert.deepEqual(offersOf(device), []);
      });

    it('are sent again if one was edited and deleted in one account and is restored in both', async () => {
      const device = await deviceTwice();
      const { engine } = device;
      world.list.put('t.ics', text('Pay the rent'));
      await rounds(device);
      const inAccount = (account: number) => engine.rows(device.listOf('tasks', account));
      const { id } = inAccount(0)[0]!;
      await engine.updateTask(id, { title: 'Pay the rent twice' });
      await engine.deleteTask(id);
      await rounds(device);
      assert.deepEqual(countsOnServer(), { list: 0, other: 0 });
      for (const { key } of (await engine.trash()).toReversed()) await engine.restore([key]);
      assert.deepEqual([inAccount(0).length, inAccount(1).length], [1, 1]);
      await rounds(device);
      assert.deepEqual(engine.syncing!.pendingChanges(), []);
      assert.deepEqual(countsOnServer(), { list: 1, other: 0 });
      assert.deepEqual([inAccount(0).length, inAccount(1).length], [1, 1]);
    });

    it('lose nothing if one is moved from one account to the other, which has not seen it yet', async () => {
      const device = await deviceTwice();
      const id = await device.engine.createTask(device.listOf('tasks', 0), { title: 'Pay the rent' });
      await device.engine.sync({ accountId: device.engine.accounts()[0]!.id });
      await device.engine.moveTask(id, { listId: device.listOf('tasks', 1) });
      await rounds(device);
      assert.deepEqual(countsOnServer(), { list: 1, other: 0 });
      assert.equal(device.engine.task(id)?.title, 'Pay the rent');
      for (const account of [0, 1]) assert.equal(device.engine.rows(device.listOf('tasks', account)).length, 1);
    });
  });
});
