import type { ResourceRow, TaskFields } from '../../core/ical/row';
import { groupBy } from '../../core/kernel/groupBy';
import type { Id, Task } from '../../core/kernel/model';
import type { Reader, Writer } from '../../store/types';
import { contentOf, hashText } from '../merge/taskHash';

/** The rows of one resource on the server: a master, its overrides, or both. */
export interface LocalResource {
  readonly master: Task | undefined;
  readonly overrides: readonly Task[];
}

export const rowsOf = ({ master, overrides }: LocalResource): readonly Task[] =>
  master ? [master, ...overrides] : overrides;

export const resourceOf = (rows: readonly Task[]): LocalResource => ({
  master: rows.find(({ recurrenceId }) => recurrenceId === null),
  overrides: rows.filter(({ recurrenceId }) => recurrenceId !== null),
});

/** The rows that represent a UID to the user: its master, or its exceptions if it has none. */
export function headsAmong(rows: readonly Task[]): readonly Task[] {
  const masters = rows.filter(({ recurrenceId }) => recurrenceId === null);
  return masters.length > 0 ? masters : rows;
}

/** A row that shows the list and address of the resource, which its rows share. */
export const headOf = (resource: LocalResource): Task => (resource.master ?? resource.overrides[0])!;

/** By the child's UID: parents that texts name and under which their tasks are not. */
export type WaitingParents = Readonly<Record<string, string>>;

/** A UID may be a word that every object has, such as `constructor`. */
export const parentFor = (waiting: WaitingParents = {}, uid: string): string | undefined =>
  Object.hasOwn(waiting, uid) ? waiting[uid] : undefined;

/**
 * A row as the mapping takes it. `baseParent` is the parent that the server's text names: a parent that is nowhere in
 * the list, or that `waiting` names for the task (by UID: never linked so far), stays named there; any other that is
 * here was taken away on purpose. A parent that `waiting` names, and the text does not, went before it was sent: the
 * text comes to name it.
 */
export function toResourceRow(
  reader: Reader,
  task: Task,
  baseParent: string | null | undefined,
  waiting: WaitingParents = {},
): ResourceRow {
  const { id, listId, href, etag, masterId, parentId, isDirty, isDeleted, alarms, ...columns } = task;
  const fields: TaskFields = {
    ...columns,
    alarms: alarms.map(({ minutesBefore, reference, message }) => ({ minutesBefore, reference, message })),
  };
  return { fields, parentUid: parentUidOf(reader, task, baseParent, parentFor(waiting, task.uid)) };
}

function parentUidOf(
  reader: Reader,
  task: Task,
  baseParent: string | null | undefined,
  waitingFor: string | undefined,
): string | null | undefined {
  if (task.parentId !== null) {
    const parent = reader.task(task.parentId);
    if (parent && parent.listId === task.listId) return parent.uid;
  }
  if (task.recurrenceId !== null) return undefined;
  if (waitingFor !== undefined) return waitingFor === baseParent ? undefined : waitingFor;
  return !baseParent || findMaster(reader, task.listId, baseParent) ? null : undefined;
}

/** The master row of a UID in a list, tombstones included. */
export function findMaster(reader: Reader, listId: Id, uid: string): Task | undefined {
  return reader.taskAt(listId, uid, null);
}

/** The rows at the same address as this one, tombstones included; none if it is gone. */
export function resourceRows(reader: Reader, id: Id): readonly Task[] {
  const row = reader.task(id);
  return row ? reader.tasksAt(row.listId, row.uid).filter(({ href }) => href === row.href) : [];
}

/** Deletes a row that is gone from its address. Exceptions in resources of their own stay: no report would name them again. */
export function deleteRow(tx: Writer, { id, href }: Task): void {
  if (!tx.task(id)) return;
  for (const row of tx.selectTasks('t.master_id = ? AND t.href <> ?', [id, href]))
    tx.updateTask(row.id, { masterId: null });
  tx.deleteTask(id);
}

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
