import type { Asking, ExchangeFormat, QueryOptions, WidgetKind, WidgetOptions, WidgetSnapshot } from '../api';
import { decodeTags } from '../core/fields/tags';
import type { EpochMs, Id, Occurrence, Task } from '../core/kernel/model';
import type { EngineSettings } from '../core/kernel/settings';
import type { SyncStatus } from '../core/sync/syncState';
import type { Clock } from '../core/time/clock';
import { LiveAgenda } from '../query/agenda/liveAgenda';
import { compileQuery } from '../query/eval/compile';
import type { QueryContext } from '../query/eval/context';
import { runQuery } from '../query/eval/run';
import { countSliced, inSlices, runSliced, type Turns } from '../query/eval/sliced';
import type { QueryCompletion } from '../query/help/complete';
import type { Translate } from '../query/help/describe';
import type { Explanation } from '../query/help/explain';
import type { TaskStore } from '../store/taskStore';
import type { StoreChange } from '../store/types';
import { later } from './later/door';

/**
 * Answers queries and widgets from the rows without changing them. Caches are dropped or updated after each change of
 * the store.
 */
export class Queries {
  readonly #agenda: LiveAgenda;
  #steady: QueryContext | undefined;
  readonly #cut = new WeakSet<readonly Occurrence[]>();
  #version = 0;

  constructor(
    readonly store: TaskStore,
    readonly clock: Clock,
    readonly settings: () => EngineSettings,
    readonly contextSources: {
      readonly snoozed: () => ReadonlySet<Id>;
      readonly done: () => readonly Task[];
      readonly active: () => ReadonlySet<Id>;
      readonly claimed: () => ReadonlyMap<Id, string>;
      readonly codeLocations: () => Pick<QueryContext, 'here' | 'links'>;
    },
    readonly syncing: Pick<SyncStatus, 'conflicted' | 'rowErrors'> | undefined,
    readonly onCut: (id: Id) => void,
  ) {
    this.#agenda = new LiveAgenda(store, () => this.#context());
  }

  query(text: string, options: QueryOptions = {}): readonly Occurrence[] {
    let isCut = false;
    const onCut = (id: Id) => {
      isCut = true;
      this.onCut(id);
    };
    const found = runQuery(this.store, text, { ...this.#context(), ...options, onCut });
    if (isCut) this.#cut.add(found);
    return found;
  }

  /** `query` in slices between which everything else has its turn. */
  find(text: string, { signal, ...options }: QueryOptions & Asking = {}): Promise<readonly Occurrence[]> {
    return runSliced(this.store, text, { ...this.#context(), ...options }, this.#turns(signal));
  }

  /** The number of lines that `query` would return. */
  count(text: string, { signal, ...options }: QueryOptions & Asking = {}): Promise<number> {
    return countSliced(this.store, text, { ...this.#context(), ...options }, this.#turns(signal));
  }

  /** The words of titles and tags that a query searches, case and accents aside. */
  async wordsIn(text: string, { signal }: Asking = {}): Promise<ReadonlySet<string>> {
    const { all } = compileQuery(text, this.store, this.#context());
    const words = new Set<string>();
    const { wordsOf } = later();
    const take = ([title, tags]: readonly unknown[]) =>
      wordsOf([String(title ?? ''), ...decodeTags(String(tags))], words);
    await inSlices(this.store, this.#turns(signal), within =>
      this.store.each(
        `SELECT t.title, t.categories FROM tasks t WHERE ${within.text} AND (${all.text})`,
        [...within.params, ...all.params],
        take,
      ),
    );
    return words;
  }

  #turns(signal: AbortSignal | undefined): Turns {
    let began = performance.now();
    return {
      spent: () => performance.now() - began,
      next: async () => {
        await new Promise(resolve => setImmediate(resolve));
        signal?.throwIfAborted();
        began = performance.now();
      },
      version: () => this.#version,
    };
  }

  /** True if tasks in an answer of `query` repeat so often that some of their dates are left out. */
  isCut = (found: readonly Occurrence[]): boolean => this.#cut.has(found);

  completeQuery = (text: string, position: number): readonly QueryCompletion[] =>
    later().completeQuery(text, position, this.store, this.contextSources.codeLocations());

  /** `query` that is asked again after a change, at the cost of the change. */
  lines(text: string, options: { lists?: readonly Id[]; limit?: number } = {}): readonly Occurrence[] {
    return this.#agenda.lines(text, options);
  }

  explain(text: string, translate: Translate, day?: (day: string) => string): Explanation {
    return later().explainQuery(text, this.store, this.#context(), { translate, ...(day ? { day } : {}) });
  }

  widget(kind: WidgetKind, options: WidgetOptions = {}): WidgetSnapshot {
    return this.#agenda.snapshot(kind, options);
  }

  /** Today holds every task that can become overdue today, whatever else is shown. */
  nextBoundary(): EpochMs {
    this.#agenda.snapshot('today', { limit: 0 });
    return this.#agenda.nextBoundary();
  }

  /** Without a query: everything but tombstones, done tasks and hidden lists included. */
  exportTasks(format: ExchangeFormat, query?: string, lists?: readonly Id[]): string {
    const { store, clock } = this;
    const tasks =
      query === undefined
        ? store.selectTasks('t.is_deleted = 0')
        : this.#withSeries(this.query(query, lists ? { lists } : {}));
    return later().exportTasks(format, tasks, {
      clock,
      listName: id => store.list(id)?.name,
      task: id => store.task(id),
    });
  }

  childProgress(): ReadonlyMap<Id, { done: number; total: number }> {
    const rows = this.store.select<{ parent: Id; done: number; total: number }>(
      `SELECT parent_id AS parent, count(*) AS total, sum(status = 2) AS done FROM tasks
       WHERE parent_id IS NOT NULL AND is_deleted = 0 AND master_id IS NULL AND status < 3 GROUP BY parent_id`,
    );
    return new Map(rows.map(({ parent, done, total }) => [parent, { done, total }]));
  }

  /** Rows have changed. */
  update(change: StoreChange): void {
    this.#version++;
    this.#agenda.apply(change);
  }

  /** The done log has changed, of these series. */
  noteDone(tasks: readonly Id[]): void {
    this.#agenda.apply({ lists: [], tasks });
  }

  /** Settings have changed: what depends on them is read again. */
  reset(): void {
    this.#steady = undefined;
    this.#agenda.clear();
  }

  /** The code in front has changed: queries about it get a new context, and nothing else differs. */
  resetCodeLocations(): void {
    this.#steady = undefined;
  }

  /** Conflicts or refusals changed: cached widgets stay valid if these sets are the same. */
  resetSyncState(): void {
    const before = this.#steady;
    if (!before) return;
    const conflicted = this.syncing?.conflicted() ?? new Set();
    const errors = this.syncing?.rowErrors() ?? new Map();
    const isSame = (one: ReadonlySet<Id> | undefined, ids: Iterable<Id>) =>
      String([...(one ?? [])]) === String([...ids]);
    if (!isSame(before.conflicted, conflicted) || !isSame(before.syncErrors, errors.keys())) this.reset();
  }

  dispose(): void {
    this.#agenda.dispose();
  }

  /** The same object until the settings change, so that cached widgets stay valid. */
  #context(): QueryContext {
    this.#steady ??= {
      clock: this.clock,
      settings: this.settings(),
      locale: this.settings().locale,
      ...this.contextSources.codeLocations(),
      snoozed: this.contextSources.snoozed(),
      done: this.contextSources.done,
      active: this.contextSources.active,
      claimed: this.contextSources.claimed,
      conflicted: this.syncing?.conflicted(),
      syncErrors: this.syncing && new Set(this.syncing.rowErrors().keys()),
      onCut: this.onCut,
    };
    return this.#steady;
  }

  /** The rows of tasks; what is found of a series is all of it, also if only one of its occurrences is. */
  #withSeries(found: readonly Occurrence[]): readonly Task[] {
    const tasks = new Map<Id, Task>();
    for (const { task } of found) {
      if (task.id < 0 || tasks.has(task.id)) continue;
      const own = task.masterId === null ? task : (this.store.task(task.masterId) ?? task);
      const repeats = own.rrule !== null || own.rdate !== null;
      for (const row of [own, task, ...(repeats ? this.store.overridesOf(own.id) : [])]) tasks.set(row.id, row);
    }
    return [...tasks.values()];
  }
}
