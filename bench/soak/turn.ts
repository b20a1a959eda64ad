import type { Task } from '../../src/api';
import type { Ledger } from './ledger';
import { mastersIn, type Seen } from './seen';

/** One act's view of the world: what there is, chance, and which families nobody else has taken meanwhile. */
export class Turn {
  readonly #tasks: ReadonlyMap<number, Task>;

  constructor(
    readonly by: string,
    readonly seen: Seen,
    readonly ledger: Ledger,
    readonly random: () => number,
    private readonly taken: Set<number>,
    readonly number: { next: number },
    /** Of tasks that are there at a time. */
    private readonly population: number,
  ) {
    this.#tasks = new Map(mastersIn(seen).map(task => [task.id, task]));
  }

  /** How much new tasks are wanted, so that there are always about as many. */
  get wish(): number {
    return this.#tasks.size < this.population ? 0.35 : 0.02;
  }

  /** No two tasks ever have the same. */
  title(): string {
    return `${this.one(['Call', 'Write to', 'Visit', 'Pay', 'Thank', 'Überrasche'])} someone n${this.number.next++}.`;
  }

  one = <T>(items: readonly T[]): T => items[Math.floor(this.random() * items.length)]!;

  /** A task of a family that nobody else acts on meanwhile, and that its maker has written down. */
  take(accepts: (task: Task) => boolean = () => true): Task | undefined {
    const isKnown = ({ uid }: Task) => this.ledger.knows(uid);
    const free = [...this.#tasks.values()].filter(
      task => accepts(task) && isKnown(task) && !this.taken.has(this.#rootOf(task)),
    );
    const task = free.length > 0 ? this.one(free) : undefined;
    if (!task) return undefined;
    this.taken.add(this.#rootOf(task));
    return task;
  }

  #rootOf({ id, parentId }: Task): number {
    for (let at = 0, above = parentId; above !== null && at < 50; at++) {
      const parent = this.#tasks.get(above);
      if (!parent) break;
      [id, above] = [parent.id, parent.parentId];
    }
    return id;
  }
}
