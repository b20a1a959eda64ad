import type { DuelineEngine } from '../../api';
import { DuelineError } from '../../core/kernel/errors';
import type { Id } from '../../core/kernel/model';
import { isRecurring, openOccurrences } from '../../core/recurrence/instances';
import { countOfTasks } from '../../core/text/issueLinks';
import { maxLines } from '../../core/text/taskLines';
import { isolate, numeral, t, tn } from '../../shared/l10n';
import { dateStyle } from '../settings/settings';
import { momentLabel } from './dateText';
import { titleOf } from './taskText';

/** Throws `invalid` for too many lines: they are a whole file rather than tasks. */
export function checkLineCount({ length }: readonly unknown[]): void {
  if (length > maxLines)
    throw new DuelineError(
      'invalid',
      t('Up to {0} lines can be added as tasks at once. For more, import a file.', numeral(maxLines)),
    );
}

/** The added tasks, and how many of the links already had tasks. */
export function addedLinesText(
  engine: DuelineEngine,
  ids: readonly Id[],
  lines: Parameters<typeof countOfTasks>[0],
): string {
  const known = countOfTasks(lines) - ids.length;
  const parts = [
    ...(ids.length > 0 ? [addedText(engine, ids)] : []),
    ...(known > 0 ? [tn(known, '{0} link already has a task', '{0} links already have tasks')] : []),
  ];
  return parts.join(' · ');
}

/** Names the list and the date of the added tasks: a new task may be in no visible view. */
export function addedText(engine: DuelineEngine, ids: readonly Id[]): string {
  const tasks = ids.flatMap(id => engine.task(id) ?? []);
  const [task] = tasks;
  const list = engine.lists().find(({ id }) => id === task?.listId);
  const isOne = tasks.every(({ listId }) => listId === list?.id);
  if (!task || !list || (tasks.length > 1 && !isOne)) return tn(ids.length, 'Added {0} task', 'Added {0} tasks');
  if (tasks.length > 1) return tn(ids.length, 'Added {0} task to {1}', 'Added {0} tasks to {1}', isolate(list.name));
  // A series begins with the first date of its rule, which its due date need not be.
  const [first] = isRecurring(task) ? openOccurrences(task, [], engine.clock.timeZone) : [];
  const { due, dtstart } = first ?? task;
  const value = due ?? dtstart;
  const when = value === null ? [] : [momentLabel(value, task, dateStyle(engine))];
  return [t('Added {0} to {1}', isolate(titleOf(task)), isolate(list.name)), ...when].join(' · ');
}
