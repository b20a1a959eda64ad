import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import type { Id } from '../../../src/core/kernel/model';
import { Devices, type SyncedList } from '../support/devices';
import { AServer } from '../support/server';
import { todoText } from '../support/texts';

describe('a task whose changes are undone one after the other', () => {
  let server: AServer;
  let devices: Devices;
  let engine: DuelineEngine;
  let from: SyncedList;
  let to: SyncedList;
  let id: Id;

  const sync = async () => {
    devices.clock.time += 60_000;
    const { accounts } = await engine.sync();
    assert.deepEqual(
      accounts.map(({ error, rowErrors }) => ({ error, rowErrors })),
      [{ error: null, rowErrors: [] }],
    );
  };
  /** Checks the titles here, and on the server after a sync. */
  const expectTitles = async (...expected: string[][]) => {
    const titles = () =>
      [from, to].map(list => list.rows().flatMap(({ title, isDeleted }) => (isDeleted ? [] : title)));
    assert.deepEqual(titles(), expected);
    await sync();
    await sync();
    assert.deepEqual(titles(), expected);
    const there = [...server.lists.values()].map(({ items }) =>
      [...items.values()].map(({ text }) => /SUMMARY:(.*)\r/.exec(text)![1]!),
    );
    assert.deepEqual(there, expected);
  };

  beforeEach(async () => {
    server = await AServer.start();
    server.addList('from').put('t.ics', todoText('t', 'SUMMARY:Task'));
    server.addList('to');
    devices = new Devices();
    engine = await devices.open(server);
    await sync();
    from = devices.list(engine, 'from');
    to = devices.list(engine, 'to');
    id = from.byUid('t')!.id;
  });
  afterEach(async () => {
    await devices.close();
    await server.stop();
  });

  it('exists after its restore and its deletion are undone', async () => {
    await engine.deleteTask(id);
    await sync();
    const [entry] = await engine.trash();
    await engine.restore([entry!.key]);
    await sync();
    await engine.undo();
    await engine.undo();
    await expectTitles(['Task'], []);
  });

  it('exists after its deletion and its restore are redone', async () => {
    await engine.deleteTask(id);
    await sync();
    const [entry] = await engine.trash();
    await engine.restore([entry!.key]);
    await sync();
    for (const way of ['undo', 'undo'] as const) {
      await engine[way]();
      await sync();
    }
    await engine.redo();
    await engine.redo();
    await expectTitles(['Task'], []);
  });

  it('is in its first list after undoing its moves away and back', async () => {
    await engine.moveTask(id, { listId: to.id });
    await sync();
    await engine.moveTask(id, { listId: from.id });
    await sync();
    await engine.undo();
    await engine.undo();
    await expectTitles(['Task'], []);
  });

  it('is as in the backup after redoing a move and the restore of the backup, with syncs in between', async () => {
    const { path } = await engine.data.backUpNow();
    await engine.apply([
      { type: 'update', id, patch: { title: 'Renamed' } },
      { type: 'move', id, to: { listId: to.id } },
    ]);
    await sync();
    await engine.data.restoreBackup(path);
    for (const way of ['undo', 'undo', 'redo'] as const) {
      await engine[way]();
      await sync();
    }
    await engine.redo();
    await expectTitles(['Task'], []);
  });

  for (const event of ['is new', 'was moved'])
    it(`has its occurrence again, in its own resource, if a change of that is redone after the series, which ${event}, was sent`, async () => {
      const day = Date.UTC(2026, 10, 23, 9);
      const series = await engine.createTask(from.id, {
        title: 'Series',
        dtstart: day,
        timezone: 'UTC',
        rrule: 'FREQ=DAILY',
      });
      if (event === 'was moved') {
        await sync();
        await engine.moveTask(series, { listId: to.id });
      }
      await engine.editOccurrence(series, day + 86_400_000, 'this', { title: 'Changed' });
      await engine.undo();
      await sync();
      const { uid } = engine.task(series)!;
      await engine.redo();
      for (let run = 0; run < 3; run++) await sync();
      assert.equal(engine.task(series)!.uid, uid);
      const [here, there] = event === 'is new' ? [from, 'from'] : [to, 'to'];
      assert.deepEqual(
        here.rows().flatMap(row => (row.uid === uid ? row.title : [])),
        ['Series', 'Changed'],
      );
      const texts = [...server.lists.values()]
        .flatMap(({ name, items }) => (name === there ? [...items.values()] : []))
        .filter(({ text }) => text.includes('SUMMARY:Series'));
      assert.equal(texts.length, 1);
      assert.match(texts[0]!.text, /SUMMARY:Changed/);
    });
});
