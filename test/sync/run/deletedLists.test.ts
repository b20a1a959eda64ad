import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { multistatus, withProps } from '../support/serverLists';
import { todoText } from '../support/texts';
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

  /** The server deletes the list, and its answer is lost. */
  const losingAnswer: typeof world.server.hook = ({ method }, next) => {
    if (method !== 'DELETE') return undefined;
    next();
    return 'cut';
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
    world.server.hook = losingAnswer;
    await assert.rejects(engine.deleteList(id));
    world.server.hook = undefined;
    assert.equal(names(engine).includes('tasks'), true);
    assert.deepEqual((await world.report(engine)).notices, []);
    assert.equal(names(engine).includes('tasks'), false);
  });

  it('is deleted here with the next sync, too, if another attempt was refused meanwhile', async () => {
    const { engine, id } = await one();
    world.server.hook = losingAnswer;
    await assert.rejects(engine.deleteList(id));
    world.server.hook = () => ({ status: 403 });
    await assert.rejects(engine.deleteList(id));
    world.server.hook = undefined;
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

  it('is reported when someone else deletes it later, after a lost request, if its server does not list it', async () => {
    const { engine, id, titles } = await one();
    world.server.hook = ({ method, path }) => {
      if (method === 'DELETE') return 'cut';
      const isListing = method === 'PROPFIND' && !path.startsWith(world.list.path);
      return isListing ? multistatus(withProps(path, '<D:resourcetype><D:collection/></D:resourcetype>')) : undefined;
    };
    await assert.rejects(engine.deleteList(id));
    assert.equal((await world.report(engine)).error, null);
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
      await assert.rejects(engine.deleteList(id), /“tasks” also contains events, or tasks that are not shown here/);
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

  it('stays everywhere if a resource has an event beside its task', async () => {
    const event = ['BEGIN:VEVENT', 'UID:e', 'DTSTAMP:20260101T000000Z', 'DTSTART:20260101T000000Z', 'END:VEVENT'];
    world.list.put(
      't.ics',
      todoText('t', 'SUMMARY:Task').replace('BEGIN:VTODO', `${event.join('\r\n')}\r\nBEGIN:VTODO`),
    );
    const engine = await world.devices.open(world.server);
    await engine.sync();
    const { id, titles } = world.devices.list(engine, 'tasks');
    assert.deepEqual(titles(), ['Task']);
    await assert.rejects(engine.deleteList(id), /“tasks” also contains events/);
    assert.equal(world.list.items.size, 1);
  });

  it('stays everywhere if it has a second resource of a task, with advice that helps', async () => {
    const { engine, id } = await one();
    world.list.put('second.ics', todoText('t', 'SUMMARY:Second'));
    for (let round = 0; round < 2; round++) {
      await engine.sync();
      await assert.rejects(engine.deleteList(id), /delete it in a calendar program/);
    }
    assert.equal(world.list.items.size, 2);
  });

  it('is deleted here, too, if another window reads it meanwhile', async () => {
    const folder = world.devices.folder();
    const { engine, id } = await world.device({ folder });
    const other = await world.devices.start({ folder });
    const own = await engine.createList({ name: 'Own' });
    // Opens what sync remembers.
    await other.syncing!.setPaused(false);
    world.put('t', 'SUMMARY:Task');
    const isAsked = new Promise<() => void>(resolve => {
      world.server.hook = ({ method }, next) =>
        method === 'REPORT' ? new Promise<void>(answer => resolve(answer)).then(next) : undefined;
    });
    const sync = engine.sync();
    const answer = await isAsked;
    world.server.hook = undefined;
    const deletion = other.deleteList(id);
    // A deletion that waits for nothing has read the list before this.
    await other.createTask(own, { title: 'Elsewhere' });
    answer();
    await Promise.all([sync, deletion]);
    assert.deepEqual([world.server.lists.size, names(other).includes('tasks')], [0, false]);
  });
});
