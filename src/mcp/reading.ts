import { isBranchOf } from '../core/code/branches';
import { shortIdWords } from '../core/code/shortId';
import { detailNames } from '../core/fields/table';
import { walkTree } from '../core/kernel/descent';
import type { Occurrence, Task } from '../core/kernel/model';
import { cleanedLines } from '../core/text/cleanText';
import { zonedText } from '../core/time/dates';
import { refusalError } from '../programs/cliError';
import { branchAt, repositoryAt } from '../programs/repositories';
import { taskJson } from '../programs/tasks';
import {
  type Answers,
  answer,
  maxAnswerLength,
  shortLine,
  type TaskData,
  type ToolResult,
  taskLine,
  withoutEmpty,
} from './answers';
import { tokensOf, truncate } from './tokens';
import type { ArgumentsOf } from './tools';

export function findTasks(answers: Answers, { query = '', limit = 20, cursor }: ArgumentsOf<'find_tasks'>): ToolResult {
  const found = answers.visible.query(query);
  const from = offsetOf(cursor);
  const { lines, tasks } = answers.list(found.slice(from, from + limit), maxAnswerLength - 150, { least: 1 });
  const to = from + tasks.length;
  const next = to < found.length ? { cursor: String(to) } : {};
  if (tasks.length === 0) return noTasks(answers, query, found.length);
  const words = `${from + 1} to ${to} of ${found.length} tasks.`;
  const rest = next.cursor ? ` For the rest: cursor ${JSON.stringify(next.cursor)}.` : '';
  return answer(words + rest, lines, { tasks, total: found.length, ...next });
}

/** Adds the names of the lists if the query names one, since a list that does not exist is the likely reason. */
function noTasks({ visible }: Answers, query: string, total: number): ToolResult {
  const words = total === 0 ? 'No tasks.' : `No more tasks; there are ${total}.`;
  const namesList = total === 0 && /(^|[\s(,-])(@|list:)/i.test(query);
  return answer(words, namesList ? [`Lists: ${visible.listNames}.`] : [], { tasks: [], total });
}

function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor))
    throw refusalError('That cursor is not from an answer. Leave it out to begin at the start.');
  return Number(cursor);
}

/** In tokens. */
const notesChunkTokens = 450;
/** In the code. */
const maxLocations = 3;

export function getTask(answers: Answers, { id, cursor }: ArgumentsOf<'get_task'>): ToolResult {
  const { engine, visible } = answers;
  const item = answers.toItem(visible.task(id));
  const { notes, progress, completedAt, ...json } = taskJson(engine, item);
  const whole = cleanedLines(notes ?? '');
  const from = offsetOf(cursor);
  const text = truncate(whole.slice(from), notesChunkTokens);
  const next = from + text.length < whole.length ? { cursor: String(from + text.length) } : {};
  const short = (value: string | null) => shortLine(value ?? '', 60);
  const known = answers.data(item, maxLocations);
  const fields: TaskData = withoutEmpty({
    ...known,
    ...Object.fromEntries(detailNames.map(name => [name, short(json[name])])),
    progress,
    completed: completedAt,
  });
  const title = taskLine(fields);
  const more = Object.entries(fields).filter(([name]) => !(name in known));
  const lines = [title, ...more.map(([name, value]) => `${name}: ${value}`), ...(text === '' ? [] : ['notes:', text])];
  const used = tokensOf(JSON.stringify([lines, fields, text]));
  const children = answers.list(subtasksOf(answers, item), maxAnswerLength - 200 - used);
  const words = next.cursor ? `The notes go on: cursor ${JSON.stringify(next.cursor)}.` : '';
  const data = { ...fields, ...(text === '' ? {} : { notes: text }), ...next };
  const subtasks = children.tasks.length > 0 ? { subtasks: children.tasks } : {};
  return answer(words, [...lines, ...children.lines.map(line => `- ${line}`)], { ...data, ...subtasks });
}

const subtasksOf = ({ visible }: Answers, { task }: Occurrence) =>
  visible
    .query('show:done sort:manual', [task.listId])
    .filter(each => each.task.parentId === (task.masterId ?? task.id));

/** In tokens. */
const maxContextLength = 600;
const maxPerSection = 5;

/** In tokens. */
const maxPlanLength = 250;

/** The open plan of the repository and branch, the user's tasks for today, tasks in process, tasks that can be started, and those about this repository. */
export function context(answers: Answers, cwd: string): ToolResult {
  const seen = new Set<number>();
  const steps = planOf(answers, cwd);
  const plan = answers.list(steps, maxPlanLength - 15, { least: 1, locations: 1 });
  for (const { task } of steps) seen.add(task.id);
  const parts = partsOf(answers, cwd).map(([name, items]) => {
    const mine = items.filter(({ task }) => !seen.has(task.id));
    const shown = mine.slice(0, maxPerSection);
    for (const { task } of shown) seen.add(task.id);
    return { name, shown, count: mine.length };
  });
  const hasPlan = plan.tasks.length > 0;
  const lines: string[] = hasPlan ? [`plan (${steps.length} open):`, ...plan.lines] : [];
  const data: Record<string, TaskData[]> = hasPlan ? { plan: plan.tasks } : {};
  let room = maxContextLength - 160 - tokensOf(JSON.stringify([plan.lines, plan.tasks]));
  for (const { name, shown, count } of parts.filter(part => part.count > 0)) {
    const list = answers.list(shown, room - 15, { locations: 1 });
    room -= 15 + tokensOf(JSON.stringify([list.lines, list.tasks]));
    if (list.tasks.length === 0) continue;
    lines.push(`${name} (${count}):`, ...list.lines);
    data[name] = list.tasks;
  }
  const { clock } = answers.engine;
  // Dates in words, and times without a zone, are read by this clock.
  const now = zonedText(clock.now(), clock.timeZone);
  const words = lines.length === 0 ? ' Nothing for today, and nothing ready.' : '';
  return answer(`It is ${now}.${words}`, lines, { now, ...data });
}

/**
 * The open tasks of the current branch with their subtasks, in their order; without any, the task that the user works
 * on.
 */
function planOf({ engine, visible, toItem }: Answers, cwd: string): readonly Occurrence[] {
  const [names, branch] = [repositoryAt(cwd), branchAt(cwd)];
  const open = visible.query('sort:manual').filter(({ task }) => task.masterId === null);
  const named = new Set(
    [...engine.tasksByShortIds(shortIdWords(branch ?? '').map(([id]) => id)).values()].map(({ id }) => id),
  );
  const isOfBranch = (task: Task) =>
    named.has(task.id) || (names !== undefined && branch !== undefined && isBranchOf(task, names, branch));
  const roots = open.filter(({ task }) => isOfBranch(task));
  const active = engine.working.active()?.task;
  const found = roots.length > 0 || !active || !visible.has(active) ? roots : [toItem(active)];
  const below = (item: Occurrence) => open.filter(({ task }) => task.parentId === item.task.id);
  return walkTree(found, below, ({ task }) => task.id).map(({ item }) => item);
}

function partsOf(
  { engine, visible }: Answers,
  cwd: string,
): readonly (readonly [name: string, items: readonly Occurrence[]])[] {
  const repository = repositoryAt(cwd) ?? [];
  const linked = new Set(repository.flatMap(({ id }) => engine.anchored(id).map(({ task }) => task)));
  return [
    ['today', visible.query('(due:<=today OR start:today) sort:priority,due')],
    ['here', linked.size === 0 ? [] : visible.query('').filter(({ task }) => linked.has(task.masterId ?? task.id))],
    ['started', visible.query('is:started')],
    ['ready', visible.query('is:ready sort:priority,due')],
  ];
}
