import type { Task } from '../../src/api';
import type { Window } from '../../test/ui/support/window';
import type { Ledger } from './ledger';
import { look, mastersIn, type Seen } from './seen';

/** One act's view of the world: what there is, chance, and which families nobody else has taken meanwhile. */
export class Turn {
  readonly #tasks: ReadonlyMap<number, Task>;
  /** UIDs of the tasks that were taken. */
  readonly touched: string[] = [];

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
    return this.#tasks.size < this.population ? 0.35 : 0.1;
  }

  /** No two tasks ever have the same. */
  title(): string {
    return `${this.one(['Call', 'Write to', 'Visit', 'Pay', 'Thank', 'Überrasche'])} someone n${this.number.next++}.`;
  }

  one = <T>(items: readonly T[]): T => items[Math.floor(this.random() * items.length)]!;

  /** A task of a family that nobody else acts on meanwhile, and that its maker has written down. */
  take(accepts: (task: Task) => boolean = () => true): Task | undefined {
    const isKnown = ({ uid }: Task) => this.ledger.knows(uid);
    const free = [...this.#tasks.values()].filter(task => accepts(task) && isKnown(task) && this.isFree(task));
    const task = free.length > 0 ? this.one(free) : undefined;
    if (!task) return undefined;
    this.taken.add(this.#rootOf(task));
    this.touched.push(task.uid);
    return task;
  }

  isFree = (task: Task): boolean => !this.taken.has(this.#rootOf(task));

  /** Takes the task with that title. */
  named(text: string): Task | undefined {
    const number = / n\d+\./.exec(text)?.[0];
    return number === undefined ? undefined : this.take(({ title }) => title?.includes(number) ?? false);
  }

  family(task: Task): Task[] {
    const below = [...this.#tasks.values()].filter(({ parentId }) => parentId === task.id);
    return [task, ...below.flatMap(one => this.family(one))];
  }

  /** After a key or a drop, whose row may have gone elsewhere on the screen in the same moment. */
  async arranged(window: Window): Promise<void> {
    await window.page.waitForTimeout(500);
    this.ledger.arranged(mastersIn(this.seen), mastersIn(await look(window)), this.by);
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
