import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TaskCounts } from '../../src/engine/taskCounts';
import { aFilledStore, type Filled } from '../core/support/filterStore';
import { taskRow } from '../core/support/randomTasks';

describe('task counts', () => {
  let filled: Filled;
  beforeEach(async () => {
    filled = await aFilledStore();
  });
  afterEach(() => filled.close());

  const countsIn = (tallies: TaskCounts) => ({
    open: [...tallies.open()].sort(),
    done: [...tallies.done()].sort(),
    tags: [...tallies.tags()].sort(),
  });

  it('count open and completed tasks by list, a series once, and open ones by tag', async () => {
    const [one, two] = [await filled.list('One'), await filled.list('Two')];
    const [series] = await filled.tasks(one, { title: 'series', rrule: 'FREQ=DAILY', tags: ['a', 'b'] });
    await filled.tasks(one, { title: 'exception', masterId: series!, recurrenceId: 1, tags: ['a'] });
    await filled.tasks(two, { title: 'done', status: 2, tags: ['a'] }, { title: 'cancelled', status: 3 });
    await filled.tasks(two, { title: 'gone', isDeleted: true, tags: ['c'] });
    const tallies = new TaskCounts(filled.store);
    assert.deepEqual(countsIn(tallies), {
      open: [[one, 1]],
      done: [[two, 1]],
      tags: [
        ['a', 2],
        ['b', 1],
      ],
    });
    tallies.dispose();
  });

  it('equal a new count after every edit', async () => {
    const step = fc.record({
      act: fc.constantFrom('insert', 'update', 'delete', 'drop'),
      which: fc.nat(),
      row: taskRow,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async steps => {
        const lists = [await filled.list('L'), await filled.list('M')];
        const kept = new TaskCounts(filled.store);
        countsIn(kept);
        for (const { act, which, row } of steps) {
          await filled.store.edit({ origin: 'user' }, tx => {
            const ids = tx.select<{ id: number }>('SELECT id FROM tasks ORDER BY id').map(({ id }) => id);
            const id = ids[which % Math.max(1, ids.length)];
            const known = lists.filter(list => tx.list(list));
            const list = known[which % Math.max(1, known.length)];
            if (act === 'insert' && list) tx.insertTask({ ...row, listId: list, uid: `t-${Math.random()}` });
            else if (act === 'update' && id) tx.updateTask(id, row);
            else if (act === 'delete' && id) tx.deleteTask(id);
            else if (act === 'drop' && known.length > 1 && which % 3 === 0) tx.deleteList(list!);
          });
          const fresh = new TaskCounts(filled.store);
          assert.deepEqual(countsIn(kept), countsIn(fresh));
          fresh.dispose();
        }
        kept.dispose();
      }),
      { numRuns: 25 },
    );
  });

  it('include a large import', async () => {
    const list = await filled.list('L');
    const tallies = new TaskCounts(filled.store);
    assert.equal(tallies.open().size, 0);
    await filled.tasks(list, ...Array.from({ length: 2_500 }, (_, index) => ({ title: `${index}` })));
    assert.deepEqual([...tallies.open()], [[list, 2_500]]);
    tallies.dispose();
  });
});
