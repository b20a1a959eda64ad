import type { DuelineEngine } from '../api';
import type { EpochMs, Task } from '../core/model';
import { type OpenInstance, openOccurrences } from '../core/recurrence';
import { isRecurring } from './describe';

/** Further than this nobody opens an occurrence. */
const mostOpened = 1000;

/**
 * The occurrence of a series that a view means by its recurrence id, start or due; the next open one where it names
 * none. Undefined where the task does not repeat or nothing of it is open.
 */
export function instanceOf(
  engine: Pick<DuelineEngine, 'rows' | 'clock'>,
  task: Task,
  occurrence: EpochMs | null = null,
): OpenInstance | undefined {
  if (!isRecurring(task) || task.masterId !== null) return undefined;
  const overrides = engine.rows(task.listId).filter(row => row.masterId === task.id && !row.isDeleted);
  let seen = 0;
  let next: OpenInstance | undefined;
  for (const instance of openOccurrences(task, overrides, engine.clock.timeZone)) {
    next ??= instance;
    if (occurrence === null) return next;
    if ([instance.recurrenceId, instance.dtstart, instance.due].includes(occurrence)) return instance;
    if (++seen > mostOpened) break;
  }
  return next;
}
