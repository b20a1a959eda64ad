import assert from 'node:assert/strict';
import { type Columns, rowWith } from '../../src/core/ical/content';
import { readLines } from '../../src/core/ical/contentLines';
import { readResource } from '../../src/core/ical/readResource';
import { emptyFields, type ResourceRow } from '../../src/core/ical/row';
import { writeResource } from '../../src/core/ical/writeResource';
import { Status } from '../../src/core/model';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const todo = (...lines: string[]) => ['BEGIN:VTODO', 'UID:u1', 'DTSTAMP:20250101T000000Z', ...lines, 'END:VTODO'];
const file = (...lines: string[]) => calendar(...todo(...lines));

/** The text after an edit of the master's columns. */
function edit(base: string, columns: Columns): string {
  const read = readResource(base);
  return writeResource({ ...read, master: rowWith(read.master!, columns) }, base, now);
}

const bookkeeping = /^(PRODID|DTSTAMP|LAST-MODIFIED|SEQUENCE):/;

/** Lines that went and lines that came, without the ones that each write renews. */
function difference(base: string, written: string): { gone: string[]; new: string[] } {
  const texts = (source: string) =>
    readLines(source)
      .map(line => source.slice(line.from, line.to).trimEnd())
      .filter(line => !bookkeeping.test(line));
  const [before, after] = [texts(base), texts(written)];
  return { gone: before.filter(line => !after.includes(line)), new: after.filter(line => !before.includes(line)) };
}

/** A case of rule W: these lines, edited so, lose those and gain these. */
function rule(name: string, lines: string[], columns: Columns, gone: string[], added: string[]): void {
  it(name, () => {
    const base = file(...lines);
    const written = edit(base, columns);
    assert.deepEqual(difference(base, written), { gone, new: added });
    assert.deepEqual(difference(base.replaceAll('\r\n', '\n'), edit(base.replaceAll('\r\n', '\n'), columns)), {
      gone,
      new: added,
    });
  });
}

describe('an edit of a file', () => {
  it('A40 that says nothing new gives the file back, byte for byte', () => {
    for (const base of [
      file('SUMMARY:x'),
      file('DUE:garbage', 'STATUS:X-ODD', 'PERCENT-COMPLETE:50%', 'COLOR:none').replaceAll('\r\n', '\n'),
      calendar('METHOD:PUBLISH', ...todo('CATEGORIES:b,a,,b', 'COMPLETED:20250101T000000Z')),
    ]) {
      assert.equal(edit(base, {}), base);
      assert.equal(edit(base, { lastModified: now, sequence: 9, unknownProperties: null }), base);
    }
  });

  it('renews DTSTAMP, LAST-MODIFIED and PRODID, and drops METHOD', () => {
    const base = calendar(
      'METHOD:REQUEST',
      'X-WR-CALNAME:Mine',
      ...todo('LAST-MODIFIED:20250101T000000Z', 'SUMMARY:a'),
    );
    assert.equal(
      edit(base, { title: 'b' }),
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Dueline//Dueline//EN',
        'X-WR-CALNAME:Mine',
        'BEGIN:VTODO',
        'UID:u1',
        'DTSTAMP:20260102T030405Z',
        'LAST-MODIFIED:20260102T030405Z',
        'SUMMARY:b',
        'END:VTODO',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    );
  });

  for (const [what, columns] of [
    ['the status', { status: Status.inProcess }],
    ['the due date', { due: Date.UTC(2025, 5, 1) }],
    ['the rule', { rrule: 'FREQ=DAILY' }],
    ['the excluded dates', { exdate: 'EXDATE;VALUE=DATE:20250102' }],
  ] as const) {
    it(`counts SEQUENCE up where it changes ${what}`, () => {
      assert.match(edit(file('DUE;VALUE=DATE:20250101', 'SEQUENCE:4'), columns), /\r\nSEQUENCE:5\r\n/);
      assert.match(edit(file('DUE;VALUE=DATE:20250101'), columns), /\r\nSEQUENCE:1\r\n/);
    });
  }

  it('leaves SEQUENCE alone where it changes the title, tags or alarms', () => {
    const written = edit(file('SEQUENCE:4'), { title: 'x', tags: ['y'], alarms: [{ minutesBefore: 5 }] });
    assert.match(written, /\r\nSEQUENCE:4\r\n/);
  });

  rule(
    'keeps the parameters of a text',
    ['SUMMARY;LANGUAGE=de;X-A="b:c":x'],
    { title: 'y' },
    ['SUMMARY;LANGUAGE=de;X-A="b:c":x'],
    ['SUMMARY;LANGUAGE=de;X-A="b:c":y'],
  );
  rule(
    'writes plain text where there was vCalendar’s quoted-printable',
    ['SUMMARY;X-A=1;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:K=C3=A4se'],
    { title: 'Käse!' },
    ['SUMMARY;X-A=1;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:K=C3=A4se'],
    ['SUMMARY;X-A=1:Käse!'],
  );
  rule('removes a line whose value is gone', ['LOCATION:x', 'SUMMARY:y'], { location: null }, ['LOCATION:x'], []);
  rule('writes an empty title as such', ['SUMMARY:x'], { title: '' }, ['SUMMARY:x'], ['SUMMARY:']);
  rule(
    'drops the rich form of a description that it changes',
    ['DESCRIPTION;LANGUAGE=en;ALTREP="data:text/html,x":x', 'X-ALT-DESC;FMTTYPE=text/html:<p>x</p>'],
    { description: 'y\nz' },
    ['DESCRIPTION;LANGUAGE=en;ALTREP="data:text/html,x":x', 'X-ALT-DESC;FMTTYPE=text/html:<p>x</p>'],
    ['DESCRIPTION;LANGUAGE=en:y\\nz'],
  );
  rule(
    'A49 keeps a priority within its bucket',
    ['PRIORITY:3', 'SUMMARY:x'],
    { title: 'y', priority: 3 },
    ['SUMMARY:x'],
    ['SUMMARY:y'],
  );
  rule('writes another priority', ['PRIORITY:3'], { priority: 9 }, ['PRIORITY:3'], ['PRIORITY:9']);
  rule('A49 keeps COLOR:papayawhip', ['COLOR:papayawhip', 'SUMMARY:x'], { title: 'y' }, ['SUMMARY:x'], ['SUMMARY:y']);
  rule(
    'A49 keeps a colour that it does not know',
    ['COLOR:octarine', 'SUMMARY:x'],
    { title: 'y' },
    ['SUMMARY:x'],
    ['SUMMARY:y'],
  );
  rule(
    'writes the colour closest by',
    ['COLOR:octarine'],
    { color: 0xfffe0102 | 0 },
    ['COLOR:octarine'],
    ['COLOR:red'],
  );
  rule('writes a class', [], { classification: 2 }, [], ['CLASS:CONFIDENTIAL']);
  rule(
    'replaces only the line that names the parent',
    ['RELATED-TO;RELTYPE=SIBLING:s', 'RELATED-TO;RELTYPE=PARENT;X-A=1:p', 'RELATED-TO;RELTYPE=CHILD:c'],
    { parentUid: 'q,r' },
    ['RELATED-TO;RELTYPE=PARENT;X-A=1:p'],
    ['RELATED-TO;RELTYPE=PARENT;X-A=1:q\\,r'],
  );
  rule(
    'removes the line that names the parent',
    ['RELATED-TO;RELTYPE=SIBLING:s', 'RELATED-TO:p'],
    { parentUid: null },
    ['RELATED-TO:p'],
    [],
  );
  rule('names a parent', [], { parentUid: 'p' }, [], ['RELATED-TO;RELTYPE=PARENT:p']);
  rule(
    'writes an order only once the user has made one',
    ['CREATED:20250101T000000Z'],
    { sortOrder: 7 },
    [],
    ['X-APPLE-SORT-ORDER:7'],
  );
  rule(
    'takes tags out of every line and adds to the first',
    ['CATEGORIES;LANGUAGE=en:a\\,b, c', 'CATEGORIES:d', 'CATEGORIES:c,e'],
    { tags: ['a,b', 'e', 'f;g'] },
    ['CATEGORIES;LANGUAGE=en:a\\,b, c', 'CATEGORIES:d', 'CATEGORIES:c,e'],
    ['CATEGORIES;LANGUAGE=en:a\\,b,f\\;g', 'CATEGORIES:e'],
  );
  rule(
    'leaves a line of tags alone that has none of the removed ones',
    ['CATEGORIES:a,b', 'CATEGORIES: d ,e'],
    { tags: ['a', 'd', 'e'] },
    ['CATEGORIES:a,b'],
    ['CATEGORIES:a'],
  );
  rule(
    'closes a task',
    ['STATUS:NEEDS-ACTION'],
    { status: 2, percentComplete: 100, completedAt: now },
    ['STATUS:NEEDS-ACTION'],
    ['STATUS:COMPLETED', 'COMPLETED:20260102T030405Z', 'PERCENT-COMPLETE:100'],
  );
  rule(
    'A50 reopens a task',
    ['STATUS:COMPLETED', 'COMPLETED:20250101T000000Z', 'PERCENT-COMPLETE:100'],
    { status: 0, percentComplete: null, completedAt: null },
    ['STATUS:COMPLETED', 'COMPLETED:20250101T000000Z', 'PERCENT-COMPLETE:100'],
    ['STATUS:NEEDS-ACTION'],
  );
  rule(
    'A50 reopens a task that was closed without saying so',
    ['COMPLETED:never'],
    { status: 0 },
    ['COMPLETED:never'],
    ['STATUS:NEEDS-ACTION'],
  );
  rule(
    'cancels a task and keeps its percentage',
    ['PERCENT-COMPLETE:40', 'STATUS:IN-PROCESS'],
    { status: 3 },
    ['STATUS:IN-PROCESS'],
    ['STATUS:CANCELLED'],
  );
  rule(
    'takes one date out of the excluded ones',
    ['RRULE:FREQ=DAILY', 'EXDATE:20250101T000000Z', 'EXDATE;X-A=1:20250102T000000Z'],
    { exdate: 'EXDATE;X-A=1:20250102T000000Z\nEXDATE:20250103T000000Z' },
    ['EXDATE:20250101T000000Z'],
    ['EXDATE:20250103T000000Z'],
  );
  rule(
    'writes a rule without line ends',
    ['RRULE:FREQ=DAILY'],
    { rrule: 'FREQ=WEEKLY\r\nX:1' },
    ['RRULE:FREQ=DAILY'],
    ['RRULE:FREQ=WEEKLYX:1'],
  );
});

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
    'A44 drop a DURATION that stood beside DUE once they change',
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
    it(`A41 all-day due 2025-03-09 round-trips as that date for a person in ${zone}`, () => {
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

  for (const [what, line] of [
    ['a TZID with its VTIMEZONE', 'DUE;TZID=Office:20250709T100000'],
    ['an unknown TZID', 'DUE;TZID=Nowhere:20250709T100000'],
    ['a Windows name', 'DUE;TZID=W. Europe Standard Time:20250709T100000'],
    ['an IANA zone without VTIMEZONE', `DUE;TZID=${berlin}:20250709T100000`],
  ] as const) {
    it(`A42 ${what} keeps its bytes when the title is edited`, () => {
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

describe('what is hard to keep', () => {
  it('A45 all lines but the title stay as they are', () => {
    const lines = [
      'SUMMARY;LANGUAGE=en:old',
      'x-lower;a=1:y',
      `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'QUJD'.repeat(75_000)}`,
      'GEO:48.20;16.37',
      'COMMENT:one',
      'COMMENT;LANGUAGE=de:zwei',
      'LOCATION;ALTREP="http://a.example/\\;":a\\;b;c',
      'RELATED-TO;RELTYPE=X-UIDS:a,b',
      'SEQUENCE:abc',
      'X-FOLDED:aaa\r\n bbb\r\n\t ccc',
      'X-EMPTY:',
      'DESCRIPTION:needless \\: escape\\, kept',
    ];
    const base = file(...lines);
    const written = edit(base, { title: 'new' });
    assert.deepEqual(difference(base, written), { gone: [lines[0]!], new: ['SUMMARY;LANGUAGE=en:new'] });
    assert.ok(written.includes('X-FOLDED:aaa\r\n bbb\r\n\t ccc\r\n'));
    assert.ok(written.includes('SEQUENCE:abc'));
  });

  it('A46 tags with commas and semicolons on two lines are the same set again', () => {
    const base = file('CATEGORIES:a\\,b,x', 'CATEGORIES:c\\;d');
    assert.deepEqual(readResource(base).master?.fields.tags, ['a,b', 'x', 'c;d']);
    const written = edit(base, { tags: ['a,b', 'c;d', 'new, one; two'] });
    assert.deepEqual(readResource(written).master?.fields.tags, ['a,b', 'new, one; two', 'c;d']);
  });

  it('A47 no value can bring in a line', () => {
    const evil = 'x\r\nEND:VTODO\r\nBEGIN:VEVENT\nX-EVIL:1\r';
    const row: Columns = {
      title: evil,
      description: evil,
      location: evil,
      url: `https://a.example/${evil}`,
      tags: [evil],
      rrule: `FREQ=DAILY${evil}`,
      rdate: `RDATE:20250101T000000Z\r${evil}`,
      exdate: `EXDATE:20250101T000000Z\nX-EVIL:1\r\n${evil}`,
      duration: `P1D${evil}`,
      parentUid: evil,
      timezone: `Europe/Berlin${evil}`,
      dtstart: now,
      alarms: [{ minutesBefore: 5, message: evil }],
      unknownProperties: JSON.stringify(['END:VTODO', 'X-OK:1', `X-B:1\r\n${evil}`, 'BEGIN:VTODO', 'BEGIN:X-C', 'A:1']),
    };
    const fields = { ...emptyFields(`u1${evil}`) };
    for (const text of [
      edit(file(), row),
      writeResource({ master: rowWith({ fields }, row), overrides: [] }, undefined, now, { prodid: `p${evil}` }),
    ]) {
      const names = readLines(text).map(line => line.name);
      assert.deepEqual(
        names.filter(name => name === 'X-EVIL'),
        [],
      );
      assert.deepEqual(names.filter(name => name === 'BEGIN').length, 3);
      assert.deepEqual(readResource(text).faults, []);
      assert.ok(!text.replaceAll('\r\n', '').match(/[\r\n\0]/));
    }
  });

  it('A48 alarms of every kind stay as they are', () => {
    const alarms = [
      [
        'ACTION:DISPLAY',
        'DESCRIPTION:a',
        'TRIGGER:-PT15M',
        'REPEAT:2',
        'DURATION:PT5M',
        'ACKNOWLEDGED:20250101T000000Z',
      ],
      ['ACTION:DISPLAY', 'DESCRIPTION:a', 'TRIGGER;RELATED=END:-PT90S', 'X-WR-ALARMUID:7'],
      ['ACTION:AUDIO', 'TRIGGER;VALUE=DATE-TIME:20250101T090000Z'],
      ['ACTION:DISPLAY', 'DESCRIPTION:a', 'TRIGGER:20250101T090000Z'],
      ['ACTION:EMAIL', 'SUMMARY:a', 'TRIGGER:-PT5M'],
      ['ACTION:NONE', 'TRIGGER;VALUE=DATE-TIME:19760401T005545Z'],
    ].flatMap(lines => ['BEGIN:VALARM', ...lines, 'END:VALARM']);
    const base = file('SUMMARY:old', ...alarms);
    assert.deepEqual(difference(base, edit(base, { title: 'new' })), { gone: ['SUMMARY:old'], new: ['SUMMARY:new'] });
  });
});

describe('alarms of an edited file', () => {
  const alarm = (...lines: string[]) => ['BEGIN:VALARM', ...lines, 'END:VALARM'];
  const two = file(
    'SUMMARY:t',
    ...alarm(
      'UID:a1',
      'ACTION:DISPLAY',
      'DESCRIPTION:One',
      'TRIGGER;X-A=1;RELATED=END:-PT15M',
      'ACKNOWLEDGED:20250101T000000Z',
    ),
    ...alarm('UID:a2', 'ACTION:AUDIO', 'TRIGGER:-PT5M', 'ATTACH:bell'),
  );
  const [first, second] = readResource(two).master!.fields.alarms;

  it('keep the rest of one whose time moved, but not that it was seen', () => {
    assert.deepEqual(difference(two, edit(two, { alarms: [{ ...first!, minutesBefore: 30 }, second!] })), {
      gone: ['TRIGGER;X-A=1;RELATED=END:-PT15M', 'ACKNOWLEDGED:20250101T000000Z'],
      new: ['TRIGGER;X-A=1;RELATED=END:-PT30M'],
    });
  });

  it('keep the rest of one whose message changed', () => {
    assert.deepEqual(difference(two, edit(two, { alarms: [{ ...first!, message: 'Uno' }, second!] })), {
      gone: ['DESCRIPTION:One'],
      new: ['DESCRIPTION:Uno'],
    });
  });

  it('get a message where they had none', () => {
    const written = edit(two, { alarms: [first!, { ...second!, message: 'Now' }] });
    assert.deepEqual(difference(two, written), { gone: [], new: ['DESCRIPTION:Now'] });
    assert.equal(readResource(written).master?.fields.alarms[1]?.message, 'Now');
  });

  it('go one by one', () => {
    const written = edit(two, { alarms: [second!] });
    assert.ok(
      !written.includes('a1') &&
        written.includes('UID:a2\r\nACTION:AUDIO\r\nTRIGGER:-PT5M\r\nATTACH:bell\r\nEND:VALARM'),
    );
  });

  it('come with an identity, and with the title where they have no message', () => {
    const read = readResource(file('SUMMARY:Call, now'));
    const master = rowWith(read.master!, {
      alarms: [
        { minutesBefore: 1440, reference: 'START', message: 'Soon; really' },
        { minutesBefore: 0 },
        { minutesBefore: -Date.UTC(2025, 0, 1, 9) / 60_000, reference: 'ABSOLUTE' },
      ],
    });
    let ids = 0;
    const written = writeResource({ master, overrides: [] }, file('SUMMARY:Call, now'), now, {
      newId: () => `id${++ids}`,
    });
    assert.ok(
      written.includes(
        [
          'BEGIN:VALARM',
          'UID:id1',
          'ACTION:DISPLAY',
          'DESCRIPTION:Soon\\; really',
          'TRIGGER;RELATED=START:-P1D',
          'END:VALARM',
          'BEGIN:VALARM',
          'UID:id2',
          'ACTION:DISPLAY',
          'DESCRIPTION;X-DUELINE-DEFAULT=1:Call\\, now',
          'TRIGGER;RELATED=END:PT0S',
          'END:VALARM',
          'BEGIN:VALARM',
          'UID:id3',
          'ACTION:DISPLAY',
          'DESCRIPTION;X-DUELINE-DEFAULT=1:Call\\, now',
          'TRIGGER;VALUE=DATE-TIME:20250101T090000Z',
          'END:VALARM',
          'END:VTODO',
        ].join('\r\n'),
      ),
      written,
    );
    assert.deepEqual(readResource(written).master?.fields.alarms, [
      { minutesBefore: 1440, reference: 'START', message: 'Soon; really' },
      { minutesBefore: 0, reference: 'DUE', message: null },
      { minutesBefore: -Date.UTC(2025, 0, 1, 9) / 60_000, reference: 'ABSOLUTE', message: null },
    ]);
  });
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

  it('has an override edited without its master being touched', () => {
    const edited = rowWith(read.overrides[0]!, { title: 'Much later' });
    const written = writeResource({ ...read, overrides: [edited] }, base, now);
    assert.deepEqual(difference(base, written), { gone: ['SUMMARY:Later'], new: ['SUMMARY:Much later'] });
  });

  it('loses an override that is gone, and nothing else', () => {
    const written = writeResource({ ...read, overrides: [] }, base, now);
    assert.ok(!written.includes('SUMMARY:Later'));
    assert.ok(written.includes('SUMMARY:Daily') && written.includes('SUMMARY:Not ours'));
  });

  it('of days names its occurrences by DATE', () => {
    const days = file('DUE;VALUE=DATE:20250701', 'RRULE:FREQ=DAILY');
    const { master } = readResource(days);
    const id = Date.UTC(2025, 6, 5);
    const override = rowWith(master!, { rrule: null, recurrenceId: id, due: id, status: 2 });
    assert.ok(
      writeResource({ master, overrides: [override] }, days, now).includes('RECURRENCE-ID;VALUE=DATE:20250705\r\n'),
    );
  });

  it('takes the ids of its overrides along when it goes over to days, and back', () => {
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

  it('without a master in the rows keeps the one in the file', () => {
    const written = writeResource({ overrides: [rowWith(read.overrides[0]!, { title: 'x' })] }, base, now);
    assert.ok(written.includes('SUMMARY:Daily'));
  });
});

describe('a file of its own', () => {
  it('is a calendar with CRLF and what RFC 5545 asks for', () => {
    const fields = {
      ...emptyFields('new-1'),
      title: 'Buy milk',
      createdAt: now - 1000,
      due: Date.UTC(2026, 1, 1),
      isAllDay: true,
    };
    assert.equal(
      writeResource({ master: { fields, parentUid: 'p' }, overrides: [] }, undefined, now, {
        prodid: '-//Dueline//1.1.0//EN',
      }),
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Dueline//1.1.0//EN',
        'BEGIN:VTODO',
        'UID:new-1',
        'DTSTAMP:20260102T030405Z',
        'CREATED:20260102T030404Z',
        'LAST-MODIFIED:20260102T030405Z',
        'SUMMARY:Buy milk',
        'RELATED-TO;RELTYPE=PARENT:p',
        'DUE;VALUE=DATE:20260201',
        'END:VTODO',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    );
  });

  it('brings back the raw lines of a row, in their order, save what the columns have overtaken', () => {
    const lines = [
      'SUMMARY:t',
      'STATUS:X-WAITING',
      'DUE;TZID=Nowhere:20250709T100000',
      'GEO:48.20;16.37',
      'x-low:1',
      'RELATED-TO;RELTYPE=SIBLING:s',
      'BEGIN:VALARM',
      'ACTION:EMAIL',
      'END:VALARM',
    ];
    const { master } = readResource(file(...lines));
    const written = writeResource({ master, overrides: [] }, undefined, now);
    // Cyrus drops properties whose names are in small letters.
    assert.deepEqual(difference(file(...lines), written), { gone: ['x-low:1'], new: ['X-LOW:1'] });
    const closed = writeResource({ master: rowWith(master!, { status: 2 }), overrides: [] }, undefined, now);
    assert.ok(closed.includes('STATUS:COMPLETED') && !closed.includes('X-WAITING'));
  });

  it('has no raw lines where the column is damaged', () => {
    for (const unknownProperties of ['[', '{}', '[1,null]', '"x"']) {
      const text = writeResource(
        { master: { fields: { ...emptyFields('u1'), unknownProperties } }, overrides: [] },
        undefined,
        now,
      );
      assert.deepEqual(readResource(text).master?.fields.unknownProperties, null);
    }
  });

  it('takes the place of a base that is of another task or no calendar', () => {
    for (const base of ['garbage', '', file().replace('UID:u1', 'UID:u2')]) {
      const written = writeResource(
        { master: { fields: { ...emptyFields('u1'), title: 'x' } }, overrides: [] },
        base,
        now,
      );
      assert.equal(readResource(written).uid, 'u1');
      assert.ok(!written.includes('garbage') && !written.includes('u2'));
    }
  });
});
