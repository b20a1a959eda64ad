import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { occurrencesOf, type Series } from '../../../src/core/recurrence/instances';
import { dayMs } from '../../../src/core/time/units';
import { rules, starts } from '../support/randomRules';

interface Vector {
  readonly name: string;
  readonly rrule: string | null;
  readonly dtstart: string;
  readonly tz?: string | null;
  readonly rdate?: string;
  readonly exdate?: string;
  readonly expected: readonly string[];
  readonly complete?: boolean;
}

const vectors = (JSON.parse(readFileSync('test/core/fixtures/recurrence.json', 'utf8')) as Vector[]).filter(
  ({ rrule, rdate, exdate }) => rrule !== null && rdate === undefined && exdate === undefined,
);

/** The differences between the two, and why ours stays. */
const differences: Readonly<Record<string, string>> = {
  'February 30 never comes': 'It gives up with an error after 10 000 steps.',
  'a timed UNTIL ends an all-day series on its date': 'It refuses the rule; servers send such ones.',
  'a time that does not exist moves on by the gap, once': 'It leaves the day out; RFC 5545 3.3.5 keeps it.',
  'a Windows zone keeps its wall clock': 'It knows IANA names alone.',
  'parts of a clock mean nothing to an all-day task': 'It gives the day twice.',
  'INTERVAL=0 is what 1 is': 'It refuses the rule.',
  'COUNT=0 leaves the task itself': 'It gives nothing: the task would be gone.',
  'a FREQ nobody knows leaves the task itself': 'It refuses the rule.',
  'a foreign calendar leaves the task itself': 'It knows RSCALE (RFC 7529), which is not supported here.',
  'a skipped day gives one occurrence, not two': 'It does not count the day that the zone left out.',
};

function theirs(dtstart: string, rrule: string, limit: number): string[] {
  const found: string[] = [];
  new RRuleTemporal({ rruleString: `${dtstart}\nRRULE:${rrule}` }).all((date, index) => {
    found.push(date.toString().slice(0, 19));
    return index < limit - 1;
  });
  return found;
}

function theirsOf({ dtstart, tz, rrule, expected, complete }: Vector): string[] | string {
  const digits = dtstart.replace(/[-:]/g, '');
  const isDay = dtstart.length === 10;
  const isUtc = dtstart.endsWith('Z');
  const line = isDay ? `DTSTART;VALUE=DATE:${digits}` : `DTSTART${isUtc ? '' : `;TZID=${tz ?? 'UTC'}`}:${digits}`;
  try {
    const found = theirs(line, rrule!, expected.length + (complete === false ? 0 : 5));
    return found.map(text => (isDay ? text.slice(0, 10) : isUtc ? `${text}Z` : text));
  } catch (error) {
    return String(error);
  }
}

describe('recurrence against rrule-temporal', () => {
  for (const vector of vectors) {
    const reason = differences[vector.name];
    if (reason === undefined) it(`agrees: ${vector.name}`, () => assert.deepEqual(theirsOf(vector), vector.expected));
    else it(`differs: ${vector.name}. ${reason}`, () => assert.notDeepEqual(theirsOf(vector), vector.expected));
  }

  it('differs nowhere else', () => {
    const names = new Set(vectors.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(differences).filter(name => !names.has(name)),
      [],
    );
  });

  // In a week that reaches into another year it takes all days; ours and rrule take the year's own. Beside a numbered
  // weekday it forgets BYMONTHDAY.
  const plain = rules.filter(rule => !/BYWEEKNO|YEARLY.*BYMONTHDAY.*BYDAY=[^;]*\d/.test(rule));

  it('agrees on what a rule generates', () => {
    fc.assert(
      fc.property(plain, starts, (rrule, start) => {
        const series: Series = {
          ...{ dtstart: start, due: null, duration: null, isAllDay: false, timezone: 'UTC' },
          ...{ rrule, rdate: null, exdate: null },
        };
        const to = start + 12 * 366 * dayMs;
        const ours = [...occurrencesOf(series, { zone: 'UTC', to, limit: 8 })].map(({ recurrenceId }) =>
          new Date(recurrenceId).toISOString().slice(0, 19),
        );
        fc.pre(ours.length > 2);
        const digits = new Date(start).toISOString().replace(/[-:]|\.\d+/g, '');
        assert.deepEqual(theirs(`DTSTART:${digits}`, rrule, ours.length), ours, rrule);
      }),
      { numRuns: 250 },
    );
  });
});
