import assert from 'node:assert/strict';
import { alarmLabel } from '../../src/views/alarmLabel';

describe('reminders in words', () => {
  for (const [minutes, reference, words] of [
    [0, 'DUE', 'when it is due'],
    [30, 'DUE', '30 minutes before it is due'],
    [60, 'START', '1 hour before the start'],
    [1440, 'DUE', '1 day before it is due'],
    [90, 'DUE', '90 minutes before it is due'],
    [-10, 'DUE', '10 minutes after it is due'],
  ] as const)
    it(words, () => assert.equal(alarmLabel({ minutesBefore: minutes, reference }, 'UTC'), words));

  it('says the moment of an absolute one on the reader’s clock', () => {
    const at = Date.UTC(2026, 10, 21, 23, 30) / 60_000;
    assert.match(alarmLabel({ minutesBefore: -at, reference: 'ABSOLUTE' }, 'Europe/Berlin'), /22.*2026.*12:30/);
  });
});
