import type { DuelineEngine, TaskChange } from '../../api';
import { priorityOf } from '../../core/fields/priority';
import type { Id, Occurrence, TaskInput } from '../../core/kernel/model';
import { priorityNamed } from '../../core/quickAdd/sigils';
import { safeJson, sanitize } from '../../core/text/cleanText';
import { taskLines } from '../../core/text/taskLines';
import { CliError, refusalError } from '../../programs/cliError';
import { clearWord, datesOf } from '../../programs/dates';
import { completionOf, lineOf, listId, taskId, taskIds, taskJson, tasksJson } from '../../programs/tasks';
import { report } from '../rows';
import type { Command, Option, Session } from '../session';

const inList: Option = { type: 'string', short: 'l', takes: 'LIST', help: 'The list, by its name or ID' };
const parentOption: Option = { type: 'string', takes: 'ID', help: 'The task that it is a subtask of' };
const after: Option = { type: 'string', multiple: true, takes: 'ID', help: 'A task that it depends on' };

/** Says what was done, with the tasks as they are now. */
function printResult(
  session: Session,
  engine: DuelineEngine,
  verb: string | ((id: Id) => string),
  ids: readonly Id[],
  more: object = {},
): void {
  const items = ids.map(id => lineOf(engine, id));
  if (session.is('json')) session.out.print(safeJson(tasksJson(engine, items, more), 2));
  else session.out.print(report(engine, session.out, verb, items));
}

async function add(session: Session): Promise<void> {
  const { input } = session.surroundings;
  const typed = session.words.join(' ').trim();
  const isPiped = session.words.length === 0 || typed === '-';
  if (!isPiped && typed === '') throw new CliError('usage', 'The text of the task is empty.');
  if (isPiped && input.isTyped) session.out.note('Type one task a line, indented ones as subtasks. End with Ctrl+D.');
  const lines = isPiped ? taskLines(new TextDecoder().decode(input.read())) : [{ text: typed }];
  if (lines.length === 0) throw new CliError('usage', 'There is nothing to add: standard input is empty.');
  const engine = await session.open({ mayCreate: true });
  const named = session.text('list');
  const parent = session.text('parent');
  const parentId = parent === undefined ? undefined : taskId(engine, parent);
  const options = {
    after: session.all('after').map(word => taskId(engine, word)),
    ...(parentId === undefined ? {} : { parentId, listId: engine.task(parentId)!.listId }),
    ...(named === undefined ? {} : { listId: listId(engine, named) }),
  };
  for (const { text } of lines) {
    // Only a name has a sign.
    if (!/[@#]/.test(text)) continue;
    const { noList } = engine.understand(text, parentId === undefined ? {} : { parentId });
    if (!noList) continue;
    const name = sanitize(noList.name);
    const why = noList.why === 'subtask' ? `A subtask is not in ${name}` : `There is no list ${name} to add to`;
    session.out.note(`${why}: these words stay in the title.`);
  }
  const ids = isPiped ? await engine.quickAddLines(lines, options) : [await engine.quickAdd(typed, options)];
  printResult(session, engine, 'Added', ids);
}

function numberOf(text: string, option: string, kind = 'a number'): number {
  if (!/^\d{1,3}%?$/.test(text)) throw new CliError('usage', `--${option} takes ${kind}, not ${sanitize(text)}.`);
  return Number.parseInt(text, 10);
}

function patchOf(session: Session, engine: DuelineEngine, id: Id): TaskInput {
  const task = engine.task(id)!;
  const words = { due: session.text('due'), start: session.text('start') };
  const patch = datesOf(engine, task, words, field => `--${field}`);
  const typed = session.words.slice(1).join(' ').trim();
  const title = session.text('title') ?? (typed === '' ? undefined : typed);
  if (title !== undefined) patch.title = title;
  for (const [option, field] of [
    ['notes', 'description'],
    ['location', 'location'],
    ['url', 'url'],
  ] as const) {
    const text = session.text(option);
    if (text !== undefined) patch[field] = text === '' ? null : text;
  }
  const priority = session.text('priority');
  if (priority !== undefined) {
    const value = Object.hasOwn(priorityOf, priority) ? priorityOf[priority as 'high'] : priorityNamed(priority);
    patch.priority = value ?? numberOf(priority, 'priority', 'high, medium, low, none or a number from 0 to 9');
  }
  const progress = session.text('progress');
  if (progress !== undefined) patch.percentComplete = numberOf(progress, 'progress');
  const [more, less] = [session.all('tag'), session.all('untag')].map(tags => tags.map(tag => tag.replace(/^#/, '')));
  if (more!.length + less!.length > 0) patch.tags = [...task.tags.filter(tag => !less!.includes(tag)), ...more!];
  return patch;
}

/** The UID of a task that another depends on. */
function blockerOf(engine: DuelineEngine, id: Id, word: string): string {
  const blocker = engine.task(taskId(engine, word))!;
  if (engine.blockersOf(id).some(({ uid }) => uid === blocker.uid)) return blocker.uid;
  throw refusalError(`${engine.shortIdOf(id)} does not depend on ${engine.shortIdOf(blocker)}.`);
}

async function edit(session: Session): Promise<void> {
  const [word] = session.needWords('The ID of a task');
  const engine = await session.open();
  const id = taskId(engine, word!);
  const changes: TaskChange[] = [];
  const patch = patchOf(session, engine, id);
  if (Object.keys(patch).length > 0) changes.push({ type: 'update', id, patch });
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
  if (claims && !session.rules) throw new CliError('usage', 'Only an agent claims a task.');
  if (changes.length === 0 && !claims && !unclaims)
    throw new CliError('usage', 'There is nothing to change. See dueline edit --help.');
  let isChanged = false;
  engine.onDidChange(({ tasks }) => {
    isChanged ||= tasks.includes(id);
  });
  const change = async () => changes.length > 0 && engine.apply(changes);
  await (claims ? session.rules!.claim(uidsOf(engine, [id]), change) : change());
  if (unclaims) isChanged = (await endClaim(session, engine, id)) || isChanged;
  printResult(session, engine, isChanged || claims ? 'Changed' : 'Unchanged', [id]);
}

/** An agent gives back what is its own; the user takes a task back from the agent that has it. True if it was claimed. */
async function endClaim({ rules }: Session, engine: DuelineEngine, id: Id): Promise<boolean> {
  const task = engine.task(id)!;
  return rules ? rules.giveBack(task) : engine.claims!.end([task.uid]);
}

const uidsOf = (engine: DuelineEngine, ids: readonly Id[]) => ids.map(id => engine.task(id)!.uid);

async function start(session: Session): Promise<void> {
  const words = session.needWords('The ID of a task');
  const engine = await session.open();
  const ids = taskIds(engine, words);
  const change = () => engine.apply(ids.map(id => ({ type: 'update', id, patch: { status: 1 } })));
  // An agent that works on a task has it.
  await (session.rules ? session.rules.claim(uidsOf(engine, ids), change) : change());
  printResult(session, engine, 'Started', ids);
}

async function done(session: Session): Promise<void> {
  const words = session.needWords('The ID of a task');
  const engine = await session.open();
  const ids = taskIds(engine, words);
  const open = ids.map(id => engine.task(id)!).filter(({ status }) => status < 2);
  const ready: Id[] = [];
  engine.onDidChange(change => ready.push(...(change.ready ?? [])));
  if (open.length > 0) await engine.apply(open.map(task => completionOf(engine, task)));
  await session.rules?.release(ids.map(id => engine.task(id)!));
  const items: Occurrence[] = ready.map(id => lineOf(engine, id));
  const completed = new Set(open.map(({ id }) => id));
  printResult(session, engine, id => (completed.has(id) ? 'Done' : 'Unchanged'), ids, {
    ready: items.map(item => taskJson(engine, item)),
  });
  if (!session.is('json') && items.length > 0) session.out.print(report(engine, session.out, 'Ready', items));
}

const verbs: Readonly<Record<string, string>> = {
  create: 'Added',
  update: 'Changed',
  complete: 'Completed',
  reopen: 'Reopened',
  delete: 'Deleted',
  move: 'Moved',
  import: 'Imported',
  skip: 'Skipped',
  restore: 'Restored',
};

async function undo(session: Session): Promise<void> {
  const engine = await session.open();
  const label = await engine.undoNamed();
  if (!label) throw refusalError('There is nothing to undo.');
  const what = label.count === 1 && label.title !== undefined ? `“${sanitize(label.title)}”` : `${label.count} tasks`;
  if (session.is('json')) session.out.print(safeJson({ version: 1, undone: label }, 2));
  else session.out.print(`Undone: ${verbs[label.key] ?? 'Changed'} ${what}`);
}

const text = (help: string, takes = 'TEXT'): Option => ({ type: 'string', takes, help });

export const writeCommands: Readonly<Record<string, Command>> = {
  add: {
    usage: '[TEXT]',
    summary: 'Add a task as Quick Add reads it; without a text, one for each line of standard input',
    options: { list: inList, parent: parentOption, after },
    examples: [
      "dueline add 'Pay rent tomorrow 9am #home !high @Bills every month'",
      "dueline add 'Ship' --after dl-k3f9",
      "printf 'Move\\n  Pack\\n  Call the movers\\n' | dueline add",
      'git log --grep TODO --format=%s | dueline add --list Work',
    ],
    run: add,
  },
  edit: {
    usage: 'ID [TITLE]',
    summary: 'Change a task; “none” or an empty text clears a value',
    options: {
      title: text('The title'),
      due: text('The due date, such as “friday 9am”', 'DATE'),
      start: text('The start date', 'DATE'),
      priority: text('high, medium, low, none or 0 to 9', 'PRIORITY'),
      progress: text('Percent complete', 'N'),
      notes: text('The notes'),
      location: text('The location'),
      url: text('The URL', 'URL'),
      tag: { ...text('A tag to add', 'TAG'), multiple: true },
      untag: { ...text('A tag to remove', 'TAG'), multiple: true },
      list: inList,
      parent: parentOption,
      after,
      claim: { type: 'boolean', help: 'For agents: let no other agent change it' },
      unclaim: { type: 'boolean', help: 'Take it back from the agent that has claimed it' },
      'not-after': { ...text('A task that it no longer depends on', 'ID'), multiple: true },
    },
    examples: [
      "dueline edit dl-k3f9 --due 'friday 9am' --priority high",
      "dueline edit dl-k3f9 'New title'",
      'dueline edit dl-k3f9 --after dl-7qcw',
    ],
    run: edit,
  },
  start: { usage: 'ID…', summary: 'Mark tasks as in progress', examples: ['dueline start dl-k3f9'], run: start },
  done: {
    usage: 'ID…',
    summary: 'Complete tasks, and say which others are ready now',
    examples: ['dueline done dl-k3f9', 'dueline done dl-k3f9 dl-7qcw --json'],
    run: done,
  },
  undo: { usage: '', summary: 'Undo the last change, here or in an editor', examples: ['dueline undo'], run: undo },
};
