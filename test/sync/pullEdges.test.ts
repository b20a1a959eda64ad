import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { multistatus, withProps, withStatus } from './aServerLists';
import { todoText } from './texts';
import { aWorld } from './world';

describe('pulling what is hard to pull', () => {
  const world = aWorld();

  it('finds every home again where what it had noted is lost', async () => {
    world.server.homes = ['/home/', '/second/'];
    world.server.addList('other', {}, '/second/other/').put('b.ics', todoText('b', 'SUMMARY:Second'));
    const folder = world.devices.folder();
    const first = await world.devices.open(world.server, { folder });
    await first.sync();
    await first.close();
    rmSync(join(folder, 'sidecar'), { recursive: true, force: true });
    const engine = await world.devices.start({ folder });
    const report = await world.report(engine);
    assert.equal(report.error, null);
    const lists = engine.lists().map(({ name, accountId }) => [name, accountId !== null]);
    assert.deepEqual(lists.toSorted(), [
      ['other', true],
      ['tasks', true],
    ]);
    world.server.lists.get('/second/other/')?.put('c.ics', todoText('c', 'SUMMARY:Later'));
    await engine.sync();
    const other = world.devices.list(engine, 'other');
    assert.deepEqual(
      other
        .rows()
        .map(({ title }) => title)
        .toSorted(),
      ['Later', 'Second'],
    );
  });

  it('follows a home that has moved', async () => {
    const device = await world.device();
    world.put('a', 'SUMMARY:Here');
    await device.sync();
    world.server.homes = ['/moved/'];
    const list = world.server.addList('tasks', {}, '/moved/tasks/');
    list.put('a.ics', todoText('a', 'SUMMARY:There'));
    world.server.lists.delete('/home/tasks/');
    assert.match((await world.report(device.engine)).error ?? '', /has moved its lists/);
    assert.equal((await world.report(device.engine)).error, null);
    const titles = device.engine.lists().flatMap(({ id }) => device.engine.rows(id).map(({ title }) => title));
    assert.ok(titles.includes('There'), titles.join());
  });

  it('says which task the server does not let it read, and brings the others', async () => {
    const device = await world.device();
    for (const uid of ['a', 'b']) world.put(uid, `SUMMARY:${uid}`);
    world.server.hook = ({ method, path, body }) => {
      if (method === 'GET' && path.endsWith('b.ics')) return { status: 403 };
      if (method === 'REPORT' && body.includes('calendar-multiget'))
        return multistatus(
          withProps(
            '/home/tasks/a.ics',
            `<D:getetag>"1"</D:getetag><C:calendar-data>${todoText('a', 'SUMMARY:a')}</C:calendar-data>`,
          ),
        );
      return undefined;
    };
    await world.report(device.engine);
    assert.deepEqual(
      device.rows().map(({ title }) => title),
      ['a'],
    );
    world.server.hook = undefined;
    await device.engine.sync();
    await device.engine.sync();
  });

  it('notes with the task that the server does not let it read any more', async () => {
    world.put('a', 'SUMMARY:a');
    const device = await world.device();
    world.put('a', 'SUMMARY:changed');
    world.server.hook = ({ method, body }) => {
      if (method === 'GET') return { status: 403 };
      return method === 'REPORT' && body.includes('calendar-multiget') ? multistatus() : undefined;
    };
    const report = await world.report(device.engine);
    assert.deepEqual(
      report.rowErrors.map(({ taskId }) => taskId),
      [device.byUid('a')!.id],
    );
    assert.equal(device.byUid('a')?.title, 'a');
  });

  it('gives up a change report whose pages lead nowhere, and lists instead', async () => {
    world.put('a', 'SUMMARY:a');
    const device = await world.device();
    world.put('b', 'SUMMARY:b');
    world.server.hook = ({ method, body }) =>
      method === 'REPORT' && body.includes('sync-collection')
        ? multistatus(withStatus('/home/tasks/', 507))
        : undefined;
    await device.engine.sync();
    assert.deepEqual(
      device
        .rows()
        .map(({ title }) => title)
        .toSorted(),
      ['a', 'b'],
    );
  });

  it('keeps what it has of a list whose report fails in its own way', async () => {
    world.put('a', 'SUMMARY:a');
    const device = await world.device();
    world.put('b', 'SUMMARY:b');
    world.server.hook = ({ method }) => (method === 'REPORT' ? { status: 423 } : undefined);
    await world.report(device.engine);
    assert.deepEqual(
      device.rows().map(({ title }) => title),
      ['a'],
    );
    world.server.hook = undefined;
    await device.sync();
    assert.equal(device.rows().length, 2);
  });

  it('takes an account with a name of its own, and one that logs in by a token', async () => {
    const engine = await world.devices.start();
    const { url, username, password } = world.server;
    await engine.addAccount({ serverUrl: url, username, password, displayName: ' Ours ' });
    assert.equal(engine.accounts()[0]?.displayName, 'Ours');
    await assert.rejects(engine.addAccount({ serverUrl: url, username: '', password: 'token' }), { kind: 'auth' });
    world.server.hook = (_request, next) => {
      const { headers } = _request;
      if (headers.authorization !== 'Bearer token') return { status: 401, headers: { 'www-authenticate': 'Bearer' } };
      headers.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      return next();
    };
    await engine.addAccount({ serverUrl: url, username: '', password: 'token' });
    const added = engine.accounts()[1]!;
    assert.deepEqual([added.displayName, added.username], [new URL(url).host, null]);
  });

  it('reads no answer to its end that has none', async () => {
    const device = await world.device();
    world.put('t', 'SUMMARY:Task');
    const body = ' '.repeat(64 * 1024 * 1024 + 1);
    world.server.hook = () => ({ status: 207, body });
    assert.match((await world.report(device.engine)).error ?? '', /that is too long/);
    world.server.hook = undefined;
    await device.sync();
    assert.equal(device.rows().length, 1);
  });

  it('says what a proxy wants that the editor’s own way out goes through', async () => {
    const fetch = async () => new Response('', { status: 407 });
    const engine = await world.devices.start({ fetch });
    const { url, username, password } = world.server;
    await assert.rejects(engine.addAccount({ serverUrl: url, username, password }), /http\.proxy/);
  });
});

describe('what waits to be sent', () => {
  const world = aWorld();

  it('is shown with its kind, and as text before and after', async () => {
    world.put('a', 'SUMMARY:Old');
    world.put('b', 'SUMMARY:Gone');
    const device = await world.device();
    const { engine } = device;
    const surface = engine.syncing!;
    const [a, b] = [device.byUid('a')!.id, device.byUid('b')!.id];
    assert.deepEqual([surface.stateOf(a), surface.pendingChanges()], ['clean', []]);
    const unchanged = await surface.pendingText(a);
    assert.equal(unchanged.before, unchanged.after);
    await engine.updateTask(a, { title: 'New' });
    await engine.deleteTask(b);
    const made = await engine.createTask(device.id, { title: 'Made' });
    assert.deepEqual(
      surface
        .pendingChanges()
        .map(({ kind, taskId }) => [kind, taskId])
        .toSorted(),
      [
        ['change', a],
        ['create', made],
        ['delete', b],
      ],
    );
    const { before, after } = await surface.pendingText(a);
    assert.match(before, /SUMMARY:Old/);
    assert.match(after, /SUMMARY:New/);
    assert.equal((await surface.pendingText(b)).after, '');
    const fresh = await surface.pendingText(made);
    assert.deepEqual([fresh.before, /SUMMARY:Made/.test(fresh.after)], ['', true]);
    assert.equal(surface.stateOf(made), 'pending');
    const local = await engine.createTask(await engine.createList({ name: 'Local' }), { title: 'Mine' });
    assert.deepEqual([surface.stateOf(local), surface.stateOf(999)], ['local', 'local']);
  });

  it('tells of a refusal', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'Refused' });
    world.server.hook = ({ method }) => (method === 'PUT' ? { status: 403, body: 'No' } : undefined);
    await world.report(device.engine);
    const surface = device.engine.syncing!;
    assert.equal(surface.stateOf(id), 'error');
    assert.match(surface.pendingChanges()[0]?.error ?? '', /refused this/);
  });
});
