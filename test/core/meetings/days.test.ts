import assert from 'node:assert/strict';
import fc from 'fast-check';
import { busyMinutesIn, meetingsOn, nextMeeting } from '../../../src/core/meetings/days';
import type { Meeting } from '../../../src/core/meetings/meeting';
import { type Day, dayBounds } from '../../../src/core/time/dates';
import { civil, inZone } from '../support/series';

const meeting = (start: string, end: string, more: Partial<Meeting> = {}): Meeting => ({
  uid: start,
  start: inZone('Europe/Berlin', `2026-11-21T${start}`),
  end: inZone('Europe/Berlin', `2026-11-21T${end}`),
  isAllDay: false,
  isFloating: false,
  title: `${start}-${end}`,
  isBusy: true,
  isPrivate: false,
  ...more,
});
const allDay = (start: string, end: string): Meeting => ({
  ...meeting('00:00', '01:00'),
  ...{ start: civil(start), end: civil(end), isAllDay: true, isFloating: true, title: 'day' },
});
const zone = 'Europe/Berlin';

describe('the meetings of a day', () => {
  for (const userZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', zone, 'America/St_Johns'])
    it(`are those that overlap it in ${userZone}`, () => {
      const day = dayBounds('2026-11-21' as Day, userZone);
      const at = (hour: string) => inZone(userZone, hour);
      const of = (start: string, end: string) => ({
        ...meeting('00:00', '00:00'),
        start: at(start),
        end: at(end),
        title: start,
      });
      const all = [
        of('2026-11-20T22:00', '2026-11-21T00:00'),
        of('2026-11-20T22:00', '2026-11-21T00:30'),
        of('2026-11-21T23:59', '2026-11-22T02:00'),
        of('2026-11-21T00:00', '2026-11-21T00:00'),
        of('2026-11-22T00:00', '2026-11-22T01:00'),
        allDay('2026-11-20', '2026-11-21'),
        allDay('2026-11-21', '2026-11-22'),
      ];
      assert.deepEqual(
        meetingsOn(all, day, userZone).map(({ title }) => title),
        ['day', '2026-11-20T22:00', '2026-11-21T00:00', '2026-11-21T23:59'],
      );
    });

  it('follow the time at which the user’s day starts', () => {
    const late = dayBounds('2026-11-21' as Day, zone, 4);
    assert.deepEqual(meetingsOn([meeting('03:00', '03:30'), meeting('04:00', '05:00')], late, zone).length, 1);
  });

  it('take as many minutes as counting each minute gives', () => {
    const minute = fc.integer({ min: 0, max: 200 });
    fc.assert(
      fc.property(fc.array(fc.tuple(minute, minute)), pairs => {
        const spans = pairs.map(([from, to]) => ({
          ...meeting('00:00', '00:00'),
          start: from * 60_000,
          end: (from + to) * 60_000,
        }));
        const isBusy = (at: number) => pairs.some(([from, to]) => at >= from && at < from + to);
        const naive = Array.from({ length: 100 }, (_, at) => at + 50).filter(isBusy).length;
        assert.equal(busyMinutesIn(spans, { start: 50 * 60_000, end: 150 * 60_000 }, zone), naive);
      }),
    );
  });
});

describe('the next meeting', () => {
  const next = (now: string, ...meetings: Meeting[]) => {
    const end = inZone(zone, '2026-11-22T00:00');
    const found = nextMeeting(meetings, inZone(zone, `2026-11-21T${now}`), end, zone);
    const time = (at: number | undefined) =>
      at === undefined ? '-' : new Date(at + 3_600_000).toISOString().slice(11, 16);
    return found && [found.meeting.title, time(found.freeFrom), time(found.freeUntil)].join(' ');
  };
  const day = [meeting('10:00', '11:00'), meeting('13:00', '14:00'), meeting('14:00', '15:00')];

  it('is the upcoming one, with the free time after it', () => {
    assert.equal(next('09:00', ...day), '10:00-11:00 11:00 13:00');
    assert.equal(next('10:30', ...day), '10:00-11:00 11:00 13:00');
  });

  it('includes those that follow without a break', () => {
    assert.equal(next('11:00', ...day), '13:00-14:00 15:00 -');
    assert.equal(next('14:30', ...day), '14:00-15:00 15:00 -');
    assert.equal(next('15:00', ...day), undefined);
  });

  it('is the latest to have begun, never one that is free or lasts all day', () => {
    assert.equal(next('10:30', meeting('08:00', '18:00'), ...day), '10:00-11:00 18:00 -');
    assert.equal(
      next('09:00', allDay('2026-11-21', '2026-11-22'), meeting('10:00', '11:00', { isBusy: false })),
      undefined,
    );
  });
});
