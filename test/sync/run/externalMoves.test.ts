import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { Devices } from '../support/devices';
import { AServer } from '../support/server';
import { type AList, sizesOf } from '../support/serverLists';
import { todoText } from '../support/texts';

/** A device whose task someone moves to another account while it is edited here. */
describe('a task moved to another account by another device', () => {
  let devices: Devices;
  let one: AServer;
  let two: AServer;
  let from: AList;
  let to: AList;
  let also: AList;
  let engine: DuelineEngine;

  beforeEach(async () => {
    devices = new Devices();
    [one, two] = [await AServer.start(), await AServer.start()];
    from = one.addList('from');
    also = one.addList('also');
    to = two.addList('to');
    from.put('t.ics', todoText('t', 'SUMMARY:Task', 'PRIORITY:1'));
    engine = await devices.open(one);
    const { url, username, password } = two;
    await engine.addAccount({ serverUrl: url, username, password });
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
  const tasks = () =>
    engine.lists().flatMap(({ id, name }) =>
      engine.rows(id).map(({ title, location, isDirty, isDeleted }) => ({
        list: name,
        title,
        location,
        isPending: isDirty || isDeleted,
      })),
    );
  const task = () => devices.list(engine, 'from').byUid('t')!;
  /** The other device's move: the new place first. */
  const moveThere = (...lines: string[]) => {
    to.put('t.ics', todoText('t', 'SUMMARY:Task', 'PRIORITY:1', ...lines));
    from.remove('t.ics');
  };

  it('moves there with what was edited here, and is recreated nowhere', async () => {
    const { id } = task();
    await engine.updateTask(id, { title: 'Edited' });
    moveThere('LOCATION:There');
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'to', title: 'Edited', location: 'There', isPending: false }]);
    assert.deepEqual(
      { from: from.items.size, to: to.items.size, title: engine.task(id)?.title },
      { from: 0, to: 1, title: 'Edited' },
    );
    assert.match(to.get('t.ics'), /SUMMARY:Edited/);
    assert.deepEqual(await devices.conflictsOf(engine), []);
  });

  it('moves to where the user then puts it, even back to its original list', async () => {
    const { id } = task();
    const listOf = (name: string) => devices.list(engine, name).id;
    await engine.moveTask(id, { listId: listOf('also') });
    also.put('t.ics', todoText('t', 'SUMMARY:Task', 'PRIORITY:1'));
    from.remove('t.ics');
    one.hook = ({ method, path }) => (method === 'REPORT' && path.startsWith(from.path) ? 'cut' : undefined);
    await sync();
    one.hook = undefined;
    await engine.moveTask(id, { listId: listOf('from') });
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'from', title: 'Task', location: null, isPending: false }]);
    assert.deepEqual({ from: from.items.size, also: also.items.size }, { from: 1, also: 0 });
  });

  it('moves to where the user then puts it, even if both accounts reach its old list', async () => {
    two.lists.set(also.path, also);
    from.remove('t.ics');
    to.put('t.ics', todoText('t', 'SUMMARY:Task'));
    for (let round = 0; round < 3; round++) await sync();
    const { id } = devices.list(engine, 'to').byUid('t')!;
    await engine.moveTask(id, { listId: devices.list(engine, 'also').id });
    also.put('t.ics', todoText('t', 'SUMMARY:Task'));
    to.remove('t.ics');
    two.hook = () => 'cut';
    await sync();
    two.hook = undefined;
    await engine.moveTask(id, { listId: devices.list(engine, 'to').id });
    for (let round = 0; round < 4; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'to', title: 'Task', location: null, isPending: false }]);
    assert.deepEqual({ to: to.items.size, also: also.items.size }, { to: 1, also: 0 });
  });

  it('is recreated if two accounts reach its list, its upload got no response, and both find it gone again', async () => {
    two.lists.set(also.path, also);
    for (let round = 0; round < 3; round++) await sync();
    const [here, there] = engine
      .accounts()
      .map(({ id }) => engine.lists().find(list => list.accountId === id && list.name === 'also')!);
    const uidOf = (id: number) => engine.task(id)!.uid;
    const id = await engine.createTask(here!.id, { title: 'New' });
    await engine.createTask(devices.list(engine, 'to').id, { title: 'Elsewhere' });
    one.hook = ({ method }, next) => {
      if (method !== 'PUT') return undefined;
      next();
      return 'cut';
    };
    two.hook = ({ method }) => (method === 'PUT' ? 'cut' : undefined);
    await sync();
    [one.hook, two.hook] = [undefined, undefined];
    const [seen] = engine.rows(there!.id);
    assert.equal(seen?.uid, uidOf(id));
    await engine.updateTask(seen!.id, { location: 'Edited' });
    also.remove(`${uidOf(id)}.ics`);
    for (let round = 0; round < 4; round++) await sync();
    assert.deepEqual(
      tasks().filter(({ list }) => list === 'also'),
      [here, there].map(() => ({ list: 'also', title: 'New', location: 'Edited', isPending: false })),
    );
    assert.equal(also.items.size, 1);
  });

  it('waits for the other account while that is unavailable', async () => {
    await engine.updateTask(task().id, { title: 'Edited' });
    moveThere();
    two.hook = () => 'cut';
    for (let round = 0; round < 3; round++) await sync();
    assert.equal(from.items.size, 0);
    two.hook = undefined;
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'to', title: 'Edited', location: null, isPending: false }]);
  });

  it('moves there with its parent, which was moved first, and stays under it', async () => {
    from.put('p.ics', todoText('p', 'SUMMARY:Parent'));
    from.put('t.ics', todoText('t', 'SUMMARY:Task', 'RELATED-TO:p'));
    await sync();
    await engine.updateTask(task().id, { title: 'Edited' });
    to.put('p.ics', todoText('p', 'SUMMARY:Parent'));
    moveThere('RELATED-TO:p');
    from.remove('p.ics');
    two.hook = () => 'cut';
    await sync();
    two.hook = undefined;
    for (let round = 0; round < 3; round++) await sync();
    const { byUid } = devices.list(engine, 'to');
    assert.equal(byUid('t')!.title, 'Edited');
    assert.equal(byUid('t')!.parentId, byUid('p')!.id);
    assert.match(to.get('t.ics'), /SUMMARY:Edited\r\n(.*\r\n)*RELATED-TO:p\r\n/);
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 2 });
  });

  it('moves there even if the text that arrived there was lost', async () => {
    await engine.updateTask(task().id, { title: 'Edited' });
    moveThere('LOCATION:There');
    await sync();
    assert.equal(tasks().length, 2);
    const sidecar = await devices.storeOf(engine).sidecar();
    const there = sidecar.keysHaving('bases', 'LOCATION:There');
    assert.equal(there.length, 1);
    await sidecar.put('bases', [[there[0]!, undefined]]);
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'to', title: 'Edited', location: 'There', isPending: false }]);
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 1 });
  });

  it('moves there even if the copy there is edited here', async () => {
    await engine.updateTask(task().id, { title: 'Edited' });
    moveThere();
    await sync();
    const there = devices.list(engine, 'to').byUid('t')!;
    one.hook = ({ method, path }) => {
      if (method === 'PROPFIND' && path === '/home/') void engine.updateTask(there.id, { location: 'There' });
      return undefined;
    };
    await sync();
    one.hook = undefined;
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'to', title: 'Edited', location: 'There', isPending: false }]);
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 1 });
  });

  it('moves there if it arrived just before it would have been recreated', async () => {
    await engine.updateTask(task().id, { title: 'Edited' });
    from.remove('t.ics');
    await sync();
    one.hook = ({ method, path }) => {
      if (method !== 'PROPFIND' || path !== '/home/') return undefined;
      one.hook = undefined;
      to.put('t.ics', todoText('t', 'SUMMARY:Task', 'PRIORITY:1'));
      return undefined;
    };
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'to', title: 'Edited', location: null, isPending: false }]);
    assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 1 });
  });

  for (const isAway of [false, true])
    it(`moves there if it was deleted here and restored${isAway ? ' while that account is away' : ''}`, async () => {
      await engine.deleteTask(task().id);
      await sync();
      assert.equal(from.items.size, 0);
      to.put('t.ics', todoText('t', 'SUMMARY:Task', 'PRIORITY:1'));
      await engine.undo();
      two.hook = isAway ? () => 'cut' : undefined;
      await sync();
      two.hook = undefined;
      for (let round = 0; round < 2; round++) await sync();
      assert.deepEqual(tasks(), [{ list: 'to', title: 'Task', location: null, isPending: false }]);
      assert.deepEqual(sizesOf({ from, to }), { from: 0, to: 1 });
    });

  it('is recreated in the next sync if it was deleted here and restored', async () => {
    await engine.deleteTask(task().id);
    await sync();
    await engine.undo();
    await sync();
    assert.deepEqual(tasks(), [{ list: 'from', title: 'Task', location: null, isPending: false }]);
    assert.deepEqual(sizesOf({ from, to }), { from: 1, to: 0 });
  });

  it('is in both lists, and offered as a duplicate, if it was moved to another one here at the same time', async () => {
    await engine.moveTask(task().id, { listId: devices.list(engine, 'also').id });
    moveThere();
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [
      { list: 'also', title: 'Task', location: null, isPending: false },
      { list: 'to', title: 'Task', location: null, isPending: false },
    ]);
    assert.deepEqual(sizesOf({ from, also, to }), { from: 0, also: 1, to: 1 });
    assert.deepEqual(
      engine.syncing!.conflicts().map(({ reason }) => reason),
      ['duplicate'],
    );
  });

  /** Nothing that is sent arrives, and the other device moves the task meanwhile. */
  const syncInVain = async () => {
    moveThere();
    one.hook = ({ method }) => (method === 'PUT' ? { status: 500 } : undefined);
    two.hook = () => 'cut';
    await sync();
    [one.hook, two.hook] = [undefined, undefined];
  };

  it('moves there, with what was edited here after it was moved to another one and never arrived', async () => {
    const { id } = task();
    await engine.moveTask(id, { listId: devices.list(engine, 'also').id });
    await syncInVain();
    await engine.updateTask(id, { title: 'Edited' });
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'to', title: 'Edited', location: null, isPending: false }]);
    assert.deepEqual(await devices.conflictsOf(engine), []);
  });

  it('moves there, and its edit is kept, if it was moved to another one here and never arrived', async () => {
    const { id } = task();
    await engine.moveTask(id, { listId: devices.list(engine, 'also').id });
    await engine.updateTask(id, { title: 'Edited' });
    await syncInVain();
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'to', title: 'Task', location: null, isPending: false }]);
    assert.deepEqual(
      (await devices.conflictsOf(engine)).flatMap(({ lost }) => lost.map(one => one.lost?.title)),
      ['Edited'],
    );
  });

  it('is recreated with what was edited here if it is gone for good', async () => {
    await engine.updateTask(task().id, { title: 'Edited' });
    from.remove('t.ics');
    for (let round = 0; round < 3; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'from', title: 'Edited', location: null, isPending: false }]);
    assert.match(from.get('t.ics'), /SUMMARY:Edited/);
  });

  it('is recreated after a day, however long the other account is unavailable', async () => {
    await engine.updateTask(task().id, { title: 'Edited' });
    from.remove('t.ics');
    two.hook = () => 'cut';
    await sync();
    assert.equal(from.items.size, 0);
    devices.clock.time += 24 * 3_600_000;
    await sync();
    assert.match(from.get('t.ics'), /SUMMARY:Edited/);
  });

  it('waits for an unavailable list of its own account after that day, and then moves along', async () => {
    await engine.updateTask(task().id, { title: 'Edited' });
    from.remove('t.ics');
    two.hook = () => 'cut';
    await sync();
    also.put('t.ics', todoText('t', 'SUMMARY:Task', 'PRIORITY:1', 'LOCATION:There'));
    one.hook = ({ path, method }) => (path.includes('also') && method !== 'PROPFIND' ? { status: 500 } : undefined);
    devices.clock.time += 24 * 3_600_000;
    await sync();
    assert.equal(from.items.size, 0);
    one.hook = undefined;
    for (let round = 0; round < 2; round++) await sync();
    assert.deepEqual(tasks(), [{ list: 'also', title: 'Edited', location: 'There', isPending: false }]);
    assert.deepEqual(sizesOf({ from, also, to }), { from: 0, also: 1, to: 0 });
  });
});
