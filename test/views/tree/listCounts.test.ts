import assert from 'node:assert/strict';
import { parseQuery } from '../../../src/query/parse/parser';
import { listCounts } from '../../../src/views/tree/listCounts';
import { engines } from '../../engine/support/engine';

describe('the counts of the lists', () => {
  const lab = engines();

  it('include open tasks, limited to a filter’s', async () => {
    const engine = await lab.open();
    const [work, home, empty] = [
      await engine.createList({ name: 'Work' }),
      await engine.createList({ name: 'Home' }),
      await engine.createList({ name: 'Empty' }),
    ];
    const input = (listId: number, title: string, more = {}) =>
      ({ type: 'create', listId, input: { title, ...more } }) as const;
    await engine.apply([
      input(work, 'One', { tags: ['money'] }),
      input(work, 'Two', { tags: ['money'] }),
      input(work, 'Three'),
      input(work, 'Done', { tags: ['money'], status: 2 }),
      input(home, 'Four'),
      input(home, 'Daily', { due: Date.UTC(2026, 10, 21), isAllDay: true, rrule: 'FREQ=DAILY' }),
    ]);
    const countsOf = (filter?: string) => listCounts(engine, filter, text => parseQuery(text).limit);
    const shown = (filter?: string) => [work, home, empty].map(id => countsOf(filter)(id).text);
    assert.deepEqual(shown(), ['3', '2', '']);
    assert.deepEqual(shown('#money'), ['2 of 3', '0 of 2', '0']);
    assert.deepEqual(shown('is:done'), ['1', '0 of 2', '0']);
    assert.deepEqual(shown('is:open limit:1'), ['1 of 3', '1 of 2', '0'], 'the limit is of each list');
    assert.deepEqual(shown('is:recurring show:occurrences due:today..+3d')[1], '4', 'more rows than tasks');
    assert.deepEqual(shown('dew:today'), ['3', '2', ''], 'a filter that cannot be read leaves all');
    assert.equal(countsOf('#money')(work).accessibleLabel, '2 of 3 match the filter');
    assert.equal(countsOf('is:done')(work).accessibleLabel, '1 task matches');
  });
});
