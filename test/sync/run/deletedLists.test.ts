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

  for (const [what, change] of [
    ['has a new task', () => world.put('u', 'SUMMARY:Unread')],
    ['has a newer version of a task', () => world.put('t', 'SUMMARY:Unread')],
  ] as const)
    it(`stays everywhere if it ${what} that was not read here`, async () => {
      const { engine, id } = await one();
      change();
      await assert.rejects(engine.deleteList(id), /“tasks” has changed since the last sync/);
      assert.ok([...world.list.items.values()].some(({ text }) => text.includes('Unread')));
      await engine.sync();
      await engine.deleteList(id);
      assert.equal(world.server.lists.size, 0);
    });

  it('stays as a local list if a task comes to it here while the server deletes it', async () => {
    const { engine, id, titles } = await one();
    world.server.hook = ({ method }, next) =>
      method === 'DELETE' ? engine.createTask(id, { title: 'New' }).then(() => next()) : undefined;
    await engine.deleteList(id);
    world.server.hook = undefined;
    assert.deepEqual(titles(), ['New', 'Task']);
    assert.equal((await world.report(engine)).error, null);
    assert.deepEqual(titles(), ['New', 'Task']);
    assert.equal(engine.lists().find(list => list.id === id)!.accountId, null);
  });

  it('stays everywhere if it has events too, which would be deleted with it', async () => {
    const { engine, id } = await one();
    const event = ['BEGIN:VEVENT', 'UID:e', 'DTSTAMP:20260101T000000Z', 'DTSTART:20260101T000000Z', 'END:VEVENT'];
    world.list.put(
      'e.ics',
      ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//t//EN', ...event, 'END:VCALENDAR', ''].join('\r\n'),
    );
    await engine.sync();
    await assert.rejects(engine.deleteList(id), /“tasks” also contains events/);
    assert.equal(world.list.items.size, 2);
  });
});
