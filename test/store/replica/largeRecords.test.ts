import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noLog } from '../../../src/core/log';
import { computedCrc32, crc32 } from '../../../src/store/journal/crc32';
import { codeOf, diskFiles } from '../../../src/store/journal/files';
import { Replica } from '../../../src/store/replica/replica';
import { Database } from '../../../src/store/sql/database';
import { tasksShape } from '../../../src/store/sql/databaseSchema';
import { RowWriter } from '../../../src/store/sql/rowWriter';
import { withWal } from '../../../src/store/transfer/wal';
import { aList, clock, Scratch, user } from '../support/store';

describe('checksums', () => {
  it('are the same with and without the platform’s help', () => {
    for (const text of ['', 'a', 'Miete zahlen', 'x'.repeat(10_000)]) {
      const bytes = new TextEncoder().encode(text);
      assert.equal(computedCrc32(bytes).toString(16).padStart(8, '0'), crc32(bytes));
    }
    assert.equal(crc32(new TextEncoder().encode('123456789')), 'cbf43926');
  });
});

describe('the -wal beside a database file', () => {
  const database = Uint8Array.from(readFileSync('test/store/fixtures/room-v1.db'));
  const wal = Uint8Array.from(readFileSync('test/store/fixtures/room-v1.db-wal'));
  const plain = withWal(database, undefined);
  const merged = withWal(database, wal);
  const damaged = (at: number, value: number) => {
    const copy = wal.slice();
    copy[at] = value;
    return withWal(database, copy);
  };

  it('counts as far as it was committed', () => {
    assert.notDeepEqual(merged, plain);
    assert.deepEqual(withWal(database, wal.subarray(0, wal.length - 1)).length >= plain.length, true);
  });

  it('is left out where it is none: another magic number, a torn head, nothing committed', () => {
    assert.deepEqual(damaged(0, 0), plain);
    assert.deepEqual(damaged(16, wal[16]! ^ 1), plain);
    assert.deepEqual(damaged(40, wal[40]! ^ 1), plain);
    assert.deepEqual(withWal(database, wal.subarray(0, 40)), plain);
    assert.deepEqual(withWal(database, wal.subarray(0, 10)), plain);
  });
});

describe('files on the disk', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('has no names in a folder that is not there, and says what else is wrong', () => {
    const folder = scratch.folder();
    assert.deepEqual(diskFiles.list(join(folder, 'none')), []);
    writeFileSync(join(folder, 'file'), '');
    assert.throws(
      () => diskFiles.list(join(folder, 'file')),
      error => codeOf(error) === 'ENOTDIR',
    );
  });

  it('removes what is not there, and tells where it cannot', async () => {
    const folder = scratch.folder();
    assert.equal(await diskFiles.remove(join(folder, 'none')), true);
    assert.equal(await diskFiles.remove(folder), false);
    assert.equal(diskFiles.modifiedAt(join(folder, 'none')), undefined);
  });

  it('leaves nothing of a file that could not be written', async () => {
    const folder = scratch.folder();
    mkdirSync(join(folder, 'taken'));
    await assert.rejects(diskFiles.writeWhole(join(folder, 'taken'), new Uint8Array(9)));
    assert.deepEqual(diskFiles.list(folder), ['taken']);
  });

  it('gives a claim to one', () => {
    const path = join(scratch.folder(), 'lock');
    assert.equal(diskFiles.claim(path, 'me'), true);
    assert.equal(diskFiles.claim(path, 'you'), false);
    diskFiles.release(path);
    assert.equal(diskFiles.claim(path, 'you'), true);
    assert.throws(
      () => diskFiles.claim(join(path, 'below'), 'x'),
      error => codeOf(error) === 'ENOTDIR',
    );
  });

  it('reads what is there of a journal, and keeps a synced file open until it is synced', async () => {
    const path = join(scratch.folder(), 'journal');
    const journal = diskFiles.openJournal(path, 'create');
    journal.append(new TextEncoder().encode('abc'));
    assert.equal(journal.read(1, 10).length, 2);
    const syncing = journal.sync();
    journal.close();
    await syncing;
    assert.throws(() => journal.size());
  });
});

describe('the database', () => {
  it('answers more different questions than it keeps prepared, the first of them again', async () => {
    const database = await Database.open();
    for (let turn = 0; turn < 250; turn++) assert.equal(database.value(`SELECT ${turn}`), turn);
    assert.equal(database.value('SELECT 0'), 0);
    database.close();
  });
});

describe('an edit', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('that is done leaves none of its rows in memory twice', async () => {
    const folder = join(scratch.folder(), 'store');
    const replica = await Replica.open({ folder, shape: tasksShape(), clock, log: noLog, files: diskFiles });
    const writer = new RowWriter(() => replica.database);
    await replica.commit(
      () => aList(writer, 'Inbox', 'a'),
      () => ({}),
    );
    assert.equal(writer.selectTasks('1').length, 1);
    assert.equal(replica.database.inserted.size, 0);
    await replica.close();
  });
});

describe('the store, refusing', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('fields that no table has', async () => {
    const store = await scratch.store(scratch.folder());
    const { list, tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    await assert.rejects(
      store.edit(user, tx => tx.insertTask({ listId: list, uid: 'x', mood: 1 } as never)),
      {
        kind: 'invalid',
      },
    );
    await assert.rejects(
      store.edit(user, tx => tx.updateTask(tasks[0]!, { mood: 1 } as never)),
      { kind: 'invalid' },
    );
    await store.edit(user, tx => tx.updateTask(tasks[0]!, { title: undefined }));
    assert.equal(store.task(tasks[0]!)?.title, 'a');
  });

  it('a row that SQLite refuses, as what it is', async () => {
    const store = await scratch.store(scratch.folder());
    await assert.rejects(
      store.edit(user, tx => tx.insertList({ name: null as never, color: 0 })),
      { kind: 'invalid' },
    );
  });

  it('changes of rows that are not there, even those that say nothing', async () => {
    const store = await scratch.store(scratch.folder());
    for (const patch of [{ title: 'x' }, {}])
      await assert.rejects(
        store.edit(user, tx => tx.updateTask(99, patch)),
        /There is no task 99/,
      );
    await assert.rejects(
      store.edit(user, tx => tx.insertTask({ listId: 99, uid: 'x' })),
      { kind: 'notFound' },
    );
  });

  it('work that does not end when it returns', async () => {
    const store = await scratch.store(scratch.folder());
    await assert.rejects(store.edit(user, (async () => {}) as never), /must be done when it returns/);
  });
});

describe('rows in an order that SQLite minds', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('swaps two values that must be unique, in every window', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    const other = await scratch.store(folder);
    const { tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b'));
    const [a, b] = [tasks[0]!, tasks[1]!];
    await store.edit(user, tx => {
      tx.updateTask(a, { uid: 'between' });
      tx.updateTask(b, { uid: 'Inbox-a' });
      tx.updateTask(a, { uid: 'Inbox-b' });
    });
    await other.refresh();
    for (const each of [store, other, await scratch.store(folder)])
      assert.deepEqual({ a: each.task(a)?.uid, b: each.task(b)?.uid }, { a: 'Inbox-b', b: 'Inbox-a' });
  });
});
