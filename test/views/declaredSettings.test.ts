import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DeclaredSettings } from '../../src/ui/settings/declaredSettings';

describe('settings as declared by the manifest', () => {
  const settings = new DeclaredSettings(JSON.parse(readFileSync('package.json', 'utf8')));
  const rest = ['10m', '1h', 'tonight', 'tomorrow', 'nextWeek'];

  for (const [id, value, valid] of [
    ['dueline.defaults.priority', 9, 9],
    ['dueline.defaults.priority', 99, 0],
    ['dueline.defaults.priority', 2.5, 0],
    ['dueline.defaults.priority', '5', 0],
    ['dueline.trash.retentionDays', -5, 30],
    ['dueline.backup.enabled', null, true],
    ['dueline.week.firstDay', 'saturday', 'saturday'],
    ['dueline.week.firstDay', 'someday', 'locale'],
    ['dueline.reminders.allDayTime', '25:00', '09:00'],
    ['dueline.reminders.allDayTime', '06:30', '06:30'],
    ['dueline.reminders.snoozeOptions', ['10m', 'later', 7, '2d'], ['10m', '2d']],
    ['dueline.reminders.snoozeOptions', '10m', rest],
    ['dueline.defaults.reminderMinutes', [15, -15, '15'], [15]],
    ['dueline.filters', [{ name: 'Half written' }], [{ name: 'Half written' }]],
    ['dueline.widgets', [], {}],
    ['dueline.unheardOf', 7, 7],
  ] as const)
    it(`${id}: ${JSON.stringify(value)}`, () => assert.deepEqual(settings.valid(id, value), valid));
});
