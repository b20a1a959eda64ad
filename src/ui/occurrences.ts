import type { DuelineEngine } from '../api';
import { type EpochMs, Status, type Task } from '../core/kernel/model';
import { isRecurring, type OpenInstance, openOccurrences } from '../core/recurrence/instances';
import { t } from '../shared/l10n';
import type { DateStyle } from './settings/settings';
import { momentLabel } from './text/dateText';

/** A task and, of a series, the occurrence that is meant: by its recurrence id, start or due. */
export interface TaskOccurrence {
  readonly task: Task;
  /** Null: the next open one. */
  readonly occurrence: EpochMs | null;
}

/** The most occurrences that are searched: no view shows one further away. */
const maxOccurrences = 1000;

type Engine = Pick<DuelineEngine, 'overridesOf' | 'clock'>;

/**
 * The occurrence of a series that a view means by its recurrence id, start or due; the next open one if it names none,
 * or none that exists. Undefined if the task does not repeat or no occurrence is open.
 */
export function instanceOf(engine: Engine, task: Task, occurrence: EpochMs | null = null): OpenInstance | undefined {
  if (occurrence !== null) {
    const named = instanceNamed(engine, task, occurrence);
    if (named) return named;
  }
  for (const instance of openOf(engine, task)) return instance;
  return undefined;
}

/**
 * The open occurrence with that recurrence id, or else with that start or due date. A moved occurrence may have the
 * original date of another one.
 */
export function instanceNamed(engine: Engine, task: Task, occurrence: EpochMs): OpenInstance | undefined {
  let dated: OpenInstance | undefined;
  let seen = 0;
  for (const instance of openOf(engine, task)) {
    if (instance.recurrenceId === occurrence) return instance;
    if (instance.dtstart === occurrence || instance.due === occurrence) dated ??= instance;
    if (++seen > maxOccurrences || (dated && instance.recurrenceId > occurrence)) break;
  }
  return dated;
}

function openOf(engine: Engine, task: Task): Iterable<OpenInstance> {
  if (!isRecurring(task) || task.masterId !== null) return [];
  return openOccurrences(task, engine.overridesOf(task.id), engine.clock.timeZone);
}

/** Tests whether the timer runs for the task, or for the series that it is an occurrence of. */
export const isActive = ({ working }: Pick<DuelineEngine, 'working'>, { status, uid }: Task): boolean =>
  status === Status.inProcess && working.active()?.task.uid === uid;

/** The row of an occurrence that has values of its own, be it open or over. */
export const overrideOf = (engine: Engine, task: Task, recurrenceId: EpochMs): Task | undefined =>
  engine.overridesOf(task.id).find(row => row.recurrenceId === recurrenceId);

/**
 * The series that a row is of, and which of its occurrences: an occurrence with values of its own is a row of its own.
 *
 * @example
 * inSeries(engine, override) // { task: master, occurrence: override.recurrenceId }
 */
export function inSeries(
  engine: Pick<DuelineEngine, 'task'>,
  task: Task,
  occurrence: EpochMs | null = null,
): TaskOccurrence {
  const master = task.masterId === null ? undefined : engine.task(task.masterId);
  return master ? { task: master, occurrence: task.recurrenceId } : { task, occurrence };
}

/** "Next: Tomorrow 8:00 AM": the date of the next open occurrence; undefined if the task does not repeat or has ended. */
export function nextText(engine: DuelineEngine, row: Task, style: DateStyle): string | undefined {
  const { task } = inSeries(engine, row);
  const instance = instanceOf(engine, task);
  const value = instance?.due ?? instance?.dtstart;
  if (!instance || value == null) return undefined;
  return t('Next: {0}', momentLabel(value, instance.override ?? task, style));
}

/** The original date of an occurrence that was moved; undefined for all others. */
export function movedFrom(engine: Pick<DuelineEngine, 'task'>, row: Task, style: DateStyle): string | undefined {
  if (row.masterId === null || row.recurrenceId === null) return undefined;
  const { task: master, occurrence } = inSeries(engine, row);
  const value = master.dtstart === null ? row.due : row.dtstart;
  if (master === row || occurrence === null || value === occurrence) return undefined;
  // "Moved from tomorrow" would be no date.
  const dateFormat = style.dateFormat === 'relative' ? 'short' : style.dateFormat;
  return momentLabel(occurrence, master, { ...style, dateFormat });
}
