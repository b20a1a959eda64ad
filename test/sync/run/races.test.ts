import assert from 'node:assert/strict';
import type { Answer } from '../support/server';
import { aWorld } from '../support/world';

describe('actions of the user while a request is under way', () => {
  const world = aWorld();
  type Ending = (next: () => Answer) => Answer | 'cut';
  const endings: [string, Ending][] = [
    ['arrives', next => next()],
    [
      'is lost after the server stored it',
      next => {
        next();
        return 'cut';
      },
    ],
    ['never reached the server', () => 'cut'],
  ];
  /** Runs `act` inside the first request of a method, then ends that request with `ending`. */
  const during = (method: string, act: () => Promise<unknown>, ending: Ending) => {
    let isDone = false;
    world.server.hook = async (request, next) => {
      if (isDone || request.method !== method) return undefined;
      isDone = true;
      await act();
      return ending(next);
    };
  };
  const settle = async (device: Awaited<ReturnType<typeof world.device>>) => {
    await device.engine.sync();
    world.devices.clock.time += 3_600_000;
    await device.sync();
    await device.sync();
  };

  for (const [how, ending] of endings) {
    it(`deletes a new task for good if its PUT ${how}`, async () => {
      const device = await world.device();
      const id = await device.engine.createTask(device.id, { title: 'New' });
      during('PUT', () => device.engine.deleteTask(id), ending);
      await settle(device);
      assert.deepEqual(device.rows(), []);
      assert.equal(world.list.items.size, 0);
    });

    it(`deletes a known task if its PUT ${how}`, async () => {
      world.put('t', 'SUMMARY:Task');
      const device = await world.device();
      const { id } = device.byUid('t')!;
      await device.engine.updateTask(id, { title: 'Edited' });
      during('PUT', () => device.engine.deleteTask(id), ending);
      await settle(device);
      assert.deepEqual(device.rows(), []);
      assert.equal(world.list.items.size, 0);
    });

    it(`keeps an edit of a task if its PUT ${how}`, async () => {
      world.put('t', 'SUMMARY:Task');
      const device = await world.device();
      const { id } = device.byUid('t')!;
      await device.engine.updateTask(id, { title: 'Edited' });
      during('PUT', () => device.engine.updateTask(id, { title: 'Edited twice', tags: ['x'] }), ending);
      await settle(device);
      assert.equal(device.byUid('t')!.title, 'Edited twice');
      assert.match(world.list.get('t.ics'), /SUMMARY:Edited twice/);
      assert.equal(world.list.items.size, 1);
      assert.deepEqual(await world.devices.conflictsOf(device.engine), []);
    });

    it(`keeps a task whose deletion was undone while its DELETE ${how}`, async () => {
      world.put('t', 'SUMMARY:Task', 'X-OWN:kept');
      const device = await world.device();
      await device.engine.deleteTask(device.byUid('t')!.id);
      during('DELETE', () => device.engine.undo(), ending);
      await settle(device);
      assert.equal(device.byUid('t')?.title, 'Task');
      assert.equal(world.list.items.size, 1);
      assert.match([...world.list.items.values()][0]!.text, /X-OWN:kept/);
    });

    it(`moves a new task to another list if its PUT ${how}`, async () => {
      const other = world.server.addList('other');
      const device = await world.device();
      await device.engine.sync();
      const target = device.engine.lists().find(({ name }) => name === 'other')!;
      const id = await device.engine.createTask(device.id, { title: 'New' });
      during('PUT', () => device.engine.moveTask(id, { listId: target.id }), ending);
      await device.engine.sync();
      world.devices.clock.time += 3_600_000;
      await device.engine.sync();
      await device.engine.sync();
      assert.equal(world.list.items.size, 0);
      assert.equal(other.items.size, 1);
      assert.deepEqual(device.rows(), []);
      assert.deepEqual(
        device.engine.rows(target.id).map(({ title, isDirty }) => ({ title, isDirty })),
        [{ title: 'New', isDirty: false }],
      );
    });
  }

  for (const method of ['PROPFIND', 'REPORT', 'PUT'])
    it(`ends without an error if another window removes the account during a ${method}`, async () => {
      world.put('t', 'SUMMARY:Task');
      const device = await world.device();
      const { engine } = device;
      await engine.updateTask(device.byUid('t')!.id, { title: 'Ours' });
      world.put('u', 'SUMMARY:New there');
      const store = world.devices.storeOf(engine);
      const [account] = engine.accounts();
      during(
        method,
        () =>
          store.edit({ origin: 'sync' }, tx => {
            for (const row of tx.tasksOfList(device.id)) tx.deleteTask(row.id);
            tx.deleteList(device.id);
            tx.deleteAccount(account!.id);
          }),
        next => next(),
      );
      await engine.sync();
      assert.deepEqual({ accounts: engine.accounts(), list: store.list(device.id) }, { accounts: [], list: undefined });
      assert.deepEqual(store.selectTasks('t.uid IN (?, ?)', ['t', 'u']), []);
    });

  it('accepts that someone else deletes a task after our deletion failed and was undone', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('t')!.id);
    during(
      'DELETE',
      () => device.engine.undo(),
      () => 'cut',
    );
    await settle(device);
    world.list.remove('t.ics');
    await device.sync();
    assert.deepEqual(device.rows(), []);
    assert.equal(world.list.items.size, 0);
  });

  it('restores a task on the server if its deletion is undone after it arrived', async () => {
    world.put('t', 'SUMMARY:Task', 'X-OWN:kept');
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('t')!.id);
    await device.sync();
    assert.equal(world.list.items.size, 0);
    await device.engine.undo();
    await settle(device);
    assert.equal(device.byUid('t')?.isDirty, false);
    assert.match(world.list.get('t.ics'), /X-OWN:kept/);
  });

  for (const [how, returnsTexts] of [
    ['in one answer', true],
    ['batch by batch', false],
  ] as const)
    it(`keeps what was added to a list that a long sync is pulling ${how}`, async () => {
      world.list.returnsTexts = returnsTexts;
      for (let at = 0; at < 300; at++) world.put(`t${at}`, `SUMMARY:Task ${at}`);
      const engine = await world.devices.open(world.server);
      const device = world.devices.list(engine, 'tasks');
      const added: number[] = [];
      world.server.hook = async request => {
        if (request.method === 'REPORT') added.push(await engine.createTask(device.id, { title: 'Meanwhile' }));
        return undefined;
      };
      await device.sync();
      await device.sync();
      assert.ok(added.length > 1);
      assert.equal(device.rows().length, 300 + added.length);
      assert.equal(world.list.items.size, 300 + added.length);
    });
});
