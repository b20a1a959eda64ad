import type { DuelineEngine, Reminder } from '../api';
import type { Id, Occurrence, Task } from '../core/kernel/model';
import { momentOf } from '../core/time/dates';
import { occurrence } from '../query/eval/items';

/** The exception for all later dates reminds of these, too, which are occurrences of its series. */
export const remindedTask = ({ task: taskOf }: Pick<DuelineEngine, 'task'>, { task, recurrenceId }: Reminder): Task =>
  task.masterId !== null && task.recurrenceId !== recurrenceId ? (taskOf(task.masterId) ?? task) : task;

/** The rows whose reminders wait for an answer, the one that came due first at the top; only those in `lists` if given. */
export function remindedRows(
  engine: Pick<DuelineEngine, 'reminders' | 'clock' | 'settings' | 'task'>,
  lists?: readonly Id[],
): readonly Occurrence[] {
  const moment = momentOf(engine.clock, engine.settings.dayStartHour);
  return engine.reminders
    .pending()
    .filter(({ task }) => !lists || lists.includes(task.listId))
    .map(reminder => {
      const { dtstart, due } = reminder;
      return occurrence({ task: remindedTask(engine, reminder), dtstart, due }, moment);
    });
}

/** The rows that are not among those, which are in a group of their own. */
export function withoutReminded(rows: readonly Occurrence[], reminded: readonly Occurrence[]): readonly Occurrence[] {
  if (reminded.length === 0) return rows;
  const names = new Set(reminded.map(nameOf));
  return rows.filter(row => !names.has(nameOf(row)));
}

const nameOf = ({ task, dtstart, due }: Occurrence) => `${task.id}@${dtstart ?? due}`;
