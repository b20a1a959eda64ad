import type { Disposable } from '../core/events';
import type { Id } from '../core/model';
import type { TaskStore } from '../store/taskStore';
import type { Reader } from '../store/types';
import type { Href } from './remote';

/**
 * The addresses that rows of one list may have, while batches of it are stored: no index leads to them, and looking
 * through the whole list for every batch takes longer the longer the list is. What others do meanwhile makes it look
 * again.
 */
export class HeldHrefs implements Disposable {
  #hrefs: Set<Href> | undefined;
  readonly #listening: Disposable;

  constructor(
    store: TaskStore,
    private readonly listId: Id,
  ) {
    this.#listening = store.onDidChange(({ origin, tasks }) => {
      if (origin !== 'sync' && tasks.length > 0) this.#hrefs = undefined;
    });
  }

  /** Those of `hrefs` that may have rows, others certainly not; they count as held from now on. For use inside an edit. */
  among(reader: Reader, hrefs: readonly Href[]): readonly Href[] {
    this.#hrefs ??= this.#read(reader);
    const known = this.#hrefs;
    const held = hrefs.filter(href => known.has(href));
    for (const href of hrefs) known.add(href);
    return held;
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #read(reader: Reader): Set<Href> {
    const sql = 'SELECT DISTINCT href FROM tasks WHERE list_id = ? AND href IS NOT NULL';
    return new Set(reader.select<{ href: Href }>(sql, [this.listId]).map(({ href }) => href));
  }
}
