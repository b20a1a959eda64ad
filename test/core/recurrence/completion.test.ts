import assert from 'node:assert/strict';
import { isDuelineError } from '../../../src/core/kernel/errors';
import type { Task } from '../../../src/core/kernel/model';
import {
  completeRecurring,
  completionStyleOf,
  deleteOccurrence,
  reopenRecurring,
  skipOccurrence,
} from '../../../src/core/recurrence/completion';
import { nextOpenOccurrence, occurrencesOf } from '../../../src/core/recurrence/instances';
import { repeatsFromCompletion, withRepeatFrom } from '../../../src/core/recurrence/repeatFrom';
import type { SeriesRows } from '../../../src/core/recurrence/seriesRows';
import { dayMs } from '../../../src/core/time/units';
import { pick } from '../../support/pick';
import { acted, anAlarm, aTask, civil, context, inZone, nextDue, now, rowsOf, shown, weekly } from '../support/series';

describe('the dialect in which a series is completed', () => {
  const cases: [string | null, 'override' | 'advance'][] = [
    [null, 'override'],
    ['-//Dueline//EN', 'override'],
    ['-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN', 'override'],
    ['-//K Desktop Environment//NONSGML libkcal 4.3//EN', 'override'],
    ['-//Ximian//NONSGML Evolution Calendar//EN', 'advance'],
    ['-//PIMUTILS.ORG//NONSGML todoman//EN', 'advance'],
    ['DAVx5/4.4 ical4j/3.2 (at.techbee.jtx)', 'override'],
    ['-//Someone//New//EN', 'override'],
    ['+//IDN tasks.org//android-130000//EN', 'advance'],
    ['-//Nextcloud Tasks v0.16.1', 'advance'],
    ['DAVx5/4.4 ical4j/3.2 (org.dmfs.tasks)', 'advance'],
    ['-//Apple Inc.//iOS 17.0//EN', 'advance'],
  ];
  for (const [prodid, dialect] of cases)
    it(`${prodid ?? 'an unknown writer'}: ${dialect}`, () =>
      assert.equal(completionStyleOf(rowsOf(weekly), context({ origin: { prodid, movesOn: false } })), dialect));

  it('is override if the series has overrides, otherwise what the user chose', () => {
    const overrides = [aTask({ id: 2, masterId: 1 })];
    assert.equal(completionStyleOf(rowsOf(weekly, { overrides }), context({ mode: 'advance' })), 'override');
    assert.equal(completionStyleOf(rowsOf(weekly), context({ mode: 'advance' })), 'advance');
    const origin = { prodid: 'Tasks.org', movesOn: true };
    assert.equal(completionStyleOf(rowsOf(weekly), context({ mode: 'override', origin })), 'override');
    assert.equal(completionStyleOf(rowsOf(weekly, { overrides }), context({ origin })), 'override');
  });

  it('is advance if another program has moved the series on before', () => {
    const origin = { prodid: '-//Dueline//Dueline//EN', movesOn: true };
    assert.equal(completionStyleOf(rowsOf(weekly), context({ origin })), 'advance');
  });
});

describe('completing by override', () => {
  const complete = (occurrence?: number) => (series: SeriesRows) => completeRecurring(series, context(), occurrence);

  it('adds one closed row to the same resource and does not change the master', () => {
    const master = {
      ...weekly,
      href: '/a/1.ics',
      etag: '"1"',
      alarms: [anAlarm(10), anAlarm(5, { id: 2, reference: 'ABSOLUTE' as const })],
    };
    const done = acted(rowsOf(master), complete());
    assert.deepEqual(done.master, master);
    const [row] = done.overrides;
    assert.deepEqual(pick(row, 'uid', 'href', 'title', 'status', 'percentComplete', 'completedAt', 'rrule'), {
      uid: 'uid-1',
      href: '/a/1.ics',
      title: 'Bins',
      status: 2,
      percentComplete: 100,
      completedAt: now,
      rrule: null,
    });
    assert.deepEqual(pick(row, 'recurrenceId', 'due', 'dtstart'), {
      recurrenceId: civil('2025-01-06'),
      due: civil('2025-01-06'),
      dtstart: null,
    });
    assert.deepEqual(row!.alarms, [{ minutesBefore: 10, reference: 'DUE', message: null }]);
    assert.equal(nextDue(done), '2025-01-13');
  });

  it('completes a named occurrence, by the date that is shown', () => {
    const done = acted(rowsOf(weekly), complete(civil('2025-01-20')));
    assert.equal(nextDue(done), '2025-01-06');
    assert.deepEqual(
      done.overrides.map(({ recurrenceId }) => recurrenceId),
      [civil('2025-01-20')],
    );
    const spanning = { ...weekly, dtstart: civil('2025-01-04') };
    const byDue = acted(rowsOf(spanning), complete(civil('2025-01-13')));
    assert.equal(byDue.overrides[0]!.recurrenceId, civil('2025-01-11'));
  });

  it('closes each occurrence once even if an older version left fractions of seconds in the dates', () => {
    const due = civil('2025-01-06T09:00') + 123;
    const old = { ...weekly, isAllDay: false, due };
    const overrides = [aTask({ id: 2, masterId: 1, status: 2, recurrenceId: due, due })];
    assert.equal(nextDue(rowsOf(old, { overrides })), '2025-01-13T09:00');
    const opened = acted(rowsOf(old, { overrides }), rows => reopenRecurring(rows, context(), due - 123));
    assert.equal(opened.overrides[0]!.status, 0);
    const done = acted(rowsOf(old), complete());
    assert.equal(done.overrides[0]!.recurrenceId, due - 123);
  });

  it('uses the existing override of an occurrence', () => {
    const moved = aTask({
      id: 5,
      masterId: 1,
      recurrenceId: civil('2025-01-06'),
      due: civil('2025-01-08'),
      isAllDay: true,
    });
    for (const occurrence of [undefined, civil('2025-01-06'), civil('2025-01-08')]) {
      const done = acted(rowsOf(weekly, { overrides: [moved] }), complete(occurrence));
      assert.equal(done.overrides.length, 1);
      assert.equal(done.overrides[0]!.status, 2);
      assert.equal(done.overrides[0]!.due, civil('2025-01-08'));
    }
  });

  it('does nothing the second time, and refuses a date that is no occurrence', () => {
    const once = acted(rowsOf(weekly), complete(civil('2025-01-06')));
    assert.deepEqual(completeRecurring(once, context(), civil('2025-01-06')), []);
    assert.deepEqual(completeRecurring(rowsOf({ ...weekly, status: 2 }), context()), []);
    assert.throws(
      () => completeRecurring(rowsOf(weekly), context(), civil('2025-01-07')),
      error => isDuelineError(error, 'notFound'),
    );
  });

  it('closes the master with the last occurrence', () => {
    const two = { ...weekly, rrule: 'FREQ=WEEKLY;COUNT=2' };
    const first = acted(rowsOf(two), complete());
    assert.equal(first.master.status, 0);
    const second = acted(first, complete());
    assert.deepEqual(
      { status: second.master.status, completedAt: second.master.completedAt, overrides: second.overrides.length },
      { status: 2, completedAt: now, overrides: 2 },
    );
    const alone = acted(rowsOf({ ...weekly, rrule: 'FREQ=WEEKLY;COUNT=1' }), complete());
    assert.deepEqual({ status: alone.master.status, overrides: alone.overrides.length }, { status: 2, overrides: 0 });
  });

  it('keeps the wall clock of each occurrence over a change of clocks', () => {
    const zone = 'America/Los_Angeles';
    const daily = aTask({
      dtstart: inZone(zone, '2025-03-08T09:00'),
      due: inZone(zone, '2025-03-08T17:00'),
      timezone: zone,
      rrule: 'FREQ=DAILY',
    });
    const done = acted(acted(rowsOf(daily), complete()), complete());
    assert.deepEqual(
      done.overrides.map(row => ({ recurrenceId: shown(row, row.recurrenceId), due: shown(row, row.due) })),
      [
        { recurrenceId: '2025-03-08T09:00', due: '2025-03-08T17:00' },
        { recurrenceId: '2025-03-09T09:00', due: '2025-03-09T17:00' },
      ],
    );
  });

  it('keeps progress with the occurrence on which it was made', () => {
    const done = acted(rowsOf({ ...weekly, status: 1, percentComplete: 60 }), complete());
    assert.deepEqual(
      {
        status: done.master.status,
        percentComplete: done.master.percentComplete,
        doneStatus: done.overrides[0]!.status,
      },
      { status: 0, percentComplete: null, doneStatus: 2 },
    );
  });

  it('reopens the subtasks for the next time, unless that is turned off', () => {
    const subtasks = [
      aTask({ id: 11, parentId: 1, status: 2, percentComplete: 100, completedAt: 5 }),
      aTask({ id: 12, parentId: 11, status: 1, percentComplete: 40 }),
      aTask({ id: 13, parentId: 1, status: 3 }),
      aTask({ id: 14, parentId: 1, status: 2, completedAt: 5, rrule: 'FREQ=DAILY', due: 0 }),
    ];
    const reset = acted(rowsOf(weekly, { subtasks }), complete());
    assert.deepEqual(
      reset.subtasks.map(({ status, percentComplete, completedAt }) => ({ status, percentComplete, completedAt })),
      [
        { status: 0, percentComplete: null, completedAt: null },
        { status: 0, percentComplete: null, completedAt: null },
        { status: 3, percentComplete: null, completedAt: null },
        { status: 2, percentComplete: null, completedAt: 5 },
      ],
    );
    const kept = completeRecurring(rowsOf(weekly, { subtasks }), context({ resetSubtasks: false }));
    assert.equal(kept.length, 1);
    const last = completeRecurring(rowsOf({ ...weekly, rrule: 'FREQ=WEEKLY;COUNT=1' }, { subtasks }), context());
    assert.equal(last.length, 1);
  });
});

describe('completing by moving on', () => {
  const advance = (series: SeriesRows) => completeRecurring(series, context({ mode: 'advance' }));

  it('moves start and due together, counts down and drops past dates', () => {
    const master = {
      ...weekly,
      dtstart: civil('2025-01-04'),
      status: 1 as const,
      percentComplete: 50,
      rrule: 'FREQ=WEEKLY;COUNT=5',
      exdate: 'EXDATE;VALUE=DATE:20250111\nEXDATE;VALUE=DATE:20250201',
    };
    const { master: moved, overrides } = acted(rowsOf(master), advance);
    assert.deepEqual(
      {
        dtstart: shown(moved, moved.dtstart),
        due: shown(moved, moved.due),
        rrule: moved.rrule,
        exdate: moved.exdate,
        overrides: overrides.length,
      },
      {
        dtstart: '2025-01-18',
        due: '2025-01-20',
        rrule: 'FREQ=WEEKLY;COUNT=3',
        exdate: 'EXDATE;VALUE=DATE:20250201',
        overrides: 0,
      },
    );
    assert.deepEqual(pick(moved, 'status', 'percentComplete', 'completedAt'), {
      status: 0,
      percentComplete: null,
      completedAt: null,
    });
  });

  it('runs through the whole series and closes it', () => {
    let series = rowsOf({ ...weekly, due: civil('2025-01-31'), rrule: 'FREQ=MONTHLY;COUNT=3' });
    const seen: (string | null | undefined)[] = [];
    for (let round = 0; round < 5; round++) {
      seen.push(nextDue(series));
      series = acted(series, advance);
    }
    assert.deepEqual(seen, ['2025-01-31', '2025-03-31', '2025-05-31', undefined, undefined]);
    assert.equal(series.master.status, 2);
  });

  it('keeps the wall clock over a change of clocks', () => {
    const master = aTask({
      due: inZone('Europe/Berlin', '2025-03-29T09:00'),
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=DAILY',
    });
    const { master: moved } = acted(rowsOf(master), advance);
    assert.equal(shown(moved, moved.due), '2025-03-30T09:00');
  });

  it('is done by override if moving on would lose something', () => {
    const gap = aTask({
      due: inZone('Europe/Berlin', '2025-03-29T02:30'),
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=DAILY',
    });
    assert.equal(acted(rowsOf(gap), advance).overrides.length, 1);
    const extra = { ...weekly, rdate: 'RDATE;VALUE=DATE:20250108' };
    assert.equal(acted(rowsOf(extra), advance).overrides.length, 1);
    const later = (series: SeriesRows) => completeRecurring(series, context({ mode: 'advance' }), civil('2025-01-20'));
    assert.equal(acted(rowsOf(weekly), later).overrides.length, 1);
  });
});

describe('repeating from completion', () => {
  const fromDone = (patch: Partial<Task>) =>
    aTask({
      isAllDay: true,
      unknownProperties: withRepeatFrom({ unknownProperties: '["X-A:1"]' }, 'completion'),
      ...patch,
    });
  const done = (series: SeriesRows) => completeRecurring(series, context());

  it('is stored in a line of its own that other programs keep', () => {
    const marked = fromDone({});
    assert.equal(marked.unknownProperties, '["X-A:1","X-DUELINE-REPEAT-FROM:COMPLETION"]');
    assert.equal(repeatsFromCompletion(marked), true);
    assert.equal(withRepeatFrom(marked, 'due'), '["X-A:1"]');
    assert.equal(withRepeatFrom(marked, 'completion'), marked.unknownProperties);
    assert.equal(withRepeatFrom({ unknownProperties: '["X-DUELINE-REPEAT-FROM:COMPLETION"]' }, 'due'), null);
    assert.equal(repeatsFromCompletion({ unknownProperties: 'no json x-dueline-repeat-from' }), false);
    assert.equal(repeatsFromCompletion({ unknownProperties: null }), false);
  });

  for (const [rrule, due, next] of [
    ['FREQ=DAILY;INTERVAL=3', '2025-01-01', '2025-01-11'],
    ['FREQ=WEEKLY', '2025-01-01', '2025-01-15'],
    ['FREQ=WEEKLY;BYDAY=MO', '2025-01-06', '2025-01-13'],
    ['FREQ=MONTHLY', '2025-01-01', '2025-02-08'],
    ['FREQ=YEARLY', '2024-02-29', '2026-01-08'],
    ['FREQ=MONTHLY;BYMONTHDAY=1', '2025-01-01', '2025-02-01'],
  ] as const) {
    it(`${rrule}, due ${due}, done on 8 January: ${next}`, () => {
      const { master, overrides } = acted(rowsOf(fromDone({ due: civil(due), rrule })), done);
      assert.deepEqual(
        { due: shown(master, master.due), overrides: overrides.length, rrule: master.rrule },
        { due: next, overrides: 0, rrule },
      );
    });
  }

  it('keeps the time of day and the distance from start to due', () => {
    const zone = 'Europe/Berlin';
    const timed = fromDone({
      isAllDay: false,
      timezone: zone,
      dtstart: inZone(zone, '2025-01-01T08:00'),
      due: inZone(zone, '2025-01-02T09:00'),
      rrule: 'FREQ=DAILY;INTERVAL=2',
    });
    const { master } = acted(rowsOf(timed), done);
    assert.deepEqual(
      { dtstart: shown(master, master.dtstart), due: shown(master, master.due) },
      { dtstart: '2025-01-09T08:00', due: '2025-01-10T09:00' },
    );
  });

  it('counts from the day of the user, not of Greenwich', () => {
    const late = (series: SeriesRows) =>
      completeRecurring(series, context({ zone: 'Pacific/Honolulu', now: Date.UTC(2025, 0, 9, 5) }));
    const { master } = acted(rowsOf(fromDone({ due: civil('2025-01-01'), rrule: 'FREQ=DAILY' })), late);
    assert.equal(shown(master, master.due), '2025-01-09');
  });

  it('respects COUNT and UNTIL', () => {
    const ends = (rrule: string) => acted(rowsOf(fromDone({ due: civil('2025-01-01'), rrule })), done).master;
    assert.equal(ends('FREQ=DAILY;COUNT=2').rrule, 'FREQ=DAILY;COUNT=1');
    assert.equal(ends('FREQ=DAILY;COUNT=1').status, 2);
    assert.equal(ends('FREQ=DAILY;UNTIL=20250108').status, 2);
    assert.equal(ends('FREQ=DAILY;UNTIL=20250109').status, 0);
  });

  it('repeats by hours from the minute of completion', () => {
    const timed = fromDone({ isAllDay: false, timezone: 'UTC', due: now - 5 * dayMs, rrule: 'FREQ=HOURLY;INTERVAL=4' });
    assert.equal(acted(rowsOf(timed), done).master.due, now + 4 * 3_600_000);
  });
});

describe('skipping, deleting and reopening an occurrence', () => {
  it('skips by a canceled override, or moves on', () => {
    const skipped = acted(rowsOf(weekly), series => skipOccurrence(series, context()));
    assert.deepEqual(pick(skipped.overrides[0], 'status', 'completedAt'), { status: 3, completedAt: null });
    assert.equal(nextDue(skipped), '2025-01-13');
    const moved = acted(rowsOf(weekly), series => skipOccurrence(series, context({ mode: 'advance' })));
    assert.deepEqual(
      { overrides: moved.overrides.length, due: shown(moved.master, moved.master.due) },
      { overrides: 0, due: '2025-01-13' },
    );
  });

  it('closes a series whose last occurrence is skipped: as canceled if none was ever completed', () => {
    const once = { ...weekly, rrule: 'FREQ=WEEKLY;COUNT=1' };
    assert.equal(acted(rowsOf(once), series => skipOccurrence(series, context())).master.status, 3);
    const twice = { ...weekly, rrule: 'FREQ=WEEKLY;COUNT=2' };
    const first = acted(rowsOf(twice), series => completeRecurring(series, context()));
    assert.equal(acted(first, series => skipOccurrence(series, context())).master.status, 2);
  });

  for (const [name, patch, line] of [
    ['all-day', { due: civil('2025-01-06'), isAllDay: true }, 'EXDATE;VALUE=DATE:20250106'],
    ['floating', { due: civil('2025-01-06T09:00') }, 'EXDATE:20250106T090000'],
    ['UTC', { due: civil('2025-01-06T09:00'), timezone: 'UTC' }, 'EXDATE:20250106T090000Z'],
    [
      'zoned',
      { due: inZone('Europe/Berlin', '2025-01-06T09:00'), timezone: 'Europe/Berlin' },
      'EXDATE;TZID=Europe/Berlin:20250106T090000',
    ],
    [
      'with a Windows zone',
      { due: inZone('Europe/Berlin', '2025-01-06T09:00'), timezone: 'W. Europe Standard Time' },
      'EXDATE;TZID=W. Europe Standard Time:20250106T090000',
    ],
    ['in a zone nobody knows', { due: civil('2025-01-06T09:00'), timezone: 'Office: main' }, 'EXDATE:20250106T090000Z'],
  ] as const) {
    it(`deletes one occurrence of a series that is ${name}`, () => {
      const master = aTask({ ...patch, rrule: 'FREQ=WEEKLY', exdate: 'EXDATE:20240101T000000Z' });
      const done = acted(rowsOf(master), series => deleteOccurrence(series, context(), master.due!));
      assert.equal(done.master.exdate, `EXDATE:20240101T000000Z\n${line}`);
      assert.ok(nextOpenOccurrence(done.master, [], 'Asia/Kolkata')!.recurrenceId > master.due!);
      assert.ok([...occurrencesOf(done.master, { zone: 'Asia/Kolkata', limit: 3 })].length === 3);
    });
  }

  it('deletes the override of its occurrence, and closes a series without further occurrences', () => {
    const override = aTask({
      id: 5,
      masterId: 1,
      recurrenceId: civil('2025-01-06'),
      due: civil('2025-01-07'),
      isAllDay: true,
    });
    const once = { ...weekly, rrule: 'FREQ=WEEKLY;COUNT=1' };
    const gone = acted(rowsOf(once, { overrides: [override] }), series =>
      deleteOccurrence(series, context(), civil('2025-01-06')),
    );
    assert.deepEqual({ overrides: gone.overrides.length, status: gone.master.status }, { overrides: 0, status: 3 });
  });

  it('reopens a completed occurrence', () => {
    const done = acted(rowsOf(weekly), series => completeRecurring(series, context()));
    const open = acted(done, series => reopenRecurring(series, context(), civil('2025-01-06')));
    assert.equal(nextDue(open), '2025-01-06');
    assert.deepEqual(pick(open.overrides[0], 'percentComplete', 'completedAt'), {
      percentComplete: null,
      completedAt: null,
    });
  });

  it('reopens the last occurrence of a completed series', () => {
    const two = rowsOf({ ...weekly, rrule: 'FREQ=WEEKLY;COUNT=2' });
    const complete = (series: SeriesRows) => completeRecurring(series, context());
    const open = acted(acted(acted(two, complete), complete), series => reopenRecurring(series, context()));
    assert.deepEqual({ status: open.master.status, nextDue: nextDue(open) }, { status: 0, nextDue: '2025-01-13' });
  });

  it('takes no other occurrence for one that another window has closed just now', () => {
    const days = aTask({
      dtstart: civil('2025-01-06'),
      due: civil('2025-01-07'),
      isAllDay: true,
      rrule: 'FREQ=DAILY;COUNT=3',
    });
    const once = acted(rowsOf(days), rows => completeRecurring(rows, context(), civil('2025-01-07')));
    assert.deepEqual(completeRecurring(once, context(), civil('2025-01-07')), []);
  });

  it('shows a series again that is reopened after all of its occurrences were deleted', () => {
    let series = rowsOf(aTask({ due: civil('2025-01-06'), isAllDay: true, rrule: 'FREQ=DAILY;COUNT=2' }));
    for (const day of ['2025-01-06', '2025-01-07'])
      series = acted(series, rows => deleteOccurrence(rows, context(), civil(day)));
    series = acted(series, rows => reopenRecurring(rows, context()));
    assert.equal(nextDue(series), '2025-01-07');
  });
});
