import assert from 'node:assert/strict';
import { pick } from '../../support/pick';
import { aList, Scratch, user } from '../support/store';

const sync = { origin: 'sync' } as const;
const act = (key: string) => ({ origin: 'user', label: { key, count: 1 } }) as const;

describe('undo after other changes', () => {
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

  it('keeps a list that has been uploaded or filled meanwhile', async () => {
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

  it('restores the name of a list, also on the server, but keeps what is new', async () => {
    const { store, list } = await opened();
    await store.edit(act('rename'), tx => tx.updateList(list, { name: 'Mine', isDirty: true }));
    await store.edit(sync, tx => tx.updateList(list, { color: 7, isDirty: false }));
    await store.undo();
    const { name, color, isDirty } = store.list(list)!;
    assert.deepEqual({ name, color, isDirty }, { name: 'Inbox', color: 7, isDirty: true });
  });

  it('restores the dates together or not at all, as well as the status with percent and time', async () => {
    const { store, a } = await opened();
    const day = Date.UTC(2030, 4, 6);
    const at = (hour: number) => day + hour * 3_600_000;
    const allDay = { due: day, isAllDay: true, timezone: null };
    const dated = ['due', 'isAllDay', 'timezone', 'rrule'] as const;
    const stated = ['status', 'percentComplete'] as const;
    for (const [own, later, names] of [
      // The date alone has another value: its day would be one with a time zone.
      [{ due: at(9), isAllDay: false, timezone: 'UTC' }, { due: at(10) }, dated],
      // A column that the edit had left alone: the repeat is on the weekday of the later date.
      [{ due: day + 24 * 3_600_000 }, { rrule: 'FREQ=WEEKLY;BYDAY=TU' }, dated],
      [{ status: 1, percentComplete: 40 }, { percentComplete: 60 }, stated],
      [{ status: 1 }, { percentComplete: 20 }, stated],
    ] as const) {
      const plain = { rrule: null, status: 0, percentComplete: null, completedAt: null } as const;
      await store.edit(sync, tx => tx.updateTask(a, { title: 'a', ...allDay, ...plain }));
      await store.edit(act('edit'), tx => tx.updateTask(a, { title: 'mine', ...own }));
      await store.edit(sync, tx => tx.updateTask(a, later));
      const kept = pick(store.task(a)!, ...names);
      await store.undo();
      assert.deepEqual(pick(store.task(a)!, ...names), kept);
      assert.equal(store.task(a)!.title, 'a');
    }
  });

  it('reverts a completion whose time the server stores in whole seconds', async () => {
    const { store, a } = await opened();
    const done = { status: 2, percentComplete: 100, completedAt: 1_700_000_000_123 } as const;
    await store.edit(act('complete'), tx => tx.updateTask(a, done));
    await store.edit(sync, tx => tx.updateTask(a, { completedAt: 1_700_000_000_000, etag: '2' }));
    await store.undo();
    const { status, percentComplete, completedAt } = store.task(a)!;
    assert.deepEqual({ status, percentComplete, completedAt }, { status: 0, percentComplete: null, completedAt: null });
  });

  it('keeps what was changed again', async () => {
    const { store, list } = await opened();
    await store.edit(act('rename'), tx => tx.updateList(list, { name: 'Mine' }));
    await store.edit(sync, tx => tx.updateList(list, { name: 'Theirs' }));
    await store.undo();
    assert.equal(store.list(list)?.name, 'Theirs');
  });

  it('restores nothing into a list that is gone, or over another task', async () => {
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

  it('restores a list without its account if that is gone', async () => {
    const { store, account, list } = await opened();
    await store.edit(act('delete'), tx => tx.deleteList(list));
    await store.edit(sync, tx => tx.deleteAccount(account));
    await store.undo();
    const { accountId, href, isDirty } = store.list(list)!;
    assert.deepEqual({ accountId, href, isDirty }, { accountId: null, href: null, isDirty: false });
    assert.equal(store.selectTasks('t.list_id = ?', [list]).length, 2);
  });

  it('does not move a task whose old list is gone', async () => {
    const { store, list, a } = await opened();
    const target = await store.edit(sync, tx => tx.insertList({ name: 'Target', color: 0 }));
    await store.edit(act('move'), tx => tx.updateTask(a, { listId: target, href: null, etag: null, title: 'moved' }));
    await store.edit(sync, tx => tx.deleteList(list));
    await store.undo();
    assert.equal(store.task(a)?.listId, target);
  });

  it('restores an occurrence only with its series', async () => {
    const { store, list, a } = await opened();
    const override = await store.edit(sync, tx =>
      tx.insertTask({ listId: list, uid: 'Inbox-a', masterId: a, recurrenceId: 5, href: '/inbox/1.ics' }),
    );
    await store.edit(act('delete'), tx => tx.deleteTask(override));
    await store.edit(sync, tx => tx.deleteTask(a));
    await store.undo();
    assert.equal(store.task(override), undefined);
  });

  for (const [outcome, place, href] of [
    ['at its address', {}, '/inbox/1.ics'],
    ['without an address where its list has another now', { href: '/again/' }, null],
    ['without an address where nothing may be written', { isReadOnly: true }, null],
  ] as const)
    it(`restores a task ${outcome}`, async () => {
      const { store, list, a } = await opened();
      await store.edit(act('delete'), tx => tx.updateTask(a, { isDeleted: true, isDirty: true }));
      await store.edit(sync, tx => {
        tx.deleteTask(a);
        tx.updateList(list, place);
      });
      await store.undo();
      const back = store.task(a)!;
      assert.deepEqual(pick(back, 'href', 'etag', 'isDirty', 'isDeleted'), {
        href,
        etag: null,
        isDirty: true,
        isDeleted: false,
      });
    });

  it('keeps an account that has synced since it was added', async () => {
    const { store } = await opened();
    const account = await store.edit(act('new'), tx => tx.insertAccount({ displayName: 'New' }));
    await store.edit(sync, tx => tx.updateAccount(account, { lastSyncAt: 5 }));
    await store.undo();
    assert.equal(store.account(account)?.displayName, 'New');
  });

  it('restores the old name of what is not on a server, whatever else of it has changed', async () => {
    const { store, account } = await opened();
    const list = await store.edit(sync, tx => tx.insertList({ name: 'Here', color: 0 }));
    await store.edit(act('rename'), tx => tx.updateList(list, { name: 'There' }));
    await store.edit(sync, tx => tx.updateList(list, { sortOrder: 9 }));
    await store.undo();
    const { name, sortOrder, isDirty } = store.list(list)!;
    assert.deepEqual({ name, sortOrder, isDirty }, { name: 'Here', sortOrder: 9, isDirty: false });
    await store.edit(act('rename'), tx => tx.updateAccount(account, { displayName: 'Mine' }));
    await store.edit(sync, tx => tx.updateAccount(account, { lastSyncError: 'no answer' }));
    await store.undo();
    const after = store.account(account)!;
    assert.deepEqual(pick(after, 'displayName', 'lastSyncError'), { displayName: 'Cloud', lastSyncError: 'no answer' });
  });

  it('restores an alarm only with its task', async () => {
    const { store, a } = await opened();
    await store.edit(sync, tx => tx.updateTask(a, { alarms: [{ minutesBefore: 5 }] }));
    await store.edit(act('quiet'), tx => tx.updateTask(a, { alarms: [] }));
    await store.edit(sync, tx => tx.deleteTask(a));
    await store.undo();
    assert.deepEqual(store.select('SELECT id FROM task_alarms'), []);
  });

  it('sends restored reminders to the server if it has received their removal', async () => {
    const { store, a } = await opened();
    await store.edit(sync, tx => tx.updateTask(a, { alarms: [{ minutesBefore: 5 }] }));
    await store.edit(act('quiet'), tx => tx.updateTask(a, { alarms: [], isDirty: true, lastModified: 7 }));
    await store.edit(sync, tx => tx.updateTask(a, { isDirty: false, etag: '2' }));
    await store.undo();
    const { alarms, isDirty } = store.task(a)!;
    assert.deepEqual(
      { alarms: alarms.map(({ minutesBefore }) => minutesBefore), isDirty },
      { alarms: [5], isDirty: true },
    );
  });

  it('keeps a list synced that was moved into an account and has arrived', async () => {
    const { store, account } = await opened();
    const list = await store.edit(sync, tx => tx.insertList({ name: 'Mine', color: 0, isSynced: false }));
    await store.edit(act('move'), tx => tx.updateList(list, { accountId: account, isSynced: true, isDirty: true }));
    await store.edit(sync, tx => tx.updateList(list, { href: '/mine/', isDirty: false }));
    await store.undo();
    const { accountId, isSynced } = store.list(list)!;
    assert.deepEqual({ accountId, isSynced }, { accountId: account, isSynced: true });
  });

  it('sends what is restored in a list that has moved into an account since', async () => {
    const { store, account } = await opened();
    const { list, tasks } = await store.edit(sync, tx => aList(tx, 'Mine', 'x'));
    await store.edit(act('delete'), tx => tx.deleteTask(tasks[0]!));
    await store.edit(sync, tx => tx.updateList(list, { accountId: account, href: '/mine/' }));
    await store.undo();
    const { href, isDirty } = store.task(tasks[0]!)!;
    assert.deepEqual({ href, isDirty }, { href: null, isDirty: true });
  });

  it('sends what has changed in a list of this computer when its move into an account is redone', async () => {
    const { store, account } = await opened();
    const { list, tasks } = await store.edit(sync, tx => aList(tx, 'Mine', 'x'));
    const [x] = tasks as [number];
    await store.edit(act('move'), tx => {
      tx.updateList(list, { accountId: account, isSynced: true, isDirty: true });
      tx.updateTask(x, { isDirty: true });
    });
    await store.undo();
    await store.edit(sync, tx => tx.updateTask(x, { title: 'y' }));
    await store.redo();
    assert.deepEqual(pick(store.task(x)!, 'title', 'href', 'isDirty'), { title: 'y', href: null, isDirty: true });
  });

  it('keeps a local task in place if its old list is gone, and continues with the edit before', async () => {
    const { store } = await opened();
    const { list, tasks } = await store.edit(act('new'), tx => aList(tx, 'Old', 'x'));
    const target = await store.edit(sync, tx => tx.insertList({ name: 'Target', color: 0 }));
    await store.edit(act('rename'), tx => tx.updateTask(tasks[0]!, { title: 'y' }));
    await store.edit(act('move'), tx => tx.updateTask(tasks[0]!, { listId: target }));
    await store.edit(sync, tx => tx.deleteList(list));
    assert.deepEqual(await store.undo(), { key: 'move', count: 1 });
    assert.equal(store.task(tasks[0]!)?.listId, target);
    assert.deepEqual(await store.undo(), { key: 'rename', count: 1 });
    assert.equal(store.task(tasks[0]!)?.title, 'x');
  });

  it('does not keep undo steps forever', async () => {
    const store = await scratch.store(scratch.folder());
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    for (let nth = 0; nth < 205; nth++)
      await store.edit(act('rename'), tx => tx.updateTask(1, { title: `title ${nth}` }));
    let steps = 0;
    while (await store.undo()) steps++;
    assert.equal(steps, 200);
    assert.equal(store.task(1)?.title, 'title 4');
  });
});
