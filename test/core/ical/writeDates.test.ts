import assert from 'node:assert/strict';
import { type Columns, rowWith } from '../../../src/core/ical/contentGroups';
import { readResource } from '../../../src/core/ical/readResource';
import type { ResourceRow } from '../../../src/core/ical/row';
import { writeResource } from '../../../src/core/ical/writeResource';
import { calendar, difference, edit, file, now, rule, todo } from '../support/icalFile';

describe('dates of an edited file', () => {
  const berlin = 'Europe/Berlin';
  const at = Date.UTC(2025, 6, 9, 8);

  rule(
    'A43 lose their TZID where the task becomes an all-day one',
    ['DTSTART;TZID=Europe/Berlin:20250708T100000', 'DUE;X-A=1;TZID=Europe/Berlin:20250709T100000'],
    { dtstart: Date.UTC(2025, 6, 8), due: Date.UTC(2025, 6, 9), isAllDay: true, timezone: null },
    ['DTSTART;TZID=Europe/Berlin:20250708T100000', 'DUE;X-A=1;TZID=Europe/Berlin:20250709T100000'],
    ['DTSTART;VALUE=DATE:20250708', 'DUE;X-A=1;VALUE=DATE:20250709'],
  );
  rule(
    'get UTC where the task becomes a timed one',
    ['DUE;VALUE=DATE:20250709'],
    { due: at, isAllDay: false, timezone: 'UTC' },
    ['DUE;VALUE=DATE:20250709'],
    ['DUE:20250709T080000Z'],
  );
  rule(
    'stay in their zone',
    ['DUE;TZID=Europe/Berlin:20250709T100000'],
    { due: at + 3_600_000 },
    ['DUE;TZID=Europe/Berlin:20250709T100000'],
    ['DUE;TZID=Europe/Berlin:20250709T110000'],
  );
  rule(
    'of the side that was not edited keep their own zone',
    ['DTSTART;TZID=America/New_York:20250701T100000', 'DUE;TZID=Europe/Berlin:20250709T100000'],
    { due: at + 3_600_000 },
    ['DUE;TZID=Europe/Berlin:20250709T100000'],
    ['DUE;TZID=Europe/Berlin:20250709T110000'],
  );
  rule(
    'of the other side follow where only that makes both of one kind',
    ['DTSTART;VALUE=DATE:20250701', 'DUE;TZID=Europe/Berlin:20250709T100000'],
    { due: at + 3_600_000 },
    ['DTSTART;VALUE=DATE:20250701', 'DUE;TZID=Europe/Berlin:20250709T100000'],
    ['DTSTART;TZID=Europe/Berlin:20250701T000000', 'DUE;TZID=Europe/Berlin:20250709T110000'],
  );
  rule(
    'keep a zone that nobody knows',
    ['DUE;TZID=My Office:20250709T100000'],
    { due: Date.UTC(2025, 6, 9, 11) },
    ['DUE;TZID=My Office:20250709T100000'],
    ['DUE;TZID=My Office:20250709T110000'],
  );
  rule(
    'go out in UTC where the wall clock shows them twice',
    ['DUE;TZID=Europe/Berlin:20250709T100000'],
    { due: Date.UTC(2025, 9, 26, 1, 30) },
    ['DUE;TZID=Europe/Berlin:20250709T100000'],
    ['DUE:20251026T013000Z'],
  );
  rule(
    'A44 drop DURATION for a due',
    ['DTSTART:20250701T100000Z', 'DURATION:P1D'],
    { due: at },
    ['DURATION:P1D'],
    ['DUE:20250709T080000Z'],
  );
  rule(
    'A44 drop DUE for a duration',
    ['DTSTART:20250701T100000Z', 'DUE:20250709T080000Z'],
    { due: null, duration: 'PT2H' },
    ['DUE:20250709T080000Z'],
    ['DURATION:PT2H'],
  );
  rule(
    'A44 drop a DURATION that was beside DUE once they change',
    ['DTSTART:20250701T100000Z', 'DUE:20250709T080000Z', 'DURATION:P1D'],
    { due: at + 60_000 },
    ['DUE:20250709T080000Z', 'DURATION:P1D'],
    ['DUE:20250709T080100Z'],
  );
  rule(
    'drop a DURATION that would begin to count',
    ['DURATION:P1D'],
    { dtstart: at, timezone: 'UTC' },
    ['DURATION:P1D'],
    ['DTSTART:20250709T080000Z'],
  );
  rule(
    'that cannot be read give way',
    ['DUE;TZID=x:garbage'],
    { due: Date.UTC(2025, 0, 1), isAllDay: true },
    ['DUE;TZID=x:garbage'],
    ['DUE;VALUE=DATE:20250101'],
  );

  for (const zone of ['America/Los_Angeles', 'Pacific/Auckland']) {
    it(`A41 all-day due 2025-03-09 round-trips as that date for a user in ${zone}`, () => {
      const before = process.env.TZ;
      process.env.TZ = zone;
      try {
        const base = file('DUE;VALUE=DATE:20250309');
        assert.equal(readResource(base).master?.fields.due, Date.UTC(2025, 2, 9));
        assert.match(edit(base, { title: 'x' }), /\r\nDUE;VALUE=DATE:20250309\r\n/);
        const { master } = readResource(edit(file(), { due: Date.UTC(2025, 2, 9), isAllDay: true, timezone: null }));
        assert.equal(master?.fields.due, Date.UTC(2025, 2, 9));
        assert.equal(master?.fields.isAllDay, true);
      } finally {
        if (before === undefined) delete process.env.TZ;
        else process.env.TZ = before;
      }
    });
  }

  for (const [zone, line] of [
    ['a TZID with its VTIMEZONE', 'DUE;TZID=Office:20250709T100000'],
    ['an unknown TZID', 'DUE;TZID=Nowhere:20250709T100000'],
    ['a Windows name', 'DUE;TZID=W. Europe Standard Time:20250709T100000'],
    ['an IANA zone without VTIMEZONE', `DUE;TZID=${berlin}:20250709T100000`],
  ] as const) {
    it(`A42 ${zone} keeps its bytes when the title is edited`, () => {
      const base = calendar(
        'BEGIN:VTIMEZONE',
        'TZID:Office',
        'BEGIN:STANDARD',
        'DTSTART:19700101T000000',
        'TZOFFSETFROM:+0200',
        'TZOFFSETTO:+0200',
        'END:STANDARD',
        'END:VTIMEZONE',
        ...todo(line, 'SUMMARY:a'),
      );
      assert.deepEqual(difference(base, edit(base, { title: 'b' })), { gone: ['SUMMARY:a'], new: ['SUMMARY:b'] });
    });
  }
});

describe('a series in a file', () => {
  const base = calendar(
    ...todo('DTSTART;TZID=Europe/Berlin:20250701T090000', 'RRULE:FREQ=DAILY', 'SUMMARY:Daily'),
    ...todo(
      'RECURRENCE-ID;TZID=Europe/Berlin:20250703T090000',
      'DTSTART;TZID=Europe/Berlin:20250703T100000',
      'SUMMARY:Later',
    ),
    'BEGIN:VTODO',
    'UID:other',
    'SUMMARY:Not ours',
    'END:VTODO',
  );
  const read = readResource(base, { uid: 'u1' });
  const occurrence = (recurrenceId: number, columns: Columns): ResourceRow =>
    rowWith(read.master!, { rrule: null, dtstart: recurrenceId, recurrenceId, ...columns });

  it('A51 gets another override in one file with three VTODOs', () => {
    const done = occurrence(Date.UTC(2025, 6, 4, 7), { status: 2, completedAt: now });
    const written = writeResource({ master: read.master!, overrides: [...read.overrides, done] }, base, now);
    assert.deepEqual(difference(base, written).gone, []);
    const again = readResource(written, { uid: 'u1' });
    assert.deepEqual(
      again.overrides.map(({ fields }) => [fields.recurrenceId, fields.status, fields.dtstart]),
      [
        [Date.UTC(2025, 6, 3, 7), 0, Date.UTC(2025, 6, 3, 8)],
        [Date.UTC(2025, 6, 4, 7), 2, Date.UTC(2025, 6, 4, 7)],
      ],
    );
    assert.ok(written.indexOf('20250704T090000') < written.indexOf('UID:other'));
    assert.ok(written.includes('RECURRENCE-ID;TZID=Europe/Berlin:20250704T090000'));
    // The master said nothing new, and so keeps its stamps.
    assert.equal(written.match(/DTSTAMP:20250101T000000Z/g)?.length, 2);
  });

  it('gets an edited override without a change to its master', () => {
    const edited = rowWith(read.overrides[0]!, { title: 'Much later' });
    const written = writeResource({ ...read, overrides: [edited] }, base, now);
    assert.deepEqual(difference(base, written), { gone: ['SUMMARY:Later'], new: ['SUMMARY:Much later'] });
  });

  it('loses a removed override, and nothing else', () => {
    const written = writeResource({ ...read, overrides: [] }, base, now);
    assert.ok(!written.includes('SUMMARY:Later'));
    assert.ok(written.includes('SUMMARY:Daily') && written.includes('SUMMARY:Not ours'));
  });

  it('of days identifies its occurrences by DATE', () => {
    const days = file('DUE;VALUE=DATE:20250701', 'RRULE:FREQ=DAILY');
    const { master } = readResource(days);
    const id = Date.UTC(2025, 6, 5);
    const override = rowWith(master!, { rrule: null, recurrenceId: id, due: id, status: 2 });
    assert.ok(
      writeResource({ master, overrides: [override] }, days, now).includes('RECURRENCE-ID;VALUE=DATE:20250705\r\n'),
    );
  });

  it('converts the ids of its overrides when it becomes all-day, and back', () => {
    const days: Columns = { dtstart: Date.UTC(2025, 6, 1), isAllDay: true, timezone: null };
    for (const id of [Date.UTC(2025, 6, 3, 7), Date.UTC(2025, 6, 3)]) {
      const overrides = [rowWith(read.overrides[0]!, { recurrenceId: id })];
      const written = writeResource({ master: rowWith(read.master!, days), overrides }, base, now);
      assert.deepEqual(difference(base, written), {
        gone: ['DTSTART;TZID=Europe/Berlin:20250701T090000', 'RECURRENCE-ID;TZID=Europe/Berlin:20250703T090000'],
        new: ['DTSTART;VALUE=DATE:20250701', 'RECURRENCE-ID;VALUE=DATE:20250703'],
      });
      const again = readResource(written, { uid: 'u1' });
      assert.equal(again.overrides[0]?.fields.recurrenceId, Date.UTC(2025, 6, 3));
      const back = writeResource({ ...again, master: read.master! }, written, now);
      assert.ok(back.includes('RECURRENCE-ID;TZID=Europe/Berlin:20250703T090000'));
    }
  });

  it('keeps the master in the file if the rows have none', () => {
    const written = writeResource({ overrides: [rowWith(read.overrides[0]!, { title: 'x' })] }, base, now);
    assert.ok(written.includes('SUMMARY:Daily'));
  });
});
