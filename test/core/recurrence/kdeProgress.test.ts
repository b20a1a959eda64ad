import assert from 'node:assert/strict';
import { readResource } from '../../../src/core/ical/readResource';
import { writeResource } from '../../../src/core/ical/writeResource';
import type { Task } from '../../../src/core/kernel/model';
import { completeRecurring } from '../../../src/core/recurrence/completion';
import { editOccurrence } from '../../../src/core/recurrence/seriesEdit';
import type { SeriesRows } from '../../../src/core/recurrence/seriesRows';
import { file, now } from '../support/icalFile';
import { acted, aTask, context, inZone, nextDue, rowsOf } from '../support/series';

describe('a series partly completed in KDE', () => {
  const zone = 'Europe/Berlin';
  const berlin = (name: string, day: number, hour = '09') => `${name};TZID=${zone}:2025020${day}T${hour}0000`;
  const progress = 'X-KDE-LIBKCAL-DTRECURRENCE';
  const base = (...lines: string[]) => file(berlin('DTSTART', 1), berlin('DUE', 1), 'RRULE:FREQ=DAILY', ...lines);
  const series = (text: string): SeriesRows => {
    const { master, overrides } = readResource(text);
    const rows = [master!, ...overrides].map(({ fields }, index) =>
      aTask({ ...fields, alarms: [], id: index + 1, masterId: index === 0 ? null : 1 }),
    );
    return { ...rowsOf(rows[0]!), overrides: rows.slice(1) };
  };
  const row = ({ id, listId, masterId, parentId, href, etag, isDirty, isDeleted, ...fields }: Task) => ({ fields });
  const written = ({ master, overrides }: SeriesRows, text: string) =>
    writeResource({ master: row(master), overrides: overrides.map(row) }, text, now);
  const reached = (text: string) => text.split('\r\n').filter(line => line.startsWith(progress));
  const complete = (text: string) =>
    written(
      acted(series(text), rows => completeRecurring(rows, context({ now }))),
      text,
    );
  /** KDE's to-do is at the date of its line, and goes to the next when it is completed there. */
  const completeInKde = (text: string, next: number) =>
    text.replace(/X-KDE-LIBKCAL-DTRECURRENCE.*/, berlin(progress, next));

  it('is open from the date that KDE has reached', () => {
    assert.equal(nextDue(series(base())), '2025-02-01T09:00');
    assert.equal(nextDue(series(base(berlin(progress, 3)))), '2025-02-03T09:00');
    const days = ['DTSTART;VALUE=DATE:20250201', 'DUE;VALUE=DATE:20250201', 'RRULE:FREQ=DAILY'];
    for (const value of [';VALUE=DATE:20250203', ':20250203T000000'])
      assert.equal(nextDue(series(file(...days, progress + value))), '2025-02-03');
  });

  it('is at the same occurrence in both programs after completions here, there and here', () => {
    const first = complete(base(berlin(progress, 1)));
    assert.deepEqual(reached(first), [berlin(progress, 2)]);
    const second = completeInKde(first, 3);
    assert.equal(nextDue(series(second)), '2025-02-03T09:00');
    const third = complete(second);
    assert.deepEqual(
      { reached: reached(third), nextDue: nextDue(series(third)) },
      { reached: [berlin(progress, 4)], nextDue: '2025-02-04T09:00' },
    );
    assert.equal(third.match(/STATUS:COMPLETED/g)?.length, 2);
  });

  it('leaves the progress of KDE alone when a later occurrence is completed', () => {
    const text = base(berlin(progress, 1));
    const later = acted(series(text), rows =>
      completeRecurring(rows, context({ now }), inZone(zone, '2025-02-04T09:00')),
    );
    assert.deepEqual(reached(written(later, text)), [berlin(progress, 1)]);
  });

  it('loses no occurrence when it is moved', () => {
    const text = base(berlin(progress, 2));
    for (const [day, hour] of [
      [2, 8],
      [1, 9],
    ] as const) {
      const dtstart = inZone(zone, `2025-02-0${day}T0${hour}:00`);
      const patch = { dtstart, due: dtstart };
      const edit = { occurrence: inZone(zone, '2025-02-02T09:00'), scope: 'all' as const, patch, newUid: '' };
      const moved = acted(series(text), rows => editOccurrence(rows, context(), edit));
      assert.equal(nextDue(moved), `2025-02-0${day}T0${hour}:00`);
      assert.deepEqual(reached(written(moved, text)), [berlin(progress, day, `0${hour}`)]);
    }
    // By a program that leaves KDE's line alone.
    assert.equal(nextDue(series(text.replaceAll('T090000', 'T080000'))), '2025-02-02T08:00');
  });
});
