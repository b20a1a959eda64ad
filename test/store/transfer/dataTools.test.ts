import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDuelineError } from '../../../src/core/kernel/errors';
import { diskFiles } from '../../../src/store/journal/files';
import { Database } from '../../../src/store/sql/database';
import { identityHash } from '../../../src/store/sql/schema';
import { schemaDifferences } from '../../../src/store/sql/schemaDescription';
import { pick } from '../../support/pick';
import { aList, clock, dump, Scratch, user } from '../support/store';

/** A version-1 file as Android's Room leaves it: tables by name, `android_metadata`, newest pages in the `-wal`. */
const room = 'test/store/fixtures/room-v1.db';
const sync = { origin: 'sync' } as const;
const act = (key: string) => ({ origin: 'user', label: { key, count: 1 } }) as const;

describe('data tools', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('exports one plain file with exactly the four tables', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    await store.data.importDatabase(room);
    const path = join(folder, 'out.db');
    await store.exportDatabase(path);
    await store.exportDatabase(path);
    const bytes = Uint8Array.from(readFileSync(path));
    assert.deepEqual({ writeVersion: bytes[18], readVersion: bytes[19] }, { writeVersion: 1, readVersion: 1 });
    assert.deepEqual(
      readdirSync(folder).filter(name => name.startsWith('out')),
      ['out.db'],
    );
    const exported = await Database.open(bytes);
    assert.deepEqual(schemaDifferences(exported, 2), []);
    assert.equal(exported.value('PRAGMA user_version'), 2);
    assert.equal(exported.value('SELECT identity_hash FROM room_master_table WHERE id = 42'), identityHash(2));
    assert.equal(exported.value('SELECT count(*) FROM tasks'), 4);
    exported.close();
    await store.edit(user, tx => tx.updateTask(20, { title: 'after' }));
    await assert.rejects(
      store.edit(user, tx => tx.insertTask({ listId: 99, uid: 'x' })),
      (error: unknown) => isDuelineError(error, 'notFound'),
    );
  });

  it('exports nothing into its own folders, whatever path leads there', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    await store.sidecar();
    const link = join(scratch.folder(), 'link');
    symlinkSync(join(folder, 'store'), link, 'junction');
    const journal = 'j-00000000.jsonl';
    for (const path of [
      join(folder, 'store', journal),
      join(folder, 'import', '..', 'store', 'new.db'),
      join(folder, 'sidecar', journal),
      join(link, journal),
    ])
      await assert.rejects(store.exportDatabase(path), (error: unknown) => isDuelineError(error, 'invalid'));
    await store.edit(user, tx => tx.updateTask(1, { title: 'after' }));
    const before = dump(store);
    await store.close();
    assert.equal(dump(await scratch.store(folder)), before);
    assert.deepEqual(
      readdirSync(join(folder, 'store')).filter(name => name.endsWith('.db')),
      [],
    );
  });

  describe('backups', () => {
    it('copies, lists, previews and restores, and can undo the restore', async () => {
      const store = await scratch.store(scratch.folder());
      await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b', 'c'));
      await store.edit(user, tx => tx.updateTask(3, { parentId: 2, alarms: [{ minutesBefore: 5 }] }));
      const then = dump(store);
      const backup = await store.data.backUpNow();
      await store.edit(user, tx => {
        tx.updateTask(1, { title: 'A' });
        tx.deleteTask(2);
        tx.insertTask({ listId: 1, uid: 'new', title: 'new' });
        aList(tx, 'More', 'x');
      });
      const now = dump(store);
      const preview = await store.data.previewBackup(backup.path);
      assert.deepEqual(
        preview.map(({ table, name, change }) => `${change} ${table} ${name}`),
        [
          'removed task_lists More',
          'added tasks b',
          'changed tasks a',
          'changed tasks c',
          'removed tasks new',
          'removed tasks x',
        ],
      );
      clock.time += 1000;
      await store.data.restoreBackup(backup.path);
      assert.equal(dump(store), then);
      assert.deepEqual(
        store.data.backups().map(each => each.kind),
        ['beforeRestore', 'manual'],
      );
      assert.equal((await store.undo())?.key, 'restoreBackup');
      assert.equal(dump(store), now);
    });

    it('sends what it restores in a synced list to the server', async () => {
      const store = await scratch.store(scratch.folder());
      await store.edit(sync, tx => {
        tx.insertAccount({ displayName: 'Home' });
        const { list, tasks } = aList(tx, 'Inbox', 'kept', 'gone');
        tx.updateList(list, { accountId: 1, href: '/i/' });
        for (const id of tasks) tx.updateTask(id, { href: `/i/${id}.ics`, etag: '1' });
      });
      const { path } = await store.data.backUpNow();
      await store.edit(sync, tx => {
        tx.updateTask(1, { title: 'renamed there', etag: '2' });
        tx.deleteTask(2);
        tx.insertTask({ listId: 1, uid: 'late', href: '/i/late.ics', etag: '1' });
      });
      await store.data.restoreBackup(path);
      const rows = store.tasksOfList(1).map(row => pick(row, 'title', 'href', 'etag', 'isDirty', 'isDeleted'));
      assert.deepEqual(rows, [
        { title: 'kept', href: '/i/1.ics', etag: '2', isDirty: true, isDeleted: false },
        { title: 'gone', href: '/i/2.ics', etag: null, isDirty: true, isDeleted: false },
        { title: null, href: '/i/late.ics', etag: '1', isDirty: true, isDeleted: true },
      ]);
    });

    it('keeps remote addresses if the account itself was lost', async () => {
      const folder = scratch.folder();
      const store = await scratch.store(folder);
      await store.data.importDatabase(room);
      const then = dump(store);
      const { path } = await store.data.backUpNow();
      await store.close();
      rmSync(join(folder, 'store'), { recursive: true });
      const again = await scratch.store(folder);
      await again.edit(user, tx => tx.insertList({ name: 'Inbox', color: 0 }));
      await again.data.restoreBackup(path);
      assert.equal(dump(again), then);
    });

    it('restores a task that was deleted since and restored as another row', async () => {
      const store = await scratch.store(scratch.folder());
      const { list, tasks } = await store.edit(sync, tx => {
        tx.insertAccount({ displayName: 'Home' });
        const made = aList(tx, 'Inbox', 'a', 'child');
        tx.updateList(made.list, { accountId: 1, href: '/i/' });
        tx.updateTask(made.tasks[0]!, { href: '/i/a.ics', etag: '1' });
        tx.updateTask(made.tasks[1]!, { href: '/i/child.ics', etag: '1', parentId: made.tasks[0]! });
        return made;
      });
      const { path } = await store.data.backUpNow();
      await store.edit(sync, tx => {
        tx.deleteTask(tasks[0]!);
        const id = tx.insertTask({ listId: list, uid: 'Inbox-a', title: 'back', href: '/i/a.ics', etag: '2' });
        tx.updateTask(tasks[1]!, { parentId: id });
      });
      await store.data.restoreBackup(path);
      const rows = store.tasksOfList(list).map(row => pick(row, 'id', 'title', 'href', 'etag', 'isDirty', 'parentId'));
      const back = store.tasksOfUid('Inbox-a')[0]!.id;
      assert.deepEqual(
        rows.sort((one, other) => one.id - other.id),
        [
          { id: tasks[1], title: 'child', href: '/i/child.ics', etag: '1', isDirty: false, parentId: back },
          { id: back, title: 'a', href: '/i/a.ics', etag: '2', isDirty: true, parentId: null },
        ],
      );
    });

    for (const isDeleted of [false, true])
      it(`takes a task out of a newer list in which it was restored as another row${isDeleted ? ', its own list being deleted' : ''}`, async () => {
        const store = await scratch.store(scratch.folder());
        const row = (uid: string, listId: number, href: string) => ({ uid, listId, title: uid, href, etag: '1' });
        const list = await store.edit(sync, tx => {
          const accountId = tx.insertAccount({ displayName: 'Home' });
          const id = tx.insertList({ name: 'Old', color: 0, accountId, href: '/old/' });
          tx.insertTask(row('deleted', id, '/old/deleted.ics'));
          tx.insertTask(row('kept', id, '/old/kept.ics'));
          return id;
        });
        const { path } = await store.data.backUpNow();
        const [late] = await store.edit(sync, tx => {
          const lists = [1, 2].map(at => tx.insertList({ name: 'New', color: 0, accountId: 1, href: `/new${at}/` }));
          tx.deleteTask(1);
          tx.insertTask(row('deleted', lists[0]!, '/new1/deleted.ics'));
          tx.updateTask(2, { listId: lists[0]!, href: '/new1/kept.ics' });
          tx.insertTask(row('late', lists[1]!, '/new2/late.ics'));
          if (isDeleted) tx.deleteList(list);
          return lists;
        });
        await store.data.restoreBackup(path);
        const living = store
          .selectTasks('t.is_deleted = 0')
          .map(one => `${one.uid} in ${store.list(one.listId)!.name}`);
        assert.deepEqual(living.sort(), ['deleted in Old', 'kept in Old', 'late in New']);
        // The next sync takes it from where it was.
        const left = store.tasksOfList(late!).map(one => pick(one, 'uid', 'href', 'isDeleted'));
        assert.deepEqual(left.map(({ uid }) => uid).sort(), ['deleted', 'kept']);
        assert.ok(left.every(one => one.isDeleted));
        await store.undo();
        const again = store.tasksOfList(late!).map(one => pick(one, 'uid', 'href', 'isDeleted'));
        assert.deepEqual(
          again.sort((one, other) => (one.uid < other.uid ? -1 : 1)),
          ['deleted', 'kept'].map(uid => ({ uid, href: `/new1/${uid}.ics`, isDeleted: false })),
        );
      });

    it('does not touch newer accounts, and newer lists on a server', async () => {
      const store = await scratch.store(scratch.folder());
      await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
      const { path } = await store.data.backUpNow();
      await store.edit(sync, tx => {
        const account = tx.insertAccount({ displayName: 'Late' });
        const { list, tasks } = aList(tx, 'Theirs', 'b');
        tx.updateList(list, { accountId: account, href: '/t/' });
        tx.updateTask(tasks[0]!, { href: '/t/b.ics', etag: '1', alarms: [{ minutesBefore: 5 }] });
      });
      const before = dump(store);
      assert.deepEqual(await store.data.previewBackup(path), []);
      await store.data.restoreBackup(path);
      assert.equal(dump(store), before);
    });

    it('deletes nothing on a server when the restore of a lost account is undone', async () => {
      const folder = scratch.folder();
      const store = await scratch.store(folder);
      await store.data.importDatabase(room);
      const { path } = await store.data.backUpNow();
      await store.close();
      rmSync(join(folder, 'store'), { recursive: true });
      const again = await scratch.store(folder);
      await again.edit(user, tx => tx.insertList({ name: 'Inbox', color: 0 }));
      await again.data.restoreBackup(path);
      const [account] = again.select<{ id: number }>('SELECT id FROM accounts');
      await again.edit(sync, tx => {
        tx.updateAccount(account!.id, { lastSyncAt: 7 });
        for (const task of again.selectTasks('t.href IS NOT NULL')) tx.updateTask(task.id, { etag: 'new' });
      });
      const before = again.selectTasks('t.href IS NOT NULL').map(({ id }) => id);
      assert.notEqual(before.length, 0);
      await again.undo();
      assert.deepEqual(
        again.selectTasks('t.href IS NOT NULL AND t.is_deleted = 0').map(({ id }) => id),
        before,
      );
    });

    describe('in a store with a copy of each of three weeks', () => {
      const hour = 3_600_000;
      const days = 21;
      const start = clock.time;
      afterEach(() => {
        clock.time = start;
      });
      const aStore = async () => {
        const store = await scratch.store(scratch.folder());
        await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
        for (let day = 0; day < days; day++) {
          await store.data.backUpIfDue();
          clock.time += 24 * hour;
          await store.edit(user, tx => tx.updateTask(1, { title: `day ${day}` }));
        }
        return store;
      };
      type Store = Awaited<ReturnType<typeof aStore>>;
      const pathsOf = (store: Store) => store.data.backups().map(({ path }) => path);
      const titlesIn = async (store: Store) => {
        const titles: unknown[] = [];
        for (const path of pathsOf(store)) {
          const copy = await Database.open(Uint8Array.from(readFileSync(path)));
          titles.push(copy.value('SELECT title FROM tasks'));
          copy.close();
        }
        return titles;
      };

      it('keeps the state before each restore, however many there are in a day, and all daily backups', async () => {
        const store = await aStore();
        await store.edit(user, tx => tx.updateTask(1, { title: 'work of today' }));
        const daily = pathsOf(store);
        for (const path of daily) {
          clock.time += 60_000;
          await store.data.restoreBackup(path);
        }
        assert.ok((await titlesIn(store)).includes('work of today'));
        assert.deepEqual(
          daily.filter(path => !pathsOf(store).includes(path)),
          [],
        );
      });

      it('keeps the backup that is being restored', async () => {
        const store = await aStore();
        await store.data.backUpIfDue();
        const [path] = pathsOf(store);
        clock.time += 6 * hour;
        await store.edit(user, tx => tx.updateTask(1, { title: 'ruined' }));
        await store.data.restoreBackup(path!);
        assert.ok(pathsOf(store).includes(path!));
      });

      it('removes none if the clock jumps ahead for a moment, and is corrected', async () => {
        const store = await aStore();
        const before = pathsOf(store);
        const now = clock.time;
        clock.time = Date.UTC(2100, 0, 1);
        await store.data.backUpIfDue();
        clock.time = now;
        await store.data.backUpIfDue();
        const after = pathsOf(store);
        assert.deepEqual(
          before.slice(0, 14).filter(path => !after.includes(path)),
          [],
        );
        assert.ok(after.length >= before.length, `${before.length} copies, then ${after.length}`);
      });
    });

    it('makes one a day, keeps two weeks of days and a month of weeks, and all that the user made', async () => {
      const store = await scratch.store(scratch.folder());
      assert.equal(await store.data.backUpIfDue(), undefined);
      await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
      const start = clock.time;
      const manual = await store.data.backUpNow();
      for (let day = 1; day <= 60; day++) {
        clock.time = start + day * 86_400_000;
        assert.notEqual(await store.data.backUpIfDue(), undefined);
        assert.equal(await store.data.backUpIfDue(), undefined);
      }
      const kept = store.data.backups();
      assert.ok(kept.some(backup => backup.path === manual.path));
      const ages = kept.map(backup => Math.round((clock.time - backup.at) / 86_400_000));
      assert.deepEqual(
        ages.slice(0, 14),
        Array.from({ length: 14 }, (_, day) => day),
      );
      assert.ok(ages.length >= 18 && ages.length <= 21, `${ages}`);
      // A clock that was ahead, and is set right.
      clock.time = start + 10.5 * 86_400_000;
      assert.notEqual(await store.data.backUpIfDue(), undefined);
      assert.equal(await store.data.backUpIfDue(), undefined);
      clock.time = start;
    });
  });

  it('reports why no backup could be written to a read-only disk', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    await store.close();
    const denied = () => {
      throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    };
    const files = {
      ...diskFiles,
      makeFolder: denied,
      writeWhole: denied,
      claim: denied,
      openJournal: (path: string, mode: 'append' | 'create' | 'fresh' | 'read') =>
        mode === 'read' ? diskFiles.openJournal(path, mode) : denied(),
    };
    const readOnly = await scratch.store(folder, { files });
    await assert.rejects(readOnly.data.backUpNow(), error => {
      assert.ok(isDuelineError(error, 'storage'));
      assert.equal(error.message, `Could not write the backup to ${join(folder, 'backups')}: the disk is read-only.`);
      return true;
    });
  });

  it('makes no daily backup if the user wants none, and keeps them for as many days as set', async () => {
    const store = await scratch.store(scratch.folder());
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    const start = clock.time;
    store.backupRules = { isDaily: false, keptDays: 14 };
    assert.equal(await store.data.backUpIfDue(), undefined);
    store.backupRules = { isDaily: true, keptDays: 3 };
    for (let day = 0; day < 10; day++) {
      clock.time = start + day * 86_400_000;
      await store.data.backUpIfDue();
    }
    const ages = store.data.backups().map(backup => Math.round((clock.time - backup.at) / 86_400_000));
    assert.deepEqual(ages.slice(0, 3), [0, 1, 2]);
    assert.ok(ages.length <= 5, `${ages}`);
    clock.time = start;
  });

  it('salvages edits behind damage in a journal, and only once', async () => {
    const folder = scratch.folder();
    let store = await scratch.store(folder);
    const sizes: number[] = [];
    const journal = join(folder, 'store', 'j-00000000.jsonl');
    await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b', 'c', 'd'));
    for (const [id, title] of [
      [1, 'lost'],
      [2, 'B'],
      [3, 'C'],
    ] as const) {
      sizes.push(readFileSync(journal).length);
      await store.edit(user, tx => tx.updateTask(id, { title }));
    }
    await store.edit(user, tx => tx.deleteTask(4));
    await store.close();
    const bytes = Uint8Array.from(readFileSync(journal));
    bytes[sizes[0]! + 60]! ^= 1;
    writeFileSync(journal, bytes);
    store = await scratch.store(folder);
    const titles = () => store.selectTasks('1', [], 'ORDER BY t.id').map(task => task.title);
    assert.deepEqual(titles(), ['a', 'b', 'c', 'd']);
    assert.match(store.notices[0]!.text, /3 later changes/);
    assert.equal(await store.data.salvage(), 3);
    assert.deepEqual(titles(), ['a', 'B', 'C']);
    assert.equal(await store.data.salvage(), 0);
    assert.deepEqual(await store.undo(), { key: 'salvage', count: 3 });
    assert.deepEqual(titles(), ['a', 'b', 'c', 'd']);
  });

  it('does not salvage the removal of tasks on a server: the next sync decides that', async () => {
    const folder = scratch.folder();
    let store = await scratch.store(folder);
    const journal = join(folder, 'store', 'j-00000000.jsonl');
    await store.edit(sync, tx => {
      tx.insertAccount({ displayName: 'Home' });
      const { list, tasks } = aList(tx, 'Inbox', 'a', 'b');
      tx.updateList(list, { accountId: 1, href: '/i/' });
      for (const id of tasks) tx.updateTask(id, { href: `/i/${id}.ics`, etag: '1' });
    });
    const size = readFileSync(journal).length;
    await store.edit(user, tx => tx.updateTask(1, { title: 'lost', isDirty: true }));
    await store.edit(sync, tx => tx.deleteTask(2));
    await store.close();
    const bytes = Uint8Array.from(readFileSync(journal));
    bytes[size + 60]! ^= 1;
    writeFileSync(journal, bytes);
    store = await scratch.store(folder);
    await store.data.salvage();
    assert.deepEqual(
      store.tasksOfList(1).map(({ title, isDeleted }) => ({ title, isDeleted })),
      [
        { title: 'a', isDeleted: false },
        { title: 'b', isDeleted: false },
      ],
    );
  });

  describe('the integrity check', () => {
    it('has a line for everything it checked', async () => {
      const store = await scratch.store(scratch.folder());
      await store.edit(act('x'), tx => aList(tx, 'Inbox', 'a'));
      await store.data.backUpNow();
      const report = await store.data.checkIntegrity();
      assert.equal(report.ok, true);
      assert.deepEqual(
        report.checks.map(check => check.name),
        ['pages', 'references', 'tables', 'uniqueness', 'journal', 'snapshots', 'backups'],
      );
      assert.ok(report.checks.every(check => check.details.length > 0));
    });

    it('reports a damaged backup and a damaged journal', async () => {
      const folder = scratch.folder();
      const store = await scratch.store(folder);
      await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
      await store.edit(user, tx => tx.updateTask(1, { title: 'b' }));
      const { path } = await store.data.backUpNow();
      writeFileSync(path, 'no database');
      const journal = join(folder, 'store', 'j-00000000.jsonl');
      const bytes = Uint8Array.from(readFileSync(journal));
      bytes[Math.floor(bytes.length * 0.75)]! ^= 1;
      writeFileSync(journal, bytes);
      const { ok, checks } = await store.data.checkIntegrity();
      assert.equal(ok, false);
      assert.deepEqual(
        checks.filter(check => !check.ok).map(check => check.name),
        ['journal', 'backups'],
      );
    });
  });
});
