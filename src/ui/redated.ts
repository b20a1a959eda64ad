import type { DuelineEngine, TaskChange } from '../api';
import type { UndoStep } from '../core/editLabel';
import type { EditScope } from '../core/recurrence/seriesEdit';
import { inSeries } from './occurrences';
import { titleOf } from './text/taskText';

type Engine = Pick<DuelineEngine, 'task' | 'undoSteps' | 'undoStep' | 'redo' | 'apply'>;

/** New dates of one occurrence, as the step that gave them and what it consisted of. */
export interface Redated {
  readonly title: string;
  readonly step: Promise<UndoStep | undefined>;
  /** The same step, with the dates for more of the series. */
  readonly changesFor: (scope: EditScope) => readonly TaskChange[];
}

/** Told right after the changes, which are the newest step then. Undefined where they are not the dates of one occurrence. */
export function redatedBy(engine: Engine, changes: readonly TaskChange[]): Redated | undefined {
  const dated = changes.filter(change => change.type !== 'move');
  const [only] = dated;
  const wide = dated.length === 1 && only ? ofSeries(engine, only) : undefined;
  const task = wide && engine.task(wide.id);
  if (!task) return undefined;
  const step = engine.undoSteps().then(
    ([newest]) => newest,
    () => undefined,
  );
  const changesFor = (scope: EditScope) => changes.map(change => (change === only ? { ...wide, scope } : change));
  return { title: titleOf(task), step, changesFor };
}

/** An occurrence with dates of its own is a row of its own, and a change of that row one of its series. */
function ofSeries(engine: Engine, change: TaskChange): Extract<TaskChange, { type: 'updateOccurrence' }> | undefined {
  if (change.type === 'updateOccurrence') return change;
  if (change.type !== 'update' || change.patch.due == null) return undefined;
  const row = engine.task(change.id);
  const { task, occurrence } = row ? inSeries(engine, row) : {};
  if (!task || task === row || occurrence == null) return undefined;
  return { type: 'updateOccurrence', id: task.id, occurrence, patch: change.patch };
}

/** One step in place of the other. False where that one has been undone meanwhile. */
export async function redateMore(engine: Engine, { step, changesFor }: Redated, scope: EditScope): Promise<boolean> {
  const done = await step;
  const changes = changesFor(scope);
  if (!done || !(await engine.undoStep(done.id))) return false;
  try {
    await engine.apply(changes);
  } catch (error) {
    // As it was before the question.
    await engine.redo();
    throw error;
  }
  return true;
}
