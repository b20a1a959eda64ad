import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { diskWith, fault } from '../support/folders';
import type { Hook } from '../support/server';
import { todoText } from '../support/texts';
import { aFolderWorld, aWorld } from '../support/world';

const named = (engine: DuelineEngine, name: string) => engine.lists().filter(list => list.name === name);

describe('a new list on a server', () => {
  const world = aWorld();
  const make = async () => {
    const device = await world.device();
    const { engine } = device;
    const id = await engine.createList({ name: 'New', accountId: engine.accounts()[0]!.id });
    await engine.createTask(id, { title: 'First' });
    return { engine, id };
  };
  /** Calls the hook for the first request of the method only. */
  const onFirst = (method: string, hook: Hook): void => {
    world.server.hook = (request, next) => {
      if (request.method !== method) return undefined;
      world.server.hook = undefined;
      return hook(request, next);
    };
  };
  /** A sync makes the list on the server, and the answer is lost. */
  const loseAnswer = async (engine: DuelineEngine) => {
    onFirst('MKCALENDAR', (_request, next) => {
      next();
      return 'cut';
    });
    assert.notEqual((await world.report(engine)).error, null);
  };
  /** Undoes the creation, downloads the list that the server has made, and redoes the creation. */
  const redoneAfterSync = async () => {
    const { engine } = await make();
    await loseAnswer(engine);
    while (await engine.undo());
    assert.equal((await world.report(engine)).error, null);
    assert.deepEqual((await settled(engine)).here, [[]]);
    while (await engine.redo());
    return engine;
  };
  /** The lists on the server and here after two more syncs. */
  const settled = async (engine: DuelineEngine) => {
    for (let round = 0; round < 2; round++) assert.equal((await world.report(engine)).error, null);
    const there = [...world.server.lists.values()];
    return {
      there: there.map(({ name }) => name).toSorted(),
      here: named(engine, 'New').map(({ id }) => engine.rows(id).map(({ title }) => title)),
      tasks: there.find(({ name }) => name === 'New')?.items.size,
    };
  };
  const madeOnce = { there: ['New', 'tasks'], here: [['First']], tasks: 1 };

  it('is created once if the response is lost', async () => {
    const { engine } = await make();
    await loseAnswer(engine);
    assert.deepEqual(await settled(engine), madeOnce);
  });

  it('is created once, and takes a new name, if the process ends before the response', async () => {
    const { engine } = await make();
    let open: (() => Promise<DuelineEngine>) | undefined;
    onFirst('MKCALENDAR', (_request, next) => {
      open = world.devices.cutOff(engine);
      return next();
    });
    await world.report(engine);
    const reopened = await open!();
    const [list] = named(reopened, 'New');
    await reopened.updateList(list!.id, { name: 'Newer' });
    for (let round = 0; round < 2; round++) assert.equal((await world.report(reopened)).error, null);
    const names = [...world.server.lists.values()].map(({ name }) => name);
    assert.deepEqual(
      { names: names.toSorted(), here: named(reopened, 'Newer').length },
      { names: ['Newer', 'tasks'], here: 1 },
    );
  });

  it('is created once if the lost request arrives after the next sync has read the lists', async () => {
    const { engine } = await make();
    onFirst('MKCALENDAR', ({ path }, next) => {
      onFirst('MKCALENDAR', retry => {
        assert.equal(retry.path, path);
        next();
        onFirst('MKCOL', () => ({ status: 405 }));
        return { status: 405 };
      });
      return 'cut';
    });
    assert.notEqual((await world.report(engine)).error, null);
    assert.deepEqual(await settled(engine), madeOnce);
  });

  it('gets another address if the first got no response and is then refused', async () => {
    const { engine } = await make();
    onFirst('MKCALENDAR', () => 'cut');
    assert.notEqual((await world.report(engine)).error, null);
    onFirst('MKCALENDAR', () => ({ status: 403 }));
    assert.notEqual((await world.report(engine)).error, null);
    assert.deepEqual(await settled(engine), madeOnce);
    assert.equal(new Set(world.server.sent('MKCALENDAR').map(({ path }) => path)).size, 2);
  });

  it('is deleted on both sides if it is deleted while the response is unknown', async () => {
    const { engine, id } = await make();
    await loseAnswer(engine);
    await engine.deleteList(id);
    assert.deepEqual(await settled(engine), { there: ['tasks'], here: [], tasks: undefined });
  });

  it('is created a second time by redo if the first one has arrived from the server meanwhile', async () => {
    const engine = await redoneAfterSync();
    assert.deepEqual(await settled(engine), { there: ['New', 'New', 'tasks'], here: [[], ['First']], tasks: 0 });
    const addresses = named(engine, 'New').map(({ href }) => href);
    assert.equal(new Set(addresses).size, 2);
  });

  it('does not take the first one with it if it is deleted after redo, before a sync', async () => {
    const engine = await redoneAfterSync();
    const [other] = named(engine, 'New').filter(list => list.href !== null);
    const [redone] = named(engine, 'New').filter(list => list.href === null);
    await engine.createTask(other!.id, { title: 'Kept' });
    await engine.deleteList(redone!.id);
    assert.deepEqual(await settled(engine), { there: ['New', 'tasks'], here: [['Kept']], tasks: 1 });
  });
});

describe('a new list in a folder', () => {
  const world = aFolderWorld();

  for (const [moment, isHit] of [
    ['after the folder is made', (operation, when) => operation === 'mkdir' && when === 'after'],
    ['before the name is written', (operation, _when, path) => operation === 'open' && /\/new\//i.test(path)],
  ] satisfies [string, (operation: string, when: string, path: string) => boolean][])
    it(`is created once if the disk fails ${moment}`, async () => {
      let isDone = false;
      const disk = diskWith((operation, when, path) => {
        if (isDone || !isHit(operation, when, path)) return;
        isDone = true;
        throw fault('EIO');
      });
      world.folder.addList('errands');
      world.folder.put('errands/t.ics', todoText('t'));
      const engine = await world.devices.open(world.folder, { disk } as object);
      await engine.createList({ name: 'New', accountId: engine.accounts()[0]!.id });
      assert.notEqual((await engine.sync()).accounts[0]!.error, null);
      for (let round = 0; round < 2; round++) assert.equal((await engine.sync()).accounts[0]!.error, null);
      assert.deepEqual({ here: named(engine, 'New').length, there: world.folder.lists.size }, { here: 1, there: 2 });
    });

  it('is created once if the process ends after its folder is created', async () => {
    let open: (() => Promise<DuelineEngine>) | undefined;
    const disk = diskWith((operation, when) => {
      if (operation === 'mkdir' && when === 'after') open ??= world.devices.cutOff(engine);
    });
    world.folder.addList('errands');
    world.folder.put('errands/t.ics', todoText('t'));
    const engine = await world.devices.open(world.folder, { disk } as object);
    await engine.createList({ name: 'New', accountId: engine.accounts()[0]!.id });
    await engine.sync();
    const reopened = await open!();
    for (let round = 0; round < 2; round++) assert.equal((await reopened.sync()).accounts[0]!.error, null);
    assert.deepEqual({ here: named(reopened, 'New').length, there: world.folder.lists.size }, { here: 1, there: 2 });
  });
});
