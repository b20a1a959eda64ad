import type { EpochMs, Occurrence } from '../../model';
import { fireTime } from '../../reminders/alarms';
import { civilDay } from './civilDay';

/** When the reminders of a line fire; an all-day reference does so at `allDayAlarm` (ms after midnight) of its day. */
export function alarmTimes({ task, due, dtstart }: Occurrence, zone: string, allDayAlarm: number): EpochMs[] {
  const coding = task.isAllDay ? { isAllDay: true, timezone: null } : task;
  const coded = (value: number | null) => (value !== null && task.isAllDay ? civilDay(value, task) : value);
  return task.alarms.flatMap(alarm => fireTime(alarm, coding, coded(dtstart), coded(due), zone, allDayAlarm) ?? []);
}
