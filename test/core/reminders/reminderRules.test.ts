import assert from 'node:assert/strict';
import type { FiringAlarm } from '../../../src/core/reminders/alarms';
import { firingKey } from '../../../src/core/reminders/firingKey';
import { isQuiet, parseQuietHours } from '../../../src/core/reminders/quietHours';
import { newReminders } from '../../../src/core/reminders/reminders';
import { type SnoozeContext, snoozeChoices } from '../../../src/core/reminders/snoozeChoices';
import { timeOfDay } from '../../../src/core/time/timeOfDay';
import { anAlarm, aTask, inZone } from '../support/series';

const berlin = 'Europe/Berlin';

describe('quiet hours', () => {
  const at = (text: string, quiet: string, zone = berlin) =>
    isQuiet(parseQuietHours(quiet)!, inZone(zone, `2026-11-21T${text}`), zone);

  it('extend past midnight, their end excluded', () => {
    assert.deepEqual(
      ['21:59', '22:00', '00:00', '06:59', '07:00', '12:00'].map(time => at(time, '22:00-07:00')),
      [false, true, true, true, false, false],
    );
    assert.deepEqual(
      ['11:59', '12:00', '13:29', '13:30'].map(time => at(time, '12:00 – 13:30')),
      [false, true, true, false],
    );
  });

  it('follow the user’s wall clock, even if clocks change', () => {
    const quiet = parseQuietHours('02:00-03:00')!;
    // 02:30 comes twice on this night in Berlin.
    for (const utc of ['2026-10-25T00:30Z', '2026-10-25T01:30Z'])
      assert.equal(isQuiet(quiet, Date.parse(utc), berlin), true, utc);
    assert.equal(isQuiet(quiet, Date.parse('2026-10-25T02:30Z'), berlin), false);
    assert.equal(at('02:30', '02:00-03:00', 'Pacific/Kiritimati'), true);
  });

  it('end with the day at 24:00, and do not exist if the setting is empty or invalid', () => {
    assert.equal(at('23:59', '20:00-24:00'), true);
    assert.equal(at('00:00', '20:00-24:00'), false);
    for (const text of ['', 'night', '22-7', '25:00-07:00', '22:60-07:00', '07:00-07:00', '22:00-24:30'])
      assert.equal(parseQuietHours(text), undefined, text);
  });
});

describe('the time of reminders of all-day tasks', () => {
  it('is the setting’s, and nine if that is no time', () => {
    const minutes = (text: string) => timeOfDay(text) / 60_000;
    assert.deepEqual(['07:30', '7:30', ' 0:00 ', '23:59'].map(minutes), [450, 450, 0, 1439]);
    for (const text of ['', '9', 'noon', '9 h', '24:00', '09:60']) assert.equal(minutes(text), 540, text);
  });
});

describe('snooze choices', () => {
  const when = (now: string, options: string[], patch: Partial<SnoozeContext> = {}) => {
    const instant = inZone(berlin, now);
    const context = {
      clock: { now: () => instant, timeZone: berlin },
      startHour: 0,
      morning: '08:30',
      firstWorkday: 1 as const,
      ...patch,
    };
    return snoozeChoices(options, context).map(choice => [
      choice.kind === 'in' ? `${choice.count} ${choice.unit}` : choice.kind,
      new Date(choice.until + (inZone('UTC', now) - instant)).toISOString().slice(0, 16),
    ]);
  };

  it('are those of the setting, in its order', () => {
    assert.deepEqual(when('2026-11-21T10:07', ['10m', '1h', 'tonight', 'tomorrow', 'nextWeek', '3d', '1w']), [
      ['10 minute', '2026-11-21T10:17'],
      ['1 hour', '2026-11-21T11:07'],
      ['tonight', '2026-11-21T20:00'],
      ['tomorrow', '2026-11-22T08:30'],
      ['nextWeek', '2026-11-23T08:30'],
      ['3 day', '2026-11-24T10:07'],
      ['1 week', '2026-11-28T10:07'],
    ]);
  });

  it('omit an evening that has begun, invalid entries, and the same moment twice', () => {
    assert.deepEqual(when('2026-11-21T19:55', ['tonight', '', 'never', '0m', '-5m', '60m', '1H']), [
      ['60 minute', '2026-11-21T20:55'],
    ]);
    assert.deepEqual(when('2026-11-22T09:00', ['tomorrow', 'nextWeek']), [['tomorrow', '2026-11-23T08:30']]);
  });

  it('start the week on Sunday if the weekend is Friday and Saturday', () => {
    assert.deepEqual(when('2026-11-18T09:00', ['nextWeek'], { firstWorkday: 0 }), [['nextWeek', '2026-11-22T08:30']]);
  });

  it('use nine for a morning that is no time', () => {
    for (const morning of ['', 'noon', '25:00'])
      assert.deepEqual(when('2026-11-21T10:07', ['tomorrow'], { morning }), [['tomorrow', '2026-11-22T09:00']]);
  });

  it('count the hours after midnight to the day before if the day starts later', () => {
    assert.deepEqual(when('2026-11-22T01:00', ['tomorrow', 'tonight'], { startHour: 4 }), [
      ['tomorrow', '2026-11-22T08:30'],
    ]);
  });
});

describe('new reminders', () => {
  const firing = (id: number, fireAt: number, patch: Partial<FiringAlarm> = {}): FiringAlarm => ({
    fireAt,
    ownTime: fireAt,
    alarm: anAlarm(0, { id }),
    task: aTask(),
    recurrenceId: null,
    dtstart: null,
    due: null,
    ...patch,
  });
  const never = () => false;

  it('are shown one per task, for its latest moment; everything found counts as fired', () => {
    const { fired, waiting } = newReminders([firing(1, 100), firing(2, 200), firing(3, 200)], never);
    assert.deepEqual(fired, [
      ['uid-1/100', 100],
      ['uid-1/200', 200],
    ]);
    assert.deepEqual(
      waiting.map(({ fireAt, alarms }) => ({ fireAt, alarms: alarms.map(({ id }) => id) })),
      [{ fireAt: 200, alarms: [2, 3] }],
    );
  });

  it('omit what the ledger knows', () => {
    const known = firingKey('uid-1', 200);
    const { fired, waiting } = newReminders([firing(1, 100), firing(2, 200)], key => key === known);
    assert.deepEqual({ fired: fired.length, waiting: waiting.length }, { fired: 1, waiting: 1 });
    assert.equal(waiting[0]?.fireAt, 100);
    assert.deepEqual(
      newReminders([firing(2, 200)], () => true),
      { fired: [], waiting: [] },
    );
  });

  it('are ordered by time across tasks, in whatever order they were found', () => {
    const other = aTask({ id: 2, uid: 'uid-2' });
    const { waiting } = newReminders([firing(1, 300), firing(2, 100, { task: other })], never);
    assert.deepEqual(
      waiting.map(({ uid }) => uid),
      ['uid-2', 'uid-1'],
    );
  });
});
