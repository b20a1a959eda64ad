import assert from 'node:assert/strict';
import { repeatsFromCompletion } from '../../../src/core/recurrence/repeatFrom';
import { Draft } from '../../../src/views/taskEditor/draft';
import { engines } from '../../engine/support/engine';
import { pick } from '../../support/pick';

const monday = Date.UTC(2026, 10, 23);

describe('a new task without a title', () => {
  const lab = engines();

  it('keeps what its repeat counts from, even over a reload', async () => {
    const engine = await lab.open();
    const draft = new Draft(engine, engine.defaultListId());
    await draft.take({ due: monday, isAllDay: true, rrule: 'FREQ=DAILY;INTERVAL=3', from: 'completion' });
    assert.ok(repeatsFromCompletion(draft.task));
    const later = new Draft(engine, engine.defaultListId(), JSON.parse(JSON.stringify(draft.input)));
    assert.ok(repeatsFromCompletion(later.task));
    const id = await later.take({ title: 'Water' });
    assert.ok(repeatsFromCompletion(engine.task(id!)!));
    await engine.undo();
    assert.equal(engine.task(id!), undefined);
    assert.deepEqual(new Draft(engine, 1, { from: 'never' }).input, {});
  });

  it('accepts the later of a due date and a duration', async () => {
    const engine = await lab.open();
    const draft = new Draft(engine, engine.defaultListId());
    await draft.take({ dtstart: monday, due: monday, isAllDay: false, timezone: 'UTC' });
    await draft.take({ duration: 'PT1H' });
    assert.deepEqual(pick(draft.task, 'due', 'duration'), { due: null, duration: 'PT1H' });
    const task = engine.task((await draft.take({ title: 'Meet' }))!)!;
    assert.deepEqual(pick(task, 'dtstart', 'due', 'duration'), { dtstart: monday, due: null, duration: 'PT1H' });
    const other = new Draft(engine, engine.defaultListId(), { dtstart: monday, duration: 'PT1H' });
    await other.take({ due: monday });
    assert.deepEqual(pick(other.task, 'due', 'duration'), { due: monday, duration: null });
  });

  it('shows its default reminder with its time, and keeps it removed', async () => {
    const engine = await lab.open();
    engine.configure({ defaultReminder: 'timed' });
    const minutes = (alarms: readonly { minutesBefore: number }[]) => alarms.map(({ minutesBefore }) => minutesBefore);
    const draft = new Draft(engine, engine.defaultListId());
    await draft.take({ due: monday, isAllDay: true });
    assert.deepEqual(draft.task.alarms, []);
    await draft.take({ due: monday, isAllDay: false, timezone: 'UTC' });
    assert.deepEqual(minutes(draft.task.alarms), [0]);
    const id = await draft.take({ title: 'Meet' });
    assert.deepEqual(minutes(engine.task(id!)!.alarms), [0]);
    const silent = new Draft(engine, engine.defaultListId());
    await silent.take({ due: monday, isAllDay: false, timezone: 'UTC' });
    await silent.take({ alarms: [] });
    assert.deepEqual(silent.task.alarms, []);
    assert.deepEqual(engine.task((await silent.take({ title: 'Rest' }))!)!.alarms, []);
  });
});
