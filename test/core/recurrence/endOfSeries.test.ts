import assert from 'node:assert/strict';
import { Status, type Task } from '../../../src/core/kernel/model';
import { completeRecurring, skipOccurrence } from '../../../src/core/recurrence/completion';
import { endOfSeries } from '../../../src/core/recurrence/endOfSeries';
import { editOccurrence } from '../../../src/core/recurrence/seriesEdit';
import type { SeriesRows } from '../../../src/core/recurrence/seriesRows';
import { acted, anAlarm, aTask, civil, context, inZone, now, rowsOf, shown, weekly } from '../support/series';

const berlin = (text: string) => inZone('Europe/Berlin', text);

const end = (series: SeriesRows) => {
  const { patch, edits } = endOfSeries(series, context());
  return acted(series, () => [{ type: 'update', id: series.master.id, patch }, ...edits]);
};
const complete =
  (mode: 'override' | 'advance', times = 1) =>
  (series: SeriesRows) => {
    let found = series;
    for (let at = 0; at < times; at++) found = acted(found, rows => completeRecurring(rows, context({ now, mode })));
    return found;
  };
const dates = ({ master }: SeriesRows) => [shown(master, master.dtstart), shown(master, master.due)];
const override = (recurrenceId: number, patch: Partial<Task>) =>
  aTask({ id: 2, masterId: 1, recurrenceId, due: recurrenceId, isAllDay: true, title: 'Bins', ...patch });

describe('a series whose repeat is ended', () => {
  const kinds = [
    ['all-day', weekly, [null, '2025-01-20']],
    [
      'timed in a zone, over a change of clocks',
      aTask({
        dtstart: berlin('2025-03-16T08:00'),
        due: berlin('2025-03-17T09:30'),
        timezone: 'Europe/Berlin',
        rrule: 'FREQ=WEEKLY',
      }),
      ['2025-03-30T08:00', '2025-03-31T09:30'],
    ],
    [
      'floating',
      aTask({ dtstart: civil('2025-01-06T08:00'), due: civil('2025-01-06T10:00'), rrule: 'FREQ=DAILY' }),
      ['2025-01-08T08:00', '2025-01-08T10:00'],
    ],
    [
      'timed with a duration',
      aTask({ dtstart: civil('2025-01-06T08:00'), duration: 'PT2H', rrule: 'FREQ=DAILY' }),
      ['2025-01-08T08:00', null],
    ],
  ] as const;
  for (const mode of ['override', 'advance'] as const)
    for (const [kind, master, expected] of kinds)
      it(`keeps the next open date of one that is ${kind}, completed by ${mode}`, () => {
        const before = complete(mode, 2)(rowsOf(master));
        const after = end(before);
        assert.deepEqual(dates(after), expected);
        const { rrule, rdate, exdate, status, duration } = after.master;
        assert.deepEqual({ rrule, rdate, exdate, status }, { rrule: null, rdate: null, exdate: null, status: 0 });
        assert.equal(duration, master.duration);
        assert.deepEqual(after.overrides, before.overrides);
        assert.equal(after.overrides.length, mode === 'override' ? 2 : 0);
        for (const row of after.overrides) assert.equal(row.status, Status.completed);
      });

  it('skips dates that were skipped or excluded, and drops added dates', () => {
    const master = { ...weekly, exdate: 'EXDATE;VALUE=DATE:20250113', rdate: 'RDATE;VALUE=DATE:20250501' };
    const after = end(acted(rowsOf(master), rows => skipOccurrence(rows, context({ mode: 'override' }))));
    assert.deepEqual(dates(after), [null, '2025-01-20']);
    assert.equal(after.master.rdate, null);
  });

  it('takes over a moved occurrence with all its own values, including lines of other programs', () => {
    const first = override(civil('2025-01-06'), {
      due: berlin('2025-01-07T15:00'),
      isAllDay: false,
      timezone: 'Europe/Berlin',
      title: 'Bins and glass',
      status: 1,
      percentComplete: 40,
      unknownProperties: JSON.stringify(['X-OTHER:kept', 'X-BOTH:override']),
      alarms: [anAlarm(30)],
    });
    const later = override(civil('2025-02-03'), { id: 3, title: 'Bins late', due: civil('2025-02-04') });
    const series = {
      ...weekly,
      unknownProperties: JSON.stringify(['X-BOTH:series', 'X-DUELINE-REPEAT-FROM:COMPLETION']),
    };
    const after = end(rowsOf(series, { overrides: [first, later] }));
    const { title, status, percentComplete, unknownProperties, alarms } = after.master;
    assert.deepEqual(dates(after), [null, '2025-01-07T15:00']);
    assert.deepEqual({ title, status, percentComplete }, { title: 'Bins and glass', status: 1, percentComplete: 40 });
    assert.deepEqual(JSON.parse(unknownProperties!), ['X-BOTH:series', 'X-OTHER:kept']);
    assert.equal(alarms.length, 1);
    assert.deepEqual(after.overrides, [later]);
  });

  it('takes over the values of an earlier override for this and following occurrences', () => {
    const held = override(civil('2025-01-06'), {
      title: 'Paper',
      due: civil('2025-01-07'),
      status: 2,
      unknownProperties: JSON.stringify(['RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20250106']),
    });
    const after = end(rowsOf(weekly, { overrides: [held] }));
    assert.deepEqual([...dates(after), after.master.title], [null, '2025-01-14', 'Paper']);
    assert.deepEqual(after.overrides, [held]);
  });

  it('continues from the progress of KDE, and drops its line', () => {
    const line = 'X-KDE-LIBKCAL-DTRECURRENCE;VALUE=DATE:20250120';
    const after = end(rowsOf({ ...weekly, unknownProperties: JSON.stringify([line]) }));
    assert.deepEqual([...dates(after), after.master.unknownProperties], [null, '2025-01-20', null]);
  });

  it('keeps its dates if none of its occurrences is open', () => {
    const done = { ...weekly, status: Status.completed, completedAt: 5 };
    assert.deepEqual(dates(end(rowsOf(done))), [null, '2025-01-06']);
  });

  it('takes the occurrence on which the repeat was removed for all', () => {
    const edit = { occurrence: civil('2025-01-27'), scope: 'all', patch: { rrule: null }, newUid: 'new' } as const;
    const after = acted(rowsOf(weekly), rows => editOccurrence(rows, context(), edit));
    assert.deepEqual([...dates(after), after.master.rrule], [null, '2025-01-27', null]);
  });
});

describe('skipping an occurrence', () => {
  for (const mode of ['override', 'advance'] as const)
    it(`does not reopen subtasks, by ${mode}`, () => {
      const subtasks = [aTask({ id: 11, parentId: 1, status: 2, percentComplete: 100, completedAt: 5 })];
      const after = acted(rowsOf(weekly, { subtasks }), rows => skipOccurrence(rows, context({ mode })));
      assert.deepEqual(after.subtasks, subtasks);
    });
});
