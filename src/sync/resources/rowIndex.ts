import type { Disposable } from '../../core/kernel/events';
import type { Id } from '../../core/kernel/model';
import type { TaskStore } from '../../store/taskStore';
import type { Reader } from '../../store/types';
import type { Href } from '../remote/remote';

interface IndexedRow {
  readonly hrefs: Set<Href>;
  readonly uids: Set<string>;
}

/**
 * The addresses and UIDs that rows of one list may have, while batches of it are stored: no index leads to the
 * addresses, and looking for either takes longer than knowing. It reads them again after another edit. Those asked for
 * count as held from then on. For use inside an edit.
 */
export class RowIndex implements Disposable {
  #index: IndexedRow | undefined;
  readonly #listening: Disposable;

  constructor(
    store: TaskStore,
    private readonly listId: Id,
  ) {
    this.#listening = store.onDidChange(({ origin, tasks }) => {
      if (origin !== 'sync' && tasks.length > 0) this.#index = undefined;
    });
  }

  /** Those that may have rows, others certainly not. */
  hrefsAmong(reader: Reader, hrefs: readonly Href[]): readonly Href[] {
    return addNew(this.#read(reader).hrefs, hrefs);
  }

  /** Those that may have rows, others certainly not. */
  uidsAmong(reader: Reader, uids: readonly string[]): readonly string[] {
    return addNew(this.#read(reader).uids, uids);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #read(reader: Reader): IndexedRow {
    if (this.#index) return this.#index;
    const sql = 'SELECT href, uid FROM tasks WHERE list_id = ?';
    const rows = reader.select<{ href: Href | null; uid: string }>(sql, [this.listId]);
    this.#index = { hrefs: new Set(rows.flatMap(({ href }) => href ?? [])), uids: new Set(rows.map(({ uid }) => uid)) };
    return this.#index;
  }
}

function addNew(known: Set<string>, values: readonly string[]): readonly string[] {
  const held = values.filter(one => known.has(one));
  for (const one of values) known.add(one);
  return held;
}
