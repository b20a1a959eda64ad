import type { DuelineEngine, TaskChange } from '../api';
import type { EditScope } from '../core/recurrence/seriesEdit';
import { inSeries } from './occurrences';
import { rescheduledText } from './reschedule';
import { titleOf } from './text/taskText';

type Engine = Pick<DuelineEngine, 'task' | 'undoStep' | 'redo' | 'apply'>;

/** New dates of one occurrence, and the changes that set them. */
export interface Rescheduled {
  readonly title: string;
  /** The same changes, with the dates for more of the series. */
  readonly changesFor: (scope: EditScope) => readonly TaskChange[];
}

/** Undefined if the changes are not the dates of one occurrence. */
export function rescheduledOf(engine: Pick<Engine, 'task'>, changes: readonly TaskChange[]): Rescheduled | undefined {
  const dated = changes.filter(change => change.type !== 'move');
  const [only] = dated;
  const wide = dated.length === 1 && only ? ofSeries(engine, only) : undefined;
  const task = wide && engine.task(wide.id);
  if (!task) return undefined;
  const changesFor = (scope: EditScope) => changes.map(change => (change === only ? { ...wide, scope } : change));
  return { title: titleOf(task), changesFor };
}

/** The announcement of new dates. */
export function rescheduledBy(
  engine: Pick<DuelineEngine, 'task' | 'clock'>,
  changes: readonly TaskChange[],
): { readonly text: string; readonly rescheduled?: Rescheduled } {
  const rescheduled = rescheduledOf(engine, changes);
  const dated = changes.filter(({ type }) => type !== 'move');
  return { text: rescheduledText(engine, dated), ...(rescheduled ? { rescheduled } : {}) };
}

/** An occurrence with dates of its own is a row of its own, and a change of that row one of its series. */
function ofSeries(
  engine: Pick<Engine, 'task'>,
  change: TaskChange,
): Extract<TaskChange, { type: 'updateOccurrence' }> | undefined {
  if (change.type === 'updateOccurrence') return change;
  if (change.type !== 'update' || change.patch.due == null) return undefined;
  const row = engine.task(change.id);
  const { task, occurrence } = row ? inSeries(engine, row) : {};
  if (!task || task === row || occurrence == null) return undefined;
  return { type: 'updateOccurrence', id: task.id, occurrence, patch: change.patch };
}

/** Makes one step in place of the other. Returns false if that one can no longer be undone. */
export async function applyToSeries(
  engine: Engine,
  step: string,
  { changesFor }: Rescheduled,
  scope: EditScope,
): Promise<boolean> {
  const changes = changesFor(scope);
  if (!(await engine.undoStep(step))) return false;
  try {
    await engine.apply(changes);
  } catch (error) {
    // The occurrence has the date again that it had before the question.
    await engine.redo();
    throw error;
  }
  return true;
}
