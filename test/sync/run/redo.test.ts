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
});
