import assert from 'node:assert/strict';
import { remindedRows } from '../../src/ui/pendingReminders';
import { engines } from '../engine/support/engine';

describe('rows of pending reminders', () => {
  const lab = engines();

  it('are those of the requested lists, with the dates of their occurrence', async () => {
    const now = lab.clock.time;
    const engine = await lab.open();
    await engine.reminders.open();
    engine.reminders.takeLead();
    const [home] = engine.lists();
    const work = await engine.createList({ name: 'Work' });
    const input = { due: now + 60_000, timezone: 'UTC', alarms: [{ minutesBefore: 0 }] };
    await engine.createTask(home!.id, { ...input, title: 'Once' });
    await engine.createTask(work, { ...input, title: 'Daily', rrule: 'FREQ=DAILY' });
    lab.clock.time += 86_400_000 + 120_000;
    await engine.reminders.fire();
    const rows = (lists?: number[]) =>
      remindedRows(engine, lists).map(({ task, due, isOverdue }) => [task.title, due, isOverdue]);
    assert.deepEqual(rows([home!.id]), [['Once', now + 60_000, true]]);
    assert.deepEqual(rows([work]), [['Daily', now + 60_000 + 86_400_000, true]]);
    assert.equal(rows().length, 2);
    lab.clock.time = now;
  });

  it('are those of a series if an exception for all later dates reminds of them', async () => {
    const now = lab.clock.time;
    const engine = await lab.open();
    await engine.reminders.open();
    engine.reminders.takeLead(true);
    const at = (days: number) =>
      `${new Date(now + days * 86_400_000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Now', 'TRIGGER;RELATED=END:PT0S', 'END:VALARM'];
    const todo = (...lines: string[]) => ['BEGIN:VTODO', 'UID:series', ...lines, 'END:VTODO'];
    const text = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...todo('SUMMARY:Daily', `DUE:${at(1)}`, `DTSTART:${at(1)}`, 'RRULE:FREQ=DAILY'),
      ...todo(
        'SUMMARY:Later',
        `RECURRENCE-ID;RANGE=THISANDFUTURE:${at(2)}`,
        `DUE:${at(2)}`,
        'STATUS:COMPLETED',
        ...alarm,
      ),
      'END:VCALENDAR',
    ].join('\r\n');
    await engine.importTasks('ics', text, engine.defaultListId());
    await engine.reminders.fire();
    lab.clock.time = now + 3 * 86_400_000 + 60_000;
    const [reminder] = await engine.reminders.fire();
    assert.equal(reminder?.task.title, 'Later');
    const [row] = remindedRows(engine);
    assert.deepEqual([row?.task.title, row?.due, row?.task.masterId], ['Daily', now + 3 * 86_400_000, null]);
    lab.clock.time = now;
  });
});
