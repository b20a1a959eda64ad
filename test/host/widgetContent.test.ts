import assert from 'node:assert/strict';
import type { DuelineEngine, WidgetKind } from '../../src/api';
import { civilMs, today } from '../../src/core/time/dates';
import { widgetContent } from '../../src/views/widgets/content';
import { RowCache } from '../../src/views/widgets/rowView';
import { readSetup } from '../../src/views/widgets/setup';
import { duelineApi } from './support/api';

describe('what a widget shows', () => {
  let engine: DuelineEngine;
  let listId: number;
  before(async () => {
    engine = (await duelineApi()) as DuelineEngine;
    listId = await engine.createList({ name: 'Shown' });
  });
  after(() => engine.deleteList(listId));

  const titles = (kind: WidgetKind, choices: object, weeksAway = 0) => {
    const setup = { ...readSetup(kind, { lists: ['Shown'], ...choices }), weeksAway };
    const { frame, lines } = widgetContent(engine, setup, true, new RowCache());
    assert.equal(frame.problem, undefined);
    return lines.map(({ summary }) => engine.task(summary.taskId)!.title);
  };

  it('does not read a text that mentions an order as one', async () => {
    const due = civilMs(today(engine.clock, 0));
    for (const title of ['b, then sort:title later', 'a, then sort:title later'])
      await engine.createTask(listId, { title, due, isAllDay: true });
    const filter = '"then sort:title later"';
    const sorted = ['a, then sort:title later', 'b, then sort:title later'];
    assert.deepEqual(titles('tasks', { filter, sort: 'title' }), sorted);
    assert.deepEqual(titles('week', { filter, sort: 'title' }), sorted);
    assert.deepEqual(titles('week', { filter, sort: '-title' }), sorted.toReversed());
    assert.deepEqual(titles('week', { filter: '"then sort:title later"' }, 1), []);
  });

  it('names a group by its tag, whatever that is', async () => {
    await engine.createTask(listId, { title: 'grouped by tag', tags: ['constructor'] });
    const setup = readSetup('tasks', { lists: ['Shown'], filter: '"grouped by tag"', group: 'tag' });
    const { groups } = widgetContent(engine, setup, true, new RowCache());
    assert.deepEqual(
      groups.map(({ label }) => label),
      ['constructor'],
    );
  });

  it('shows the first tasks of Today, and how many more there are', async () => {
    const due = civilMs(today(engine.clock, 0));
    const tasks = Array.from({ length: 203 }, (_, at) => ({ title: `many ${at}`, due, isAllDay: true }));
    await engine.apply(tasks.map(input => ({ type: 'create', listId, input })));
    const setup = readSetup('today', { lists: ['Shown'], filter: 'many' });
    const shown = (pages: ReadonlyMap<string, number>) => {
      const { groups, description } = widgetContent(engine, setup, true, new RowCache(), pages);
      const { rows, more } = groups.find(({ key }) => key === 'today')!;
      return { rows: rows.length, more, isCounted: description.includes('203') };
    };
    assert.deepEqual(shown(new Map()), { rows: 200, more: 3, isCounted: true });
    assert.deepEqual(shown(new Map([['today', 1]])), { rows: 203, more: undefined, isCounted: true });
  });

  it('shows a week in the order that its filter names', async () => {
    const start = civilMs(today(engine.clock, 0));
    for (const [title, hour] of [['week a', 15] as const, ['week b', 9] as const])
      await engine.createTask(listId, { title, due: start + hour * 3_600_000, isAllDay: false, timezone: null });
    assert.deepEqual(titles('week', { filter: '"week" sort:title' }), ['week a', 'week b']);
    assert.deepEqual(titles('week', { filter: '"week"' }), ['week b', 'week a']);
  });
});
