import assert from 'node:assert/strict';
import { columnLines } from '../../../src/core/ical/newText';
import { readResource } from '../../../src/core/ical/readResource';
import type { ReadContext, Resource, TaskFields } from '../../../src/core/ical/row';

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const todo = (...lines: string[]) => ['BEGIN:VTODO', 'UID:u1', 'DTSTAMP:20250101T000000Z', ...lines, 'END:VTODO'];
const read = (...lines: string[]) => readResource(calendar(...todo(...lines)));
const fieldsOf = (...lines: string[]): TaskFields => read(...lines).master!.fields;
const unknownOf = (...lines: string[]) => columnLines(fieldsOf(...lines).unknownProperties).map(line => line.text);
const utc = (text: string) => Date.parse(`${text}Z`);

/** One row of the table in docs/mapping.md: what a line gives in a column, and what of it stays raw. */
function row(column: keyof TaskFields, lines: string | string[], value: unknown, raw: string[] = []): void {
  const given = typeof lines === 'string' ? [lines] : lines;
  it(`${column} of ${given.join(' + ') || 'nothing'} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(fieldsOf(...given)[column], value);
    assert.deepEqual(unknownOf(...given), raw);
  });
}

/** The English sentence stands for a fault's message. */
const faultsOf = ({ faults }: Pick<Resource, 'faults'>) =>
  faults.map(({ message, ...fault }) => ({ ...fault, message: message.text }));

describe('a VTODO as a row', () => {
  row('title', [], null);
  row('title', 'SUMMARY:', '');
  row('title', 'summary:Low', 'Low');
  row('title', 'SUMMARY;LANGUAGE=de:Käse\\, Wein\\; Brot\\n\\N\\\\', 'Käse, Wein; Brot\n\n\\');
  row('title', 'SUMMARY:a\0b\x07c', 'abc');
  row('title', ['SUMMARY:One', 'SUMMARY:Two'], 'One', ['SUMMARY:Two']);
  row('title', 'SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:50% K=C3=A4se', '50% Käse');
  row('title', 'SUMMARY;ENCODING=QUOTED-PRINTABLE:K=E4se', 'K=E4se');
  row('description', 'DESCRIPTION;ALTREP="cid:x":line\\nline', 'line\nline');
  row('location', 'LOCATION:Here', 'Here');
  row('url', 'URL;VALUE=URI:https://a.example/x;y,z?q=\\n', 'https://a.example/x;y,z?q=\\n');
  row('url', 'URL:https://a.example/x\\;y\\,z', 'https://a.example/x;y,z');
  row('color', 'COLOR:PapayaWhip', 0xffffefd5 | 0);
  row('color', 'COLOR:octarine', null, ['COLOR:octarine']);
  row('tags', 'CATEGORIES:a\\,b,c', ['a,b', 'c']);
  row('tags', ['CATEGORIES:x, y ,', 'CATEGORIES;LANGUAGE=en:y,Y,z'], ['x', 'y', 'Y', 'z']);
  row('status', [], 0);
  row('status', 'STATUS:in-process', 1);
  row('status', 'STATUS:COMPLETED', 2);
  row('status', 'STATUS:CANCELLED', 3);
  row('status', 'STATUS:X-WAITING', 0, ['STATUS:X-WAITING']);
  row('status', 'COMPLETED:20250102T030405Z', 2);
  row('status', ['COMPLETED:20250102T030405Z', 'STATUS:IN-PROCESS'], 1);
  row('percentComplete', 'PERCENT-COMPLETE:40', 40);
  row('percentComplete', 'PERCENT-COMPLETE:140', 100, ['PERCENT-COMPLETE:140']);
  row('percentComplete', 'PERCENT-COMPLETE:50%', null, ['PERCENT-COMPLETE:50%']);
  row('completedAt', 'COMPLETED:20250102T030405Z', utc('2025-01-02T03:04:05'));
  row('completedAt', 'COMPLETED;VALUE=DATE:20250102', utc('2025-01-02T00:00:00'));
  row('completedAt', 'COMPLETED:20250102T030405', utc('2025-01-02T03:04:05'));
  row('completedAt', 'STATUS:COMPLETED', null);
  row('completedAt', 'COMPLETED:20250230T000000Z', null, ['COMPLETED:20250230T000000Z']);
  row('priority', 'PRIORITY:3', 3);
  row('priority', 'PRIORITY:10', 0, ['PRIORITY:10']);
  row('priority', 'PRIORITY:high', 0, ['PRIORITY:high']);
  row('classification', [], null);
  row('classification', 'CLASS:PUBLIC', 0);
  row('classification', 'CLASS:confidential', 2);
  row('classification', 'CLASS:X-SECRET', 1, ['CLASS:X-SECRET']);
  row('duration', ['DTSTART:20250101T090000Z', 'DURATION:P1DT2H'], 'P1DT2H');
  row('duration', ['DTSTART:20250101T090000Z', 'DUE:20250102T090000Z', 'DURATION:P1D'], null, ['DURATION:P1D']);
  row('duration', 'DURATION:P1D', null, ['DURATION:P1D']);
  row('duration', ['DTSTART:20250101T090000Z', 'DURATION:soon'], null, ['DURATION:soon']);
  row('rrule', ['RRULE:freq=daily;COUNT=3', 'RRULE:FREQ=YEARLY'], 'freq=daily;COUNT=3', ['RRULE:FREQ=YEARLY']);
  row(
    'rdate',
    ['RDATE;VALUE=PERIOD:20250101T000000Z/PT1H', 'RDATE:20250102T000000Z'],
    'RDATE;VALUE=PERIOD:20250101T000000Z/PT1H\nRDATE:20250102T000000Z',
  );
  row(
    'exdate',
    'EXDATE;TZID=Europe/Berlin:20250101T000000,20250102T000000',
    'EXDATE;TZID=Europe/Berlin:20250101T000000,20250102T000000',
  );
  row('sortOrder', 'X-APPLE-SORT-ORDER:-17', -17);
  row('sortOrder', 'CREATED:20010101T000100Z', 60);
  row('sortOrder', [], 0);
  row('createdAt', 'CREATED:20250102T030405Z', utc('2025-01-02T03:04:05'));
  row('lastModified', 'LAST-MODIFIED:20250102T030405Z', utc('2025-01-02T03:04:05'));
  row('sequence', 'SEQUENCE:7', 7);
  row('sequence', 'SEQUENCE:abc', 0, ['SEQUENCE:abc']);

  it('keeps what no column models, in order and unfolded, components with their lines', () => {
    assert.deepEqual(
      unknownOf(
        'GEO:48.20;16.37',
        'SUMMARY:x',
        'ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:QUJD\r\n REVG',
        'BEGIN:VALARM',
        'ACTION:EMAIL',
        'TRIGGER:-PT5M',
        'END:VALARM',
        'x-note;p=1:low',
        'broken line',
        'BEGIN:PARTICIPANT',
        'BEGIN:VLOCATION',
        'NAME:n',
        'END:VLOCATION',
        'END:PARTICIPANT',
        'COMMENT:second',
      ),
      [
        'GEO:48.20;16.37',
        'ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:QUJDREVG',
        'BEGIN:VALARM',
        'ACTION:EMAIL',
        'TRIGGER:-PT5M',
        'END:VALARM',
        'x-note;p=1:low',
        'broken line',
        'BEGIN:PARTICIPANT',
        'BEGIN:VLOCATION',
        'NAME:n',
        'END:VLOCATION',
        'END:PARTICIPANT',
        'COMMENT:second',
      ],
    );
  });

  it('has its parent and children, and keeps every relation raw', () => {
    const lines = [
      'RELATED-TO;RELTYPE=SIBLING:s',
      'RELATED-TO;VALUE=URI:https://a.example',
      'RELATED-TO;RELTYPE=CHILD:c\\,1',
      'RELATED-TO;RELTYPE="":p',
      'RELATED-TO:q',
    ];
    const { master } = read(...lines);
    assert.equal(master?.parentUid, 'p');
    assert.deepEqual(master?.childUids, ['c,1']);
    assert.deepEqual(unknownOf(...lines), lines);
    assert.equal(read('RELATED-TO;RELTYPE=parent:p').master?.parentUid, 'p');
    assert.equal(read().master?.parentUid, null);
  });
});

describe('dates of a VTODO', () => {
  const dates = (...lines: string[]) => {
    const { dtstart, due, isAllDay, timezone } = fieldsOf(...lines);
    return { dtstart, due, isAllDay, timezone };
  };
  const none = { dtstart: null, due: null, isAllDay: false, timezone: null };

  for (const [name, lines, expected] of [
    ['a DATE', ['DUE;VALUE=DATE:20250309'], { due: utc('2025-03-09T00:00'), isAllDay: true }],
    ['a DATE without VALUE', ['DUE:20250309'], { due: utc('2025-03-09T00:00'), isAllDay: true }],
    ['a DATE with a time', ['DUE;VALUE=DATE:20250309T101112Z'], { due: utc('2025-03-09T00:00'), isAllDay: true }],
    ['a floating time', ['DUE:20250309T101112'], { due: utc('2025-03-09T10:11:12') }],
    ['UTC', ['DUE:20250309T101112Z'], { due: utc('2025-03-09T10:11:12'), timezone: 'UTC' }],
    [
      'UTC in spite of a TZID',
      ['DUE;TZID=Europe/Berlin:20250309T101112Z'],
      { due: utc('2025-03-09T10:11:12'), timezone: 'UTC' },
    ],
    ['a TZID', ['DUE;TZID=Europe/Berlin:20250709T100000'], { due: utc('2025-07-09T08:00'), timezone: 'Europe/Berlin' }],
    [
      'a TZID in quotes',
      ['DUE;TZID="America/New_York":20250709T100000'],
      { due: utc('2025-07-09T14:00'), timezone: 'America/New_York' },
    ],
    [
      'a Windows name',
      ['DUE;TZID=W. Europe Standard Time:20250709T100000'],
      { due: utc('2025-07-09T08:00'), timezone: 'W. Europe Standard Time' },
    ],
    [
      'a time left out in spring',
      ['DUE;TZID=Europe/Berlin:20250330T023000'],
      { due: utc('2025-03-30T01:30'), timezone: 'Europe/Berlin' },
    ],
    [
      'a time that comes twice',
      ['DUE;TZID=Europe/Berlin:20251026T023000'],
      { due: utc('2025-10-26T00:30'), timezone: 'Europe/Berlin' },
    ],
    ['a leap second', ['DUE:20161231T235960Z'], { due: utc('2016-12-31T23:59:59'), timezone: 'UTC' }],
    ['a year before 100', ['DUE;VALUE=DATE:00330403'], { due: Date.parse('0033-04-03T00:00Z'), isAllDay: true }],
    [
      'DATE start and timed due',
      ['DTSTART;VALUE=DATE:20250701', 'DUE;TZID=Europe/Berlin:20250709T100000'],
      { dtstart: utc('2025-06-30T22:00'), due: utc('2025-07-09T08:00'), timezone: 'Europe/Berlin' },
    ],
    [
      'timed start and DATE due',
      ['DTSTART:20250701T100000', 'DUE;VALUE=DATE:20250709'],
      { dtstart: utc('2025-07-01T10:00'), due: utc('2025-07-09T00:00') },
    ],
    [
      'two zones',
      ['DTSTART;TZID=America/New_York:20250701T100000', 'DUE;TZID=Europe/Berlin:20250709T100000'],
      { dtstart: utc('2025-07-01T14:00'), due: utc('2025-07-09T08:00'), timezone: 'Europe/Berlin' },
    ],
    [
      'floating due beside a zoned start',
      ['DTSTART;TZID=Europe/Berlin:20250701T100000', 'DUE:20250709T100000'],
      { dtstart: utc('2025-07-01T08:00'), due: utc('2025-07-09T08:00'), timezone: 'Europe/Berlin' },
    ],
    [
      'due before start',
      ['DTSTART;VALUE=DATE:20250709', 'DUE;VALUE=DATE:20250701'],
      { dtstart: utc('2025-07-09T00:00'), due: utc('2025-07-01T00:00'), isAllDay: true },
    ],
  ] as const) {
    it(`reads ${name}`, () => assert.deepEqual(dates(...lines), { ...none, ...expected }));
  }

  for (const value of [
    'garbage',
    '',
    '20250230',
    '20251301',
    '20250101T250000Z',
    '20250101T106000',
    '2025-01-01',
    '20250101T10',
  ]) {
    it(`keeps DUE:${value} raw`, () => {
      assert.deepEqual(dates(`DUE:${value}`), none);
      assert.deepEqual(unknownOf(`DUE:${value}`), [`DUE:${value}`]);
      assert.equal(read(`DUE:${value}`).faults[0]?.kind, 'value');
    });
  }

  it('keeps and reports lines with unreadable parameters, and only those', () => {
    const refused = ['DUE;=x:20250709', 'CATEGORIES;=x:a', 'EXDATE;=x:20250709', `SUMMARY${';P=1'.repeat(2000)}:b`];
    const lines = [...refused, 'CATEGORIES:c', 'X-OTHER;=x:d'];
    const { tags, title, exdate } = fieldsOf(...lines);
    assert.deepEqual(
      { dates: dates(...lines), tags, title, exdate },
      { dates: none, tags: ['c'], title: null, exdate: null },
    );
    assert.deepEqual(unknownOf(...lines).toSorted(), [...refused, 'X-OTHER;=x:d'].toSorted());
    assert.deepEqual(
      faultsOf(read(...lines)).map(({ kind, line }) => [kind, line]),
      [10, 8, 7, 9].map(line => ['value', line]),
    );
  });

  it('reads an unknown zone as floating, and keeps the line', () => {
    const line = 'DUE;TZID=My Office:20250709T100000';
    assert.deepEqual(dates(line), { ...none, due: utc('2025-07-09T10:00') });
    assert.deepEqual(unknownOf(line), [line]);
    assert.deepEqual(faultsOf(read(line)), [{ kind: 'zone', line: 7, message: 'Unknown time zone “My Office”' }]);
  });
});

describe('alarms of a VTODO', () => {
  const alarm = (...lines: string[]) => fieldsOf('BEGIN:VALARM', ...lines, 'END:VALARM').alarms;
  for (const [trigger, minutesBefore, reference] of [
    ['TRIGGER:-PT15M', 15, 'START'],
    ['TRIGGER;RELATED=END:-P1DT1H', 1500, 'DUE'],
    ['TRIGGER;RELATED=START:PT30M', -30, 'START'],
    ['TRIGGER;RELATED=END:PT0S', 0, 'DUE'],
    ['TRIGGER:-PT90S', 2, 'START'],
    ['TRIGGER;VALUE=DATE-TIME:20250101T090000Z', -utc('2025-01-01T09:00') / 60_000, 'ABSOLUTE'],
    ['TRIGGER:20250101T090000Z', -utc('2025-01-01T09:00') / 60_000, 'ABSOLUTE'],
    ['TRIGGER;VALUE=DATE-TIME;TZID=Europe/Berlin:20250101T090000', -utc('2025-01-01T08:00') / 60_000, 'ABSOLUTE'],
  ] as const) {
    it(`A48 reads ${trigger}`, () => {
      assert.deepEqual(alarm('ACTION:DISPLAY', 'DESCRIPTION:Now', trigger), [
        { minutesBefore, reference, message: 'Now' },
      ]);
    });
  }

  it('may be AUDIO, and may lack a message', () => {
    assert.deepEqual(alarm('ACTION:audio', 'TRIGGER:-PT5M'), [{ minutesBefore: 5, reference: 'START', message: null }]);
  });

  for (const lines of [
    ['ACTION:EMAIL', 'TRIGGER:-PT5M', 'DESCRIPTION:x'],
    ['ACTION:PROCEDURE', 'TRIGGER:-PT5M'],
    ['ACTION:NONE', 'TRIGGER;VALUE=DATE-TIME:19760401T005545Z'],
    ['ACTION:DISPLAY', 'TRIGGER;VALUE=DATE-TIME:19760401T005545Z'],
    ['ACTION:DISPLAY', 'TRIGGER:soon'],
    ['ACTION:DISPLAY'],
  ]) {
    it(`A48 keeps ${lines.join(' + ')} raw`, () => {
      assert.deepEqual(alarm(...lines), []);
      const run = ['BEGIN:VALARM', ...lines, 'END:VALARM'];
      assert.deepEqual(unknownOf(...run), run);
    });
  }
});

describe('a resource', () => {
  const series = todo('DTSTART;TZID=Europe/Berlin:20250701T090000', 'RRULE:FREQ=DAILY');
  const ids = (text: string) => readResource(text).overrides.map(({ fields }) => fields.recurrenceId);

  it('A51 consists of a master and its overrides', () => {
    const { uid, master, overrides, prodid, faults } = readResource(
      calendar(
        ...series,
        ...todo('RECURRENCE-ID;TZID=Europe/Berlin:20250703T090000', 'SUMMARY:Other', 'STATUS:COMPLETED'),
      ),
    );
    assert.deepEqual({ uid, prodid, faults }, { uid: 'u1', prodid: '-//Test//EN', faults: [] });
    assert.equal(master?.fields.recurrenceId, null);
    assert.equal(overrides[0]?.fields.title, 'Other');
    assert.equal(overrides[0]?.fields.recurrenceId, utc('2025-07-03T07:00'));
    assert.equal(overrides[0]?.fields.timezone, 'Europe/Berlin');
  });

  it('identifies occurrences as the series encodes its dates, however the id is written', () => {
    const expected = [utc('2025-07-03T07:00')];
    for (const id of [
      'RECURRENCE-ID:20250703T070000Z',
      'RECURRENCE-ID;VALUE=DATE:20250703',
      'RECURRENCE-ID;TZID=America/New_York:20250703T030000',
      'RECURRENCE-ID:20250703T090000',
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20250703T090000',
    ]) {
      assert.deepEqual(ids(calendar(...series, ...todo(id, 'DUE;VALUE=DATE:20250801'))), expected, id);
      assert.deepEqual(ids(calendar(...todo(id, 'DUE;VALUE=DATE:20250801'), ...series)), expected, id);
    }
    const days = todo('DUE;VALUE=DATE:20250701', 'RRULE:FREQ=DAILY');
    assert.deepEqual(ids(calendar(...days, ...todo('RECURRENCE-ID:20250703T120000Z'))), [utc('2025-07-03T00:00')]);
  });

  it('may be an override without its master', () => {
    const { uid, master, overrides } = readResource(calendar(...todo('RECURRENCE-ID:20250703T070000Z')));
    assert.deepEqual({ uid, master }, { uid: 'u1', master: undefined });
    assert.equal(overrides[0]?.fields.recurrenceId, utc('2025-07-03T07:00'));
    assert.equal(overrides[0]?.fields.timezone, 'UTC');
  });

  it('of several tasks is the requested one, otherwise the first', () => {
    const two = calendar(...todo('SUMMARY:One'), 'BEGIN:VTODO', 'UID:u2', 'SUMMARY:Two', 'END:VTODO');
    const pick = (context: ReadContext) => {
      const { uid, master, otherUids } = readResource(two, context);
      return { uid, title: master?.fields.title, otherUids };
    };
    assert.deepEqual(pick({}), { uid: 'u1', title: 'One', otherUids: ['u2'] });
    assert.deepEqual(pick({ uid: 'u2' }), { uid: 'u2', title: 'Two', otherUids: ['u1'] });
    assert.deepEqual(pick({ uid: 'u3' }), { uid: 'u1', title: 'One', otherUids: ['u2'] });
  });

  it('without a UID is identified by its file name', () => {
    const text = calendar('BEGIN:VTODO', 'SUMMARY:x', 'END:VTODO');
    assert.equal(readResource(text, { href: '/cal/a%20b.ics' }).uid, 'a b');
    assert.equal(readResource(text, { href: '/cal/100%/' }).uid, '100%');
    assert.equal(readResource(text, { href: '/cal/x.ics', uid: 'known' }).uid, 'known');
    assert.equal(readResource(text).uid, undefined);
    assert.equal(readResource(text).faults[0]?.message.text, 'A VTODO has no UID');
  });

  it('with the same VTODO twice is the first of the two', () => {
    const read = readResource(calendar(...todo('SUMMARY:One'), ...todo('SUMMARY:Two')));
    assert.equal(read.master?.fields.title, 'One');
    assert.deepEqual(faultsOf(read), [
      { kind: 'component', line: 9, message: 'The text contains the same VTODO twice' },
    ]);
  });

  it('of an event has no task and no fault', () => {
    const { uid, master, faults } = readResource(calendar('BEGIN:VEVENT', 'UID:e', 'END:VEVENT'));
    assert.deepEqual({ uid, master, faults }, { uid: undefined, master: undefined, faults: [] });
  });

  it('A20 with broken lines is read without those', () => {
    const text = calendar(...todo('SUMMARY:ok', 'this is no line', 'DUE:nonsense'));
    const read = readResource(text);
    assert.equal(read.master?.fields.title, 'ok');
    assert.deepEqual(faultsOf(read), [
      { kind: 'value', line: 9, message: 'DUE has a value that cannot be read: nonsense' },
      { kind: 'line', line: 8, message: 'Not a property: this is no line' },
    ]);
  });

  for (const [text, message] of [
    ['', 'The text is empty'],
    ['<html>', 'The text is not iCalendar data'],
    ['\0\x01\x02', 'The text is not iCalendar data'],
    ['BEGIN:VCARD\r\nEND:VCARD', 'The text does not contain a VCALENDAR'],
  ] as const) {
    it(`reports why nothing of ${JSON.stringify(text)} can be read`, () => {
      const { uid, faults } = readResource(text);
      assert.equal(uid, undefined);
      assert.deepEqual(
        faults.filter(fault => fault.kind === 'frame').map(fault => fault.message.text),
        [message],
      );
    });
  }

  it('of very many tasks, or of very many broken lines, is read, too', () => {
    const many = Array.from({ length: 200_000 }, (_, at) => `BEGIN:VTODO\nUID:${at}\nEND:VTODO\n`).join('');
    assert.equal(readResource(`BEGIN:VCALENDAR\n${many}END:VCALENDAR`).otherUids.length, 199_999);
    const broken = readResource(`BEGIN:VTODO\nUID:a\n${'no property\n'.repeat(200_000)}END:VTODO`);
    assert.equal(broken.master?.fields.uid, 'a');
  });

  it('that is cut off is read up to its end', () => {
    const { master, faults } = readResource('BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u1\r\nSUMMARY:half');
    assert.equal(master?.fields.title, 'half');
    assert.deepEqual(
      faults.map(({ message }) => message.text),
      ['A VTODO is not closed'],
    );
  });
});
