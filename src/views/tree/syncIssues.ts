import type { DuelineEngine } from '../../api';
import type { Message } from '../../core/message';
import type { Id } from '../../core/model';
import type { SyncIssue } from '../../ui/text/syncText';

/** What sync could not do with single tasks: asked for once, not for every row that is drawn. */
export class SyncIssues {
  #known: { readonly conflicted: ReadonlySet<Id>; readonly refused: ReadonlyMap<Id, Message> } | undefined;

  constructor(private readonly engine: Pick<DuelineEngine, 'syncing'>) {}

  of(taskId: Id): SyncIssue | undefined {
    const { syncing } = this.engine;
    if (!syncing) return undefined;
    this.#known ??= { conflicted: syncing.conflicted(), refused: syncing.rowErrors() };
    if (this.#known.conflicted.has(taskId)) return { kind: 'conflict' };
    const message = this.#known.refused.get(taskId);
    return message === undefined ? undefined : { kind: 'refused', message };
  }

  /** To be asked for again: rows changed. */
  forget(): void {
    this.#known = undefined;
  }
}
