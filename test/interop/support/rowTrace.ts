import type { Change, Id, Task, TaskList } from '../../../src/api';
import type { Replica } from '../../../src/store/replica/replica';
import type { JournaledStore } from '../../../src/store/taskStore';
import type { Reader } from '../../../src/store/types';

/** A task that is not deleted, as its own row has it. */
interface LivingTask {
  readonly uid: string;
  readonly title: string | null;
  readonly listId: Id;
  /** The UID of its parent. */
  readonly parent: string | null;
  /** True if the server has the task as it is here. */
  readonly isSent: boolean;
  /** The version of the server's text. */
  readonly etag: string | null;
}

interface Row {
  /** A task's UID; `sync:` if it is a list. */
  readonly subject: string;
  readonly id: Id;
  readonly text: string;
  readonly living?: LivingTask;
}

type Rows = ReadonlyMap<string, Row>;

export interface RowChange {
  readonly id: Id;
  readonly was: LivingTask | undefined;
  readonly is: LivingTask | undefined;
}

/** True if the task differs from before. */
export const hasChanged = ({ was, is }: RowChange): boolean =>
  (['uid', 'title', 'listId', 'parent', 'isSent'] as const).some(name => was?.[name] !== is?.[name]);

/** True if the row represents another version of the server's text than before, even if the task is the same. */
export const bringsVersion = ({ was, is }: RowChange): boolean =>
  was !== undefined && is !== undefined && was.isSent && is.isSent && was.etag !== is.etag;

/** The effect of one edit on lists and tasks, and its actor. */
export interface Commit {
  readonly origin: Change['origin'];
  /** True if the user took a file in. */
  readonly isImport: boolean;
  readonly lines: readonly string[];
  readonly changes: readonly RowChange[];
  /** The number of tasks with each UID after the edit. */
  readonly living: ReadonlyMap<string, number>;
  readonly lists: readonly TaskList[];
}

/** The end of an address identifies it. */
const endOf = (href: string) => decodeURIComponent(href).split('/').slice(-2).join('/');

const listText = ({ name, accountId, href, isDirty }: TaskList) =>
  `“${name}” in ${accountId} ${href === null ? 'nowhere' : `at ${endOf(href)}`}${isDirty ? ' dirty' : ''}`;

const taskText = ({ listId, title, href, etag, parentId, isDirty, isDeleted, unknownProperties }: Task) =>
  [
    `“${title}” in ${listId}`,
    href === null ? 'nowhere' : `at ${endOf(href)}`,
    etag,
    parentId === null ? '' : `under ${parentId}`,
    isDirty ? 'dirty' : '',
    isDeleted ? 'deleted' : '',
    unknownProperties?.includes('X-DUELINE-MOVED') ? 'moved' : '',
  ]
    .filter(word => word !== '')
    .join(' ');

function rowsOf(reader: Reader): Rows {
  const rows = new Map<string, Row>();
  const lists = reader.lists();
  const tasks = lists.flatMap(({ id }) => reader.tasksOfList(id));
  const uids = new Map(tasks.map(({ id, uid }) => [id, uid]));
  for (const list of lists) rows.set(`list ${list.id}`, { subject: 'sync:', id: list.id, text: listText(list) });
  for (const task of tasks) {
    const { id, uid, title, listId, parentId, isDeleted, isDirty, href, etag, recurrenceId } = task;
    const parent = parentId === null ? null : (uids.get(parentId) ?? null);
    const living =
      isDeleted || recurrenceId !== null
        ? undefined
        : { uid, title, listId, parent, isSent: href !== null && !isDirty, etag };
    rows.set(`${recurrenceId === null ? 'task' : 'override'} ${id}`, {
      subject: uid,
      id,
      text: taskText(task),
      living,
    });
  }
  return rows;
}

function changesBetween(before: Rows, after: Rows, by: string): Pick<Commit, 'lines' | 'changes'> {
  const lines: string[] = [];
  const changes: RowChange[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    if (was?.text !== is?.text || was?.subject !== is?.subject)
      lines.push(`${(is ?? was)!.subject}   ${key}: ${was?.text ?? 'none'} → ${is?.text ?? 'none'}   ${by}`);
    const change = { id: (is ?? was)!.id, was: was?.living, is: is?.living };
    if (hasChanged(change) || bringsVersion(change)) changes.push(change);
  }
  return { lines, changes };
}

const doers = () =>
  [...(new Error().stack ?? '').matchAll(/at (?:async )?([\w.#]+) /g)].slice(2, 7).map(([, name]) => name);

/**
 * Reports every edit of this window, in order: those of the user, of a sync, and those that undo others. `listener` is
 * called at each edit; if it returns nothing, the edit is not examined.
 */
export function traceRows(
  store: JournaledStore,
  device: string,
  listener: () => ((commit: Commit) => void) | undefined,
): void {
  // Undo, restoring a backup and all other edits go this way.
  const { replica }: { replica: Replica } = Reflect.get(store.data, 'options');
  const { commit } = replica;
  replica.commit = async (work, annotate) => {
    const report = listener();
    if (!report) return commit.call(replica, work, annotate as never) as never;
    const by = `${device}: ${doers().join(' < ')}`;
    let entry: Commit | undefined;
    const committed = await commit.call(
      replica,
      () => {
        const before = rowsOf(store);
        const result = work();
        const after = rowsOf(store);
        const living = new Map<string, number>();
        for (const { living: task } of after.values()) if (task) living.set(task.uid, (living.get(task.uid) ?? 0) + 1);
        const changed = changesBetween(before, after, by);
        entry = { origin: 'sync', isImport: false, ...changed, living, lists: store.lists() };
        return result;
      },
      proposal => {
        const annotation = annotate(proposal as never);
        const { origin = 'sync', h } = annotation;
        entry = entry && { ...entry, origin, isImport: origin === 'user' && h?.label.key === 'import' };
        return annotation;
      },
    );
    if (entry) report(entry);
    return committed as never;
  };
}
