import { instantOf } from '../dates';
import type { EpochMs, Occurrence } from '../model';
import { civilDay } from './match';

/**
 * When the reminders of a line fire. START without a start falls back to the due value; an all-day reference fires at
 * `allDayAlarm` (ms after midnight) of its day.
 */
export function alarmTimes({ task, due, dtstart }: Occurrence, zone: string, allDayAlarm: number): EpochMs[] {
  const times: EpochMs[] = [];
  for (const alarm of task.alarms) {
    const before = alarm.minutesBefore * 60_000;
    if (alarm.reference === 'ABSOLUTE') {
      times.push(-before);
      continue;
    }
    const value = alarm.reference === 'START' ? (dtstart ?? due) : due;
    if (value === null) continue;
    const at = task.isAllDay
      ? instantOf(civilDay(value, task) + allDayAlarm, null, zone)
      : instantOf(value, task.timezone, zone);
    times.push(at - before);
  }
  return times;
}
