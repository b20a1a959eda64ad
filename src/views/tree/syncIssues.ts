import type { DuelineEngine } from '../../api';
import type { Message } from '../../core/kernel/message';
import type { Id, Task } from '../../core/kernel/model';
import type { SyncIssue } from '../../ui/text/syncText';

/** The sync problems of single tasks, read once and not for every row that is drawn. */
export class SyncIssues {
  #known: { readonly conflicted: ReadonlySet<Id>; readonly refused: ReadonlyMap<Id, Message> } | undefined;

  constructor(private readonly engine: Pick<DuelineEngine, 'syncing'>) {}

  /** An occurrence that is a task of its own has what its series has. */
  of({ id, masterId }: Pick<Task, 'id' | 'masterId'>): SyncIssue | undefined {
    return this.#ofRow(id) ?? (masterId === null ? undefined : this.#ofRow(masterId));
  }

  #ofRow(taskId: Id): SyncIssue | undefined {
    const { syncing } = this.engine;
    if (!syncing) return undefined;
    this.#known ??= { conflicted: syncing.conflicted(), refused: syncing.rowErrors() };
    if (this.#known.conflicted.has(taskId)) return { kind: 'conflict' };
    const message = this.#known.refused.get(taskId);
    return message === undefined ? undefined : { kind: 'refused', message };
  }

  /** Call it when rows have changed: the issues are read again when they are needed. */
  forget(): void {
    this.#known = undefined;
  }
}
