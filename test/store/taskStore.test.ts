import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDuelineError } from '../../src/core/kernel/errors';
import { Database } from '../../src/store/sql/database';
import type { Reader, StoreChange, Writer } from '../../src/store/types';
import { aList, dump, Scratch, user } from './support/store';

describe('the task store', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('keeps an edit across closing and opening', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    const made = await store.edit(user, tx => aList(tx, 'Inbox', 'Pay rent', 'Call Ann'));
    const before = dump(store);
    await store.close();
    const again = await scratch.store(folder);
    assert.equal(dump(again), before);
    assert.equal(again.task(made.tasks[0]!)?.title, 'Pay rent');
    assert.deepEqual(
      again.lists().map(list => list.name),
      ['Inbox'],
    );
  });

  it('creates files and folders that only the user can open, whatever the umask', async function () {
    if (process.platform === 'win32') this.skip();
    const umask = process.umask(0);
    try {
      const folder = scratch.folder();
      const store = await scratch.store(join(folder, 'data'), { compactAt: 1 });
      for (const title of ['a', 'b']) await store.edit(user, tx => aList(tx, title, title));
      await store.data.backUpNow();
      await (await store.sidecar()).put('map', [['key', 1]]);
      await store.close();
      const names = [
        'data',
        ...readdirSync(join(folder, 'data'), { recursive: true, encoding: 'utf8' }).map(name => join('data', name)),
      ];
      const open = names.filter(name => (statSync(join(folder, name)).mode & 0o077) !== 0);
      assert.deepEqual(open, []);
      assert.ok(
        names.some(name => name.endsWith('.db')),
        'there is a snapshot',
      );
    } finally {
      process.umask(umask);
    }
  });

  it('reports that its files are gone, and keeps the files next to them', async () => {
    const folder = scratch.folder();
    const lost = await scratch.store(folder);
    await lost.edit(user, tx => aList(tx, 'Inbox', 'a'));
    await (await lost.sidecar()).put('trash', [['1/x', { title: 'Deleted' }]]);
    await lost.close();
    rmSync(join(folder, 'store'), { recursive: true });
    const store = await scratch.store(folder);
    assert.deepEqual(
      store.notices.map(({ code }) => code),
      ['storeLost', 'sidecarKept'],
    );
    assert.ok(store.notices[0]!.text.includes(join(folder, 'store')));
    const kept = readdirSync(folder).find(name => /^sidecar-.*\.db$/.test(name));
    assert.ok(kept !== undefined && store.notices[1]!.text.includes(join(folder, kept)));
    const old = await Database.open(Uint8Array.from(readFileSync(join(folder, kept))));
    assert.equal(old.value("SELECT value FROM entries WHERE map = 'trash'"), '{"title":"Deleted"}');
    old.close();
    assert.deepEqual((await store.sidecar()).entries('trash'), []);
    await store.edit(user, tx => aList(tx, 'Inbox', 'b'));
    await store.close();
    assert.deepEqual((await scratch.store(folder)).notices, []);
  });

  it('does not report missing files when it starts for the first time, in two windows together', async () => {
    const folder = scratch.folder();
    const stores = await Promise.all([scratch.store(folder), scratch.store(folder)]);
    await Promise.all(stores.map(store => store.sidecar()));
    const third = await scratch.store(folder);
    for (const store of [...stores, third]) assert.deepEqual(store.notices, []);
  });

  it('fills the defaults of the tables', async () => {
    const store = await scratch.store(scratch.folder());
    const { list, tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    const { id: _1, listId: _2, uid: _3, title: _4, ...rest } = store.task(tasks[0]!)!;
    const nothing = Object.entries(rest).filter(([, value]) => value !== null);
    assert.deepEqual(Object.fromEntries(nothing), {
      tags: [],
      status: 0,
      priority: 0,
      isAllDay: false,
      sortOrder: 0,
      sequence: 0,
      isDirty: false,
      isDeleted: false,
      alarms: [],
    });
    const { isVisible, isSynced, isReadOnly, sortOrder, isDirty } = store.list(list)!;
    assert.deepEqual(
      { isVisible, isSynced, isReadOnly, sortOrder, isDirty },
      { isVisible: true, isSynced: true, isReadOnly: false, sortOrder: 0, isDirty: false },
    );
  });

  it('returns the lists of this computer first, then account by account', async () => {
    const store = await scratch.store(scratch.folder());
    await store.edit(user, tx => {
      const accounts = ['Cloud', 'Work'].map(displayName => tx.insertAccount({ displayName }));
      for (const [at, accountId] of [...accounts, null].entries())
        for (const sortOrder of [1, 0]) tx.insertList({ name: `${at} ${sortOrder}`, color: 0, accountId, sortOrder });
    });
    const names = store.lists().map(({ name }) => name);
    assert.deepEqual(names, ['2 0', '2 1', '0 0', '0 1', '1 0', '1 1']);
  });

  it('finds the row of a task and of each exception by its key, tombstones included', async () => {
    const store = await scratch.store(scratch.folder());
    await store.edit(user, tx => {
      const listId = tx.insertList({ name: 'Inbox', color: 0 });
      const masterId = tx.insertTask({ listId, uid: 'a', title: 'Series' });
      tx.insertTask({ listId, uid: 'a', title: 'Exception', recurrenceId: 5, masterId });
      tx.insertTask({ listId, uid: 'b', title: 'Tombstone', isDeleted: true });
      tx.insertTask({ listId: tx.insertList({ name: 'Other', color: 0 }), uid: 'c', title: 'Elsewhere' });
      const keys = [['a', null], ['a', 5], ['a', 6], ['b', null], ['c', null]] as const; // biome-ignore format: a table
      const titles = keys.map(([uid, recurrenceId]) => tx.taskAt(listId, uid, recurrenceId)?.title);
      assert.deepEqual(titles, ['Series', 'Exception', undefined, 'Tombstone', undefined]);
    });
  });

  it('reads a task once, and again after each change, inside edits and after failed ones', async () => {
    const folder = scratch.folder();
    const [store, other] = [await scratch.store(folder), await scratch.store(folder)];
    const [id] = (await store.edit(user, tx => aList(tx, 'Inbox', 'a'))).tasks as [number];
    const { uid } = store.task(id)!;
    const titles = (reader: Reader) => [reader.task(id), ...reader.tasksOfUid(uid)].map(task => task?.title);
    assert.equal(store.task(id), store.task(id));
    assert.equal(store.tasksOfUid(uid)[0], store.task(id));
    const write = (tx: Writer, title: string) => {
      titles(tx);
      tx.updateTask(id, { title });
      return titles(tx);
    };
    assert.deepEqual(await store.edit(user, tx => write(tx, 'b')), ['b', 'b']);
    assert.deepEqual(titles(store), ['b', 'b']);
    const failing = store.edit(user, tx => {
      write(tx, 'c');
      throw new Error('stop');
    });
    await assert.rejects(failing, /stop/);
    assert.deepEqual(titles(store), ['b', 'b']);
    await other.refresh();
    assert.deepEqual(titles(other), ['b', 'b']);
    await other.edit(user, tx => write(tx, 'd'));
    await store.refresh();
    assert.deepEqual(titles(store), ['d', 'd']);
    await store.edit(user, tx => tx.deleteTask(id));
    assert.deepEqual([store.task(id), store.tasksOfUid(uid)], [undefined, []]);
    await other.refresh();
    assert.deepEqual([other.task(id), other.tasksOfUid(uid)], [undefined, []]);
  });

  it('changes nothing if the work throws', async () => {
    const store = await scratch.store(scratch.folder());
    const { tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    const before = dump(store);
    await assert.rejects(
      store.edit(user, tx => {
        tx.updateTask(tasks[0]!, { title: 'b' });
        throw new Error('no');
      }),
      /no/,
    );
    assert.equal(dump(store), before);
  });

  it('never shows rows that are not durable', async () => {
    const store = await scratch.store(scratch.folder());
    const edit = store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    assert.equal(store.lists().length, 0);
    await edit;
    assert.equal(store.lists().length, 1);
  });

  it('reports every row that a cascade deleted', async () => {
    const store = await scratch.store(scratch.folder());
    const account = await store.edit(user, tx => tx.insertAccount({ displayName: 'Home' }));
    const { list, tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'parent', 'child', 'override'));
    const [parent, child, override] = tasks as [number, number, number];
    await store.edit(user, tx => {
      tx.updateList(list, { accountId: account });
      tx.updateTask(child, { parentId: parent });
      tx.updateTask(override, { masterId: parent, recurrenceId: 0 });
    });
    const changes: StoreChange[] = [];
    store.onDidChange(change => changes.push(change));
    await store.edit(user, tx => tx.deleteTask(parent));
    assert.deepEqual(changes, [{ origin: 'user', accounts: [], lists: [], tasks: [parent, child, override] }]);
    assert.equal(store.task(child)?.parentId, null);
    assert.equal(store.task(override), undefined);
    await store.edit(user, tx => tx.deleteAccount(account));
    assert.deepEqual(changes[1], { origin: 'user', accounts: [account], lists: [list], tasks: [] });
    assert.equal(store.list(list)?.accountId, null);
    await store.edit(user, tx => tx.deleteList(list));
    assert.deepEqual(changes[2], { origin: 'user', accounts: [], lists: [list], tasks: [child] });
  });

  it('keeps (list, UID, recurrence ID) unique for masters too, on insert and on update', async () => {
    const store = await scratch.store(scratch.folder());
    const { list, tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b'));
    const duplicate = (error: unknown) => isDuelineError(error, 'duplicate');
    await assert.rejects(
      store.edit(user, tx => tx.insertTask({ listId: list, uid: 'Inbox-a' })),
      duplicate,
    );
    await assert.rejects(
      store.edit(user, tx => tx.updateTask(tasks[1]!, { uid: 'Inbox-a' })),
      duplicate,
    );
    const other = await store.edit(user, tx => aList(tx, 'Other', 'x'));
    await store.edit(user, tx => tx.updateTask(other.tasks[0]!, { uid: 'Inbox-a' }));
    await assert.rejects(
      store.edit(user, tx => tx.updateTask(other.tasks[0]!, { listId: list })),
      duplicate,
    );
    await store.edit(user, tx => tx.insertTask({ listId: list, uid: 'Inbox-a', recurrenceId: 5 }));
    await assert.rejects(
      store.edit(user, tx => tx.insertTask({ listId: list, uid: 'Inbox-a', recurrenceId: 5 })),
      duplicate,
    );
  });

  it('keeps the id of an unchanged alarm, and reports its task', async () => {
    const store = await scratch.store(scratch.folder());
    const { tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    const [id] = tasks as [number];
    await store.edit(user, tx => tx.updateTask(id, { alarms: [{ minutesBefore: 5 }, { minutesBefore: 10 }] }));
    const [five, ten] = store.task(id)!.alarms;
    const changes: StoreChange[] = [];
    store.onDidChange(change => changes.push(change));
    await store.edit(user, tx =>
      tx.updateTask(id, { alarms: [{ minutesBefore: 10 }, { minutesBefore: 1, reference: 'START', message: 'Go' }] }),
    );
    assert.deepEqual(
      changes.map(change => change.tasks),
      [[id]],
    );
    const after = store.task(id)!.alarms;
    assert.equal(after[0]!.id, ten!.id);
    assert.equal(
      after.some(alarm => alarm.id === five!.id),
      false,
    );
    assert.deepEqual(after[1], { id: after[1]!.id, taskId: id, minutesBefore: 1, reference: 'START', message: 'Go' });
  });

  it('refuses values that the columns cannot hold', async () => {
    const store = await scratch.store(scratch.folder());
    const { tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    const invalid = (error: unknown) => isDuelineError(error, 'invalid');
    await assert.rejects(
      store.edit(user, tx => tx.updateTask(tasks[0]!, { due: Number.NaN })),
      invalid,
    );
    await assert.rejects(
      store.edit(user, tx => tx.updateTask(tasks[0]!, { due: 1.5 })),
      invalid,
    );
    await assert.rejects(
      store.edit(user, tx => tx.insertTask({ listId: 99, uid: 'x' })),
      (error: unknown) => isDuelineError(error, 'notFound'),
    );
  });

  it('keeps unusual text: tags, a repaired lone surrogate, a NUL', async () => {
    const store = await scratch.store(scratch.folder());
    const { tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    await store.edit(user, tx =>
      tx.updateTask(tasks[0]!, { title: 'a\ud800b', description: 'x\0y', tags: ['a,b', 'c;d', 'e\\f'] }),
    );
    const task = store.task(tasks[0]!)!;
    assert.equal(task.title, 'a\ufffdb');
    assert.equal(task.description, 'x\0y');
    assert.deepEqual(task.tags, ['a,b', 'c;d', 'e\\f']);
    assert.equal(
      store.select<{ categories: string }>('SELECT categories FROM tasks')[0]!.categories,
      'a\\,b,c\\;d,e\\\\f',
    );
  });

  it('shows the changes of another window, with the rows that changed', async () => {
    const folder = scratch.folder();
    const [one, two] = [await scratch.store(folder), await scratch.store(folder)];
    const arrived = new Promise<StoreChange>(resolve => two.onDidChange(resolve));
    const { list, tasks } = await one.edit(user, tx => aList(tx, 'Inbox', 'a'));
    assert.deepEqual(await arrived, { origin: 'otherWindow', accounts: [], lists: [list], tasks });
    assert.equal(dump(two), dump(one));
  });

  it('records the rows that one edit inserted, and those of them that it changed or deleted again', async () => {
    const folder = scratch.folder();
    const one = await scratch.store(folder);
    await one.edit(user, tx => {
      const { list, tasks } = aList(tx, 'Inbox', 'a', 'b', 'c');
      tx.updateTask(tasks[0]!, { title: 'changed', alarms: [{ minutesBefore: 5 }] });
      tx.deleteTask(tasks[1]!);
      tx.insertTask({ listId: list, uid: 'odd', title: 'half \ud800 a pair, \0', tags: ['x, y'], isAllDay: true });
    });
    const sidecar = await one.sidecar();
    await sidecar.edit(maps => {
      for (const value of ['first', 'second', 'second']) maps.set('map', 'twice', value);
      maps.set('map', 'once', 'only');
      maps.set('map', 'gone', 'soon');
      maps.set('map', 'gone', undefined);
    });
    const two = await scratch.store(folder);
    assert.equal(dump(two), dump(one));
    assert.deepEqual((await two.sidecar()).entries('map'), sidecar.entries('map'));
    assert.deepEqual(sidecar.entries('map'), [
      ['once', 'only'],
      ['twice', 'second'],
    ]);
  });

  it('inserts many masters in bulk as one by one, each with its own alarms, whatever their number', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    const other = await scratch.store(folder);
    const { list } = await store.edit(user, tx => aList(tx, 'Inbox', 'there before'));
    for (const [round, count] of [1, 15, 16, 17, 40].entries()) {
      const rows = Array.from({ length: count }, (_, at) => ({
        listId: list,
        uid: `u${round}-${at}`,
        title: `Task ${at}`,
        alarms: Array.from({ length: at % 3 }, (_, nth) => ({ minutesBefore: at * 10 + nth, message: `m${at}` })),
      }));
      await store.edit({ origin: 'sync' }, tx => {
        tx.insertMasters(rows);
        tx.insertMasters([]);
      });
      for (const { uid, title, alarms } of rows) {
        const [task] = store.tasksOfUid(uid);
        assert.equal(task!.title, title);
        assert.deepEqual(
          task!.alarms.map(({ minutesBefore, message, reference }) => ({ minutesBefore, message, reference })),
          alarms.map(alarm => ({ ...alarm, reference: 'DUE' })),
        );
      }
    }
    await other.refresh();
    assert.equal(dump(other), dump(store));
    await store.close();
    assert.equal(dump(await scratch.store(folder)), dump(other));
  });

  it('inserts none of many masters if one of them has a UID that is taken, among them or before', async () => {
    const store = await scratch.store(scratch.folder());
    const { list, tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    const { list: elsewhere } = await store.edit(user, tx => aList(tx, 'Other'));
    const { uid } = store.task(tasks[0]!)!;
    const before = dump(store);
    for (const uids of [
      ['x', uid],
      ['x', 'y', 'x'],
    ]) {
      const rows = uids.map(one => ({ listId: list, uid: one }));
      const isDuplicate = (error: unknown) => isDuelineError(error, 'duplicate');
      await assert.rejects(
        store.edit({ origin: 'sync' }, tx => tx.insertMasters(rows)),
        isDuplicate,
      );
      assert.equal(dump(store), before);
    }
    await store.edit({ origin: 'sync' }, tx => tx.insertMasters([{ listId: elsewhere, uid }]));
    assert.equal(store.tasksOfUid(uid).length, 2);
  });

  it('stores many sidecar values at once: new, known, deleted and one named twice', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    const sidecar = await store.sidecar();
    const named = (word: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => [`k${from + at}`, `${word} ${from + at}`] as const);
    await sidecar.put('many', named('first', 0, 50));
    await sidecar.put('many', [...named('second', 40, 90), ['k0', undefined], ['k89', 'last'], ['k1', 'again']]);
    const expected = new Map<string, string>([...named('first', 1, 40), ...named('second', 40, 90)]);
    expected.set('k89', 'last').set('k1', 'again');
    const found = () => new Map(sidecar.entries<string>('many'));
    assert.deepEqual([...found()].sort(), [...expected].sort());
    await store.close();
    const again = await (await scratch.store(folder)).sidecar();
    assert.deepEqual([...new Map(again.entries<string>('many'))].sort(), [...expected].sort());
  });

  it('loses nothing if two windows write together', async () => {
    const folder = scratch.folder();
    const stores = [await scratch.store(folder), await scratch.store(folder), await scratch.store(folder)];
    const { list } = await stores[0]!.edit(user, tx => aList(tx, 'Counter', '0'));
    const step = (at: number, round: number) =>
      stores[at]!.edit(user, tx => {
        const count = Number(tx.task(1)!.title);
        tx.updateTask(1, { title: String(count + 1) });
        tx.insertTask({ listId: list, uid: `${at}-${round}`, title: String(count) });
      });
    await Promise.all(stores.flatMap((_, at) => Array.from({ length: 30 }, (_, round) => step(at, round))));
    for (const store of stores) await store.refresh();
    assert.equal(stores[0]!.task(1)!.title, '90');
    assert.equal(stores[0]!.tasksOfList(list).length, 91);
    assert.equal(new Set(stores.map(dump)).size, 1);
  });

  it('keeps an edit whose listener failed', async () => {
    const store = await scratch.store(scratch.folder());
    store.onDidChange(() => {
      throw new Error('a view broke');
    });
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    assert.equal(store.lists().length, 1);
  });

  it('refuses edits after closing, and can be closed twice', async () => {
    const store = await scratch.store(scratch.folder());
    const last = store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    await store.close();
    await last;
    await store.close();
    await assert.rejects(
      store.edit(user, tx => aList(tx, 'Late')),
      (error: unknown) => isDuelineError(error, 'storage'),
    );
  });

  it('finds every row with a UID, in any list and any state', async () => {
    const store = await scratch.store(scratch.folder());
    await store.edit(user, tx => {
      const lists = ['Inbox', 'Errands'].map(name => tx.insertList({ name, color: 0 }));
      for (const listId of lists) tx.insertTask({ listId, uid: 'one', title: `in ${listId}` });
      tx.insertTask({ listId: lists[0]!, uid: 'one', recurrenceId: 7, isDeleted: true, title: 'an occurrence' });
      tx.insertTask({ listId: lists[0]!, uid: 'two', title: 'another' });
    });
    assert.deepEqual(
      store.tasksOfUid('one').map(({ title }) => title),
      ['in 1', 'in 2', 'an occurrence'],
    );
    assert.deepEqual(store.tasksOfUid('three'), []);
  });

  it('keeps named key-value maps beside the tables', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    const sidecar = await store.sidecar();
    await sidecar.put('snooze', [
      ['1', { until: 5 }],
      ['2', 'x'],
    ]);
    await sidecar.put('snooze', [['2', undefined]]);
    await store.close();
    const again = await (await scratch.store(folder)).sidecar();
    assert.deepEqual(again.entries('snooze'), [['1', { until: 5 }]]);
    assert.equal(again.get('snooze', '2'), undefined);
  });
});
