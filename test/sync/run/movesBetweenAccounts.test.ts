import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { pick } from '../../support/pick';
import { Devices, type SyncedList } from '../support/devices';
import { AServer } from '../support/server';
import { type AList, sizesOf } from '../support/serverLists';
import { linesOf, todoText } from '../support/texts';

describe('moves between accounts', () => {
  let devices: Devices;
  let here: AServer;
  let there: AServer;
  let from: AList;
  let to: AList;
  let engine: DuelineEngine;
  let source: SyncedList;
  let target: SyncedList;
  let folder: string;

  beforeEach(async () => {
    devices = new Devices();
    here = await AServer.start();
    there = await AServer.start();
    from = here.addList('from');
    to = there.addList('to');
    from.put('t.ics', todoText('t', 'SUMMARY:Task', 'X-OWN:kept'));
    from.put('c.ics', todoText('c', 'SUMMARY:Child', 'RELATED-TO:t'));
    folder = devices.folder();
    engine = await devices.open(here, { folder });
    const { url, username, password } = there;
    await engine.addAccount({ serverUrl: url, username, password });
    await engine.sync();
    bind();
  });
  afterEach(async () => {
    await devices.close();
    await here.stop();
    await there.stop();
  });

  const bind = () => {
    source = devices.list(engine, 'from');
    target = devices.list(engine, 'to');
  };
  const move = () => engine.moveTask(source.byUid('t')!.id, { listId: target.id });
  const accountOf = (server: AServer) =>
    engine.accounts().find(({ homeSetUrl }) => homeSetUrl?.startsWith(server.url))!.id;
  const living = (list: SyncedList) =>
    list
      .rows()
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ uid }) => uid)
      .sort();
  const restart = async () => {
    await engine.close();
    engine = await devices.start({ folder });
    bind();
  };
  const offline = () => 'cut' as const;

  it('create the task there before they delete it here, both in one run', async () => {
    await move();
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 2 });
    assert.match(to.get('t.ics'), /X-OWN:kept/);
    assert.deepEqual({ source: living(source), target: living(target) }, { source: [], target: ['c', 't'] });
    assert.equal(target.byUid('c')!.parentId, target.byUid('t')!.id);
    assert.deepEqual(
      { left: source.rows().length, isDirty: target.rows().some(({ isDirty }) => isDirty) },
      { left: 0, isDirty: false },
    );
  });

  it('remember their origin if that list disappeared for a while, and take along what was edited there', async () => {
    from.put('s.ics', todoText('s', 'SUMMARY:Stays'));
    await engine.sync();
    await move();
    here.hook = ({ method }) => (method === 'DELETE' ? { status: 423 } : undefined);
    await engine.sync();
    here.hook = undefined;
    assert.deepEqual(sizesOf({ from, to }), { from: 3, to: 2 });
    here.lists.delete(from.path);
    await engine.sync();
    assert.equal(engine.lists().find(({ id }) => id === source.id)!.accountId, null);
    from.put('t.ics', todoText('t', 'SUMMARY:Edited there', 'X-OWN:kept'));
    here.lists.set(from.path, from);
    for (let round = 0; round < 2; round++) await engine.sync();
    assert.deepEqual({ source: living(source), target: living(target) }, { source: ['s'], target: ['c', 't'] });
    assert.equal(target.byUid('t')!.title, 'Edited there');
    assert.deepEqual(sizesOf({ from, to }), { from: 1, to: 2 });
  });

  it('keep the old copy if the new one is gone when the old one is about to be deleted', async () => {
    await move();
    here.hook = ({ method }) => (method === 'DELETE' ? { status: 423 } : undefined);
    await engine.sync();
    here.hook = undefined;
    assert.deepEqual(sizesOf({ from, to }), { from: 2, to: 2 });
    to.remove('t.ics');
    await engine.sync({ listId: source.id });
    assert.equal(from.items.size, 1);
    for (let round = 0; round < 3; round++) {
      await engine.sync();
      devices.clock.time += 1;
    }
    assert.deepEqual({ source: living(source), target: living(target) }, { source: ['t'], target: ['c'] });
    assert.deepEqual(sizesOf({ from, to }), { from: 1, to: 1 });
  });

  it('do so even if only the new list is synced, as after an edit', async () => {
    await move();
    await engine.sync({ listId: target.id });
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 2 });
  });

  it('delete nothing here while the other server is unavailable, however often it is retried and restarted', async () => {
    await move();
    there.hook = offline;
    for (let run = 0; run < 3; run++) {
      await engine.sync();
      await engine.sync({ accountId: accountOf(here) });
      await restart();
      assert.equal(from.items.size, 2, 'the old server keeps its copy');
    }
    there.hook = undefined;
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 2 });
    assert.deepEqual(living(target), ['c', 't']);
  });

  it('delete nothing here while the other server refuses the task', async () => {
    await move();
    there.hook = ({ method, path }) => (method === 'PUT' && path.endsWith('/t.ics') ? { status: 415 } : undefined);
    await engine.sync();
    await engine.sync();
    assert.deepEqual([...from.items.keys()], ['/home/from/t.ics']);
    assert.equal(target.byUid('t')!.isDirty, true);
  });

  it('also wait under a new UID if the other server refuses the old one', async () => {
    await move();
    there.hook = ({ method, body }) => {
      if (method !== 'PUT' || !body.includes('SUMMARY:Task')) return undefined;
      return body.includes('UID:t\r\n') ? { status: 400, body: 'UID already exists' } : 'cut';
    };
    await engine.sync();
    await engine.sync();
    assert.ok(from.items.has('/home/from/t.ics'));
    there.hook = undefined;
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 2 });
  });

  it('recognize a task that arrived without a response, and create no second one', async () => {
    await move();
    there.hook = ({ method }, next) => {
      if (method === 'PUT') next();
      return method === 'PUT' ? 'cut' : undefined;
    };
    await engine.sync();
    assert.equal(from.items.size, 2);
    await restart();
    there.hook = undefined;
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 2 });
    assert.deepEqual(living(target), ['c', 't']);
  });

  it('return to their origin if the other account is removed before they arrived', async () => {
    await move();
    there.hook = offline;
    await engine.sync();
    await engine.removeAccount(accountOf(there));
    assert.deepEqual({ source: living(source), target: living(target) }, { source: ['c', 't'], target: [] });
    await engine.sync();
    assert.deepEqual(
      [...from.items.values()].map(({ text }) => linesOf(text).find(line => line.startsWith('SUMMARY'))),
      ['SUMMARY:Task', 'SUMMARY:Child'],
    );
    assert.equal(source.byUid('c')!.parentId, source.byUid('t')!.id);
    assert.ok(source.rows().every(({ isDirty, isDeleted }) => !isDirty && !isDeleted));
  });

  it('leave behind what was created below them in the list where they never arrived', async () => {
    await move();
    there.hook = offline;
    const below = await engine.createTask(target.id, { title: 'Below' });
    await engine.moveTask(below, { parentId: target.byUid('t')!.id });
    await engine.sync();
    await engine.removeAccount(accountOf(there));
    const { listId, parentId, isDirty, isDeleted } = engine.task(below)!;
    assert.deepEqual(
      { listId, parentId, isDirty, isDeleted },
      { listId: target.id, parentId: null, isDirty: false, isDeleted: false },
    );
    assert.deepEqual(living(source), ['c', 't']);
  });

  it('stay on this computer if the account they left is removed first', async () => {
    await move();
    there.hook = offline;
    await engine.sync();
    await engine.removeAccount(accountOf(here));
    there.hook = undefined;
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 2, to: 2 });
    assert.deepEqual({ source: living(source), target: living(target) }, { source: [], target: ['c', 't'] });
  });

  it('take along what was edited on the old server meanwhile, and leave no second copy', async () => {
    await move();
    await engine.updateTask(target.byUid('t')!.id, { location: 'Here' });
    there.hook = offline;
    await engine.sync();
    from.put('t.ics', todoText('t', 'SUMMARY:Edited there', 'X-OWN:kept'));
    await engine.sync();
    there.hook = undefined;
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 2 });
    const lines = linesOf(to.get('t.ics'));
    assert.ok(lines.includes('SUMMARY:Edited there') && lines.includes('LOCATION:Here'), lines.join('\n'));
    assert.deepEqual({ source: living(source), target: living(target) }, { source: [], target: ['c', 't'] });
  });

  it('take along an occurrence that was completed on the old server meanwhile', async () => {
    const series = ['SUMMARY:Series', 'DTSTART:20261101T090000Z', 'RRULE:FREQ=DAILY'];
    from.put('s.ics', todoText('s', ...series));
    await engine.sync();
    await engine.moveTask(source.byUid('s')!.id, { listId: target.id });
    const override = ['SUMMARY:Done once', 'RECURRENCE-ID:20261102T090000Z', 'STATUS:COMPLETED'];
    const both = todoText('s', ...series).replace('END:VCALENDAR', `${inner('s', override)}\r\nEND:VCALENDAR`);
    from.put('s.ics', both);
    await engine.sync();
    await engine.sync();
    assert.equal(from.items.has('/home/from/s.ics'), false);
    assert.match(to.get('s.ics'), /SUMMARY:Done once/);
    assert.deepEqual(
      source.rows().filter(({ uid }) => uid === 's'),
      [],
    );
  });

  const inner = (uid: string, lines: string[]) =>
    ['BEGIN:VTODO', `UID:${uid}`, 'DTSTAMP:20261120T080000Z', ...lines, 'END:VTODO'].join('\r\n');

  it('take along edits on the server into a local list, and leave the rows clean', async () => {
    const local = await engine.createList({ name: 'local' });
    await engine.moveTask(source.byUid('t')!.id, { listId: local });
    from.put('t.ics', todoText('t', 'SUMMARY:Edited there'));
    await engine.sync();
    await engine.sync();
    assert.equal(from.items.size, 0);
    const rows = engine.rows(local).map(row => pick(row, 'uid', 'title', 'isDirty'));
    assert.deepEqual(
      rows.toSorted((one, other) => one.uid.localeCompare(other.uid)),
      [
        { uid: 'c', title: 'Child', isDirty: false },
        { uid: 't', title: 'Edited there', isDirty: false },
      ],
    );
    assert.deepEqual(source.rows(), []);
  });

  it('are undone before they arrived, and after', async () => {
    await move();
    there.hook = offline;
    await engine.sync();
    assert.equal(await engine.undo(), true);
    there.hook = undefined;
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 2, to: 0 });
    await move();
    here.hook = ({ method }) => (method === 'DELETE' ? { status: 500 } : undefined);
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 2, to: 2 });
    here.hook = undefined;
    assert.equal(await engine.undo(), true);
    await engine.sync();
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 2, to: 0 });
    assert.deepEqual({ source: living(source), target: living(target) }, { source: ['c', 't'], target: [] });
  });

  it('are redone by redo, and by undo of the way back: one copy is left, in the new list', async () => {
    const back = () => engine.moveTask(target.byUid('t')!.id, { listId: source.id });
    const arrives = async () => {
      await engine.sync();
      await engine.sync();
      assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 2 });
      assert.deepEqual({ source: living(source), target: living(target) }, { source: [], target: ['c', 't'] });
    };
    await move();
    await engine.undo();
    await engine.redo();
    await arrives();
    await back();
    await engine.undo();
    await arrives();
    await back();
    await engine.sync();
    await engine.sync();
    assert.deepEqual(sizesOf({ from, to }), { from: 2, to: 0 });
    await move();
    await back();
    await engine.undo();
    await arrives();
  });

  it('keep on the old server a task that it got without a response, until that has arrived', async () => {
    const id = await engine.createTask(source.id, { title: 'New', location: 'Here' });
    const { uid } = engine.task(id)!;
    here.hook = ({ method }, next) => {
      if (method !== 'PUT') return undefined;
      next();
      return 'cut';
    };
    await engine.sync();
    here.hook = undefined;
    const path = `/home/from/${uid}.ics`;
    from.put(path, from.items.get(path)!.text.replace('SUMMARY:New', 'SUMMARY:Edited there'));
    await engine.moveTask(id, { listId: target.id });
    there.hook = offline;
    await engine.sync();
    assert.ok(from.items.has(path));
    there.hook = undefined;
    await engine.sync();
    await engine.sync();
    assert.equal(from.items.has(path), false);
    const lines = linesOf(to.items.get(`/home/to/${uid}.ics`)!.text);
    assert.ok(lines.includes('SUMMARY:Edited there') && lines.includes('LOCATION:Here'));
    assert.equal(engine.task(id)!.listId, target.id);
    assert.ok(!source.byUid(uid));
  });

  for (const isNew of [true, false])
    it(`begun while ${isNew ? 'a creation' : 'an edit'} is being sent keep the old copy until the task has arrived`, async () => {
      const id = isNew ? await engine.createTask(source.id, { title: 'x' }) : source.byUid('t')!.id;
      await engine.updateTask(id, { title: 'Edited' });
      const { uid } = engine.task(id)!;
      here.hook = async ({ method }, next) => {
        if (method !== 'PUT') return undefined;
        here.hook = undefined;
        const answer = next();
        await engine.moveTask(id, { listId: target.id });
        return answer;
      };
      there.hook = offline;
      await engine.sync();
      await engine.sync();
      assert.ok(from.items.has(`/home/from/${uid}.ics`));
      there.hook = undefined;
      await engine.sync();
      assert.equal(from.items.has(`/home/from/${uid}.ics`), false);
      assert.match(to.items.get(`/home/to/${uid}.ics`)!.text, /SUMMARY:Edited/);
      assert.deepEqual(
        { conflicts: await devices.conflictsOf(engine), isDirty: engine.task(id)!.isDirty },
        { conflicts: [], isDirty: false },
      );
    });

  it('cross each other without loss', async () => {
    to.put('u.ics', todoText('u', 'SUMMARY:Other way'));
    await engine.sync();
    await move();
    await engine.moveTask(target.byUid('u')!.id, { listId: source.id });
    await engine.sync();
    await engine.sync();
    assert.deepEqual({ from: [...from.items.keys()], to: to.items.size }, { from: ['/home/from/u.ics'], to: 2 });
    assert.deepEqual({ source: living(source), target: living(target) }, { source: ['u'], target: ['c', 't'] });
  });
});
