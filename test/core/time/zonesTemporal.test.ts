import assert from 'node:assert/strict';
import { Temporal } from 'temporal-polyfill';
import { clockChanges, wallOf, zonedText } from '../../../src/core/time/zones';

const zones = Intl.supportedValuesOf('timeZone');
const inZone = (instant: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

/** Temporal's, each at another offset than the moment before. */
function theirChanges(from: number, to: number, zone: string): number[] {
  const found: number[] = [];
  for (let moment = inZone(from, zone); ; ) {
    const next = moment.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds >= to) return found;
    if (next.offsetNanoseconds !== moment.offsetNanoseconds) found.push(next.epochMilliseconds);
    moment = next;
  }
}

describe('time zones against Temporal', () => {
  it('have the same offset in summer, in winter and before offsets were whole minutes', () => {
    const instants = [1890, 1945, 1983, 2011, 2026].flatMap(year => [Date.UTC(year, 0, 15), Date.UTC(year, 6, 15)]);
    const differing = zones.flatMap(zone =>
      instants.filter(at => wallOf(at, zone) - at !== inZone(at, zone).offsetNanoseconds / 1e6).map(at => [zone, at]),
    );
    assert.deepEqual(differing, []);
  });

  it('change their clocks at the same moments', () => {
    const [from, to] = [Date.UTC(2005, 0, 1), Date.UTC(2032, 0, 1)];
    const special = ['Africa/Casablanca', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Gaza'];
    for (const zone of [...special, ...zones.filter((_, at) => at % 40 === 0)])
      assert.deepEqual(clockChanges(from, to, zone), theirChanges(from, to, zone), zone);
  });

  it('are written in the same way', () => {
    const at = Date.UTC(2026, 10, 26, 8, 30);
    for (const zone of ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'UTC'])
      assert.equal(zonedText(at, zone), inZone(at, zone).toString({ smallestUnit: 'minute' }));
  });
});
