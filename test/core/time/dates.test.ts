import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addDays,
  addDuration,
  addMonths,
  civilMs,
  type Day,
  type DayBounds,
  dayBounds,
  dayOf,
  dayOfCivil,
  daysBetween,
  effectiveDue,
  formatDuration,
  fromWall,
  instantOf,
  isPast,
  momentOf,
  parseDay,
  parseDuration,
  resolveZone,
  startOfWeek,
  today,
  wallOf,
  weekday,
  zonedText,
} from '../../../src/core/time/dates';
import { dayMs } from '../../../src/core/time/units';

const zones = [
  'Pacific/Honolulu',
  'America/Los_Angeles',
  'UTC',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Europe/Berlin',
  'America/St_Johns',
  'Africa/Casablanca',
];
const at = (text: string) => Date.parse(text);
const day = (text: string) => text as Day;
const clockAt = (instant: number, timeZone: string) => ({ now: () => instant, timeZone });
const anyZone = fc.constantFrom(...zones);
const anyCivilDay = fc.integer({ min: -3650, max: 40_000 }).map(days => days * dayMs);
const anyInstant = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2040, 0, 1) });

/** True if a stored value is within a day. Its bounds need no more than a comparison. */
const isWithin = (value: number, timezone: string | null, day: DayBounds): boolean =>
  timezone === null
    ? value >= day.civilStart && value < day.civilEnd
    : value >= day.instantStart && value < day.instantEnd;

describe('days', () => {
  for (const zone of zones) {
    for (const civil of ['2024-02-29', '2025-03-09', '2025-12-31', '2026-01-01', '2011-12-31', '2025-10-26']) {
      for (const time of ['00:00', '23:59']) {
        it(`an all-day ${civil} is due on its date at ${time} in ${zone}`, () => {
          const bounds = momentOf(clockAt(fromWall(at(`${civil}T${time}:00Z`), zone), zone)).today;
          assert.equal(bounds.day, civil);
          assert.equal(dayOf(at(civil), null, zone), civil);
          assert.equal(isWithin(at(civil), null, bounds), true);
          assert.equal(isWithin(at(civil) - dayMs, null, bounds), false);
          assert.equal(isWithin(at(civil) + dayMs, null, bounds), false);
        });
      }
    }
  }

  it('an all-day task lands on exactly its date, in every zone and at every moment', () => {
    fc.assert(
      fc.property(anyZone, anyCivilDay, anyInstant, fc.integer({ min: 0, max: 6 }), (zone, civil, now, startHour) => {
        const moment = momentOf(clockAt(now, zone), startHour);
        assert.equal(dayOf(civil, null, zone, startHour), dayOfCivil(civil));
        assert.equal(isWithin(civil, null, moment.today), dayOfCivil(civil) === moment.today.day);
        assert.equal(
          isPast(civil, { isAllDay: true, timezone: null }, moment),
          dayOfCivil(civil) < today(clockAt(now, zone), startHour),
        );
      }),
    );
  });

  it('puts an instant on the day whose bounds contain it', () => {
    const wholeHours = anyZone.filter(zone => zone !== 'America/St_Johns');
    fc.assert(
      fc.property(wholeHours, anyInstant, fc.integer({ min: 0, max: 6 }), (zone, instant, startHour) => {
        const found = dayOf(instant, 'UTC', zone, startHour);
        // If the clocks skip the start hour, the day starts an hour later.
        const bounds = dayBounds(found, zone, startHour);
        const near = Math.min(Math.abs(instant - bounds.instantStart), Math.abs(instant - bounds.instantEnd));
        assert.ok(isWithin(instant, 'UTC', bounds) || near <= 3_600_000);
      }),
    );
  });

  it('counts late hours to the day before if a day starts later', () => {
    const clock = clockAt(at('2025-06-02T01:30:00Z'), 'UTC');
    assert.equal(today(clock), '2025-06-02');
    assert.equal(today(clock, 3), '2025-06-01');
    assert.equal(dayBounds(day('2025-06-01'), 'UTC', 3).instantEnd, at('2025-06-02T03:00:00Z'));
  });

  it('knows that a day which a zone skipped has no length', () => {
    const skipped = dayBounds(day('2011-12-30'), 'Pacific/Apia');
    assert.equal(skipped.instantStart, skipped.instantEnd);
    assert.equal(skipped.instantEnd, at('2011-12-30T10:00:00Z'));
  });

  it('knows days of 23 and 25 hours', () => {
    const length = (text: string) => {
      const { instantStart, instantEnd } = dayBounds(day(text), 'America/Los_Angeles');
      return (instantEnd - instantStart) / 3_600_000;
    };
    assert.deepEqual(['2025-03-09', '2025-11-02', '2025-11-03'].map(length), [23, 25, 24]);
  });

  it('counts days, weeks and months', () => {
    assert.equal(addDays(day('2024-02-28'), 2), '2024-03-01');
    assert.equal(addDays(day('2026-01-01'), -1), '2025-12-31');
    assert.equal(daysBetween(day('2025-03-08'), day('2025-03-10')), 2);
    assert.equal(weekday(day('2025-11-16')), 0);
    assert.equal(startOfWeek(day('2025-11-16'), 0), '2025-11-16');
    assert.equal(startOfWeek(day('2025-11-16'), 1), '2025-11-10');
    assert.equal(startOfWeek(day('2025-11-14'), 6), '2025-11-08');
    assert.equal(addMonths(day('2024-01-31'), 1), '2024-02-29');
    assert.equal(addMonths(day('2024-03-31'), -13), '2023-02-28');
    assert.equal(civilMs(day('1970-01-02')), dayMs);
    assert.equal(parseDay('2025-02-29'), undefined);
    assert.equal(parseDay('2024-02-29'), '2024-02-29');
    assert.equal(parseDay('2024-2-9'), undefined);
  });
});

describe('wall clocks', () => {
  it('show what the platform shows', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, instant) => {
        const whole = Math.floor(instant / 1000) * 1000;
        const shown = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
        assert.equal(shown.format(whole), new Date(wallOf(whole, zone)).toISOString().slice(0, 19).replace('T', ' '));
      }),
    );
  });

  it('are written with their offset and zone, to the minute (RFC 9557)', () => {
    for (const [zone, text] of [
      ['UTC', '2026-07-01T12:34+00:00[UTC]'],
      ['Europe/Berlin', '2026-07-01T14:34+02:00[Europe/Berlin]'],
      ['America/St_Johns', '2026-07-01T10:04-02:30[America/St_Johns]'],
      ['Nowhere/At_All', '2026-07-01T12:34+00:00[UTC]'],
    ] as const)
      assert.equal(zonedText(Date.UTC(2026, 6, 1, 12, 34, 56), zone), text);
  });

  it('are read back as they were, if they exist', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, instant) => {
        const back = fromWall(wallOf(instant, zone), zone);
        assert.equal(wallOf(back, zone), wallOf(instant, zone));
        assert.ok(back <= instant);
      }),
    );
  });

  it('move a skipped time on by the gap, and take the first of two', () => {
    assert.equal(fromWall(at('2025-03-09T02:30:00Z'), 'America/Los_Angeles'), at('2025-03-09T10:30:00Z'));
    assert.equal(fromWall(at('2025-11-02T01:30:00Z'), 'America/Los_Angeles'), at('2025-11-02T08:30:00Z'));
    assert.equal(fromWall(at('2011-12-30T12:00:00Z'), 'Pacific/Apia'), at('2011-12-30T22:00:00Z'));
    assert.equal(fromWall(at('2025-03-30T02:30:00Z'), 'Europe/Berlin'), at('2025-03-30T01:30:00Z'));
  });

  it('read a civil value in the user’s zone and leave an instant alone', () => {
    assert.equal(instantOf(at('2025-01-01T09:00:00Z'), null, 'Asia/Kolkata'), at('2025-01-01T03:30:00Z'));
    assert.equal(instantOf(at('2025-01-01T09:00:00Z'), 'Europe/Berlin', 'Asia/Kolkata'), at('2025-01-01T09:00:00Z'));
  });

  it('survive values that no calendar has', () => {
    for (const value of [8.64e15, -8.64e15, 9e15]) {
      assert.equal(wallOf(value, 'Europe/Berlin'), value);
      assert.ok(Number.isFinite(fromWall(value, 'Europe/Berlin')));
    }
  });
});

describe('zone names', () => {
  for (const [tzid, zone] of [
    ['Europe/Berlin', 'Europe/Berlin'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['pacific standard time', 'America/Los_Angeles'],
    ['"Tokyo Standard Time"', 'Asia/Tokyo'],
    ['/mozilla.org/20050126_1/Europe/Berlin', 'Europe/Berlin'],
    ['/freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Etc/UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['Z', 'UTC'],
    ['tzone://Microsoft/Utc', 'UTC'],
    ['tzone://Microsoft/Custom', undefined],
    ['My Office Time', undefined],
    ['', undefined],
  ] as const) {
    it(`${tzid || 'no name'} is ${zone ?? 'unknown'}`, () => assert.equal(resolveZone(tzid), zone));
  }

  it('only examines the end of an endless path', () => {
    assert.equal(resolveZone(`${'a/'.repeat(50_000)}Europe/Berlin`), 'Europe/Berlin');
    assert.equal(resolveZone('a/'.repeat(50_000)), undefined);
  });

  it('treats an unknown zone as UTC', () => assert.equal(wallOf(0, 'My Office Time'), 0));
});

describe('durations', () => {
  for (const [text, days, ms] of [
    ['P1D', 1, 0],
    ['P2W', 14, 0],
    ['-PT15M', 0, -900_000],
    ['P1DT2H3M4S', 1, 7_384_000],
    ['PT1H0M5S', 0, 3_605_000],
    ['+PT0S', 0, 0],
  ] as const) {
    it(`reads ${text}`, () => assert.deepEqual(parseDuration(text), { days, ms }));
  }

  for (const text of ['', 'P', 'PT', '1D', 'P1H', 'P1.5D', 'PT-5M', 'P99999999999999999999D', '-PT999999999999S']) {
    it(`refuses '${text}'`, () => assert.equal(parseDuration(text), undefined));
  }

  it('are read back as they were written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 0, max: 86_400 }),
        fc.boolean(),
        (days, seconds, back) => {
          const sign = back ? -1 : 1;
          const duration = { days: sign * days + 0, ms: sign * seconds * 1000 + 0 };
          assert.deepEqual(parseDuration(formatDuration(duration)), duration);
        },
      ),
    );
    assert.equal(formatDuration({ days: 14, ms: 0 }), 'P2W');
    assert.equal(formatDuration({ days: 0, ms: 3_605_000 }), 'PT1H0M5S');
    assert.equal(formatDuration({ days: 0, ms: -900_000 }), '-PT15M');
  });

  it('add days on the wall clock and hours exactly', () => {
    const start = at('2025-03-29T09:00:00+01:00');
    assert.equal(addDuration(start, 'Europe/Berlin', 'P1D'), at('2025-03-30T09:00:00+02:00'));
    assert.equal(addDuration(start, 'Europe/Berlin', 'PT24H'), at('2025-03-30T10:00:00+02:00'));
    assert.equal(addDuration(at('2025-03-29'), null, 'P1W'), at('2025-04-05'));
  });

  it('determine the due date if the task has none', () => {
    const task = { dtstart: at('2025-01-01'), due: null, duration: 'P2D', timezone: null };
    assert.equal(effectiveDue(task), at('2025-01-03'));
    assert.equal(effectiveDue({ ...task, due: at('2025-01-09') }), at('2025-01-09'));
    assert.equal(effectiveDue({ ...task, dtstart: null }), null);
    assert.equal(effectiveDue({ ...task, duration: 'soon' }), null);
  });
});
