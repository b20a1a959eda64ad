import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import type { Id } from '../../../src/core/kernel/model';
import { Devices } from '../support/devices';
import { AServer } from '../support/server';
import type { AList } from '../support/serverLists';
import { linesOf, todoText } from '../support/texts';

/** Changes that servers already know when they are undone. */
describe('a change that is undone after a sync', () => {
  let devices: Devices;
  let one: AServer;
  let two: AServer;
  let from: AList;
  let engine: DuelineEngine;

  const family = ['Child', 'Series', 'Task'];

  beforeEach(async () => {
    devices = new Devices();
    [one, two] = [await AServer.start(), await AServer.start()];
    from = one.addList('from');
    one.addList('also');
    two.addList('to');
    from.put('t.ics', todoText('t', 'SUMMARY:Task', 'PRIORITY:1'));
    from.put('c.ics', todoText('c', 'SUMMARY:Child', 'RELATED-TO:t'));
    from.put('a-series.ics', todoText('s', 'SUMMARY:Series', 'DTSTART:20261120T090000Z', 'RRULE:FREQ=DAILY'));
    engine = await devices.open(one);
    const { url, username, password } = two;
    await engine.addAccount({ serverUrl: url, username, password });
    await engine.createList({ name: 'local' });
    await sync();
    await engine.completeTask(ofUid('s'));
    await sync();
  });
  afterEach(async () => {
    await devices.close();
    await one.stop();
    await two.stop();
  });

  const sync = async () => {
    devices.clock.time += 3_600_000;
    await engine.sync();
  };
  const listNamed = (name: string): Id => engine.lists().find(list => list.name === name)!.id;
  const rows = () => engine.lists().flatMap(({ id, name }) => engine.rows(id).map(row => ({ ...row, list: name })));
  const ofUid = (uid: string): Id => rows().find(row => row.uid === uid && row.masterId === null && !row.isDeleted)!.id;
  const here = () =>
    rows()
      .filter(({ masterId, isDeleted }) => masterId === null && !isDeleted)
      .map(({ title, list }) => `${title} in ${list}`)
      .sort();
  const there = () =>
    [one, two]
      .flatMap(server => [...server.lists.values()])
      .flatMap(({ name, items }) =>
        [...items.values()].map(({ text }) => {
          const title = linesOf(text).find(line => line.startsWith('SUMMARY:'))!;
          return `${title.slice('SUMMARY:'.length)} in ${name}`;
        }),
      )
      .sort();

  const settle = async () => {
    for (let round = 0; round < 3; round++) await sync();
    // Someone else's task, so that the list is read again.
    from.put('x.ics', todoText('x', 'SUMMARY:Other'));
    await sync();
    from.remove('x.ics');
    await sync();
  };

  /** Both sides have these tasks, no change is pending, and parent, child and series are complete. */
  const settlesAs = async (expected: readonly string[]) => {
    await settle();
    assert.deepEqual(here(), expected);
    assert.deepEqual(
      there(),
      expected.filter(place => !place.endsWith('local')),
    );
    assert.deepEqual(
      rows().filter(({ isDirty, isDeleted }) => isDirty || isDeleted),
      [],
    );
    assert.equal(engine.task(ofUid('c'))?.parentId, ofUid('t'));
    assert.equal(rows().filter(({ uid, masterId }) => uid === 's' && masterId !== null).length, 1);
  };
  const inFrom = family.map(title => `${title} in from`);

  const moves: Readonly<Record<string, () => Promise<unknown>>> = {
    'a move to a list of this computer': () => engine.moveTask(ofUid('t'), { listId: listNamed('local') }),
    'a move of a series to a list of this computer': () => engine.moveTask(ofUid('s'), { listId: listNamed('local') }),
    'a move to another list of the account': () => engine.moveTask(ofUid('t'), { listId: listNamed('also') }),
    'a move to a list of another account': () => engine.moveTask(ofUid('t'), { listId: listNamed('to') }),
    'a move of the whole list to this computer': () => engine.moveListToAccount(listNamed('from'), null),
  };

  for (const [event, move] of Object.entries(moves))
    for (const how of ['undo', 'restoring a backup'] as const)
      it(`loses nothing if ${how} undoes ${event}`, async () => {
        const { path } = await engine.data.backUpNow();
        await move();
        for (let round = 0; round < 2; round++) await sync();
        if (how === 'undo') assert.equal(await engine.undo(), true);
        else await engine.data.restoreBackup(path);
        await settlesAs(inFrom);
      });

  for (const [event, move] of Object.entries(moves))
    it(`loses nothing if ${event} is undone, redone and undone, with a sync after each`, async () => {
      await move();
      const moved = here();
      await settle();
      for (const step of ['undo', 'redo', 'undo', 'redo'] as const) {
        assert.equal(await engine[step](), true);
        await settle();
        assert.deepEqual(here(), step === 'undo' ? inFrom : moved);
      }
    });

  for (const event of ['has arrived', 'has not been sent'])
    for (const backup of ['has the task elsewhere', 'does not know the task'])
      it(`takes a task from the list that it has left if a backup ${backup} and its move ${event}`, async () => {
        const { path: early } = await engine.data.backUpNow();
        devices.clock.time += 60_000;
        const id = await engine.createTask(listNamed('local'), { title: 'New' });
        const { path: late } = await engine.data.backUpNow();
        await engine.moveTask(id, { listId: listNamed('from') });
        await sync();
        await engine.moveTask(id, { listId: listNamed('to') });
        one.hook = ({ method }) => (method === 'DELETE' ? { status: 503 } : undefined);
        if (event === 'has arrived') await sync();
        const isKnown = backup === 'has the task elsewhere';
        await engine.data.restoreBackup(isKnown ? late : early);
        one.hook = undefined;
        await settlesAs([...inFrom, ...(isKnown ? ['New in local'] : [])].sort());
      });

  it('doubles no task that another program has moved to a list that is newer than the backup', async () => {
    await engine.createTask(listNamed('local'), { title: 'New' });
    const { path } = await engine.data.backUpNow();
    await engine.moveListToAccount(listNamed('local'), engine.lists().find(({ name }) => name === 'from')!.accountId);
    await sync();
    const { href } = rows().find(({ title }) => title === 'New')!;
    const old = [...one.lists.values()].find(({ items }) => items.has(href!))!;
    one.addList('newer').put('new.ics', old.items.get(href!)!.text);
    old.remove(href!);
    await settle();
    assert.ok(here().includes('New in newer'));
    await engine.data.restoreBackup(path);
    await settle();
    assert.equal(here().filter(place => place.startsWith('New in')).length, 1);
    assert.equal(there().filter(place => place.startsWith('New in')).length, 1);
  });

  for (const state of ['away', 'back'])
    it(`doubles no task that moved to a newer list before its own vanished, which is ${state} when a backup is restored`, async () => {
      const { path } = await engine.data.backUpNow();
      one.addList('newer').put('new.ics', from.get('t.ics'));
      from.remove('t.ics');
      await settle();
      assert.ok(here().includes('Task in newer'));
      one.lists.delete(from.path);
      await sync();
      assert.equal(engine.lists().find(({ name }) => name === 'from')!.accountId, null);
      if (state === 'back') one.lists.set(from.path, from);
      await engine.data.restoreBackup(path);
      for (let round = 0; round < 4; round++) await sync();
      assert.equal(here().filter(place => place.startsWith('Task')).length, 1);
      assert.equal(there().filter(place => place.startsWith('Task')).length, 1);
    });

  it('has its reminder in the trash after a backup that has its deletion as pending was restored, and that undone', async () => {
    const due = { due: devices.clock.time + 86_400_000, isAllDay: false, timezone: 'UTC' };
    const id = await engine.createTask(listNamed('from'), { title: 'New', ...due, alarms: [{ minutesBefore: 10 }] });
    await sync();
    await engine.deleteTask(id);
    const { path } = await engine.data.backUpNow();
    await sync();
    const before = rows().map(({ title, isDeleted }) => ({ title, isDeleted }));
    await engine.data.restoreBackup(path);
    await engine.undo();
    assert.deepEqual(
      rows().map(({ title, isDeleted }) => ({ title, isDeleted })),
      before,
    );
    const [entry] = (await engine.trash()).filter(({ task }) => task.title === 'New');
    await engine.restore([entry!.key]);
    assert.equal(rows().find(({ title }) => title === 'New')!.alarms.length, 1);
  });

  for (const target of ['also', 'to'])
    it(`is one resource if a backup brings back an occurrence of a series that has moved from there to ${target}`, async () => {
      const { path } = await engine.data.backUpNow();
      await engine.undo();
      await engine.moveTask(ofUid('s'), { listId: listNamed(target) });
      for (let round = 0; round < 2; round++) await sync();
      await engine.data.restoreBackup(path);
      for (let round = 0; round < 4; round++) await sync();
      assert.equal(there().filter(place => place.startsWith('Series')).length, 1);
      assert.equal(rows().filter(({ uid, masterId }) => uid === 's' && masterId !== null).length, 1);
    });

  it('loses nothing that is restored from the trash after its deletion was sent, while a backup has it as pending', async () => {
    await engine.deleteTask(ofUid('t'), { children: 'keep' });
    const { path } = await engine.data.backUpNow();
    await sync();
    await engine.data.restoreBackup(path);
    await engine.restore((await engine.trash()).map(({ key }) => key));
    await settle();
    assert.deepEqual(here(), inFrom);
    assert.deepEqual(there(), inFrom);
  });

  it('loses nothing if a move into the account is redone after it was undone', async () => {
    const id = await engine.createTask(listNamed('local'), { title: 'New' });
    await engine.moveTask(id, { listId: listNamed('from') });
    await sync();
    await engine.undo();
    await sync();
    await engine.redo();
    await settlesAs([...inFrom, 'New in from'].sort());
  });

  it('keeps the address of a task that is moved and moved back before any sync', async () => {
    const before = engine.task(ofUid('t'))!;
    await engine.moveTask(before.id, { listId: listNamed('local') });
    await engine.undo();
    assert.deepEqual(engine.task(before.id), before);
    await engine.redo();
    await engine.undo();
    assert.deepEqual(engine.task(before.id), before);
    await settlesAs(inFrom);
  });

  it('restores a task completely from the trash if only its old address is left in the list', async () => {
    const before = engine.task(ofUid('t'))!;
    await engine.deleteTask(before.id);
    const [entry] = (await engine.trash()).map(({ key }) => key);
    await engine.undo();
    await engine.moveTask(before.id, { listId: listNamed('local') });
    await engine.deleteTask(before.id);
    await engine.restore([entry!]);
    const { list, title, priority, unknownProperties } = rows().find(({ uid }) => uid === 't')!;
    assert.deepEqual({ list, title, priority }, { list: 'from', title: before.title, priority: before.priority });
    assert.equal(unknownProperties, before.unknownProperties);
    for (let round = 0; round < 2; round++) await sync();
    assert.match(from.get('t.ics'), /PRIORITY:1/);
    assert.deepEqual(
      here().filter(place => place.startsWith('Task')),
      ['Task in from'],
    );
  });

  it('moves a subtask with its list if its parent waits to be deleted', async () => {
    const parent = await engine.createTask(listNamed('from'), { title: 'Parent' });
    await sync();
    from.put('below.ics', todoText('below', 'SUMMARY:Below', `RELATED-TO:${engine.task(parent)!.uid}`));
    await sync();
    await engine.undo();
    const copy = await engine.moveListToAccount(listNamed('from'), null);
    assert.equal(engine.task(ofUid('below'))!.listId, copy);
    for (let round = 0; round < 2; round++) await sync();
    assert.deepEqual(engine.task(ofUid('below'))!.listId, copy);
    assert.equal(from.items.size, 0);
  });

  it('gives a task no address in a list that has lost its account since', async () => {
    await engine.moveTask(ofUid('t'), { listId: listNamed('local') });
    await engine.removeAccount(engine.lists().find(({ name }) => name === 'from')!.accountId!);
    await engine.undo();
    const { list, href, etag, isDirty } = rows().find(({ uid }) => uid === 't')!;
    assert.deepEqual({ list, href, etag, isDirty }, { list: 'from', href: null, etag: null, isDirty: false });
  });
});
