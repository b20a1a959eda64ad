import assert from 'node:assert/strict';
import { pick } from '../../support/pick';
import { multistatus, withProps } from '../support/serverLists';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('lists and accounts', () => {
  const world = aWorld();

  it('sorts new lists by name if the server gives no order', async () => {
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

  it('truncates an endless name', async () => {
    world.list.name = `${'x'.repeat(498)}🌿${'y'.repeat(1_000_000)}`;
    const engine = await world.devices.open(world.server);
    const [list] = engine.lists().filter(({ accountId }) => accountId !== null);
    assert.equal(list!.name, `${'x'.repeat(498)}…`);
    await engine.sync();
    assert.deepEqual(world.server.sent('PROPPATCH'), []);
  });

  it('A60 restores the name of a list if the server refuses the new one', async () => {
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
    assert.deepEqual(pick(after, 'name', 'color', 'isDirty'), {
      name: before.name,
      color: before.color,
      isDirty: false,
    });
  });

  it('A60 restores the name of a list if the server refuses the whole request, and reports it', async () => {
    const device = await world.device();
    world.server.hook = ({ method }) => (method === 'PROPPATCH' ? { status: 403 } : undefined);
    await device.engine.updateList(device.id, { name: 'Mine' });
    const { error } = await world.report(device.engine);
    assert.match(error ?? '', /tasks/);
    const after = device.engine.lists().find(({ id }) => id === device.id)!;
    assert.deepEqual(pick(after, 'name', 'isDirty'), { name: 'tasks', isDirty: false });
  });

  it('A60 does not send a name that the server already has, and sends a newer one in the next run', async () => {
    const device = await world.device();
    const { engine, id } = device;
    const nameOf = () => engine.lists().find(list => list.id === id)!;
    await engine.updateList(id, { name: 'Same' });
    world.list.name = 'Same';
    await device.sync();
    assert.deepEqual(
      { requests: world.server.sent('PROPPATCH').length, isDirty: nameOf().isDirty },
      { requests: 0, isDirty: false },
    );
    await engine.updateList(id, { name: 'First' });
    world.server.hook = async ({ method }) => {
      world.server.hook = method === 'PROPPATCH' ? undefined : world.server.hook;
      if (method === 'PROPPATCH') await engine.updateList(id, { name: 'Second' });
      return undefined;
    };
    await device.sync();
    assert.deepEqual(
      { there: world.list.name, here: nameOf().name, isDirty: nameOf().isDirty },
      { there: 'First', here: 'Second', isDirty: true },
    );
    await device.sync();
    assert.deepEqual({ there: world.list.name, isDirty: nameOf().isDirty }, { there: 'Second', isDirty: false });
  });

  it('A60 keeps a new list here with the reason, until the server creates it', async () => {
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

  it('A60 keeps and reports a list that is missing from the listing and cannot be requested', async () => {
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

  it('A60 follows a list that its server has moved, with what waits to be sent', async () => {
    for (const uid of ['a', 'b']) world.put(uid, `SUMMARY:${uid}`);
    const device = await world.device();
    await device.engine.updateTask(device.byUid('a')!.id, { title: 'Mine' });
    await device.engine.deleteTask(device.byUid('b')!.id);
    const { server, list } = world;
    const moved = server.addList('tasks', {}, '/moved/tasks/');
    for (const [path, { text }] of list.items) moved.put(path.replace('/home/', '/moved/'), text);
    server.lists.delete(list.path);
    server.homes = ['/moved/'];
    server.hook = ({ path }) =>
      path.startsWith('/home/') ? { status: 301, headers: { location: path.replace('/home/', '/moved/') } } : undefined;
    await device.sync();
    await world.report(device.engine);
    assert.deepEqual(
      device.engine.lists().flatMap(({ accountId, href }) => (accountId === null ? [] : href)),
      ['/moved/tasks/'],
    );
    assert.deepEqual(device.titles(), ['Mine']);
    assert.deepEqual([...moved.items.keys()], ['/moved/tasks/a.ics']);
    assert.match(moved.get('a.ics'), /SUMMARY:Mine/);
  });

  it('A60 keeps a list here whose old address leads to another list, and mixes no tasks', async () => {
    const other = world.server.addList('other');
    for (const uid of ['a', 'b']) world.put(uid, `SUMMARY:${uid}`);
    other.put('o.ics', todoText('o', 'SUMMARY:o'));
    const { engine, id, byUid } = await world.device();
    await engine.updateTask(byUid('a')!.id, { title: 'Mine' });
    world.server.lists.delete(world.list.path);
    world.server.hook = ({ path }) =>
      path.startsWith(world.list.path)
        ? { status: 301, headers: { location: path.replace(world.list.path, other.path) } }
        : undefined;
    for (let run = 0; run < 2; run++) assert.equal((await world.report(engine)).error, null);
    const titlesOf = (list: number) => engine.query('sort:title', { lists: [list] }).map(({ task }) => task.title);
    const otherId = engine.lists().find(({ href }) => href === other.path)!.id;
    assert.deepEqual([titlesOf(id), titlesOf(otherId)], [['b', 'Mine'], ['o']]);
    assert.equal(engine.lists().find(list => list.id === id)!.accountId, null);
    assert.deepEqual([...other.items.keys()], [`${other.path}o.ics`]);
  });

  it('A60 has a list once that is not among the lists, and whose address the server writes without a slash', async () => {
    world.put('a', 'SUMMARY:a');
    const device = await world.device();
    const { path } = world.list;
    world.server.hook = (request, next) => {
      if (request.path === '/home/') return multistatus(withProps('/home/', ''));
      const isOfList = request.method === 'PROPFIND' && request.path === path && request.headers.depth === '0';
      return isOfList ? { ...next(), body: next().body!.replace(path, path.slice(0, -1)) } : undefined;
    };
    await device.sync();
    const ofAccount = device.engine.lists().filter(({ accountId }) => accountId !== null);
    assert.deepEqual(
      ofAccount.map(({ id }) => id),
      [device.id],
    );
    assert.deepEqual(device.titles(), ['a']);
  });

  it('finds what happened in a list while it was hidden', async () => {
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

  it('A60 renames and recolors, and prefers a name given here', async () => {
    const device = await world.device();
    await device.engine.updateList(device.id, { name: 'Ours', color: 0xff16a34a | 0 });
    world.list.name = 'Theirs';
    await device.sync();
    assert.deepEqual(pick(world.list, 'name', 'color'), { name: 'Ours', color: '#16A34AFF' });
  });

  it('A60 adopts the name and color that a list is given elsewhere', async () => {
    const device = await world.device();
    world.list.name = 'Theirs';
    world.list.color = '#FF0000FF';
    await device.sync();
    const list = device.engine.lists().find(({ id }) => id === device.id)!;
    assert.deepEqual(pick(list, 'name', 'color', 'isDirty'), { name: 'Theirs', color: 0xffff0000 | 0, isDirty: false });
  });

  it('A60 removes an empty list that is gone from its server', async () => {
    world.server.addList('empty');
    const device = await world.device();
    world.server.lists.delete('/home/empty/');
    await device.engine.sync();
    assert.ok(!device.engine.lists().some(({ name }) => name === 'empty'));
  });

  it('A60 keeps the new name of an unavailable list until it can be sent', async () => {
    const device = await world.device();
    const { engine, id } = device;
    await engine.updateList(id, { name: 'Ours' });
    const isHidden = ({ method, path }: { method: string; path: string }) =>
      method === 'PROPFIND' && path === world.list.path;
    const home = '/home/';
    world.server.hook = request => {
      if (isHidden(request)) return { status: 403 };
      return request.method === 'PROPFIND' && request.path === home
        ? multistatus(withProps(home, '<D:resourcetype><D:collection/></D:resourcetype>'))
        : undefined;
    };
    await engine.sync();
    assert.equal(engine.lists().find(list => list.id === id)!.isDirty, true);
    assert.equal(world.list.name, 'tasks');
    world.server.hook = undefined;
    await device.sync();
    assert.equal(world.list.name, 'Ours');
  });

  it('A60 stops the account if the server fails completely for a missing list', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    world.server.hook = ({ method, path }) => {
      if (method !== 'PROPFIND') return undefined;
      return path === world.list.path
        ? { status: 401 }
        : multistatus(withProps(path, '<D:resourcetype><D:collection/></D:resourcetype>'));
    };
    assert.ok((await world.report(device.engine)).error);
    assert.equal(device.rows().length, 1);
  });

  it('A60 neither loses nor duplicates a new list that its server only shows later', async () => {
    const device = await world.device();
    const { engine } = device;
    const accountId = engine.accounts()[0]!.id;
    const id = await engine.createList({ name: 'Shy', accountId });
    await engine.createTask(id, { title: 'In it' });
    world.server.hook = ({ method, path }) =>
      method === 'PROPFIND' && path !== world.list.path && /^\/home\/./.test(path) ? { status: 404 } : undefined;
    await engine.sync();
    world.server.hook = undefined;
    await engine.sync();
    await engine.sync();
    const made = [...world.server.lists.values()].filter(({ name }) => name === 'Shy');
    assert.deepEqual(
      made.map(({ items }) => items.size),
      [1],
    );
    const here = engine.lists().filter(({ name }) => name === 'Shy');
    assert.deepEqual(
      here.map(list => ({ accountId: list.accountId, rows: engine.rows(list.id).length })),
      [{ accountId, rows: 1 }],
    );
  });

  it('A60 does not touch a new list that was deleted here while the server created it', async () => {
    const { engine } = await world.device();
    const id = await engine.createList({ name: 'Brief', accountId: engine.accounts()[0]!.id });
    world.server.hook = async ({ method }, next) => {
      if (method !== 'MKCALENDAR') return undefined;
      const answer = next();
      await world.devices.storeOf(engine).edit({ origin: 'sync' }, tx => tx.deleteList(id));
      return answer;
    };
    await engine.sync();
    assert.ok(!engine.lists().some(list => list.id === id));
  });

  it('A60 deletes locally what no server has or may delete', async () => {
    const device = await world.device();
    const { engine } = device;
    const unsent = await engine.createList({ name: 'Unsent', accountId: engine.accounts()[0]!.id });
    world.server.forget();
    await engine.deleteList(unsent);
    assert.deepEqual(world.server.sent('DELETE'), []);
    world.list.privileges = ['read'];
    await device.sync();
    await assert.rejects(engine.deleteList(device.id), { kind: 'readOnly' });
    assert.deepEqual(world.server.sent('DELETE'), []);
  });

  it('A60 sends what was deleted and moved while a list was unavailable', async () => {
    for (const uid of ['t', 'u', 'v']) world.put(uid, `SUMMARY:${uid}`);
    world.server.addList('other');
    const device = await world.device();
    const { engine } = device;
    await engine.sync();
    const other = world.devices.list(engine, 'other');
    world.server.lists.delete(world.list.path);
    await engine.sync();
    await engine.deleteTask(device.byUid('t')!.id);
    await engine.moveTask(device.byUid('u')!.id, { listId: other.id });
    world.server.lists.set(world.list.path, world.list);
    await engine.sync();
    await engine.sync();
    assert.deepEqual([...world.list.items.keys()], [`${world.list.path}v.ics`]);
    assert.deepEqual(
      other.rows().map(({ uid, isDirty }) => ({ uid, isDirty })),
      [{ uid: 'u', isDirty: false }],
    );
    assert.equal(engine.lists().find(({ id }) => id === device.id)!.accountId, engine.accounts()[0]!.id);
  });

  it('A60 reports at a new task that its list has become read-only', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'New' });
    world.list.privileges = ['read'];
    const { rowErrors } = await world.report(device.engine);
    assert.deepEqual(
      rowErrors.map(({ taskId }) => taskId),
      [id],
    );
    assert.match(rowErrors[0]!.message, /read-only/);
    assert.equal(device.rows().length, 1);
  });

  it('A60 creates a list for tasks only', async () => {
    const device = await world.device();
    const [account] = device.engine.accounts();
    const id = await device.engine.createList({ name: 'New', accountId: account!.id });
    await device.engine.createTask(id, { title: 'First' });
    await device.engine.sync();
    const made = [...world.server.lists.values()].find(({ name }) => name === 'New');
    assert.deepEqual(made?.components, ['VTODO']);
    assert.equal(made.items.size, 1);
  });

  it('A60 keeps a list that the server does not delete', async () => {
    const device = await world.device();
    world.server.hook = ({ method }) => (method === 'DELETE' ? { status: 405 } : undefined);
    await assert.rejects(device.engine.deleteList(device.id));
    assert.ok(device.engine.lists().some(({ id }) => id === device.id));
    world.server.hook = undefined;
    await device.engine.deleteList(device.id);
    assert.equal(world.server.lists.size, 0);
  });

  it('A61 keeps local lists when an account is removed, and creates no duplicates when it is added again', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    const { engine } = device;
    await engine.createTask(device.id, { title: 'Never sent' });
    await engine.removeAccount(engine.accounts()[0]!.id);
    const list = engine.lists().find(({ id }) => id === device.id)!;
    assert.deepEqual(pick(list, 'accountId', 'href', 'ctag', 'syncToken'), {
      accountId: null,
      href: null,
      ctag: null,
      syncToken: null,
    });
    assert.deepEqual(
      device.rows().map(({ href, etag, isDirty }) => ({ href, etag, isDirty })),
      [
        { href: null, etag: null, isDirty: false },
        { href: null, etag: null, isDirty: false },
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

  it('A62 sends nothing twice from two windows that sync together', async () => {
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
