import type { Task, TaskList } from '../../src/api';
import type { TaskStore } from '../../src/store/taskStore';
import type { Reader } from '../../src/store/types';

interface Row {
  /** A task's UID; `sync:` where it is a list. */
  readonly subject: string;
  readonly title: string | null;
  readonly text: string;
}

type Rows = ReadonlyMap<string, Row>;

/** What became of a list's or a task's row, and whose doing it is. */
export interface RowChange {
  readonly was: Row | undefined;
  readonly is: Row | undefined;
  readonly line: string;
}

const listText = ({ name, accountId, href, isDirty }: TaskList) =>
  `“${name}” in ${accountId} at ${href?.slice(0, 14)}${isDirty ? ' dirty' : ''}`;

const taskText = ({ listId, title, href, etag, parentId, isDirty, isDeleted, unknownProperties }: Task) =>
  [
    `“${title}” in ${listId}`,
    href === null ? 'nowhere' : `at ${href.slice(0, 14)}`,
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
  for (const list of reader.lists()) {
    rows.set(`list ${list.id}`, { subject: 'sync:', title: list.name, text: listText(list) });
    for (const task of reader.tasksOfList(list.id))
      rows.set(`${task.recurrenceId === null ? 'task' : 'override'} ${task.id}`, {
        subject: task.uid,
        title: task.title,
        text: taskText(task),
      });
  }
  return rows;
}

function* changesBetween(before: Rows, after: Rows, by: string): Iterable<RowChange> {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    if (was?.text === is?.text && was?.subject === is?.subject) continue;
    const line = `${(is ?? was)!.subject}   ${key}: ${was?.text ?? 'none'} → ${is?.text ?? 'none'}   ${by}`;
    yield { was, is, line };
  }
}

/**
 * Tells every change of a row that this window makes, in order. `listener` is asked at each edit; nothing is looked at
 * while there is none.
 */
export function traceRows(
  store: TaskStore,
  device: string,
  listener: () => ((change: RowChange) => void) | undefined,
): void {
  const { edit, undo } = store;
  const doers = () =>
    [...(new Error().stack ?? '').matchAll(/at (?:async )?([\w.#]+) /g)].slice(2, 6).map(([, name]) => name);
  store.edit = async (options, work) => {
    const tell = listener();
    if (!tell) return edit.call(store, options, work) as never;
    const by = `${device}: ${doers().join(' < ')}`;
    let changes: RowChange[] = [];
    const result = await edit.call(store, options, tx => {
      const before = rowsOf(tx);
      const done = work(tx);
      changes = [...changesBetween(before, rowsOf(tx), by)];
      return done;
    });
    changes.forEach(tell);
    return result as never;
  };
  store.undo = async () => {
    const tell = listener();
    const before = rowsOf(store);
    const label = await undo.call(store);
    if (tell) for (const change of changesBetween(before, rowsOf(store), `${device}: undo`)) tell(change);
    return label;
  };
}
