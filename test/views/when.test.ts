import assert from 'node:assert/strict';
import { parseDay } from '../../src/core/dates';
import { useWords } from '../../src/views/l10n';
import { dueAt, dueOn } from '../../src/views/reschedule';
import { type DateStyle, dayLabel, momentLabel, whenLabel } from '../../src/views/when';
import { aRow } from './rows';

const day = (text: string) => parseDay(text)!;
const noon = Date.UTC(2026, 10, 21, 12);
const style = (more: Partial<DateStyle> = {}, timeZone = 'Europe/Berlin'): DateStyle => ({
  clock: { now: () => noon, timeZone },
  startHour: 0,
  firstDay: 1,
  dateFormat: 'relative',
  timeFormat: '24h',
  ...more,
});

describe('dates in words', () => {
  beforeEach(() => useWords(undefined, 'en-GB'));
  afterEach(() => useWords(undefined, 'en-US'));

  for (const [on, words] of [
    ['2026-11-20', 'Yesterday'],
    ['2026-11-21', 'Today'],
    ['2026-11-22', 'Tomorrow'],
    ['2026-11-24', 'Tue'],
    ['2026-11-19', 'Thu'],
    ['2026-11-12', '12 Nov'],
    ['2026-12-24', '24 Dec'],
    ['2027-01-02', '2 Jan 2027'],
  ] as const)
    it(`${on} is ${words}`, () => assert.equal(dayLabel(day(on), style()), words));

  it('is ISO where asked', () => assert.equal(dayLabel(day('2026-11-22'), style({ dateFormat: 'iso' })), '2026-11-22'));

  it('never shifts a civil day, wherever it is read', () => {
    const due = Date.UTC(2026, 10, 22);
    for (const zone of ['Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati'])
      assert.equal(
        momentLabel(due, { timezone: null, isAllDay: true }, style({ dateFormat: 'iso' }, zone)),
        '2026-11-22',
      );
  });

  it('shows an instant on the reader’s own clock', () => {
    const due = Date.UTC(2026, 10, 21, 23, 30);
    const instant = { timezone: 'UTC', isAllDay: false };
    assert.equal(momentLabel(due, instant, style()), 'Tomorrow 00:30');
    assert.equal(momentLabel(due, instant, style({}, 'America/New_York')), 'Today 18:30');
  });

  it('says the time alone under the day’s heading', () => {
    const row = aRow(1, { due: Date.UTC(2026, 10, 21, 19, 30) });
    assert.equal(whenLabel(row, style(), day('2026-11-21')), '19:30');
    assert.equal(
      whenLabel(aRow(2, { due: Date.UTC(2026, 10, 21), isAllDay: true }), style(), day('2026-11-21')),
      undefined,
    );
    assert.equal(whenLabel(aRow(3), style()), undefined);
  });
});

describe('rescheduling', () => {
  const zone = 'Europe/Berlin';

  it('keeps the time of day across a change of clocks', () => {
    const due = Date.UTC(2026, 9, 24, 7); // 09:00 in Berlin, summer time
    const task = aRow(1, { due, timezone: 'Europe/Berlin' }).task;
    assert.deepEqual(dueOn(task, day('2026-10-26'), zone), { due: Date.UTC(2026, 9, 26, 8) });
  });

  it('keeps the distance of the start', () => {
    const task = aRow(1, { due: Date.UTC(2026, 10, 20), dtstart: Date.UTC(2026, 10, 18), isAllDay: true }).task;
    assert.deepEqual(dueOn(task, day('2026-11-27'), zone), {
      due: Date.UTC(2026, 10, 27),
      dtstart: Date.UTC(2026, 10, 25),
    });
  });

  it('makes an undated task an all-day one', () => {
    assert.deepEqual(dueOn(aRow(1).task, day('2026-11-27'), zone), {
      due: Date.UTC(2026, 10, 27),
      isAllDay: true,
      timezone: null,
    });
  });

  it('drops a start that the new due value would contradict', () => {
    const task = aRow(1, { due: Date.UTC(2026, 10, 20), dtstart: Date.UTC(2026, 10, 18), isAllDay: true }).task;
    assert.equal(dueAt(task, { due: noon, isAllDay: false, timezone: 'UTC' }).dtstart, null);
    assert.equal(dueAt(task, { due: Date.UTC(2026, 10, 19), isAllDay: true }).dtstart, undefined);
  });
});
