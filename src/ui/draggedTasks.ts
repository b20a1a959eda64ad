import { Emitter } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';
import { minuteMs } from '../core/time/units';

/** The MIME type of tasks that are dragged within Dueline; its data are their ids. */
export const taskMime = 'application/vnd.code.tree.dueline.lists';

export const textMime = 'text/plain';
export const uriListMime = 'text/uri-list';

export const dragTypes = [textMime];
export const dropTypesOf = (treeId: string): string[] => [
  ...new Set([taskMime, `application/vnd.code.tree.${treeId.toLowerCase()}`, uriListMime, textMime]),
];

export function readTaskIds(text: string): number[] {
  const ids: unknown = JSON.parse(text);
  return Array.isArray(ids) ? ids.filter(id => Number.isSafeInteger(id)) : [];
}

/** No drag takes longer, so anything that is dropped later comes from another window, whose ids differ. */
const maxMs = minuteMs;

/** Tasks that the user has begun to drag out of a tree: a page that they are dropped on does not get the tree's data. */
class DraggedTasks {
  readonly #started = new Emitter<readonly Id[]>();
  readonly onStart = this.#started.event;
  #ids: readonly Id[] = [];
  #startedAt = 0;

  start(ids: readonly Id[]): void {
    this.#ids = ids;
    this.#startedAt = Date.now();
    this.#started.fire(ids);
  }

  /** The tasks of the drag that ends here; none if it has ended elsewhere. */
  drop(): readonly Id[] {
    const ids = Date.now() - this.#startedAt < maxMs ? this.#ids : [];
    this.#ids = [];
    return ids;
  }
}

export const draggedTasks = new DraggedTasks();
