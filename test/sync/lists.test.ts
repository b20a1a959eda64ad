import assert from 'node:assert/strict';
import { multistatus, withProps } from './aServerLists';
import { aWorld } from './world';

describe('lists and accounts', () => {
  const world = aWorld();

  it('puts new lists by name where the server gives no order of its own', async () => {
    for (const name of ['List 10', 'beta', 'List 9', 'Alpha'])
      world.server.addList(name, {}, `/home/${name.length}-${name[0]}${name.at(-1)}/`);
    const { engine } = await world.device();
    const names = () =>
      engine
        .lists()
        .filter(({ accountId }) => accountId !== null)
        .map(({ name }) => name);
    assert.deepEqual(names(), ['Alpha', 'beta', 'List 9', 'List 10', 'tasks']);
    world.server.addList('Between');
    await engine.sync();
    assert.deepEqual(names().slice(0, 4), ['Alpha', 'beta', 'Between', 'List 9']);
  });

  it('A60 gives a list back its name where the server refuses the new one', async () => {
    const device = await world.device();
    world.server.hook = ({ method, path }) =>
      method === 'PROPPATCH'
        ? multistatus(
            `<D:response><D:href>${path}</D:href><D:propstat><D:prop><D:displayname/></D:prop>
            <D:status>HTTP/1.1 403 Forbidden</D:status></D:propstat><D:propstat><D:prop><A:calendar-color/></D:prop>
            <D:status>HTTP/1.1 424 Failed Dependency</D:status></D:propstat></D:response>`,
          )
        : undefined;
    const before = device.engine.lists().find(({ id }) => id === device.id)!;
    await device.engine.updateList(device.id, { name: 'Mine', color: -1 });
    await device.engine.sync();
    const after = device.engine.lists().find(({ id }) => id === device.id)!;
    assert.deepEqual([after.name, after.color, after.isDirty], [before.name, before.color, false]);
  });

  it('A60 gives a list back its name where the server refuses the request as a whole, and says so', async () => {
    const device = await world.device();
    world.server.hook = ({ method }) => (method === 'PROPPATCH' ? { status: 403 } : undefined);
    await device.engine.updateList(device.id, { name: 'Mine' });
    const { error } = await world.report(device.engine);
    assert.match(error ?? '', /tasks/);
    const after = device.engine.lists().find(({ id }) => id === device.id)!;
    assert.deepEqual([after.name, after.isDirty], ['tasks', false]);
  });

  it('A60 sends no name that the server has already, and a newer one with the next run', async () => {
    const device = await world.device();
    const { engine, id } = device;
    const nameOf = () => engine.lists().find(list => list.id === id)!;
    await engine.updateList(id, { name: 'Same' });
    world.list.name = 'Same';
    await device.sync();
    assert.deepEqual([world.server.sent('PROPPATCH').length, nameOf().isDirty], [0, false]);
    await engine.updateList(id, { name: 'First' });
    world.server.hook = async ({ method }) => {
      world.server.hook = method === 'PROPPATCH' ? undefined : world.server.hook;
      if (method === 'PROPPATCH') await engine.updateList(id, { name: 'Second' });
      return undefined;
    };
    await device.sync();
    assert.deepEqual([world.list.name, nameOf().name, nameOf().isDirty], ['First', 'Second', true]);
    await device.sync();
    assert.deepEqual([world.list.name, nameOf().isDirty], ['Second', false]);
  });

  it('A60 keeps a new list here, and says why, until the server makes it', async () => {
    const device = await world.device();
    const { engine } = device;
    world.server.hook = ({ method }) => (method === 'MKCALENDAR' || method === 'MKCOL' ? { status: 403 } : undefined);
    const id = await engine.createList({ name: 'New', accountId: engine.accounts()[0]!.id });
    await engine.createTask(id, { title: 'First' });
    assert.match((await world.report(engine)).error ?? '', /New/);
    assert.equal(engine.rows(id).length, 1);
    world.server.hook = undefined;
    assert.equal((await world.report(engine)).error, null);
    assert.equal(world.server.lists.size, 2);
  });

  it('A60 keeps a list that is missing from the listing and cannot be asked for, and says so', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    const { engine } = device;
    world.server.hook = ({ method, path }) => {
      if (method !== 'PROPFIND') return undefined;
      const home = withProps(path, '<D:resourcetype><D:collection/></D:resourcetype>');
      return path === world.list.path ? { status: 403 } : multistatus(home);
    };
    assert.match((await world.report(engine)).error ?? '', /tasks/);
    assert.equal(device.rows().length, 1);
    world.server.hook = undefined;
    assert.equal((await world.report(engine)).error, null);
  });

  it('finds what happened in a list while it was switched off', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    await device.engine.updateList(device.id, { isSynced: false });
    await device.engine.sync();
    world.put('u', 'SUMMARY:New');
    world.list.remove('t.ics');
    await device.engine.sync();
    assert.deepEqual(
      device.rows().map(({ uid }) => uid),
      ['t'],
    );
    await device.engine.updateList(device.id, { isSynced: true });
    await device.sync();
    assert.deepEqual(
      device.rows().map(({ uid }) => uid),
      ['u'],
    );
  });

  it('A60 renames and recolours, and a name given here wins', async () => {
    const device = await world.device();
    await device.engine.updateList(device.id, { name: 'Ours', color: 0xff16a34a | 0 });
    world.list.name = 'Theirs';
    await device.sync();
    assert.deepEqual([world.list.name, world.list.color], ['Ours', '#16A34AFF']);
  });

  it('A60 makes a list for tasks alone', async () => {
    const device = await world.device();
    const [account] = device.engine.accounts();
    const id = await device.engine.createList({ name: 'New', accountId: account!.id });
    await device.engine.createTask(id, { title: 'First' });
    await device.engine.sync();
    const made = [...world.server.lists.values()].find(({ name }) => name === 'New');
    assert.deepEqual(made?.components, ['VTODO']);
    assert.equal(made.items.size, 1);
  });

  it('A60 keeps a list that the server does not let go', async () => {
    const device = await world.device();
    world.server.hook = ({ method }) => (method === 'DELETE' ? { status: 405 } : undefined);
    await assert.rejects(device.engine.deleteList(device.id));
    assert.ok(device.engine.lists().some(({ id }) => id === device.id));
    world.server.hook = undefined;
    await device.engine.deleteList(device.id);
    assert.equal(world.server.lists.size, 0);
  });

  it('A61 leaves local lists behind when an account goes, and makes none twice when it comes back', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    const { engine } = device;
    await engine.createTask(device.id, { title: 'Never sent' });
    await engine.removeAccount(engine.accounts()[0]!.id);
    const list = engine.lists().find(({ id }) => id === device.id)!;
    assert.deepEqual([list.accountId, list.href, list.ctag, list.syncToken], [null, null, null, null]);
    assert.deepEqual(
      device.rows().map(({ href, etag, isDirty }) => [href, etag, isDirty]),
      [
        [null, null, false],
        [null, null, false],
      ],
    );
    const { url, username, password } = world.server;
    const account = await engine.addAccount({ serverUrl: url, username, password });
    await engine.sync();
    const again = engine.lists().filter(({ accountId }) => accountId === account);
    assert.equal(again.length, 1);
    assert.deepEqual(
      engine.rows(again[0]!.id).map(({ uid }) => uid),
      ['t'],
    );
    assert.equal(device.rows().length, 2);
    assert.equal(world.list.items.size, 1);
  });

  it('A62 sends nothing twice from two windows that sync at once', async () => {
    const folder = world.devices.folder();
    const first = await world.devices.open(world.server, { folder });
    const device = world.devices.list(first, 'tasks');
    await device.sync();
    const second = await world.devices.start({ folder });
    for (let at = 0; at < 5; at++) await first.createTask(device.id, { title: `Task ${at}` });
    await second.createTask(device.id, { title: 'From the other window' });
    world.server.forget();
    await Promise.all([first.sync(), second.sync()]);
    assert.equal(world.server.sent('PUT').length, 6);
    assert.equal(world.list.items.size, 6);
  });
});
