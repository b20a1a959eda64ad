import { isClosed } from '../fields/status';
import type { AlarmInput, Task } from '../kernel/model';
import type { RowColumns } from '../kernel/rowEdit';
import type { EngineSettings } from '../kernel/settings';
import { effectiveDue } from '../time/dates';

type Dates = Pick<Task, 'dtstart' | 'due' | 'duration' | 'isAllDay' | 'timezone'>;
type Reminded = Dates & Pick<RowColumns, 'status' | 'alarms'>;
type Defaults = Pick<EngineSettings, 'defaultReminder' | 'defaultAlarms'>;

/**
 * The alarms that `after` gets if the input has no reminders: those of a task that had no due date before, or no time.
 * They are alarms like any other, so other devices have them too and the user can remove them; a task without any that
 * only moves stays without.
 */
export function alarmsGained(before: Dates, after: Reminded, settings: Defaults): readonly AlarmInput[] {
  if (isClosed(after) || after.alarms.length > 0) return [];
  const [had, has] = [dueKind(before), dueKind(after)];
  const gains = has === 'time' ? had !== 'time' : has === 'day' && had === 'none';
  return gains ? defaultAlarms(after, settings) : [];
}

/** The default alarms of a task with a due date. */
export function defaultAlarms(
  { isAllDay }: Pick<Dates, 'isAllDay'>,
  { defaultReminder, defaultAlarms }: Defaults,
): readonly AlarmInput[] {
  if (defaultAlarms.length > 0) return defaultAlarms;
  return defaultReminder === 'all' || (defaultReminder === 'timed' && !isAllDay) ? [{ minutesBefore: 0 }] : [];
}

const dueKind = (task: Dates) => (effectiveDue(task) === null ? 'none' : task.isAllDay ? 'day' : 'time');
