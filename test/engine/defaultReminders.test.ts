import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import type { Id, TaskInput } from '../../src/core/kernel/model';
import { engines } from './support/engine';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('a default reminder', () => {
  const lab = engines();
  const now = Date.UTC(2026, 10, 21, 9, 30);
  const today = Date.UTC(2026, 10, 21);
  const timed: TaskInput = { due: now + hour, isAllDay: false, timezone: 'UTC' };
  const allDay: TaskInput = { due: today, isAllDay: true, timezone: null };
  const undated: TaskInput = { due: null };
  let engine: DuelineEngine;
  let inbox: Id;

  beforeEach(async () => {
    lab.clock.time = now;
    engine = await lab.open();
    engine.configure({ defaultReminder: 'timed' });
    inbox = engine.lists()[0]!.id;
  });

  const add = (input: TaskInput) => engine.createTask(inbox, { title: 'Call', ...input });
  const alarmsOf = (id: Id) =>
    engine.task(id)!.alarms.map(({ minutesBefore, reference }) => `${minutesBefore} ${reference}`);
  const atDue = ['0 DUE'];

  it('is added to no task if none is set', async () => {
    const plain = await lab.open();
    const id = await plain.createTask(plain.lists()[0]!.id, { title: 'Call', ...timed });
    assert.deepEqual(plain.task(id)?.alarms, []);
  });

  const settings: Record<'off' | 'timed' | 'all', Record<'time' | 'day' | 'undated', readonly string[]>> = {
    off: { time: [], day: [], undated: [] },
    timed: { time: atDue, day: [], undated: [] },
    all: { time: atDue, day: atDue, undated: [] },
  };
  for (const [defaultReminder, expected] of Object.entries(settings))
    it(`follows the setting: ${defaultReminder}`, async () => {
      engine.configure({ defaultReminder: defaultReminder as keyof typeof settings });
      const found = {
        time: alarmsOf(await add(timed)),
        day: alarmsOf(await add(allDay)),
        undated: alarmsOf(await add(undated)),
      };
      assert.deepEqual(found, expected);
    });

  it('is added together with a time, however the task gets it', async () => {
    assert.deepEqual(alarmsOf(await engine.quickAdd('Call tomorrow 9am')), atDue);
    const placed = await engine.quickAdd('Call', { defaults: timed });
    assert.deepEqual(alarmsOf(placed), atDue);
    const [created] = await engine.apply([{ type: 'create', listId: inbox, input: { title: 'Call', ...timed } }]);
    assert.deepEqual(alarmsOf(created!), atDue);
    const undatedTask = await add(undated);
    await engine.updateTask(undatedTask, timed);
    assert.deepEqual(alarmsOf(undatedTask), atDue);
    const wholeDay = await add(allDay);
    await engine.updateTask(wholeDay, timed);
    assert.deepEqual(alarmsOf(wholeDay), atDue);
    const lasting = await add({ dtstart: now, timezone: 'UTC', duration: 'PT2H' });
    assert.deepEqual(alarmsOf(lasting), atDue);
  });

  it('is set before the start of a task that has a start and an end', async () => {
    assert.deepEqual(alarmsOf(await engine.quickAdd('Meeting tomorrow 3pm to 4pm')), ['0 START']);
  });

  it('is added to a single occurrence that gets a time', async () => {
    const daily = await add({ ...allDay, rrule: 'FREQ=DAILY' });
    await engine.editOccurrence(daily, today + day, 'this', { ...timed, due: now + day });
    const [changed] = engine.rows(inbox).filter(({ masterId }) => masterId === daily);
    assert.deepEqual(alarmsOf(changed!.id), atDue);
    assert.deepEqual(alarmsOf(daily), []);
  });

  it('is undone together with the time', async () => {
    const id = await add(undated);
    await engine.updateTask(id, timed);
    await engine.undo();
    assert.equal(engine.task(id)?.due, null);
    assert.deepEqual(alarmsOf(id), []);
  });

  it('is not added if reminders were given, or the task has one', async () => {
    assert.deepEqual(alarmsOf(await engine.quickAdd('Call tomorrow 9am *5 min')), ['5 DUE']);
    assert.deepEqual(alarmsOf(await add({ ...timed, alarms: [] })), []);
    const reminded = await add({ ...undated, alarms: [{ minutesBefore: 30 }] });
    await engine.updateTask(reminded, timed);
    assert.deepEqual(alarmsOf(reminded), ['30 DUE']);
  });

  it('does not come back with another time after it was removed', async () => {
    const id = await add(timed);
    await engine.updateTask(id, { alarms: [] });
    await engine.updateTask(id, { ...timed, due: now + 2 * hour });
    assert.deepEqual(alarmsOf(id), []);
  });

  it('is not added to tasks that are done, imported or restored', async () => {
    assert.deepEqual(alarmsOf(await add({ ...timed, status: 2 })), []);
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VTODO', 'UID:a', 'SUMMARY:Imported'];
    const text = [...lines, 'DUE:20261121T120000Z', 'END:VTODO', 'END:VCALENDAR', ''].join('\r\n');
    await engine.importTasks('ics', text, inbox);
    const [imported] = engine.query('imported');
    assert.equal(imported!.due, Date.UTC(2026, 10, 21, 12));
    assert.deepEqual(alarmsOf(imported!.task.id), []);
    await engine.deleteTask(imported!.task.id);
    const [entry] = await engine.trash();
    const [restored] = await engine.restore([entry!.key]);
    assert.deepEqual(alarmsOf(restored!), []);
  });

  it('is not added to tasks that had their time before it was set', async () => {
    engine.configure({ defaultReminder: 'off' });
    const old = [await add(timed), await add({ ...timed, due: now - hour })];
    engine.configure({ defaultReminder: 'timed' });
    await engine.reminders.open();
    engine.reminders.takeLead();
    lab.clock.time += 2 * hour;
    assert.deepEqual(await engine.reminders.fire(), []);
    assert.deepEqual(old.map(alarmsOf), [[], []]);
  });

  it('fires once at the time, and again after a snooze', async () => {
    await engine.reminders.open();
    engine.reminders.takeLead();
    await add(timed);
    lab.clock.time += hour;
    const fired = await engine.reminders.fire();
    assert.deepEqual(
      fired.map(({ fireAt }) => fireAt),
      [now + hour],
    );
    await engine.reminders.snooze(fired, lab.clock.time + 10 * minute);
    lab.clock.time += 10 * minute;
    assert.equal((await engine.reminders.fire()).length, 1);
  });

  it('stays silent if the time has passed when it is set', async () => {
    await engine.reminders.open();
    engine.reminders.takeLead();
    lab.clock.time += minute;
    await engine.reminders.fire();
    await add({ ...timed, due: now });
    assert.deepEqual(await engine.reminders.fire(), []);
  });

  it('is replaced by the reminders of the other setting, for all-day tasks, too', async () => {
    engine.configure({ defaultAlarms: [{ minutesBefore: 15 }, { minutesBefore: 60 }] });
    assert.deepEqual(alarmsOf(await add(timed)), ['15 DUE', '60 DUE']);
    assert.deepEqual(alarmsOf(await add(allDay)), ['15 DUE', '60 DUE']);
  });
});
