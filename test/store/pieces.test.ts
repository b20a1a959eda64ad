import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { computedCrc32, crc32 } from '../../src/store/crc';
import { Database } from '../../src/store/database';
import { codeOf, diskFiles } from '../../src/store/files';
import { creationSql } from '../../src/store/schema';
import { listSnapshots } from '../../src/store/snapshot';
import { withWal } from '../../src/store/wal';
import { aList, dump, Scratch, user } from './aStore';

const sync = { origin: 'sync' } as const;
const act = (key: string) => ({ origin: 'user', label: { key, count: 1 } }) as const;

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

  it('copies onto no existing file, removes what is not there, and tells where it cannot', async () => {
    const folder = scratch.folder();
    const [from, to] = [join(folder, 'a'), join(folder, 'b')];
    writeFileSync(from, 'x');
    await diskFiles.copy(from, to);
    await assert.rejects(diskFiles.copy(from, to), error => codeOf(error) === 'EEXIST');
    assert.equal(await diskFiles.remove(join(folder, 'none')), true);
    assert.equal(await diskFiles.remove(folder), false);
    assert.equal(diskFiles.modifiedAt(join(folder, 'none')), undefined);
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
      assert.deepEqual([each.task(a)?.uid, each.task(b)?.uid], ['Inbox-b', 'Inbox-a']);
  });
});

describe('undo, over what happened since', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  const opened = async () => {
    const store = await scratch.store(scratch.folder());
    const made = await store.edit(sync, tx => {
      const account = tx.insertAccount({ displayName: 'Cloud' });
      const { list, tasks } = aList(tx, 'Inbox', 'a', 'b');
      tx.updateList(list, { accountId: account, href: '/inbox/' });
      for (const id of tasks) tx.updateTask(id, { href: `/inbox/${id}.ics`, etag: '1' });
      return { account, list, a: tasks[0]!, b: tasks[1]! };
    });
    return { store, ...made };
  };

  it('keeps a list that has arrived or been filled meanwhile', async () => {
    const { store, account } = await opened();
    const list = await store.edit(act('new'), tx =>
      tx.insertList({ name: 'New', color: 0, accountId: account, isDirty: true }),
    );
    await store.edit(sync, tx => tx.updateList(list, { href: '/new/', isDirty: false }));
    await store.undo();
    assert.equal(store.list(list)?.href, '/new/');
    const filled = await store.edit(act('new'), tx => tx.insertList({ name: 'Filled', color: 0 }));
    await store.edit(sync, tx => tx.insertTask({ listId: filled, uid: 'x' }));
    await store.undo();
    assert.equal(store.list(filled)?.name, 'Filled');
    const empty = await store.edit(act('new'), tx => tx.insertList({ name: 'Empty', color: 0 }));
    await store.undo();
    assert.equal(store.list(empty), undefined);
  });

  it('gives a list its name back, and tells the server, but leaves alone what is new', async () => {
    const { store, list } = await opened();
    await store.edit(act('rename'), tx => tx.updateList(list, { name: 'Mine', isDirty: true }));
    await store.edit(sync, tx => tx.updateList(list, { color: 7, isDirty: false }));
    await store.undo();
    const { name, color, isDirty } = store.list(list)!;
    assert.deepEqual([name, color, isDirty], ['Inbox', 7, true]);
  });

  it('leaves alone what was changed again', async () => {
    const { store, list } = await opened();
    await store.edit(act('rename'), tx => tx.updateList(list, { name: 'Mine' }));
    await store.edit(sync, tx => tx.updateList(list, { name: 'Theirs' }));
    await store.undo();
    assert.equal(store.list(list)?.name, 'Theirs');
  });

  it('brings nothing back into a list that is gone, or onto a place that is taken', async () => {
    const { store, list, a, b } = await opened();
    const { uid } = store.task(b)!;
    await store.edit(act('delete'), tx => tx.deleteTask(b));
    await store.edit(sync, tx => tx.insertTask({ listId: list, uid, title: 'theirs' }));
    await store.undo();
    assert.deepEqual(
      store.selectTasks('t.uid = ?', [uid]).map(({ title }) => title),
      ['theirs'],
    );
    await store.edit(act('delete'), tx => tx.deleteTask(a));
    await store.edit(sync, tx => tx.deleteList(list));
    await store.undo();
    assert.equal(store.task(a), undefined);
  });

  it('brings a list back without its account where that is gone', async () => {
    const { store, account, list } = await opened();
    await store.edit(act('delete'), tx => tx.deleteList(list));
    await store.edit(sync, tx => tx.deleteAccount(account));
    await store.undo();
    const { accountId, href, isDirty } = store.list(list)!;
    assert.deepEqual([accountId, href, isDirty], [null, null, false]);
    assert.equal(store.selectTasks('t.list_id = ?', [list]).length, 2);
  });

  it('leaves a task where it is whose old list is gone', async () => {
    const { store, list, a } = await opened();
    const target = await store.edit(sync, tx => tx.insertList({ name: 'Target', color: 0 }));
    await store.edit(act('move'), tx => tx.updateTask(a, { listId: target, href: null, etag: null, title: 'moved' }));
    await store.edit(sync, tx => tx.deleteList(list));
    await store.undo();
    assert.equal(store.task(a)?.listId, target);
  });

  it('brings an occurrence back only with its series', async () => {
    const { store, list, a } = await opened();
    const override = await store.edit(sync, tx =>
      tx.insertTask({ listId: list, uid: 'Inbox-a', masterId: a, recurrenceId: 5, href: '/inbox/1.ics' }),
    );
    await store.edit(act('delete'), tx => tx.deleteTask(override));
    await store.edit(sync, tx => tx.deleteTask(a));
    await store.undo();
    assert.equal(store.task(override), undefined);
  });
});

describe('leftovers and damage', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());
  const storeOf = (folder: string) => join(folder, 'store');

  it('clears away what was never finished, once its writer must be gone', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder, { compactAt: 2_000 });
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    const [old, fresh] = ['old.db.tmp', 'fresh.db.tmp'];
    for (const name of [old, fresh]) writeFileSync(join(storeOf(folder), name), 'x');
    utimesSync(join(storeOf(folder), old), 1, 1);
    for (let turn = 0; turn < 60; turn++) await store.edit(user, tx => tx.updateTask(1, { title: `title ${turn}` }));
    await store.close();
    const left = readdirSync(storeOf(folder)).filter(name => name.endsWith('.tmp'));
    assert.deepEqual(left, [fresh]);
  });

  it('repairs damage that it meets while open, says so, and names what changed', async () => {
    const folder = scratch.folder();
    const awake = await scratch.store(folder);
    await awake.edit(user, tx => aList(tx, 'Inbox', 'a', 'b'));
    const asleep = await scratch.store(folder, { files: { ...diskFiles, watch: () => ({ dispose() {} }) } });
    const changed = new Set<number>();
    asleep.onDidChange(change => {
      for (const id of change.tasks) changed.add(id);
    });
    for (const title of ['1', '2', '3']) await awake.edit(user, tx => tx.updateTask(1, { title }));
    await awake.close();
    const journal = join(storeOf(folder), 'j-00000000.jsonl');
    const bytes = Uint8Array.from(readFileSync(journal));
    bytes[bytes.lastIndexOf(0x0a, bytes.length - 2) - 20]! ^= 1;
    writeFileSync(journal, bytes);
    await asleep.refresh();
    assert.notEqual(asleep.task(1)?.title, 'a');
    assert.deepEqual([...changed], [1]);
    assert.ok(asleep.notices.length > 0);
    assert.equal(dump(await scratch.store(folder)), dump(asleep));
  });

  it('is told by the check of the data: what dangles, and snapshots that are not as written', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder, { compactAt: 2_000 });
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    for (let turn = 0; turn < 60; turn++) await store.edit(user, tx => tx.updateTask(1, { title: `title ${turn}` }));
    await store.close();
    const again = await scratch.store(folder);
    assert.equal(again.data.folder, folder);
    for (const name of readdirSync(storeOf(folder)).filter(name => /^s-.*\.db$/.test(name))) {
      const path = join(storeOf(folder), name);
      const bytes = Uint8Array.from(readFileSync(path));
      bytes[bytes.length - 10]! ^= 1;
      writeFileSync(path, bytes);
    }
    const { ok, checks } = await again.data.checkIntegrity();
    assert.equal(ok, false);
    assert.equal(checks.find(({ name }) => name === 'snapshots')?.ok, false);
  });

  it('says where it cannot back up, and does once it can', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    rmSync(join(folder, 'backups'), { recursive: true, force: true });
    writeFileSync(join(folder, 'backups'), 'in the way');
    await assert.rejects(store.data.backUpNow());
    rmSync(join(folder, 'backups'));
    mkdirSync(join(folder, 'backups'));
    await store.data.backUpNow();
    assert.equal(store.data.backups().length, 1);
  });

  it('of a foreign file is told before anything is taken from it', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    const database = await Database.open();
    database.run('CREATE TABLE x (y)');
    for (let n = 0; n < 2000; n++) database.run('INSERT INTO x VALUES (?)', [`row ${n} ${'z'.repeat(50)}`]);
    const bytes = database.export();
    database.close();
    const broken = bytes.slice();
    broken.fill(0xff, 4096, 8192);
    await assert.rejects(store.data.importDatabase(broken), { kind: 'invalid' });
    await assert.rejects(store.data.importDatabase(bytes), /has no table/);
    await assert.rejects(store.data.importDatabase(join(folder, 'none.db')), { kind: 'notFound' });
  });

  it('of a foreign file whose tables are endless views is told, and none of them is read', async () => {
    const store = await scratch.store(scratch.folder());
    const database = await Database.open();
    const endless = 'WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n';
    for (const table of ['accounts', 'task_lists', 'tasks', 'task_alarms'])
      database.exec(`CREATE VIEW ${table} AS ${endless}`);
    const bytes = database.export();
    database.close();
    await assert.rejects(store.data.importDatabase(bytes), /has no table/);
  });

  it('of a torn line is passed over, and told by the check of the data', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    await store.close();
    appendFileSync(join(storeOf(folder), 'j-00000000.jsonl'), '\nhalf a rec');
    const again = await scratch.store(folder);
    assert.equal(again.task(1)?.title, 'a');
    await again.edit(user, tx => tx.updateTask(1, { title: 'b' }));
    const { ok, checks } = await again.data.checkIntegrity();
    assert.equal(ok, true);
    assert.match(checks.find(({ name }) => name === 'journal')!.details[0]!, /1 torn lines were passed over/);
  });

  it('is no snapshot of a later format: that is refused, not repaired', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder, { compactAt: 2_000 });
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    for (let turn = 0; turn < 60; turn++) await store.edit(user, tx => tx.updateTask(1, { title: `title ${turn}` }));
    await store.close();
    const names = readdirSync(storeOf(folder)).filter(name => /^s-.*\.json$/.test(name));
    for (const name of names) {
      const path = join(storeOf(folder), name);
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), format: 99 }));
    }
    assert.ok(names.length > 0);
    await assert.rejects(scratch.store(folder), { kind: 'storage' });
  });

  it('keeps no undo step for ever', async () => {
    const store = await scratch.store(scratch.folder());
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    for (let turn = 0; turn < 205; turn++)
      await store.edit(act('rename'), tx => tx.updateTask(1, { title: `title ${turn}` }));
    let steps = 0;
    while (await store.undo()) steps++;
    assert.equal(steps, 200);
    assert.equal(store.task(1)?.title, 'title 4');
  });

  it('of a version number in a foreign file does not hide what it is', async () => {
    for (const version of [1, 2]) {
      const database = await Database.open();
      for (const sql of creationSql(version)) database.run(sql);
      database.run("INSERT INTO task_lists (name, color) VALUES ('L', 0)");
      database.run("INSERT INTO tasks (list_id, uid, title) VALUES (1, 'x', 'X')");
      database.run('PRAGMA user_version = 0');
      const bytes = database.export();
      database.close();
      const store = await scratch.store(scratch.folder());
      await store.data.importDatabase(bytes);
      assert.equal(store.task(1)?.title, 'X');
    }
  });

  it('of a snapshot’s description makes it no snapshot', () => {
    const folder = scratch.folder();
    for (const [name, text] of [
      ['s-00000001-aaaaaaaa.json', '{"gen":"x"}'],
      ['s-00000002-bbbbbbbb.json', '{"gen":2}'],
      ['s-00000003-cccccccc.json', 'no JSON'],
    ] as const)
      writeFileSync(join(folder, name), text);
    const { snapshots, unreadable } = listSnapshots(diskFiles, folder);
    assert.deepEqual([snapshots.length, unreadable.length, unreadable[0]], [0, 3, 's-00000003-cccccccc.json']);
  });

  it('of an error is told as what it is: a row that SQLite refuses for another reason', async () => {
    const store = await scratch.store(scratch.folder());
    await assert.rejects(
      store.edit(user, tx => tx.insertList({ name: null as never, color: 0 })),
      { kind: 'invalid' },
    );
  });
});
