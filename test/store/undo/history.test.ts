import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RowPatch } from '../../../src/core/kernel/rowEdit';
import type { TaskStore } from '../../../src/store/taskStore';
import type { Writer } from '../../../src/store/types';
import { pick } from '../../support/pick';
import { aList, bytesIn, clock, dump, firstJournal, Scratch } from '../support/store';

const sync = { origin: 'sync' } as const;
const act = (key: string, count = 1) => ({ origin: 'user', label: { key, count } }) as const;

describe('the undo history', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  /** A store with a synced list and one task that the server has. */
  async function synced(folder = scratch.folder()) {
    const store = await scratch.store(folder);
    const made = await store.edit(sync, tx => {
      const account = tx.insertAccount({ displayName: 'Home' });
      const { list, tasks } = aList(tx, 'Inbox', 'a', 'b');
      tx.updateList(list, { accountId: account, href: '/inbox/' });
      for (const id of tasks) tx.updateTask(id, { href: `/inbox/${id}.ics`, etag: '1' });
      return { account, list, task: tasks[0]!, other: tasks[1]! };
    });
    return { store, folder, ...made };
  }

  const change = (store: TaskStore, id: number, patch: RowPatch, key = 'edit') =>
    store.edit(act(key), tx => tx.updateTask(id, { ...patch, isDirty: true, lastModified: clock.now() }));
  const push = (store: TaskStore, id: number, etag = '2') =>
    store.edit(sync, tx => tx.updateTask(id, { isDirty: false, etag, href: `/inbox/${id}.ics` }));

  it('has nothing to undo at first, and no changes of sync', async () => {
    const { store } = await synced();
    assert.equal(await store.undo(), undefined);
    assert.deepEqual(await store.history(), { undo: undefined, redo: undefined });
  });

  it('restores exactly the row that was there, dirty flag included, and redoes it exactly', async () => {
    const { store, task } = await synced();
    const before = dump(store);
    await change(store, task, { title: 'changed', tags: ['x'], alarms: [{ minutesBefore: 5 }] }, 'rename');
    const after = dump(store);
    assert.deepEqual(await store.history(), { undo: { key: 'rename', count: 1 }, redo: undefined });
    assert.deepEqual(await store.undo(), { key: 'rename', count: 1 });
    assert.equal(dump(store), before);
    assert.deepEqual(await store.redo(), { key: 'rename', count: 1 });
    assert.equal(dump(store), after);
  });

  it('survives a reload, is shared by windows, and walks through several steps', async () => {
    const { store, task, folder } = await synced();
    const states = [dump(store)];
    for (const title of ['1', '2', '3']) {
      await change(store, task, { title }, title);
      states.push(dump(store));
    }
    await store.undo();
    await store.close();
    const again = await scratch.store(folder);
    const other = await scratch.store(folder);
    await again.undo();
    await other.undo();
    await again.refresh();
    assert.equal(dump(again), states[0]);
    assert.equal((await again.history()).redo?.key, '1');
    for (const at of [1, 2, 3]) {
      await (at === 2 ? other : again).redo();
      await Promise.all([again.refresh(), other.refresh()]);
      assert.equal(dump(again), states[at]);
    }
    assert.equal(await again.redo(), undefined);
  });

  it('drops undone steps once something new is done', async () => {
    const { store, task } = await synced();
    await change(store, task, { title: 'x' });
    await store.undo();
    await change(store, task, { title: 'y' });
    assert.equal(await store.redo(), undefined);
    assert.equal(store.task(task)!.title, 'y');
  });

  it('sends what is undone after a push, over what the server has', async () => {
    const { store, task } = await synced();
    await change(store, task, { title: 'changed' });
    await push(store, task);
    clock.time += 1000;
    await store.undo();
    const { title, isDirty, etag, lastModified } = store.task(task)!;
    assert.deepEqual(
      { title, isDirty, etag, lastModified },
      { title: 'a', isDirty: true, etag: '2', lastModified: clock.now() },
    );
  });

  it('does not touch later changes of sync', async () => {
    const { store, task } = await synced();
    await change(store, task, { title: 'mine', description: 'mine' });
    await store.edit(sync, tx =>
      tx.updateTask(task, { title: 'theirs', location: 'there', etag: '3', isDirty: false }),
    );
    await store.undo();
    const { title, description, location, isDirty } = store.task(task)!;
    assert.deepEqual(
      { title, description, location, isDirty },
      { title: 'theirs', description: null, location: 'there', isDirty: true },
    );
  });

  it('removes a task that was never pushed, and leaves a tombstone of one that was', async () => {
    const { store, list } = await synced();
    const add = (uid: string) => store.edit(act('add'), tx => tx.insertTask({ listId: list, uid, isDirty: true }));
    const fresh = await add('fresh');
    await store.undo();
    assert.equal(store.task(fresh), undefined);
    await store.redo();
    assert.equal(store.task(fresh)!.uid, 'fresh');
    await push(store, fresh);
    await store.undo();
    const { isDeleted, isDirty, href } = store.task(fresh)!;
    assert.deepEqual({ isDeleted, isDirty, href }, { isDeleted: true, isDirty: true, href: `/inbox/${fresh}.ics` });
    await store.redo();
    assert.equal(store.task(fresh)!.isDeleted, false);
  });

  for (const [whose, label] of [
    ['of a program', { key: 'create', count: 1, client: { name: 'Agent', session: '1' } }],
    ['of the user', { key: 'create', count: 1 }],
  ] as const)
    describe(`a step ${whose}, named by its id,`, () => {
      const own = { origin: 'user', label } as const;

      /** A store with a task that the step made and the server has. */
      async function made() {
        const { store, list } = await synced();
        const id = await store.edit(own, tx =>
          tx.insertTask({
            listId: list,
            uid: 'fresh',
            title: 'Fresh',
            isDirty: true,
            createdAt: clock.now() + 7,
            alarms: [{ minutesBefore: 5 }],
          }),
        );
        await push(store, id);
        const [step] = await store.undoSteps();
        return { store, list, id, undo: () => store.undoStep(step!.id) };
      }

      it('takes back what it made with its own later edits, even if the server has it', async () => {
        const { store, id, undo } = await made();
        await store.edit(sync, tx => tx.updateTask(id, { createdAt: clock.now(), sequence: 4, lastModified: 5 }));
        await store.edit(sync, tx => tx.updateTask(id, { sortOrder: 5, unknownProperties: 'X-THEIRS:1' }));
        await store.edit(own, tx => tx.updateTask(id, { title: 'Mine', isDirty: true }));
        const [later] = await store.undoSteps();
        await assert.rejects(undo(), /changed later/);
        await store.undoStep(later!.id);
        await undo();
        assert.equal(store.task(id)!.isDeleted, true);
      });

      for (const [difference, change] of [
        ['has another title', (tx, id) => tx.updateTask(id, { title: 'Theirs' })],
        ['has another reminder', (tx, id) => tx.updateTask(id, { alarms: [{ minutesBefore: 9 }] })],
        [
          'has one reminder more',
          (tx, id) => tx.updateTask(id, { alarms: [{ minutesBefore: 5 }, { minutesBefore: 9 }] }),
        ],
        ['has a subtask', (tx, id, listId) => tx.insertTask({ listId, uid: 'below', parentId: id })],
        ['is done', (tx, id) => tx.updateTask(id, { status: 2, percentComplete: 100 })],
      ] as readonly (readonly [string, (tx: Writer, id: number, list: number) => unknown])[])
        it(`keeps a task that ${difference} since a sync`, async () => {
          const { store, id, list, undo } = await made();
          await store.edit(sync, tx => void change(tx, id, list));
          await assert.rejects(undo(), /changed later/);
          assert.equal(store.task(id)!.isDeleted, false);
          // The newest step is taken back as ever.
          await store.undo();
          assert.equal(store.task(id)!.isDeleted, true);
        });

      it('keeps a task that a sync changes during the undo', async () => {
        const { store, id, list, undo } = await made();
        const running = undo();
        // The first of these is being saved when the undo reads the history, the second comes before its own edit.
        const edits = [
          store.edit(sync, tx => tx.updateList(list, { ctag: '2' })),
          store.edit(sync, tx => tx.updateTask(id, { title: 'Theirs' })),
        ];
        await assert.rejects(running, /changed later/);
        await Promise.all(edits);
        assert.equal(store.task(id)!.title, 'Theirs');
        assert.equal(store.task(id)!.isDeleted, false);
      });
    });

  it('stays if all that it changed was changed again, when it is named by its id', async () => {
    const { store, task, other } = await synced();
    await change(store, task, { title: 'First' });
    const [first] = await store.undoSteps();
    await change(store, task, { title: 'Second' });
    await change(store, other, { title: 'Beside it' });
    const before = dump(store);
    await assert.rejects(store.undoStep(first!.id), /Later changes replaced this one/);
    assert.equal(dump(store), before);
    const [, second] = await store.undoSteps();
    await store.undoStep(second!.id);
    await store.undoStep(first!.id);
    assert.equal(store.task(task)!.title, 'a');
    assert.equal(store.task(other)!.title, 'Beside it');
  });

  it('is identified by the work that made the step, whatever else is written meanwhile', async () => {
    const { store, task, other } = await synced();
    const slow = store.stepOf(async () => {
      await change(store, task, { title: 'Slow' }, 'slow');
      // The other work is done by then.
      await quick;
      return 'done';
    });
    const quick = store.stepOf(() => change(store, other, { title: 'Quick' }, 'quick'));
    await push(store, other);
    const keyOf = async (id: string | undefined) => (await store.undoSteps()).find(step => step.id === id)?.label.key;
    assert.deepEqual(
      [(await slow).result, await keyOf((await slow).step), await keyOf((await quick).step)],
      ['done', 'slow', 'quick'],
    );
    assert.equal((await store.stepOf(() => push(store, task))).step, undefined, 'a sync makes no step');
    assert.equal((await store.stepOf(() => store.undo())).step, undefined, 'an undo makes none either');
  });

  it('restores a deleted task: exactly before the push, at its old address after it', async () => {
    const { store, task } = await synced();
    await change(store, task, { alarms: [{ minutesBefore: 5, message: 'Now' }] });
    await push(store, task);
    const before = dump(store);
    const remove = () => store.edit(act('delete'), tx => tx.updateTask(task, { isDeleted: true, isDirty: true }));
    await remove();
    await store.undo();
    assert.equal(dump(store), before);
    await remove();
    await store.edit(sync, tx => tx.deleteTask(task));
    await store.undo();
    const back = store.task(task)!;
    const { title, href, etag, isDirty, isDeleted } = back;
    assert.deepEqual(
      { title, href, etag, isDirty, isDeleted },
      { title: 'a', href: '/inbox/1.ics', etag: null, isDirty: true, isDeleted: false },
    );
    assert.deepEqual(
      back.alarms.map(alarm => ({ minutesBefore: alarm.minutesBefore, message: alarm.message })),
      [{ minutesBefore: 5, message: 'Now' }],
    );
  });

  it('restores a deleted list with everything in it', async () => {
    const store = await scratch.store(scratch.folder());
    const { list, tasks } = await store.edit(act('import', 3), tx => {
      const made = aList(tx, 'Garden', 'bed', 'seed', 'water');
      tx.updateTask(made.tasks[1]!, { parentId: made.tasks[2]!, alarms: [{ minutesBefore: 1 }] });
      tx.insertTask({ listId: made.list, uid: 'Garden-bed', masterId: made.tasks[0]!, recurrenceId: 0 });
      return made;
    });
    const before = dump(store);
    await store.edit(act('deleteList'), tx => tx.deleteList(list));
    assert.equal(store.task(tasks[0]!), undefined);
    await store.undo();
    assert.equal(dump(store), before);
    await store.undo();
    assert.equal(store.lists().length, 0);
    await store.redo();
    assert.equal(dump(store), before);
  });

  it('reverts a move: exactly before the push, after it with a tombstone in the new list', async () => {
    const { store, list, account, task } = await synced();
    const other = await store.edit(sync, tx =>
      tx.insertList({ name: 'Other', color: 0, accountId: account, href: '/o/' }),
    );
    const move = () =>
      store.edit(act('move'), tx => {
        const { uid, href, etag } = tx.task(task)!;
        tx.updateTask(task, { listId: other, href: null, etag: null, isDirty: true });
        return tx.insertTask({ listId: list, uid, href, etag, isDeleted: true, isDirty: true });
      });
    const before = dump(store);
    await move();
    await store.undo();
    assert.equal(dump(store), before);
    const tombstone = await move();
    await store.edit(sync, tx => {
      tx.updateTask(task, { href: '/o/new.ics', etag: '9', isDirty: false });
      tx.deleteTask(tombstone);
    });
    await store.undo();
    const back = store.task(task)!;
    assert.deepEqual(pick(back, 'listId', 'href', 'etag', 'isDirty'), {
      listId: list,
      href: null,
      etag: null,
      isDirty: true,
    });
    const left = store.tasksOfList(other);
    assert.deepEqual(
      left.map(row => ({
        uid: row.uid,
        href: row.href,
        etag: row.etag,
        isDeleted: row.isDeleted,
        isDirty: row.isDirty,
      })),
      [{ uid: back.uid, href: '/o/new.ics', etag: '9', isDeleted: true, isDirty: true }],
    );
  });

  it('lets two windows undo together: each takes another step', async () => {
    const { store, task, folder } = await synced();
    const other = await scratch.store(folder);
    const before = dump(store);
    await change(store, task, { title: '1' });
    await change(store, task, { title: '2' });
    await Promise.all([store.undo(), other.undo()]);
    await Promise.all([store.refresh(), other.refresh()]);
    assert.equal(dump(store), before);
    assert.equal(dump(other), before);
  });

  it('loses only the history, and no task, with the sidecar', async () => {
    const { store, task, folder } = await synced();
    await change(store, task, { title: '1' });
    await store.history();
    const before = dump(store);
    await store.close();
    rmSync(join(folder, 'sidecar'), { recursive: true });
    assert.equal(dump(await scratch.store(folder)), before);
  });

  it('keeps the steps of a journal that ends in damage, even for later starts', async () => {
    const { store, task, folder } = await synced();
    const before = dump(store);
    for (const title of ['kept', 'lost', 'lost as well']) await change(store, task, { title }, title);
    await store.close();
    const journal = join(folder, 'store', firstJournal);
    const bytes = bytesIn(journal);
    bytes[Buffer.from(bytes).indexOf('lost')]! ^= 1;
    writeFileSync(journal, bytes);
    const repaired = await scratch.store(folder);
    assert.equal(repaired.task(task)!.title, 'kept');
    await repaired.close();
    const again = await scratch.store(folder);
    assert.deepEqual(await again.undo(), { key: 'kept', count: 1 });
    assert.equal(dump(again), before);
  });

  it('restores the alarms that a task had before it became a tombstone', async () => {
    const { store, task } = await synced();
    const alarm = { minutesBefore: 5 };
    await change(store, task, { alarms: [alarm] });
    const alarms = store.task(task)!.alarms;
    await change(store, task, { alarms: [alarm, { minutesBefore: 10 }], isDeleted: true });
    await store.edit(sync, tx => tx.deleteTask(task));
    await store.undo();
    assert.deepEqual(store.task(task)!.alarms, alarms);
  });

  it('undoes any sequence of edits back to the start, and redoes it to the end', async () => {
    const title = fc.option(fc.string({ maxLength: 5 }), { nil: null });
    const steps = fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('add' as const), title }),
        fc.record({ do: fc.constant('edit' as const), at: fc.nat(5), title, alarms: fc.nat(2) }),
        fc.record({ do: fc.constant('remove' as const), at: fc.nat(5) }),
        fc.record({ do: fc.constant('nest' as const), at: fc.nat(5), under: fc.nat(5) }),
      ),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async run => {
        const store = await scratch.store(scratch.folder());
        const { list } = await store.edit(sync, tx => aList(tx, 'Inbox', 'a', 'b'));
        const states = [dump(store)];
        for (const [nth, step] of run.entries()) {
          await store.edit(act(step.do), tx => {
            const ids = tx.tasksOfList(list).map(task => task.id);
            if (step.do === 'add') tx.insertTask({ listId: list, uid: `u${nth}`, title: step.title });
            else if (ids[step.at] === undefined) return;
            else if (step.do === 'remove') tx.deleteTask(ids[step.at]!);
            else if (step.do === 'nest') tx.updateTask(ids[step.at]!, { parentId: ids[step.under] ?? null });
            else {
              const alarms = Array.from({ length: step.alarms }, (_, minutesBefore) => ({ minutesBefore }));
              tx.updateTask(ids[step.at]!, { title: step.title, alarms });
            }
          });
          if (dump(store) !== states.at(-1)) states.push(dump(store));
        }
        for (const state of states.toReversed().slice(1)) {
          await store.undo();
          assert.equal(dump(store), state);
        }
        assert.equal(await store.undo(), undefined);
        for (const state of states.slice(1)) {
          await store.redo();
          assert.equal(dump(store), state);
        }
        await store.close();
      }),
      { numRuns: 25 },
    );
  });
});
