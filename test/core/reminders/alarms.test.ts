import assert from 'node:assert/strict';
import type { Task } from '../../../src/core/kernel/model';
import { type AlarmContext, alarmsBetween } from '../../../src/core/reminders/alarms';
import { fromWall } from '../../../src/core/time/dates';
import { dayMs } from '../../../src/core/time/units';
import { pick } from '../../support/pick';
import { anAlarm, aTask, civil, inZone } from '../support/series';

const zones = ['Pacific/Honolulu', 'America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Apia'];
const berlin = 'Europe/Berlin';
const context = (zone = berlin, patch: Partial<AlarmContext> = {}): AlarmContext => ({
  zone,
  allDayAlarmTime: '09:00',
  ...patch,
});
const fires = (tasks: readonly Task[], from: number, to: number, how = context()) =>
  alarmsBetween(tasks, from, to, how).map(({ fireAt }) => new Date(fireAt).toISOString().slice(0, 16));
const ever = [0, Date.UTC(2100, 0, 1)] as const;

describe('alarms', () => {
  it('count back from due, start or the epoch', () => {
    const task = aTask({
      dtstart: civil('2025-06-01T08:00'),
      due: civil('2025-06-01T12:00'),
      timezone: 'UTC',
      alarms: [
        anAlarm(15),
        anAlarm(30, { id: 2, reference: 'START' }),
        anAlarm(-civil('2025-05-01T10:00') / 60_000, { id: 3, reference: 'ABSOLUTE' }),
        anAlarm(-10, { id: 4 }),
      ],
    });
    assert.deepEqual(fires([task], ...ever), [
      '2025-05-01T10:00',
      '2025-06-01T07:30',
      '2025-06-01T11:45',
      '2025-06-01T12:10',
    ]);
  });

  it('use the other date if one is missing, and DURATION for due', () => {
    const alarms = [anAlarm(0), anAlarm(0, { id: 2, reference: 'START' })];
    assert.deepEqual(fires([aTask({ due: civil('2025-06-01T12:00'), timezone: 'UTC', alarms })], ...ever), [
      '2025-06-01T12:00',
      '2025-06-01T12:00',
    ]);
    const start = { dtstart: civil('2025-06-01T12:00'), timezone: 'UTC', alarms };
    assert.deepEqual(fires([aTask({ ...start, duration: 'PT1H' })], ...ever), ['2025-06-01T12:00', '2025-06-01T13:00']);
    assert.deepEqual(fires([aTask({ alarms })], ...ever), []);
  });

  it('may be very many if a task repeats', () => {
    const alarms = Array.from({ length: 200_000 }, (_, id) => anAlarm(id % 1440, { id }));
    const task = aTask({ due: civil('2025-06-01T12:00'), timezone: 'UTC', rrule: 'FREQ=YEARLY', alarms });
    assert.equal(fires([task], civil('2025-06-01'), civil('2025-06-02')).length, 139 * 721);
  });

  it('fire only within the window, its end excluded', () => {
    const task = aTask({ due: civil('2025-06-01T12:00'), timezone: 'UTC', alarms: [anAlarm(0)] });
    const due = task.due!;
    assert.equal(fires([task], due, due + 1).length, 1);
    assert.equal(fires([task], due - 1, due).length, 0);
    assert.equal(fires([task], due + 1, due + 2).length, 0);
  });

  it('are silent for closed and deleted tasks', () => {
    const alarms = [anAlarm(0)];
    const due = civil('2025-06-01T12:00');
    const tasks = [
      aTask({ due, alarms, status: 2 }),
      aTask({ due, alarms, status: 3 }),
      aTask({ due, alarms, isDeleted: true }),
    ];
    assert.deepEqual(fires(tasks, ...ever), []);
  });

  for (const zone of zones) {
    it(`fire at the set hour for an all-day task in ${zone}`, () => {
      const task = aTask({
        due: civil('2024-02-29'),
        isAllDay: true,
        alarms: [anAlarm(0), anAlarm(1440, { id: 2 }), anAlarm(30, { id: 3 })],
      });
      const at = ['2024-02-28T09:00', '2024-02-29T08:30', '2024-02-29T09:00'];
      assert.deepEqual(
        fires([task], ...ever, context(zone)),
        at.map(text => new Date(fromWall(civil(text), zone)).toISOString().slice(0, 16)),
      );
    });
  }

  it('stay at the set hour for an all-day task over a change of clocks', () => {
    const task = aTask({ due: civil('2025-03-09'), isAllDay: true, alarms: [anAlarm(0), anAlarm(1440, { id: 2 })] });
    assert.deepEqual(fires([task], ...ever, context('America/Los_Angeles', { allDayAlarmTime: '07:30' })), [
      '2025-03-08T15:30',
      '2025-03-09T14:30',
    ]);
  });

  it('follow the user if the time is floating', () => {
    const task = aTask({ due: civil('2025-06-01T12:00'), alarms: [anAlarm(15)] });
    assert.deepEqual(fires([task], ...ever, context('Asia/Kolkata')), ['2025-06-01T06:15']);
  });

  it('fire for each open occurrence of a series in the window, on the wall clock', () => {
    const master = aTask({
      due: inZone(berlin, '2020-01-01T09:00'),
      timezone: berlin,
      rrule: 'FREQ=DAILY',
      exdate: 'EXDATE;TZID=Europe/Berlin:20250331T090000',
      alarms: [anAlarm(15), anAlarm(-civil('2025-03-30T00:00') / 60_000, { id: 2, reference: 'ABSOLUTE' })],
    });
    const done = aTask({
      id: 2,
      masterId: 1,
      recurrenceId: inZone(berlin, '2025-04-01T09:00'),
      timezone: berlin,
      status: 2,
    });
    const moved = aTask({
      id: 3,
      masterId: 1,
      recurrenceId: inZone(berlin, '2025-04-02T09:00'),
      due: inZone(berlin, '2025-04-02T18:00'),
      timezone: berlin,
      alarms: [anAlarm(60, { id: 9, taskId: 3 })],
    });
    const window = [civil('2025-03-29T00:00'), civil('2025-04-03T00:00')] as const;
    const expected = ['2025-03-29T07:45', '2025-03-30T00:00', '2025-03-30T06:45', '2025-04-02T15:00'];
    assert.deepEqual(
      fires([master, moved], ...window, context(berlin, { overridesOf: () => [done, moved] })),
      expected,
    );
    assert.deepEqual(fires([master, done, moved], ...window), expected);
    const first = alarmsBetween([master], ...window, context())[0]!;
    assert.equal(first.recurrenceId, inZone(berlin, '2025-03-29T09:00'));
  });

  it('fire at the set hour of each day in an all-day series', () => {
    const master = aTask({ due: civil('2025-01-01'), isAllDay: true, rrule: 'FREQ=DAILY', alarms: [anAlarm(1440)] });
    assert.deepEqual(fires([master], civil('2025-03-28T12:00'), civil('2025-03-31T12:00')), [
      '2025-03-29T08:00',
      '2025-03-30T07:00',
      '2025-03-31T07:00',
    ]);
  });

  it('fire when they were snoozed to, and not at their own time', () => {
    const task = aTask({ due: civil('2025-06-01T12:00'), timezone: 'UTC', alarms: [anAlarm(0)] });
    const snooze = {
      uid: aTask({}).uid,
      recurrenceId: null,
      ownTime: civil('2025-06-01T12:00'),
      until: civil('2025-06-01T13:00'),
    };
    const how = context(berlin, { snoozes: [snooze] });
    assert.deepEqual(fires([task], ...ever, how), ['2025-06-01T13:00']);
    assert.deepEqual(fires([{ ...task, status: 2 }], ...ever, how), []);
    assert.deepEqual(fires([], ...ever, how), []);
    const series = { ...task, rrule: 'FREQ=DAILY;COUNT=2' };
    const one = context(berlin, { snoozes: [{ ...snooze, recurrenceId: task.due! }], overridesOf: () => [] });
    assert.deepEqual(fires([series], ...ever, one), ['2025-06-01T13:00', '2025-06-02T12:00']);
    const closed = aTask({ id: 2, masterId: 1, recurrenceId: task.due!, status: 2, timezone: 'UTC' });
    assert.deepEqual(fires([series], ...ever, { ...one, overridesOf: () => [closed] }), ['2025-06-02T12:00']);
  });

  it('fire at their own time even though they were snoozed, if that time has moved since', () => {
    const due = civil('2025-06-01T12:00');
    const task = aTask({ due, timezone: 'UTC', alarms: [anAlarm(0)] });
    const snooze = { uid: task.uid, recurrenceId: null, ownTime: due, until: due + 3_600_000 };
    const how = context(berlin, { snoozes: [snooze] });
    assert.deepEqual(fires([{ ...task, due: due + dayMs }], ...ever, how), ['2025-06-02T12:00']);
    const [fired] = alarmsBetween([task], ...ever, how);
    assert.deepEqual(pick(fired, 'ownTime', 'fireAt', 'due'), { ownTime: due, fireAt: due + 3_600_000, due });
  });

  it('stay within the window for an endless series with short intervals', () => {
    const master = aTask({
      due: civil('2000-01-01T00:00'),
      timezone: 'UTC',
      rrule: 'FREQ=MINUTELY',
      alarms: [anAlarm(5)],
    });
    const from = civil('2025-06-01T12:00');
    assert.equal(fires([master], from, from + 10 * 60_000).length, 10);
    assert.equal(fires([{ ...master, due: from + 2 * dayMs }], from, from + 10 * 60_000).length, 0);
  });
});
