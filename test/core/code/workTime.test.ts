import assert from 'node:assert/strict';
import fc from 'fast-check';
import { daysOf, sumBy, sumByDay, tagErrors, timeEntries } from '../../../src/core/code/timeReport';
import { hoursText, type WorkSession, withSessions, withTimeEdit, workTimeOf } from '../../../src/core/code/workTime';
import type { Task } from '../../../src/core/kernel/model';
import type { Day } from '../../../src/core/time/dates';

const row = (...lines: string[]) => ({ unknownProperties: lines.length > 0 ? JSON.stringify(lines) : null });
const linesOf = (text: string | null): string[] => JSON.parse(text ?? '[]');
const at = (day: number, hour = 9, minute = 0) => Date.UTC(2026, 10, day, hour, minute);
const minutes = 60_000;

const session: fc.Arbitrary<WorkSession> = fc.record(
  {
    start: fc.integer({ min: 0, max: 4_000_000_000 }).map(seconds => seconds * 1000),
    ms: fc.integer({ min: 1, max: 10_000_000 }).map(seconds => seconds * 1000),
    repo: fc.constantFrom('0123456789ab', 'fedcba987654'),
  },
  { requiredKeys: ['start', 'ms'], noNullPrototype: true },
);

describe('the time spent on a task', () => {
  it('is a line for each session, with its start and length', () => {
    const text = withSessions(row('X-OTHER:1'), [{ start: at(24, 8, 30), ms: 85 * minutes, repo: '0123456789ab' }]);
    assert.deepEqual(linesOf(text), ['X-OTHER:1', 'X-DUELINE-TIME;V=1;REPO=0123456789ab:20261124T083000Z/PT1H25M']);
    assert.deepEqual(workTimeOf({ unknownProperties: text }), {
      sessions: [{ start: at(24, 8, 30), ms: 85 * minutes, repo: '0123456789ab' }],
      ms: 85 * minutes,
    });
  });

  it('is read back as it was written, ordered by start', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(session, { selector: ({ start }) => start, minLength: 1, maxLength: 60 }),
        sessions => {
          const read = workTimeOf({ unknownProperties: withSessions(row(), sessions) });
          assert.deepEqual(
            read.sessions,
            sessions.toSorted((a, b) => a.start - b.start),
          );
          assert.equal(read.folded, undefined);
        },
      ),
    );
  });

  it('counts a session added twice once, and one below a second not at all', () => {
    const one = { start: at(24), ms: 5 * minutes };
    const once = withSessions(row(), [one]);
    assert.equal(withSessions({ unknownProperties: once }, [one, { start: at(25), ms: 900 }]), once);
  });

  it('can be corrected: a session is replaced, removed or added, and nothing else changes', () => {
    const [one, two, other] = [24, 25, 26].map(day => ({ start: at(day), ms: 5 * minutes })) as [
      WorkSession,
      WorkSession,
      WorkSession,
    ];
    const text = withSessions(row('X-OTHER:1'), [one, two]);
    const edited = (remove: number | undefined, ...add: WorkSession[]) =>
      withTimeEdit({ unknownProperties: text }, { remove, add });
    const sessions = (after: string | null) => workTimeOf({ unknownProperties: after }).sessions;
    assert.deepEqual(sessions(edited(one.start, { ...one, ms: 9 * minutes })), [{ ...one, ms: 9 * minutes }, two]);
    assert.deepEqual(sessions(edited(one.start, other)), [two, other]);
    assert.deepEqual(sessions(edited(two.start + 300)), [one]);
    assert.deepEqual(sessions(edited(undefined, other)), [one, two, other]);
    assert.deepEqual(linesOf(edited(one.start)).slice(0, 1), ['X-OTHER:1']);
    assert.equal(withTimeEdit({ unknownProperties: withSessions(row(), [one]) }, { remove: one.start, add: [] }), null);
  });

  it('keeps the last 60 sessions, and one sum of all earlier ones', () => {
    let text: string | null = JSON.stringify(['X-OTHER:1']);
    for (let hour = 0; hour < 70; hour++)
      text = withSessions({ unknownProperties: text }, [{ start: at(1, hour), ms: minutes }]);
    const { sessions, folded, ms } = workTimeOf({ unknownProperties: text });
    assert.equal(sessions.length, 60);
    assert.deepEqual(folded, { count: 10, ms: 10 * minutes, until: at(1, 9) });
    assert.equal(ms, 70 * minutes);
    assert.equal(linesOf(text).filter(line => line.includes('SUM=')).length, 1);
    assert.ok(linesOf(text).includes('X-OTHER:1'));
  });

  it('loses nothing, whatever order sessions arrive in', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(session, { selector: ({ start }) => start, maxLength: 150 }),
        fc.nat(149),
        (all, cut) => {
          const first = withSessions(row(), all.slice(0, cut));
          const { ms, sessions, folded } = workTimeOf({
            unknownProperties: withSessions({ unknownProperties: first }, all.slice(cut)),
          });
          assert.equal(
            ms,
            all.reduce((sum, one) => sum + one.ms, 0),
          );
          assert.equal(sessions.length + (folded?.count ?? 0), all.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('takes the longer of two sums from two computers', () => {
    const sum = (count: number, hours: number) => `X-DUELINE-TIME;V=1;SUM=${count}:20261101T000000Z/PT${hours}H`;
    const { folded, ms } = workTimeOf(row(sum(3, 5), sum(4, 6)));
    assert.deepEqual(folded, { count: 4, ms: 360 * minutes, until: at(1, 0) });
    assert.equal(ms, 360 * minutes);
  });

  it('keeps damaged lines, and those of other versions, as they are', () => {
    const bad = [
      'X-DUELINE-TIME:20261124T083000Z/PT1H',
      'X-DUELINE-TIME;V=2:20261124T083000Z/PT1H',
      'X-DUELINE-TIME;V=1:20261199T083000Z/PT1H',
      'X-DUELINE-TIME;V=1:20261124T083000Z/-PT1H',
      'X-DUELINE-TIME;V=1:20261124T083000/PT1H',
      'X-DUELINE-TIME;V=1;SUM=many:20261124T083000Z/PT1H',
      'X-DUELINE-TIME;V=1:',
      'X-DUELINE-TIME',
      'X-DUELINE-TIMEOUT;V=1:20261124T083000Z/PT1H',
    ];
    assert.deepEqual(workTimeOf(row(...bad)), { sessions: [], ms: 0 });
    let text: string | null = row(...bad).unknownProperties;
    for (let hour = 0; hour < 65; hour++)
      text = withSessions({ unknownProperties: text }, [{ start: at(1, hour), ms: minutes }]);
    assert.deepEqual(linesOf(text).slice(0, bad.length), bad);
    assert.deepEqual(workTimeOf({ unknownProperties: '{' }), { sessions: [], ms: 0 });
  });

  it('is shown as hours and minutes', () => {
    assert.deepEqual([0, 59_999, 5 * minutes, 125 * minutes, 6000 * minutes].map(hoursText), [
      '0:00',
      '0:00',
      '0:05',
      '2:05',
      '100:00',
    ]);
  });
});

describe('the time report', () => {
  it('shows how far off the estimates of a tag usually are, from three completed tasks on', () => {
    const task = (tags: string[], estimate: number, took: number, status = 2, rrule: string | null = null) => {
      const lines = estimate > 0 ? row(`ESTIMATED-DURATION:PT${estimate}M`) : row();
      const sessions = took > 0 ? [{ start: at(24), ms: took * minutes }] : [];
      return { tags, status, rrule, unknownProperties: withSessions(lines, sessions) } as unknown as Task;
    };
    const tasks = [
      ...[task(['a', 'b'], 60, 90), task(['A'], 30, 30), task(['a'], 10, 60), task(['a'], 60, 120)],
      ...[task(['b'], 60, 60), task(['c'], 20, 10), task(['c'], 60, 30), task(['c'], 40, 20)],
      ...[task(['b'], 0, 60), task(['b'], 60, 0), task(['b'], 60, 60, 0)],
      // A series measures all of its times.
      ...[task(['b', 'd'], 10, 600, 2, 'FREQ=DAILY'), task(['d'], 10, 10), task(['d'], 10, 10)],
    ];
    assert.deepEqual(tagErrors(tasks), [
      { tag: 'c', factor: 0.5, count: 3 },
      { tag: 'a', factor: 1.75, count: 4 },
    ]);
  });

  const rule = { zone: 'Europe/Berlin', startHour: 0, firstDay: 1 };
  const task = (id: number, listId: number, ...sessions: WorkSession[]) =>
    ({ id, listId, unknownProperties: withSessions(row(), sessions) }) as Task;
  const repo = '0123456789ab';
  const one = task(1, 1, { start: at(24), ms: 30 * minutes, repo }, { start: at(22, 23, 30), ms: 20 * minutes });
  const two = task(2, 1, { start: at(18), ms: 60 * minutes, repo });
  const entries = timeEntries([one, two], {}, rule);

  it('sums by task, list, repository and week, the longest first', () => {
    const sums = (keyOf: Parameters<typeof sumBy>[1]) =>
      sumBy(entries, keyOf).map(({ key, ms }) => [key, ms / minutes]);
    assert.deepEqual(
      sums(entry => entry.task.id),
      [
        [2, 60],
        [1, 50],
      ],
    );
    assert.deepEqual(
      sums(entry => entry.task.listId),
      [[1, 110]],
    );
    assert.deepEqual(
      sums(entry => entry.repo),
      [
        [repo, 90],
        [undefined, 20],
      ],
    );
    // Sunday night in UTC is Monday in Berlin.
    assert.deepEqual(
      sumByDay(entries, rule, 'week').map(({ key, ms }) => [key, ms / minutes]),
      [
        ['2026-11-23', 50],
        ['2026-11-16', 60],
      ],
    );
    assert.equal(
      sumByDay(entries, rule).reduce((sum, { ms }) => sum + ms / minutes, 0),
      110,
    );
  });

  it('covers a period of the user’s own days', () => {
    const today = '2026-11-24' as Day;
    const of = (period: Parameters<typeof daysOf>[0]) =>
      timeEntries([one, two], daysOf(period, today, 1), rule).reduce((sum, { ms }) => sum + ms / minutes, 0);
    assert.deepEqual(
      (['thisWeek', 'lastWeek', 'thisMonth', 'lastMonth', 'all'] as const).map(of),
      [50, 60, 110, 0, 110],
    );
    assert.deepEqual(daysOf('thisMonth', '2026-12-31' as Day, 1), { from: '2026-12-01', to: '2026-12-31' });
    assert.deepEqual(daysOf('lastMonth', '2026-03-31' as Day, 1), { from: '2026-02-01', to: '2026-02-28' });
  });

  it('includes sums of old sessions only for all time', () => {
    const sessions = Array.from({ length: 62 }, (_, hour) => ({ start: at(20, hour), ms: minutes }));
    const old = task(3, 1, ...sessions);
    const all = timeEntries([old], {}, rule);
    assert.equal(all.length, 61);
    assert.equal(sumByDay(all, rule, 'week').at(-1)?.key, undefined);
    assert.equal(timeEntries([old], { from: '2026-01-01' as Day }, rule).length, 60);
  });
});
