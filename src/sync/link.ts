import type { Id, Task } from '../core/model';
import type { Reader, Writer } from '../store/types';
import { findMaster } from './rows';

/**
 * Finds the parent that a text names: a living master of the same list that is not below the child itself. Two clients
 * can make A the parent of B and B of A; the second link is then left out here, and stays in the text.
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

/** Second pass after a pull: links children whose parent arrived later. Gives those that still wait. */
export function linkWaiting(
  tx: Writer,
  listId: Id,
  waiting: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const left: Record<string, string> = {};
  for (const [childUid, parentUid] of Object.entries(waiting)) {
    const child = findMaster(tx, listId, childUid);
    // Gone, or put under something by a person since.
    if (!child || child.parentId !== null) continue;
    const parent = child.isDirty ? undefined : resolveParent(tx, listId, childUid, parentUid);
    if (parent) tx.updateTask(child.id, { parentId: parent.id });
    else left[childUid] = parentUid;
  }
  return left;
}
