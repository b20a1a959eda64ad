import assert from 'node:assert/strict';
import { type DayRow, hourSlots } from '../../../src/core/meetings/hourSlots';
import type { Meeting } from '../../../src/core/meetings/meeting';
import { type Day, dayBounds } from '../../../src/core/time/dates';

const zone = 'UTC';
const day = '2026-03-11' as Day;
const bounds = dayBounds(day, zone);
const at = (time: string) => Date.parse(`${day}T${time}Z`);
const meeting = (uid: string, start: string, minutes: number, more: Partial<Meeting> = {}): Meeting => ({
  ...{ uid, title: uid, isAllDay: false, isFloating: false, isBusy: true, isPrivate: false },
  ...{ start: at(start), end: at(start) + minutes * 60_000 },
  ...more,
});
const rows = (...entries: readonly (readonly [key: string, time: string | 'day' | 'done'])[]): DayRow[] =>
  entries.map(([key, time]) => ({
    key,
    at: time === 'day' ? Number.NEGATIVE_INFINITY : time === 'done' ? Number.POSITIVE_INFINITY : at(time),
  }));
const slots = (meetings: readonly Meeting[], lines: readonly DayRow[]) =>
  [...hourSlots(meetings, lines, bounds, zone)].map(([{ uid }, slot]) => [uid, slot]);

describe('the slots of meetings', () => {
  it('are before the first task that is due after they begin, with the time between', () => {
    const lines = rows(
      ['whole', 'day'],
      ['early', '09:00'],
      ['due then', '10:00'],
      ['late', '15:30'],
      ['done', 'done'],
    );
    assert.deepEqual(slots([meeting('a', '10:00', 60), meeting('b', '13:00', 90)], lines), [
      ['a', { nextRow: 'late', minutes: 60, minutesBefore: 0, minutesAfter: 0 }],
      ['b', { nextRow: 'late', minutes: 90, minutesBefore: 120, minutesAfter: 60 }],
    ]);
  });

  it('are before completed tasks, and after all rows if none is left', () => {
    assert.deepEqual(slots([meeting('a', '10:00', 60)], rows(['whole', 'day'], ['done', 'done'])), [
      ['a', { nextRow: 'done', minutes: 60, minutesBefore: 0, minutesAfter: 0 }],
    ]);
    assert.deepEqual(slots([meeting('a', '10:00', 60)], rows(['early', '08:00'])), [
      ['a', { minutes: 60, minutesBefore: 120, minutesAfter: 0 }],
    ]);
  });

  it('have no time between if they overlap, also around a task that is due meanwhile', () => {
    const lines = rows(['meanwhile', '10:30']);
    const both = [meeting('long', '10:00', 180), meeting('short', '10:15', 15), meeting('next', '14:00', 30)];
    assert.deepEqual(slots(both, lines), [
      ['long', { nextRow: 'meanwhile', minutes: 180, minutesBefore: 0, minutesAfter: 0 }],
      ['short', { nextRow: 'meanwhile', minutes: 15, minutesBefore: 0, minutesAfter: 0 }],
      ['next', { minutes: 30, minutesBefore: 60, minutesAfter: 0 }],
    ]);
  });

  it('are for the part on this day, and for no meeting of whole days or from the day before', () => {
    const night = meeting('night', '23:00', 180);
    const before = { ...meeting('before', '00:00', 60), start: bounds.instantStart - 3_600_000 };
    assert.deepEqual(slots([meeting('fair', '00:00', 1440, { isAllDay: true }), before, night], []), [
      ['night', { minutes: 60, minutesBefore: 0, minutesAfter: 0 }],
    ]);
  });
});
