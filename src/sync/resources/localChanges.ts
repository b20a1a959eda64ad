import { groupBy } from '../../core/kernel/groupBy';
import type { Id, Task } from '../../core/kernel/model';
import type { Reader } from '../../store/types';
import { contentOf, hashText } from '../merge/taskHash';
import { type LocalResource, resourceOf, resourceRows, rowsOf } from './localResource';

/** A resource with something that the server does not know yet. */
export interface LocalChange {
  readonly resource: LocalResource;
  readonly isDeletion: boolean;
}

/**
 * The changes that one list has to send: writes with parents before their children, deletions with children before
 * parents.
 */
export function localChangesOf(reader: Reader, listId: Id): { puts: LocalChange[]; deletions: LocalChange[] } {
  const changed = reader.selectTasks('t.list_id = ? AND (t.is_dirty = 1 OR t.is_deleted = 1)', [listId]);
  const changes = [...groupBy(changed, ({ uid }) => uid).keys()].flatMap(uid => {
    const rows = reader.tasksAt(listId, uid);
    return [...groupBy(rows, ({ href }) => href).values()]
      .filter(group => group.some(({ isDirty, isDeleted }) => isDirty || isDeleted))
      .map(group => toLocalChange(resourceOf(group)));
  });
  const depths = new Map(changes.map(one => [one, depthOf(reader, rowsOf(one.resource)[0]!)]));
  changes.sort((a, b) => depths.get(a)! - depths.get(b)! || rowsOf(a.resource)[0]!.id - rowsOf(b.resource)[0]!.id);
  return {
    puts: changes.filter(({ isDeletion }) => !isDeletion),
    deletions: changes.filter(({ isDeletion }) => isDeletion).reverse(),
  };
}

/** The same resource as it is now; undefined if nothing of it waits any more. */
export function currentLocalChange(reader: Reader, id: Id): LocalChange | undefined {
  const rows = resourceRows(reader, id);
  return rows.some(({ isDirty, isDeleted }) => isDirty || isDeleted) ? toLocalChange(resourceOf(rows)) : undefined;
}

const toLocalChange = (resource: LocalResource): LocalChange => ({
  resource,
  isDeletion: resource.master?.isDeleted ?? resource.overrides.every(({ isDeleted }) => isDeleted),
});

function depthOf(reader: Reader, task: Task): number {
  const seen = new Set<Id>();
  let depth = 0;
  for (let at = task; at.parentId !== null && !seen.has(at.id); depth++) {
    seen.add(at.id);
    const parent = reader.task(at.parentId);
    if (!parent) break;
    at = parent;
  }
  return depth;
}

/** The hash by which a resource is recognized as the one that the server refused. */
export const resourceHash = (resource: LocalResource): string => hashText(rowsOf(resource).map(contentOf).join('\n'));

/** A file name of letters, digits, dot, dash and underscore only; undefined if the UID does not make one. */
export const fileNameOf = (uid: string): string | undefined =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,180}$/.test(uid) ? `${uid}.ics` : undefined;
