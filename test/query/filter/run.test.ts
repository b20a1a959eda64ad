import assert from 'node:assert/strict';
import { isDuelineError } from '../../../src/core/kernel/errors';
import { agendaOf } from '../../../src/query/agenda/agenda';
import { runQuery } from '../../../src/query/eval/run';
import { examples } from '../../core/support/filterExamples';
import { aContext, aFilledStore, at, civil, type Filled } from '../../core/support/filterStore';

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

  it('sorts titles by their beginning only, because other programs write titles of any length', async () => {
    const list = await filled.list('Long');
    const long = (end: string) => `${'long '.repeat(200)}${end}`;
    const ends = ['b', 'a', 'c'];
    await filled.tasks(list, { title: 'long z' }, ...ends.map(end => ({ title: long(end) })), { title: 'long a' });
    const sorted = filled.titles('@Long sort:title');
    assert.deepEqual(sorted, ['long a', ...ends.map(long), 'long z']);
    assert.deepEqual(filled.titles('@Long sort:title limit:3'), sorted.slice(0, 3));
  });

  it('treats hidden tasks as absent: as lines, as relatives, and in limits', async () => {
    const list = await filled.list('Hiding');
    const dependsOn = (uid: string) => ({
      unknownProperties: JSON.stringify([`RELATED-TO;RELTYPE=DEPENDS-ON:${uid}`]),
    });
    const hidden = { classification: 1 } as const;
    const [above] = await filled.tasks(list, { title: 'above' }, { title: 'b waits', ...dependsOn('hidden blocker') });
    await filled.tasks(
      list,
      { title: 'a hidden child', parentId: above!, ...hidden },
      { title: 'a hidden blocker', uid: 'hidden blocker', ...hidden },
      { title: 'c blocks', uid: 'c' },
      { title: 'a hidden one that waits', ...dependsOn('c'), ...hidden },
    );
    const titles = (query: string, limit?: number) =>
      filled.titles(
        `@Hiding ${query} sort:title`,
        aContext({ isVisible: ({ classification }) => classification !== 1, ...(limit && { limit }) }),
      );
    const all = ['above', 'b waits', 'c blocks'];
    for (const none of ['hidden', 'child:hidden', 'has:child', 'is:parent', 'after:hidden', 'has:after', 'is:blocked'])
      assert.deepEqual({ matching: titles(none), others: titles(`-${none}`) }, { matching: [], others: all }, none);
    for (const none of ['blocks:hidden', 'has:blocks', 'is:private'])
      assert.deepEqual({ matching: titles(none), others: titles(`-${none}`) }, { matching: [], others: all }, none);
    assert.deepEqual(titles('is:ready'), all);
    assert.deepEqual(titles('limit:1'), ['above']);
    assert.deepEqual(titles('', 2), ['above', 'b waits']);
    assert.deepEqual(titles('title:above show:subtasks'), ['above']);
    // If SQL knows the order, it limits the rows itself.
    const ordered = (query: string) =>
      filled.titles(`@Hiding ${query}`, aContext({ isVisible: ({ title }) => title === 'c blocks' }));
    assert.deepEqual(ordered('sort:created limit:1'), ['c blocks']);
  });

  it('runs every example, or reports what is only available in editor windows', () => {
    for (const { query, unavailable } of examples) {
      const run = () => runQuery(filled.store, query, aContext());
      if (unavailable)
        assert.throws(run, error => isDuelineError(error, 'query') && /editor windows only/.test(error.message));
      else run();
    }
  });

  it('returns the first of very many rows, whatever is between them in SQL’s order', async () => {
    const list = await filled.list('Many');
    const rows = Array.from({ length: 2500 }, (_, index) => ({
      title: `T${(index * 7919) % 2500}`,
      due: index % 3 === 0 ? null : civil('2026-03-18') + (index % 20) * 3_600_000,
      timezone: index % 2 === 0 ? 'UTC' : null,
      priority: index % 50 === 0 ? 1 : 5,
      rrule: index % 1000 === 7 ? 'FREQ=DAILY' : null,
    }));
    await filled.tasks(list, ...rows);
    for (const order of ['', 'sort:due,title', 'sort:-due', 'sort:title', 'sort:-priority,title', 'sort:list,-due'])
      for (const query of [`@Many ${order}`, `@Many no:due ${order}`]) {
        const whole = runQuery(filled.store, query, aContext());
        const some = runQuery(filled.store, query, aContext({ limit: 20 }));
        assert.deepEqual(some, whole.slice(0, 20), query);
      }
  });
});
