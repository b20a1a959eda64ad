import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { aWorld } from '../support/world';

describe('a list that is deleted on its server and here', () => {
  const world = aWorld();
  const synced = (engine: DuelineEngine) => engine.lists().filter(({ accountId }) => accountId !== null);
  const names = (engine: DuelineEngine) => engine.lists().map(({ name }) => name);
  const one = async () => {
    world.put('t', 'SUMMARY:Task');
    return world.device();
  };
  /** The device as it is if the process ends as soon as the server has deleted the list. */
  const cutOff = async () => {
    const device = await one();
    let open: (() => Promise<DuelineEngine>) | undefined;
    world.server.hook = ({ method }, next) => {
      if (method !== 'DELETE') return undefined;
      const answer = next();
      open = world.devices.cutOff(device.engine);
      return answer;
    };
    await device.engine.deleteList(device.id);
    world.server.hook = undefined;
    return open!();
  };

  it('does not stay here if the process ends in between, and undo restores it', async () => {
    const engine = await cutOff();
    assert.equal((await world.report(engine)).error, null);
    assert.deepEqual(synced(engine), []);
    assert.equal(names(engine).includes('tasks'), false);
    assert.equal(await engine.undo(), true);
    for (let round = 0; round < 2; round++) assert.equal((await world.report(engine)).error, null);
    assert.deepEqual(world.devices.list(engine, 'tasks').titles(), ['Task']);
    assert.deepEqual(
      [...world.server.lists.values()].map(({ name, items }) => [name, items.size]),
      [['tasks', 1]],
    );
  });

  it('is deleted here, too, even if a clock elsewhere was ahead', async () => {
    world.put('ahead', 'SUMMARY:Ahead', 'LAST-MODIFIED:20300101T000000Z');
    const engine = await cutOff();
    assert.deepEqual((await world.report(engine)).notices, []);
    assert.equal(names(engine).includes('tasks'), false);
  });

  it('stays as a local list if a task in it was edited after the process had ended', async () => {
    const engine = await cutOff();
    const { byUid, titles, id } = world.devices.list(engine, 'tasks');
    await engine.updateTask(byUid('t')!.id, { title: 'Edited' });
    const { notices } = await world.report(engine);
    assert.deepEqual(
      notices.map(({ kind, listId }) => [kind, listId]),
      [['detached', id]],
    );
    assert.deepEqual(titles(), ['Edited']);
  });

  it('is deleted here with the next sync if the response was lost', async () => {
    const { engine, id } = await one();
    world.server.hook = ({ method }, next) => {
      if (method !== 'DELETE') return undefined;
      next();
      return 'cut';
    };
    await assert.rejects(engine.deleteList(id));
    world.server.hook = undefined;
    assert.equal(names(engine).includes('tasks'), true);
    assert.deepEqual((await world.report(engine)).notices, []);
    assert.equal(names(engine).includes('tasks'), false);
  });

  for (const answer of ['cut', { status: 405 }] as const)
    it(`is reported when someone else deletes it later, after ${answer === 'cut' ? 'a lost request' : 'a refusal'}`, async () => {
      const { engine, id, titles } = await one();
      world.server.hook = ({ method }) => (method === 'DELETE' ? answer : undefined);
      await assert.rejects(engine.deleteList(id));
      world.server.hook = undefined;
      if (answer === 'cut') assert.equal((await world.report(engine)).error, null);
      world.server.lists.clear();
      const { notices } = await world.report(engine);
      assert.deepEqual(
        notices.map(({ kind }) => kind),
        ['detached'],
      );
      assert.deepEqual(titles(), ['Task']);
    });

  it('is not deleted again once undo has restored it and someone else deletes it', async () => {
    const { engine, id } = await one();
    await engine.deleteList(id);
    await engine.undo();
    await engine.sync();
    world.server.lists.clear();
    const { notices } = await world.report(engine);
    assert.deepEqual(
      notices.map(({ kind }) => kind),
      ['detached'],
    );
  });
});
