import assert from 'node:assert/strict';
import { join } from 'node:path';
import { noLog } from '../../../src/core/kernel/log';
import { diskFiles } from '../../../src/store/journal/files';
import { Replica } from '../../../src/store/replica/replica';
import { tasksSchema } from '../../../src/store/sql/databaseSchema';
import { RowWriter } from '../../../src/store/sql/rowWriter';
import { aList, clock, Scratch, user } from '../support/store';

describe('a transaction', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('frees both images of its rows once it is done', async () => {
    const folder = join(scratch.folder(), 'store');
    const replica = await Replica.open({ folder, databaseSchema: tasksSchema(), clock, log: noLog, files: diskFiles });
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

describe('an invalid transaction', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('is refused for fields that no table has', async () => {
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

  it('is refused as invalid for a row that SQLite refuses', async () => {
    const store = await scratch.store(scratch.folder());
    await assert.rejects(
      store.edit(user, tx => tx.insertList({ name: null as never, color: 0 })),
      { kind: 'invalid' },
    );
  });

  it('is refused for changes to missing rows, even empty ones', async () => {
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

  it('is refused for work that does not end when it returns', async () => {
    const store = await scratch.store(scratch.folder());
    await assert.rejects(store.edit(user, (async () => {}) as never), /must be done when it returns/);
  });
});

describe('a transaction on unique values', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('swaps two of them in every window', async () => {
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
