import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { diskWith, fault } from '../support/folders';
import type { Hook } from '../support/server';
import { todoText } from '../support/texts';
import { aFolderWorld, aWorld } from '../support/world';

const named = (engine: DuelineEngine, name: string) => engine.lists().filter(list => list.name === name);

describe('a list that is made on a server', () => {
  const world = aWorld();
  const make = async () => {
    const device = await world.device();
    const { engine } = device;
    const id = await engine.createList({ name: 'New', accountId: engine.accounts()[0]!.id });
    await engine.createTask(id, { title: 'First' });
    return { engine, id };
  };
  /** Does it to the first request of the method, and leaves the others alone. */
  const atFirst = (method: string, hook: Hook): void => {
    world.server.hook = (request, next) => {
      if (request.method !== method) return undefined;
      world.server.hook = undefined;
      return hook(request, next);
    };
  };
  /** A sync makes the list on the server, and hears nothing of it. */
  const loseAnswer = async (engine: DuelineEngine) => {
    atFirst('MKCALENDAR', (_request, next) => {
      next();
      return 'cut';
    });
    assert.notEqual((await world.report(engine)).error, null);
  };
  /** The list came from the server after its creation was undone, and that is redone. */
  const redoneAfterSync = async () => {
    const { engine } = await make();
    await loseAnswer(engine);
    while (await engine.undo());
    assert.equal((await world.report(engine)).error, null);
    assert.deepEqual((await settled(engine)).here, [[]]);
    while (await engine.redo());
    return engine;
  };
  /** Its names there and here, once all is done. */
  const settled = async (engine: DuelineEngine) => {
    for (let round = 0; round < 2; round++) assert.equal((await world.report(engine)).error, null);
    const there = [...world.server.lists.values()];
    return {
      there: there.map(({ name }) => name).toSorted(),
      here: named(engine, 'New').map(({ id }) => engine.rows(id).map(({ title }) => title)),
      tasks: there.find(({ name }) => name === 'New')?.items.size,
    };
  };
  const once = { there: ['New', 'tasks'], here: [['First']], tasks: 1 };

  it('is one when the answer is lost', async () => {
    const { engine } = await make();
    await loseAnswer(engine);
    assert.deepEqual(await settled(engine), once);
  });

  it('is one, with the name that it has by then, when the process ends before the answer', async () => {
    const { engine } = await make();
    let open: (() => Promise<DuelineEngine>) | undefined;
    atFirst('MKCALENDAR', (_request, next) => {
      open = world.devices.cutOff(engine);
      return next();
    });
    await world.report(engine);
    const after = await open!();
    const [list] = named(after, 'New');
    await after.updateList(list!.id, { name: 'Newer' });
    for (let round = 0; round < 2; round++) assert.equal((await world.report(after)).error, null);
    const names = [...world.server.lists.values()].map(({ name }) => name);
    assert.deepEqual(
      { names: names.toSorted(), here: named(after, 'Newer').length },
      { names: ['Newer', 'tasks'], here: 1 },
    );
  });

  it('is one when the lost request arrives after the next look at the lists', async () => {
    const { engine } = await make();
    atFirst('MKCALENDAR', ({ path }, next) => {
      atFirst('MKCALENDAR', again => {
        assert.equal(again.path, path);
        next();
        atFirst('MKCOL', () => ({ status: 405 }));
        return { status: 405 };
      });
      return 'cut';
    });
    assert.notEqual((await world.report(engine)).error, null);
    assert.deepEqual(await settled(engine), once);
  });

  it('gets another address when the one that got no answer is refused', async () => {
    const { engine } = await make();
    atFirst('MKCALENDAR', () => 'cut');
    assert.notEqual((await world.report(engine)).error, null);
    atFirst('MKCALENDAR', () => ({ status: 403 }));
    assert.notEqual((await world.report(engine)).error, null);
    assert.deepEqual(await settled(engine), once);
    assert.equal(new Set(world.server.sent('MKCALENDAR').map(({ path }) => path)).size, 2);
  });

  it('is gone on both sides when it is deleted before anybody knows whether it was made', async () => {
    const { engine, id } = await make();
    await loseAnswer(engine);
    await engine.deleteList(id);
    assert.deepEqual(await settled(engine), { there: ['tasks'], here: [], tasks: undefined });
  });

  it('is another one when it is made again by Redo after it came from the server under an answer that was lost', async () => {
    const engine = await redoneAfterSync();
    assert.deepEqual(await settled(engine), { there: ['New', 'New', 'tasks'], here: [[], ['First']], tasks: 0 });
    const addresses = named(engine, 'New').map(({ href }) => href);
    assert.equal(new Set(addresses).size, 2);
  });

  it('takes no other one along if it is deleted after Redo, before a sync', async () => {
    const engine = await redoneAfterSync();
    const [other] = named(engine, 'New').filter(list => list.href !== null);
    const [again] = named(engine, 'New').filter(list => list.href === null);
    await engine.createTask(other!.id, { title: 'Kept' });
    await engine.deleteList(again!.id);
    assert.deepEqual(await settled(engine), { there: ['New', 'tasks'], here: [['Kept']], tasks: 1 });
  });
});

describe('a list that is made in a folder', () => {
  const world = aFolderWorld();

  for (const [what, isHit] of [
    ['after it made the folder', (operation, when) => operation === 'mkdir' && when === 'after'],
    ['before it writes the name', (operation, _when, path) => operation === 'open' && /\/new\//i.test(path)],
  ] satisfies [string, (operation: string, when: string, path: string) => boolean][])
    it(`is one when the disk fails ${what}`, async () => {
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

  it('is one when the process ends once its folder is there', async () => {
    let open: (() => Promise<DuelineEngine>) | undefined;
    const disk = diskWith((operation, when) => {
      if (operation === 'mkdir' && when === 'after') open ??= world.devices.cutOff(engine);
    });
    world.folder.addList('errands');
    world.folder.put('errands/t.ics', todoText('t'));
    const engine = await world.devices.open(world.folder, { disk } as object);
    await engine.createList({ name: 'New', accountId: engine.accounts()[0]!.id });
    await engine.sync();
    const after = await open!();
    for (let round = 0; round < 2; round++) assert.equal((await after.sync()).accounts[0]!.error, null);
    assert.deepEqual({ here: named(after, 'New').length, there: world.folder.lists.size }, { here: 1, there: 2 });
  });
});
