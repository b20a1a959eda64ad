import assert from 'node:assert/strict';
import { ownLinesOf } from '../../../src/core/fields/ownLines';
import { withTagSplit } from '../../../src/core/fields/tags';
import { type Columns, rowWith } from '../../../src/core/ical/contentGroups';
import { readResource } from '../../../src/core/ical/readResource';
import { emptyFields } from '../../../src/core/ical/row';
import { writeResource } from '../../../src/core/ical/writeResource';
import { Status } from '../../../src/core/kernel/model';
import { readLines } from '../../../src/core/lines/contentLines';
import { formatUtc } from '../../../src/core/lines/dateDigits';
import { calendar, difference, edit, file, now, rule, todo } from '../support/icalFile';

describe('an edit of a file', () => {
  it('A40 without a change returns the file byte for byte', () => {
    for (const base of [
      file('SUMMARY:x'),
      file('DUE:garbage', 'STATUS:X-ODD', 'PERCENT-COMPLETE:50%', 'COLOR:none').replaceAll('\r\n', '\n'),
      calendar('METHOD:PUBLISH', ...todo('CATEGORIES:b,a,,b', 'COMPLETED:20250101T000000Z')),
    ]) {
      assert.equal(edit(base, {}), base);
      assert.equal(edit(base, { lastModified: now, sequence: 9, unknownProperties: null }), base);
    }
  });

  it('updates DTSTAMP and LAST-MODIFIED, keeps PRODID, and drops METHOD', () => {
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
        'PRODID:-//Test//EN',
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

  // If each line is compared with each other line, this takes minutes.
  it('removes one line of our own among tens of thousands, and adds one', () => {
    const branches = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `X-DUELINE-BRANCH;V=1;REPO=abcdef012345:branch-${from + index}`);
    const base = file('SUMMARY:a', branches(0, 100_000).join('\r\n'));
    const text = edit(base, { ownLines: branches(1, 100_000) });
    assert.deepEqual(ownLinesOf(readResource(text).master!.fields), branches(1, 100_000));
  });

  // The same is true of dates.
  it('moves tens of thousands of dates, and keeps the line of the one that stays', () => {
    const dates = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `EXDATE:${formatUtc((from + index) * 3_600_000)}`).join('\n');
    const kept = 'EXDATE;X-A=1:20250101T000000Z';
    const base = file('RRULE:FREQ=HOURLY', kept, dates(0, 100_000).replaceAll('\n', '\r\n'));
    const exdate = `${kept}\n${dates(200_000, 100_000)}`;
    assert.equal(readResource(edit(base, { exdate })).master!.fields.exdate, exdate);
  });

  for (const [property, columns] of [
    ['the status', { status: Status.inProcess }],
    ['the due date', { due: Date.UTC(2025, 5, 1) }],
    ['the rule', { rrule: 'FREQ=DAILY' }],
    ['the excluded dates', { exdate: 'EXDATE;VALUE=DATE:20250102' }],
  ] as const) {
    it(`increments SEQUENCE if it changes ${property}`, () => {
      assert.match(edit(file('DUE;VALUE=DATE:20250101', 'SEQUENCE:4'), columns), /\r\nSEQUENCE:5\r\n/);
      assert.match(edit(file('DUE;VALUE=DATE:20250101'), columns), /\r\nSEQUENCE:1\r\n/);
    });
  }

  it('keeps SEQUENCE if it changes the title, tags or alarms', () => {
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
    'A49 keeps a color that it does not know',
    ['COLOR:octarine', 'SUMMARY:x'],
    { title: 'y' },
    ['SUMMARY:x'],
    ['SUMMARY:y'],
  );
  rule('writes the color closest by', ['COLOR:octarine'], { color: 0xfffe0102 | 0 }, ['COLOR:octarine'], ['COLOR:red']);
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
    'leaves lines alone whose parameters nobody can read',
    ['CATEGORIES;=x:a', 'CATEGORIES:b', 'EXDATE;=x:20250101', 'EXDATE:20250102T000000'],
    { tags: ['c'], exdate: 'EXDATE:20250103T000000' },
    ['CATEGORIES:b', 'EXDATE:20250102T000000'],
    ['CATEGORIES:c', 'EXDATE:20250103T000000'],
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

describe('what is hard to preserve', () => {
  it('A45 keeps all lines but the title as they are', () => {
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

  it('A46 reads tags with commas and semicolons on two lines as the same set again', () => {
    const base = file('CATEGORIES:a\\,b,x', 'CATEGORIES:c\\;d');
    assert.deepEqual(readResource(base).master?.fields.tags, ['a,b', 'x', 'c;d']);
    const written = edit(base, { tags: ['a,b', 'c;d', 'new, one; two'] });
    assert.deepEqual(readResource(written).master?.fields.tags, ['a,b', 'new, one; two', 'c;d']);
  });

  it('A47 lets no value inject a line', () => {
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

  it('A48 keeps alarms of every kind as they are', () => {
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

describe('a new file', () => {
  it('is a calendar with CRLF and the required properties of RFC 5545', () => {
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

  it('restores the raw lines of a row in their order, except those that columns override', () => {
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

  it('has no raw lines if their column is damaged', () => {
    for (const unknownProperties of ['[', '{}', '[1,null]', '"x"']) {
      const text = writeResource(
        { master: { fields: { ...emptyFields('u1'), unknownProperties } }, overrides: [] },
        undefined,
        now,
      );
      assert.deepEqual(readResource(text).master?.fields.unknownProperties, null);
    }
  });

  it('replaces a base that belongs to another task or is no calendar', () => {
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

  it('writes a split tag on one line of its own', () => {
    const base = file('SUMMARY:t', 'CATEGORIES:red\\,green\\, blue', 'CATEGORIES:x');
    const { tags } = readResource(base).master!.fields;
    assert.deepEqual(tags, ['red,green, blue', 'x']);
    const written = edit(base, { tags: withTagSplit(tags, tags[0]!) });
    assert.deepEqual(difference(base, written), {
      gone: ['CATEGORIES:red\\,green\\, blue'],
      new: ['CATEGORIES:red,green,blue'],
    });
  });
});
