import assert from 'node:assert/strict';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { frameOf } from '../../../src/core/ical/components';
import { rowWith } from '../../../src/core/ical/contentGroups';
import { readResource } from '../../../src/core/ical/readResource';
import { emptyFields } from '../../../src/core/ical/row';
import { timezoneLines } from '../../../src/core/ical/timezoneText';
import { writeResource } from '../../../src/core/ical/writeResource';
import { zonesOf } from '../../../src/core/ical/zoneTable';
import { readLines } from '../../../src/core/lines/contentLines';
import { fromWall, wallOf } from '../../../src/core/time/zones';

const zonesIn = (text: string) => {
  const lines = readLines(text);
  return zonesOf(lines, frameOf(lines).roots);
};

/** A VTIMEZONE of a real zone under a name that nobody else knows. */
const disguised = (zone: string, from: number, to: number) =>
  timezoneLines(zone, from, to)!.join('\r\n').replace(`TZID:${zone}`, 'TZID:Disguised');

const zones = [
  'Europe/Berlin',
  'Europe/London',
  'Europe/Dublin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Santiago',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Jerusalem',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'America/St_Johns',
  'America/Nuuk',
  'Europe/Moscow',
  'UTC',
];

describe('VTIMEZONE', () => {
  for (const zone of zones) {
    it(`of ${zone} agrees with IANA, read by us and by ical.js`, () => {
      const text = disguised(zone, 2010, 2036);
      const own = zonesIn(text);
      const theirs = new ICAL.Timezone(new ICAL.Component(ICAL.parse(text)));
      const instants = fc.integer({ min: Date.UTC(2010, 0, 2) / 1000, max: Date.UTC(2036, 11, 30) / 1000 });
      fc.assert(
        fc.property(instants, seconds => {
          const instant = seconds * 1000;
          const wall = wallOf(instant, zone);
          assert.equal(own.toWall('Disguised', instant), wall);
          assert.equal(own.toInstant('Disguised', wall), fromWall(wall, zone));
          // ical.js is off by the offset around a change.
          const isCalm = [-1, 1].every(days => wallOf(instant + days * 86_400_000, zone) - wall === days * 86_400_000);
          if (!isCalm) return;
          const time = ICAL.Time.fromJSDate(new Date(instant), true).convertToZone(theirs);
          const shown = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
          assert.equal(shown, wall, new Date(instant).toISOString());
        }),
        { numRuns: 60 },
      );
    });
  }

  it('has a rule if the changes follow one', () => {
    const lines = timezoneLines('Europe/Berlin', 2024, 2036)!;
    assert.deepEqual(
      lines.filter(line => line.startsWith('RRULE')),
      ['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
    );
    assert.ok(lines.length < 25);
    const own = zonesIn(disguised('Europe/Berlin', 2024, 2036));
    assert.equal(own.toWall('Disguised', Date.UTC(2090, 6, 1)), Date.UTC(2090, 6, 1, 2));
  });

  it('is not written for an unknown zone', () => {
    assert.equal(timezoneLines('My Office', 2024, 2030), undefined);
  });

  it('of a private zone dates a task, far away and long ago, too', () => {
    const text = [
      'BEGIN:VCALENDAR',
      'BEGIN:VTODO',
      'UID:u1',
      'DTSTART;TZID="(UTC+01:00) Anywhere, Elsewhere":20250101T090000',
      'DUE;TZID="(UTC+01:00) Anywhere, Elsewhere":20250701T090000',
      'END:VTODO',
      'BEGIN:VTIMEZONE',
      'TZID:(UTC+01:00) Anywhere\\, Elsewhere',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
      'END:VCALENDAR',
    ].join('\n');
    const { master, faults } = readResource(text);
    assert.deepEqual(faults, []);
    assert.equal(master?.fields.timezone, '(UTC+01:00) Anywhere, Elsewhere');
    assert.equal(master?.fields.dtstart, Date.UTC(2025, 0, 1, 8));
    assert.equal(master?.fields.due, Date.UTC(2025, 6, 1, 7));
    const moved = rowWith(master!, { due: Date.UTC(2026, 11, 1, 8) });
    assert.ok(
      writeResource({ master: moved, overrides: [] }, text, 0).includes(
        '\nDUE;TZID="(UTC+01:00) Anywhere, Elsewhere":20261201T090000\n',
      ),
    );
    const zone = zonesIn(text);
    for (const year of [1500, 1700, 1969, 2500]) {
      const summer = zone.toWall('(UTC+01:00) Anywhere, Elsewhere', Date.UTC(year, 6, 1));
      assert.equal(summer, Date.UTC(year, 6, year < 1601 ? 1 : 1, year < 1601 ? 1 : 2), `${year}`);
    }
  });

  it('with RDATE, UNTIL and COUNT changes at their times', () => {
    const zone = zonesIn(
      [
        'BEGIN:VTIMEZONE',
        'TZID:Odd',
        'BEGIN:STANDARD',
        'DTSTART:20000101T000000',
        'TZOFFSETFROM:+0000',
        'TZOFFSETTO:+0000',
        'RDATE:20020101T000000,20040101T000000',
        'END:STANDARD',
        'BEGIN:DAYLIGHT',
        'DTSTART:20010101T000000',
        'TZOFFSETFROM:+0000',
        'TZOFFSETTO:+0130',
        'RRULE:FREQ=YEARLY;INTERVAL=2;UNTIL=20030101T000000Z',
        'END:DAYLIGHT',
        'BEGIN:DAYLIGHT',
        'DTSTART:20050101T000000',
        'TZOFFSETFROM:+0000',
        'TZOFFSETTO:-024530',
        'RRULE:FREQ=YEARLY;COUNT=1',
        'END:DAYLIGHT',
        'END:VTIMEZONE',
      ].join('\n'),
    );
    const offsets = [1999, 2000, 2001, 2002, 2003, 2004, 2005, 2009].map(
      year => (zone.toWall('Odd', Date.UTC(year, 6, 1))! - Date.UTC(year, 6, 1)) / 60_000,
    );
    assert.deepEqual(offsets, [0, 0, 90, 0, 90, 0, -165.5, -165.5]);
  });

  const yearly = (rule: string, start: string) => {
    const head = ['BEGIN:VTIMEZONE', 'TZID:Odd', 'BEGIN:STANDARD', 'DTSTART:19000101T000000', 'TZOFFSETFROM:+0000'];
    const onset = ['BEGIN:DAYLIGHT', `DTSTART:${start}`, 'TZOFFSETFROM:+0000', 'TZOFFSETTO:+0100', `RRULE:${rule}`];
    return [...head, 'TZOFFSETTO:+0000', 'END:STANDARD', ...onset, 'END:DAYLIGHT', 'END:VTIMEZONE'].join('\n');
  };
  const hourOf = (zone: ReturnType<typeof zonesIn>, instant: number) =>
    (zone.toWall('Odd', instant)! - instant) / 3_600_000;

  it('gives the same offsets in any order of lookup', () => {
    const text = disguised('America/New_York', 1990, 2036).replaceAll('Disguised', 'Odd');
    const instants = Array.from({ length: 400 }, (_, index) => Date.UTC(1600 + 2 * index, index % 12, 9));
    const [forwards, backwards] = [zonesIn(text), zonesIn(text)];
    const up = instants.map(instant => hourOf(forwards, instant));
    const down = instants.toReversed().map(instant => hourOf(backwards, instant));
    assert.deepEqual(down.reverse(), up);
  });

  for (const [rule, start, last] of [
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU', '19040228T000000', Date.UTC(1976, 1, 29)],
    ['FREQ=YEARLY;INTERVAL=30', '19100601T000000', Date.UTC(1970, 5, 1)],
    ['FREQ=YEARLY;UNTIL=19310601T000000', '19100601T000000', Date.UTC(1931, 5, 1)],
    ['FREQ=YEARLY;COUNT=3', '19100601T000000', Date.UTC(1912, 5, 1)],
  ] as const) {
    it(`knows the last change of ${rule}, however long ago it was`, () => {
      const back = `BEGIN:STANDARD\nDTSTART:${new Date(last - 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}T000000`;
      const text = yearly(rule, start).replace(
        'END:VTIMEZONE',
        `${back}\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0000\nEND:STANDARD\nEND:VTIMEZONE`,
      );
      const zone = zonesIn(text);
      assert.equal(hourOf(zone, Date.UTC(1999, 11, 1)), 1);
      assert.equal(hourOf(zone, last - 3_600_000), 0);
      assert.equal(hourOf(zone, last), 1);
    });
  }

  it('reads a rule that names one time of day, as Lotus Notes writes it', () => {
    const zone = zonesIn(yearly('FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=1SU;BYMONTH=4', '19980405T020000'));
    assert.equal(hourOf(zone, Date.UTC(2000, 6, 1)), 1);
  });

  it('of hundreds of observances since the year 1 dates tasks decades apart without hanging', () => {
    const observances = Array.from({ length: 500 }, () => [
      'BEGIN:STANDARD',
      'DTSTART:00010101T000000',
      'TZOFFSETFROM:+0000',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYDAY=1MO',
      'END:STANDARD',
    ]).flat();
    const zone = zonesIn(['BEGIN:VTIMEZONE', 'TZID:Odd', ...observances, 'END:VTIMEZONE'].join('\r\n'));
    for (const year of [1995, 2085]) assert.equal(hourOf(zone, Date.UTC(year, 0, 9)), 1);
  });

  for (const [content, lines] of [
    ['nothing in it', []],
    ['an observance without offsets', ['BEGIN:STANDARD', 'DTSTART:20000101T000000', 'END:STANDARD']],
    [
      'a rule that cannot be read',
      ['BEGIN:STANDARD', 'DTSTART:20000101T000000', 'TZOFFSETTO:+0100', 'RRULE:FREQ=OFTEN', 'END:STANDARD'],
    ],
    [
      'a rule each second',
      ['BEGIN:STANDARD', 'DTSTART:19000101T000000', 'TZOFFSETTO:+0100', 'RRULE:FREQ=SECONDLY', 'END:STANDARD'],
    ],
    [
      'a rule that never comes',
      [
        'BEGIN:STANDARD',
        'DTSTART:20000101T000000',
        'TZOFFSETTO:+0100',
        'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31',
        'END:STANDARD',
      ],
    ],
    [
      'a rule by days that never comes',
      [
        'BEGIN:STANDARD',
        'DTSTART:20000101T000000',
        'TZOFFSETTO:+0100',
        'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
        'END:STANDARD',
      ],
    ],
    [
      'an interval of none',
      [
        'BEGIN:STANDARD',
        'DTSTART:20000101T000000',
        'TZOFFSETTO:+0100',
        'RRULE:FREQ=DAILY;INTERVAL=0;COUNT=0',
        'END:STANDARD',
      ],
    ],
  ] as const) {
    it(`with ${content} neither fails nor hangs`, () => {
      const text = ['BEGIN:VCALENDAR', 'BEGIN:VTIMEZONE', 'TZID:Odd', ...lines, 'END:VTIMEZONE'];
      const read = readResource(
        [...text, 'BEGIN:VTODO', 'UID:u', 'DUE;TZID=Odd:20250101T090000', 'END:VTODO', 'END:VCALENDAR'].join('\r\n'),
      );
      assert.notEqual(read.master?.fields.due ?? null, null);
    });
  }
});

describe('time zones of a written file', () => {
  const now = Date.UTC(2026, 0, 1);
  const at = Date.UTC(2026, 5, 1, 7);
  const weekly = { title: 't', dtstart: at, timezone: 'Europe/Berlin', rrule: 'FREQ=WEEKLY' } as const;
  const fields = { ...emptyFields('u1'), ...weekly };

  it('are described by a VTIMEZONE before the task', () => {
    const text = writeResource({ master: { fields }, overrides: [] }, undefined, now);
    assert.ok(text.indexOf('BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin') < text.indexOf('BEGIN:VTODO'));
    assert.ok(text.includes('DTSTART;TZID=Europe/Berlin:20260601T090000'));
    new ICAL.Component(ICAL.parse(text));
    assert.deepEqual(readResource(text).master?.fields.dtstart, at);
  });

  it('are described once, however many overrides there are, and under their Windows name, too', () => {
    const windows = { ...fields, timezone: 'W. Europe Standard Time' };
    const override = (id: number) => ({ fields: { ...windows, rrule: null, recurrenceId: id, dtstart: id } });
    const text = writeResource(
      { master: { fields: windows }, overrides: [override(at + 7 * 86_400_000), override(at + 14 * 86_400_000)] },
      undefined,
      now,
    );
    assert.equal(text.match(/BEGIN:VTIMEZONE/g)?.length, 1);
    assert.ok(text.includes('TZID:W. Europe Standard Time\r\n'));
  });

  it('are not described twice, and not for a task in UTC, floating or all-day', () => {
    const text = writeResource({ master: { fields }, overrides: [] }, undefined, now);
    const edited = { fields: { ...fields, dtstart: at + 3_600_000 } };
    const again = writeResource({ master: edited, overrides: [] }, text, now);
    assert.equal(again.match(/BEGIN:VTIMEZONE/g)?.length, 1);
    for (const columns of [{ timezone: 'UTC' }, { timezone: null }, { timezone: null, isAllDay: true }]) {
      const plain = writeResource({ master: { fields: { ...fields, ...columns } }, overrides: [] }, undefined, now);
      assert.ok(!plain.includes('VTIMEZONE'));
    }
  });

  it('of excluded dates are described, too', () => {
    const exdate = 'EXDATE;TZID=America/New_York:20260608T030000';
    const text = writeResource({ master: { fields: { ...fields, exdate } }, overrides: [] }, undefined, now);
    assert.equal(text.match(/BEGIN:VTIMEZONE/g)?.length, 2);
  });
});
