import { dependenciesOf, withDependencies } from '../core/fields/dependencies';
import { DuelineError } from '../core/kernel/errors';
import type { Id, Task } from '../core/kernel/model';
import { engineMessage } from './messages';
import type { TaskEditor } from './taskEditor';

/** Tasks by id, and UIDs of tasks that need not be here any more. */
interface BlockerChange {
  readonly add?: readonly Id[];
  readonly remove?: readonly string[];
}

/**
 * Changes the dependencies of a task, or of the series if the row is one occurrence of it. Throws `invalid` if a task
 * would wait for itself.
 */
export function changeBlockers(editor: TaskEditor, id: Id, { add = [], remove = [] }: BlockerChange): void {
  const seriesOf = (row: Task) => (row.masterId === null ? row : editor.existing(row.masterId));
  const task = seriesOf(editor.writableTask(id));
  const kept = new Set(dependenciesOf(task));
  for (const uid of remove) kept.delete(uid);
  for (const blocker of add.map(other => seriesOf(editor.existing(other)))) {
    if (blocker.uid === task.uid) throw new DuelineError('invalid', engineMessage('dependsOnItself'));
    const circle = wayTo(editor, blocker, task.uid);
    if (circle) throw new DuelineError('invalid', engineMessage('dependencyCircle', named([task, ...circle])));
    kept.add(blocker.uid);
  }
  const unknownProperties = withDependencies(task, [...kept]);
  if (unknownProperties !== task.unknownProperties) editor.touch(task, { unknownProperties });
}

/** The path of dependencies from one task to the one with the UID; undefined if there is none. */
function wayTo(editor: TaskEditor, from: Task, uid: string): readonly Task[] | undefined {
  const before = new Map<Task, Task | undefined>([[from, undefined]]);
  const seen = new Set<string>();
  const open = [from];
  for (let last = open.pop(); last; last = open.pop()) {
    if (last.uid === uid) return pathTo(last, before);
    if (seen.has(last.uid)) continue;
    seen.add(last.uid);
    for (const task of dependenciesOf(last).flatMap(next => masters(editor, next))) {
      if (!before.has(task)) before.set(task, last);
      open.push(task);
    }
  }
  return undefined;
}

/** `before` has the task from which each one was reached. */
function pathTo(last: Task, before: ReadonlyMap<Task, Task | undefined>): readonly Task[] {
  const path: Task[] = [];
  for (let task: Task | undefined = last; task; task = before.get(task)) path.push(task);
  return path.reverse();
}

const masters = ({ tx }: TaskEditor, uid: string) =>
  tx.tasksOfUid(uid).filter(task => task.masterId === null && !task.isDeleted);

const named = (tasks: readonly Task[]) => tasks.map(({ title }) => `“${title ?? ''}”`).join(' → ');
