import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDuelineError } from '../../../src/core/kernel/errors';
import { Database } from '../../../src/store/sql/database';
import { creationSql } from '../../../src/store/sql/schema';
import { textsOf } from '../../support/texts';
import { aList, dump, Scratch, user } from '../support/store';

/** A version-1 file as Android's Room leaves it: tables by name, `android_metadata`, newest pages in the `-wal`. */
const room = 'test/store/fixtures/room-v1.db';

describe('the import of database files', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  function inbox(folder: string, ...names: string[]): string {
    const place = join(folder, 'import');
    mkdirSync(place);
    for (const name of names) {
      cpSync(room, join(place, name));
      cpSync(`${room}-wal`, join(place, `${name}-wal`));
    }
    return place;
  }

  async function madeFile(path: string, version: number, ...more: string[]): Promise<void> {
    const database = await Database.open();
    const tasks = "INSERT INTO tasks (list_id, uid, title) VALUES (1, 'x', 'X')";
    for (const sql of [
      ...creationSql(Math.min(version, 2)),
      "INSERT INTO task_lists (name, color) VALUES ('L', 0)",
      tasks,
    ]) {
      database.run(sql);
    }
    for (const sql of [...more, `PRAGMA user_version = ${version}`]) database.run(sql);
    writeFileSync(path, database.export());
    database.close();
  }

  it('imports a version-1 file of Room into an empty store, with ids and WAL', async () => {
    const folder = scratch.folder();
    const place = inbox(folder, 'room.db');
    const store = await scratch.store(folder);
    assert.deepEqual(store.notices, []);
    assert.deepEqual(
      store.accounts().map(({ id, displayName, lastSyncAt }) => ({ id, displayName, lastSyncAt })),
      [{ id: 3, displayName: 'Home', lastSyncAt: 1_700_000_000_000 }],
    );
    assert.deepEqual(
      store.lists().map(({ id, name, accountId }) => ({ id, name, accountId })),
      [
        { id: 9, name: 'Privat', accountId: null },
        { id: 7, name: 'Haus', accountId: 3 },
      ],
    );
    const rows = store.selectTasks('1', [], 'ORDER BY t.id');
    assert.deepEqual(
      rows.map(({ id, title, parentId, masterId, isDirty }) => ({ id, title, parentId, masterId, isDirty })),
      [
        { id: 20, title: 'Dach', parentId: null, masterId: null, isDirty: true },
        { id: 21, title: 'Ziegel kaufen', parentId: 20, masterId: null, isDirty: false },
        { id: 22, title: 'Ölwechsel 🚗', parentId: null, masterId: null, isDirty: false },
        { id: 23, title: 'Dach, verschoben', parentId: null, masterId: 20, isDirty: false },
      ],
    );
    assert.deepEqual(rows[0]!.alarms, [{ id: 5, taskId: 20, minutesBefore: 15, reference: 'DUE', message: 'Los' }]);
    assert.deepEqual(readdirSync(place).sort(), ['room.db-wal.imported', 'room.db.imported']);
    assert.equal(await store.undo(), undefined);
    await store.close();
    assert.equal((await scratch.store(folder)).selectTasks('1').length, 4);
  });

  it('does not import a file on start if the store has lists', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'Inbox'));
    await store.close();
    const place = inbox(folder, 'room.db');
    assert.equal((await scratch.store(folder)).lists().length, 1);
    assert.ok(existsSync(join(place, 'room.db')));
  });

  it('is done once by two windows, and takes several files', async () => {
    const folder = scratch.folder();
    const place = inbox(folder, 'a.db');
    await madeFile(join(place, 'b.db'), 2);
    const stores = await Promise.all([scratch.store(folder), scratch.store(folder)]);
    for (const store of stores) await store.refresh();
    assert.equal(dump(stores[0]!), dump(stores[1]!));
    assert.equal(stores[0]!.selectTasks('1').length, 5);
    assert.ok(readdirSync(place).every(name => name.endsWith('.imported')));
  });

  it('reports why a file cannot be imported, and keeps it as it is', async () => {
    const folder = scratch.folder();
    mkdirSync(join(folder, 'import'));
    const path = join(folder, 'import', 'broken.db');
    const bytes = Uint8Array.from(readFileSync(room)).subarray(0, 5000);
    writeFileSync(path, bytes);
    const store = await scratch.store(folder);
    assert.equal(store.notices.length, 1);
    assert.match(store.notices[0]!.text, /broken\.db was not imported/);
    assert.deepEqual(Uint8Array.from(readFileSync(path)), bytes);
    await store.edit(user, tx => aList(tx, 'Inbox'));
  });

  it('shows a file with a newer schema read-only', async () => {
    const folder = scratch.folder();
    mkdirSync(join(folder, 'import'));
    const path = join(folder, 'import', 'new.db');
    await madeFile(path, 3, 'ALTER TABLE tasks ADD COLUMN novelty TEXT');
    const store = await scratch.store(folder);
    assert.match(store.readOnlyReason?.text ?? '', /newer version/);
    assert.deepEqual(
      store.selectTasks('1').map(task => task.title),
      ['X'],
    );
    await assert.rejects(
      store.edit(user, tx => aList(tx, 'Inbox')),
      (error: unknown) => isDuelineError(error, 'readOnly'),
    );
    assert.ok(existsSync(path));
    await store.close();
    rmSync(path);
    const after = await scratch.store(folder);
    assert.equal(after.readOnlyReason, undefined);
    assert.equal(after.lists().length, 0);
  });

  it('imports what it can of several files, and reports which one is too new', async () => {
    const folder = scratch.folder();
    const place = join(folder, 'import');
    mkdirSync(place);
    await madeFile(join(place, 'a.db'), 2);
    await madeFile(join(place, 'b.db'), 3);
    const store = await scratch.store(folder);
    assert.equal(store.readOnlyReason, undefined);
    assert.equal(store.task(1)?.title, 'X');
    assert.match(store.notices[0]!.text, /b\.db was not imported and was not changed\. .* newer version/);
    assert.deepEqual(readdirSync(place).sort(), ['a.db.imported', 'b.db']);
  });

  it('adds to what is there without duplicates, and can be undone', async () => {
    const store = await scratch.store(scratch.folder());
    await store.edit(user, tx => aList(tx, 'Inbox', 'mine'));
    const before = dump(store);
    const report = await store.data.importDatabase(room);
    assert.deepEqual(report, { accounts: 1, lists: 2, tasks: 4, skipped: 0 });
    assert.equal(store.task(1)!.title, 'mine');
    assert.deepEqual(await store.data.importDatabase(room), { accounts: 0, lists: 0, tasks: 0, skipped: 4 });
    assert.deepEqual(await store.undo(), { key: 'importDatabase', count: 4 });
    assert.equal(dump(store), before);
  });

  it('refuses a newer schema and databases of other programs', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    const newer = join(folder, 'newer.db');
    await madeFile(newer, 3);
    await assert.rejects(store.data.importDatabase(newer), (error: unknown) => isDuelineError(error, 'unsupported'));
    const other = await Database.open();
    other.run('CREATE TABLE notes (id INTEGER)');
    const strange = join(folder, 'strange.db');
    for (const bytes of [other.export(), new Uint8Array(5000), new TextEncoder().encode('hello')]) {
      writeFileSync(strange, bytes);
      await assert.rejects(store.data.importDatabase(strange), (error: unknown) => isDuelineError(error, 'invalid'));
    }
    await assert.rejects(store.data.importDatabase('/nowhere.db'), (error: unknown) =>
      isDuelineError(error, 'notFound'),
    );
  });

  it('refuses a file of more than 128 MB with a message, by command and from the folder', async () => {
    const folder = scratch.folder();
    const place = inbox(folder, 'large.db');
    const path = join(place, 'large.db');
    truncateSync(path, 128 * 1024 * 1024);
    const text =
      'This database is 129 MB, but the limit is 128 MB. Export its lists as iCalendar files and import those instead.';
    const store = await scratch.store(folder);
    assert.deepEqual(textsOf(store.notices), [`${path} was not imported and was not changed. ${text}`]);
    await assert.rejects(store.data.importDatabase(path), { kind: 'invalid', message: text });
  });

  it('imports no circle of parents', async () => {
    const folder = scratch.folder();
    const path = join(folder, 'circle.db');
    const rows = ['y', 'z'].map(uid => `INSERT INTO tasks (list_id, uid, parent_id) VALUES (1, '${uid}', 1)`);
    await madeFile(path, 2, ...rows, 'UPDATE tasks SET parent_id = 2 WHERE id = 1');
    const store = await scratch.store(folder);
    await store.data.importDatabase(path);
    assert.deepEqual(
      store.selectTasks('1', [], 'ORDER BY t.id').map(task => task.parentId),
      [2, null, 1],
    );
  });

  it('keeps both of two masters with one UID, which the index permits', async () => {
    const folder = scratch.folder();
    const path = join(folder, 'duplicates.db');
    await madeFile(path, 2, "INSERT INTO tasks (list_id, uid, title) VALUES (1, 'x', 'Y')");
    const store = await scratch.store(folder);
    await store.data.importDatabase(path);
    assert.deepEqual(await store.data.importDatabase(path), { accounts: 0, lists: 0, tasks: 0, skipped: 2 });
    assert.deepEqual(
      store.selectTasks('1', [], 'ORDER BY t.id').map(task => task.title),
      ['X', 'Y'],
    );
    assert.equal((await store.data.checkIntegrity()).ok, true);
  });
});
