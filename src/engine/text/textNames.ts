import type { Id } from '../../core/kernel/model';
import type { ShownTask, TextEngine } from './textTarget';

/** `dl-k3f9.12`: a short ID that two tasks share, with the number of one of them. */
const numbered = /^(dl-[a-z\d]+)\.(\d+)$/;

/**
 * The tasks that the IDs in texts refer to. A short ID gets longer when another task comes whose ID begins with it: an
 * open text must keep referring to the tasks that it was written from.
 */
export class TextNames {
  readonly #rows = new Map<string, Id>();

  constructor(private readonly engine: Pick<TextEngine, 'shortIdOf' | 'task' | 'tasksByShortIds'>) {}

  note(tasks: ReadonlyMap<string, ShownTask>): void {
    for (const [id, { task }] of tasks) this.#rows.set(id, task.id);
  }

  rowOf = (id: string): Id | undefined => this.#rows.get(id);

  /** The rows of those tasks that still exist. An ID that no text here was written with has its current meaning. */
  rowsOf(ids: readonly string[]): Id[] {
    const left: string[] = [];
    const found = ids.flatMap(id => {
      const known = this.#rows.get(id) ?? this.#numbered(id);
      if (known !== undefined && this.engine.task(known)) return known;
      left.push(id);
      return [];
    });
    if (left.length === 0) return found;
    const tasks = this.engine.tasksByShortIds(left);
    for (const [id, task] of tasks) this.#rows.set(id, task.id);
    return [...found, ...[...tasks.values()].map(({ id }) => id)];
  }

  #numbered(id: string): Id | undefined {
    const [, short, row] = numbered.exec(id) ?? [];
    const task = row === undefined ? undefined : this.engine.task(Number(row));
    if (!task || this.engine.shortIdOf(task) !== short) return undefined;
    this.#rows.set(id, task.id);
    return task.id;
  }
}
