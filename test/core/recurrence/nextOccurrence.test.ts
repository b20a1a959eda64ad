import assert from 'node:assert/strict';
import type { Task } from '../../../src/core/kernel/model';
import { completeRecurring } from '../../../src/core/recurrence/completion';
import { nextOpenOccurrence } from '../../../src/core/recurrence/instances';
import { dayMs } from '../../../src/core/time/units';
import { pick } from '../../support/pick';
import { acted, aTask, civil, context, nextDue, rowsOf, weekly } from '../support/series';

describe('the next open occurrence', () => {
  const closed = (date: string, patch: Partial<Task> = {}) =>
    aTask({
      id: civil(date),
      masterId: 1,
      recurrenceId: civil(date),
      due: civil(date),
      isAllDay: true,
      status: 2,
      ...patch,
    });

  it('is the first without a closed override or an EXDATE', () => {
    const master = { ...weekly, exdate: 'EXDATE;VALUE=DATE:20250113' };
    assert.equal(nextDue(rowsOf(master)), '2025-01-06');
    assert.equal(nextDue(rowsOf(master, { overrides: [closed('2025-01-06')] })), '2025-01-20');
    assert.equal(nextDue(rowsOf(master, { overrides: [closed('2025-01-06', { status: 3 })] })), '2025-01-20');
  });

  it('ignores tombstones', () => {
    assert.equal(nextDue(rowsOf(weekly, { overrides: [closed('2025-01-06', { isDeleted: true })] })), '2025-01-06');
  });

  it('has the values of its override', () => {
    const moved = closed('2025-01-06', { status: 0, due: civil('2025-01-09') });
    const next = nextOpenOccurrence(weekly, [moved], 'UTC')!;
    assert.deepEqual(pick(next, 'due', 'recurrenceId', 'override'), {
      due: civil('2025-01-09'),
      recurrenceId: civil('2025-01-06'),
      override: moved,
    });
  });

  it('can be an open override that the rule no longer generates', () => {
    const stray = closed('2025-01-08', { status: 0 });
    assert.equal(nextDue(rowsOf(weekly, { overrides: [closed('2025-01-06'), stray] })), '2025-01-08');
    const ended = { ...weekly, rrule: 'FREQ=WEEKLY;COUNT=1' };
    assert.equal(nextDue(rowsOf(ended, { overrides: [closed('2025-01-06'), stray] })), '2025-01-08');
    const excluded = { ...ended, exdate: 'EXDATE;VALUE=DATE:20250108' };
    assert.equal(nextDue(rowsOf(excluded, { overrides: [closed('2025-01-06'), stray] })), undefined);
  });

  it('does not exist if the series is closed or used up', () => {
    assert.equal(nextDue(rowsOf({ ...weekly, status: 2 })), undefined);
    assert.equal(
      nextDue(rowsOf({ ...weekly, rrule: 'FREQ=WEEKLY;COUNT=1' }, { overrides: [closed('2025-01-06')] })),
      undefined,
    );
  });

  for (const rrule of ['FREQ=DAILY;UNTIL=20240101', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30']) {
    it(`is the task itself if ${rrule} generates nothing`, () => {
      const never = rowsOf({ ...weekly, rrule });
      assert.equal(nextDue(never), '2025-01-06');
      assert.equal(acted(never, series => completeRecurring(series, context())).master.status, 2);
      assert.equal(nextDue(rowsOf({ ...weekly, rrule, exdate: 'EXDATE;VALUE=DATE:20250106' })), undefined);
    });
  }

  it('is found in an old series with a long history', () => {
    const daily = { ...weekly, due: civil('2015-01-01'), rrule: 'FREQ=DAILY' };
    const history = Array.from({ length: 3000 }, (_, day) => {
      const id = daily.due! + day * dayMs;
      return aTask({ id, masterId: 1, recurrenceId: id, due: id, isAllDay: true, status: 2 });
    });
    assert.equal(nextDue(rowsOf(daily, { overrides: history })), '2023-03-20');
  });
});
