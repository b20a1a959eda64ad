import type { DuelineEngine } from '../../api';
import { DuelineError } from '../../core/kernel/errors';
import type { Id, Occurrence, Task, TaskList } from '../../core/kernel/model';
import { openOccurrences } from '../../core/recurrence/instances';
import type { Layout } from '../../core/text/document/readText';
import type { TextTarget } from '../../core/text/document/types';
import { isLiveSeries } from '../../query/eval/items';
import { engineMessage } from '../messages';

export type TextEngine = Pick<
  DuelineEngine,
  | 'accounts'
  | 'blockersOf'
  | 'clock'
  | 'defaultListId'
  | 'lists'
  | 'locale'
  | 'query'
  | 'rows'
  | 'settings'
  | 'shortIdOf'
  | 'task'
  | 'taskNamed'
  | 'tasksByShortIds'
>;

/** The dates that a line shows, and of a series the occurrence that has them. */
export interface ShownTask extends Pick<Occurrence, 'task' | 'due' | 'dtstart'> {
  readonly occurrence?: number;
}

/** The tasks of a text, in sections by their lists or all in one. */
interface TextContent {
  readonly layout: Layout;
  readonly sections: readonly { readonly list?: TaskList; readonly tasks: readonly ShownTask[] }[];
  /** True if all lists of the tasks are read-only. */
  readonly isReadOnly: boolean;
  /** The list of new tasks at the top level. */
  readonly listId?: Id | undefined;
  readonly parentId?: Id | undefined;
}

const isOpen = ({ status }: Task) => status < 2;

/** The tasks that a text is of: those that are open, and those that it had before. */
export function textContentOf(engine: TextEngine, target: TextTarget, kept: ReadonlySet<Id>): TextContent {
  if ('query' in target) return contentOfQuery(engine, target.query, kept);
  if ('taskId' in target) {
    const root = engine.task(target.taskId);
    if (!root) throw new DuelineError('notFound', engineMessage('taskGone'));
    const list = engine.lists().find(({ id }) => id === root.listId)!;
    const tasks = subtree(tasksOf(engine, list.id, new Set([...kept, root.id])), root);
    const { isReadOnly } = list;
    return { layout: 'list', sections: [{ tasks }], isReadOnly, listId: list.id, parentId: root.parentId ?? undefined };
  }
  const lists = engine.lists();
  if ('listId' in target) {
    const list = lists.find(({ id }) => id === target.listId);
    if (!list) throw new DuelineError('notFound', engineMessage('listGone'));
    const { id: listId, isReadOnly } = list;
    return { layout: 'list', sections: [{ tasks: tasksOf(engine, listId, kept) }], isReadOnly, listId };
  }
  const shown = lists.filter(({ isVisible }) => isVisible);
  return {
    layout: 'headings',
    sections: shown.map(list => ({ list, tasks: tasksOf(engine, list.id, kept) })),
    isReadOnly: shown.every(({ isReadOnly }) => isReadOnly),
  };
}

/** In the order that the user gave them. */
function tasksOf(engine: TextEngine, listId: Id, kept: ReadonlySet<Id>): ShownTask[] {
  const rows = engine.rows(listId);
  const overrides = new Map<Id, Task[]>();
  for (const row of rows)
    if (row.masterId !== null && !row.isDeleted)
      overrides.set(row.masterId, [...(overrides.get(row.masterId) ?? []), row]);
  return rows
    .filter(row => row.masterId === null && !row.isDeleted && (isOpen(row) || kept.has(row.id)))
    .sort((one, other) => one.sortOrder - other.sortOrder || one.id - other.id)
    .map(task => shown(engine, task, overrides.get(task.id) ?? []));
}

function shown(engine: TextEngine, task: Task, overrides: readonly Task[]): ShownTask {
  if (!isLiveSeries(task)) return { task, due: task.due, dtstart: task.dtstart };
  for (const { due, dtstart, recurrenceId } of openOccurrences(task, overrides, engine.clock.timeZone))
    return {
      task,
      due: task.due === null ? null : due,
      dtstart: task.dtstart === null ? null : dtstart,
      occurrence: recurrenceId,
    };
  return { task, due: task.due, dtstart: task.dtstart };
}

/** A task and all below it. */
function subtree(tasks: readonly ShownTask[], root: Task): ShownTask[] {
  const within = new Set([root.id]);
  // A parent can come after its child.
  for (let size = 0; size < within.size; ) {
    size = within.size;
    for (const { task } of tasks) if (task.parentId !== null && within.has(task.parentId)) within.add(task.id);
  }
  return tasks.filter(({ task }) => within.has(task.id));
}

/** The tasks in the order of the query; tasks that it no longer finds stay at the end. */
function contentOfQuery(engine: TextEngine, query: string, kept: ReadonlySet<Id>): TextContent {
  const found = new Map<Id, Task>();
  const add = (task: Task | undefined) => task && !task.isDeleted && found.set(task.id, task);
  for (const { task } of engine.query(query))
    if (task.id > 0) add(task.masterId === null ? task : engine.task(task.masterId));
  for (const id of kept) if (!found.has(id)) add(engine.task(id));
  const series = [...new Set([...found.values()].filter(isLiveSeries).map(({ listId }) => listId))];
  const overrides = series.flatMap(id => engine.rows(id).filter(row => row.masterId !== null && !row.isDeleted));
  const tasks = [...found.values()].map(task =>
    shown(
      engine,
      task,
      overrides.filter(({ masterId }) => masterId === task.id),
    ),
  );
  const lists = new Map(engine.lists().map(list => [list.id, list]));
  const isReadOnly = tasks.length > 0 && tasks.every(({ task }) => lists.get(task.listId)?.isReadOnly);
  return { layout: 'names', sections: [{ tasks }], isReadOnly };
}
