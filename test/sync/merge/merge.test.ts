import assert from 'node:assert/strict';
import { type Columns, rowWith } from '../../../src/core/ical/contentGroups';
import { emptyFields, type ResourceRow } from '../../../src/core/ical/row';
import { mergeLines } from '../../../src/sync/merge/mergeValues';
import { mergeTask } from '../../../src/sync/merge/threeWayMerge';

const plain: ResourceRow = {
  fields: {
    ...emptyFields('u1'),
    title: 'Paint the fence',
    description: 'one\ntwo\nthree',
    tags: ['home', 'garden'],
    due: Date.UTC(2025, 4, 1),
    isAllDay: true,
  },
  parentUid: null,
};

const merge = (here: Columns, there: Columns, base: ResourceRow | undefined = plain) =>
  mergeTask(
    base && { master: base, overrides: [] },
    { master: rowWith(plain, here), overrides: [] },
    { master: rowWith(plain, there), overrides: [] },
  );

const day = (date: number) => Date.UTC(2025, 4, date);

describe('the merge of a task that both sides edited', () => {
  it('A24 takes edits of different fields from both sides, and has something to push', () => {
    const { rows, lost, isServers } = merge({ title: 'Paint it' }, { location: 'Garden' });
    assert.equal(rows.master?.fields.title, 'Paint it');
    assert.equal(rows.master?.fields.location, 'Garden');
    assert.deepEqual(lost, []);
    assert.equal(isServers, false);
  });

  it('has nothing to push if the server already has everything', () => {
    const { isServers, lost } = merge({ title: 'Same' }, { title: 'Same', location: 'Garden' });
    assert.deepEqual({ isServers, lost }, { isServers: true, lost: [] });
  });

  it('A25 takes the server’s value of a field that both changed, and reports the losing one', () => {
    const { rows, lost, isServers } = merge({ title: 'Mine' }, { title: 'Theirs' });
    assert.equal(rows.master?.fields.title, 'Theirs');
    assert.deepEqual(lost, [
      { recurrenceId: null, field: 'title', lost: { title: 'Mine' }, kept: { title: 'Theirs' } },
    ]);
    assert.equal(isServers, true);
  });

  for (const [field, mine, theirs] of [
    ['location', { location: 'A' }, { location: 'B' }],
    ['url', { url: 'https://a.example' }, { url: 'https://b.example' }],
    ['priority', { priority: 1 }, { priority: 9 }],
    ['classification', { classification: 1 }, { classification: 2 }],
    ['color', { color: 0xffff0000 | 0 }, { color: 0xff0000ff | 0 }],
    ['parent', { parentUid: 'p1' }, { parentUid: 'p2' }],
    ['sortOrder', { sortOrder: 4 }, { sortOrder: 5 }],
    ['rrule', { rrule: 'FREQ=DAILY', repeatFrom: 'completion' }, { rrule: 'FREQ=WEEKLY', repeatFrom: 'due' }],
  ] as const) {
    it(`A25 keeps the losing value of ${field}`, () => {
      const { rows, lost } = merge(mine, theirs);
      const { repeatFrom: _, ...columns }: Columns = { parentUid: null, ...theirs };
      assert.deepEqual({ ...rows.master?.fields, parentUid: rows.master?.parentUid }, { ...plain.fields, ...columns });
      assert.deepEqual(lost, [{ recurrenceId: null, field, lost: mine, kept: theirs }]);
    });
  }

  it('A26 merges tags as a set', () => {
    const { rows, lost } = merge({ tags: ['home', 'garden', 'soon'] }, { tags: ['garden', 'paint'] });
    assert.deepEqual(rows.master?.fields.tags, ['garden', 'paint', 'soon']);
    assert.deepEqual(lost, []);
  });

  it('A27 completes the task under the title that the other side set', () => {
    const done = { status: 2, percentComplete: 100, completedAt: day(2) } as const;
    const { rows, lost } = merge(done, { title: 'Renamed' });
    assert.deepEqual(rows.master, rowWith(plain, { ...done, title: 'Renamed' }));
    assert.deepEqual(lost, []);
  });

  it('prefers completed here to in process there', () => {
    const { rows, lost } = merge({ status: 2, completedAt: day(2) }, { status: 1, percentComplete: 40 });
    assert.equal(rows.master?.fields.status, 2);
    assert.equal(rows.master?.fields.percentComplete, null);
    assert.deepEqual(lost, []);
  });

  it('prefers completed there to in process here, and reports the percentage', () => {
    const { rows, lost } = merge({ status: 1, percentComplete: 40 }, { status: 2, completedAt: day(2) });
    assert.equal(rows.master?.fields.status, 2);
    assert.deepEqual(
      lost.map(({ field }) => field),
      ['completion'],
    );
  });

  it('lets the server decide on the completion of a series', () => {
    const series = rowWith(plain, { rrule: 'FREQ=DAILY' });
    const { rows } = mergeTask(
      { master: series, overrides: [] },
      { master: rowWith(series, { status: 2, completedAt: day(2) }), overrides: [] },
      { master: rowWith(series, { status: 1 }), overrides: [] },
    );
    assert.equal(rows.master?.fields.status, 1);
  });

  it('loses nothing if both sides completed it a minute apart', () => {
    const { rows, lost } = merge({ status: 2, completedAt: day(2) }, { status: 2, completedAt: day(2) + 60_000 });
    assert.equal(rows.master?.fields.completedAt, day(2) + 60_000);
    assert.deepEqual(lost, []);
  });

  it('treats start, due, duration and zone as one field', () => {
    const mine = { due: day(9), isAllDay: false, timezone: 'UTC' };
    const { rows, lost } = merge(mine, { dtstart: day(1) });
    assert.equal(rows.master?.fields.due, day(1));
    assert.equal(rows.master?.fields.isAllDay, true);
    assert.deepEqual(lost[0]?.lost, { dtstart: null, duration: null, ...mine });
  });

  it('merges alarms as a set', () => {
    const alarm = (minutesBefore: number) => ({ minutesBefore, reference: 'DUE' as const, message: null });
    const base = rowWith(plain, { alarms: [alarm(5), alarm(10)] });
    const { rows } = mergeTask(
      { master: base, overrides: [] },
      { master: rowWith(base, { alarms: [alarm(10), alarm(15)] }), overrides: [] },
      { master: rowWith(base, { alarms: [alarm(5), alarm(10), alarm(60)] }), overrides: [] },
    );
    assert.deepEqual(
      rows.master?.fields.alarms.map(({ minutesBefore }) => minutesBefore),
      [10, 60, 15],
    );
  });

  it('merges excluded dates by the instant, however they are written', () => {
    const base = rowWith(plain, { rrule: 'FREQ=DAILY', exdate: 'EXDATE:20250510T070000Z,20250511T070000Z' });
    const { rows, lost } = mergeTask(
      { master: base, overrides: [] },
      { master: rowWith(base, { exdate: 'EXDATE:20250510T070000Z\nEXDATE:20250512T070000Z' }), overrides: [] },
      {
        master: rowWith(base, { exdate: 'EXDATE;TZID=Europe/Berlin:20250510T090000,20250511T090000,20250513T090000' }),
        overrides: [],
      },
    );
    assert.equal(
      rows.master?.fields.exdate,
      'EXDATE;TZID=Europe/Berlin:20250510T090000,20250513T090000\nEXDATE:20250512T070000Z',
    );
    assert.deepEqual(lost, []);
  });

  it('never merges lines that no column models', () => {
    const { rows } = merge(
      { title: 'x', unknownProperties: '["X-A:1"]' },
      { location: 'y', unknownProperties: '["X-B:1"]' },
    );
    assert.equal(rows.master?.fields.unknownProperties, '["X-B:1"]');
  });

  it('takes the server’s value of every difference without a base, and reports them all', () => {
    const { rows, lost } = mergeTask(
      undefined,
      { master: rowWith(plain, { title: 'Mine', tags: ['a'] }), overrides: [] },
      { master: rowWith(plain, { title: 'Theirs', tags: ['b'] }), overrides: [] },
    );
    assert.deepEqual(rows.master, rowWith(plain, { title: 'Theirs', tags: ['b'] }));
    assert.deepEqual(
      lost.map(({ field }) => field),
      ['title', 'tags'],
    );
  });

  it('keeps a parent that this side does not know', () => {
    const { rows, lost } = mergeTask(
      { master: rowWith(plain, { parentUid: 'p' }), overrides: [] },
      { master: { fields: { ...plain.fields, title: 'Mine' } }, overrides: [] },
      { master: rowWith(plain, { parentUid: 'q' }), overrides: [] },
    );
    assert.equal(rows.master?.parentUid, 'q');
    assert.equal(rows.master?.fields.title, 'Mine');
    assert.deepEqual(lost, []);
  });
});

describe('the merge of descriptions', () => {
  it('combines lines that were changed in different places', () => {
    assert.equal(mergeLines('a\nb\nc\nd', 'A\nb\nc\nd', 'a\nb\nc\nD'), 'A\nb\nc\nD');
    assert.equal(mergeLines('a\nb\nc', 'a\nc', 'a\nb\nc\nd'), 'a\nc\nd');
    assert.equal(mergeLines('', 'a', ''), 'a');
    assert.equal(mergeLines('a\nb', 'x\na\nb', 'a\nb\ny'), 'x\na\nb\ny');
  });

  it('takes an identical change of both sides once', () => {
    assert.equal(mergeLines('a\nb\nc', 'a\nX\nc\nd', 'a\nX\nc'), 'a\nX\nc\nd');
  });

  it('fails if both sides changed the same lines', () => {
    assert.equal(mergeLines('a\nb\nc', 'a\nX\nc', 'a\nY\nc'), undefined);
    assert.equal(mergeLines('a', 'a\nx', 'a\ny'), undefined);
    const { rows, lost } = merge({ description: 'one\n2\nthree' }, { description: 'one\nzwei\nthree' });
    assert.equal(rows.master?.fields.description, 'one\nzwei\nthree');
    assert.deepEqual(lost[0]?.lost, { description: 'one\n2\nthree' });
  });

  it('works within a task', () => {
    const { rows, lost } = merge({ description: '1\ntwo\nthree' }, { description: 'one\ntwo\n3' });
    assert.equal(rows.master?.fields.description, '1\ntwo\n3');
    assert.deepEqual(lost, []);
  });

  it('ends for two long texts without common lines', () => {
    const text = (prefix: string) => Array.from({ length: 5000 }, (_, at) => `${prefix}${at}`).join('\n');
    assert.equal(mergeLines(text('a'), text('b'), text('c')), undefined);
  });
});

describe('the merge of overrides', () => {
  const series = rowWith(plain, {
    rrule: 'FREQ=DAILY',
    dtstart: Date.UTC(2025, 4, 1, 7),
    due: Date.UTC(2025, 4, 1, 8),
    isAllDay: false,
    timezone: 'UTC',
  });
  const id = Date.UTC(2025, 4, 3, 7);
  const occurrence = rowWith(series, { rrule: null, recurrenceId: id, dtstart: id, due: id + 3_600_000 });
  const other = rowWith(series, { rrule: null, recurrenceId: id + 86_400_000, dtstart: id, due: id });
  const rows = (...overrides: ResourceRow[]) => ({ master: series, overrides });

  it('combines two edits of one occurrence by groups', () => {
    const { rows: merged, lost } = mergeTask(
      rows(occurrence),
      rows(rowWith(occurrence, { title: 'Mine' })),
      rows(rowWith(occurrence, { priority: 1 })),
    );
    assert.deepEqual(merged.overrides, [rowWith(occurrence, { title: 'Mine', priority: 1 })]);
    assert.deepEqual(lost, []);
  });

  it('A56 makes one override from two completions of the same occurrence', () => {
    const done = (at: number) => rowWith(occurrence, { status: 2, completedAt: at });
    const { rows: merged, lost, isServers } = mergeTask(rows(), rows(done(1e12)), rows(done(1e12 + 5000)));
    assert.deepEqual(merged.overrides, [done(1e12 + 5000)]);
    assert.deepEqual({ lost, isServers }, { lost: [], isServers: true });
  });

  it('treats two new overrides of one occurrence as edits of what the series has', () => {
    const { rows: merged, lost } = mergeTask(
      rows(),
      rows(rowWith(occurrence, { status: 2, completedAt: 1e12 })),
      rows(rowWith(occurrence, { due: id + 7_200_000 })),
    );
    assert.deepEqual(merged.overrides, [rowWith(occurrence, { status: 2, completedAt: 1e12, due: id + 7_200_000 })]);
    assert.deepEqual(lost, []);
  });

  it('keeps overrides that either side created', () => {
    const { rows: merged } = mergeTask(rows(), rows(occurrence), rows(other));
    assert.deepEqual(merged.overrides, [other, occurrence]);
  });

  it('drops an override that one side removed and the other did not change', () => {
    assert.deepEqual(mergeTask(rows(occurrence), rows(), rows(occurrence)).rows.overrides, []);
    assert.deepEqual(mergeTask(rows(occurrence), rows(occurrence), rows()).rows.overrides, []);
  });

  it('keeps an override that was edited on one side and removed on the other', () => {
    const edited = rowWith(occurrence, { title: 'Edited' });
    assert.deepEqual(mergeTask(rows(occurrence), rows(edited), rows()).rows.overrides, [edited]);
    const { rows: merged, lost } = mergeTask(rows(occurrence), rows(), rows(edited));
    assert.deepEqual(merged.overrides, [edited]);
    assert.deepEqual(
      lost.map(({ field, lost: here }) => ({ field, here })),
      [{ field: 'occurrence', here: null }],
    );
  });

  it('takes back the exclusion of an occurrence that the other side edited', () => {
    const edited = rowWith(occurrence, { title: 'Edited' });
    const local = { master: rowWith(series, { exdate: 'EXDATE:20250503T070000Z,20250509T070000Z' }), overrides: [] };
    const { rows: merged, lost } = mergeTask(rows(), local, rows(edited));
    assert.deepEqual(merged.overrides, [edited]);
    assert.equal(merged.master?.fields.exdate, 'EXDATE:20250509T070000Z');
    assert.equal(lost.length, 1);
  });

  it('reports an override of an occurrence that the server has excluded', () => {
    const server = { master: rowWith(series, { exdate: 'EXDATE:20250503T070000Z' }), overrides: [] };
    const { rows: merged, lost } = mergeTask(rows(), rows(occurrence), server);
    assert.deepEqual(merged, server);
    assert.equal(lost[0]?.field, 'occurrence');
    assert.equal(lost[0]?.kept, null);
  });
});
