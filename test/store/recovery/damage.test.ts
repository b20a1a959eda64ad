import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFiles } from '../../../src/store/journal/files';
import { encodeLine } from '../../../src/store/journal/record';
import { listSnapshots } from '../../../src/store/snapshot/snapshot';
import { Database } from '../../../src/store/sql/database';
import { creationSql } from '../../../src/store/sql/schema';
import type { TaskStore } from '../../../src/store/taskStore';
import { aList, dump, Scratch, user } from '../support/store';

/** The edit of a window that has read the journal to its end, past any damage. */
function nextRecord(folder: string): Uint8Array {
  const lines = readFileSync(join(folder, 'store', 'j-00000000.jsonl'), 'utf8')
    .trim()
    .split(/\n+/);
  const { s, i } = JSON.parse(lines.at(-1)!.slice(9));
  return encodeLine({ s: s + 1, p: i, i: 'late', w: 'late', t: 0, o: [] });
}

describe('damage', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());
  const storeOf = (folder: string) => join(folder, 'store');
  const aFile = (bytes: Uint8Array) => {
    const path = join(scratch.folder(), 'foreign.db');
    writeFileSync(path, bytes);
    return path;
  };

  it('does not include unfinished files, which are deleted once their writer must have ended', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder, { compactAt: 2_000 });
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    const [old, fresh] = ['old.db.tmp', 'fresh.db.tmp'];
    for (const name of [old, fresh]) writeFileSync(join(storeOf(folder), name), 'x');
    utimesSync(join(storeOf(folder), old), 1, 1);
    for (let round = 0; round < 60; round++)
      await store.edit(user, tx => tx.updateTask(1, { title: `title ${round}` }));
    await store.close();
    const left = readdirSync(storeOf(folder)).filter(name => name.endsWith('.tmp'));
    assert.deepEqual(left, [fresh]);
  });

  it('is repaired when an open store meets it, and the changed tasks are announced', async () => {
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

  const titlesOf = (store: TaskStore) => store.selectTasks('1', [], 'ORDER BY t.id').map(({ title }) => title);

  /** A store with three tasks, each renamed in an edit of its own; `harm` damages the first of these edits. */
  async function damaged(folder: string) {
    const journal = join(storeOf(folder), 'j-00000000.jsonl');
    const store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b', 'c'));
    const at = readFileSync(journal).length;
    for (const id of [1, 2, 3]) await store.edit(user, tx => tx.updateTask(id, { title: `changed ${id}` }));
    const harm = () => {
      const bytes = Uint8Array.from(readFileSync(journal));
      bytes[at + 60]! ^= 1;
      writeFileSync(journal, bytes);
    };
    return { store, harm };
  }

  it('is repaired to the state before a compaction, and later edits can be salvaged from every journal', async () => {
    const folder = scratch.folder();
    const { store: first, harm } = await damaged(folder);
    await first.close();
    const isCompacted = () => readdirSync(storeOf(folder)).some(name => /^s-.*json$/.test(name));
    for (let round = 0; !isCompacted(); round++) {
      const store = await scratch.store(folder, { compactAt: 2_000 });
      await store.edit(user, tx => tx.updateTask(1, { title: `title ${round}` }));
      // Closing waits for the snapshot.
      await store.close();
    }
    const compacted = await scratch.store(folder);
    await compacted.edit(user, tx => tx.updateTask(3, { title: 'after the compaction' }));
    await compacted.close();
    harm();
    for (const name of readdirSync(storeOf(folder)).filter(name => /^s-.*db$/.test(name)))
      writeFileSync(join(storeOf(folder), name), 'damaged');
    const store = await scratch.store(folder);
    assert.deepEqual(titlesOf(store), ['a', 'b', 'c']);
    assert.ok((await store.data.salvage()) > 2);
    assert.deepEqual(titlesOf(store).slice(1), ['changed 2', 'after the compaction']);
    const after = dump(store);
    await store.close();
    assert.equal(dump(await scratch.store(folder)), after);
  });

  it('is repaired once if two windows find it at the same time, and both continue', async () => {
    const folder = scratch.folder();
    const { store, harm } = await damaged(folder);
    await store.close();
    harm();
    const windows = await Promise.all([1, 2].map(() => scratch.store(folder)));
    await Promise.all(windows.map((each, at) => each.edit(user, tx => tx.updateTask(at + 1, { title: `mine ${at}` }))));
    for (const each of windows) await each.refresh();
    for (const each of [...windows, await scratch.store(folder)])
      assert.deepEqual(titlesOf(each), ['mine 0', 'mine 1', 'c']);
    assert.equal(await windows[0]!.data.salvage(), 2);
  });

  it('is repaired though a window that had read past it writes meanwhile, and both agree afterwards', async () => {
    const folder = scratch.folder();
    const { store: awake, harm } = await damaged(folder);
    harm();
    let isWritten = false;
    const files = {
      ...diskFiles,
      openJournal: (...[path, mode]: Parameters<typeof diskFiles.openJournal>) => {
        const file = diskFiles.openJournal(path, mode);
        if (mode === 'fresh' && !isWritten) {
          isWritten = true;
          diskFiles.openJournal(join(storeOf(folder), 'j-00000000.jsonl'), 'append').append(nextRecord(folder));
        }
        return file;
      },
    };
    const repaired = await scratch.store(folder, { files });
    assert.equal(isWritten, true);
    await awake.refresh();
    await awake.edit(user, tx => tx.updateTask(2, { title: 'together' }));
    await repaired.refresh();
    assert.equal(dump(repaired), dump(awake));
    assert.deepEqual(titlesOf(repaired), ['a', 'together', 'c']);
  });

  it('is repaired by the next start if a crash ended the first repair', async () => {
    const folder = scratch.folder();
    const { store: before, harm } = await damaged(folder);
    await before.close();
    harm();
    const files = {
      ...diskFiles,
      writeWhole: (path: string, bytes: Uint8Array) =>
        path.endsWith('.db') ? Promise.reject(new Error('crashed')) : diskFiles.writeWhole(path, bytes),
    };
    await assert.rejects(scratch.store(folder, { files }), { kind: 'storage' });
    const store = await scratch.store(folder);
    assert.deepEqual(titlesOf(store), ['a', 'b', 'c']);
    await store.edit(user, tx => tx.updateTask(1, { title: 'after' }));
    await store.close();
    const again = await scratch.store(folder);
    assert.deepEqual(titlesOf(again), ['after', 'b', 'c']);
    assert.equal(await again.data.salvage(), 2);
  });

  it('of a snapshot is reported by the check of the data', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder, { compactAt: 2_000 });
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    for (let round = 0; round < 60; round++)
      await store.edit(user, tx => tx.updateTask(1, { title: `title ${round}` }));
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

  it('of the folder for backups is reported, and a backup is made once it is gone', async () => {
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

  it('of a file to import is reported before anything is imported', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    const database = await Database.open();
    database.run('CREATE TABLE x (y)');
    for (let n = 0; n < 2000; n++) database.run('INSERT INTO x VALUES (?)', [`row ${n} ${'z'.repeat(50)}`]);
    const bytes = database.export();
    database.close();
    const broken = bytes.slice();
    broken.fill(0xff, 4096, 8192);
    await assert.rejects(store.data.importDatabase(aFile(broken)), { kind: 'invalid' });
    await assert.rejects(store.data.importDatabase(aFile(bytes)), /does not have the table/);
    await assert.rejects(store.data.importDatabase(join(folder, 'none.db')), { kind: 'notFound' });
  });

  it('is reported for a file to import whose tables are endless views, and no view is read', async () => {
    const store = await scratch.store(scratch.folder());
    const database = await Database.open();
    const endless = 'WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n';
    for (const table of ['accounts', 'task_lists', 'tasks', 'task_alarms'])
      database.exec(`CREATE VIEW ${table} AS ${endless}`);
    const bytes = database.export();
    database.close();
    await assert.rejects(store.data.importDatabase(aFile(bytes)), /does not have the table/);
  });

  it('in a torn line is skipped, and reported by the check of the data', async () => {
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
    assert.match(checks.find(({ name }) => name === 'journal')!.details[0]!.text, /1 incomplete lines were skipped/);
  });

  it('does not include a snapshot of a later format, which is refused and not repaired', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder, { compactAt: 2_000 });
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    for (let round = 0; round < 60; round++)
      await store.edit(user, tx => tx.updateTask(1, { title: `title ${round}` }));
    await store.close();
    const names = readdirSync(storeOf(folder)).filter(name => /^s-.*\.json$/.test(name));
    for (const name of names) {
      const path = join(storeOf(folder), name);
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), format: 99 }));
    }
    assert.ok(names.length > 0);
    await assert.rejects(scratch.store(folder), { kind: 'storage' });
  });

  it('of the version number does not keep a file from being imported', async () => {
    for (const version of [1, 2]) {
      const database = await Database.open();
      for (const sql of creationSql(version)) database.run(sql);
      database.run("INSERT INTO task_lists (name, color) VALUES ('L', 0)");
      database.run("INSERT INTO tasks (list_id, uid, title) VALUES (1, 'x', 'X')");
      database.run('PRAGMA user_version = 0');
      const bytes = database.export();
      database.close();
      const store = await scratch.store(scratch.folder());
      await store.data.importDatabase(aFile(bytes));
      assert.equal(store.task(1)?.title, 'X');
    }
  });

  it('of its description makes a snapshot unreadable', () => {
    const folder = scratch.folder();
    for (const [name, text] of [
      ['s-00000001-aaaaaaaa.json', '{"gen":"x"}'],
      ['s-00000002-bbbbbbbb.json', '{"gen":2}'],
      ['s-00000003-cccccccc.json', 'no JSON'],
    ] as const)
      writeFileSync(join(folder, name), text);
    const { snapshots, unreadable } = listSnapshots(diskFiles, folder);
    assert.deepEqual(
      { snapshots: snapshots.length, unreadable: unreadable.length, first: unreadable[0] },
      { snapshots: 0, unreadable: 3, first: 's-00000003-cccccccc.json' },
    );
  });
});
