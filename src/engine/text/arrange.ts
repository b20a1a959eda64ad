import type { Id, Task } from '../../core/kernel/model';
import { place } from '../move';
import type { TaskEditor } from '../taskEditor';

/** A task and the number that it is sorted by. */
type OrderedTask = Pick<Task, 'id' | 'sortOrder'>;

/** Puts siblings into a sequence. The longest part of them that is in order already is not moved. */
export function arrange(editor: TaskEditor, tasks: readonly OrderedTask[]): void {
  const kept = longestRising(tasks);
  let last = Number.NEGATIVE_INFINITY;
  const stays = (at: number) => kept.has(at) && tasks[at]!.sortOrder > last;
  let next = 0;
  for (const [at, { id, sortOrder }] of tasks.entries()) {
    let order = sortOrder;
    if (!stays(at)) {
      next = Math.max(next, at + 1);
      while (next < tasks.length && !stays(next)) next++;
      order = orderBetween(last, tasks[next]?.sortOrder, next - at);
    }
    if (order !== sortOrder) setOrder(editor, id, order);
    last = order;
  }
}

function setOrder(editor: TaskEditor, id: Id, sortOrder: number): void {
  const task = editor.tx.task(id);
  if (task && !task.isDeleted && !editor.tx.list(task.listId)?.isReadOnly) place(editor, task, { sortOrder });
}

/**
 * A number in the middle of those that are free before the next one that stays, so that `count` numbers, this one among
 * them, find room there.
 */
function orderBetween(last: number, end: number | undefined, count: number): number {
  if (end === undefined) return last + 1;
  if (last === Number.NEGATIVE_INFINITY) return end - count;
  const step = Math.floor((end - last) / (count + 1));
  return last + Math.max(step, 1);
}

/** The indexes of the longest part that rises, found as patience sorting does. */
function longestRising(tasks: readonly OrderedTask[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, { sortOrder }] of tasks.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tasks[ends[middle]!]!.sortOrder < sortOrder) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = at;
  }
  const kept = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) kept.add(at);
  return kept;
}
