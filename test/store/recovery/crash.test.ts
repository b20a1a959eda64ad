import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isDuelineError } from '../../../src/core/kernel/errors';
import { noLog } from '../../../src/core/kernel/log';
import { Replica } from '../../../src/store/replica/replica';
import { tasksSchema } from '../../../src/store/sql/databaseSchema';
import { openTaskStore } from '../../../src/store/taskStore';
import { MemoryFiles } from '../support/memoryFiles';
import { aList, clock, dump, user } from '../support/store';

const folder = '/disk';
const open = (files: MemoryFiles, compactAt?: number) =>
  openTaskStore({ folder, clock, files, ...(compactAt !== undefined && { compactAt }) });

/** The rows that a fresh start on this disk shows. */
async function found(files: MemoryFiles): Promise<string> {
  const store = await open(files);
  const rows = dump(store);
  await store.close();
  return rows;
}

describe('crashes', () => {
  it('keep every acknowledged edit through a power loss at any moment, and no partial edit', async () => {
    const edits = fc.array(fc.nat(3), { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(edits, fc.nat(200), fc.boolean(), async (kinds, steps, isPowerLoss) => {
        const files = new MemoryFiles();
        const states: string[] = [];
        let acknowledged = 0;
        files.stepsLeft = steps;
        try {
          const store = await open(files, 3_000);
          states.push(dump(store));
          for (const [nth, kind] of kinds.entries()) {
            // The state that comes next may be on the disk before it is acknowledged.
            const next = store.edit(user, tx => {
              if (nth === 0) aList(tx, 'Inbox', 'a');
              else if (kind === 0) tx.insertTask({ listId: 1, uid: `u${nth}` });
              else tx.updateTask(1, { title: `${nth}` });
            });
            states.push('unknown');
            await next;
            states[states.length - 1] = dump(store);
            acknowledged = states.length - 1;
          }
          await store.close();
        } catch (error) {
          assert.ok(files.stepsLeft < 0, String(error));
        }
        const after = await found(isPowerLoss ? files.afterPowerLoss() : files.afterCrash());
        const known = states.indexOf(after);
        const mayBeNext = states.length - 1 > acknowledged || states.length === 0;
        assert.ok(known >= acknowledged || (known < 0 && mayBeNext), `acknowledged ${acknowledged}, found ${known}`);
      }),
      { numRuns: 150 },
    );
  });

  it('leave one of two states: a bulk edit is there completely or not at all', async () => {
    for (let steps = 0; ; steps++) {
      const files = new MemoryFiles();
      const store = await open(files);
      const before = dump(store);
      files.stepsLeft = steps;
      let isDone = true;
      await store
        .edit(user, tx => aList(tx, 'Import', ...Array.from({ length: 50 }, (_, at) => `${at}`)))
        .catch(() => {
          isDone = false;
        });
      const after = dump(await open(files.afterCrash()));
      assert.ok(after === before || JSON.parse(after)[2].length === 50);
      if (isDone) {
        assert.equal(after, dump(store));
        return;
      }
    }
  });

  it('report a full disk, change nothing, and continue when there is space again', async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    const before = dump(store);
    // With -1 only the end of the line is missing: the record counts until it is taken back.
    for (const room of [0, 1, 40, 200, -1]) {
      files.room = room;
      await assert.rejects(
        store.edit(user, tx => tx.updateTask(1, { title: 'lost' })),
        (error: unknown) => isDuelineError(error, 'storage') && /full/.test((error as Error).message),
      );
      assert.equal(dump(store), before);
    }
    files.room = Number.POSITIVE_INFINITY;
    await store.edit(user, tx => tx.updateTask(1, { title: 'kept' }));
    assert.equal(await found(files.afterPowerLoss()), dump(store));
    await store.close();
  });

  it('report a full disk during undo, and undo once when there is space', () => undoOnFullDisk(true));

  it('report a full disk during the first undo, whose file cannot be made', () => undoOnFullDisk(false));

  async function undoOnFullDisk(hasUndoFile: boolean): Promise<void> {
    const files = new MemoryFiles();
    const store = await open(files);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    await store.edit({ origin: 'user', label: { key: 'rename', count: 1 } }, tx => tx.updateTask(1, { title: 'b' }));
    if (hasUndoFile) await store.history();
    files.room = 40;
    await assert.rejects(store.undo(), /the disk is full/);
    assert.equal(store.task(1)!.title, 'b');
    files.room = Number.POSITIVE_INFINITY;
    assert.deepEqual(await store.undo(), { key: 'rename', count: 1 });
    assert.equal(store.task(1)!.title, 'a');
  }

  it('take back an edit that was written but could not be made durable', async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    files.failSync = true;
    const before = dump(store);
    await assert.rejects(
      store.edit(user, tx => tx.insertTask({ listId: 1, uid: 'unsafe' })),
      (error: unknown) => isDuelineError(error, 'storage'),
    );
    files.failSync = false;
    assert.equal(dump(store), before);
    assert.equal(await found(files.afterCrash()), before);
    await store.edit(user, tx => tx.insertTask({ listId: 1, uid: 'safe' }));
    assert.equal(await found(files.afterPowerLoss()), dump(store));
  });
});

describe('the upgrade of a store', () => {
  /** A store of schema 1 with rows in every table. */
  async function old(): Promise<{ files: MemoryFiles; rows: unknown }> {
    const files = new MemoryFiles();
    const replica = await Replica.open({
      folder: `${folder}/store`,
      databaseSchema: tasksSchema(1),
      files,
      clock,
      log: noLog,
    });
    const insert = (sql: string) =>
      replica.commit(
        () => replica.database.run(sql),
        () => ({}),
      );
    await insert("INSERT INTO accounts (display_name) VALUES ('Home')");
    await insert("INSERT INTO task_lists (name, color, account_id) VALUES ('Inbox', -1, 1)");
    await insert("INSERT INTO tasks (list_id, uid, title) VALUES (1, 'a', 'A'), (1, 'b', 'B')");
    await insert('INSERT INTO task_alarms (task_id, minutes_before) VALUES (1, 5)');
    const rows = replica.database.all('SELECT * FROM tasks');
    await replica.close();
    return { files, rows };
  }

  it('adds the column, keeps every row, and copies the old database first', async () => {
    const { files } = await old();
    const store = await open(files);
    assert.equal(store.readOnlyReason, undefined);
    assert.deepEqual(
      store.tasksOfList(1).map(task => ({ title: task.title, tags: task.tags, alarms: task.alarms.length })),
      [
        { title: 'A', tags: [], alarms: 1 },
        { title: 'B', tags: [], alarms: 0 },
      ],
    );
    await store.edit(user, tx => tx.updateTask(1, { tags: ['x'] }));
    assert.equal(store.select<{ v: number }>('SELECT user_version v FROM pragma_user_version')[0]!.v, 2);
    assert.equal(files.list(`${folder}/store/backup`).length, 1);
    await store.close();
    assert.deepEqual((await open(files)).task(1)!.tags, ['x']);
  });

  it('includes what an old window wrote until the very end of a store that was compacted before', async () => {
    const { files } = await old();
    const elder = () =>
      Replica.open({
        folder: `${folder}/store`,
        databaseSchema: tasksSchema(1),
        files,
        clock,
        log: noLog,
        compactAt: 2_000,
      });
    const rename = (replica: Replica, title: string) =>
      replica.commit(
        () => replica.database.run('UPDATE tasks SET title = ? WHERE id = 1', [title]),
        () => ({}),
      );
    for (let round = 0; round < 20; round++) {
      const replica = await elder();
      await rename(replica, `title ${round}`);
      await replica.close();
    }
    assert.ok(files.list(`${folder}/store`).some(name => name.startsWith('s-')));
    const last = await elder();
    const openJournal = files.openJournal.bind(files);
    let late: Promise<unknown> | undefined;
    files.openJournal = (path, mode) => {
      if (mode === 'fresh') late ??= rename(last, 'late');
      return openJournal(path, mode);
    };
    const store = await open(files);
    await late;
    assert.equal(store.task(1)!.title, 'late');
    assert.deepEqual(store.task(1)!.tags, []);
    await store.close();
    assert.equal((await open(files)).task(1)!.title, 'late');
  });

  it('is restarted after a crash at any step', async () => {
    const { files: fresh } = await old();
    const whole = await found(fresh.afterCrash());
    for (let steps = 0; ; steps++) {
      const files = fresh.afterCrash();
      files.stepsLeft = steps;
      const store = await open(files).catch(() => undefined);
      assert.equal(await found(files.afterCrash()), whole, `after ${steps} steps`);
      assert.equal(await found(files.afterPowerLoss()), whole, `power lost after ${steps} steps`);
      if (store) return;
    }
  });

  it('is done once if two windows start it together, and stops a window of the old version from writing', async () => {
    const { files } = await old();
    const elder = await Replica.open({
      folder: `${folder}/store`,
      databaseSchema: tasksSchema(1),
      files,
      clock,
      log: noLog,
    });
    const [one, two] = await Promise.all([open(files), open(files)]);
    await one.edit(user, tx => tx.updateTask(1, { tags: ['x'] }));
    await two.edit(user, tx => tx.updateTask(2, { tags: ['y'] }));
    await one.refresh();
    assert.equal(dump(one), dump(two));
    const late = elder.commit(
      () => elder.database.run("UPDATE tasks SET title = 'late'"),
      () => ({}),
    );
    await assert.rejects(late, (error: unknown) => isDuelineError(error, 'readOnly'));
    await two.refresh();
    assert.equal(two.task(1)!.title, 'A');
  });
});
