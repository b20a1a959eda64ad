import assert from 'node:assert/strict';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('a task deleted on a server', () => {
  const world = aWorld();
  const many = (count: number) => {
    for (let at = 1; at <= count; at++) world.put(`t${at}`, `SUMMARY:Task ${at}`);
  };
  /** The server loses this many of its tasks, and says so or was restored to what it had before. */
  const lose = (count: number, how: 'by its change report' | 'by an older state') => {
    const paths = [...world.list.items.keys()].slice(0, count);
    if (how === 'by its change report') for (const path of paths) world.list.remove(path);
    else world.list.restore(new Map([...world.list.items].slice(count)));
  };

  it('is not in the trash if it only has another file', async () => {
    world.put('same', 'SUMMARY:First');
    const device = await world.device();
    world.list.put('z.ics', todoText('same', 'SUMMARY:First'));
    await device.engine.sync();
    world.list.remove('same.ics');
    for (let run = 0; run < 2; run++) await device.sync();
    assert.deepEqual([device.titles(), await device.engine.trash()], [['First'], []]);
  });

  it('is in the trash with its occurrences, and is restored to the server from there', async () => {
    const moved = ['BEGIN:VTODO', 'UID:s', 'DTSTAMP:20261120T080000Z', 'RECURRENCE-ID:20261124T080000Z'];
    const text = todoText('s', 'SUMMARY:Series', 'DTSTART:20261123T080000Z', 'RRULE:FREQ=DAILY').replace(
      'END:VTODO',
      ['END:VTODO', ...moved, 'SUMMARY:Moved', 'DTSTART:20261124T100000Z', 'END:VTODO'].join('\r\n'),
    );
    world.list.put('s.ics', text);
    world.put('other', 'SUMMARY:Other');
    const device = await world.device();
    world.list.remove('s.ics');
    await device.sync();
    assert.deepEqual(device.titles(), ['Other']);
    const [entry, ...more] = await device.engine.trash();
    assert.deepEqual({ title: entry?.task.title, more: more.length }, { title: 'Series', more: 0 });
    await device.engine.restore([entry!.key]);
    await device.sync();
    assert.deepEqual(device.titles(), ['Moved', 'Other', 'Series']);
    assert.match(world.list.get('s.ics'), /SUMMARY:Series.*SUMMARY:Moved/s);
    assert.deepEqual(await device.engine.trash(), []);
  });

  describe('of two lists with one UID', () => {
    /** A device with a task in two lists, and what it sees of them. */
    async function twice(notesElsewhere: string) {
      const other = world.server.addList('elsewhere');
      world.put('u', 'SUMMARY:Passport', 'DESCRIPTION:Number 12345');
      other.put('u.ics', todoText('u', 'SUMMARY:Passport', `DESCRIPTION:${notesElsewhere}`));
      const { engine } = await world.device();
      const sync = async () => assert.equal((await world.report(engine)).error, null);
      await sync();
      const notes = () =>
        engine
          .lists()
          .flatMap(({ id, name }) => engine.rows(id).map(({ description }) => `${name}: ${description}`))
          .sort();
      const inTrash = async () => (await engine.trash()).map(({ task }) => task.description);
      return { engine, other, sync, notes, inTrash };
    }

    it('is in the trash even though the other one exists, and is restored beside it', async () => {
      const { engine, other, sync, notes, inTrash } = await twice('Renew it');
      world.list.remove('u.ics');
      await sync();
      assert.deepEqual(notes(), ['elsewhere: Renew it']);
      assert.deepEqual(await inTrash(), ['Number 12345']);
      const [entry] = await engine.trash();
      const [back] = await engine.restore([entry!.key]);
      await sync();
      assert.deepEqual(notes(), ['elsewhere: Renew it', 'tasks: Number 12345']);
      assert.match(world.list.get('u.ics'), /Number 12345/);
      assert.deepEqual(await inTrash(), []);
      // It is that task in whatever list it goes to.
      const third = await engine.createList({ name: 'third' });
      await engine.moveTask(back!, { listId: third });
      assert.deepEqual(await inTrash(), []);
      // The other one, too, may come and go.
      other.remove('u.ics');
      await sync();
      assert.deepEqual(await inTrash(), ['Renew it']);
      await engine.restore((await engine.trash()).map(({ key }) => key));
      assert.deepEqual(notes(), ['elsewhere: Renew it', 'third: Number 12345']);
      assert.deepEqual(await inTrash(), []);
    });

    it('is in the trash after the other one was restored as another row', async () => {
      const { engine, other, sync, inTrash } = await twice('Renew it');
      world.list.remove('u.ics');
      other.remove('u.ics');
      await sync();
      assert.deepEqual((await inTrash()).sort(), ['Number 12345', 'Renew it']);
      const entry = (await engine.trash()).find(({ task }) => task.description === 'Renew it')!;
      await engine.restore([entry.key]);
      assert.deepEqual(await inTrash(), ['Number 12345']);
    });

    it('is not in the trash after its deletion was undone, and it was moved to the list of the other one and edited', async () => {
      const { engine, inTrash } = await twice('Renew it');
      const idWith = (text: string) =>
        engine.lists().flatMap(({ id }) => engine.rows(id).filter(row => row.description === text))[0]!.id;
      await engine.deleteTask(idWith('Number 12345'));
      await engine.undo();
      const { listId } = engine.task(idWith('Renew it'))!;
      await engine.deleteTask(idWith('Renew it'));
      await engine.sync();
      await engine.moveTask(idWith('Number 12345'), { listId });
      await engine.updateTask(idWith('Number 12345'), { title: 'Visa' });
      assert.equal(engine.task(idWith('Number 12345'))!.listId, listId);
      assert.deepEqual(await inTrash(), ['Renew it']);
    });

    it('is not in the trash if the other one is identical', async () => {
      const { sync, inTrash } = await twice('Number 12345');
      world.list.remove('u.ics');
      await sync();
      assert.deepEqual(await inTrash(), []);
    });
  });

  for (const isRead of ['after', 'before'] as const)
    it(`is not in the trash if it was moved to a list that is read ${isRead} its own, and edited together with the move`, async () => {
      const lists = [world.list, world.server.addList('elsewhere')] as const;
      const [from, to] = isRead === 'after' ? lists : ([lists[1], lists[0]] as const);
      from.put('u.ics', todoText('u', 'SUMMARY:Task'));
      const { engine } = await world.device();
      await world.report(engine);
      from.remove('u.ics');
      to.put('u.ics', todoText('u', 'SUMMARY:Moved'));
      await world.report(engine);
      assert.deepEqual(
        engine.lists().flatMap(({ id, name }) => engine.rows(id).map(({ title }) => `${name}: ${title}`)),
        [`${to.name}: Moved`],
      );
      assert.deepEqual(await engine.trash(), []);
    });

  it('is in the trash even if it was completed here', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    await device.engine.completeTask(device.byUid('t')!.id);
    world.list.remove('t.ics');
    await device.sync();
    await device.sync();
    assert.deepEqual(device.rows(), []);
    assert.deepEqual(
      (await device.engine.trash()).map(({ task }) => task.title),
      ['Task'],
    );
  });

  for (const how of ['by its change report', 'by an older state'] as const) {
    it(`is one of most in its list: the user is asked first, reported ${how}`, async () => {
      many(20);
      const device = await world.device();
      const { syncing } = device.engine;
      lose(18, how);
      assert.match((await world.report(device.engine)).error ?? '', /gone from the server/);
      assert.deepEqual(
        { rows: device.rows().length, emptiedLists: syncing!.emptiedLists() },
        { rows: 20, emptiedLists: [device.id] },
      );
      await world.report(device.engine);
      assert.equal(device.rows().length, 20);
      await syncing!.decideEmptied(device.id, 'deleteHere');
      await device.sync();
      assert.deepEqual(
        { rows: device.rows().length, emptiedLists: syncing!.emptiedLists() },
        { rows: 2, emptiedLists: [] },
      );
      const trash = await device.engine.trash();
      assert.equal(trash.length, 18);
      await device.engine.restore(trash.map(({ key }) => key));
      await device.sync();
      assert.deepEqual({ rows: device.rows().length, items: world.list.items.size }, { rows: 20, items: 20 });
    });

    it(`is one of half its list, or of fewer than five: nobody is asked, reported ${how}`, async () => {
      many(10);
      const device = await world.device();
      lose(5, how);
      await device.sync();
      assert.equal(device.rows().length, 5);
      lose(4, how);
      await device.sync();
      assert.equal(device.rows().length, 1);
      assert.equal((await device.engine.trash()).length, 9);
    });
  }

  it('is one of most in its list, page by page: the user is asked first', async () => {
    many(20);
    const device = await world.device();
    world.list.pageSize = 4;
    lose(18, 'by its change report');
    assert.match((await world.report(device.engine)).error ?? '', /gone from the server/);
    assert.ok(device.rows().length >= 10, `${device.rows().length} of 20 are left`);
    assert.equal(device.rows().length + (await device.engine.trash()).length, 20);
  });

  it('is back when a listing has it again: each run asks once, and the question ends', async () => {
    many(20);
    const device = await world.device();
    const { syncing } = device.engine;
    const items = new Map(world.list.items);
    lose(20, 'by an older state');
    await world.report(device.engine);
    world.server.forget();
    await world.report(device.engine);
    assert.equal(world.server.requests.length, 2, 'one for the lists, one for this list');
    assert.deepEqual(syncing!.emptiedLists(), [device.id]);
    await device.engine.updateTask(device.byUid('t1')!.id, { title: 'Edited meanwhile' });
    world.list.restore(items);
    assert.equal((await world.report(device.engine)).error, null);
    assert.deepEqual(
      { rows: device.rows().length, emptiedLists: syncing!.emptiedLists() },
      { rows: 20, emptiedLists: [] },
    );
    assert.match(world.list.get('t1.ics'), /Edited meanwhile/);
    await device.sync();
    world.server.forget();
    await device.sync();
    assert.equal(world.server.requests.length, 1, 'the list counts as read again');
  });

  it('is not removed if only the change report claims it', async () => {
    many(20);
    const device = await world.device();
    world.list.unknownHrefs = [...world.list.items.keys()].slice(0, 18);
    world.put('new', 'SUMMARY:New');
    await device.sync();
    assert.equal(device.rows().length, 21);
    assert.deepEqual(device.engine.syncing!.emptiedLists(), []);
  });
});
