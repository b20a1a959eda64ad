import { isClosed } from '../../core/fields/status';
import { estimateOf } from '../../core/fields/values';
import { walkTree } from '../../core/kernel/descent';
import type { Id, Occurrence, Task } from '../../core/kernel/model';
import { seriesOf } from './groups';

/** The facts about other tasks that a sum of estimates needs. */
interface LoadContext {
  task(id: Id): Pick<Task, 'parentId'> | undefined;
  /**
   * Open subtasks without a date, by the task above them: they are done with it. None, if each is counted where it is
   * listed.
   */
  readonly undated: ReadonlyMap<Id, readonly Task[]>;
}

/** Subtasks by the task above them. */
export function byParent(subtasks: Iterable<Task>): ReadonlyMap<Id, readonly Task[]> {
  const children = new Map<Id, Task[]>();
  for (const one of subtasks) if (one.parentId !== null) push(children, one.parentId, one);
  return children;
}

/**
 * The sum of the estimates of open lines, in minutes; a line in two groups counts once. A task with subtasks takes as
 * long as its own estimate or the estimates of its subtasks together, whichever is longer, and never as both together.
 * `isCounted` chooses other lines than the open ones.
 */
export function minutesOf(
  lines: readonly Occurrence[],
  context: LoadContext,
  isCounted = (task: Task): boolean => !isClosed(task),
): number {
  const chosen = lines.filter(({ task }) => isCounted(task));
  const counted = countedOf(chosen, context.undated);
  const children = new Map<Id | null, Id[]>();
  for (const [id, [one]] of counted) push(children, countedAncestor(one!, counted, context), id);
  // No root is above a circle of parents, which other programs can make: the first task of it counts as one.
  const roots = [...(children.get(null) ?? []), ...counted.keys()];
  const steps = walkTree(
    roots,
    id => children.get(id) ?? [],
    id => id,
  );
  const sums = new Map<Id | undefined, number>();
  for (const { item, parent } of steps.toReversed()) {
    let sum = sums.get(parent) ?? 0;
    for (const one of counted.get(item)!) sum += Math.max(estimateOf(one) ?? 0, sums.get(item) ?? 0);
    sums.set(parent, sum);
  }
  return sums.get(undefined) ?? 0;
}

/** The tasks of the lines, of a series one for each, and the undated ones below them. */
function countedOf(lines: readonly Occurrence[], undated: LoadContext['undated']): ReadonlyMap<Id, readonly Task[]> {
  const counted = new Map<Id, Task[]>();
  const seen = new Set<string>();
  for (const line of lines) {
    const { task, due, dtstart } = line;
    const key = `${task.id}/${due}/${dtstart}`;
    if (seen.has(key)) continue;
    seen.add(key);
    push(counted, seriesOf(line), task);
  }
  const waiting = [...counted.keys()];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const one of undated.get(next) ?? []) {
      if (counted.has(one.id)) continue;
      counted.set(one.id, [one]);
      waiting.push(one.id);
    }
  return counted;
}

/** The next task above it that counts. */
function countedAncestor({ parentId }: Task, counted: ReadonlyMap<Id, unknown>, { task }: LoadContext): Id | null {
  const passed = new Set<Id>();
  let ancestor = parentId;
  while (ancestor !== null && !counted.has(ancestor)) {
    if (passed.has(ancestor)) return null;
    passed.add(ancestor);
    ancestor = task(ancestor)?.parentId ?? null;
  }
  return ancestor;
}

function push<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  if (map.get(key)?.push(item) === undefined) map.set(key, [item]);
}
