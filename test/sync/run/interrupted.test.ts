import assert from 'node:assert/strict';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

/** The power fails right after sync has changed rows, before it could note anything more. */
describe('a sync that is cut off between its steps', () => {
  const world = aWorld();

  it('has kept the losing values of a merge, and keeps them once', async () => {
    world.put('t', 'SUMMARY:Before');
    const device = await world.device();
    await device.engine.updateTask(device.byUid('t')!.id, { title: 'Mine' });
    world.put('t', 'SUMMARY:Theirs');
    const open = world.devices.cutOffAt(device.engine, () => device.byUid('t')?.title === 'Theirs');
    await device.sync();
    const engine = await open();
    for (const isSynced of [false, true]) {
      if (isSynced) assert.equal((await world.report(engine)).error, null);
      const kept = await world.devices.conflictsOf(engine);
      assert.deepEqual(
        kept.map(({ mine }) => /SUMMARY:(.*)\r/.exec(mine)?.[1]),
        ['Mine'],
      );
    }
  });

  it('has kept the losing values of a task that joined the one it was moved to', async () => {
    const other = world.server.addList('other');
    world.put('t', 'SUMMARY:Before');
    const device = await world.device();
    await device.engine.sync();
    await device.engine.updateTask(device.byUid('t')!.id, { title: 'Mine' });
    other.put('t.ics', todoText('t', 'SUMMARY:Theirs'));
    world.list.remove('t.ics');
    const there = world.devices.list(device.engine, 'other');
    const open = world.devices.cutOffAt(
      device.engine,
      () => device.rows().length === 0 && there.byUid('t')?.title === 'Theirs',
    );
    await device.engine.sync();
    const kept = await world.devices.conflictsOf(await open());
    assert.deepEqual(
      kept.map(({ mine }) => /SUMMARY:(.*)\r/.exec(mine)?.[1]),
      ['Mine'],
    );
  });

  const parentOf = (device: Awaited<ReturnType<typeof world.device>>) => {
    const { parentId } = device.byUid('child')!;
    return parentId === null ? null : device.engine.task(parentId)?.uid;
  };

  it('keeps waiting for a parent that was deleted elsewhere and comes back', async () => {
    world.put('parent', 'SUMMARY:Parent');
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:parent');
    const device = await world.device();
    assert.equal(parentOf(device), 'parent');
    world.list.remove('parent.ics');
    const open = world.devices.cutOffAt(device.engine, () => !device.byUid('parent'));
    await device.sync();
    const after = world.devices.list(await open(), 'tasks');
    await after.engine.sync();
    await after.engine.updateTask(after.byUid('child')!.id, { title: 'Edited' });
    world.put('parent', 'SUMMARY:Parent');
    for (let round = 0; round < 2; round++) assert.equal((await world.report(after.engine)).error, null);
    assert.equal(parentOf(after), 'parent');
    assert.match(world.list.get('child.ics'), /RELATED-TO.*:parent/);
  });

  it('keeps waiting for a parent that moved to another list', async () => {
    const other = world.server.addList('other');
    world.put('parent', 'SUMMARY:Parent');
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:parent');
    const device = await world.device();
    await device.engine.sync();
    await device.engine.updateTask(device.byUid('parent')!.id, { title: 'Mine' });
    other.put('parent.ics', todoText('parent', 'SUMMARY:Parent'));
    world.list.remove('parent.ics');
    const open = world.devices.cutOffAt(device.engine, () => parentOf(device) === null);
    await device.engine.sync();
    const after = world.devices.list(await open(), 'tasks');
    await after.engine.sync();
    other.remove('parent.ics');
    world.put('parent', 'SUMMARY:Parent');
    for (let round = 0; round < 3; round++) assert.equal((await world.report(after.engine)).error, null);
    assert.equal(parentOf(after), 'parent');
  });

  it('keeps waiting for a parent that has not arrived yet', async () => {
    const device = await world.device();
    world.put('child', 'SUMMARY:Child', 'RELATED-TO:parent');
    const open = world.devices.cutOffAt(device.engine, () => device.byUid('child') !== undefined);
    await device.sync();
    const after = world.devices.list(await open(), 'tasks');
    assert.ok(after.byUid('child'));
    world.put('parent', 'SUMMARY:Parent');
    for (let round = 0; round < 2; round++) await after.sync();
    assert.equal(parentOf(after), 'parent');
  });

  it('keeps waiting for a parent whose creation was undone, if another device put it there', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'Parent' });
    const { uid } = device.engine.task(id)!;
    await device.sync();
    world.put('child', 'SUMMARY:Child', `RELATED-TO:${uid}`);
    await device.sync();
    assert.equal(parentOf(device), uid);
    await device.engine.undo();
    await device.sync();
    assert.equal(world.list.items.size, 1);
    world.put(uid, 'SUMMARY:Parent again');
    await device.sync();
    assert.equal(parentOf(device), uid);
  });

  it('keeps waiting for a parent that it has just learned about', async () => {
    world.put('child', 'SUMMARY:Child');
    const device = await world.device();
    world.put('child', 'SUMMARY:Later', 'RELATED-TO:parent');
    const sidecar = await world.devices.storeOf(device.engine).sidecar();
    const isThere = () => sidecar.keysHaving('bases', 'SUMMARY:Later').length > 0;
    const seen: boolean[] = [];
    const waits = () => sidecar.keysHaving('syncLists', '"child":"parent"').length > 0;
    const listening = sidecar.onDidChange(() => void (isThere() && seen.push(waits())));
    await device.sync();
    listening.dispose();
    assert.equal(seen[0], true, 'with the text, a parent that nobody waits for would count as taken away');
  });
});
