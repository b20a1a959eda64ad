import assert from 'node:assert/strict';
import { parseDay } from '../../../src/core/time/dates';
import { useWords } from '../../../src/shared/l10n';
import { dueAt, dueOn, startAt } from '../../../src/ui/reschedule';
import type { DateStyle } from '../../../src/ui/settings/settings';
import {
  briefWhenLabel,
  dayLabel,
  distanceLabel,
  momentLabel,
  stampDay,
  treeRowLabel,
  treeWhenLabel,
  whenLabel,
} from '../../../src/ui/text/dateText';
import { aRow } from '../support/rows';

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

  it('are ISO if that style is set', () =>
    assert.equal(dayLabel(day('2026-11-22'), style({ dateFormat: 'iso' })), '2026-11-22'));

  it('never shift a civil day, wherever they are read', () => {
    const due = Date.UTC(2026, 10, 22);
    for (const zone of ['Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati'])
      assert.equal(
        momentLabel(due, { timezone: null, isAllDay: true }, style({ dateFormat: 'iso' }, zone)),
        '2026-11-22',
      );
  });

  it('show an instant on the user’s own clock', () => {
    const due = Date.UTC(2026, 10, 21, 23, 30);
    const instant = { timezone: 'UTC', isAllDay: false };
    assert.equal(momentLabel(due, instant, style()), 'Tomorrow 00:30');
    assert.equal(momentLabel(due, instant, style({}, 'America/New_York')), 'Today 18:30');
  });

  it('are only the time under a heading with the day', () => {
    const row = aRow(1, { due: Date.UTC(2026, 10, 21, 19, 30) });
    assert.equal(whenLabel(row, style(), day('2026-11-21')), '19:30');
    assert.equal(
      whenLabel(aRow(2, { due: Date.UTC(2026, 10, 21), isAllDay: true }), style(), day('2026-11-21')),
      undefined,
    );
    assert.equal(whenLabel(aRow(3), style()), undefined);
  });

  it('include the time of day in a line from today on', () => {
    const at = (text: string) => treeWhenLabel(aRow(1, { due: Date.parse(`${text}:00Z`) }), style());
    assert.equal(at('2026-11-20T09:00'), 'Yesterday');
    assert.equal(at('2026-11-21T09:00'), 'Today 09:00');
    assert.equal(at('2026-11-22T09:00'), 'Tomorrow 09:00');
    assert.equal(at('2026-12-24T18:30'), '24 Dec 18:30');
    assert.equal(treeWhenLabel(aRow(2, { due: Date.UTC(2026, 10, 22), isAllDay: true }), style()), 'Tomorrow');
  });

  it('are the time alone in a tree today', () => {
    const at = (text: string) => treeRowLabel(aRow(1, { due: Date.parse(`${text}:00Z`) }), style());
    assert.equal(at('2026-11-21T09:00'), '09:00');
    assert.equal(at('2026-11-22T09:00'), 'Tomorrow 09:00');
    assert.equal(treeRowLabel(aRow(2, { due: Date.UTC(2026, 10, 21), isAllDay: true }), style()), 'Today');
  });

  it('are the shortest true text if there is no room: the time of a date today, the day of another one', () => {
    const at = (text: string, on?: string) =>
      briefWhenLabel(aRow(1, { due: Date.parse(`${text}:00Z`) }), style(), on === undefined ? undefined : day(on));
    assert.equal(at('2026-11-21T09:00'), '09:00');
    assert.equal(at('2026-11-22T09:00'), 'Tomorrow');
    assert.equal(at('2026-11-22T09:00', '2026-11-22'), '09:00', 'below the name of its day');
    assert.equal(at('2026-12-24T18:30'), '24 Dec');
  });

  for (const [at, words] of [
    ['2026-11-21T13:00', 'now'],
    ['2026-11-21T13:30', 'in 30 minutes'],
    ['2026-11-21T12:40', '20 minutes ago'],
    ['2026-11-21T11:00', '2 hours ago'],
    ['2026-11-20T20:00', '17 hours ago'],
    ['2026-11-18T09:00', '3 days ago'],
    ['2026-11-25T09:00', 'in 4 days'],
  ] as const)
    it(`${at} is ${words}`, () => {
      const floating = { timezone: null, isAllDay: false };
      assert.equal(distanceLabel(Date.parse(`${at}:00Z`), floating, style()), words);
    });

  it('leave nearby days to their own words', () => {
    const away = (value: number) => distanceLabel(value, { timezone: null, isAllDay: true }, style());
    assert.equal(away(Date.UTC(2026, 10, 21)), undefined);
    assert.equal(away(Date.UTC(2026, 10, 20)), undefined);
    assert.equal(away(Date.UTC(2026, 10, 18)), '3 days ago');
  });

  it('show only the day of an instant, in the user’s zone', () => {
    const late = Date.UTC(2026, 10, 21, 23, 30);
    assert.equal(stampDay(late, style()), '22 Nov 2026');
    assert.equal(stampDay(late, style({ dateFormat: 'iso' })), '2026-11-22');
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

  it('makes a task without a date an all-day one', () => {
    assert.deepEqual(dueOn(aRow(1).task, day('2026-11-27'), zone), {
      due: Date.UTC(2026, 10, 27),
      isAllDay: true,
      timezone: null,
    });
  });

  it('drops a start after the new due date', () => {
    const task = aRow(1, { due: Date.UTC(2026, 10, 20), dtstart: Date.UTC(2026, 10, 18), isAllDay: true }).task;
    assert.equal(dueAt(task, { due: Date.UTC(2026, 10, 17), isAllDay: true }, zone).dtstart, null);
    assert.equal(dueAt(task, { due: Date.UTC(2026, 10, 19), isAllDay: true }, zone).dtstart, undefined);
  });

  it('neither adds nor removes a time of the other date: a day next to a time is the edge of its day', () => {
    const at = (text: string) => Date.parse(`${text}Z`);
    const days = aRow(1, { due: at('2026-11-20T00:00'), dtstart: at('2026-11-18T00:00'), isAllDay: true }).task;
    const timed = { isAllDay: false, timezone: 'UTC' };
    assert.deepEqual(dueAt(days, { due: at('2026-11-21T12:00'), ...timed }, 'Europe/Berlin'), {
      due: at('2026-11-21T12:00'),
      dtstart: at('2026-11-17T23:00'),
      ...timed,
    });
    assert.deepEqual(startAt(days, { due: at('2026-11-18T09:00'), ...timed }, 'UTC'), {
      dtstart: at('2026-11-18T09:00'),
      due: at('2026-11-20T23:59'),
      ...timed,
    });
    const meeting = aRow(1, { due: at('2026-11-20T17:00'), ...timed }).task;
    assert.deepEqual(startAt(meeting, { due: at('2026-11-18T00:00'), isAllDay: true }, 'UTC'), {
      dtstart: at('2026-11-18T00:00'),
      ...timed,
    });
    assert.deepEqual(startAt(meeting, { due: at('2026-11-18T00:00'), isAllDay: true }, 'Europe/Berlin'), {
      dtstart: at('2026-11-17T23:00'),
      ...timed,
    });
  });
});
