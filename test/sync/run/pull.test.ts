import assert from 'node:assert/strict';
import type { AccountReport, DuelineEngine } from '../../../src/api';
import { pick } from '../../support/pick';
import { multistatus, withStatus } from '../support/serverLists';
import { calendar, linesOf, todo, todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('pulling', () => {
  const world = aWorld();
  const many = (count: number, from = 0) => {
    for (let at = from; at < from + count; at++) world.put(`t${at}`, `SUMMARY:Task ${at}`);
  };
  const fetched = () =>
    world.server
      .sent('REPORT', 'calendar-multiget')
      .filter(({ status }) => status !== undefined)
      .flatMap(({ body }) => [...body.matchAll(/<d:href>([^<]+)/g)].map(([, href]) => href!));
  /** A sync that is canceled once this many tasks are here. */
  const cancelledAt = (engine: DuelineEngine, count: number) => {
    const abort = new AbortController();
    return engine.sync({ signal: abort.signal, onProgress: ({ done }) => done >= count && abort.abort() });
  };
  const isMultiget = (request: { body: string }) => request.body.includes('calendar-multiget');

  it('A9 continues after a first sync was cut off between two batches', async () => {
    world.list.returnsTexts = false;
    many(3000);
    let batches = 0;
    world.server.hook = request => (isMultiget(request) && ++batches > 5 ? 'cut' : undefined);
    const folder = world.devices.folder();
    const engine = await world.devices.open(world.server, { folder });
    const { error } = await world.report(engine);
    assert.ok(error);
    const [list] = engine.lists().filter(({ accountId }) => accountId !== null);
    assert.equal(list!.syncToken, null);
    const before = engine.rows(list!.id).length;
    assert.ok(before > 0 && before < 3000, `${before}`);
    await engine.close();
    world.server.hook = undefined;
    world.server.forget();
    const again = world.devices.list(await world.devices.start({ folder }), 'tasks');
    await again.sync();
    assert.equal(again.rows().length, 3000);
    assert.equal(new Set(again.rows().map(({ uid }) => uid)).size, 3000);
    assert.equal(fetched().length, 3000 - before);
    assert.ok(again.engine.lists().find(({ id }) => id === again.id)!.syncToken);
  });

  it('A9 continues after a first sync was cut off while its only response was stored', async () => {
    many(1500);
    const folder = world.devices.folder();
    const engine = await world.devices.open(world.server, { folder });
    await assert.rejects(cancelledAt(engine, 600), { kind: 'cancelled' });
    const [list] = engine.lists().filter(({ accountId }) => accountId !== null);
    assert.equal(list!.syncToken, null);
    const before = new Set(engine.rows(list!.id).map(({ href }) => href!));
    assert.ok(before.size >= 600 && before.size < 1500, `${before.size}`);
    await engine.close();
    world.put('t3', 'SUMMARY:Edited meanwhile');
    world.list.remove('t4.ics');
    world.server.forget();
    const again = world.devices.list(await world.devices.start({ folder }), 'tasks');
    await again.sync();
    const left = [...world.list.items.keys()].filter(href => !before.has(href) || href.endsWith('/t3.ics'));
    assert.deepEqual(fetched().toSorted(), [...left, '/home/tasks/t4.ics'].toSorted());
    assert.equal(again.rows().length, 1499);
    assert.equal(new Set(again.rows().map(({ uid }) => uid)).size, 1499);
    assert.equal(again.byUid('t3')!.title, 'Edited meanwhile');
    assert.ok(again.engine.lists().find(({ id }) => id === again.id)!.syncToken);
    // Texts and rows belong together again: an edit of what came before the cut goes out under its condition.
    await again.engine.updateTask(again.byUid('t0')!.id, { title: 'Edited here' });
    await again.sync();
    assert.ok(world.list.get('t0.ics').includes('SUMMARY:Edited here'));
  });

  it('fetches what the only response names without a text, and nothing else', async () => {
    many(6);
    world.server.hook = ({ body }, next) => {
      if (!body.includes('calendar-data') || !body.includes('calendar-query')) return undefined;
      const { body: text = '', ...answer } = next();
      return {
        ...answer,
        body: text.replace(
          /<C:calendar-data>(?=BEGIN(?:(?!<\/C)[\s\S])*UID:t[25])(?:(?!<\/C)[\s\S])*<\/C:calendar-data>/g,
          '',
        ),
      };
    };
    const engine = await world.devices.open(world.server);
    const device = world.devices.list(engine, 'tasks');
    await device.sync();
    assert.deepEqual(fetched().toSorted(), ['/home/tasks/t2.ics', '/home/tasks/t5.ics']);
    assert.equal(device.rows().length, 6);
  });

  it('requests a listing if the only response is empty or incomplete', async () => {
    many(4);
    for (const body of [multistatus().body, multistatus(withStatus('/home/tasks/t0.ics', 500)).body]) {
      world.server.hook = request =>
        request.body.includes('calendar-query') && request.body.includes('calendar-data')
          ? { ...multistatus(), body }
          : undefined;
      const engine = await world.devices.open(world.server, { folder: world.devices.folder() });
      const device = world.devices.list(engine, 'tasks');
      await device.sync();
      assert.equal(device.rows().length, 4);
    }
  });

  it('includes what changes while the only response is stored', async () => {
    many(1000);
    const engine = await world.devices.open(world.server);
    const device = world.devices.list(engine, 'tasks');
    let answered = false;
    world.server.hook = ({ body }, next) => {
      if (answered || !body.includes('calendar-data')) return undefined;
      answered = true;
      const answer = next();
      world.put('t1', 'SUMMARY:Edited meanwhile');
      world.put('late', 'SUMMARY:Came meanwhile');
      world.list.remove('t2.ics');
      return answer;
    };
    await device.sync();
    assert.equal(device.byUid('t1')!.title, 'Edited meanwhile');
    assert.ok(device.byUid('late'));
    assert.equal(device.byUid('t2'), undefined);
    world.server.forget();
    await device.sync();
    assert.deepEqual(fetched(), []);
  });

  it('A10 follows pages by their new tokens', async () => {
    const device = await world.device();
    world.list.pageSize = 10;
    many(35);
    await device.sync();
    assert.equal(device.rows().length, 35);
    const tokens = world.server
      .sent('REPORT', 'sync-collection')
      .map(({ body }) => /sync-token>([^<]*)/.exec(body)?.[1]);
    assert.equal(new Set(tokens).size, 4);
  });

  it('A11 lists everything in the same run if the token is refused', async () => {
    many(5);
    const device = await world.device();
    await device.engine.updateTask(world.titled(device, 'Task 3').id, { priority: 1 });
    world.list.remove('t1.ics');
    world.put('t2', 'SUMMARY:Task 2, edited');
    world.list.oldestToken = world.list.log.length;
    await device.sync();
    assert.deepEqual(
      device
        .rows()
        .map(({ title }) => title)
        .toSorted(),
      ['Task 0', 'Task 2, edited', 'Task 3', 'Task 4'],
    );
    assert.deepEqual(fetched().toSorted(), ['/home/tasks/t1.ics', '/home/tasks/t2.ics']);
    assert.ok(world.list.get('t3.ics').includes('PRIORITY:1'));
  });

  it('A12 downloads nothing twice from a server without change reports', async () => {
    Object.assign(world.list, { hasReports: false, hasCtag: false });
    many(20);
    const device = await world.device();
    assert.equal(device.rows().length, 20);
    await device.sync();
    assert.deepEqual(fetched(), []);
    world.put('t7', 'SUMMARY:Changed');
    world.list.remove('t8.ics');
    await device.sync();
    assert.equal(device.byUid('t7')!.title, 'Changed');
    assert.equal(device.byUid('t8'), undefined);
  });

  it('A13 distinguishes ctags that some parse as the same number', async () => {
    Object.assign(world.list, { hasReports: false, ctag: '1700000000.1234567' });
    const device = await world.device();
    world.put('new', 'SUMMARY:New');
    world.list.ctag = '1700000000.1234568';
    await device.sync();
    assert.ok(device.byUid('new'));
  });

  it('A14 stores the others if one is gone when it is fetched', async () => {
    many(3);
    const device = await world.device();
    for (let at = 0; at < 3; at++) world.put(`t${at}`, `SUMMARY:Again ${at}`);
    world.server.hook = request => {
      if (isMultiget(request)) world.list.items.delete('/home/tasks/t1.ics');
      return undefined;
    };
    await device.sync();
    assert.deepEqual(
      device
        .rows()
        .map(({ title }) => title)
        .toSorted(),
      ['Again 0', 'Again 2'],
    );
  });

  for (const [response, answer] of [
    ['500', { status: 500 }],
    ['401', { status: 401 }],
    ['an empty 207', multistatus()],
    ['a page for people', { status: 200, body: '<html>Maintenance</html>' }],
    ['a home without lists, the lists themselves answering', undefined],
  ] as const) {
    it(`A15 removes no list if the home answers with ${response}`, async () => {
      many(3);
      const device = await world.device();
      world.server.hook = request =>
        request.path === '/home/' ? (answer ?? multistatus(withStatus('/home/', 200))) : undefined;
      await device.engine.sync();
      const list = device.engine.lists().find(({ id }) => id === device.id);
      assert.equal(list?.href, '/home/tasks/');
      assert.equal(device.rows().length, 3);
    });
  }

  it('A16 keeps the tasks of a list that is really gone as a local list', async () => {
    many(3);
    world.server.addList('other').put('o.ics', todoText('o', 'SUMMARY:Other'));
    const device = await world.device();
    await device.engine.sync();
    world.server.lists.delete('/home/tasks/');
    const { notices } = await world.report(device.engine);
    assert.deepEqual(notices, [{ kind: 'detached', listId: device.id, listName: 'tasks', count: 1 }]);
    const list = device.engine.lists().find(({ id }) => id === device.id);
    assert.deepEqual(pick(list, 'accountId', 'href', 'isSynced', 'syncToken'), {
      accountId: null,
      href: null,
      isSynced: false,
      syncToken: null,
    });
    assert.deepEqual(
      device.rows().map(({ href, etag, isDirty }) => ({ href, etag, isDirty })),
      [1, 2, 3].map(() => ({ href: null, etag: null, isDirty: false })),
    );
    assert.ok(device.engine.lists().some(({ name, accountId }) => name === 'other' && accountId !== null));
  });

  it('A17 deletes nothing if a full list is suddenly reported empty', async () => {
    many(30);
    const device = await world.device();
    world.list.items.clear();
    world.list.oldestToken = world.list.log.push('/home/tasks/t1.ics');
    const { error } = await world.report(device.engine);
    assert.match(error ?? '', /gone from the server/);
    assert.equal(device.rows().length, 30);
    await world.report(device.engine);
    assert.equal(device.rows().length, 30);
    const { syncing } = device.engine;
    assert.deepEqual(syncing!.emptiedLists(), [device.id]);
    await syncing!.decideEmptied(device.id, 'askAgain');
    await world.report(device.engine);
    assert.deepEqual(
      { rows: device.rows().length, emptiedLists: syncing!.emptiedLists() },
      { rows: 30, emptiedLists: [device.id] },
    );
    await syncing!.decideEmptied(device.id, 'deleteHere');
    await device.sync();
    assert.deepEqual({ rows: device.rows(), emptiedLists: syncing!.emptiedLists() }, { rows: [], emptiedLists: [] });
  });

  it('A17 continues by itself once the user tries again and the server has its tasks back', async () => {
    many(30);
    const device = await world.device();
    const items = new Map(world.list.items);
    world.list.restore(new Map());
    await world.report(device.engine);
    world.list.restore(items);
    await device.engine.syncing!.decideEmptied(device.id, 'askAgain');
    await device.sync();
    assert.deepEqual(
      { rows: device.rows().length, emptiedLists: device.engine.syncing!.emptiedLists() },
      { rows: 30, emptiedLists: [] },
    );
  });

  it('A18 ignores deletions of unknown resources', async () => {
    many(2);
    const device = await world.device();
    world.list.unknownHrefs = ['/home/tasks/unknown.ics', '/home/elsewhere/t1.ics'];
    many(1, 2);
    await device.sync();
    assert.equal(device.rows().length, 3);
  });

  it('A19 downloads no event of a mixed calendar', async () => {
    world.list.components = ['VEVENT', 'VTODO'];
    for (let at = 0; at < 10_000; at++) {
      const text = calendar(['BEGIN:VEVENT', `UID:e${at}`, 'DTSTAMP:20261120T080000Z', 'END:VEVENT']);
      world.list.put(`e${at}.ics`, text);
    }
    many(2);
    const engine = await world.devices.open(world.server);
    const device = world.devices.list(engine, 'tasks');
    await device.sync();
    assert.equal(device.rows().length, 2);
    assert.equal(world.list.items.size, 10_002);
    // The tasks of the one query are not fetched once more, and no event's address is asked for.
    assert.deepEqual(fetched(), []);
  });

  it('A20 shows a task with a broken line, keeps that line on the server, and fetches it once', async () => {
    world.put('broken', 'SUMMARY:Broken', 'THIS IS NO LINE', 'DUE:garbage', 'X-AFTER:still here');
    const device = await world.device();
    const task = world.titled(device, 'Broken');
    assert.equal(task.due, null);
    await device.sync();
    assert.deepEqual(fetched(), []);
    await device.engine.updateTask(task.id, { title: 'Mended' });
    await device.sync();
    const lines = linesOf(world.list.get('broken.ics'));
    for (const line of ['SUMMARY:Mended', 'THIS IS NO LINE', 'DUE:garbage', 'X-AFTER:still here'])
      assert.ok(lines.includes(line), line);
  });

  it('A20 keeps what cannot be read at all, fetches it once, and reads the others', async () => {
    world.list.put('rubbish.ics', 'BEGIN:VTODO is all there is');
    many(2);
    const device = await world.device();
    assert.equal(device.rows().length, 2);
    many(1, 2);
    await device.sync();
    assert.deepEqual(fetched(), ['/home/tasks/t2.ics']);
    assert.equal(world.list.get('rubbish.ics'), 'BEGIN:VTODO is all there is');
  });

  it('A21 recognizes a resource under any spelling of its address', async () => {
    const names = ['plain', 'with%20space.ics', 'at@sign.ics', 'gr%C3%BCn.ics'];
    for (const [at, name] of names.entries()) world.list.put(name, todoText(`t${at}`, `SUMMARY:Task ${at}`));
    const device = await world.device();
    assert.equal(device.rows().length, 4);
    const respell = (body = '') =>
      body
        .replaceAll('at@sign', 'at%40sign')
        .replaceAll('%C3%BC', '%c3%bc')
        .replaceAll('<D:href>/home/tasks/with', `<D:href>${world.server.url}home/tasks/with`);
    world.server.hook = (request, next) => {
      if (request.method !== 'REPORT') return undefined;
      const answer = next();
      return { ...answer, body: respell(answer.body) };
    };
    for (const [at, name] of names.entries()) world.list.put(name, todoText(`t${at}`, `SUMMARY:Again ${at}`));
    world.list.oldestToken = world.list.log.length;
    await device.sync();
    assert.deepEqual(
      device
        .rows()
        .map(({ title }) => title)
        .toSorted(),
      ['Again 0', 'Again 1', 'Again 2', 'Again 3'],
    );
    await device.engine.updateTask(world.titled(device, 'Again 2').id, { title: 'Ours' });
    await device.sync();
    assert.ok(world.list.get('at@sign.ics').includes('SUMMARY:Ours'));
  });

  it('A22 overwrites nothing if one UID has two resources', async () => {
    world.put('same', 'SUMMARY:First');
    const device = await world.device();
    world.list.put('again.ics', calendar(todo('same', 'SUMMARY:Second')));
    const [{ rowErrors, error }] = (await device.engine.sync({ listId: device.id })).accounts as [AccountReport];
    assert.equal(error, null);
    assert.deepEqual(
      rowErrors.map(({ taskId, message }) => ({ taskId, isSameUid: /same UID/.test(message) })),
      [{ taskId: device.byUid('same')!.id, isSameUid: true }],
    );
    await device.sync();
    assert.deepEqual(
      device.rows().map(({ title, href }) => ({ title, href })),
      [{ title: 'First', href: '/home/tasks/same.ics' }],
    );
    await device.engine.updateTask(device.byUid('same')!.id, { title: 'First, edited' });
    await device.sync();
    assert.ok(world.list.get('same.ics').includes('SUMMARY:First\\, edited'));
    assert.ok(world.list.get('again.ics').includes('SUMMARY:Second'));
    world.list.remove('same.ics');
    await device.sync();
    await device.sync();
    assert.deepEqual(
      device.rows().map(({ title, href }) => ({ title, href })),
      [{ title: 'Second', href: '/home/tasks/again.ics' }],
    );
  });

  for (const [how, returnsTexts] of [
    ['one answer is stored', true],
    ['batches come', false],
  ] as const) {
    it(`A64 stops at once if it is canceled while ${how}, and continues later`, async () => {
      world.list.returnsTexts = returnsTexts;
      many(1000);
      const engine = await world.devices.open(world.server);
      await assert.rejects(cancelledAt(engine, 1), { kind: 'cancelled' });
      const device = world.devices.list(engine, 'tasks');
      const before = device.rows().length;
      assert.ok(before > 0 && before < 1000, `${before}`);
      world.server.forget();
      await device.sync();
      assert.equal(device.rows().length, 1000);
      assert.equal(fetched().length, 1000 - before);
    });
  }
});
