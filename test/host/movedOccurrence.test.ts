import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { EditedTask } from '../../src/views/taskEditor/editedTask';
import { formState } from '../../src/views/taskEditor/form';
import { pick } from '../support/pick';
import { duelineApi, run } from './support/api';

const day = 86_400_000;
const monday = Date.UTC(2031, 0, 6);

describe('an occurrence with a date of its own', () => {
  let engine: DuelineEngine;
  let list: number;
  before(async () => {
    engine = (await duelineApi()) as DuelineEngine;
    list = await engine.createList({ name: 'Moved occurrences' });
  });
  after(() => engine.deleteList(list));

  /** A weekly series whose first occurrence was moved from Monday to Tuesday; both rows. */
  const moved = async () => {
    const id = await engine.createTask(list, { title: 'Weekly', due: monday, isAllDay: true, rrule: 'FREQ=WEEKLY' });
    await engine.editOccurrence(id, monday, 'this', { due: monday + day });
    return [id, engine.rows(list).find(row => row.masterId === id)!.id] as const;
  };
  const shown = (edited: EditedTask) => formState(engine, edited.task()!, edited);

  it('opens with the rule of its series, and with the date from which it was moved', async () => {
    const [id, own] = await moved();
    const { task, repeat, scope, movedFrom } = shown(new EditedTask(engine, own, null));
    assert.deepEqual(pick(task, 'id', 'dueDate', 'rrule'), { id, dueDate: '2031-01-07', rrule: 'FREQ=WEEKLY' });
    assert.match(repeat.label, /week/);
    assert.match(repeat.next[1]!, /13/, 'the dates that the views show');
    assert.match(movedFrom ?? '', /6/);
    assert.equal(scope, 'this');
  });

  it('keeps its own title, and only that changes', async () => {
    const [id, own] = await moved();
    await engine.updateTask(own, { title: 'Weekly, on Tuesday' });
    const edited = new EditedTask(engine, own, null);
    assert.equal(shown(edited).task.title, 'Weekly, on Tuesday');
    await edited.apply({ patch: { priority: 1 }, isDated: false }, {});
    assert.deepEqual({ own: engine.task(own)!.priority, series: engine.task(id)!.priority }, { own: 1, series: 0 });
  });

  it('stays in its form while its date is undone and redone', async () => {
    const [id, own] = await moved();
    const edited = new EditedTask(engine, own, null);
    await engine.undo();
    assert.deepEqual(pick(edited.task(), 'id', 'due'), { id, due: monday });
    await engine.redo();
    assert.equal(edited.task()?.due, monday + day);
  });

  it('stays in its form while the series that starts with it is undone and redone', async () => {
    const [id] = await moved();
    const edited = new EditedTask(engine, id, monday + 14 * day);
    edited.scope = 'following';
    await edited.apply({ patch: { due: monday + 15 * day }, isDated: true }, {});
    const begun = edited.id;
    assert.notEqual(begun, id);
    await engine.undo();
    assert.deepEqual({ id: edited.id, due: edited.task()?.due }, { id, due: monday + 14 * day });
    await engine.redo();
    assert.deepEqual({ id: edited.id, due: edited.task()?.due }, { id: begun, due: monday + 15 * day });
  });

  it('is not confused with another one on the date to which it was moved', async () => {
    const id = await engine.createTask(list, { title: 'Daily', due: monday, isAllDay: true, rrule: 'FREQ=DAILY' });
    await engine.editOccurrence(id, monday, 'this', { due: monday + 2 * day });
    await run('dueline.dueToday', { taskId: id, occurrence: monday + 2 * day });
    const ids = engine.rows(list).filter(row => row.masterId === id);
    assert.deepEqual(ids.map(row => row.recurrenceId).sort(), [monday, monday + 2 * day]);
    assert.equal(ids.find(row => row.recurrenceId === monday)?.due, monday + 2 * day);
  });

  it('moves its series up and down by its row', async () => {
    const [id, own] = await moved();
    const other = await engine.createTask(list, { title: 'Other' });
    await engine.moveTask(id, { before: null });
    await engine.moveTask(other, { before: id });
    const isAbove = () => engine.task(id)!.sortOrder < engine.task(other)!.sortOrder;
    await run('dueline.moveUp', own);
    assert.ok(isAbove());
    await run('dueline.moveDown', own);
    assert.ok(!isAbove());
  });

  it('is skipped by its row', async () => {
    const [id, own] = await moved();
    await run('dueline.skipOccurrence', own);
    assert.equal(engine.query('"Weekly"', { lists: [list] }).find(row => row.task.id === id)?.due, monday + 7 * day);
  });
});
