import assert from 'node:assert/strict';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { colorOfName, nameOfColor } from '../../../src/core/ical/colors';
import { type Columns, changedGroups, rowWith, sameContent } from '../../../src/core/ical/contentGroups';
import { readResource } from '../../../src/core/ical/readResource';
import { emptyFields, type ResourceRow } from '../../../src/core/ical/row';
import { writeResource } from '../../../src/core/ical/writeResource';
import { readLines } from '../../../src/core/lines/contentLines';
import { cleanText } from '../../../src/core/lines/text';
import { fromWall, wallOf } from '../../../src/core/time/zones';

const now = Date.UTC(2026, 2, 1, 12);
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'W. Europe Standard Time',
  'UTC',
];

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    'a\nb',
    'BEGIN:VTODO',
    'x\r\nEND:VTODO\r\nBEGIN:VTODO',
    '\\n',
    'a\\,b;c',
    '"q"',
    ' lead',
    'tail ',
    '\u2028',
  ),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const second = fc
  .integer({ min: Date.UTC(1975, 0, 1) / 1000, max: Date.UTC(2049, 11, 31) / 1000 })
  .map(at => at * 1000);
const color = fc
  .constantFrom('red', 'papayawhip', 'rebeccapurple', 'navy')
  .map(name => colorOfName(name) ?? 0x7f123456);

const alarm = fc.record({
  minutesBefore: fc.integer({ min: -100_000, max: 100_000 }),
  reference: fc.constantFrom('DUE' as const, 'START' as const, 'ABSOLUTE' as const),
  message: maybe(text),
});

const dates: fc.Arbitrary<Columns> = fc
  .record({
    kind: fc.constantFrom('none', 'day', 'floating', ...zones),
    start: maybe(second),
    due: maybe(second),
    duration: maybe(fc.constantFrom('P1D', 'PT1H30M', 'P2W')),
  })
  .map(({ kind, start, due, duration }) => {
    const isAllDay = kind === 'day';
    const timezone = zones.includes(kind) ? kind : null;
    const coded = (value: number | null) => {
      if (value === null || kind === 'none') return null;
      if (isAllDay) return value - (value % 86_400_000);
      // The first of two equal hours: the second has no name on the wall clock.
      return timezone === null ? value : fromWall(wallOf(value, timezone), timezone);
    };
    const [dtstart, end] = [coded(start), coded(due)];
    const hasDates = dtstart !== null || end !== null;
    return {
      dtstart,
      due: end,
      duration: dtstart !== null && end === null ? duration : null,
      isAllDay: hasDates && isAllDay,
      timezone: hasDates ? timezone : null,
    };
  });

const completion: fc.Arbitrary<Columns> = fc.record({
  status: fc.constantFrom(0, 1, 2, 3),
  percentComplete: maybe(fc.integer({ min: 0, max: 100 })),
  completedAt: maybe(second),
});

const columns: fc.Arbitrary<Columns> = fc
  .tuple(
    fc.record({
      title: maybe(text),
      description: maybe(text),
      location: maybe(text),
      url: maybe(fc.webUrl()),
      color: maybe(color),
      tags: fc.array(text, { maxLength: 5 }),
      priority: fc.integer({ min: 0, max: 9 }),
      classification: fc.constantFrom(null, 0, 1, 2),
      sortOrder: fc.integer({ min: 1, max: 10_000 }),
      alarms: fc.array(alarm, { maxLength: 4 }),
      rrule: fc.constantFrom(null, 'FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,TU;COUNT=5'),
      exdate: fc.constantFrom(
        null,
        'EXDATE:20250101T090000Z',
        'EXDATE;TZID=Europe/Paris:20250101T090000\nEXDATE;VALUE=DATE:20250102',
      ),
      parentUid: maybe(fc.string({ minLength: 1, maxLength: 20 }).filter(uid => uid.trim() === uid)),
    }) as fc.Arbitrary<Columns>,
    dates,
    completion,
  )
  .map(parts => Object.assign({}, ...parts) as Columns);

const rowOf = (values: Columns): ResourceRow => rowWith({ fields: emptyFields('task-1@example.com') }, values);
const bookkeeping = /^(PRODID|METHOD|DTSTAMP|LAST-MODIFIED|SEQUENCE)[:;]/;

describe('iCalendar of any row', () => {
  it('is read back as the row that was written', () => {
    fc.assert(
      fc.property(columns, values => {
        const row = rowOf(values);
        const written = writeResource({ master: row, overrides: [] }, undefined, now);
        const { master, faults } = readResource(written);
        assert.deepEqual(faults, []);
        assert.deepEqual(changedGroups(master!, row), [], written);
        const todo = new ICAL.Component(ICAL.parse(written)).getFirstSubcomponent('vtodo');
        assert.equal(todo?.getFirstPropertyValue('summary') ?? null, row.fields.title && cleanText(row.fields.title));
        assert.equal(
          todo?.getFirstPropertyValue('location') ?? null,
          row.fields.location && cleanText(row.fields.location),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('gets each edit on top of its text, and is read back as the edited row', () => {
    fc.assert(
      fc.property(columns, columns, fc.boolean(), (before, after, lf) => {
        const first = writeResource({ master: rowOf(before), overrides: [] }, undefined, now - 1e9);
        const base = lf ? first.replaceAll('\r\n', '\n') : first;
        const row = rowOf(after);
        const written = writeResource({ master: row, overrides: [] }, base, now);
        const { master, faults } = readResource(written);
        assert.deepEqual(faults, []);
        assert.deepEqual(changedGroups(master!, row), [], written);
        assert.equal(writeResource({ master: row, overrides: [] }, written, now + 1e9), written, 'settles');
      }),
      { numRuns: 150 },
    );
  });

  it('keeps the bytes of every line that an edit does not concern', () => {
    const names: Record<string, RegExp> = {
      title: /^SUMMARY/,
      description: /^(DESCRIPTION|X-ALT-DESC)/,
      priority: /^PRIORITY/,
      location: /^LOCATION/,
      sortOrder: /^X-APPLE-SORT-ORDER/,
    };
    fc.assert(
      fc.property(columns, fc.constantFrom(...Object.keys(names)), columns, (before, name, after) => {
        const base = writeResource({ master: rowOf(before), overrides: [] }, undefined, now - 1e9)
          .replace('END:VTODO', 'x-note;p="a:b":keep   me\r\nX-B\r\n :folded oddly\r\nno line at all\r\nEND:VTODO')
          .replace('BEGIN:VTODO', 'X-WR-CALNAME:Mine\r\nBEGIN:VTODO');
        const read = readResource(base);
        const edited = rowWith(read.master!, { [name]: after[name as keyof Columns] });
        const written = writeResource({ master: edited, overrides: [] }, base, now);
        const others = (source: string) =>
          readLines(source)
            .filter(line => !bookkeeping.test(line.text) && !names[name]!.test(line.text))
            .map(line => source.slice(line.from, line.to));
        assert.deepEqual(others(written), others(base));
        assert.ok(sameContent(readResource(written), { master: edited, overrides: [] }));
      }),
      { numRuns: 100 },
    );
  });

  it('is written and edited for a series with its overrides', () => {
    const overrides = fc.uniqueArray(fc.tuple(second, columns), { maxLength: 4, selector: ([id]) => id });
    const rowsOf = (master: Columns, others: [number, Columns][]) => {
      const row = rowOf(master);
      const { timezone, isAllDay } = row.fields;
      const idOf = (at: number) => {
        if (isAllDay) return at - (at % 86_400_000);
        return timezone === null ? at : fromWall(wallOf(at, timezone), timezone);
      };
      const byId = new Map(
        others.map(([at, values]) => [idOf(at), rowWith(rowOf(values), { recurrenceId: idOf(at) })]),
      );
      return { master: row, overrides: [...byId.values()] };
    };
    fc.assert(
      fc.property(columns, overrides, columns, overrides, fc.nat(4), (master, before, other, after, kept) => {
        const first = rowsOf(master, before);
        const base = writeResource(first, undefined, now - 1e9);
        assert.ok(sameContent(readResource(base), first), base);
        // The series keeps its kind of dates; some overrides go, some come, some change.
        const { dtstart, due, duration, isAllDay, timezone } = first.master.fields;
        const changed = before.slice(0, kept).map(([id], at): [number, Columns] => [id, after[at]?.[1] ?? {}]);
        const next = rowsOf({ ...other, dtstart, due, duration, isAllDay, timezone }, [...changed, ...after]);
        const written = writeResource(next, base, now);
        assert.ok(sameContent(readResource(written), next), written);
        assert.deepEqual(readResource(written).faults, []);
        assert.equal(writeResource(next, written, now + 1e9), written);
      }),
      { numRuns: 80 },
    );
  });

  it('never throws, whatever the text', () => {
    const piece = fc.oneof(
      fc.constantFrom('BEGIN:VCALENDAR', 'END:VCALENDAR', 'BEGIN:VTODO', 'END:VTODO', 'BEGIN:VALARM', 'END:VALARM'),
      fc.constantFrom('UID:a', 'UID:b', 'DUE;TZID=X:20250101T000000', 'DTSTART:2025', 'RECURRENCE-ID:20250101T000000Z'),
      fc.constantFrom(
        'TRIGGER:P',
        'CATEGORIES:\\',
        'BEGIN:VTIMEZONE',
        'TZID:X',
        'END:VTIMEZONE',
        'RRULE:FREQ=X',
        ' fold',
      ),
      fc.string({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom('\r\n', '\n', '\r'), (lines, newline) => {
        const base = lines.join(newline);
        const read = readResource(base);
        if (read.uid === undefined) return;
        assert.equal(writeResource(read, base, now), base);
        if (!read.master) return;
        const edited = { ...read, master: rowWith(read.master, { title: 'Edited' }) };
        assert.equal(readResource(writeResource(edited, base, now), { uid: read.uid }).master?.fields.title, 'Edited');
      }),
      { numRuns: 1000 },
    );
  });

  it('has a name for every color, and round-trips named ones exactly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        argb => colorOfName(nameOfColor(argb)) !== undefined,
      ),
    );
    assert.equal(nameOfColor(colorOfName('papayawhip')!), 'papayawhip');
    assert.equal(colorOfName('Tomato'), 0xffff6347 | 0);
    assert.equal(colorOfName('tomatoes'), undefined);
  });
});
