import assert from 'node:assert/strict';
import { type Columns, rowWith } from '../../../src/core/ical/contentGroups';
import { readResource } from '../../../src/core/ical/readResource';
import { emptyFields } from '../../../src/core/ical/row';
import { writeResource } from '../../../src/core/ical/writeResource';
import { difference, edit, file, now } from '../support/icalFile';

describe('DTSTART of a series that only has a due date', () => {
  const due = Date.UTC(2025, 6, 9, 8);
  const berlin: Columns = { due, timezone: 'Europe/Berlin', rrule: 'FREQ=DAILY' };
  const fresh = (columns: Columns) =>
    writeResource({ master: rowWith({ fields: emptyFields('u1') }, columns), overrides: [] }, undefined, now);
  const linesOf = (text: string) =>
    text
      .slice(text.indexOf('BEGIN:VTODO'))
      .split('\r\n')
      .filter(line => /^(DTSTART|DUE|X-DUELINE-START)/.test(line));
  const ours = (...lines: string[]) => file(...lines).replace('-//Test//EN', '-//Dueline//Dueline//EN');

  const kinds: [string, Columns, string][] = [
    ['in a zone', berlin, ';TZID=Europe/Berlin:20250709T100000'],
    ['in UTC', { ...berlin, timezone: 'UTC' }, ':20250709T080000Z'],
    ['floating', { ...berlin, timezone: null }, ':20250709T080000'],
    ['of a day', { due: Date.UTC(2025, 6, 9), isAllDay: true, rrule: 'FREQ=DAILY' }, ';VALUE=DATE:20250709'],
  ];
  for (const [kind, columns, value] of kinds)
    it(`is written like DUE, ${kind}, and not read as a start`, () => {
      const text = fresh(columns);
      assert.deepEqual(linesOf(text).sort(), [`DTSTART${value}`, `DUE${value}`, 'X-DUELINE-START:DUE']);
      const { master, faults } = readResource(text);
      assert.equal(master!.fields.dtstart, null);
      assert.equal(master!.fields.due, columns.due);
      assert.deepEqual(faults, []);
      assert.equal(master!.fields.unknownProperties, null);
      assert.equal(writeResource(readResource(text), text, now + 1e9), text);
    });

  it('is not written for a task that does not repeat, and goes away with the rule', () => {
    assert.deepEqual(linesOf(fresh({ ...berlin, rrule: null })), ['DUE;TZID=Europe/Berlin:20250709T100000']);
    assert.deepEqual(linesOf(edit(fresh(berlin), { rrule: null })), ['DUE;TZID=Europe/Berlin:20250709T100000']);
  });

  it('moves with DUE, changes its kind with it, and becomes a start if one is set', () => {
    const text = fresh(berlin);
    const later = edit(text, { due: due + 3_600_000 });
    const moved = ';TZID=Europe/Berlin:20250709T110000';
    assert.deepEqual(linesOf(later).sort(), [`DTSTART${moved}`, `DUE${moved}`, 'X-DUELINE-START:DUE']);
    const day = edit(text, { due: Date.UTC(2025, 6, 9), isAllDay: true, timezone: null });
    assert.deepEqual(linesOf(day).sort(), [
      'DTSTART;VALUE=DATE:20250709',
      'DUE;VALUE=DATE:20250709',
      'X-DUELINE-START:DUE',
    ]);
    const started = edit(text, { dtstart: due - 3_600_000 });
    assert.deepEqual(linesOf(started).sort(), [
      'DTSTART;TZID=Europe/Berlin:20250709T090000',
      'DUE;TZID=Europe/Berlin:20250709T100000',
    ]);
    assert.equal(readResource(started).master!.fields.dtstart, due - 3_600_000);
  });

  it('counts as a start again if another program has moved one of the two', () => {
    const text = fresh(berlin).replace(
      'DTSTART;TZID=Europe/Berlin:20250709T10',
      'DTSTART;TZID=Europe/Berlin:20250709T09',
    );
    const { master } = readResource(text);
    assert.equal(master!.fields.dtstart, due - 3_600_000);
    assert.equal(writeResource(readResource(text), text, now), text);
  });

  it('is added to an older file of ours by the first edit, not by reading', () => {
    const old = ours('SUMMARY:Bins', 'DUE;VALUE=DATE:20250709', 'RRULE:FREQ=DAILY');
    assert.equal(writeResource(readResource(old), old, now), old);
    assert.deepEqual(difference(old, edit(old, { title: 'Both bins' })), {
      gone: ['SUMMARY:Bins'],
      new: ['SUMMARY:Both bins', 'DTSTART;VALUE=DATE:20250709', 'X-DUELINE-START:DUE'],
    });
  });

  it('is added to another program’s file only with a rule or an override', () => {
    const plain = file('SUMMARY:Bins', 'DUE;VALUE=DATE:20250709');
    const start = ['DTSTART;VALUE=DATE:20250709', 'X-DUELINE-START:DUE'];
    assert.deepEqual(difference(plain, edit(plain, { rrule: 'FREQ=DAILY' })).new.sort(), [
      start[0],
      'RRULE:FREQ=DAILY',
      start[1],
    ]);
    const series = file('SUMMARY:Bins', 'DUE;VALUE=DATE:20250709', 'RRULE:FREQ=DAILY');
    assert.deepEqual(difference(series, edit(series, { title: 'x' })).new, ['SUMMARY:x']);
    const { master } = readResource(series);
    const id = Date.UTC(2025, 6, 9);
    const done = rowWith(master!, { rrule: null, recurrenceId: id, status: 2 });
    const written = writeResource({ master, overrides: [done] }, series, now);
    assert.deepEqual(linesOf(written).slice(0, 3), ['DUE;VALUE=DATE:20250709', ...start]);
    assert.deepEqual(linesOf(written).slice(3), ['DUE;VALUE=DATE:20250709', ...start]);
  });

  it('is added to moved and completed overrides, and is no start there either', () => {
    const series = fresh(berlin);
    const { master } = readResource(series);
    const own = (recurrenceId: number, columns: Columns) => rowWith(master!, { rrule: null, recurrenceId, ...columns });
    const [first, second] = [due, due + 86_400_000];
    const rows = {
      master: master!,
      overrides: [own(first, { status: 2 }), own(second, { due: second + 3_600_000 })],
    };
    const text = writeResource(rows, series, now);
    const of = (at: number) => linesOf(`BEGIN:VTODO${text.split('BEGIN:VTODO')[at + 1]}`).sort();
    const startsAt = (value: string) => [`DTSTART;${value}`, `DUE;${value}`, 'X-DUELINE-START:DUE'];
    assert.deepEqual(of(1), startsAt('TZID=Europe/Berlin:20250709T100000'));
    assert.deepEqual(of(2), startsAt('TZID=Europe/Berlin:20250710T110000'));
    const read = readResource(text);
    assert.deepEqual(
      read.overrides.map(({ fields }) => [fields.dtstart, fields.due]),
      [
        [null, first],
        [null, second + 3_600_000],
      ],
    );
    assert.equal(writeResource(read, text, now + 1e9), text);
  });

  it('is added to the overrides of an older file of ours by the first edit, not by reading', () => {
    const override = [
      'BEGIN:VTODO',
      'UID:u1',
      'RECURRENCE-ID;VALUE=DATE:20250710',
      'DUE;VALUE=DATE:20250710',
      'STATUS:COMPLETED',
      'END:VTODO',
    ];
    const old = ours(
      'SUMMARY:Bins',
      'DTSTART;VALUE=DATE:20250709',
      'DUE;VALUE=DATE:20250709',
      'X-DUELINE-START:DUE',
      'RRULE:FREQ=DAILY',
    ).replace('END:VTODO\r\n', `END:VTODO\r\n${override.join('\r\n')}\r\n`);
    assert.equal(writeResource(readResource(old), old, now), old);
    const edited = edit(old, { title: 'Both bins' });
    assert.deepEqual(difference(old, edited).new, ['SUMMARY:Both bins', 'DTSTART;VALUE=DATE:20250710']);
    assert.equal(linesOf(edited).filter(line => line === 'X-DUELINE-START:DUE').length, 2);
  });

  it('is not added to an override of a series with a start', () => {
    const series = fresh({ ...berlin, dtstart: due - 3_600_000 });
    const { master } = readResource(series);
    const done = rowWith(master!, { rrule: null, recurrenceId: due - 3_600_000, dtstart: null });
    assert.deepEqual(linesOf(writeResource({ master, overrides: [done] }, series, now)).slice(2), [
      'DUE;TZID=Europe/Berlin:20250709T100000',
    ]);
  });

  it('is a start if another program has set both to the same value', () => {
    const theirs = file('DTSTART;VALUE=DATE:20250709', 'DUE;VALUE=DATE:20250709', 'RRULE:FREQ=DAILY');
    assert.equal(readResource(theirs).master!.fields.dtstart, Date.UTC(2025, 6, 9));
  });
});
