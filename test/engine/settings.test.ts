import assert from 'node:assert/strict';
import type { TodayPart } from '../../src/core/kernel/settings';
import { todayQuery } from '../../src/query/eval/builtInFilters';
import { engines } from './support/engine';

const dayMs = 86_400_000;
const today = Date.UTC(2026, 10, 21);

describe('settings in the engine', () => {
  const world = engines();

  async function someDays() {
    const engine = await world.open();
    const list = engine.lists()[0]!.id;
    const add = (title: string, more: object) => engine.createTask(list, { title, isAllDay: true, ...more });
    await add('Late', { due: today - dayMs });
    await add('Due', { due: today });
    await add('Begins', { dtstart: today });
    await add('Begins, due later', { dtstart: today, due: today + 3 * dayMs });
    await add('Tomorrow', { due: today + dayMs });
    return engine;
  }
  const titles = (rows: readonly { task: { title: string | null } }[]) => rows.map(({ task }) => task.title).sort();

  it('Today has the chosen parts, as a widget and as a query', async () => {
    const engine = await someDays();
    const parts: Record<TodayPart, string[]> = {
      overdue: ['Late'],
      due: ['Due'],
      startingToday: ['Begins', 'Begins, due later'],
    };
    const all = Object.keys(parts) as TodayPart[];
    for (let mask = 0; mask < 8; mask++) {
      const todayIncludes = all.filter((_, at) => mask & (1 << at));
      engine.configure({ todayIncludes });
      const expected = todayIncludes.flatMap(part => parts[part]).sort();
      const shot = engine.widget('today');
      assert.deepEqual(titles(shot.groups.flatMap(({ items }) => items)), expected, `${todayIncludes}`);
      assert.equal(shot.openCount, expected.length);
      assert.deepEqual(titles(engine.query(todayQuery(todayIncludes))), expected, `query for ${todayIncludes}`);
      assert.equal(engine.widget('today'), shot, 'the same object until something changes');
    }
  });

  it('Today shortens the rest, and still notices when a task becomes overdue', async () => {
    const engine = await someDays();
    const at = Date.UTC(2026, 10, 21, 12);
    await engine.createTask(engine.lists()[0]!.id, { title: 'At noon', due: at, timezone: 'UTC' });
    engine.configure({ todayIncludes: ['overdue'] });
    assert.equal(engine.widget('today', { limit: 5 }).openCount, 1);
    assert.ok(engine.nextBoundary() <= at + 1);
    world.clock.time = at + 1000;
    try {
      assert.deepEqual(titles(engine.widget('today').groups[0]!.items), ['At noon', 'Late']);
    } finally {
      world.clock.time = Date.UTC(2026, 10, 21, 9, 30);
    }
  });

  it('quick add can ignore dates and use other signs; date pickers still read dates', async () => {
    const engine = await world.open();
    engine.configure({ quickAddDates: false });
    assert.equal(engine.parseQuickAdd('Call tomorrow #home').title, 'Call tomorrow');
    assert.deepEqual(engine.parseQuickAdd('Call tomorrow #home').input.tags, ['home']);
    assert.ok(engine.parseQuickAdd('x tomorrow', { onlyDates: true }).input.due);
    engine.configure({ quickAddDates: true, quickAddSyntax: 'todoist' });
    const { input, title } = engine.parseQuickAdd('Call @home p1');
    assert.equal(title, 'Call');
    assert.deepEqual(input.tags, ['home']);
    assert.equal(input.priority, 1);
  });

  it('quick add reads the language set later, and names a list that takes no tasks', async () => {
    const engine = await world.open();
    const chip = () => engine.parseQuickAdd('Call 2026-12-01').tokens.find(({ kind }) => kind === 'due')?.label;
    assert.match(chip() ?? '', /Tue/);
    engine.configure({ locale: 'de-DE' });
    assert.equal(engine.locale, 'de-DE');
    assert.match(chip() ?? '', /Di/);
    assert.equal(engine.parseQuickAdd('Anrufen morgen').title, 'Anrufen');
    const parsed = engine.parseQuickAdd('Call @Wrk now');
    assert.equal(parsed.title, 'Call @Wrk now');
    assert.deepEqual(parsed.noList, { name: 'Wrk', from: 5, to: 9, why: 'unknown' });
    assert.equal(engine.parseQuickAdd('Call @Inbox').noList, undefined);
    assert.equal(engine.parseQuickAdd('Call @Wrk now', { rejected: [[5, 9]] }).noList, undefined);
  });

  for (const [period, ahead] of [
    ['decades', 74 * 365],
    ['two weeks', 14],
  ] as const)
    it(`the trash keeps its tasks if the clock jumps ahead by ${period}, and for days after that`, async () => {
      const engine = await world.open();
      engine.configure({ trashRetentionDays: 10 });
      const throwAway = async (title: string) =>
        engine.deleteTask(await engine.createTask(engine.lists()[0]!.id, { title }));
      const start = world.clock.time;
      try {
        await throwAway('Old');
        world.clock.time += ahead * dayMs;
        await throwAway('Ahead');
        world.clock.time += dayMs;
        await throwAway('Still ahead');
        world.clock.time = start + dayMs;
        await throwAway('New');
        const titles = (await engine.trash()).map(({ task }) => task.title);
        assert.deepEqual(titles.sort(), ['Ahead', 'New', 'Old', 'Still ahead']);
      } finally {
        world.clock.time = start;
      }
    });

  it('the trash keeps tasks for the chosen number of days', async () => {
    const engine = await world.open();
    engine.configure({ trashRetentionDays: 2 });
    const throwAway = async (title: string) =>
      engine.deleteTask(await engine.createTask(engine.lists()[0]!.id, { title }));
    await throwAway('Old');
    world.clock.time += 3 * dayMs;
    try {
      await throwAway('New');
      assert.deepEqual(
        (await engine.trash()).map(({ task }) => task.title),
        ['New'],
      );
    } finally {
      world.clock.time -= 3 * dayMs;
    }
  });

  it('several date changes to one occurrence are one undo step', async () => {
    const engine = await world.open();
    const list = engine.lists()[0]!.id;
    const weekly = await engine.createTask(list, { title: 'Weekly', due: today, isAllDay: true, rrule: 'FREQ=WEEKLY' });
    const once = await engine.createTask(list, { title: 'Once', due: today, isAllDay: true });
    await engine.apply([
      { type: 'updateOccurrence', id: weekly, occurrence: today, patch: { due: today + dayMs } },
      { type: 'update', id: once, patch: { due: today + dayMs } },
    ]);
    const dues = () => ['Weekly', 'Once'].map(title => engine.query(`"${title}"`)[0]?.due);
    assert.deepEqual(dues(), [today + dayMs, today + dayMs]);
    assert.equal(engine.task(weekly)?.due, today, 'the series stays where it is');
    await engine.undo();
    assert.deepEqual(dues(), [today, today]);
  });

  it('new tasks go into the list of the workspace, or into the default list if that is gone', async () => {
    const engine = await world.open();
    const [home, own] = [await engine.createList({ name: 'Home' }), await engine.createList({ name: 'App' })];
    engine.configure({ defaultList: 'Home', workspaceList: String(own) });
    assert.equal(engine.defaultListId(), own);
    await engine.deleteList(own);
    assert.equal(engine.defaultListId(), home);
    engine.configure({ defaultList: '', workspaceList: '' });
    assert.equal(engine.lists().find(({ id }) => id === engine.defaultListId())?.name, 'Inbox');
  });
});
