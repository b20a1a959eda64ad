import assert from 'node:assert/strict';
import type { Id } from '../../../src/core/kernel/model';
import { momentOf } from '../../../src/core/time/dates';
import { groupItems } from '../../../src/query/eval/group';
import { runQuery } from '../../../src/query/eval/run';
import { readSort } from '../../../src/query/eval/sortKeys';
import { parseQuery } from '../../../src/query/parse/parser';
import { aContext, aFilledStore, at, civil, type Filled } from '../../core/support/filterStore';

describe('filter: groups', () => {
  let filled: Filled;
  let work: Id;
  let home: Id;
  before(async () => {
    filled = await aFilledStore();
    work = await filled.list('Work', { sortOrder: 2 });
    home = await filled.list('Home', { sortOrder: 1 });
    await filled.tasks(
      work,
      { title: 'a', due: civil('2026-03-19'), isAllDay: true, priority: 9, tags: ['Été'], status: 1 },
      { title: 'b', due: at('2026-03-18T23:30:00Z'), timezone: 'UTC', priority: 1, tags: ['been', 'été'] },
      { title: 'c', status: 2, completedAt: at('2026-03-17T12:00:00Z') },
    );
    await filled.tasks(home, { title: 'd', priority: 5, status: 3 });
  });
  after(() => filled.close());

  const groups = (query: string, context = aContext()) => {
    const { group, sort = [] } = parseQuery(query);
    const items = runQuery(filled.store, `${query} show:done`, context);
    const moment = momentOf(context.clock, context.settings.dayStartHour);
    const found = groupItems(items, group, sort, { moment, lists: filled.store.lists(), locale: 'en' });
    return found.map(({ key, items: lines }) => [key, lines.map(({ task }) => task.title).join('')]);
  };

  it('by due day, no due date last in both directions', () => {
    assert.deepEqual(groups('group:due'), [
      ['2026-03-18', 'b'],
      ['2026-03-19', 'a'],
      ['none', 'dc'],
    ]);
    assert.deepEqual(groups('group:due sort:-due,title'), [
      ['2026-03-19', 'a'],
      ['2026-03-18', 'b'],
      ['none', 'cd'],
    ]);
  });

  it('by the day of completion, which starts at the hour of the setting', () => {
    assert.deepEqual(groups('group:done'), [
      ['2026-03-17', 'c'],
      ['none', 'bad'],
    ]);
    assert.deepEqual(groups('group:done is:done', aContext({ settings: { dayStartHour: 13 } })), [['2026-03-16', 'c']]);
  });

  it('by list in the order of the lists', () => {
    assert.deepEqual(groups('group:list sort:title'), [
      [String(home), 'd'],
      [String(work), 'abc'],
    ]);
  });

  it('by priority, state and tag, a task with two tags in both', () => {
    assert.deepEqual(groups('group:priority sort:title'), [
      ['high', 'b'],
      ['medium', 'd'],
      ['low', 'a'],
      ['none', 'c'],
    ]);
    assert.deepEqual(groups('group:status'), [
      ['started', 'a'],
      ['todo', 'b'],
      ['done', 'c'],
      ['cancelled', 'd'],
    ]);
    assert.deepEqual(groups('group:tag sort:title'), [
      ['been', 'b'],
      ['ete', 'ab'],
      ['none', 'cd'],
    ]);
  });

  it('none at all unless requested', () => {
    assert.deepEqual(groups('sort:title'), [['all', 'abcd']]);
    assert.deepEqual(groups('group:none sort:title'), [['all', 'abcd']]);
  });
});

describe('filter: order by every field', () => {
  let filled: Filled;
  before(async () => {
    filled = await aFilledStore();
    const work = await filled.list('Work');
    const home = await filled.list('Home');
    const noon = (day: string) => at(`2026-03-${day}T12:00:00Z`);
    await filled.tasks(
      home,
      { title: 'one', dtstart: noon('20'), timezone: 'UTC', createdAt: 3, lastModified: 30, priority: 9 },
      { title: 'two', dtstart: noon('19'), timezone: 'UTC', createdAt: 1, lastModified: 10, due: noon('25') },
    );
    await filled.tasks(
      work,
      { title: 'three', createdAt: 2, lastModified: 20, due: noon('11'), timezone: 'UTC' },
      { title: 'four', status: 2, completedAt: noon('17'), priority: 9, createdAt: 9, lastModified: 90 },
      {
        title: 'five',
        status: 2,
        completedAt: at('2026-03-17T09:00:00Z'),
        priority: 1,
        createdAt: 9,
        lastModified: 91,
      },
    );
  });
  after(() => filled.close());

  it('has its own order for each', () => {
    const cases: Readonly<Record<string, string>> = {
      'sort:start': 'two one three',
      'sort:-start': 'one two three',
      'sort:created': 'two three one',
      'sort:modified': 'two three one',
      'sort:list,title': 'one two three',
      'sort:urgency': 'three two one',
      'is:done sort:done': 'five four',
      'is:done sort:-done,priority': 'five four',
      'is:done sort:-done': 'four five',
    };
    for (const [query, expected] of Object.entries(cases))
      assert.equal(filled.titles(query).join(' '), expected, query);
  });

  it('uses the default order if the setting cannot be read', () => {
    const usual = ['due', 'priority', 'title'].map(field => ({ field, descending: false }));
    assert.deepEqual(readSort(''), usual);
    assert.deepEqual(readSort('due, nonsense'), usual);
    assert.deepEqual(readSort('-title'), [{ field: 'title', descending: true }]);
  });

  it('orders titles in any locale, a broken tag among them', () => {
    assert.equal(filled.titles('sort:title', aContext({ locale: 'no such locale' })).join(' '), 'one three two');
  });
});

describe('filter: states, relations and marks', () => {
  let filled: Filled;
  before(async () => {
    filled = await aFilledStore();
    const list = await filled.list('L');
    const [parent] = await filled.tasks(list, { title: 'parent', description: '  ', createdAt: 5, isAllDay: true });
    await filled.tasks(
      list,
      { title: 'child', parentId: parent!, description: 'words' },
      { title: 'grown', parentId: parent!, status: 2, completedAt: at('2026-03-17T09:00:00Z') },
      { title: 'private', classification: 'PRIVATE' } as never,
      { title: 'begun', dtstart: civil('2026-03-20'), isAllDay: true },
      { title: 'hourly', rrule: 'FREQ=MINUTELY;INTERVAL=30', dtstart: at('2026-03-18T15:00:00Z'), timezone: 'UTC' },
      { title: 'daily', rrule: 'FREQ=DAILY', due: at('2026-03-18T15:00:00Z'), timezone: 'UTC' },
    );
  });
  after(() => filled.close());

  it('finds each of them', () => {
    const cases: Readonly<Record<string, string>> = {
      'is:allday sort:title': 'begun',
      'has:notes': 'child',
      'has:done show:done': 'grown',
      'has:created': 'parent',
      'parent:parent sort:title': 'child',
      'child:child': 'parent',
      'repeat:hourly': 'hourly',
      'repeat:daily': 'daily',
      'repeat:hourly OR child:child sort:title': 'hourly parent',
    };
    for (const [query, expected] of Object.entries(cases))
      assert.equal(filled.titles(query).join(' '), expected, query);
  });

  it('adds the open subtasks of matches if requested', () => {
    assert.equal(filled.titles('title:parent show:subtasks').join(' '), 'parent child');
    assert.equal(filled.titles('title:parent').join(' '), 'parent');
  });
});
