import type { Task, TaskList } from '../../src/api';
import type { TaskStore } from '../../src/store/taskStore';
import type { Reader } from '../../src/store/types';

type Rows = ReadonlyMap<string, { readonly subject: string; readonly text: string }>;

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
  const rows = new Map<string, { subject: string; text: string }>();
  for (const list of reader.lists()) {
    rows.set(`list ${list.id}`, { subject: 'sync:', text: listText(list) });
    for (const task of reader.tasksOfList(list.id))
      rows.set(`${task.recurrenceId === null ? 'task' : 'override'} ${task.id}`, {
        subject: task.uid,
        text: taskText(task),
      });
  }
  return rows;
}

function* changesBetween(before: Rows, after: Rows): Iterable<string> {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    if (was?.text === is?.text && was?.subject === is?.subject) continue;
    yield `${(is ?? was)!.subject}   ${key}: ${was?.text ?? 'none'} → ${is?.text ?? 'none'}`;
  }
}

/**
 * Tells every change of a list's or a task's row that this window makes: whose it is (a UID, or `sync:`), what was, what
 * is, and whose doing it is. `listener` is asked at each edit; nothing is looked at while there is none.
 */
export function traceRows(
  store: TaskStore,
  device: string,
  listener: () => ((line: string) => void) | undefined,
): void {
  const { edit, undo } = store;
  const doers = () =>
    [...(new Error().stack ?? '').matchAll(/at (?:async )?([\w.#]+) /g)].slice(2, 6).map(([, name]) => name);
  store.edit = async (options, work) => {
    const tell = listener();
    if (!tell) return edit.call(store, options, work) as never;
    const by = doers();
    let changes: string[] = [];
    const result = await edit.call(store, options, tx => {
      const before = rowsOf(tx);
      const done = work(tx);
      changes = [...changesBetween(before, rowsOf(tx))];
      return done;
    });
    for (const change of changes) tell(`${change}   ${device}: ${by.join(' < ')}`);
    return result as never;
  };
  store.undo = async () => {
    const tell = listener();
    const before = rowsOf(store);
    const label = await undo.call(store);
    for (const change of changesBetween(before, rowsOf(store))) tell?.(`${change}   ${device}: undo`);
    return label;
  };
}
