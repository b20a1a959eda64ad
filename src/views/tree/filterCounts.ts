import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DuelineEngine } from '../../api';
import { isDuelineError } from '../../core/kernel/errors';
import type { Disposable } from '../../core/kernel/events';

/** More filters than these would push the views that are open out of what the engine keeps. */
const maxCountedFilters = 16;
const debounceMs = 100;

/**
 * How many tasks each filter finds. They are counted after the rows are drawn, one at a time: a start and an edit wait
 * for none of them. Rows that were never drawn are never counted.
 */
export class FilterCounts implements Disposable {
  readonly #queries = new Map<string, string>();
  readonly #counts = new Map<string, { readonly query: string; readonly count: number | undefined }>();
  /** Counted and not yet drawn: a round that a later one overtakes draws nothing. */
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #round = 0;

  constructor(
    private readonly engine: Pick<DuelineEngine, 'lines'>,
    private readonly onChange: (ids: readonly string[]) => void,
  ) {}

  /** Undefined until it is counted. */
  of(id: string, query: string): number | undefined {
    if (this.#queries.get(id) !== query && (this.#queries.has(id) || this.#queries.size < maxCountedFilters)) {
      this.#queries.set(id, query);
      this.recount();
    }
    const known = this.#counts.get(id);
    return known?.query === query ? known.count : undefined;
  }

  /** After a change, once no other one follows. */
  recount(): void {
    if (this.#queries.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#count(), debounceMs);
  }

  forget(): void {
    this.#queries.clear();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#round += 1;
  }

  async #count(): Promise<void> {
    const round = ++this.#round;
    for (const [id, query] of [...this.#queries]) {
      await nextTurn();
      if (round !== this.#round) return;
      const count = this.#found(query);
      const known = this.#counts.get(id);
      if (known?.query === query && known.count === count) continue;
      this.#counts.set(id, { query, count });
      this.#changed.add(id);
    }
    const changed = [...this.#changed];
    this.#changed.clear();
    if (changed.length > 0) this.onChange(changed);
  }

  /** Undefined if the query cannot be read; the rows below it show that. */
  #found(query: string): number | undefined {
    try {
      return this.engine.lines(query).length;
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      return undefined;
    }
  }
}
