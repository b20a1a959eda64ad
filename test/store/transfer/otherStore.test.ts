import assert from 'node:assert/strict';
import type { TaskStore } from '../../../src/store/taskStore';
import { aList, dump, Scratch, user } from '../support/store';

const sync = { origin: 'sync' } as const;

describe('a backup of another computer', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  /** A store with a list of an account, which has these tasks. */
  async function withAccount(name: string, ...uids: readonly string[]) {
    const store = await scratch.store(scratch.folder());
    await store.edit(sync, tx => {
      const accountId = tx.insertAccount({ displayName: name, homeSetUrl: `https://${name}/`, username: 'me' });
      const href = `https://${name}/work/`;
      const listId = tx.insertList({ name: `Work at ${name}`, color: 0, accountId, href });
      for (const uid of uids) {
        const id = tx.insertTask({ listId, uid, title: uid, href: `${href}${uid}.ics`, etag: '1' });
        tx.updateTask(id, { alarms: [{ minutesBefore: 5 }] });
      }
    });
    return store;
  }

  const found = (store: TaskStore) =>
    store
      .selectTasks('1', [], 'ORDER BY t.uid, t.list_id')
      .map(
        ({ uid, title, listId, href, etag, isDirty, isDeleted, alarms }) =>
          `${store.list(listId)!.name}: ${uid} ${title} ${href} ${etag} ${isDirty} ${isDeleted} ${alarms.length}`,
      );

  it('does not change the tasks of an account that is only here, whose rows have the same ids', async () => {
    const old = await scratch.store(scratch.folder());
    await old.edit(user, tx => {
      const { tasks } = aList(tx, 'Inbox', 'a', 'b', 'c');
      tx.updateTask(tasks[1]!, { parentId: tasks[0]!, alarms: [{ minutesBefore: 10 }] });
    });
    const { path } = await old.data.backUpNow();
    const store = await withAccount('here', 'x', 'y');
    const before = dump(store);
    const [accounts, list, tasks] = [store.accounts(), store.lists()[0]!, found(store)];
    assert.deepEqual(
      (await store.data.previewBackup(path)).filter(({ change }) => change !== 'added'),
      [],
    );
    await store.data.restoreBackup(path);
    assert.deepEqual(store.accounts(), accounts);
    assert.deepEqual(store.list(list.id), list);
    assert.deepEqual(
      found(store).filter(line => line.startsWith('Work')),
      tasks,
    );
    assert.deepEqual(
      store.tasksOfList(store.lists().find(({ name }) => name === 'Inbox')!.id).map(({ title, parentId, alarms }) => ({
        title,
        parent: parentId === null ? null : store.task(parentId)!.title,
        alarms: alarms.length,
      })),
      [
        { title: 'a', parent: null, alarms: 0 },
        { title: 'b', parent: 'a', alarms: 1 },
        { title: 'c', parent: null, alarms: 0 },
      ],
    );
    await store.undo();
    assert.equal(dump(store), before);
  });

  it('does not delete the tasks of an account that is only here, if the ids of the backup are higher ones', async () => {
    const old = await scratch.store(scratch.folder());
    await old.edit(user, tx => {
      const { list, tasks } = aList(tx, 'Inbox', ...Array.from({ length: 20 }, (_, at) => `${at}`));
      for (const id of tasks) tx.deleteTask(id);
      tx.insertTask({ listId: list, uid: 'mine', title: 'mine' });
    });
    const { path } = await old.data.backUpNow();
    const store = await withAccount('here', 'x', 'y');
    const before = found(store);
    await store.data.restoreBackup(path);
    assert.deepEqual(found(store), ['Inbox: mine mine null null false false 0', ...before]);
  });

  it('brings back the lists of its account beside those of another one', async () => {
    const old = await withAccount('there', 'a', 'b');
    const { path } = await old.data.backUpNow();
    const store = await withAccount('here', 'x', 'y', 'z');
    const tasks = found(store);
    await store.data.restoreBackup(path);
    assert.deepEqual(
      store.accounts().map(({ displayName }) => displayName),
      ['here', 'there'],
    );
    const now = found(store);
    assert.deepEqual(
      now.filter(line => line.startsWith('Work at here')),
      tasks,
    );
    assert.deepEqual(
      now.filter(line => line.startsWith('Work at there')),
      found(old),
    );
  });

  it('does not add its account again, nor lists and tasks that are here already, and removes nothing', async () => {
    const old = await withAccount('here', 'a', 'b', 'c');
    await old.edit(user, tx => aList(tx, 'Inbox', 'mine'));
    await old.edit(sync, tx => tx.deleteTask(1));
    const { path } = await old.data.backUpNow();
    const store = await withAccount('here', 'c', 'b', 'new');
    await store.edit(user, tx => aList(tx, 'Home', 'other'));
    await store.data.restoreBackup(path);
    assert.equal(store.accounts().length, 1);
    assert.deepEqual(found(store), [
      'Home: Home-other other null null false false 0',
      'Inbox: Inbox-mine mine null null false false 0',
      'Work at here: b b https://here/work/b.ics 1 false false 1',
      'Work at here: c c https://here/work/c.ics 1 false false 1',
      'Work at here: new new https://here/work/new.ics 1 false false 1',
    ]);
  });

  it('is not taken for one of this store whose deleted tasks have had the ids of imported ones', async () => {
    const store = await scratch.store(scratch.folder());
    const { list, tasks } = await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b', 'c'));
    const { path } = await store.data.backUpNow();
    await store.edit(user, tx => {
      for (const id of tasks) tx.deleteTask(id);
    });
    const other = await withAccount('there', 'x', 'y');

    const { path: file } = await other.data.backUpNow();
    await store.data.importDatabase(file);
    await store.edit(user, tx => tx.insertTask({ listId: list, uid: 'later', title: 'later' }));
    await store.data.restoreBackup(path);
    // A backup of this store takes back what was made and deleted in local lists since.
    assert.deepEqual(
      store.tasksOfList(list).map(({ uid }) => uid),
      ['Inbox-a', 'Inbox-b', 'Inbox-c'],
    );
  });

  it('adds the tasks that its account has lost as new ones, and deletes none that were deleted there', async () => {
    const old = await withAccount('here', 'kept', 'lost', 'gone', 'series');
    await old.edit(user, tx => {
      const listId = tx.lists()[0]!.id;
      const byUid = (uid: string) => tx.taskAt(listId, uid, null)!.id;
      tx.updateTask(byUid('gone'), { isDeleted: true, isDirty: true });
      for (const uid of ['series', 'kept'])
        tx.insertTask({ listId, uid, title: `${uid} moved`, recurrenceId: 86_400_000, masterId: byUid(uid) });
    });
    const { path } = await old.data.backUpNow();
    const store = await withAccount('here', 'other', 'kept');
    await store.data.restoreBackup(path);
    assert.deepEqual(found(store), [
      'Work at here: kept kept https://here/work/kept.ics 1 false false 1',
      'Work at here: lost lost null null true false 1',
      'Work at here: other other https://here/work/other.ics 1 false false 1',
      'Work at here: series series null null true false 1',
      'Work at here: series series moved null null true false 0',
    ]);
  });
});
