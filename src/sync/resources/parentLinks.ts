import type { Id, Task } from '../../core/kernel/model';
import type { Reader } from '../../store/types';
import { findMaster } from './localResource';

/**
 * Finds the parent that a text names: a living master of the same list that is not below the child itself. Two clients
 * can make A the parent of B and B of A; the second link is then left out here, stays in the text, and waits.
 */
export function resolveParent(reader: Reader, listId: Id, childUid: string, parentUid: string): Task | undefined {
  if (parentUid === childUid) return undefined;
  const parent = findMaster(reader, listId, parentUid);
  if (!parent || parent.isDeleted) return undefined;
  const seen = new Set<Id>();
  for (let at: Task | undefined = parent; at && !seen.has(at.id); ) {
    if (at.uid === childUid) return undefined;
    seen.add(at.id);
    at = at.parentId === null ? undefined : reader.task(at.parentId);
  }
  return parent;
}

/** By the child's UID: parents that texts name and under which their tasks are not. */
type WaitingParents = Readonly<Record<string, string>>;

/**
 * Links waiting tasks to their parents. Two devices can each make one of two tasks the other's parent, and both texts
 * are right. Such a circle is broken in the rows alone, and by what every device has: of its tasks, the one whose UID
 * comes first is at the top and goes on waiting. While one of them waits to be sent, it is left as the user put it.
 */
export class ParentLinks {
  /** The new parents, by child. */
  readonly parents = new Map<Id, Id | null>();
  readonly waiting: Record<string, string> = {};

  constructor(
    private readonly reader: Reader,
    listId: Id,
    private readonly before: WaitingParents,
  ) {
    for (const [childUid, parentUid] of Object.entries(before)) {
      const child = findMaster(reader, listId, childUid);
      // Gone, or made a subtask by the user since.
      if (!child || this.#parentOf(child) !== null) continue;
      const isSettled = !child.isDirty && !child.isDeleted && childUid !== parentUid;
      const parent = isSettled ? findMaster(reader, listId, parentUid) : undefined;
      if (!parent || parent.isDeleted || !this.#link(child, parent)) this.waiting[childUid] = parentUid;
    }
  }

  get hasChanges(): boolean {
    return this.parents.size > 0 || Object.keys(this.before).length > Object.keys(this.waiting).length;
  }

  #link(child: Task, parent: Task): boolean {
    const line = [parent];
    for (
      let ancestor = this.#parentTask(parent);
      ancestor && !line.some(({ id }) => id === ancestor!.id);
      ancestor = this.#parentTask(ancestor)
    )
      line.push(ancestor);
    if (line.some(({ id }) => id === child.id)) {
      const top = line.reduce((first, one) => (one.uid < first.uid ? one : first));
      const wasUnder = this.#parentTask(top);
      if (top.id === child.id || top.isDirty || !wasUnder) return false;
      this.parents.set(top.id, null);
      this.waiting[top.uid] = wasUnder.uid;
    }
    this.parents.set(child.id, parent.id);
    return true;
  }

  #parentTask(task: Task): Task | undefined {
    const id = this.#parentOf(task);
    return id === null ? undefined : this.reader.task(id);
  }

  #parentOf({ id, parentId }: Task): Id | null {
    const planned = this.parents.get(id);
    return planned === undefined ? parentId : planned;
  }
}
