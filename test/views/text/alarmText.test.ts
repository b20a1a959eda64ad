import assert from 'node:assert/strict';
import type { DateStyle } from '../../../src/ui/settings/settings';
import { alarmLabel, lengthLabel } from '../../../src/ui/text/alarmText';
import { usualStyle } from '../support/rows';

describe('reminders in words', () => {
  for (const [minutes, reference, words] of [
    [0, 'DUE', 'when it is due'],
    [30, 'DUE', '30 minutes before it is due'],
    [60, 'START', '1 hour before the start'],
    [1440, 'DUE', '1 day before it is due'],
    [90, 'DUE', '90 minutes before it is due'],
    [-10, 'DUE', '10 minutes after it is due'],
  ] as const)
    it(words, () => assert.equal(alarmLabel({ minutesBefore: minutes, reference }, usualStyle), words));

  for (const [minutes, words] of [
    [0, '0 minutes'],
    [1, '1 minute'],
    [25, '25 minutes'],
    [60, '1 hour'],
    [125, '2 hours 5 minutes'],
  ] as const)
    it(`show a duration: ${words}`, () => assert.equal(lengthLabel(minutes * 60_000 + 59_999), words));

  it('show the moment of an absolute one on the user’s clock', () => {
    const moment = { minutesBefore: -Date.UTC(2026, 10, 21, 23, 30) / 60_000, reference: 'ABSOLUTE' } as const;
    const clock = { ...usualStyle.clock, timeZone: 'Europe/Berlin' };
    const labels = (more: Partial<DateStyle>) =>
      alarmLabel(moment, { ...usualStyle, clock, ...more }).replace(/\s/g, ' ');
    assert.equal(labels({}), 'Nov 22, 2026, 12:30 AM');
    assert.equal(labels({ timeFormat: '24h' }), 'Nov 22, 2026, 00:30');
    assert.equal(labels({ timeFormat: '12h' }), 'Nov 22, 2026, 12:30 AM');
    assert.equal(labels({ timeFormat: '24h', dateFormat: 'iso', startHour: 4 }), '2026-11-22 00:30');
  });
});
