import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Task } from '../../../src/core/kernel/model';
import { completeRecurring } from '../../../src/core/recurrence/completion';
import { nextOpenOccurrence, openOccurrences } from '../../../src/core/recurrence/instances';
import { type EditScope, editOccurrence } from '../../../src/core/recurrence/seriesEdit';
import { dayMs, hourMs } from '../../../src/core/time/units';
import { acted, after, aTask, civil, context, inZone, rowsOf, shown } from '../support/series';

const zone = 'Europe/Berlin';

function firstOf<T>(limit: number, all: Iterable<T>): T[] {
  const found: T[] = [];
  for (const one of all) if (found.push(one) === limit) break;
  return found;
}

/** The open occurrences after the one after `done` completed ones was moved. */
function openAfter(master: Task, done: number, scope: EditScope, distance: number, limit = 4) {
  let series = rowsOf(master);
  for (let count = 0; count < done; count++) series = acted(series, rows => completeRecurring(rows, context()));
  const { recurrenceId, due } = nextOpenOccurrence(series.master, series.overrides, zone)!;
  const rows = after(
    [series.master, ...series.overrides],
    editOccurrence(series, context(), {
      occurrence: recurrenceId,
      scope,
      patch: { due: due! + distance },
      newUid: 'uid-2',
    }),
  );
  const masters = rows.filter(({ masterId, status }) => masterId === null && status === 0);
  const open = masters.flatMap(one =>
    firstOf(
      limit,
      openOccurrences(
        one,
        rows.filter(({ masterId }) => masterId === one.id),
        zone,
      ),
    ).map(({ due }) => shown(one, due)),
  );
  return { open: open.sort().slice(0, limit), rules: masters.map(({ rrule }) => rrule) };
}

const daily = (rrule: string, due = '2025-01-06') => aTask({ due: civil(due), isAllDay: true, rrule });

describe('moving a series whose rule names days', () => {
  it('moves all of its weekdays, so that no completed occurrence opens again', () => {
    const { open, rules } = openAfter(daily('FREQ=WEEKLY;BYDAY=MO,WE,FR'), 5, 'all', dayMs);
    assert.deepEqual(open, ['2025-01-18', '2025-01-21', '2025-01-23', '2025-01-25']);
    assert.deepEqual(rules, ['FREQ=WEEKLY;BYDAY=TU,TH,SA']);
  });

  it('does not lose the moved occurrence if the following ones move with it', () => {
    const { open } = openAfter(daily('FREQ=WEEKLY;BYDAY=MO,WE,FR'), 3, 'following', dayMs);
    assert.deepEqual(open, ['2025-01-14', '2025-01-16', '2025-01-18', '2025-01-21']);
  });

  it('keeps the weekdays if a series begins on another one of them', () => {
    for (const scope of ['all', 'following'] as const)
      assert.deepEqual(openAfter(daily('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'), 0, scope, 3 * dayMs, 3), {
        open: ['2025-01-09', '2025-01-10', '2025-01-13'],
        rules: ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
      });
  });

  it('moves the week with its days if weeks are left out', () => {
    const { open, rules } = openAfter(daily('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU'), 3, 'all', dayMs);
    assert.deepEqual(open, ['2025-01-27', '2025-02-04', '2025-02-10', '2025-02-18']);
    assert.deepEqual(rules, ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,MO;WKST=TU']);
  });

  it('refuses a distance that its rule cannot move by', () => {
    const refused = { kind: 'unsupported', message: /cannot be moved by this distance/ };
    for (const [rrule, done, scope, distance] of [
      ['FREQ=MONTHLY;BYDAY=1MO', 3, 'all', dayMs],
      ['FREQ=MONTHLY;BYDAY=1MO', 3, 'following', dayMs],
      ['FREQ=MONTHLY;BYMONTHDAY=6,20', 3, 'all', dayMs],
      ['FREQ=DAILY;BYHOUR=9,17', 3, 'all', hourMs],
    ] as const) {
      const isAllDay = !rrule.includes('HOUR');
      const master = { ...daily(rrule), isAllDay, due: civil('2025-01-06') + (isAllDay ? 0 : 9 * hourMs) };
      assert.throws(() => openAfter(master, done, scope, distance), refused, rrule);
    }
    assert.throws(() => openAfter(daily('FREQ=MONTHLY', '2025-01-28'), 1, 'all', dayMs * 4), refused);
    const { open } = openAfter(daily('FREQ=MONTHLY', '2025-01-28'), 1, 'following', dayMs * 4);
    assert.deepEqual(open, ['2025-03-04', '2025-04-04', '2025-05-04', '2025-06-04']);
  });

  it('takes the end along, so that the last occurrence stays', () => {
    const due = inZone(zone, '2025-01-06T09:00');
    const timed = aTask({ due, timezone: zone, rrule: 'FREQ=WEEKLY;UNTIL=20250120T080000Z' });
    assert.deepEqual(openAfter(timed, 0, 'all', hourMs).open, [
      '2025-01-06T10:00',
      '2025-01-13T10:00',
      '2025-01-20T10:00',
    ]);
    assert.deepEqual(openAfter(daily('FREQ=WEEKLY;UNTIL=20250120'), 2, 'all', dayMs).open, ['2025-01-21']);
  });

  it('finds every occurrence again, or changes nothing', () => {
    const rules = [
      'FREQ=DAILY;INTERVAL=3',
      'FREQ=WEEKLY',
      'FREQ=WEEKLY;BYDAY=TU',
      'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      'FREQ=WEEKLY;INTERVAL=3;BYDAY=SA,SU,WE;WKST=SU',
      'FREQ=MONTHLY',
      'FREQ=MONTHLY;BYMONTHDAY=6',
      'FREQ=MONTHLY;BYMONTHDAY=-1',
      'FREQ=MONTHLY;BYDAY=-1FR',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1',
      'FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=6',
      'FREQ=DAILY;BYDAY=MO,FR',
    ];
    const given = fc.record({
      rrule: fc.constantFrom(...rules),
      end: fc.constantFrom('', ';COUNT=6', ';UNTIL=20250401'),
      done: fc.nat(4),
      days: fc.integer({ min: -20, max: 20 }),
      start: fc.nat(60),
      scope: fc.constantFrom<EditScope>('all', 'following'),
    });
    fc.assert(
      fc.property(given, ({ rrule, end, done, days, start, scope }) => {
        const master = { ...daily(rrule + end), due: civil('2025-01-01') + start * dayMs };
        let series = rowsOf(master);
        for (let count = 0; count < done; count++) series = acted(series, rows => completeRecurring(rows, context()));
        const next = nextOpenOccurrence(series.master, series.overrides, zone);
        if (!next) return;
        const moved = shown(master, next.due! + days * dayMs);
        try {
          const { open } = openAfter(master, done, scope, days * dayMs, 1);
          assert.equal(open[0], moved, 'the moved occurrence is the next open one, at its new date');
        } catch (error) {
          if ((error as { kind?: string }).kind !== 'unsupported') throw error;
        }
      }),
      { numRuns: 400 },
    );
  });
});
