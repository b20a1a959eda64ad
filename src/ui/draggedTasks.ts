import { Emitter } from '../core/events';
import type { Id } from '../core/model';

/** Tasks that a person has begun to drag out of a tree: a page that they are dropped on does not get the tree's data. */
class DraggedTasks {
  readonly #started = new Emitter<readonly Id[]>();
  readonly onStart = this.#started.event;
  #ids: readonly Id[] = [];

  /** Those of the last drag: a page is told of a drop while they are still the last. */
  get ids(): readonly Id[] {
    return this.#ids;
  }

  start(ids: readonly Id[]): void {
    this.#ids = ids;
    this.#started.fire(ids);
  }
}

export const draggedTasks = new DraggedTasks();
