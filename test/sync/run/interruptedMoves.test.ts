import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { sizesOf } from '../support/serverLists';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

/** Acts of other devices on a task that is in two lists for a while, since its move was cut off in the middle. */
describe('an interrupted move', () => {
  const world = aWorld();

  const offersOf = ({ syncing }: DuelineEngine) =>
    syncing!
      .conflicts()
      .filter(({ reason }) => reason === 'duplicate')
      .map(({ title }) => title);

  const half = async (method: string) => {
    const other = world.server.addList('other');
    world.put('t', 'SUMMARY:Task', 'PRIORITY:1');
    const open = async () => {
      const here = await world.device();
      await here.engine.sync();
      return { here, there: world.devices.list(here.engine, 'other') };
    };
    const [a, b] = [await open(), await open()];
    await a.here.engine.moveTask(a.here.byUid('t')!.id, { listId: a.there.id });
    world.server.hook = (request, next) => {
      if (request.method !== method) return undefined;
      if (method === 'PUT') next();
      return 'cut';
    };
    await a.here.engine.sync();
    world.server.hook = undefined;
    world.devices.clock.time += 3_600_000;
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 1, other: 1 });
    const settle = async () => {
      for (let round = 0; round < 3; round++)
        for (const { here } of [a, b]) assert.equal((await world.report(here.engine)).error, null);
    };
    const tasks = ({ here, there }: typeof a) =>
      [...here.rows(), ...there.rows()].map(({ listId, title, isDirty, isDeleted }) => ({
        list: listId === here.id ? 'here' : 'there',
        title,
        isPending: isDirty || isDeleted,
      }));
    const makeThird = () => b.here.engine.createList({ name: 'third', accountId: b.here.engine.accounts()[0]!.id });
    const isOnlyInThird = (title: string) => {
      assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 0 });
      for (const device of [a, b]) {
        assert.deepEqual(tasks(device), []);
        const rows = world.devices.list(device.here.engine, 'third').rows();
        assert.deepEqual(
          rows.map(({ title, isDirty, isDeleted }) => ({ title, isDirty, isDeleted })),
          [{ title, isDirty: false, isDeleted: false }],
        );
      }
    };
    /** The first device deletes nothing while the server answers like that, and afterwards the old copy is the task. */
    const keepsTheOldWhile = async (hook: (typeof world)['server']['hook']) => {
      world.server.hook = hook;
      await a.here.engine.sync();
      assert.equal(world.list.items.size, 1);
      world.server.hook = undefined;
      world.devices.clock.time += 3_600_000;
      await settle();
      for (const device of [a, b]) assert.deepEqual(tasks(device), [{ list: 'here', title: 'Task', isPending: false }]);
    };
    return { a, b, other, settle, tasks, makeThird, isOnlyInThird, keepsTheOldWhile };
  };

  it('leaves one task if it is undone, with what another device wrote into the second one', async () => {
    const { a, b, other, settle, tasks } = await half('PUT');
    await a.here.engine.moveTask(a.there.byUid('t')!.id, { listId: a.here.id });
    await b.here.engine.sync();
    await b.there.engine.updateTask(b.there.byUid('t')!.id, { title: 'Edited there' });
    await b.here.engine.sync();
    await settle();
    for (const device of [a, b])
      assert.deepEqual(tasks(device), [{ list: 'here', title: 'Edited there', isPending: false }]);
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 1, other: 0 });
  });

  it('keeps the task if another device deletes the new copy', async () => {
    const { a, b, other, settle, tasks } = await half('DELETE');
    await b.here.engine.sync();
    assert.equal(tasks(b).length, 2);
    await b.there.engine.deleteTask(b.there.byUid('t')!.id);
    await b.here.engine.sync();
    await settle();
    for (const device of [a, b]) assert.deepEqual(tasks(device), [{ list: 'here', title: 'Task', isPending: false }]);
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 1, other: 0 });
  });

  it('keeps the task if another device moves the new copy on', async () => {
    const { b, settle, makeThird, isOnlyInThird } = await half('DELETE');
    await b.here.engine.sync();
    await b.there.engine.moveTask(b.there.byUid('t')!.id, { listId: await makeThird() });
    await b.here.engine.sync();
    await settle();
    isOnlyInThird('Task');
  });

  for (const isEdited of [false, true])
    it(`leaves one task if another device moves the new copy on${isEdited ? ', edits the old one' : ''} and the old one is then missing`, async () => {
      const { a, b, other, settle, makeThird, isOnlyInThird } = await half('DELETE');
      await b.here.engine.sync();
      const listId = await makeThird();
      if (isEdited) await b.here.engine.updateTask(b.here.byUid('t')!.id, { title: 'Edited' });
      await b.there.engine.moveTask(b.there.byUid('t')!.id, { listId });
      await a.here.engine.sync();
      assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 1 });
      await settle();
      isOnlyInThird(isEdited ? 'Edited' : 'Task');
    });

  for (const isLate of [false, true])
    it(`leaves two, and offers them as duplicates, if another device moves the old copy, too, ${isLate ? 'and the move continues only then' : 'before the move continues'}`, async () => {
      const { a, b, other, settle, makeThird } = await half('DELETE');
      await b.here.engine.moveTask(b.here.byUid('t')!.id, { listId: await makeThird() });
      if (isLate)
        world.server.hook = async ({ method, path }) => {
          if (method !== 'DELETE' || path !== '/home/tasks/t.ics') return undefined;
          world.server.hook = undefined;
          await b.here.engine.sync();
          return undefined;
        };
      else await b.here.engine.sync();
      await settle();
      world.devices.clock.time += 3_600_000;
      await settle();
      assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 1 });
      for (const { here, there } of [a, b]) {
        assert.deepEqual(
          { there: there.titles(), third: world.devices.list(here.engine, 'third').titles() },
          { there: ['Task'], third: ['Task'] },
        );
        assert.deepEqual(offersOf(here.engine), ['Task']);
      }
    });

  for (const [when, answer] of [
    ['while it is on its way', 'arrives'],
    ['while it is on its way and its answer gets lost', 'lost'],
  ] as const)
    it(`leaves one task if another device deletes the old copy and restores it ${when}`, async () => {
      const { a, b, other, settle, tasks } = await half('DELETE');
      await b.here.engine.deleteTask(b.here.byUid('t')!.id);
      world.server.hook = async ({ method }, next) => {
        if (method !== 'DELETE') return undefined;
        world.server.hook = undefined;
        await b.here.engine.undo();
        const done = next();
        return answer === 'lost' ? 'cut' : done;
      };
      await b.here.engine.sync();
      world.devices.clock.time += 3_600_000;
      await settle();
      for (const device of [a, b])
        assert.deepEqual(tasks(device), [{ list: 'there', title: 'Task', isPending: false }]);
      assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 1 });
    });

  it('does not delete the old copy while the list of the new one cannot be read', async () => {
    const { b, other, keepsTheOldWhile } = await half('DELETE');
    await b.here.engine.sync();
    await b.there.engine.deleteTask(b.there.byUid('t')!.id);
    await b.here.engine.sync();
    await keepsTheOldWhile(({ method, path }) =>
      method === 'REPORT' && path === other.path ? { status: 423 } : undefined,
    );
  });

  it('does not delete the old copy while it is unknown where the new one is', async () => {
    const { b, other, makeThird, keepsTheOldWhile } = await half('DELETE');
    await b.here.engine.sync();
    await makeThird();
    await b.there.engine.deleteTask(b.there.byUid('t')!.id);
    await b.here.engine.sync();
    await keepsTheOldWhile(({ body }) => (body.includes('text-match') ? { status: 423 } : undefined));
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 1, other: 0 });
  });

  for (const how of ['undo', 'the trash'] as const)
    for (const isKnown of [false, true])
      it(`leaves one task if that was deleted first and ${how} brings it back ${isKnown ? 'after' : 'before'} its new place is known`, async () => {
        const other = world.server.addList('other');
        world.put('t', 'SUMMARY:Task');
        const [a, b] = [await world.device(), await world.device()];
        for (const { engine } of [a, b]) await engine.sync();
        await a.engine.deleteTask(a.byUid('t')!.id);
        await a.engine.sync();
        const target = world.devices.list(b.engine, 'other');
        await b.engine.moveTask(b.byUid('t')!.id, { listId: target.id });
        await b.engine.sync();
        const bringBack = async () => {
          if (how === 'undo') return a.engine.undo();
          return a.engine.restore((await a.engine.trash()).map(({ key }) => key));
        };
        if (isKnown && how === 'undo') await a.engine.sync();
        await bringBack();
        for (let round = 0; round < 3; round++)
          for (const { engine } of [a, b]) assert.equal((await world.report(engine)).error, null);
        assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 1 });
        for (const { engine } of [a, b])
          assert.deepEqual(
            engine
              .lists()
              .flatMap(({ id }) => engine.rows(id).map(({ title, isDirty }) => ({ listId: id, title, isDirty }))),
            [{ listId: world.devices.list(engine, 'other').id, title: 'Task', isDirty: false }],
          );
      });

  it('keeps its text if another list gets a task with its UID', async () => {
    const { a, b, other } = await half('DELETE');
    const third = world.server.addList('third');
    third.put('t.ics', todoText('t', 'SUMMARY:Unrelated', 'DESCRIPTION:Words'));
    world.list.remove('t.ics');
    for (let round = 0; round < 3; round++)
      for (const { here } of [a, b]) assert.equal((await world.report(here.engine)).error, null);
    assert.match(other.get('t.ics'), /SUMMARY:Task\r\nPRIORITY:1/);
    assert.match(third.get('t.ics'), /SUMMARY:Unrelated\r\nDESCRIPTION:Words/);
  });

  it('leaves one task if its list was deleted first and undo restores the list', async () => {
    const other = world.server.addList('other');
    for (const uid of ['t', 'u']) world.put(uid, `SUMMARY:${uid}`);
    const [a, b] = [await world.device(), await world.device()];
    for (const { engine } of [a, b]) await engine.sync();
    await b.engine.moveTask(b.byUid('t')!.id, { listId: world.devices.list(b.engine, 'other').id });
    await a.engine.deleteList(a.id);
    await b.engine.sync();
    assert.equal(other.items.size, 1);
    await a.engine.undo();
    for (let round = 0; round < 3; round++)
      for (const { engine } of [a, b]) assert.equal((await world.report(engine)).error, null);
    const titles = (name: string) =>
      world.devices
        .list(a.engine, name)
        .rows()
        .map(({ title }) => title);
    assert.deepEqual({ tasks: titles('tasks'), other: titles('other') }, { tasks: ['u'], other: ['t'] });
    assert.equal([...world.server.lists.values()].flatMap(({ items }) => [...items]).length, 2);
  });

  for (const [uids, isCutOff] of [
    [['t'], false],
    [['t', 'u'], false],
    [['t'], true],
    [['t', 'u'], true],
  ] as const)
    it(`leaves two, and offers them as duplicates, if another device deletes and restores its list of ${uids.length} before the move continues${isCutOff ? ', cut off once more' : ''}`, async () => {
      world.server.addList('other');
      for (const uid of uids) world.put(uid, `SUMMARY:${uid}`);
      const [a, b] = [await world.device(), await world.device()];
      for (const { engine } of [a, b]) await engine.sync();
      await b.engine.moveTask(b.byUid('t')!.id, { listId: world.devices.list(b.engine, 'other').id });
      await a.engine.deleteList(a.id);
      await a.engine.undo();
      if (isCutOff) {
        await a.engine.sync();
        // By now the list is known to be gone, and nothing of the others is.
        world.server.hook = ({ method }) => (method === 'REPORT' ? 'cut' : undefined);
        await b.engine.sync();
        world.server.hook = undefined;
        world.devices.clock.time += 3_600_000;
      }
      for (let round = 0; round < 4; round++) {
        for (const { engine } of [a, b]) assert.equal((await world.report(engine)).error, null);
        world.devices.clock.time += 3_600_000;
      }
      const there = [...world.server.lists.values()].flatMap(({ items }) => [...items]);
      assert.equal(there.length, uids.length + 1);
      for (const { engine } of [a, b]) {
        const synced = engine.lists().filter(({ accountId }) => accountId !== null);
        const rows = synced.flatMap(({ id }) => engine.rows(id)).map(({ uid, isDirty }) => ({ uid, isDirty }));
        assert.deepEqual(
          rows.toSorted((one, other) => (one.uid < other.uid ? -1 : 1)),
          ['t', ...uids].map(uid => ({ uid, isDirty: false })),
        );
      }
      assert.deepEqual(offersOf(b.engine), ['t']);
    });

  for (const isCutOff of [false, true])
    it(`leaves one of a new task whose confirmation was lost, and that another device moved on${isCutOff ? ', even if that is missed twice' : ''}`, async () => {
      const other = world.server.addList('other');
      const [a, b] = [await world.device(), await world.device()];
      for (const { engine } of [a, b]) await engine.sync();
      const id = await a.engine.createTask(a.id, { title: 'New' });
      const { uid } = a.engine.task(id)!;
      world.server.hook = ({ method }, next) => {
        if (method === 'PUT') next();
        return method === 'PUT' ? 'cut' : undefined;
      };
      await a.engine.sync();
      world.server.hook = undefined;
      world.devices.clock.time += 3_600_000;
      await b.engine.sync();
      await b.engine.updateTask(b.byUid(uid)!.id, { title: 'Edited' });
      await b.engine.moveTask(b.byUid(uid)!.id, { listId: world.devices.list(b.engine, 'other').id });
      await b.engine.sync();
      if (isCutOff) {
        world.server.hook = ({ method, path }) => (method === 'REPORT' && path === other.path ? 'cut' : undefined);
        await a.engine.sync();
        world.server.hook = undefined;
        world.devices.clock.time += 3_600_000;
      }
      for (let round = 0; round < 3; round++)
        for (const { engine } of [a, b]) assert.equal((await world.report(engine)).error, null);
      assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 1 });
      for (const { engine } of [a, b])
        assert.deepEqual(
          engine
            .lists()
            .flatMap(({ id }) => engine.rows(id).map(({ title, isDirty }) => ({ listId: id, title, isDirty }))),
          [{ listId: world.devices.list(engine, 'other').id, title: 'Edited', isDirty: false }],
        );
      assert.equal(world.devices.list(a.engine, 'other').byUid(uid)!.id, id);
    });

  for (const isAlone of [false, true])
    it(`keeps every task whose ETag an interrupted run removed${isAlone ? ', even if only another list is synced' : ''}`, async () => {
      world.server.addList('other');
      world.put('t', 'SUMMARY:Task');
      const device = await world.device();
      await device.engine.sync();
      const { id } = device.byUid('t')!;
      const store = world.devices.storeOf(device.engine);
      await store.edit({ origin: 'sync' }, tx => tx.updateTask(id, { etag: null }));
      const sidecar = await store.sidecar();
      const note = { orphans: { [id]: { at: 0, base: world.list.get('t.ics') } } };
      await sidecar.put('syncLists', [[String(device.id), note]]);
      await device.engine.sync(isAlone ? { listId: world.devices.list(device.engine, 'other').id } : {});
      assert.equal(device.engine.task(id)?.title, 'Task');
      await device.engine.sync();
      assert.equal(device.engine.task(id)?.title, 'Task');
      assert.equal(world.list.items.size, 1);
      assert.deepEqual(sidecar.get<object>('syncLists', String(device.id)), { ...note, orphans: {} });
    });

  // Versions before 1.2 wrote "uprooted".
  for (const name of ['orphans', 'uprooted'])
    it(`forgets the ${name} of a task that is gone`, async () => {
      const device = await world.device();
      const sidecar = await world.devices.storeOf(device.engine).sidecar();
      await sidecar.put('syncLists', [[String(device.id), { [name]: { 999: { at: 0, base: 'text' } } }]]);
      await device.engine.sync();
      assert.deepEqual(sidecar.get<object>('syncLists', String(device.id)), { orphans: {} });
    });

  it('is checked once for the last of many tasks that the user restores', async () => {
    const device = await world.device();
    await device.engine.apply(
      Array.from(
        { length: 24 },
        (_, at) => ({ type: 'create', listId: device.id, input: { title: `${at}` } }) as const,
      ),
    );
    world.server.addList('other');
    await device.engine.sync();
    await device.engine.apply(device.rows().map(({ id }) => ({ type: 'delete', id }) as const));
    await device.engine.sync();
    await device.engine.undo();
    world.server.forget();
    await device.engine.sync();
    assert.equal(world.list.items.size, 24);
    const searches = world.server.requests.filter(({ body }) => body.includes('text-match'));
    assert.ok(searches.length > 0 && searches.length < 24, `${searches.length}`);
  });
});
