import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CompletionMode } from '../../../src/core/kernel/settings';
import { completeRecurring, deleteOccurrence, skipOccurrence } from '../../../src/core/recurrence/completion';
import { nextOpenOccurrence, occurrencesOf } from '../../../src/core/recurrence/instances';
import type { SeriesContext, SeriesRows } from '../../../src/core/recurrence/seriesRows';
import { dayMs } from '../../../src/core/time/units';
import { after, aTask } from '../support/series';

const zones = ['Pacific/Honolulu', 'America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Apia'];
const rules = [
  'FREQ=DAILY;COUNT=7',
  'FREQ=DAILY;INTERVAL=3;COUNT=5',
  'FREQ=WEEKLY;COUNT=4',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;COUNT=8',
  'FREQ=MONTHLY;COUNT=5',
  'FREQ=MONTHLY;BYDAY=-1FR;COUNT=4',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4',
  'FREQ=YEARLY;COUNT=3',
  'FREQ=HOURLY;INTERVAL=5;COUNT=6',
  'FREQ=DAILY;INTERVAL=40;UNTIL=20250620',
];
const anySeries = fc.record({
  rrule: fc.constantFrom(...rules),
  zone: fc.constantFrom(...zones),
  timezone: fc.constantFrom(null, ...zones),
  at: fc.integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2025, 5, 20) / 60_000 }),
  span: fc.integer({ min: 0, max: 4000 }),
  isAllDay: fc.boolean(),
});

function seriesOf({ rrule, timezone, at, span, isAllDay }: typeof anySeries extends fc.Arbitrary<infer T> ? T : never) {
  const allDay = isAllDay && !rrule.includes('HOURLY');
  const round = (value: number) => (allDay ? Math.floor(value / dayMs) * dayMs : value);
  const dtstart = round(at * 60_000);
  const due = round((at + span) * 60_000);
  return aTask({ dtstart, due, isAllDay: allDay, timezone: allDay ? null : timezone, rrule });
}

function run(series: SeriesRows, context: SeriesContext, act: typeof completeRecurring): SeriesRows {
  const rows = after([series.master, ...series.overrides], act(series, context));
  return {
    master: rows.find(({ id }) => id === 1)!,
    overrides: rows.filter(({ masterId }) => masterId === 1),
    subtasks: [],
  };
}

describe('going through a series', () => {
  for (const mode of ['override', 'advance'] satisfies CompletionMode[]) {
    for (const [name, act] of [
      ['completing', completeRecurring],
      ['skipping', skipOccurrence],
    ] as const) {
      it(`${name} by ${mode} meets every occurrence once, in order, then closes it`, () => {
        fc.assert(
          fc.property(anySeries, given => {
            const context = { now: 0, zone: given.zone, mode, resetSubtasks: true };
            const master = seriesOf(given);
            const expected = [...occurrencesOf(master, { zone: given.zone })].map(({ due }) => due);
            let series: SeriesRows = { master, overrides: [], subtasks: [] };
            const met: (number | null)[] = [];
            for (let round = 0; round < 40; round++) {
              const next = nextOpenOccurrence(series.master, series.overrides, given.zone);
              if (!next) break;
              met.push(next.due);
              series = run(series, context, act);
            }
            assert.deepEqual(met, expected);
            if (expected.length > 0) assert.equal(series.master.status, name === 'completing' ? 2 : 3);
          }),
          { numRuns: 60 },
        );
      });
    }
  }

  it('deleting its next occurrence empties it after exactly as many times as it has occurrences', () => {
    fc.assert(
      fc.property(anySeries, given => {
        const context = { now: 0, zone: given.zone, mode: 'auto' as const, resetSubtasks: true };
        const master = seriesOf(given);
        const expected = [...occurrencesOf(master, { zone: given.zone })].length;
        let series: SeriesRows = { master, overrides: [], subtasks: [] };
        let count = 0;
        for (; count < 40; count++) {
          const next = nextOpenOccurrence(series.master, [], given.zone);
          if (!next) break;
          series = run(series, context, (rows, how) => deleteOccurrence(rows, how, next.recurrenceId));
        }
        assert.equal(count, expected);
      }),
      { numRuns: 60 },
    );
  });
});
