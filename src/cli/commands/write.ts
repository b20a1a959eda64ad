import type { DuelineEngine, TaskChange } from '../../api';
import { isClosed } from '../../core/fields/status';
import type { EditLabel } from '../../core/kernel/editLabel';
import { type Id, type Occurrence, Status, type StatusCode, type Task, type TaskInput } from '../../core/kernel/model';
import { descendantsOf } from '../../core/recurrence/subtasks';
import { safeJson, sanitize } from '../../core/text/cleanText';
import { CliError, refusalError } from '../../programs/cliError';
import { changesWithDates, clearWord } from '../../programs/dates';
import {
  completionOf,
  lineOf,
  listId,
  subtasksCompletedWith,
  taskId,
  taskIds,
  taskJson,
  tasksJson,
} from '../../programs/tasks';
import { printResult, report } from '../rows';
import type { Command, Option, Session } from '../session';
import { fieldOptions, numberOf, optionFields, tagsIn, targetOptions } from './add';
import { editText } from './editText';

function patchOf(session: Session, engine: DuelineEngine, id: Id): TaskInput {
  const task = engine.task(id)!;
  const patch: TaskInput = {};
  const typed = session.words.slice(1).join(' ').trim();
  const title = session.text('title') ?? (typed === '' ? undefined : typed);
  if (title !== undefined) patch.title = title;
  Object.assign(patch, optionFields(session));
  const progress = session.text('progress');
  if (progress !== undefined) patch.percentComplete = numberOf(progress, 'progress', 'a number from 0 to 100', 100);
  const [more, less] = [tagsIn(session, 'tag'), tagsIn(session, 'untag')];
  if (more.length + less.length > 0) patch.tags = [...task.tags.filter(tag => !less.includes(tag)), ...more];
  return patch;
}

/** The UID of a task that another depends on. */
function blockerOf(engine: DuelineEngine, id: Id, word: string): string {
  const blocker = engine.task(taskId(engine, word))!;
  if (engine.blockersOf(id).some(({ uid }) => uid === blocker.uid)) return blocker.uid;
  throw refusalError(`${engine.shortIdOf(id)} does not depend on ${engine.shortIdOf(blocker)}.`);
}

async function edit(session: Session): Promise<void> {
  if (session.is('text')) return editText(session);
  const [word] = session.needWords('The ID of a task');
  const engine = await session.open();
  const id = taskId(engine, word!);
  const changes: TaskChange[] = [];
  const { percentComplete, ...values } = patchOf(session, engine, id);
  const task = engine.task(id)!;
  const isDone = percentComplete === 100 && !isClosed(task);
  const patch = percentComplete === undefined || isDone ? values : { ...values, percentComplete };
  const words = { due: session.text('due'), start: session.text('start') };
  changes.push(...changesWithDates(engine, task, patch, words, field => `--${field}`));
  const subtasks = isDone ? subtasksCompletedWith(engine, [task]) : [];
  if (isDone) changes.push(...[...subtasks, task].map(completionIn(session, engine)));
  const [list, parent] = [session.text('list'), session.text('parent')];
  if (list !== undefined || parent !== undefined) {
    const parentId = parent === undefined ? undefined : clearWord.test(parent) ? null : taskId(engine, parent);
    const to = {
      ...(list === undefined ? {} : { listId: listId(engine, list) }),
      ...(parentId === undefined ? {} : { parentId }),
    };
    changes.push({ type: 'move', id, to });
  }
  const add = session.all('after').map(blocker => taskId(engine, blocker));
  const remove = session.all('not-after').map(blocker => blockerOf(engine, id, blocker));
  if (add.length + remove.length > 0) changes.push({ type: 'blockers', id, add, remove });
  const [claims, unclaims] = [session.is('claim'), session.is('unclaim')];
  if (claims && !session.rules) throw new CliError('usage', 'Only an agent can claim a task.');
  if (changes.length === 0 && !claims && !unclaims)
    throw new CliError('usage', 'There is nothing to change. See dueline edit --help.');
  let isChanged = false;
  engine.onDidChange(({ tasks }) => {
    isChanged ||= tasks.includes(id);
  });
  const change = async () => changes.length > 0 && engine.apply(changes);
  await (claims ? session.rules!.claim([task], change) : change());
  if (isDone) await session.rules?.release([...subtasks, task]);
  if (unclaims) isChanged = (await endClaim(session, engine, id)) || isChanged;
  printResult(session, engine, isChanged || claims ? 'Changed' : 'Unchanged', [
    id,
    ...subtasks.map(subtask => subtask.id),
  ]);
}

/**
 * An agent releases its own claim; the user takes a task back from the agent that has claimed it. True if it was
 * claimed.
 */
async function endClaim({ rules }: Session, engine: DuelineEngine, id: Id): Promise<boolean> {
  const task = engine.task(id)!;
  return rules ? rules.releaseOwn(task) : engine.claims!.end([task.uid]);
}

/** The tasks that are named, and the engine that has them. */
async function named(session: Session) {
  const words = session.needWords('The ID of a task');
  const engine = await session.open();
  return { engine, ids: taskIds(engine, words) };
}

/** Sets the status of tasks; `isMeant` leaves out those that already have it. */
const statusCommand =
  (verb: string, isMeant: (task: Task) => boolean, changeOf: (task: Task) => TaskChange) =>
  async (session: Session) => {
    const { engine, ids } = await named(session);
    const targets = ids.map(id => engine.task(id)!).filter(isMeant);
    if (targets.length > 0) await engine.apply(targets.map(changeOf));
    await session.rules?.release(targets);
    const changed = new Set(targets.map(({ id }) => id));
    printResult(session, engine, id => (changed.has(id) ? verb : 'Unchanged'), ids);
  };

const toStatus =
  (status: StatusCode) =>
  ({ id }: Task): TaskChange => ({ type: 'update', id, patch: { status } });

async function start(session: Session): Promise<void> {
  const { engine, ids } = await named(session);
  const change = () => engine.apply(ids.map(id => ({ type: 'update', id, patch: { status: 1 } })));
  // An agent that works on a task has it.
  await (session.rules
    ? session.rules.claim(
        ids.map(id => engine.task(id)!),
        change,
      )
    : change());
  printResult(session, engine, 'Started', ids);
}

async function remove(session: Session): Promise<void> {
  const { engine, ids } = await named(session);
  const tasks = ids.map(id => engine.task(id)!);
  const subtasks = session.is('subtasks') ? descendantsOf(tasks, id => engine.subtasksOf(id)) : [];
  const all = [...ids, ...subtasks.map(({ id }) => id)];
  const items = all.map(id => lineOf(engine, id));
  // Made before: the tasks are gone afterwards.
  const answer = session.is('json')
    ? safeJson(tasksJson(engine, items, session), 2)
    : report(engine, session.out, 'Deleted', items);
  await engine.apply(all.toReversed().map(id => ({ type: 'delete', id })));
  session.out.print(answer);
}

const completionIn =
  ({ rules }: Session, engine: DuelineEngine) =>
  (task: Task): TaskChange =>
    completionOf(rules?.engine ?? engine, task, rules?.visible.has);

async function done(session: Session): Promise<void> {
  const { engine, ids } = await named(session);
  const asked = ids.map(id => engine.task(id)!);
  const isOpen = ({ status }: Task) => status < 2;
  const subtasks = subtasksCompletedWith(engine, asked.filter(isOpen));
  const open = [...subtasks, ...asked.filter(isOpen)];
  const ready: Id[] = [];
  engine.onDidChange(change => ready.push(...(change.ready ?? [])));
  if (open.length > 0) await engine.apply(open.map(completionIn(session, engine)));
  await session.rules?.release([...subtasks, ...asked]);
  const items: Occurrence[] = ready.map(id => lineOf(engine, id));
  const completed = new Set(open.map(({ id }) => id));
  const all = [...ids, ...subtasks.map(({ id }) => id)];
  printResult(session, engine, id => (completed.has(id) ? 'Done' : 'Unchanged'), all, {
    ready: items.map(item => taskJson(engine, item, session)),
  });
  if (!session.is('json') && items.length > 0) session.out.print(report(engine, session.out, 'Ready', items));
}

const verbs: Readonly<Record<string, string>> = {
  create: 'Added',
  update: 'Changed',
  complete: 'Completed',
  reopen: 'Reopened',
  delete: 'Deleted',
  deleteOccurrence: 'Deleted one occurrence of',
  move: 'Moved',
  import: 'Imported',
  skip: 'Skipped one occurrence of',
  restore: 'Restored',
};

/** Several occurrences may be of one series. */
const verbOf = ({ key, count, field }: EditLabel): string =>
  field === 'time'
    ? 'Changed the time of'
    : (verbs[key === 'deleteOccurrence' && count > 1 ? 'delete' : key] ?? 'Changed');

async function undo(session: Session): Promise<void> {
  const engine = await session.open({ printsTasks: false });
  const label = await engine.undoNamed();
  if (!label) throw refusalError('There is nothing to undo.');
  const tasks = label.count === 1 && label.title !== undefined ? `“${sanitize(label.title)}”` : `${label.count} tasks`;
  if (label.isReplaced)
    throw refusalError(
      `Later changes replaced the last one (${verbOf(label)} ${tasks}), so nothing was undone. Undo again for the one before.`,
    );
  if (session.is('json')) session.out.print(safeJson({ version: 1, undone: label }, 2));
  else session.out.print(`Undone: ${verbOf(label)} ${tasks}`);
}

const text = (help: string, takes = 'TEXT'): Option => ({ type: 'string', takes, help });

export const writeCommands: Readonly<Record<string, Command>> = {
  edit: {
    usage: 'ID [TITLE]',
    summary: 'Change a task; “none” or an empty text clears a value',
    options: {
      text: { type: 'boolean', help: 'Edit all tasks, or those of a query, as text in $EDITOR' },
      ...targetOptions,
      ...fieldOptions,
      progress: text('Percent complete', 'N'),
      untag: { ...text('A tag to remove', 'TAG'), multiple: true },
      claim: { type: 'boolean', help: 'For agents: let no other agent change it' },
      unclaim: { type: 'boolean', help: 'Take it back from the agent that has claimed it' },
      'not-after': { ...text('A task that it no longer depends on', 'ID'), multiple: true },
    },
    examples: [
      "dueline edit dl-k3f9 --due 'friday 9am' --priority high",
      "dueline edit dl-k3f9 'New title'",
      'dueline edit dl-k3f9 --after dl-7qcw',
      "dueline edit --text 'due:week'",
    ],
    run: edit,
  },
  start: { usage: 'ID…', summary: 'Mark tasks as in progress', examples: ['dueline start dl-k3f9'], run: start },
  done: {
    usage: 'ID…',
    summary: 'Complete tasks with their open subtasks, and show which others are ready now',
    examples: ['dueline done dl-k3f9', 'dueline done dl-k3f9 dl-7qcw --json'],
    run: done,
  },
  stop: {
    usage: 'ID…',
    summary: 'Mark tasks as not in progress',
    examples: ['dueline stop dl-k3f9'],
    run: statusCommand('Stopped', ({ status }) => status === Status.inProcess, toStatus(Status.needsAction)),
  },
  cancel: {
    usage: 'ID…',
    summary: 'Cancel tasks',
    examples: ['dueline cancel dl-k3f9'],
    run: statusCommand('Cancelled', ({ status }) => status !== Status.cancelled, toStatus(Status.cancelled)),
  },
  reopen: {
    usage: 'ID…',
    summary: 'Reopen completed or canceled tasks',
    examples: ['dueline reopen dl-k3f9'],
    run: statusCommand('Reopened', isClosed, ({ id }) => ({ type: 'reopen', id })),
  },
  delete: {
    usage: 'ID…',
    summary:
      'Delete tasks, repeating ones with all their dates; undo brings them back, and so does the trash of the editor',
    options: { subtasks: { type: 'boolean', help: 'Delete their subtasks, too, which are kept otherwise' } },
    examples: ['dueline delete dl-k3f9', 'dueline delete dl-k3f9 --subtasks'],
    run: remove,
  },
  undo: { usage: '', summary: 'Undo the last change, here or in an editor', examples: ['dueline undo'], run: undo },
};
