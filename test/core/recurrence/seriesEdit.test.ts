import assert from 'node:assert/strict';
import type { Task } from '../../../src/core/kernel/model';
import type { RowPatch } from '../../../src/core/kernel/rowEdit';
import { nextOpenOccurrence, occurrencesOf } from '../../../src/core/recurrence/instances';
import { type EditScope, editOccurrence } from '../../../src/core/recurrence/seriesEdit';
import type { SeriesContext, SeriesRows } from '../../../src/core/recurrence/seriesRows';
import { dayMs } from '../../../src/core/time/units';
import { pick } from '../../support/pick';
import { after, aTask, civil, inZone, shown } from '../support/series';

const zone = 'Europe/Berlin';
const context: SeriesContext = { now: Date.UTC(2025, 0, 8), zone, mode: 'auto', resetSubtasks: true };
const weekly = aTask({ due: civil('2025-01-06'), isAllDay: true, rrule: 'FREQ=WEEKLY', title: 'Bins' });
const override = (recurrenceId: number, patch: Partial<Task> = {}) =>
  aTask({ id: recurrenceId, masterId: 1, recurrenceId, due: recurrenceId, isAllDay: true, ...patch });

function edited(series: Partial<SeriesRows> & { master: Task }, occurrence: number, scope: EditScope, patch: RowPatch) {
  const rows: SeriesRows = { overrides: [], subtasks: [], ...series };
  const edits = editOccurrence(rows, context, { occurrence, scope, patch, newUid: 'uid-2' });
  const found = after([rows.master, ...rows.overrides, ...rows.subtasks], edits);
  return {
    master: found.find(({ id }) => id === 1)!,
    begun: found.find(({ uid, masterId }) => uid === 'uid-2' && masterId === null),
    rows: found,
  };
}

const days = (series: Task, limit = 3) =>
  [...occurrencesOf(series, { zone, limit })].map(({ due, dtstart }) => shown(series, due ?? dtstart));

describe('editing this occurrence', () => {
  it('adds an override and keeps the series', () => {
    const { master, rows } = edited({ master: weekly }, civil('2025-01-13'), 'this', {
      due: civil('2025-01-14'),
      title: 'Bins, late',
      rrule: 'FREQ=DAILY',
    });
    assert.deepEqual(master, weekly);
    const row = rows.find(({ masterId }) => masterId === 1)!;
    assert.deepEqual(pick(row, 'recurrenceId', 'due', 'title', 'rrule', 'status'), {
      recurrenceId: civil('2025-01-13'),
      due: civil('2025-01-14'),
      title: 'Bins, late',
      rrule: null,
      status: 0,
    });
  });

  it('changes the existing override', () => {
    const own = override(civil('2025-01-13'));
    const { rows } = edited({ master: weekly, overrides: [own] }, civil('2025-01-13'), 'this', { title: 'x' });
    assert.deepEqual(
      rows.map(({ title }) => title),
      ['Bins', 'x'],
    );
  });
});

describe('editing all occurrences', () => {
  it('moves the series, its overrides and exceptions by the distance that one was moved', () => {
    const { master, rows } = edited(
      {
        master: { ...weekly, exdate: 'EXDATE;VALUE=DATE:20250120', rrule: 'FREQ=WEEKLY;BYDAY=MO' },
        overrides: [override(civil('2025-01-06'), { status: 2 })],
      },
      civil('2025-01-13'),
      'all',
      { due: civil('2025-01-15') },
    );
    assert.deepEqual(days(master), ['2025-01-08', '2025-01-15', '2025-01-29']);
    assert.equal(master.exdate, 'EXDATE;VALUE=DATE:20250122');
    assert.equal(rows[1]!.recurrenceId, civil('2025-01-08'));
  });

  it('keeps the date set on an occurrence that was moved before', () => {
    const { master, rows } = edited(
      { master: weekly, overrides: [override(civil('2025-01-13'), { due: civil('2025-01-14') })] },
      civil('2025-01-13'),
      'all',
      { due: civil('2025-01-16') },
    );
    assert.deepEqual(days(master, 2), ['2025-01-08', '2025-01-15']);
    assert.deepEqual(pick(rows[1], 'recurrenceId', 'due'), {
      recurrenceId: civil('2025-01-15'),
      due: civil('2025-01-16'),
    });
  });

  it('sets the new time of day on all, starting from an occurrence that was moved before', () => {
    const at = (text: string) => inZone(zone, text);
    const timed = { isAllDay: false, timezone: zone };
    const move = (from: string, to: string, scope: EditScope, start = '2025-01-06T15:00') =>
      edited(
        {
          master: aTask({ ...timed, due: at(start), rrule: 'FREQ=WEEKLY' }),
          overrides: [override(at(start) + 7 * dayMs, { ...timed, due: at(from) })],
        },
        at(start) + 7 * dayMs,
        scope,
        { due: at(to) },
      );
    const found = (from: string, to: string, start?: string) => {
      const { master, rows } = move(from, to, 'all', start);
      const { recurrenceId, due } = rows.find(({ masterId }) => masterId === 1)!;
      return [...days(master, 2), shown(master, recurrenceId), shown(master, due)];
    };
    const all = ['2025-01-06T17:00', '2025-01-13T17:00', '2025-01-13T17:00'];
    assert.deepEqual(found('2025-01-13T16:00', '2025-01-13T17:00'), [...all, '2025-01-13T17:00']);
    assert.deepEqual(found('2025-01-13T02:00', '2025-01-13T17:00'), [...all, '2025-01-13T17:00']);
    assert.deepEqual(found('2025-01-15T13:00', '2025-01-15T17:00'), [...all, '2025-01-15T17:00']);
    assert.deepEqual(
      found('2025-01-14T10:00', '2025-01-14T11:00'),
      ['2025-01-06T11:00', '2025-01-13T11:00', '2025-01-13T11:00', '2025-01-14T11:00'],
      'nineteen hours to another day are a move of days',
    );
    assert.deepEqual(
      found('2025-01-15T13:00', '2025-01-16T13:00'),
      ['2025-01-07T15:00', '2025-01-14T15:00', '2025-01-14T15:00', '2025-01-16T13:00'],
      'whole days set no time',
    );
    const night = ['2025-01-07T01:00', '2025-01-14T01:00', '2025-01-14T01:00', '2025-01-14T01:00'];
    assert.deepEqual(found('2025-01-14T00:30', '2025-01-14T01:00', '2025-01-06T23:30'), night);
    const long = edited(
      {
        master: aTask({
          ...timed,
          dtstart: at('2025-01-06T09:00'),
          due: at('2025-01-06T17:00'),
          rrule: 'FREQ=WEEKLY',
        }),
        overrides: [
          override(at('2025-01-13T09:00'), {
            ...timed,
            dtstart: at('2025-01-14T08:00'),
            due: at('2025-01-14T17:00'),
          }),
        ],
      },
      at('2025-01-13T09:00'),
      'all',
      { dtstart: at('2025-01-14T09:00'), due: at('2025-01-14T18:00') },
    ).master;
    assert.deepEqual(
      [shown(long, long.dtstart), shown(long, long.due)],
      ['2025-01-06T09:00', '2025-01-06T18:00'],
      'start and due date agree about the days',
    );
    const { begun, rows } = move('2025-01-13T16:00', '2025-01-13T17:00', 'following');
    assert.deepEqual(days(begun!, 2), ['2025-01-13T17:00', '2025-01-20T17:00']);
    assert.equal(
      shown(begun!, rows.find(({ masterId, uid }) => masterId !== null && uid === 'uid-2')!.due),
      '2025-01-13T17:00',
    );
  });

  it('gives every occurrence a start that was set on a later one', () => {
    const done = [6, 13].map(day => override(civil(`2025-01-${String(day).padStart(2, '0')}`), { status: 2 }));
    const weekday = { ...weekly, rrule: 'FREQ=WEEKLY;BYDAY=MO' };
    const { master, rows } = edited({ master: weekday, overrides: done }, civil('2025-01-20'), 'all', {
      dtstart: civil('2025-01-18'),
    });
    assert.deepEqual(pick(master, 'dtstart', 'due', 'rrule'), {
      dtstart: civil('2025-01-04'),
      due: civil('2025-01-06'),
      rrule: 'FREQ=WEEKLY;BYDAY=SA',
    });
    const next = nextOpenOccurrence(
      master,
      rows.filter(({ masterId }) => masterId === 1),
      zone,
    );
    assert.deepEqual(pick(next, 'dtstart', 'due'), { dtstart: civil('2025-01-18'), due: civil('2025-01-20') });
    const three = { ...weekly, rrule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR' };
    const early = edited({ master: three }, civil('2025-01-06'), 'all', { dtstart: civil('2025-01-03') }).master;
    assert.deepEqual(days(early), ['2025-01-06', '2025-01-08', '2025-01-10'], 'Fridays for Mondays, as before');
  });

  it('moves a day of the month along', () => {
    const master = { ...weekly, rrule: 'FREQ=MONTHLY;BYMONTHDAY=6' };
    const moved = edited({ master }, civil('2025-02-06'), 'all', { due: civil('2025-02-08') }).master;
    assert.deepEqual(
      { rrule: moved.rrule, days: days(moved, 2) },
      { rrule: 'FREQ=MONTHLY;BYMONTHDAY=8', days: ['2025-01-08', '2025-02-08'] },
    );
  });

  it('sets a wall clock time across a change of clocks', () => {
    const master = aTask({ due: inZone(zone, '2025-03-24T09:00'), timezone: zone, rrule: 'FREQ=WEEKLY' });
    const moved = edited({ master }, inZone(zone, '2025-03-31T09:00'), 'all', {
      due: inZone(zone, '2025-03-31T10:30'),
    });
    assert.deepEqual(days(moved.master, 2), ['2025-03-24T10:30', '2025-03-31T10:30']);
  });

  it('rewrites the ids of its occurrences if the series becomes timed or changes its zone', () => {
    const before = {
      master: { ...weekly, exdate: 'EXDATE;VALUE=DATE:20250120' },
      overrides: [override(civil('2025-01-06'), { status: 2 })],
    };
    const timed = edited(before, civil('2025-01-13'), 'all', {
      due: inZone(zone, '2025-01-13T09:00'),
      isAllDay: false,
      timezone: zone,
    });
    assert.deepEqual(days(timed.master), ['2025-01-06T09:00', '2025-01-13T09:00', '2025-01-27T09:00']);
    assert.equal(timed.rows[1]!.recurrenceId, inZone(zone, '2025-01-06T09:00'));
    const [master, done] = timed.rows as [Task, Task];
    const elsewhere = edited({ master, overrides: [done] }, inZone(zone, '2025-01-13T09:00'), 'all', {
      due: inZone('Asia/Kolkata', '2025-01-13T09:00'),
      timezone: 'Asia/Kolkata',
    });
    assert.deepEqual(days(elsewhere.master), ['2025-01-06T09:00', '2025-01-13T09:00', '2025-01-27T09:00']);
    assert.equal(elsewhere.rows[1]!.recurrenceId, inZone('Asia/Kolkata', '2025-01-06T09:00'));
  });

  it('changes other columns and the rule as given', () => {
    const { master } = edited({ master: weekly }, civil('2025-01-13'), 'all', { title: 'x', rrule: 'FREQ=DAILY' });
    assert.deepEqual(pick(master, 'title', 'rrule', 'due'), { title: 'x', rrule: 'FREQ=DAILY', due: weekly.due });
  });
});

describe('editing this and the following occurrences', () => {
  it('ends the series before it and starts another one with it', () => {
    const subtasks = [aTask({ id: 11, parentId: 1 }), aTask({ id: 12, parentId: 11 })];
    const overrides = [override(civil('2025-01-06'), { status: 2 }), override(civil('2025-01-27'), { title: 'late' })];
    const { master, begun, rows } = edited(
      {
        master: { ...weekly, href: '/a', exdate: 'EXDATE;VALUE=DATE:20250113\nEXDATE;VALUE=DATE:20250203' },
        overrides,
        subtasks,
      },
      civil('2025-01-20'),
      'following',
      { title: 'Boxes', due: civil('2025-01-21') },
    );
    assert.deepEqual(
      { rrule: master.rrule, exdate: master.exdate, days: days(master), title: master.title },
      {
        rrule: 'FREQ=WEEKLY;UNTIL=20250119',
        exdate: 'EXDATE;VALUE=DATE:20250113',
        days: ['2025-01-06'],
        title: 'Bins',
      },
    );
    assert.deepEqual(
      { ...pick(begun, 'rrule', 'exdate', 'href', 'title'), days: days(begun!) },
      {
        rrule: 'FREQ=WEEKLY',
        exdate: 'EXDATE;VALUE=DATE:20250204',
        href: null,
        title: 'Boxes',
        days: ['2025-01-21', '2025-01-28', '2025-02-11'],
      },
    );
    const moved = rows.find(({ title }) => title === 'late')!;
    assert.deepEqual(pick(moved, 'uid', 'masterId', 'recurrenceId'), {
      uid: 'uid-2',
      masterId: begun!.id,
      recurrenceId: civil('2025-01-28'),
    });
    assert.deepEqual(
      [11, 12].map(id => rows.find(row => row.id === id)!.parentId),
      [begun!.id, 11],
    );
  });

  it('keeps what the first one has of its own, apart from what was set', () => {
    const own = override(civil('2025-01-20'), { title: 'Bins, early', due: civil('2025-01-21') });
    const { begun, rows } = edited({ master: weekly, overrides: [own] }, civil('2025-01-20'), 'following', {
      due: civil('2025-01-22'),
    });
    assert.deepEqual(days(begun!), ['2025-01-21', '2025-01-28', '2025-02-04']);
    const row = rows.find(({ masterId }) => masterId === begun!.id)!;
    assert.deepEqual(pick(row, 'recurrenceId', 'due', 'title'), {
      recurrenceId: civil('2025-01-21'),
      due: civil('2025-01-22'),
      title: 'Bins, early',
    });
  });

  it('leaves the time that was worked on the series with it', () => {
    const time = 'X-DUELINE-TIME;V=1:20250106T083000Z/PT1H25M';
    const master = { ...weekly, unknownProperties: JSON.stringify(['X-A:b', time]) };
    const found = edited({ master }, civil('2025-01-20'), 'following', { title: 'x' });
    assert.equal(found.master.unknownProperties, master.unknownProperties);
    assert.equal(found.begun!.unknownProperties, JSON.stringify(['X-A:b']));
  });

  it('splits COUNT, including excluded occurrences', () => {
    const master = { ...weekly, rrule: 'FREQ=WEEKLY;COUNT=6', exdate: 'EXDATE;VALUE=DATE:20250113' };
    const found = edited({ master }, civil('2025-01-20'), 'following', { title: 'x' });
    assert.deepEqual(
      { before: found.master.rrule, begun: found.begun!.rrule },
      { before: 'FREQ=WEEKLY;COUNT=2', begun: 'FREQ=WEEKLY;COUNT=4' },
    );
    assert.deepEqual(days(found.master), ['2025-01-06']);
    assert.deepEqual(days(found.begun!, 9), ['2025-01-20', '2025-01-27', '2025-02-03', '2025-02-10']);
  });

  it('writes UNTIL in UTC for a zoned series', () => {
    const master = aTask({
      due: inZone(zone, '2025-03-24T09:00'),
      timezone: zone,
      rrule: 'FREQ=WEEKLY;UNTIL=20250601T000000Z',
    });
    const found = edited({ master }, inZone(zone, '2025-04-07T09:00'), 'following', { title: 'x' });
    assert.deepEqual(
      { rrule: found.master.rrule, days: days(found.master), begun: found.begun!.rrule },
      {
        rrule: 'FREQ=WEEKLY;UNTIL=20250407T065959Z',
        days: ['2025-03-24T09:00', '2025-03-31T09:00'],
        begun: 'FREQ=WEEKLY;UNTIL=20250601T000000Z',
      },
    );
  });

  it('keeps exceptions that the edit itself sets', () => {
    const master = { ...weekly, exdate: 'EXDATE;VALUE=DATE:20250203' };
    const { begun } = edited({ master }, civil('2025-01-20'), 'following', {
      due: civil('2025-01-21'),
      exdate: 'EXDATE;VALUE=DATE:20250128',
    });
    assert.deepEqual(
      { exdate: begun!.exdate, days: days(begun!) },
      { exdate: 'EXDATE;VALUE=DATE:20250128', days: ['2025-01-21', '2025-02-04', '2025-02-11'] },
    );
  });

  it('refuses to start a series with a date that only RDATE has', () => {
    const master = { ...weekly, rdate: 'RDATE;VALUE=DATE:20250115' };
    assert.throws(() => edited({ master }, civil('2025-01-15'), 'following', { title: 'x' }), { kind: 'unsupported' });
  });

  it('edits all if it is the first one', () => {
    const { master, begun } = edited({ master: weekly }, civil('2025-01-06'), 'following', { title: 'x' });
    assert.deepEqual({ title: master.title, begun }, { title: 'x', begun: undefined });
  });
});
