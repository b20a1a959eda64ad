import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { datetime, RRule, rrulestr } from 'rrule';
import { checkRule, occurrencesOf, type Series } from '../../../src/core/recurrence/instances';
import { parseRule, withPart } from '../../../src/core/recurrence/rrule';
import { fromWall, wallOf } from '../../../src/core/time/dates';
import { dayMs } from '../../../src/core/time/units';
import { rules, starts } from '../support/randomRules';

interface Vector {
  readonly id?: string;
  readonly name?: string;
  readonly rrule: string | null;
  /** A date, or a wall clock in `tz`; with Z in UTC. */
  readonly dtstart: string;
  readonly tz?: string | null;
  readonly rdate?: string;
  readonly exdate?: string;
  readonly expected: readonly string[];
  readonly complete?: boolean;
  readonly dtstartInSet?: boolean;
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Vector[];

const civil = (text: string) => Date.parse(text.length === 10 ? text : `${text.replace(/Z$/, '')}Z`);

function seriesOf(vector: Vector): Series {
  const timezone = vector.tz ?? null;
  const wall = civil(vector.dtstart);
  return {
    dtstart: timezone === null ? wall : fromWall(wall, timezone),
    due: null,
    duration: null,
    isAllDay: vector.dtstart.length === 10,
    timezone,
    rrule: vector.rrule,
    rdate: vector.rdate ?? null,
    exdate: vector.exdate ?? null,
  };
}

function check(vector: Vector): void {
  const series = seriesOf(vector);
  const limit = vector.expected.length + (vector.complete === false ? 0 : 5);
  const found = [...occurrencesOf(series, { zone: 'Asia/Kolkata', limit })].map(({ recurrenceId }) => {
    const wall = series.timezone === null ? recurrenceId : wallOf(recurrenceId, series.timezone);
    const text = new Date(wall).toISOString().slice(0, series.isAllDay ? 10 : 19);
    return vector.dtstart.endsWith('Z') ? `${text}Z` : text;
  });
  assert.deepEqual(found, vector.expected);
}

describe('recurrence', () => {
  for (const vector of read(resolve('test/core/fixtures/recurrence.json'))) it(vector.name!, () => check(vector));

  it('can start late in an old series at no cost', () => {
    const series = seriesOf({ rrule: 'FREQ=MINUTELY;INTERVAL=7', dtstart: '1980-01-01T00:00:00', expected: [] });
    const from = civil('2025-06-01T00:00:00');
    const [first] = occurrencesOf(series, { zone: 'UTC', from, limit: 1 });
    assert.ok(first!.recurrenceId >= from && first!.recurrenceId < from + 7 * 60_000);
    assert.equal((first!.recurrenceId - series.dtstart!) % (7 * 60_000), 0);
  });

  it('ends by itself if a rule is endless or never matches', () => {
    const count = (rrule: string) =>
      [...occurrencesOf(seriesOf({ rrule, dtstart: '2025-01-01T00:00:00', expected: [] }), { zone: 'UTC' })].length;
    assert.equal(count('FREQ=SECONDLY'), 10_000);
    assert.equal(count('FREQ=SECONDLY;INTERVAL=2;BYSECOND=1'), 0);
    assert.equal(count('FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30'), 0);
    assert.equal(count('FREQ=DAILY;COUNT=100000000'), 10_000);
    assert.equal(count('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31'), 0);
    assert.equal(count('FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1'), 0);
  });

  it('returns what overlaps a window, by start or by due', () => {
    const series = {
      ...seriesOf({ rrule: 'FREQ=DAILY', dtstart: '2025-01-01', expected: [] }),
      due: civil('2025-01-03'),
    };
    const days = [...occurrencesOf(series, { zone: 'UTC', from: civil('2025-02-10'), to: civil('2025-02-11') })];
    assert.deepEqual(
      days.map(({ dtstart, due }) => [dtstart, due].map(value => new Date(value!).toISOString().slice(8, 10))),
      [
        ['08', '10'],
        ['09', '11'],
        ['10', '12'],
      ],
    );
  });

  it('keeps the distance from start to due on the wall clock, and exactly with a duration', () => {
    const start = fromWall(civil('2025-03-28T22:00:00'), 'Europe/Berlin');
    const due = fromWall(civil('2025-03-29T06:00:00'), 'Europe/Berlin');
    const series = { ...seriesOf({ rrule: 'FREQ=DAILY;COUNT=2', dtstart: '2025-01-01T00:00:00', expected: [] }) };
    const timed = { ...series, timezone: 'Europe/Berlin', dtstart: start };
    const ends = (it: Series) =>
      [...occurrencesOf(it, { zone: 'UTC' })].map(({ due: end }) =>
        new Date(wallOf(end!, 'Europe/Berlin')).toISOString().slice(0, 16),
      );
    assert.deepEqual(ends({ ...timed, due }), ['2025-03-29T06:00', '2025-03-30T06:00']);
    assert.deepEqual(ends({ ...timed, duration: 'PT8H' }), ['2025-03-29T06:00', '2025-03-30T07:00']);
  });

  it('starts at DUE if there is no DTSTART', () => {
    const series = seriesOf({ rrule: 'FREQ=DAILY;COUNT=2', dtstart: '2025-01-01', expected: [] });
    assert.deepEqual(
      [...occurrencesOf({ ...series, dtstart: null, due: series.dtstart }, { zone: 'UTC' })],
      [0, 1].map(day => ({
        recurrenceId: series.dtstart! + day * dayMs,
        dtstart: null,
        due: series.dtstart! + day * dayMs,
      })),
    );
    assert.deepEqual([...occurrencesOf({ ...series, dtstart: null }, { zone: 'UTC' })], []);
  });

  const zones = [
    'Pacific/Honolulu',
    'America/Los_Angeles',
    'UTC',
    'Asia/Kolkata',
    'Pacific/Kiritimati',
    'Pacific/Apia',
  ];
  for (const zone of zones) {
    it(`an all-day series reads the same in ${zone}`, () => {
      const series = seriesOf({ rrule: 'FREQ=DAILY;COUNT=3', dtstart: '2024-02-28', expected: [] });
      const found = [...occurrencesOf({ ...series, exdate: 'EXDATE;VALUE=DATE:20240229' }, { zone })];
      assert.deepEqual(
        found.map(({ recurrenceId }) => recurrenceId),
        [civil('2024-02-28'), civil('2024-03-01')],
      );
    });

    it(`a wall clock time in ${zone} stays the same for a year`, () => {
      const dtstart = fromWall(civil('2025-01-01T23:59:00'), zone);
      const series = { ...seriesOf({ rrule: 'FREQ=DAILY;COUNT=366', dtstart: '2025-01-01T00:00:00', expected: [] }) };
      const found = [...occurrencesOf({ ...series, dtstart, timezone: zone }, { zone: 'UTC' })];
      found.forEach(({ recurrenceId }, day) => {
        assert.equal(wallOf(recurrenceId, zone), civil('2025-01-01T23:59:00') + day * dayMs);
      });
    });
  }
});

const corpus = resolve('../shared/corpus/recurrence.json');
if (existsSync(corpus)) {
  const vectors = read(corpus);
  describe('vectors of other test suites', () => {
    for (const vector of vectors.filter(({ dtstartInSet }) => dtstartInSet !== false))
      it(vector.id!, () => check(vector));
  });
  describe('vectors whose start the rule does not generate', () => {
    for (const vector of vectors.filter(({ dtstartInSet }) => dtstartInSet === false))
      it(vector.id!, () => check(vector));
  });
}

describe('recurrence against a second implementation', () => {
  const theirs = (rrule: string, start: number, count: number) => {
    const options = rrulestr(rrule).origOptions;
    const found: number[] = [];
    const until = new Date(start + 12 * 366 * dayMs);
    new RRule({ ...options, dtstart: new Date(start), until }).all((date, index) => {
      found.push(date.getTime());
      return index < count - 1;
    });
    return found;
  };

  it('agrees on what a rule generates', () => {
    fc.assert(
      fc.property(rules, starts, (rrule, start) => {
        const series = { ...seriesOf({ rrule, dtstart: '2025-01-01T00:00:00', expected: [] }), dtstart: start };
        const until = start + 12 * 366 * dayMs;
        const ours = [...occurrencesOf(series, { zone: 'UTC', to: until + 1, limit: 8 })];
        // Over a rule that hardly ever comes true the other implementation takes its time.
        fc.pre(ours.length > 2);
        assert.deepEqual(
          ours.map(({ recurrenceId }) => recurrenceId),
          theirs(rrule, start, 8),
          rrule,
        );
      }),
      { numRuns: 250 },
    );
  });

  it('returns the same from whatever date it begins', () => {
    fc.assert(
      fc.property(
        rules.filter(rule => !/HOURLY|MINUTELY/.test(rule)),
        starts,
        fc.integer({ min: 0, max: 1500 }),
        (rrule, start, later) => {
          const series = { ...seriesOf({ rrule, dtstart: '2025-01-01T00:00:00', expected: [] }), dtstart: start };
          const from = start + later * dayMs;
          const to = from + 40 * dayMs;
          const ids = (it: Iterable<{ recurrenceId: number }>) =>
            [...it].map(({ recurrenceId }) => recurrenceId).slice(0, 50);
          const counted = { ...series, rrule: `${rrule};COUNT=199999` };
          const late = ids(occurrencesOf(series, { zone: 'UTC', from, to, limit: 50 }));
          assert.deepEqual(late, ids(occurrencesOf(counted, { zone: 'UTC', from, to, limit: 50 })));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('runs the other implementation', () => {
    assert.deepEqual(theirs('FREQ=DAILY', datetime(2025, 1, 1).getTime(), 2), [
      Date.UTC(2025, 0, 1),
      Date.UTC(2025, 0, 2),
    ]);
  });
});

describe('rules set by the user', () => {
  it('name each day once, however often they list it', () => {
    const days = parseRule(`FREQ=MONTHLY;BYDAY=${'MO,-1FR,'.repeat(50_000)}1MO`)?.byDay;
    assert.deepEqual(
      days?.map(({ nth, weekday }) => ({ nth, weekday })),
      [
        { nth: 0, weekday: 1 },
        { nth: -1, weekday: 5 },
        { nth: 1, weekday: 1 },
      ],
    );
  });

  for (const rrule of [
    'FREQ=DAILY',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=SU',
    'FREQ=MONTHLY;BYDAY=-1FR;COUNT=12',
    'FREQ=YEARLY;BYWEEKNO=-1;UNTIL=20301231',
    'freq=monthly;bysetpos=-1;byday=mo,tu',
  ]) {
    it(`accepts ${rrule}`, () => assert.equal(checkRule(rrule), undefined));
  }

  for (const rrule of [
    '',
    'DAILY',
    'FREQ=',
    'FREQ=FORTNIGHTLY',
    'INTERVAL=2',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=-1',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;INTERVAL=x',
    'FREQ=DAILY;COUNT=2;UNTIL=20250101',
    'FREQ=DAILY;UNTIL=20250230',
    'FREQ=DAILY;UNTIL=soon',
    'FREQ=YEARLY;BYMONTH=13',
    'FREQ=MONTHLY;BYMONTHDAY=0',
    'FREQ=DAILY;BYHOUR=-1',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=WEEKLY;BYDAY=1MO',
    'FREQ=MONTHLY;BYWEEKNO=3',
    'FREQ=MONTHLY;BYSETPOS=1',
    'RSCALE=HEBREW;FREQ=YEARLY',
    'FREQ=DAILY;X-A=1\nSUMMARY:x',
  ]) {
    it(`refuses ’${rrule}’ with the reason`, () => assert.match(checkRule(rrule)!.text, /\.$/));
  }

  it('changes one part and keeps the rest as written', () => {
    assert.equal(withPart('FREQ=DAILY;count=3;X-A=b', 'COUNT', 2), 'FREQ=DAILY;COUNT=2;X-A=b');
    assert.equal(withPart('FREQ=DAILY;COUNT=3', 'COUNT', undefined), 'FREQ=DAILY');
    assert.equal(withPart('FREQ=DAILY', 'UNTIL', '20250101'), 'FREQ=DAILY;UNTIL=20250101');
  });
});
