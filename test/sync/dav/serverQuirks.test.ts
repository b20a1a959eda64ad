import assert from 'node:assert/strict';
import type { Hook } from '../support/server';
import { withForeignList } from '../support/serverQuirks';
import { calendar, linesOf, todo, todoText } from '../support/texts';
import { aWorld } from '../support/world';

/** Acts of servers, proxies and other devices that no standard speaks of, and that must cost nobody a task. */
describe('server quirks', () => {
  const world = aWorld();
  const put = (uid: string, ...lines: string[]) => world.put(uid, ...lines);
  const uids = (rows: readonly { uid: string; isDeleted: boolean }[]) =>
    rows
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ uid }) => uid)
      .sort();

  for (const hasReports of [true, false]) {
    const how = hasReports ? 'by change reports' : 'by listings';

    it(`a server that renames a resource keeps the row, its children and its edits, noticed ${how}`, async () => {
      world.list.hasReports = hasReports;
      put('t', 'SUMMARY:Parent');
      put('c', 'SUMMARY:Child', 'RELATED-TO:t');
      const device = await world.device();
      const { id } = device.byUid('t')!;
      await device.engine.updateTask(id, { location: 'Here' });
      world.list.remove('t.ics');
      world.list.put('renamed-1', todoText('t', 'SUMMARY:Parent', 'PRIORITY:1'));
      await device.sync();
      const row = device.byUid('t')!;
      assert.deepEqual(row, { ...row, id, href: '/home/tasks/renamed-1', location: 'Here', priority: 1 });
      assert.equal(device.byUid('c')!.parentId, id);
      assert.deepEqual([...world.list.items.keys()].sort(), ['/home/tasks/c.ics', '/home/tasks/renamed-1']);
      assert.deepEqual(await world.devices.conflictsOf(device.engine), []);
    });
  }

  it('a parent that is deleted and restored gets its children back, and no edit of theirs loses it', async () => {
    put('t', 'SUMMARY:Parent');
    for (const uid of ['c', 'd']) put(uid, 'SUMMARY:Child', 'RELATED-TO:t');
    const device = await world.device();
    world.list.remove('t.ics');
    await device.sync();
    assert.equal(device.byUid('c')!.parentId, null);
    await device.engine.updateTask(device.byUid('d')!.id, { title: 'Edited' });
    await device.sync();
    assert.ok(linesOf(world.list.get('d.ics')).includes('RELATED-TO:t'));
    put('t', 'SUMMARY:Parent');
    await device.sync();
    await device.engine.updateTask(device.byUid('c')!.id, { title: 'Edited' });
    await device.sync();
    await device.sync();
    const { id } = device.byUid('t')!;
    for (const uid of ['c', 'd']) assert.equal(device.byUid(uid)!.parentId, id);
    assert.ok(linesOf(world.list.get('c.ics')).includes('RELATED-TO:t'));
  });

  for (const isKnown of [true, false])
    it(`a list that ${isKnown ? 'now redirects' : 'redirects'} elsewhere does not keep others from syncing`, async () => {
      const elsewhere = 'http://elsewhere.test:81/home/foreign/';
      if (isKnown) world.server.addList('apart');
      const device = await world.device();
      world.server.hook = isKnown
        ? ({ path }) => (path.includes('/apart/') ? { status: 307, headers: { location: elsewhere } } : undefined)
        : withForeignList(world.server, elsewhere);
      if (isKnown) world.server.lists.get('/home/apart/')?.put('a.ics', todoText('a', 'SUMMARY:Apart'));
      const { engine, id } = device;
      await engine.createTask(id, { title: 'Ours' });
      put('theirs', 'SUMMARY:Theirs');
      const name = isKnown ? 'apart' : 'Foreign';
      assert.match(
        (await world.report(engine)).error ?? '',
        new RegExp(`^${name}: .*redirects to http://elsewhere.test:81`),
      );
      assert.deepEqual(device.titles(), ['Ours', 'Theirs']);
      assert.ok(device.rows().every(({ isDirty }) => !isDirty));
      assert.equal(world.list.items.size, 2);
    });

  it('a list that disappears and comes back is not there twice, and gets what was done meanwhile', async () => {
    for (const uid of ['edited', 'deleted', 'same', 'theirs']) put(uid, `SUMMARY:${uid}`);
    const device = await world.device();
    const { engine, id } = device;
    world.server.lists.delete(world.list.path);
    await engine.sync();
    assert.equal(engine.lists().find(list => list.id === id)!.accountId, null);
    await engine.updateTask(device.byUid('edited')!.id, { title: 'Edited meanwhile' });
    await engine.deleteTask(device.byUid('deleted')!.id);
    await engine.createTask(id, { title: 'New' });
    put('theirs', 'SUMMARY:Edited there');
    world.server.lists.set(world.list.path, world.list);
    await engine.sync();
    assert.equal(engine.lists().filter(({ name }) => name === 'tasks').length, 1);
    const titles = device.rows().map(({ title, isDirty }) => [title, isDirty]);
    assert.deepEqual(titles.sort(), [
      ['Edited meanwhile', false],
      ['Edited there', false],
      ['New', false],
      ['same', false],
    ]);
    assert.equal(world.list.items.size, 4);
    assert.ok(world.list.get('edited.ics').includes('Edited meanwhile'));
    assert.deepEqual(await world.devices.conflictsOf(engine), []);
  });

  it('a task that is fetched while its list is away is not treated as deleted', async () => {
    for (let at = 0; at < 8; at++) put(`t${at}`, `SUMMARY:${at}`);
    const device = await world.device();
    for (let at = 0; at < 8; at++) put(`t${at}`, `SUMMARY:edited ${at}`);
    let isAway = false;
    world.server.hook = ({ body }, next) => {
      const answer = next();
      if (isAway) return { status: 404 };
      isAway = body.includes('sync-collection');
      return answer;
    };
    const report = await world.report(device.engine);
    assert.ok(report.error);
    assert.equal(device.rows().length, 8);
    world.server.hook = undefined;
    await device.sync();
    assert.ok(device.rows().every(({ title }) => title?.startsWith('edited')));
  });

  it('a server that fails after it stored a new task does not get a second one, nor one that was deleted meanwhile', async () => {
    const device = await world.device();
    const kept = await device.engine.createTask(device.id, { title: 'Kept' });
    const gone = await device.engine.createTask(device.id, { title: 'Deleted meanwhile' });
    world.server.hook = ({ method }, next) => {
      if (method !== 'PUT') return undefined;
      next();
      return { status: 500 };
    };
    await device.engine.sync();
    assert.equal(world.list.items.size, 2);
    await device.engine.deleteTask(gone);
    world.server.hook = undefined;
    await device.sync();
    await device.sync();
    assert.deepEqual(
      device.rows().map(({ id, isDirty }) => [id, isDirty]),
      [[kept, false]],
    );
    assert.equal(world.list.items.size, 1);
  });

  it('a proxy that repeats a creation and passes on the second response does not revive a task', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'Short-lived' });
    world.server.hook = async ({ method }, next) => {
      if (method !== 'PUT') return undefined;
      next();
      await device.engine.deleteTask(id);
      return next();
    };
    await device.engine.sync();
    world.server.hook = undefined;
    await device.sync();
    await device.sync();
    assert.equal(device.rows().length, 0);
    assert.equal(world.list.items.size, 0);
  });

  it('a proxy that finds nothing for a moment is not believed to have deleted a task', async () => {
    put('t', 'SUMMARY:Task');
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('t')!.id);
    let lies = 0;
    world.server.hook = ({ method }) => (method === 'DELETE' && lies++ === 0 ? { status: 404 } : undefined);
    await device.sync();
    assert.equal(world.list.items.size, 0);
    assert.deepEqual(device.rows(), []);
  });

  it('a deletion that the server carried out although it failed can be undone', async () => {
    put('t', 'SUMMARY:Task');
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('t')!.id);
    world.server.hook = ({ method }, next) => {
      if (method !== 'DELETE') return undefined;
      next();
      return { status: 500 };
    };
    await device.engine.sync();
    world.server.hook = undefined;
    await device.engine.undo();
    await device.sync();
    await device.sync();
    assert.deepEqual(uids(device.rows()), ['t']);
    assert.equal(world.list.items.size, 1);
  });

  for (const [when, methods] of [
    ['before its tag is asked for', ['GET']],
    ['after its tag was asked for', ['PROPFIND']],
    ['before and after', ['GET', 'PROPFIND']],
  ] as const)
    it(`a text without its tag is up to date if it changes ${when}`, async () => {
      put('t', 'SUMMARY:Before');
      const device = await world.device();
      put('t', 'SUMMARY:Edit 0');
      const left: string[] = [...methods];
      let edits = 0;
      world.server.hook = ({ method, path, body }, next) => {
        if (body.includes('calendar-multiget')) return { status: 501 };
        if (!path.endsWith('t.ics')) return undefined;
        const answer = next();
        if (left[0] === method) {
          left.shift();
          put('t', `SUMMARY:Edit ${++edits}`);
        }
        return method === 'GET' ? { ...answer, headers: { 'content-type': 'text/calendar' } } : answer;
      };
      for (let round = 0; round < 2; round++) await device.sync();
      assert.deepEqual(left, []);
      assert.equal(device.byUid('t')!.title, `Edit ${methods.length}`);
      await device.engine.updateTask(device.byUid('t')!.id, { priority: 1 });
      await device.sync();
      assert.match(world.list.get('t.ics'), /PRIORITY:1/);
      assert.deepEqual(await world.devices.conflictsOf(device.engine), []);
    });

  const pages: readonly (readonly [feature: string, headers: Readonly<Record<string, string>>])[] = [
    ['without an ETag', { 'content-type': 'text/html; charset=utf-8' }],
    ['with an ETag of its own', { 'content-type': 'text/html', etag: '"page"' }],
    ['that says nothing of its kind', {}],
  ];
  for (const [feature, page] of pages)
    it(`the login page of a network, ${feature}, is not read as an answer`, async () => {
      put('old', 'SUMMARY:Old');
      put('away', 'SUMMARY:Deleted');
      const device = await world.device();
      const { engine } = device;
      await engine.updateTask(device.byUid('old')!.id, { title: 'Edited' });
      await engine.createTask(device.id, { title: 'New' });
      if ('content-type' in page) await engine.deleteTask(device.byUid('away')!.id);
      world.server.hook = ({ method }) =>
        method === 'PUT' || method === 'DELETE' ? { status: 200, headers: page, body: '<html>Welcome' } : undefined;
      for (let run = 0; run < 2; run++) await engine.sync();
      assert.deepEqual(
        device.rows().flatMap(({ title, isDirty, isDeleted }) => (isDirty && !isDeleted ? [title] : [])),
        ['Edited', 'New'],
      );
      world.server.hook = undefined;
      await device.sync();
      const titles = [...world.list.items.values()].map(({ text }) => /SUMMARY:(.*)/.exec(text)![1]);
      assert.deepEqual(titles.sort(), 'content-type' in page ? ['Edited', 'New'] : ['Deleted', 'Edited', 'New']);
      assert.ok(device.rows().every(({ isDirty, isDeleted }) => !isDirty && !isDeleted));
    });

  it('a file that contains an occurrence twice, or the task itself, blocks nothing', async () => {
    const series = ['SUMMARY:Series', 'DTSTART:20261101T090000Z', 'RRULE:FREQ=DAILY'];
    const override = (title: string) => todo('s', `SUMMARY:${title}`, 'RECURRENCE-ID:20261102T090000Z');
    world.list.put('s.ics', calendar(todo('s', ...series), override('One'), override('Two')));
    world.list.put('m.ics', calendar(todo('m', 'SUMMARY:First'), todo('m', 'SUMMARY:Second')));
    put('other', 'SUMMARY:Other');
    const engine = await world.devices.open(world.server);
    // It is said of both that there is more in their files.
    assert.equal((await world.report(engine)).rowErrors.length, 2);
    const device = world.devices.list(engine, world.list.name);
    assert.ok(device.byUid('s') && device.byUid('m') && device.byUid('other'));
    await device.engine.updateTask(device.byUid('s')!.id, { title: 'Edited' });
    put('other', 'SUMMARY:Changed');
    await device.engine.sync();
    assert.equal(device.byUid('other')!.title, 'Changed');
  });

  it('a resource that takes over the UID of another one blocks nothing, and both are kept', async () => {
    put('a', 'SUMMARY:A');
    put('b', 'SUMMARY:B');
    const device = await world.device();
    world.list.put('a.ics', todoText('b', 'SUMMARY:Now B too'));
    put('c', 'SUMMARY:C');
    await device.engine.sync();
    assert.ok(device.rows().some(({ title }) => title === 'C'));
    assert.ok(device.rows().some(({ title }) => title === 'B'));
    assert.equal(world.list.items.size, 3);
    world.list.remove('b.ics');
    await device.engine.sync();
    await device.engine.sync();
    const titles = device.rows().map(({ title }) => title);
    assert.deepEqual(titles.sort(), ['C', 'Now B too']);
  });

  it('an occurrence that claims another one’s place does not keep out any task', async () => {
    const series = todo('s', 'SUMMARY:Series', 'DTSTART:20261101T090000Z', 'RRULE:FREQ=DAILY');
    const override = (day: number, title: string) =>
      todo('s', `SUMMARY:${title}`, `RECURRENCE-ID:2026110${day}T090000Z`);
    world.list.put('s.ics', calendar(series, override(2, 'Second')));
    world.list.put('alone.ics', calendar(override(3, 'Third')));
    const device = await world.device();
    assert.equal(device.rows().length, 3);
    world.list.put('alone.ics', calendar(override(2, 'Claims the second')));
    for (let at = 0; at < 5; at++) put(`t${at}`, `SUMMARY:${at}`);
    await world.report(device.engine);
    assert.equal(device.rows().filter(({ uid }) => uid.startsWith('t')).length, 5);
    assert.equal(world.titled(device, 'Second').uid, 's');
    world.server.forget();
    await world.report(device.engine);
    assert.equal(world.server.requests.length, 1);
  });

  const elsewhere = async () => {
    const other = world.server.addList('other');
    const third = world.server.addList('third');
    put('t', 'SUMMARY:Task', 'DESCRIPTION:Words');
    put('c', 'SUMMARY:Child', 'RELATED-TO:t');
    const device = await world.device();
    await device.engine.sync();
    const lists = {
      other: world.devices.list(device.engine, 'other'),
      third: world.devices.list(device.engine, 'third'),
    };
    const moveThere = () => {
      for (const uid of ['t', 'c']) other.put(`${uid}.ics`, world.list.get(`${uid}.ics`));
      for (const uid of ['t', 'c']) world.list.remove(`${uid}.ics`);
    };
    const uidsByList = () => ({
      tasks: uids(device.rows()),
      other: uids(lists.other.rows()),
      third: uids(lists.third.rows()),
    });
    return { device, other, third, lists, moveThere, uidsByList };
  };

  it('a task that never arrived in a list, and is later moved there by another device, stays there', async () => {
    const { device, other, lists } = await elsewhere();
    const id = await device.engine.createTask(device.id, { title: 'Wanders' });
    const { uid } = device.engine.task(id)!;
    world.server.hook = ({ method }) => (method === 'PUT' ? 'cut' : undefined);
    await device.engine.sync();
    world.server.hook = undefined;
    await device.engine.moveTask(id, { listId: lists.other.id });
    await device.engine.sync();
    assert.ok(other.items.has(`/home/other/${uid}.ics`));
    const text = other.items.get(`/home/other/${uid}.ics`)!.text.replace('SUMMARY:Wanders', 'SUMMARY:Wanders on');
    world.list.put(`/home/tasks/${uid}.ics`, text);
    other.remove(`/home/other/${uid}.ics`);
    for (let run = 0; run < 3; run++) await device.engine.sync();
    assert.ok(world.list.items.has(`/home/tasks/${uid}.ics`));
    assert.equal(device.byUid(uid)?.title, 'Wanders on');
    assert.equal(lists.other.byUid(uid), undefined);
  });

  it('a task edited here and moved elsewhere on another device is one task, moved and edited', async () => {
    const { device, other, lists, moveThere, uidsByList } = await elsewhere();
    const { id } = device.byUid('t')!;
    await device.engine.updateTask(id, { title: 'Edited here' });
    moveThere();
    await device.engine.sync();
    await device.engine.sync();
    assert.deepEqual(uidsByList(), { tasks: [], other: ['c', 't'], third: [] });
    assert.equal(lists.other.byUid('t')!.id, id);
    assert.equal(lists.other.byUid('c')!.parentId, id);
    assert.deepEqual({ tasks: world.list.items.size, other: other.items.size }, { tasks: 0, other: 2 });
    const lines = linesOf(other.get('t.ics'));
    assert.ok(lines.includes('SUMMARY:Edited here') && lines.includes('DESCRIPTION:Words'));
    assert.deepEqual(await world.devices.conflictsOf(device.engine), []);
  });

  const unseen: [string, (moveThere: () => void) => Hook][] = [
    [
      'while its new list cannot be read',
      moveThere => {
        moveThere();
        return ({ path }) => (path.startsWith('/home/other') ? { status: 423 } : undefined);
      },
    ],
    [
      'after its new list was looked at',
      moveThere => {
        let isMoved = false;
        return ({ method }) => {
          if (!isMoved && method === 'REPORT') moveThere();
          isMoved ||= method === 'REPORT';
          return undefined;
        };
      },
    ],
  ];
  for (const [when, hookOf] of unseen)
    it(`a task edited here and moved elsewhere on another device ${when} is not recreated`, async () => {
      const { device, other, lists, moveThere, uidsByList } = await elsewhere();
      const { id } = device.byUid('t')!;
      await device.engine.updateTask(id, { title: 'Edited here' });
      world.list.put('news.ics', todoText('news', 'SUMMARY:News'));
      world.server.hook = hookOf(moveThere);
      await device.engine.sync();
      world.server.hook = undefined;
      assert.equal(device.byUid('t')!.title, 'Edited here');
      assert.deepEqual([...world.list.items.keys()], ['/home/tasks/news.ics']);
      for (let run = 0; run < 2; run++) await device.engine.sync();
      assert.deepEqual(uidsByList(), { tasks: ['news'], other: ['c', 't'], third: [] });
      assert.equal(lists.other.byUid('t')!.id, id);
      assert.ok(linesOf(other.get('t.ics')).includes('SUMMARY:Edited here'));
      assert.equal(world.list.items.size, 1);
    });

  it('a task edited here and moved elsewhere is not recreated if only its old list is synced', async () => {
    const { device, other, moveThere, uidsByList } = await elsewhere();
    await device.engine.updateTask(device.byUid('t')!.id, { title: 'Edited here' });
    moveThere();
    await device.engine.sync({ listId: device.id });
    assert.equal(world.list.items.size, 0);
    for (let run = 0; run < 2; run++) await device.engine.sync();
    assert.deepEqual(uidsByList(), { tasks: [], other: ['c', 't'], third: [] });
    assert.ok(linesOf(other.get('t.ics')).includes('SUMMARY:Edited here'));
  });

  it('a task completed here and moved elsewhere on another device is done there', async () => {
    const { device, other, moveThere, uidsByList } = await elsewhere();
    await device.engine.completeTask(device.byUid('c')!.id);
    moveThere();
    await device.engine.sync();
    await device.engine.sync();
    assert.deepEqual(uidsByList(), { tasks: [], other: ['c', 't'], third: [] });
    assert.ok(linesOf(other.get('c.ics')).includes('STATUS:COMPLETED'));
  });

  it('a task moved to one list here and to another one on another device is in both, and offered as a duplicate', async () => {
    const { device, other, third, lists, moveThere, uidsByList } = await elsewhere();
    await device.engine.updateTask(device.byUid('t')!.id, { location: 'Here' });
    await device.engine.moveTask(device.byUid('t')!.id, { listId: lists.third.id });
    moveThere();
    for (let round = 0; round < 3; round++) {
      await device.engine.sync();
      world.devices.clock.time += 3_600_000;
    }
    assert.deepEqual(uidsByList(), { tasks: [], other: ['c', 't'], third: ['c', 't'] });
    assert.deepEqual(
      { tasks: world.list.items.size, other: other.items.size, third: third.items.size },
      { tasks: 0, other: 2, third: 2 },
    );
    for (const { byUid } of [lists.other, lists.third]) assert.equal(byUid('c')!.parentId, byUid('t')!.id);
    assert.ok(linesOf(third.get('t.ics')).includes('LOCATION:Here'));
    assert.deepEqual(
      device.engine.syncing!.conflicts().map(({ reason }) => reason),
      ['duplicate', 'duplicate'],
    );
  });

  it('a task edited here and deleted on another device is not confused with its copy in another local list', async () => {
    const { device, uidsByList } = await elsewhere();
    const local = await device.engine.createList({ name: 'local' });
    await device.engine.importTasks('ics', todoText('t', 'SUMMARY:Copy'), local);
    await device.engine.updateTask(device.byUid('t')!.id, { title: 'Edited here' });
    world.list.remove('t.ics');
    await device.engine.sync();
    assert.deepEqual(uidsByList(), { tasks: ['c', 't'], other: [], third: [] });
    assert.ok(linesOf(world.list.get('t.ics')).includes('SUMMARY:Edited here'));
    assert.equal(device.engine.rows(local)[0]!.title, 'Copy');
  });
});
