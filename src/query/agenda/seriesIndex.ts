import type { Id } from '../../core/kernel/model';
import type { TaskSource } from '../eval/context';

/** The changed occurrences of each series: a series and these decide together which of them is a line. */
export class SeriesIndex {
  readonly #masterOf = new Map<Id, Id>();
  readonly #overridesOf = new Map<Id, Set<Id>>();

  constructor(readonly source: TaskSource) {
    this.#read('');
  }

  #read(condition: string, params: readonly string[] = []): void {
    const text = `SELECT o.id, o.master_id FROM tasks o WHERE o.master_id IS NOT NULL ${condition}`;
    this.source.each(text, params, ([id, master]) => this.#link(id as Id, master as Id));
  }

  /** Changed rows with the other rows of their series, as they were and as they are now. */
  affected(ids: readonly Id[]): ReadonlySet<Id> {
    const affected = new Set<Id>();
    const add = (id: Id) => {
      const master = this.#masterOf.get(id);
      for (const one of master === undefined ? [id] : [id, master]) {
        affected.add(one);
        for (const override of this.#overridesOf.get(one) ?? []) affected.add(override);
      }
    };
    for (const id of ids) {
      add(id);
      this.#unlink(id);
    }
    if (ids.length > 0) this.#read('AND o.id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
    for (const id of ids) add(id);
    return affected;
  }

  #link(override: Id, master: Id): void {
    this.#masterOf.set(override, master);
    const overrides = this.#overridesOf.get(master);
    if (overrides) overrides.add(override);
    else this.#overridesOf.set(master, new Set([override]));
  }

  #unlink(override: Id): void {
    const master = this.#masterOf.get(override);
    if (master === undefined) return;
    this.#masterOf.delete(override);
    const overrides = this.#overridesOf.get(master)!;
    overrides.delete(override);
    if (overrides.size === 0) this.#overridesOf.delete(master);
  }
}
