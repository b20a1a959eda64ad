import type { Id, Occurrence } from '../../core/model';

/** At first, and each time that more are asked for. */
const [firstRows, moreRows] = [200, 500];

/** How many rows of each group a widget shows: its first ones, more as they are asked for, and those that the user is at. */
export class GroupLimits {
  readonly #limits = new Map<string, number>();
  #visited: readonly Id[] = [];
  #moved: readonly Id[] = [];

  of(group: string): number {
    return this.#limits.get(group) ?? firstRows;
  }

  raise(group: string): void {
    this.#limits.set(group, this.of(group) + moreRows);
  }

  /** The user is on these tasks, and goes along with them. */
  visit(tasks: readonly Id[]): void {
    this.#visited = tasks;
  }

  /** The user moves these, and may be on others while they arrive. */
  move(tasks: readonly Id[]): void {
    this.#moved = tasks;
  }

  /** What a group shows of its items. It goes on showing as many: rows do not vanish because the user goes elsewhere. */
  first(group: string, items: readonly Occurrence[]): readonly Occurrence[] {
    const limit = this.of(group);
    const missing = new Set(items.length > limit ? [...this.#visited, ...this.#moved] : []);
    for (const [at, { task }] of items.entries()) {
      if (missing.size === 0) break;
      if (missing.delete(task.id) && at >= limit) this.#limits.set(group, at + 1);
    }
    return items.slice(0, this.of(group));
  }
}
