import type { DuelineEngine } from '../api';
import { hasBranches, isBranchOf } from '../core/code/branches';
import type { Repository } from '../core/code/repository';
import { shortIdWords } from '../core/code/shortId';
import { type Disposable, Disposables } from '../core/kernel/events';
import type { Id, Task } from '../core/kernel/model';

type Engine = Pick<DuelineEngine, 'lists' | 'rows' | 'task' | 'onDidChange' | 'tasksByShortIds'>;

/** The tasks of a branch: by the short ID in its name, or by the line that a task has. */
export class BranchTasks implements Disposable {
  readonly #owned = new Disposables();
  /** The tasks with a line for a branch; undefined until they are needed. */
  #named: ReadonlySet<Id> | undefined;

  constructor(private readonly engine: Engine) {
    const isNamed = (id: Id) => this.#named?.has(id) || hasBranches(engine.task(id) ?? { unknownProperties: null });
    this.#owned.add(
      engine.onDidChange(({ tasks }) => {
        if (tasks.some(isNamed)) this.#named = undefined;
      }),
    );
  }

  of(repositories: readonly Repository[], branch: string | undefined): ReadonlySet<Id> {
    if (branch === undefined) return new Set();
    return new Set([...this.#idsIn(branch), ...this.#lined(repositories, branch)]);
  }

  isOf = (task: Task, repositories: readonly Repository[], branch: string): boolean =>
    this.#idsIn(branch).includes(task.id) || isBranchOf(task, repositories, branch);

  #idsIn = (branch: string): Id[] =>
    [...this.engine.tasksByShortIds(shortIdWords(branch).map(([id]) => id)).values()].map(({ id }) => id);

  #lined(repositories: readonly Repository[], branch: string): Id[] {
    this.#named ??= new Set(
      this.engine
        .lists()
        .flatMap(({ id }) => this.engine.rows(id))
        .filter(task => task.masterId === null && !task.isDeleted && hasBranches(task))
        .map(({ id }) => id),
    );
    return [...this.#named].filter(id => {
      const task = this.engine.task(id);
      return task && isBranchOf(task, repositories, branch);
    });
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
