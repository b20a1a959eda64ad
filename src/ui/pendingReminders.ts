import type { DuelineEngine } from '../api';
import type { Id, Occurrence } from '../core/kernel/model';
import { momentOf } from '../core/time/dates';
import { occurrence } from '../query/eval/items';

/** The rows whose reminders wait for an answer, the one that came due first at the top; only those in `lists` if given. */
export function remindedRows(
  { reminders, clock, settings }: Pick<DuelineEngine, 'reminders' | 'clock' | 'settings'>,
  lists?: readonly Id[],
): readonly Occurrence[] {
  const moment = momentOf(clock, settings.dayStartHour);
  return reminders
    .pending()
    .filter(({ task }) => !lists || lists.includes(task.listId))
    .map(({ task, dtstart, due }) => occurrence({ task, dtstart, due }, moment));
}

/** The rows that are not among those, which are in a group of their own. */
export function withoutReminded(rows: readonly Occurrence[], reminded: readonly Occurrence[]): readonly Occurrence[] {
  if (reminded.length === 0) return rows;
  const names = new Set(reminded.map(nameOf));
  return rows.filter(row => !names.has(nameOf(row)));
}

const nameOf = ({ task, dtstart, due }: Occurrence) => `${task.id}@${dtstart ?? due}`;
