import type { Id, Task } from '../../core/kernel/model';
import type { Reader } from '../../store/types';
import { findMaster, type WaitingParents } from './localResource';

/**
 * Finds the parent that a text names: a living master of the same list that is not below the child itself. Two clients
 * can make A the parent of B and B of A; the second link is then left out here, stays in the text, and waits. Nothing is
 * below a child that is new.
 */
export function resolveParent(
  reader: Reader,
  { listId, uid, isNew = false }: { readonly listId: Id; readonly uid: string; readonly isNew?: boolean },
  parentUid: string,
): Task | undefined {
  if (parentUid === uid) return undefined;
  const parent = findMaster(reader, listId, parentUid);
  if (!parent || parent.isDeleted) return undefined;
  return !isNew && reader.select(isAncestor, [parent.id, uid]).length > 0 ? undefined : parent;
}

/**
 * Finds a UID among a task and its ancestors. In SQL, since a list can be one chain of tasks, each of which asks this as it
 * comes in again; UNION ends a circle.
 */
const isAncestor = `WITH RECURSIVE line(id) AS (
    VALUES (?) UNION SELECT t.parent_id FROM line JOIN tasks t ON t.id = line.id WHERE t.parent_id IS NOT NULL)
  SELECT 1 FROM line CROSS JOIN tasks t ON t.id = line.id WHERE t.uid = ? LIMIT 1`;

type Row = Pick<Task, 'id' | 'uid' | 'parentId'> & { readonly isDirty: boolean | number };

const rowColumns = 'id, uid, parent_id AS parentId, is_dirty AS isDirty';

/**
 * Links waiting tasks to their parents. Two devices can each make one of two tasks the other's parent, and both texts
 * are right. Such a circle is broken in the rows alone, and by what every device has: of its tasks, the one whose UID
 * comes first is at the top and goes on waiting. While one of them waits to be sent, it is left as the user put it.
 */
export class ParentLinks {
  /** The new parents, by child. */
  readonly parents = new Map<Id, Id | null>();
  readonly #waiting = new Map<string, string>();
  #rows: ReadonlyMap<Id, Row> | undefined;

  constructor(
    private readonly reader: Reader,
    private readonly listId: Id,
    private readonly before: WaitingParents,
  ) {
    for (const [childUid, parentUid] of Object.entries(before)) {
      const child = findMaster(reader, listId, childUid);
      // Gone, or made a subtask by the user since.
      if (!child || this.#parentOf(child) !== null) continue;
      const isSettled = !child.isDirty && !child.isDeleted && childUid !== parentUid;
      const parent = isSettled ? findMaster(reader, listId, parentUid) : undefined;
      if (!parent || parent.isDeleted || !this.#link(child, parent)) this.#waiting.set(childUid, parentUid);
    }
  }

  get waiting(): WaitingParents {
    return Object.fromEntries(this.#waiting);
  }

  get hasChanges(): boolean {
    return this.parents.size > 0 || Object.keys(this.before).length > this.#waiting.size;
  }

  #link(child: Task, parent: Task): boolean {
    const line = new Map<Id, Row>();
    for (let row: Row | undefined = parent; row && !line.has(row.id); row = this.#parentRow(row)) line.set(row.id, row);
    if (line.has(child.id)) {
      const top = [...line.values()].reduce((first, one) => (one.uid < first.uid ? one : first));
      const wasUnder = this.#parentRow(top);
      if (top.id === child.id || top.isDirty || !wasUnder) return false;
      this.parents.set(top.id, null);
      this.#waiting.set(top.uid, wasUnder.uid);
    }
    this.parents.set(child.id, parent.id);
    return true;
  }

  #parentRow(row: Row): Row | undefined {
    const id = this.#parentOf(row);
    return id === null ? undefined : this.#row(id);
  }

  /** All of the list are read at once: in a list that is one chain, each of them is asked for by all below it. */
  #row(id: Id): Row | undefined {
    this.#rows ??= new Map(
      this.reader
        .select<Row>(`SELECT ${rowColumns} FROM tasks WHERE list_id = ?`, [this.listId])
        .map(row => [row.id, row]),
    );
    return this.#rows.get(id) ?? this.reader.task(id);
  }

  #parentOf({ id, parentId }: Row): Id | null {
    const planned = this.parents.get(id);
    return planned === undefined ? parentId : planned;
  }
}
