import assert from 'node:assert/strict';
import { pick } from '../../support/pick';
import { calendar, linesOf, todo } from '../support/texts';
import { aWorld } from '../support/world';

/** RFC 4791 4.1 lets a resource hold changed occurrences without their series: of an invitation to one of them, say. */
describe('a resource with detached occurrences only', () => {
  const world = aWorld();
  const text = (...lines: string[]) => calendar(todo('s', 'RECURRENCE-ID:20261202T090000Z', ...lines));
  const sent = () => linesOf(world.list.get('s.ics'));

  const start = async () => {
    world.list.put('s.ics', text('SUMMARY:Once', 'DUE:20261202T100000Z'));
    const device = await world.device();
    const [row] = device.rows();
    assert.ok(row);
    return { device, row };
  };

  it('is shown, and can be edited', async () => {
    const { device, row } = await start();
    assert.deepEqual(pick(row, 'title', 'masterId', 'recurrenceId'), {
      title: 'Once',
      masterId: null,
      recurrenceId: Date.UTC(2026, 11, 2, 9),
    });
    await device.engine.updateTask(row.id, { title: 'Mine' });
    await device.sync();
    assert.ok(sent().includes('SUMMARY:Mine') && sent().includes('RECURRENCE-ID:20261202T090000Z'), sent().join('\n'));
    assert.equal(device.rows()[0]!.isDirty, false);
  });

  it('is merged if both sides edited it, and keeps the losing value', async () => {
    const { device, row } = await start();
    await device.engine.updateTask(row.id, { title: 'Mine', priority: 1 });
    world.list.put('s.ics', text('SUMMARY:Theirs', 'DUE:20261202T100000Z', 'LOCATION:Elsewhere'));
    await device.sync();
    const [merged] = device.rows();
    assert.deepEqual(pick(merged, 'title', 'priority', 'location'), {
      title: 'Theirs',
      priority: 1,
      location: 'Elsewhere',
    });
    const [conflict] = device.engine.syncing!.conflicts();
    assert.match(conflict?.mine ?? '', /RECURRENCE-ID:20261202T090000Z/);
    assert.match(conflict?.mine ?? '', /SUMMARY:Mine/);
  });

  it('is removed from the server if it is deleted here', async () => {
    const { device, row } = await start();
    await device.engine.deleteTask(row.id);
    await device.sync();
    assert.equal(world.list.items.size, 0);
    assert.deepEqual(device.rows(), []);
  });

  it('includes another occurrence that is added to it', async () => {
    const { device } = await start();
    const second = todo('s', 'RECURRENCE-ID:20261209T090000Z', 'SUMMARY:Twice', 'DUE:20261209T100000Z');
    world.list.put('s.ics', calendar(todo('s', 'RECURRENCE-ID:20261202T090000Z', 'SUMMARY:Once'), second));
    await device.sync();
    assert.deepEqual(device.titles(), ['Once', 'Twice']);
  });

  it('is kept beside a resource with another occurrence, but excludes one with the same', async () => {
    const { device } = await start();
    const second = (title: string, day: number) =>
      calendar(todo('s', `RECURRENCE-ID:202612${day}T090000Z`, `SUMMARY:${title}`));
    world.list.put('s2.ics', second('Beside', 16));
    world.list.put('s3.ics', second('Again', 16));
    await device.engine.sync();
    await device.engine.sync();
    assert.deepEqual(device.titles(), ['Beside', 'Once']);
  });

  it('is not recreated if its list is read-only: the edit becomes a conflict', async () => {
    const { device, row } = await start();
    await device.engine.updateTask(row.id, { title: 'Mine' });
    world.list.privileges = ['read'];
    await device.engine.sync();
    assert.equal(device.rows()[0]!.title, 'Once');
    const [conflict] = device.engine.syncing!.conflicts();
    assert.equal(conflict?.reason, 'readOnly');
    assert.match(conflict.mine, /RECURRENCE-ID:20261202T090000Z/);
  });

  it('has a pending change of its own', async () => {
    const { device, row } = await start();
    await device.engine.updateTask(row.id, { title: 'Mine' });
    const syncing = device.engine.syncing!;
    assert.deepEqual(
      syncing.pendingChanges().map(({ kind, title }) => ({ kind, title })),
      [{ kind: 'change', title: 'Mine' }],
    );
    const { before, after } = await syncing.pendingText(row.id);
    assert.match(before, /SUMMARY:Once/);
    assert.match(after, /SUMMARY:Mine/);
  });
});
