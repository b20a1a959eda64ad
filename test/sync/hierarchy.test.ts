import assert from 'node:assert/strict';
import { linesOf } from './texts';
import { aWorld } from './world';

describe('sub-tasks and moves', () => {
  const world = aWorld();
  const parents = (device: Awaited<ReturnType<typeof world.device>>) =>
    Object.fromEntries(
      device.rows().map(row => [row.uid, device.rows().find(({ id }) => id === row.parentId)?.uid ?? null]),
    );

  it('A57 are linked whichever of the two comes first, in whatever batch', async () => {
    for (let at = 0; at < 120; at++) world.put(`c${at}`, `SUMMARY:Child ${at}`, 'RELATED-TO:parent');
    world.put('parent', 'SUMMARY:Parent');
    const device = await world.device();
    const { parent, ...children } = parents(device);
    assert.equal(parent, null);
    assert.ok(Object.values(children).every(uid => uid === 'parent'));
    assert.ok(device.rows().every(({ isDirty }) => !isDirty));
  });

  it('A57 are linked when the parent comes at a later sync', async () => {
    world.put('child', 'SUMMARY:Child', 'RELATED-TO;RELTYPE=PARENT:late');
    const device = await world.device();
    assert.deepEqual(parents(device), { child: null });
    world.put('late', 'SUMMARY:Late');
    await device.sync();
    assert.deepEqual(parents(device), { child: 'late', late: null });
  });

  it('A57 still name a parent that never came after an edit', async () => {
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:never', 'RELATED-TO;RELTYPE=SIBLING:other');
    const device = await world.device();
    await device.engine.updateTask(device.byUid('child')!.id, { title: 'Edited' });
    await device.sync();
    const lines = linesOf(world.list.get('child.ics'));
    for (const line of ['SUMMARY:Edited', 'RELATED-TO:never', 'RELATED-TO;RELTYPE=SIBLING:other'])
      assert.ok(lines.includes(line), line);
  });

  it('A57 keep a parent that comes after an edit of theirs', async () => {
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

  it('A57 make no circle', async () => {
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

  it('A58 are in both lists at no device’s cost when the move stops between two PUTs', async () => {
    const { device, target, other } = await family();
    await device.engine.moveTask(device.byUid('parent')!.id, { listId: target.id });
    let puts = 0;
    world.server.hook = ({ method }) => (method === 'PUT' && ++puts > 1 ? 'cut' : undefined);
    await device.engine.sync();
    assert.equal(world.list.items.size, 3);
    world.server.hook = undefined;
    await device.engine.sync();
    assert.deepEqual([world.list.items.size, other.items.size], [0, 3]);
    assert.deepEqual(parents(target), { parent: null, c1: 'parent', c2: 'parent' });
  });

  it('A59 do not go into a read-only list', async () => {
    const { device, target, other } = await family();
    other.privileges = ['read'];
    await device.engine.sync();
    const moving = device.engine.moveTask(device.byUid('parent')!.id, { listId: target.id });
    await assert.rejects(moving, { kind: 'readOnly' });
    assert.equal(device.rows().length, 3);
  });

  it('A59 come back from a list that turned out to be read-only', async () => {
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
