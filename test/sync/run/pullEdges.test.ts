import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ListRecord } from '../../../src/sync/state/ledgerTypes';
import { pick } from '../../support/pick';
import { multistatus, withProps, withStatus } from '../support/serverLists';
import { calendar, todoText } from '../support/texts';
import { aWorld } from '../support/world';

/** Refuses a query for calendar data, so that a first sync uses the change report. */
const withoutTexts = (body: string) =>
  body.includes('calendar-query') && body.includes('calendar-data') ? { status: 403 } : undefined;

describe('a pull from an unusual server', () => {
  const world = aWorld();

  it('reports a second resource of one UID in a first sync, and shows it once the first is gone', async () => {
    world.put('same', 'SUMMARY:First');
    world.list.put('z.ics', todoText('same', 'SUMMARY:Second'));
    const { engine, id, titles, byUid } = world.devices.list(await world.devices.open(world.server), 'tasks');
    await engine.sync();
    await engine.sync();
    assert.deepEqual(titles(), ['First']);
    assert.deepEqual(
      [...engine.syncing!.rowErrors()].map(([taskId, { code }]) => [taskId, code]),
      [[byUid('same')!.id, 'sameUid']],
    );
    world.list.remove('same.ics');
    for (let run = 0; run < 2; run++) await engine.sync({ listId: id });
    assert.deepEqual(titles(), ['Second']);
  });

  for (const where of ['here', 'there'])
    it(`keeps a task that is deleted ${where} in the trash if a second resource with its UID appears`, async () => {
      world.put('same', 'SUMMARY:First');
      world.list.put('z.ics', todoText('same', 'SUMMARY:Second'));
      const { engine, titles, byUid } = world.devices.list(await world.devices.open(world.server), 'tasks');
      for (let run = 0; run < 2; run++) await engine.sync();
      if (where === 'here') await engine.deleteTask(byUid('same')!.id);
      else world.list.remove('same.ics');
      for (let run = 0; run < 2; run++) await engine.sync();
      assert.deepEqual(titles(), ['Second']);
      const [first, ...none] = await engine.trash();
      assert.deepEqual([first?.task.title, none], ['First', []]);
      // The second one does not take its entry.
      await engine.deleteTask(byUid('same')!.id);
      await engine.sync();
      const entries = await engine.trash();
      assert.deepEqual(entries.map(({ task }) => task.title).sort(), ['First', 'Second']);
      await engine.restore(entries.map(({ key }) => key));
      for (let run = 0; run < 2; run++) await engine.sync();
      assert.deepEqual(titles(), ['First', 'Second']);
      assert.deepEqual([...world.list.items.values()].map(({ text }) => /SUMMARY:(.*)/.exec(text)![1]).sort(), [
        'First',
        'Second',
      ]);
      assert.deepEqual([await engine.trash(), [...engine.syncing!.rowErrors()]], [[], []]);
    });

  it('shows no task in the trash that was restored and is in another list when a second resource takes over its UID', async () => {
    world.put('same', 'SUMMARY:First');
    world.list.put('z.ics', todoText('same', 'SUMMARY:Second'));
    world.server.addList('other');
    const { engine, titles, byUid } = world.devices.list(await world.devices.open(world.server), 'tasks');
    for (let run = 0; run < 2; run++) await engine.sync();
    await engine.deleteTask(byUid('same')!.id);
    await engine.restore((await engine.trash()).map(({ key }) => key));
    await engine.moveTask(byUid('same')!.id, { listId: engine.lists().find(({ name }) => name === 'other')!.id });
    for (let run = 0; run < 3; run++) await engine.sync();
    assert.deepEqual(titles(), ['Second']);
    assert.deepEqual(await engine.trash(), []);
  });

  it('finds every home again if the sidecar is lost', async () => {
    world.server.homes = ['/home/', '/second/'];
    world.server.addList('other', {}, '/second/other/').put('b.ics', todoText('b', 'SUMMARY:Second'));
    const folder = world.devices.folder();
    const first = await world.devices.open(world.server, { folder });
    await first.sync();
    await first.close();
    rmSync(join(folder, 'sidecar'), { recursive: true, force: true });
    const engine = await world.devices.start({ folder });
    await world.devices.signIn(engine, world.server);
    const report = await world.report(engine);
    assert.equal(report.error, null);
    const lists = engine.lists().map(({ name, accountId }) => ({ name, hasAccount: accountId !== null }));
    assert.deepEqual(
      lists.toSorted((one, other) => one.name.localeCompare(other.name)),
      [
        { name: 'other', hasAccount: true },
        { name: 'tasks', hasAccount: true },
      ],
    );
    world.server.lists.get('/second/other/')?.put('c.ics', todoText('c', 'SUMMARY:Later'));
    await engine.sync();
    const other = world.devices.list(engine, 'other');
    assert.deepEqual(other.titles(), ['Later', 'Second']);
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

  it('downloads the other tasks if the server does not return one', async () => {
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
    assert.deepEqual(device.titles(), ['a']);
    world.server.hook = undefined;
    await device.engine.sync();
    await device.engine.sync();
  });

  it('reports an error with the task that the server no longer returns', async () => {
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

  it('gives up a change report with empty pages, and lists instead', async () => {
    world.put('a', 'SUMMARY:a');
    const device = await world.device();
    world.put('b', 'SUMMARY:b');
    world.server.hook = ({ method, body }) =>
      method === 'REPORT' && body.includes('sync-collection')
        ? multistatus(withStatus('/home/tasks/', 507))
        : undefined;
    await device.engine.sync();
    assert.deepEqual(device.titles(), ['a', 'b']);
  });

  it('ends a change report at an empty page, however many more are offered', async () => {
    world.put('a', 'SUMMARY:a');
    const device = await world.device();
    world.put('b', 'SUMMARY:b');
    let pages = 0;
    world.server.hook = ({ method, body }) =>
      method === 'REPORT' && body.includes('sync-collection')
        ? page(`http://sync.example/more/${pages++}`, more)
        : undefined;
    await device.engine.sync();
    assert.deepEqual(device.titles(), ['a', 'b']);
    assert.ok(pages <= 4, `${pages} pages were asked for`);
  });

  const page = (token: string, ...responses: string[]) =>
    multistatus(...responses, token && `<D:sync-token>${token}</D:sync-token>`);
  const named = (file: string) => withProps(`/home/tasks/${file}`, `<D:getetag>${etagOf(file)}</D:getetag>`);
  const etagOf = (file: string) => world.list.items.get(`/home/tasks/${file}`)!.etag;
  const more = withStatus('/home/tasks/', 507);

  for (const [flaw, pages] of [
    ['ends without a token', (_from: string) => page('', named('a.ics'), named('b.ics'))],
    ['goes on without a token', (_from: string) => page('', named('a.ics'), more)],
    ['goes on from where it began', (from: string) => page(from === '' ? 'x' : from, named('a.ics'), more)],
  ] as const)
    it(`lists a new list whose first report ${flaw}`, async () => {
      for (const uid of ['a', 'b']) world.put(uid, `SUMMARY:${uid}`);
      world.server.hook = ({ method, body }) => {
        if (method !== 'REPORT') return undefined;
        if (body.includes('sync-collection')) return pages(/sync-token>([^<]*)</.exec(body)?.[1] ?? '');
        return withoutTexts(body);
      };
      const engine = await world.devices.open(world.server);
      await engine.sync();
      assert.deepEqual(
        world.devices
          .list(engine, 'tasks')
          .rows()
          .map(({ uid }) => uid)
          .toSorted(),
        ['a', 'b'],
      );
    });

  it('omits a resource that a later page of the first report calls gone', async () => {
    for (const uid of ['a', 'b']) world.put(uid, `SUMMARY:${uid}`);
    world.server.hook = ({ method, body }) => {
      if (method !== 'REPORT') return undefined;
      if (!body.includes('sync-collection')) return withoutTexts(body);
      if (!body.includes('second')) return page('http://sync.example/second', named('a.ics'), named('b.ics'), more);
      world.list.remove('b.ics');
      return page('http://sync.example/3', withStatus('/home/tasks/b.ics', 404));
    };
    const engine = await world.devices.open(world.server);
    await engine.sync();
    assert.deepEqual(
      world.devices
        .list(engine, 'tasks')
        .rows()
        .map(({ uid }) => uid),
      ['a'],
    );
  });

  it('stops if the password is refused in the middle', async () => {
    world.put('a', 'SUMMARY:a');
    const device = await world.device();
    world.put('b', 'SUMMARY:b');
    world.server.hook = ({ method }) => (method === 'REPORT' ? { status: 401 } : undefined);
    assert.ok((await world.report(device.engine)).error);
    assert.equal(device.engine.syncing!.accountState(device.engine.accounts()[0]!.id).remedy, 'password');
    const other = await world.devices.start();
    world.server.hook = ({ method, body }) =>
      method === 'REPORT' && body.includes('calendar-query') ? { status: 401 } : undefined;
    const { url, username, password } = world.server;
    await other.addAccount({ serverUrl: url, username, password });
    assert.ok((await world.report(other)).error);
    world.server.hook = undefined;
    await other.sync();
    assert.equal(world.devices.list(other, 'tasks').rows().length, 2);
  });

  it('keeps a task whose copy on the server can no longer be read, and reports it', async () => {
    world.put('a', 'SUMMARY:a');
    const device = await world.device();
    world.list.put('a.ics', calendar(['BEGIN:VEVENT', 'UID:a', 'SUMMARY:An event now', 'END:VEVENT']));
    const { rowErrors } = await world.report(device.engine);
    assert.match(rowErrors[0]?.message ?? '', /cannot be read/);
    assert.equal(device.byUid('a')?.title, 'a');
  });

  it('remembers 500 resources that are no tasks, and every second resource of one UID', async () => {
    world.put('a', 'SUMMARY:First');
    const device = await world.device();
    world.list.put('same-uid.ics', todoText('a', 'SUMMARY:Second'));
    for (let at = 0; at < 600; at++)
      world.list.put(`e${at}.ics`, calendar(['BEGIN:VEVENT', `UID:e${at}`, 'END:VEVENT']));
    const { error, rowErrors } = await world.report(device.engine);
    assert.equal(error, null);
    assert.deepEqual(
      rowErrors.map(({ taskId }) => taskId),
      [device.byUid('a')!.id],
    );
    const sidecar = await world.devices.storeOf(device.engine).sidecar();
    const skipped = () => Object.keys(sidecar.get<ListRecord>('syncLists', String(device.id))?.skipped ?? {});
    assert.deepEqual(
      { count: skipped().length, hasLast: skipped().includes('/home/tasks/e599.ics') },
      { count: 500, hasLast: true },
    );
    world.server.forget();
    world.put('b', 'SUMMARY:Other');
    await device.sync();
    assert.ok(world.server.requests.every(({ body }) => !/e\d+\.ics/.test(body)));
    world.list.remove('a.ics');
    await device.sync();
    assert.deepEqual(device.titles(), ['Other', 'Second']);
  });

  it('keeps the tasks of a list whose report fails with an unusual status', async () => {
    world.put('a', 'SUMMARY:a');
    const device = await world.device();
    world.put('b', 'SUMMARY:b');
    world.server.hook = ({ method }) => (method === 'REPORT' ? { status: 423 } : undefined);
    await world.report(device.engine);
    assert.deepEqual(device.titles(), ['a']);
    world.server.hook = undefined;
    await device.sync();
    assert.equal(device.rows().length, 2);
  });

  it('adds an account with a display name, and one that signs in with a token', async () => {
    const engine = await world.devices.start();
    const { url, username, password } = world.server;
    await engine.addAccount({ serverUrl: url, username, password, displayName: ' Ours ' });
    assert.equal(engine.accounts()[0]?.displayName, 'Ours');
    await engine.removeAccount(engine.accounts()[0]!.id);
    await assert.rejects(engine.addAccount({ serverUrl: url, username: '', password: 'token' }), { kind: 'auth' });
    world.server.hook = ({ headers }, next) => {
      if (headers.authorization !== 'Bearer token') return { status: 401, headers: { 'www-authenticate': 'Bearer' } };
      headers.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      return next();
    };
    await engine.addAccount({ serverUrl: url, username: '', password: 'token' });
    const added = engine.accounts()[0]!;
    assert.deepEqual(pick(added, 'displayName', 'username'), { displayName: new URL(url).host, username: null });
  });

  it('stops reading a response that is too large', async () => {
    const device = await world.device();
    world.put('t', 'SUMMARY:Task');
    const body = ' '.repeat(64 * 1024 * 1024 + 1);
    world.server.hook = () => ({ status: 207, body });
    assert.match((await world.report(device.engine)).error ?? '', /a response that is too large/);
    world.server.hook = undefined;
    await device.sync();
    assert.equal(device.rows().length, 1);
  });

  it('names the setting for the proxy if the proxy asks for a login', async () => {
    const fetch = async () => new Response('', { status: 407 });
    const engine = await world.devices.start({ fetch });
    const { url, username, password } = world.server;
    await assert.rejects(engine.addAccount({ serverUrl: url, username, password }), /http\.proxy/);
  });
});

describe('pending changes', () => {
  const world = aWorld();

  it('are listed with their kinds, and as text before and after', async () => {
    world.put('a', 'SUMMARY:Old');
    world.put('b', 'SUMMARY:Gone');
    const device = await world.device();
    const { engine } = device;
    const status = engine.syncing!;
    const [a, b] = [device.byUid('a')!.id, device.byUid('b')!.id];
    assert.deepEqual(status.pendingChanges(), []);
    const unchanged = await status.pendingText(a);
    assert.equal(unchanged.before, unchanged.after);
    await engine.updateTask(a, { title: 'New' });
    await engine.deleteTask(b);
    const made = await engine.createTask(device.id, { title: 'Made' });
    assert.deepEqual(
      status
        .pendingChanges()
        .map(({ kind, taskId }) => ({ kind, taskId }))
        .toSorted((one, other) => one.kind.localeCompare(other.kind)),
      [
        { kind: 'change', taskId: a },
        { kind: 'create', taskId: made },
        { kind: 'delete', taskId: b },
      ],
    );
    const { before, after } = await status.pendingText(a);
    assert.match(before, /SUMMARY:Old/);
    assert.match(after, /SUMMARY:New/);
    assert.equal((await status.pendingText(b)).after, '');
    const fresh = await status.pendingText(made);
    assert.deepEqual(
      { before: fresh.before, hasTitle: /SUMMARY:Made/.test(fresh.after) },
      { before: '', hasTitle: true },
    );
    await engine.createTask(await engine.createList({ name: 'Local' }), { title: 'Mine' });
    assert.equal(status.pendingChanges().length, 3);
  });

  it('list a move once, in its new list, and changes of lists', async () => {
    world.put('a', 'SUMMARY:Moves');
    world.server.addList('other');
    const device = await world.device();
    const { engine } = device;
    await engine.sync();
    const id = device.byUid('a')!.id;
    const other = world.devices.list(engine, 'other').id;
    await engine.moveTask(id, { listId: other });
    await engine.updateList(device.id, { name: 'Renamed' });
    const fresh = await engine.createList({ name: 'Fresh', accountId: engine.accounts()[0]!.id });
    const waiting = engine.syncing!.pendingChanges().map(({ kind, listId, taskId }) => ({ kind, listId, taskId }));
    assert.deepEqual(
      waiting.toSorted((one, other) => one.kind.localeCompare(other.kind)),
      [
        { kind: 'listChange', listId: device.id, taskId: null },
        { kind: 'move', listId: other, taskId: id },
        { kind: 'newList', listId: fresh, taskId: null },
      ],
    );
  });

  it('have the error if the server refused them', async () => {
    const device = await world.device();
    await device.engine.createTask(device.id, { title: 'Refused' });
    world.server.hook = ({ method }) => (method === 'PUT' ? { status: 403, body: 'No' } : undefined);
    await world.report(device.engine);
    const status = device.engine.syncing!;
    assert.match(status.pendingChanges()[0]?.error?.text ?? '', /rejected this request/);
  });
});
