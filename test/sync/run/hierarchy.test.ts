import assert from 'node:assert/strict';
import { sizesOf } from '../support/serverLists';
import { linesOf, todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('subtasks and moves', () => {
  const world = aWorld();
  const parents = (device: Awaited<ReturnType<typeof world.device>>) =>
    Object.fromEntries(
      device.rows().map(row => [row.uid, device.rows().find(({ id }) => id === row.parentId)?.uid ?? null]),
    );

  it('A57 are linked in whatever order and batch they arrive', async () => {
    for (let at = 0; at < 120; at++) world.put(`c${at}`, `SUMMARY:Child ${at}`, 'RELATED-TO:parent');
    world.put('parent', 'SUMMARY:Parent');
    const device = await world.device();
    const { parent, ...children } = parents(device);
    assert.equal(parent, null);
    assert.ok(Object.values(children).every(uid => uid === 'parent'));
    assert.ok(device.rows().every(({ isDirty }) => !isDirty));
  });

  it('A57 are linked when the parent arrives in a later sync', async () => {
    world.put('child', 'SUMMARY:Child', 'RELATED-TO;RELTYPE=PARENT:late');
    const device = await world.device();
    assert.deepEqual(parents(device), { child: null });
    world.put('late', 'SUMMARY:Late');
    await device.sync();
    assert.deepEqual(parents(device), { child: 'late', late: null });
  });

  it('A57 still name a missing parent after an edit', async () => {
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:never', 'RELATED-TO;RELTYPE=SIBLING:other');
    const device = await world.device();
    await device.engine.updateTask(device.byUid('child')!.id, { title: 'Edited' });
    await device.sync();
    const lines = linesOf(world.list.get('child.ics'));
    for (const line of ['SUMMARY:Edited', 'RELATED-TO:never', 'RELATED-TO;RELTYPE=SIBLING:other'])
      assert.ok(lines.includes(line), line);
  });

  it('A57 keep a parent that arrives after they were edited', async () => {
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:late');
    const device = await world.device();
    await device.engine.updateTask(device.byUid('child')!.id, { title: 'Edited' });
    world.put('late', 'SUMMARY:Late');
    await device.sync();
    assert.ok(linesOf(world.list.get('child.ics')).includes('RELATED-TO:late'));
    await device.sync();
    assert.deepEqual(parents(device), { child: 'late', late: null });
    await device.engine.moveTask(device.byUid('child')!.id, { parentId: null });
    await device.sync();
    assert.ok(!world.list.get('child.ics').includes('RELATED-TO'));
  });

  it('A57 form no circle', async () => {
    world.put('a', 'SUMMARY:A', 'RELATED-TO:b');
    world.put('b', 'SUMMARY:B', 'RELATED-TO:a');
    world.put('self', 'SUMMARY:Self', 'RELATED-TO:self');
    const device = await world.device();
    const { a, b, self } = parents(device);
    assert.equal(self, null);
    assert.ok(a === null || b === null);
    await device.engine.updateTask(device.byUid('a')!.id, { title: 'Edited' });
    await device.sync();
    assert.ok(linesOf(world.list.get('a.ics')).includes('RELATED-TO:b'));
  });

  describe('a circle of parents', () => {
    type Device = Awaited<ReturnType<typeof world.device>>;
    const put = (device: Device, uid: string, parent: string | null) =>
      device.engine.moveTask(device.byUid(uid)!.id, {
        parentId: parent === null ? null : device.byUid(parent)!.id,
      });
    const settle = async (...devices: Device[]) => {
      for (let round = 0; round < 3; round++) for (const device of devices) await device.sync();
    };
    /** Both have sent and fetched everything, agree, and have nothing more to say. */
    const agree = async (devices: Device[], expected: Record<string, string | null>) => {
      await settle(...devices);
      const fresh = await world.device();
      world.server.forget();
      await settle(...devices, fresh);
      assert.deepEqual(world.server.sent('PUT'), []);
      for (const device of [...devices, fresh]) {
        assert.deepEqual(parents(device), expected);
        assert.ok(device.rows().every(({ isDirty }) => !isDirty));
      }
    };
    const three = async () => {
      for (const uid of ['a', 'b', 'c']) world.put(uid, `SUMMARY:${uid}`);
      return [await world.device(), await world.device()] as const;
    };

    for (const [first, second] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const)
      it(`has the same task at the top on both devices that made it (${first} syncs first)`, async () => {
        const [one, other] = await three();
        await put(one, first, second);
        await put(other, second, first);
        await one.sync();
        await agree([one, other], { a: null, b: 'a', c: null });
        assert.match(world.list.get('a.ics'), /RELATED-TO.*:b/);
        assert.match(world.list.get('b.ics'), /RELATED-TO.*:a/);
      });

    it('has the same task at the top on each of three devices', async () => {
      const [one, other] = await three();
      await put(one, 'a', 'b');
      await put(one, 'c', 'a');
      await put(other, 'b', 'c');
      await agree([one, other], { a: null, b: 'c', c: 'a' });
    });

    it('has the same task at the top if it arrives in two batches', async () => {
      const [one, other] = await three();
      world.put('b', 'SUMMARY:b', 'RELATED-TO:c');
      for (let at = 0; at < 260; at++) world.put(`between ${at}`, 'SUMMARY:Between');
      world.put('c', 'SUMMARY:c', 'RELATED-TO:a');
      world.put('a', 'SUMMARY:a', 'RELATED-TO:b');
      await settle(one, other);
      const fresh = await world.device();
      for (const device of [one, other, fresh]) {
        const { a, b, c } = parents(device);
        assert.deepEqual({ a, b, c }, { a: null, b: 'c', c: 'a' });
      }
    });

    it('loses no link from a text by another kind of edit', async () => {
      const [one, other] = await three();
      await put(one, 'a', 'b');
      await put(other, 'b', 'a');
      await settle(one, other);
      for (const uid of ['a', 'b']) await one.engine.updateTask(one.byUid(uid)!.id, { title: 'Edited' });
      await agree([one, other], { a: null, b: 'a', c: null });
      assert.match(world.list.get('a.ics'), /RELATED-TO.*:b/);
    });

    it('leaves every task where its text puts it once it is opened on the server', async () => {
      const [one, other] = await three();
      await put(one, 'a', 'b');
      await put(other, 'b', 'a');
      await settle(one, other);
      await put(one, 'b', 'c');
      await agree([one, other], { a: 'b', b: 'c', c: null });
    });

    it('does not make a task wait that the user has moved', async () => {
      const [one, other] = await three();
      await put(one, 'a', 'b');
      await put(other, 'b', 'a');
      await settle(one, other);
      await put(one, 'a', 'c');
      await agree([one, other], { a: 'c', b: 'a', c: null });
      await put(one, 'a', null);
      await agree([one, other], { a: null, b: 'a', c: null });
    });
  });

  it('do not return to a parent that their text no longer names', async () => {
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:late');
    for (const uid of ['other', 'z']) world.put(uid, `SUMMARY:${uid}`);
    const device = await world.device();
    await device.engine.moveTask(device.byUid('child')!.id, { parentId: device.byUid('z')!.id });
    await device.engine.updateTask(device.byUid('other')!.id, { title: 'Not sent at once' });
    world.server.hook = ({ method, path }) => (method === 'PUT' && path.includes('other') ? 'cut' : undefined);
    await world.report(device.engine);
    world.server.hook = undefined;
    assert.match(world.list.get('child.ics'), /RELATED-TO.*:z/);
    world.devices.clock.time += 3_600_000;
    await device.engine.moveTask(device.byUid('child')!.id, { parentId: null });
    world.put('late', 'SUMMARY:Late');
    await device.sync();
    await device.sync();
    assert.ok(!world.list.get('child.ics').includes('RELATED-TO'));
    assert.equal(parents(device).child, null);
  });

  for (const isNew of [false, true])
    it(`move under a restored parent, even if it was deleted elsewhere before ${isNew ? 'a new task' : 'the move'} under it was sent`, async () => {
      for (const uid of ['child', 'parent']) world.put(uid, `SUMMARY:${uid}`);
      const device = await world.device();
      const parentId = device.byUid('parent')!.id;
      const id = isNew ? await device.engine.createTask(device.id, { title: 'New' }) : device.byUid('child')!.id;
      await device.engine.moveTask(id, { parentId });
      world.list.remove('parent.ics');
      await device.sync();
      const { uid } = device.engine.task(id)!;
      assert.match(world.list.get(`${uid}.ics`), /RELATED-TO.*:parent/);
      world.put('parent', 'SUMMARY:Back');
      await device.sync();
      assert.equal(parents(device)[uid], 'parent');
      assert.equal(device.engine.task(id)!.isDirty, false);
    });

  it('do not wait for a removed parent while a task that was never under it is restored', async () => {
    for (const uid of ['child', 'parent']) world.put(uid, `SUMMARY:${uid}`);
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('child')!.id);
    await device.sync();
    await device.engine.undo();
    world.list.remove('parent.ics');
    await device.sync();
    assert.ok(!world.list.get('child.ics').includes('RELATED-TO'));
  });

  it('move under a parent that arrives after one with its UID was created and deleted here before it was sent', async () => {
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:parent');
    const device = await world.device();
    world.server.hook = ({ method, path }) => (method === 'PUT' && path.includes('parent') ? 'cut' : undefined);
    await device.engine.importTasks('ics', todoText('parent', 'SUMMARY:Taken in'), device.byUid('child')!.listId);
    await world.report(device.engine);
    await world.report(device.engine);
    assert.equal(parents(device).child, 'parent');
    await device.engine.deleteTask(device.byUid('parent')!.id, { children: 'keep' });
    world.server.hook = undefined;
    world.devices.clock.time += 3_600_000;
    await device.sync();
    assert.match(world.list.get('child.ics'), /RELATED-TO.*:parent/);
    world.put('parent', 'SUMMARY:Parent');
    await device.sync();
    await device.sync();
    assert.deepEqual(parents(device), { child: 'parent', parent: null });
  });

  it('move under a parent that comes back after it was deleted here and elsewhere', async () => {
    world.put('parent', 'SUMMARY:Parent');
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:parent');
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('parent')!.id, { children: 'keep' });
    world.list.remove('parent.ics');
    await device.sync();
    assert.match(world.list.get('child.ics'), /RELATED-TO.*:parent/);
    world.put('parent', 'SUMMARY:Parent');
    await device.sync();
    assert.equal(device.byUid('child')!.parentId, device.byUid('parent')!.id);
    assert.equal(device.byUid('child')!.isDirty, false);
  });

  it('move under a parent that comes back after it was deleted with completed tasks here', async () => {
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:parent');
    world.put('parent', 'SUMMARY:Parent');
    const device = await world.device();
    await device.engine.completeTask(device.byUid('parent')!.id);
    world.list.remove('parent.ics');
    await device.sync();
    assert.deepEqual(parents(device), { child: null });
    world.put('parent', 'SUMMARY:Back');
    await device.sync();
    assert.deepEqual(parents(device), { child: 'parent', parent: null });
  });

  for (const isCut of [false, true])
    it(`move under a parent that comes back from another list, to which it was moved while it was edited here${isCut ? ', in a sync that was cut off' : ''}`, async () => {
      const other = world.server.addList('other');
      const child = todoText('child', 'SUMMARY:Child', 'RELATED-TO:parent');
      world.list.put('child.ics', child);
      world.put('parent', 'SUMMARY:Parent', 'PRIORITY:1');
      const device = await world.device();
      await device.engine.sync();
      await device.engine.updateTask(device.byUid('parent')!.id, { title: 'Edited' });
      world.list.remove('parent.ics');
      other.put('parent.ics', todoText('parent', 'SUMMARY:Parent', 'PRIORITY:1'));
      world.server.hook = ({ method }) => (isCut && method === 'PUT' ? 'cut' : undefined);
      await device.engine.sync();
      world.server.hook = undefined;
      world.devices.clock.time += 3_600_000;
      await device.engine.sync();
      assert.deepEqual(parents(device), { child: null });
      world.list.put('parent.ics', other.get('parent.ics'));
      other.remove('parent.ics');
      for (let round = 0; round < 2; round++) await device.engine.sync();
      assert.deepEqual(parents(device), { child: 'parent', parent: null });
      assert.equal(world.list.get('child.ics'), child);
    });

  it('do not wait for a parent that moved to another list before they were sent under it', async () => {
    const other = world.server.addList('other');
    for (const uid of ['child', 'parent']) world.put(uid, `SUMMARY:${uid}`);
    const device = await world.device();
    await device.engine.sync();
    await device.engine.moveTask(device.byUid('child')!.id, { parentId: device.byUid('parent')!.id });
    await device.engine.updateTask(device.byUid('parent')!.id, { title: 'Edited' });
    other.put('parent.ics', world.list.get('parent.ics'));
    world.list.remove('parent.ics');
    await device.engine.sync();
    assert.deepEqual(parents(device), { child: null });
    await device.engine.updateTask(device.byUid('child')!.id, { title: 'Edited' });
    await device.engine.sync();
    assert.match(world.list.get('child.ics'), /SUMMARY:Edited/);
    assert.ok(!world.list.get('child.ics').includes('RELATED-TO'));
  });

  const family = async () => {
    const other = world.server.addList('other');
    world.put('parent', 'SUMMARY:Parent', 'X-OWN:kept');
    for (const uid of ['c1', 'c2']) world.put(uid, `SUMMARY:${uid}`, 'RELATED-TO:parent');
    const device = await world.device();
    await device.engine.sync();
    const target = world.devices.list(device.engine, 'other');
    return { device, target, other };
  };

  it('A58 arrive in another list before they leave the old one, wherever the sync is cut off', async () => {
    const { device, target, other } = await family();
    await device.engine.moveTask(device.byUid('parent')!.id, { listId: target.id });
    world.server.hook = ({ method }) => (method === 'DELETE' ? 'cut' : undefined);
    await device.engine.sync();
    assert.equal(other.items.size, 3);
    assert.equal(world.list.items.size, 3);
    world.server.hook = undefined;
    await device.engine.sync();
    assert.equal(world.list.items.size, 0);
    assert.deepEqual(parents(target), { parent: null, c1: 'parent', c2: 'parent' });
    assert.ok(target.rows().every(({ isDirty }) => !isDirty));
    assert.match(other.get('parent.ics'), /X-OWN:kept/);
    assert.ok(linesOf(other.get('c1.ics')).some(line => /^RELATED-TO[^:]*:parent$/.test(line)));
    assert.deepEqual(device.rows(), []);
  });

  it('A58 are in both lists without loss for any device if the move stops between two PUTs', async () => {
    const { device, target, other } = await family();
    await device.engine.moveTask(device.byUid('parent')!.id, { listId: target.id });
    let puts = 0;
    world.server.hook = ({ method }) => (method === 'PUT' && ++puts > 1 ? 'cut' : undefined);
    await device.engine.sync();
    assert.equal(world.list.items.size, 3);
    world.server.hook = undefined;
    await device.engine.sync();
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 3 });
    assert.deepEqual(parents(target), { parent: null, c1: 'parent', c2: 'parent' });
  });

  it('A59 are not moved into a read-only list', async () => {
    const { device, target, other } = await family();
    other.privileges = ['read'];
    await device.engine.sync();
    const moving = device.engine.moveTask(device.byUid('parent')!.id, { listId: target.id });
    await assert.rejects(moving, { kind: 'readOnly' });
    assert.equal(device.rows().length, 3);
  });

  it('A59 are moved back from a list that turned out to be read-only', async () => {
    const { device, target, other } = await family();
    await device.engine.moveTask(device.byUid('parent')!.id, { listId: target.id });
    other.privileges = ['read'];
    await device.engine.sync();
    await device.engine.sync();
    assert.deepEqual(target.rows(), []);
    assert.deepEqual(parents(device), { parent: null, c1: 'parent', c2: 'parent' });
    assert.equal(world.list.items.size, 3);
    assert.ok(device.rows().every(({ isDirty, isDeleted }) => !isDirty && !isDeleted));
  });
});
