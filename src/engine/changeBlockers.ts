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
  const row = editor.writableTask(id);
  const task = row.masterId === null ? row : editor.existing(row.masterId);
  const kept = new Set(dependenciesOf(task));
  for (const uid of remove) kept.delete(uid);
  for (const blocker of add.map(other => editor.existing(other))) {
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
  const seen = new Set<string>();
  const ways: (readonly Task[])[] = [[from]];
  for (let way = ways.pop(); way; way = ways.pop()) {
    const last = way.at(-1)!;
    if (last.uid === uid) return way;
    if (seen.has(last.uid)) continue;
    seen.add(last.uid);
    for (const next of dependenciesOf(last)) for (const task of masters(editor, next)) ways.push([...way, task]);
  }
  return undefined;
}

const masters = ({ tx }: TaskEditor, uid: string) =>
  tx.tasksOfUid(uid).filter(task => task.masterId === null && !task.isDeleted);

const named = (tasks: readonly Task[]) => tasks.map(({ title }) => `“${title ?? ''}”`).join(' → ');
