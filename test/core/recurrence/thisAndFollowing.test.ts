import assert from 'node:assert/strict';
import { readResource } from '../../../src/core/ical/readResource';
import { writeResource } from '../../../src/core/ical/writeResource';
import type { Task } from '../../../src/core/kernel/model';
import { completeRecurring, deleteOccurrence, skipOccurrence } from '../../../src/core/recurrence/completion';
import { openOccurrences } from '../../../src/core/recurrence/instances';
import { RuleBudget } from '../../../src/core/recurrence/ruleBudget';
import { editOccurrence } from '../../../src/core/recurrence/seriesEdit';
import type { SeriesRows } from '../../../src/core/recurrence/seriesRows';
import { alarmsBetween } from '../../../src/core/reminders/alarms';
import { dayOfCivil } from '../../../src/core/time/dates';
import { openBetween } from '../../../src/query/eval/series';
import { pick } from '../../support/pick';
import { calendar, difference, now, todo } from '../support/icalFile';
import { acted, anAlarm, aTask, context, inZone, rowsOf, shown } from '../support/series';

describe('an override for this and the following occurrences', () => {
  const zone = 'Europe/Berlin';
  const at = (day: number, hour = 9) => inZone(zone, `2025-02-0${day}T${String(hour).padStart(2, '0')}:00`);
  const berlin = (name: string, day: number, hour: string) => `${name};TZID=${zone}:2025020${day}T${hour}0000`;
  const base = calendar(
    ...todo('SUMMARY:Morning', berlin('DTSTART', 1, '09'), berlin('DUE', 1, '10'), 'RRULE:FREQ=DAILY;COUNT=6'),
    ...todo(
      berlin('RECURRENCE-ID;RANGE=THISANDFUTURE', 3, '09'),
      berlin('DTSTART', 3, '15'),
      berlin('DUE', 3, '17'),
      'SUMMARY:Afternoon',
      'X-KDE-KEEP:1',
    ),
  );
  const read = readResource(base);
  const series = (text = base): SeriesRows => {
    const { master, overrides } = readResource(text);
    const rows = [master!, ...overrides].map(({ fields }, index) =>
      aTask({ ...fields, alarms: [], id: index + 1, masterId: index === 0 ? null : 1 }),
    );
    return { ...rowsOf(rows[0]!), overrides: rows.slice(1) };
  };
  const open = ({ master, overrides }: SeriesRows) =>
    [...openOccurrences(master, overrides, zone)].map(({ dtstart, due }) =>
      [dtstart, due].map(value => shown(master, value)!.slice(8).replace(':00', '')).join('-'),
    );
  const written = ({ master, overrides }: SeriesRows) => {
    const row = ({ id, listId, masterId, parentId, href, etag, isDirty, isDeleted, ...fields }: Task) => ({ fields });
    return writeResource({ master: row(master), overrides: overrides.map(row) }, base, now);
  };
  const ids = (text: string) =>
    readResource(text)
      .overrides.map(({ fields }) => ({
        occurrence: shown(fields, fields.recurrenceId)!.slice(8),
        status: fields.status,
      }))
      .sort((one, other) => one.occurrence.localeCompare(other.occurrence));
  const ranges = (text: string) => text.match(/RECURRENCE-ID[^\r]*RANGE[^\r]*/g);

  it('is read, moves the later ones, and is written as it was', () => {
    assert.deepEqual(read.faults, []);
    assert.deepEqual(open(series()), [
      '01T09-01T10',
      '02T09-02T10',
      '03T15-03T17',
      '04T15-04T17',
      '05T15-05T17',
      '06T15-06T17',
    ]);
    assert.equal(writeResource(read, base, now), base);
  });

  it('is found on the later days by its own title and times', () => {
    const { master, overrides } = series();
    const fifthDay = dayOfCivil(Date.UTC(2025, 1, 5));
    const found = openBetween(master, overrides, zone, fifthDay, fifthDay, new RuleBudget().allowance());
    const fifth = found.find(({ dtstart }) => dtstart === at(5, 15));
    assert.deepEqual(pick(fifth?.task, 'title', 'id'), { title: 'Afternoon', id: 1 });
    assert.ok(!found.some(({ dtstart }) => dtstart === at(5)));
  });

  it('sets reminders on them, even if it is itself completed', () => {
    const { master, overrides } = series();
    for (const status of [0, 2] as const) {
      const held = { ...overrides[0]!, status, alarms: [anAlarm(30, { id: 9, taskId: 2 })] };
      const early = { ...master, alarms: [anAlarm(0)] };
      const found = alarmsBetween([early, held], at(2), at(5), { zone, allDayAlarmTime: '09:00' });
      const own = status === 0 ? [{ taskId: 2, fireAt: '2025-02-03T16:30' }] : [];
      assert.deepEqual(
        found.map(({ task, fireAt }) => ({ taskId: task.id, fireAt: shown(master, fireAt) })),
        [{ taskId: 1, fireAt: '2025-02-02T10:00' }, ...own, { taskId: 2, fireAt: '2025-02-04T16:30' }],
      );
      assert.equal(found.at(-1)!.recurrenceId, at(4));
    }
  });

  it('is completed only for its own occurrence if another program completes it', () => {
    assert.equal(open(series(base.replace('X-KDE-KEEP:1', 'STATUS:COMPLETED'))).at(2), '04T15-04T17');
  });

  const alone: [string, (rows: SeriesRows) => ReturnType<typeof completeRecurring>, number][] = [
    ['completed', rows => completeRecurring(rows, context({ now }), at(3)), 2],
    ['skipped', rows => skipOccurrence(rows, context({ now }), at(3)), 3],
    [
      'edited',
      rows => editOccurrence(rows, context(), { occurrence: at(3), scope: 'this', patch: { title: 'x' }, newUid: '' }),
      0,
    ],
  ];
  for (const [name, act, status] of alone)
    it(`is split off if its own occurrence is ${name}: the range stays for the others`, () => {
      const after = acted(series(), act);
      const rest = ['04T15-04T17', '05T15-05T17', '06T15-06T17'];
      assert.deepEqual(open(after), ['01T09-01T10', '02T09-02T10', ...(status === 0 ? ['03T15-03T17'] : []), ...rest]);
      const text = written(after);
      assert.deepEqual(ranges(text), [berlin('RECURRENCE-ID;RANGE=THISANDFUTURE', 4, '09')]);
      assert.deepEqual(ids(text), [
        { occurrence: '03T09:00', status },
        { occurrence: '04T09:00', status: 0 },
      ]);
      assert.equal(text.match(/X-KDE-KEEP:1/g)?.length, 2);
      assert.deepEqual(open(series(text)), open(after));
      assert.deepEqual(difference(text, writeResource(readResource(text), text, now + 1e9)), { gone: [], new: [] });
    });

  it('continues after its own occurrence if that is deleted', () => {
    const after = acted(series(), rows => deleteOccurrence(rows, context(), at(3)));
    assert.deepEqual(open(after), ['01T09-01T10', '02T09-02T10', '04T15-04T17', '05T15-05T17', '06T15-06T17']);
    assert.deepEqual(ranges(written(after)), [berlin('RECURRENCE-ID;RANGE=THISANDFUTURE', 4, '09')]);
  });

  it('stays as it is if a later occurrence is completed, which gets its time and title', () => {
    const after = acted(series(), rows => completeRecurring(rows, context({ now }), at(5)));
    const text = written(after);
    assert.deepEqual(difference(base, text).gone, []);
    assert.deepEqual(ids(text), [
      { occurrence: '03T09:00', status: 0 },
      { occurrence: '05T09:00', status: 2 },
    ]);
    const done = after.overrides.find(({ status }) => status === 2)!;
    assert.deepEqual(pick(done, 'title', 'dtstart', 'due'), { title: 'Afternoon', dtstart: at(5, 15), due: at(5, 17) });
    assert.deepEqual(ranges(text)?.length, 1);
  });

  it('ends with the series: completing its last occurrence leaves no range', () => {
    let rows = series();
    for (let day = 1; day <= 6; day++) rows = acted(rows, all => completeRecurring(all, context({ now })));
    assert.deepEqual(
      { open: open(rows), status: rows.master.status, ranges: ranges(written(rows)) },
      { open: [], status: 2, ranges: null },
    );
  });

  it('is what a new series from a later occurrence starts with', () => {
    const edit = { occurrence: at(5), scope: 'following' as const, patch: { title: 'New' }, newUid: 'u2' };
    const [kept, begun] = editOccurrence(series(), context(), edit);
    assert.equal(kept?.type === 'update' && kept.patch.rrule, 'FREQ=DAILY;COUNT=4');
    const row = begun!.type === 'insert' ? begun!.row : assert.fail();
    assert.deepEqual(pick(row, 'title', 'dtstart', 'due', 'rrule'), {
      title: 'New',
      dtstart: at(5, 15),
      due: at(5, 17),
      rrule: 'FREQ=DAILY;COUNT=2',
    });
  });

  it('moves with the whole series', () => {
    const edit = { occurrence: at(4), scope: 'all' as const, patch: { dtstart: at(4, 16) }, newUid: '' };
    const after = acted(series(), rows => editOccurrence(rows, context(), edit));
    assert.deepEqual(open(after).slice(1, 4), ['02T10-02T10', '03T16-03T18', '04T16-04T18']);
    assert.deepEqual(ranges(written(after)), [berlin('RECURRENCE-ID;RANGE=THISANDFUTURE', 3, '10')]);
  });

  it('stays in a file whose rows do not know it', () => {
    const { master, overrides } = series();
    const rows = {
      ...rowsOf({ ...master, title: 'Renamed' }),
      overrides: [{ ...overrides[0]!, unknownProperties: null }],
    };
    assert.deepEqual(ranges(written(rows)), ranges(base));
  });
});
