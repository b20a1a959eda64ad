import { dependenciesOf } from '../core/fields/dependencies';
import type { Disposable } from '../core/kernel/events';
import type { Id, Task } from '../core/kernel/model';
import type { Blockers } from '../query/eval/blockers';
import type { TaskStore } from '../store/taskStore';
import { rows } from './rows/door';

/** The tasks that wait for others, and those that need not any more after a change. */
export class Dependencies {
  readonly #listening: Disposable;
  /** Undefined until someone asks: most people have no dependencies. */
  #known: Blockers | undefined;
  #blocked: ReadonlySet<Id> = new Set();

  constructor(
    readonly store: TaskStore,
    onReady: (tasks: readonly Id[]) => void,
  ) {
    this.#listening = store.onDidChange(({ tasks }) => onReady(this.#after(tasks)));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  of(of: Id | Task): readonly { readonly uid: string; readonly task: Task | undefined }[] {
    const row = typeof of === 'number' ? this.store.task(of) : of;
    const task = row && row.masterId !== null ? this.store.task(row.masterId) : row;
    const uids = task ? dependenciesOf(task) : [];
    if (!task || uids.length === 0) return [];
    // If several lists have the UID, the first task stands for it.
    const tasks = this.now().of(task).toReversed();
    const byUid = new Map(tasks.map(each => [each.uid, each]));
    return uids.map(uid => ({ uid, task: byUid.get(uid) ?? this.#stored(uid) }));
  }

  /** A new dependency may be on a task that no other task depends on yet. */
  #stored = (uid: string) => this.store.tasksOfUid(uid).find(task => task.masterId === null && !task.isDeleted);

  dependentsOf(id: Id): readonly Task[] {
    const task = this.store.task(id);
    return task ? this.now().dependentsOf(task) : [];
  }

  isBlocked(id: Id): boolean {
    const task = this.store.task(id);
    return task !== undefined && !task.isDeleted && this.now().isBlocked(task);
  }

  /** Call it before an edit, so that the tasks which the edit makes ready can be found. */
  now(): Blockers {
    if (!this.#known) this.#read();
    return this.#known!;
  }

  #read(): void {
    this.#known = new (rows().Blockers)(this.store);
    this.#blocked = this.#known.blocked();
  }

  /** Open tasks that were blocked before the change and are not now. */
  #after(tasks: readonly Id[]): readonly Id[] {
    if (!this.#known || !this.#concerns(tasks)) return [];
    const before = this.#blocked;
    this.#read();
    return [...before].filter(id => {
      const task = this.#blocked.has(id) ? undefined : this.store.task(id);
      return task !== undefined && !task.isDeleted && task.status < 2;
    });
  }

  #concerns(tasks: readonly Id[]): boolean {
    const uids = this.#known!.uids();
    const found = this.store.select<{ uid: string; depends: number }>(
      `SELECT t.uid AS uid, ${rows().mayDependSql} AS depends FROM tasks t WHERE t.id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(tasks)],
    );
    // A row that is gone may have been one of them.
    if (found.length < tasks.length && uids.size > 0) return true;
    return found.some(({ uid, depends }) => depends === 1 || uids.has(uid));
  }
}
