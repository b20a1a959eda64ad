import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { wallOf } from '../../../src/core/time/dates';
import type { RowDetails } from '../../../src/shared/widgetRow';
import type { Announcement } from '../../../src/ui/announcements';
import { applyToSeries } from '../../../src/ui/applyToSeries';
import { moveBeside, moveInto, setPriority } from '../../../src/views/widgets/rowActs';
import { engines } from '../../engine/support/engine';

const plainText = (announcement: Announcement | undefined) => announcement?.text.replace(/[\u2068\u2069]/g, '');

describe('actions on a widget’s rows', () => {
  const lab = engines();
  let engine: DuelineEngine;
  let home: number;
  let work: number;
  const rowsOf = (...ids: number[]) => ids.map(taskId => ({ taskId, occurrence: null })) as unknown as RowDetails[];
  const parentsOf = (...ids: number[]) => ids.map(id => engine.task(id)!.parentId);

  beforeEach(async () => {
    engine = await lab.open();
    home = engine.lists()[0]!.id;
    work = await engine.createList({ name: 'Work' });
  });

  const family = async () => {
    const parent = await engine.createTask(home, { title: 'Parent' });
    const child = await engine.createTask(home, { title: 'Child', parentId: parent });
    const grandchild = await engine.createTask(home, { title: 'Grandchild', parentId: child });
    return [parent, child, grandchild] as const;
  };

  it('move a task with its subtasks, in whatever order they were chosen', async () => {
    const [parent, child, grandchild] = await family();
    await moveInto(engine, rowsOf(grandchild, child, parent), { listId: work });
    assert.deepEqual(
      [parent, child, grandchild].map(id => engine.task(id)!.listId),
      [work, work, work],
    );
    assert.deepEqual(parentsOf(parent, child, grandchild), [null, parent, child]);
  });

  it('move and order a series by the row of a changed occurrence, with its subtasks', async () => {
    const due = Date.UTC(2031, 0, 6);
    const series = await engine.createTask(home, { title: 'Series', due, isAllDay: true, rrule: 'FREQ=DAILY' });
    const child = await engine.createTask(home, { title: 'Child', parentId: series });
    await engine.editOccurrence(series, due, 'this', { title: 'Changed' });
    const changed = engine.overridesOf(series)[0]!.id;
    const [first, last] = [
      await engine.createTask(home, { title: 'First' }),
      await engine.createTask(home, { title: 'Last' }),
    ];
    for (const id of [first, series, last]) await engine.moveTask(id, { before: null });
    await moveBeside(engine, rowsOf(first), rowsOf(changed)[0], 'after');
    const orders = [series, first, last].map(id => engine.task(id)!.sortOrder);
    assert.deepEqual(
      orders,
      orders.toSorted((a, b) => a - b),
    );
    // It is there already, and its own series is no row to put it before.
    await moveBeside(engine, rowsOf(changed), rowsOf(series)[0], 'after');
    await moveBeside(engine, rowsOf(first), rowsOf(changed)[0], 'before');
    await moveBeside(engine, rowsOf(changed), rowsOf(first)[0], 'after');
    await moveInto(engine, rowsOf(child, changed), { listId: work });
    assert.deepEqual(parentsOf(series, child), [null, series]);
    assert.deepEqual(
      [series, changed, child].map(id => engine.task(id)!.listId),
      [work, work, work],
    );
  });

  it('move a task to an hour: one with a time keeps its duration, one without gets a time', async () => {
    const nine = Date.UTC(2031, 0, 6, 9);
    const day = Date.UTC(2031, 0, 7);
    const timed = await engine.createTask(home, { title: 'Timed', dtstart: nine, due: nine + 1_800_000 });
    const dateless = await engine.createTask(home, { title: 'Dateless' });
    await moveInto(engine, rowsOf(timed, dateless), { day: '2031-01-07' }, { hour: 14 });
    const { dtstart, due } = engine.task(timed)!;
    assert.deepEqual({ dtstart, due }, { dtstart: day + 13.5 * 3_600_000, due: day + 14 * 3_600_000 });
    const { due: instant, isAllDay, timezone } = engine.task(dateless)!;
    assert.deepEqual(
      { wall: wallOf(instant!, timezone!), isAllDay, timezone },
      { wall: day + 14 * 3_600_000, isAllDay: false, timezone: engine.clock.timeZone },
    );
  });

  it('set the status, priority and tag of a task’s new group, and remove the tag of the old one', async () => {
    const id = await engine.createTask(home, { title: 'Card', priority: 3, tags: ['Board/To do', 'now'] });
    const [row] = rowsOf(id);
    const announcements: (Announcement | undefined)[] = [];
    const from = { tag: 'board/to do' };
    announcements.push(
      await moveInto(engine, [{ ...row!, from }], { status: 1, priority: 1, tag: 'board/doing' }, { name: 'Doing' }),
    );
    const { status, priority, tags } = engine.task(id)!;
    assert.deepEqual({ status, priority, tags }, { status: 1, priority: 3, tags: ['now', 'board/doing'] });
    const [doing, none] = [{ tag: 'board/doing' }, { tag: null }];
    announcements.push(
      await moveInto(engine, [{ ...row!, from: doing }], { tag: null, priority: 0 }, { name: 'None' }),
    );
    announcements.push(await moveInto(engine, [{ ...row!, from: none }], { tag: null }, { name: 'None' }));
    const { priority: last, tags: left } = engine.task(id)!;
    assert.deepEqual({ last, left }, { last: 0, left: ['now'] });
    assert.deepEqual(announcements.map(plainText), ['Moved Card to Doing', 'Moved Card to None', undefined]);
    await engine.undo();
    assert.deepEqual(engine.task(id)!.tags, ['now', 'board/doing'], 'one step to undo');
  });

  it('put a card next to another one of its own list, in one step with the values of its new cell', async () => {
    const [first, second] = [
      await engine.createTask(home, { title: 'First' }),
      await engine.createTask(home, { title: 'Second' }),
    ];
    const other = await engine.createTask(work, { title: 'Other' });
    const card = await engine.createTask(home, { title: 'Card' });
    const cards = rowsOf(first, other, second).map(row => ({ ...row, key: `doing/${row.taskId}` }));
    const order = () => ['First', 'Second', 'Card'].map(title => engine.query(`title:${title}`)[0]!.task.sortOrder);
    await moveInto(
      engine,
      rowsOf(card),
      { status: 1 },
      { order: { cards, neighbor: `doing/${other}`, side: 'before' } },
    );
    assert.equal(engine.task(card)!.status, 1);
    const [one, two, three] = order() as [number, number, number];
    assert.ok(one < three && three < two, 'before the next of its list');
    await moveInto(engine, rowsOf(card), {}, { order: { cards, neighbor: `doing/${second}`, side: 'after' } });
    assert.ok(order()[1]! < order()[2]!, 'after the last of its list');
    await engine.undo();
    await engine.undo();
    assert.equal(engine.task(card)!.status, 0);
  });

  it('remove the due date if the new group has none, and leave completing to the command that asks', async () => {
    const id = await engine.createTask(home, { title: 'Card', due: Date.UTC(2031, 0, 6), isAllDay: true });
    await moveInto(engine, rowsOf(id), { day: null, status: 2 });
    const { due, status } = engine.task(id)!;
    assert.deepEqual({ due, status }, { due: null, status: 0 });
  });

  it('keep a subtask below its parent when both are put next to another row', async () => {
    const [parent, child] = await family();
    const other = await engine.createTask(home, { title: 'Other' });
    await moveBeside(engine, rowsOf(child, parent), rowsOf(other)[0], 'after');
    assert.deepEqual(parentsOf(parent, child), [null, parent]);
  });

  it('name the task whose priority they have set, not one that already had it', async () => {
    const [known, fresh] = [
      await engine.createTask(home, { title: 'Known', priority: 1 }),
      await engine.createTask(home, { title: 'Fresh' }),
    ];
    const announcement = await setPriority(engine, rowsOf(known, fresh), 1);
    assert.match(announcement!.text, /Fresh/);
    assert.equal(engine.task(fresh)!.priority, 1);
  });

  it('are announced with the step that undoes only them', async () => {
    const [first, second] = [
      await engine.createTask(home, { title: 'First' }),
      await engine.createTask(home, { title: 'Second' }),
    ];
    const [one, other] = await Promise.all([
      setPriority(engine, rowsOf(first), 1),
      moveInto(engine, rowsOf(second), { listId: work }),
    ]);
    await engine.undoStep(one!.step!);
    assert.deepEqual([engine.task(first)!.priority, engine.task(second)!.listId], [0, work]);
    await engine.undoStep(other!.step!);
    assert.equal(engine.task(second)!.listId, home);
  });

  it('move one occurrence of a repeating task, and say that it is only this one', async () => {
    const monday = Date.UTC(2031, 0, 6);
    const id = await engine.createTask(home, { title: 'Water', due: monday, isAllDay: true, rrule: 'FREQ=WEEKLY' });
    const first = await moveInto(engine, rowsOf(id), { day: '2031-01-07' });
    const { id: own } = engine.rows(home).find(row => row.masterId === id)!;
    const second = await moveInto(engine, rowsOf(own), { day: '2031-01-08' });
    assert.deepEqual(
      { series: engine.task(id)!.due, own: engine.task(own)!.due },
      { series: monday, own: Date.UTC(2031, 0, 8) },
    );
    for (const announcement of [first, second])
      assert.match(announcement!.text, /^Rescheduled this occurrence only: .*Water/);
  });

  it('apply the date of one occurrence to more of its series, as one undo step', async () => {
    const day = 86_400_000;
    const first = Math.floor(engine.clock.now() / day) * day + 2 * day;
    const on = (days: number) => ({ day: new Date(first + days * day).toISOString().slice(0, 10) });
    const id = await engine.createTask(home, { title: 'Water', due: first, isAllDay: true, rrule: 'FREQ=WEEKLY' });
    let announcement: Announcement | undefined;
    const move = async (...act: Parameters<typeof moveInto>) => {
      announcement = await moveInto(...act);
    };
    const more = (scope: 'following' | 'all') =>
      applyToSeries(engine, announcement!.step!, announcement!.rescheduled!, scope);
    const dates = () =>
      engine
        .query('Water show:occurrences')
        .map(({ due }) => (due! - first) / day)
        .slice(0, 4);
    await move(engine, rowsOf(id), on(2));
    assert.deepEqual(dates(), [2, 7, 14, 21]);
    assert.ok(await more('all'));
    assert.deepEqual(dates(), [2, 9, 16, 23]);
    await engine.undo();
    assert.deepEqual(dates(), [0, 7, 14, 21], 'one step to undo');
    assert.equal(await more('all'), false, 'what is undone is not done again');
    assert.deepEqual(dates(), [0, 7, 14, 21]);

    // One that has a date of its own is a row of its own.
    const [second] = rowsOf(id).map(row => ({ ...row, occurrence: first + 7 * day }));
    await move(engine, [second!], on(8));
    const { id: own } = engine.rows(home).find(row => row.masterId === id && !row.isDeleted)!;
    await move(engine, rowsOf(own), on(9));
    assert.ok(await more('following'));
    assert.deepEqual(dates(), [0, 9, 15, 22]);
    await engine.undo();
    assert.deepEqual(dates(), [0, 8, 14, 21]);

    await move(engine, rowsOf(id), { listId: work });
    assert.equal(announcement!.rescheduled, undefined, 'a move gives no dates');
  });

  it('announce the row next to which they have put another one, and the parent', async () => {
    const [parent, child, grandchild] = await family();
    const other = await engine.createTask(home, { title: 'Other' });
    const announcements = [
      await moveBeside(engine, rowsOf(other), rowsOf(parent)[0], 'before'),
      await moveBeside(engine, rowsOf(other), rowsOf(parent)[0], 'after'),
      await moveBeside(engine, rowsOf(other), rowsOf(child)[0], 'after'),
      await moveBeside(engine, rowsOf(grandchild, other), rowsOf(parent)[0], 'before'),
    ];
    const cards = rowsOf(parent, grandchild).map(row => ({ ...row, key: `todo/${row.taskId}` }));
    const order = { cards, neighbor: `todo/${parent}`, side: 'after' } as const;
    announcements.push(await moveInto(engine, rowsOf(grandchild), {}, { order }));
    assert.deepEqual(announcements.map(plainText), [
      'Moved Other above Parent',
      'Moved Other below Parent',
      'Made Other a subtask of Parent, below Child',
      'Moved 2 tasks above Parent',
      'Moved Grandchild below Parent',
    ]);
  });
});
