import type {
  Change,
  DuelineEngine,
  QuickAddLine,
  QuickAddOptions,
  TaskChange,
  WidgetKind,
  WidgetOptions,
} from '../api';
import { isDuelineError } from '../core/kernel/errors';
import type { Id, Task } from '../core/kernel/model';
import type { Meetings, ShownMeeting } from '../core/meetings/calendars';
import { refusalError } from '../programs/cliError';
import { maxPlanLines } from './limits';
import type { AgentRules } from './rules';

type Name = keyof DuelineEngine;
type Part = Partial<DuelineEngine>;

/** Members that neither reveal nor change a task that an agent must not see. */
const free: readonly Name[] = [
  'apiVersion',
  'clock',
  'flavor',
  'locale',
  'nextBoundary',
  'notices',
  'openDoneLog',
  'readOnlyReason',
  'refresh',
  'settings',
  'shortIdOf',
];

/**
 * The engine for an agent: hidden tasks do not exist, its changes follow its rules, and everything else is refused. So a
 * new command cannot reveal a task by an oversight.
 */
export function agentEngine(rules: AgentRules): DuelineEngine {
  const { engine } = rules;
  const own: Part = { ...reading(rules), ...(rules.mayReadMeetings && meetingsOf(engine)), ...writing(rules) };
  return new Proxy(engine, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as Name];
      // Promises read `then` of each value, and inspection reads symbols.
      if (name === 'then' || typeof name === 'symbol') return undefined;
      if (!free.includes(name as Name)) throw refusalError('An agent cannot do that. Ask the user to do it.');
      const value = engine[name as Name] as unknown;
      return typeof value === 'function' ? value.bind(engine) : value;
    },
  });
}

function reading({ engine, visible }: AgentRules): Part {
  const seen = (task: Task | undefined) => (task && visible.has(task) ? task : undefined);
  const withNames = (options: QuickAddOptions = {}) => ({ ...options, mayName: visible.mayName });
  return {
    task: id => seen(engine.task(id)),
    rows: id => (visible.hasList(id) ? engine.rows(id).filter(visible.has) : []),
    overridesOf: id => engine.overridesOf(id).filter(visible.has),
    subtasksOf: id => engine.subtasksOf(id).filter(visible.has),
    lists: () => engine.lists().filter(({ id }) => visible.hasList(id)),
    query: (text, options) => engine.query(text, { ...options, isVisible: visible.has }),
    findByShortId: text => engine.findByShortId(text, visible.has),
    blockersOf: of => engine.blockersOf(of).filter(({ task }) => task && visible.has(task)),
    dependentsOf: id => engine.dependentsOf(id).filter(visible.has),
    parseQuickAdd: (text, options) => engine.parseQuickAdd(text, withNames(options)),
    defaultListId: () => visible.defaultList(),
    anchored: (repo, paths) => engine.anchored(repo, paths).filter(({ task }) => seen(engine.task(task))),
    widget: <Kind extends WidgetKind>(kind: Kind, { limit, ...options }: WidgetOptions = {}) => {
      const snapshot = engine.widget(kind, options);
      let room = limit ?? Number.POSITIVE_INFINITY;
      let openCount = 0;
      const groups = snapshot.groups.map(group => {
        const all = group.items.filter(({ task }) => visible.has(task));
        const items = all.slice(0, room);
        room -= items.length;
        openCount += all.length;
        return { ...group, items, ...(group.count === undefined ? {} : { count: all.length }) };
      });
      return { ...snapshot, groups, openCount };
    },
    onDidChange: listen =>
      engine.onDidChange(({ ready, step: _, ...change }) => {
        const tasks = change.tasks.filter(id => seen(engine.task(id)));
        const done = tasks.map(id => engine.task(id)!).filter(task => !visible.isBlocking(task));
        const unblocked = ready && visible.readyAfter(done).map(({ id }) => id);
        listen({ ...change, tasks, ...(unblocked ? { ready: unblocked } : {}) } satisfies Change);
      }),
  };
}

/** The meetings, with only the times of private ones. */
function meetingsOf({ meetings }: DuelineEngine): Part {
  const seen = (meeting: ShownMeeting): ShownMeeting => {
    const { location: _location, link: _link, text: _text, ...rest } = meeting;
    return meeting.isPrivate ? { ...rest, title: 'Private' } : meeting;
  };
  const reading: Pick<Meetings, 'open' | 'between'> = {
    open: () => meetings.open(),
    between: (from, to) => meetings.between(from, to).map(seen),
  };
  return { meetings: reading as Meetings };
}

function writing(rules: AgentRules): Part {
  const { engine, visible } = rules;
  const withOwn = (line: QuickAddLine): QuickAddLine => ({ ...line, own: { ...line.own, mayName: visible.mayName } });
  const into = (options: QuickAddOptions = {}) => {
    if (options.parentId !== undefined) seenTask(rules, options.parentId);
    const listId = options.listId ?? (options.parentId === undefined ? visible.defaultList() : undefined);
    return { ...options, mayName: visible.mayName, ...(listId === undefined ? {} : { listId }) };
  };
  return {
    apply: changes => {
      const tasks = changedTasks(rules, changes);
      rules.refuseMany(tasks);
      rules.refuseClaimed(tasks);
      return withoutHiddenNames(engine.apply(changes));
    },
    quickAdd: (text, options) => withoutHiddenNames(engine.quickAdd(text, into(options))),
    quickAddLines: (lines, options) => {
      if (lines.length > maxPlanLines)
        throw refusalError(`At most ${maxPlanLines} lines at once; these are ${lines.length}.`);
      return withoutHiddenNames(engine.quickAddLines(lines.map(withOwn), into(options)));
    },
    undoNamed: () => rules.undo(),
  };
}

/** A circle of dependencies may go through tasks that are hidden. */
async function withoutHiddenNames<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isDuelineError(error) || (error as { code?: string }).code !== 'dependencyCircle') throw error;
    throw refusalError('These tasks would depend on each other in a circle.');
  }
}

function seenTask({ engine, visible }: AgentRules, id: Id): Task {
  const task = engine.task(id);
  if (!task || !visible.has(task)) throw refusalError(`No task has the ID ${id}.`);
  return task;
}

/** @throws CliError if one of them is hidden, or if the change is not for agents */
function changedTasks(rules: AgentRules, changes: readonly TaskChange[]): readonly Task[] {
  const seen = (id: Id) => seenTask(rules, id);
  const tasks = changes.flatMap(change => {
    if (change.type === 'delete' || change.type === 'deleteOccurrence')
      throw refusalError('An agent cannot delete tasks. Cancel them instead.');
    const { listId, parentId } =
      change.type === 'move'
        ? change.to
        : change.type === 'create'
          ? { listId: change.listId, parentId: change.input.parentId }
          : {};
    if (listId !== undefined && !rules.visible.hasList(listId)) throw refusalError(`There is no list ${listId}.`);
    if (parentId != null) seen(parentId);
    if (change.type === 'blockers') change.add?.map(seen);
    return change.type === 'create' ? [] : [seen(change.id)];
  });
  return [...new Map(tasks.map(task => [task.id, task])).values()];
}
