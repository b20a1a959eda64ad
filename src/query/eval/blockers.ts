import { dependenciesOf, dependsOn } from '../../core/fields/dependencies';
import type { Id, Task } from '../../core/kernel/model';
import type { TaskSource } from './context';
import { isOpen } from './items';
import { linesHave } from './sql';

/** Tasks that may wait for another one. */
export const mayDependSql = linesHave(dependsOn);
const own = 't.master_id IS NULL AND t.is_deleted = 0';

/**
 * The tasks that wait for others, across lists, as the rows are now. The dependencies of a series hold for each of its
 * occurrences. A UID that no row has blocks nothing: the task is deleted, or in a list that is not here.
 */
export class Blockers {
  readonly #uids = new Map<Id, readonly string[]>();
  readonly #byUid = new Map<string, Task[]>();
  readonly #dependents = new Map<string, Task[]>();

  constructor(source: Pick<TaskSource, 'selectTasks'>, isVisible: (task: Task) => boolean = () => true) {
    for (const task of source.selectTasks(`${mayDependSql} AND ${own}`).filter(isVisible)) {
      const uids = dependenciesOf(task).filter(uid => uid !== task.uid);
      if (uids.length === 0) continue;
      this.#uids.set(task.id, uids);
      for (const uid of uids) push(this.#dependents, uid, task);
    }
    if (this.#dependents.size === 0) return;
    const uids = JSON.stringify([...this.#dependents.keys()]);
    const rows = source.selectTasks(`t.uid IN (SELECT value FROM json_each(?)) AND ${own}`, [uids]);
    for (const task of rows.filter(isVisible)) push(this.#byUid, task.uid, task);
  }

  /** The tasks that a task depends on, open or not. */
  of(task: Task): readonly Task[] {
    return this.#uids.get(task.masterId ?? task.id)?.flatMap(uid => this.#byUid.get(uid) ?? []) ?? [];
  }

  dependentsOf({ uid }: Task): readonly Task[] {
    return this.#dependents.get(uid) ?? [];
  }

  isBlocked(task: Task): boolean {
    return isOpen(task) && this.of(task).some(isOpen);
  }

  /** Every UID that a task names. */
  uids(): ReadonlySet<string> {
    return new Set(this.#dependents.keys());
  }

  /** Every open task that waits. */
  blocked(): ReadonlySet<Id> {
    // A task is found by each UID that it names, but is asked about once.
    const tasks = new Set([...this.#dependents.values()].flat());
    return new Set([...tasks].filter(task => this.isBlocked(task)).map(({ id }) => id));
  }
}

function push(map: Map<string, Task[]>, key: string, task: Task): void {
  const known = map.get(key);
  if (known) known.push(task);
  else map.set(key, [task]);
}
