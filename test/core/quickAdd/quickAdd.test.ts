import assert from 'node:assert/strict';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import type { QuickAddContext } from '../../../src/core/quickAdd/types';
import type { Clock } from '../../../src/core/time/clock';
import { fromWall } from '../../../src/core/time/dates';

/** Wednesday, 18 November 2026, 10:30 on the wall of the zone. */
const wednesday = Date.UTC(2026, 10, 18, 10, 30);

const clockAt = (wall: number, timeZone: string): Clock => ({ now: () => fromWall(wall, timeZone), timeZone });
const here = (zone = 'Europe/Berlin', wall = wednesday): QuickAddContext => ({
  clock: clockAt(wall, zone),
  locale: 'en-US',
});

/** The due value as the user reads it: `2026-11-19` or `2026-11-19T09:00`. */
function dueOf(text: string, context = here()): string | undefined {
  return (
    parseQuickAdd(text, context).tokens.find(token => token.kind === 'due' || token.kind === 'repeat') &&
    readDue(text, context)
  );
}

function readDue(text: string, context: QuickAddContext): string | undefined {
  const { due, isAllDay } = parseQuickAdd(text, context).input;
  if (due === undefined || due === null) return undefined;
  if (isAllDay) return new Date(due).toISOString().slice(0, 10);
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: context.clock.timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(due);
  return shown.replace(' ', 'T');
}

const dueCases: readonly (readonly [string, string | undefined, string])[] = [
  ['Pay rent tomorrow', '2026-11-19', 'Pay rent'],
  ['Pay rent tomorrow 9am', '2026-11-19T09:00', 'Pay rent'],
  ['Pay rent tomorrow at 9:30 pm', '2026-11-19T21:30', 'Pay rent'],
  ['Pay rent on Friday', '2026-11-20', 'Pay rent'],
  ['Pay rent by Friday noon', '2026-11-20T12:00', 'Pay rent'],
  ['Pay rent next Friday', '2026-11-27', 'Pay rent'],
  ['Pay rent this Friday', '2026-11-20', 'Pay rent'],
  ['Pay rent Friday next week', '2026-11-27', 'Pay rent'],
  ['Standup Wednesday', '2026-11-25', 'Standup'],
  ['Standup this Wednesday', '2026-11-18', 'Standup'],
  ['Call Bob at 3pm', '2026-11-18T15:00', 'Call Bob'],
  ['Call Bob at 9am', '2026-11-19T09:00', 'Call Bob'],
  ['9am tomorrow call Bob', '2026-11-19T09:00', 'call Bob'],
  ['tomorrow call Bob 9am', '2026-11-19T09:00', 'call Bob'],
  ['Call Bob tomorrow morning', '2026-11-19T09:00', 'Call Bob'],
  ['Call Bob tonight', '2026-11-18T20:00', 'Call Bob'],
  ['Call Bob in the evening', '2026-11-18T18:00', 'Call Bob'],
  ['Call Bob in 3 days', '2026-11-21', 'Call Bob'],
  ['Call Bob in a week', '2026-11-25', 'Call Bob'],
  ['Call Bob in two weeks at 14:00', '2026-12-02T14:00', 'Call Bob'],
  ['Call Bob in 2 hours', '2026-11-18T12:30', 'Call Bob'],
  ['Call Bob in 90min', '2026-11-18T12:00', 'Call Bob'],
  ['Call Bob 3 days from now', '2026-11-21', 'Call Bob'],
  ['Call Bob the day after tomorrow', '2026-11-20', 'Call Bob'],
  ['Party Dec 24', '2026-12-24', 'Party'],
  ['Party Dec 24th, 2027', '2027-12-24', 'Party'],
  ['Party 24 December 2027 at 18:00', '2027-12-24T18:00', 'Party'],
  ['Party on the 24th of December', '2026-12-24', 'Party'],
  ['Party Jan 5', '2027-01-05', 'Party'],
  ['Party Friday, 4 December', '2026-12-04', 'Party'],
  ['Party 2026-12-31', '2026-12-31', 'Party'],
  ['Party 12/31', '2026-12-31', 'Party'],
  ['Party 12/31/2027 8pm', '2027-12-31T20:00', 'Party'],
  ['Party on the 5th', '2026-12-05', 'Party'],
  ['Party 2026-12-31T18:00', '2026-12-31T18:00', 'Party'],
  ['Party 2026-12-31T18:00Z', '2026-12-31T19:00', 'Party'],
  ['Report end of month', '2026-11-30', 'Report'],
  ['Report next week', '2026-11-23', 'Report'],
  ['Report next month', '2026-12-01', 'Report'],
  ['Clean this weekend', '2026-11-21', 'Clean'],
  ['Holiday in May', '2027-05-01', 'Holiday'],
  ['Feed cat half past 7', '2026-11-19T07:30', 'Feed cat'],
  ['Feb 29 party', '2028-02-29', 'party'],
  // Words that only look like dates.
  ['Buy paprika', undefined, 'Buy paprika'],
  ['Marching band', undefined, 'Marching band'],
  ['Buy sun cream', undefined, 'Buy sun cream'],
  ['You may go', undefined, 'You may go'],
  ['Read chapter 5', undefined, 'Read chapter 5'],
  ['Upgrade to 1.12', undefined, 'Upgrade to 1.12'],
  ['Dinner 31.12. 8pm', '2026-12-31T20:00', 'Dinner'],
  ['Upgrade to 31.12.', undefined, 'Upgrade to 31.12.'],
  ['Upgrade to 11.12. 8pm', '2026-11-18T20:00', 'Upgrade to 11.12.'],
  ['Buy 1/2 cup of milk', undefined, 'Buy 1/2 cup of milk'],
  ['Fix #123', undefined, 'Fix #123'],
  ['Write daily report', undefined, 'Write daily report'],
  ['Set a second reminder', undefined, 'Set a second reminder'],
  ['Email bob@example.com', undefined, 'Email bob@example.com'],
  ['Every cloud has a silver lining', undefined, 'Every cloud has a silver lining'],
  ['Order 24/7 support', undefined, 'Order 24/7 support'],
  ['Party Feb 30', undefined, 'Party Feb 30'],
];

describe('quick add, dates in English', () => {
  for (const [text, due, title] of dueCases) {
    it(text, () => {
      const result = parseQuickAdd(text, here());
      assert.deepEqual({ due: dueOf(text), title: result.title }, { due, title });
    });
  }
});

describe('quick add, repetitions in English', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['every day', 'FREQ=DAILY', '2026-11-18'],
    ['every day at 9am', 'FREQ=DAILY', '2026-11-19T09:00'],
    ['daily', 'FREQ=DAILY', '2026-11-18'],
    ['every weekday', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2026-11-18'],
    ['every weekend', 'FREQ=WEEKLY;BYDAY=SA,SU', '2026-11-21'],
    ['every Monday', 'FREQ=WEEKLY;BYDAY=MO', '2026-11-23'],
    ['every Wednesday', 'FREQ=WEEKLY;BYDAY=WE', '2026-11-18'],
    ['every Wednesday 9am', 'FREQ=WEEKLY;BYDAY=WE', '2026-11-25T09:00'],
    ['every mon, wed and fri', 'FREQ=WEEKLY;BYDAY=MO,WE,FR', '2026-11-18'],
    ['mondays and thursdays', 'FREQ=WEEKLY;BYDAY=MO,TH', '2026-11-19'],
    ['every other Tuesday', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', '2026-11-24'],
    ['every second Tuesday', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', '2026-11-24'],
    ['every 2 weeks on Tue and Thu', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH', '2026-11-19'],
    ['every 3 days', 'FREQ=DAILY;INTERVAL=3', '2026-11-18'],
    ['every 3rd day', 'FREQ=DAILY;INTERVAL=3', '2026-11-18'],
    ['biweekly', 'FREQ=WEEKLY;INTERVAL=2', '2026-11-18'],
    ['every month', 'FREQ=MONTHLY', '2026-11-18'],
    ['every month on the last Friday', 'FREQ=MONTHLY;BYDAY=-1FR', '2026-11-27'],
    ['every last Friday of the month', 'FREQ=MONTHLY;BYDAY=-1FR', '2026-11-27'],
    ['the last Friday of every month', 'FREQ=MONTHLY;BYDAY=-1FR', '2026-11-27'],
    ['every first Monday', 'FREQ=MONTHLY;BYDAY=1MO', '2026-12-07'],
    ['every second Tuesday of the month', 'FREQ=MONTHLY;BYDAY=2TU', '2026-12-08'],
    ['every month on the second Tuesday', 'FREQ=MONTHLY;BYDAY=2TU', '2026-12-08'],
    ['every first and third Monday', 'FREQ=MONTHLY;BYDAY=1MO,3MO', '2026-12-07'],
    ['every 15th', 'FREQ=MONTHLY;BYMONTHDAY=15', '2026-12-15'],
    ['every month on the 15th at 8:00', 'FREQ=MONTHLY;BYMONTHDAY=15', '2026-12-15T08:00'],
    ['every 1st and 15th of the month', 'FREQ=MONTHLY;BYMONTHDAY=1,15', '2026-12-01'],
    ['last day of every month', 'FREQ=MONTHLY;BYMONTHDAY=-1', '2026-11-30'],
    ['every month on the last day', 'FREQ=MONTHLY;BYMONTHDAY=-1', '2026-11-30'],
    ['every last weekday of the month', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-11-30'],
    ['every quarter', 'FREQ=MONTHLY;INTERVAL=3', '2026-11-18'],
    ['every year on Dec 24', 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24', '2026-12-24'],
    ['every Dec 24', 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24', '2026-12-24'],
    ['every Feb 29', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2028-02-29'],
    ['every morning', 'FREQ=DAILY', '2026-11-19T09:00'],
    ['every 3 hours', 'FREQ=HOURLY;INTERVAL=3', '2026-11-18T13:30'],
    ['every day until Dec 31', 'FREQ=DAILY;UNTIL=20261231', '2026-11-18'],
    ['every day 9am until Dec 31', 'FREQ=DAILY;UNTIL=20261231T225959Z', '2026-11-19T09:00'],
    ['every day for 5 times', 'FREQ=DAILY;COUNT=5', '2026-11-18'],
    ['every Monday 10x', 'FREQ=WEEKLY;BYDAY=MO;COUNT=10', '2026-11-23'],
    ['every month starting Dec 5', 'FREQ=MONTHLY', '2026-12-05'],
    ['every week tomorrow', 'FREQ=WEEKLY', '2026-11-19'],
    ['3 days after completion', 'FREQ=DAILY;INTERVAL=3', '2026-11-18'],
    ['every 2 weeks after completion', 'FREQ=WEEKLY;INTERVAL=2', '2026-11-18'],
    ['every! 3 days', 'FREQ=DAILY;INTERVAL=3', '2026-11-18'],
  ];
  for (const [phrase, rrule, due] of cases) {
    it(phrase, () => {
      const result = parseQuickAdd(`Water plants ${phrase}`, here());
      assert.deepEqual(
        { rrule: result.input.rrule, due: readDue(`Water plants ${phrase}`, here()), title: result.title },
        { rrule, due, title: 'Water plants' },
      );
      assert.equal(result.fromCompletion, /completion|!/.test(phrase));
      assert.equal(result.input.timezone, due.includes('T') ? 'Europe/Berlin' : null);
    });
  }
});
