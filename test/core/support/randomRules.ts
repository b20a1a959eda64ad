import fc from 'fast-check';

const some = <T>(items: readonly T[], max = 3) =>
  fc
    .uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: max })
    .map(list => [...list].sort((a, b) => Number(a) - Number(b)).join(','));
const upTo = (max: number) => Array.from({ length: max }, (_, index) => index + 1);
const signed = (max: number) => [...upTo(max), ...upTo(max).map(number => -number)];
const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const numbered = days.flatMap(day => [`1${day}`, `2${day}`, `-1${day}`, `-2${day}`]);
const maybe = (part: string, values: fc.Arbitrary<string>) =>
  fc.option(values, { nil: undefined, freq: 3 }).map(value => (value === undefined ? '' : `;${part}=${value}`));
const parts = (...list: fc.Arbitrary<string>[]) => fc.tuple(...list).map(found => found.join(''));
const setPos = fc.option(fc.constantFrom(1, 2, -1), { nil: undefined, freq: 2 });

/** Rules that every implementation takes. */
export const rules = fc
  .oneof(
    parts(
      fc.constant('FREQ=YEARLY'),
      maybe('BYMONTH', some(upTo(12))),
      maybe('BYMONTHDAY', some(signed(31))),
      maybe('BYDAY', fc.oneof(some(days), some(numbered))),
    ),
    parts(
      fc.constant('FREQ=YEARLY'),
      fc.constant(';BYWEEKNO='),
      some([...upTo(3), 20, 40, 51, -20]),
      fc.constant(';BYDAY='),
      some(days),
    ),
    parts(fc.constant('FREQ=YEARLY;BYYEARDAY='), some([...signed(10), 100, 200, 365, 366, -365, -366])),
    parts(
      fc.constant('FREQ=MONTHLY'),
      maybe('BYMONTH', some(upTo(12))),
      maybe('BYMONTHDAY', some(signed(31))),
      maybe('BYDAY', fc.oneof(some(days), some(numbered))),
    ),
    parts(fc.constant('FREQ=WEEKLY'), maybe('BYMONTH', some(upTo(12))), maybe('BYDAY', some(days))),
    parts(
      fc.constant('FREQ=DAILY'),
      maybe('BYMONTH', some(upTo(12))),
      maybe('BYMONTHDAY', some(signed(31))),
      maybe('BYDAY', some(days)),
      maybe('BYHOUR', some([0, 8, 17, 23])),
      maybe('BYMINUTE', some([0, 30])),
    ),
    parts(
      fc.constant('FREQ=HOURLY'),
      maybe('BYDAY', some(days)),
      maybe('BYHOUR', some([0, 8, 17, 23])),
      maybe('BYMINUTE', some([0, 15, 59])),
    ),
    parts(fc.constant('FREQ=MINUTELY'), maybe('BYHOUR', some([0, 8, 17])), maybe('BYMINUTE', some([0, 15, 59]))),
  )
  .chain(rule =>
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), setPos, fc.constantFrom('', ';WKST=SU', ';WKST=TH'))
      .map(([interval, position, weekStart]) =>
        [
          rule,
          // rrule never returns from a step that misses every hour or minute named.
          interval > 1 && !/(HOURLY|MINUTELY).*BY/.test(rule) ? `;INTERVAL=${interval}` : '',
          position !== undefined && rule.includes('BY') && !/WEEKLY|HOURLY|MINUTELY/.test(rule)
            ? `;BYSETPOS=${position}`
            : '',
          weekStart,
        ].join(''),
      ),
  );
export const starts = fc
  .integer({ min: Date.UTC(1997, 0, 1) / 60_000, max: Date.UTC(2032, 0, 1) / 60_000 })
  .map(at => at * 60_000);
