import assert from 'node:assert/strict';
import { agendaOf } from '../../../src/core/agenda/agenda';
import { isDuelineError } from '../../../src/core/errors';
import { runQuery } from '../../../src/core/filter/eval/run';
import { examples } from '../support/filterExamples';
import { aContext, aFilledStore, at, civil, type Filled } from '../support/filterStore';

describe('filter: running on a real store', () => {
  let filled: Filled;
  before(async () => {
    filled = await aFilledStore();
  });
  after(() => filled.close());

  it('compares dates as days, and instants with the clock', async () => {
    const list = await filled.list('Dates');
    await filled.tasks(
      list,
      { title: 'yesterday', due: civil('2026-03-17'), isAllDay: true },
      { title: 'today', due: civil('2026-03-18'), isAllDay: true },
      { title: 'tomorrow', due: civil('2026-03-19'), isAllDay: true },
      { title: 'noon', due: at('2026-03-18T12:00:00Z'), timezone: 'UTC' },
      { title: 'evening', due: at('2026-03-18T20:00:00Z'), timezone: 'UTC' },
      { title: 'floating', due: civil('2026-03-18T15:00') },
      { title: 'undated' },
    );
    const titles = (query: string) => filled.titles(`@Dates ${query}`);
    assert.deepEqual(titles('due:today'), ['today', 'noon', 'floating', 'evening']);
    assert.deepEqual(titles('is:overdue'), ['yesterday', 'noon']);
    assert.deepEqual(titles('due:<today'), ['yesterday']);
    assert.deepEqual(titles('due:<=today'), ['yesterday', 'today', 'noon', 'floating', 'evening']);
    assert.deepEqual(titles('due:>today'), ['tomorrow']);
    assert.deepEqual(titles('due:>now'), ['floating', 'evening', 'tomorrow']);
    assert.deepEqual(titles('due:today..'), ['today', 'noon', 'floating', 'evening', 'tomorrow']);
    assert.deepEqual(titles('due:2026-03-18T12:00'), ['today', 'noon']);
    assert.deepEqual(titles('due:none'), ['undated']);
    assert.deepEqual(titles('-due:today'), ['yesterday', 'tomorrow', 'undated']);
    const { groups, openCount } = agendaOf('today', filled.store, { lists: [list] }, aContext());
    assert.deepEqual(
      groups.map(group => ({ key: group.key, titles: group.items.map(({ task }) => task.title) })),
      [
        { key: 'overdue', titles: ['yesterday', 'noon'] },
        { key: 'today', titles: ['today', 'floating', 'evening'] },
      ],
    );
    assert.equal(openCount, 5);
  });

  it('runs every example, or says what is not available yet', () => {
    for (const { query, unavailable } of examples) {
      const run = () => runQuery(filled.store, query, aContext());
      if (unavailable) assert.throws(run, error => isDuelineError(error, 'query') && /yet/.test(error.message));
      else run();
    }
  });
});
