import assert from 'node:assert/strict';
import { formatUtc } from '../../../src/core/lines/dateDigits';
import { codedDates, exdateLine } from '../../../src/core/recurrence/dateLines';
import { dayMs } from '../../../src/core/time/units';

describe('thousands of dates of a series', () => {
  const start = Date.UTC(2026, 0, 1, 8);
  const lines = (name: string, count = 1_000) =>
    Array.from({ length: count }, (_, at) => `${name}:${formatUtc(start + at * dayMs)}`).join('\n');
  const inUtc = { isAllDay: false, timezone: 'UTC' };

  it('are parsed once for all views of a change', () => {
    const read = exdateLine(lines('EXDATE'), inUtc, 'UTC');
    assert.equal(read(start, start), true);
    assert.equal(read(start + 1_000 * dayMs, start), false);
    assert.equal(exdateLine(lines('EXDATE'), { ...inUtc }, 'UTC'), read);
    assert.equal(codedDates(lines('RDATE'), inUtc, 'UTC', 0), codedDates(lines('RDATE'), inUtc, 'UTC', 0));
  });

  it('are parsed again for another series, another text or another zone', () => {
    const kept = codedDates(lines('RDATE'), inUtc, 'UTC', 0);
    assert.equal(kept.length, 1_000);
    assert.equal(codedDates(lines('RDATE', 1_001), inUtc, 'UTC', 0).length, 1_001);
    const floating = { isAllDay: false, timezone: null };
    assert.equal(codedDates(lines('RDATE'), floating, 'Asia/Kolkata', 0)[0], start + 5.5 * 3_600_000);
    assert.equal(codedDates(lines('RDATE'), floating, 'UTC', 0)[0], start);
    assert.equal(codedDates(lines('RDATE'), { isAllDay: true, timezone: null }, 'UTC', 0)[0], start - 8 * 3_600_000);
    assert.deepEqual(codedDates(lines('RDATE'), inUtc, 'UTC', 0), kept);
  });
});
