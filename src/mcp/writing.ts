import { maxPlanLines } from '../agents/limits';
import type { QuickAddLine, QuickAddOptions, TaskChange } from '../api';
import { type TaskBranch, writtenBranch } from '../core/code/branches';
import { priorityOf } from '../core/fields/priority';
import type { TaskEdit } from '../core/fields/values';
import type { Id, Task, TaskInput } from '../core/kernel/model';
import { cleanedLines, sanitize } from '../core/text/cleanText';
import { addressOf, linkOfLine } from '../core/text/issueLinks';
import { taskLines } from '../core/text/taskLines';
import { openByAddress } from '../engine/capture';
import { refusalError } from '../programs/cliError';
import { changesWithDates, clearWord, datesOf } from '../programs/dates';
import { branchAt, repositoryAt } from '../programs/repositories';
import { completionOf, subtasksCompletedWith } from '../programs/tasks';
import { type Answers, answer, type ToolResult, taskLine } from './answers';
import { linkEdit } from './links';
import type { ArgumentsOf, NewTask, Update } from './tools';

type Fields = Omit<NewTask, 'text'>;

const statuses = { open: 0, started: 1, cancelled: 3 } as const;
const undated = { due: null, dtstart: null, isAllDay: false, timezone: null, rrule: null, masterId: null };

export async function addTasks(
  answers: Answers,
  { tasks }: ArgumentsOf<'add_tasks'>,
  cwd: string,
): Promise<ToolResult> {
  const lines: QuickAddLine[] = [];
  const known: Id[] = [];
  const branch = branchHere(cwd);
  const hasAddress = tasks.some(({ text, url }) => url !== undefined || linkOfLine(text ?? '') !== undefined);
  const open = hasAddress ? openByAddress(answers.engine, answers.visible.has) : new Map<string, Task>();
  for (const task of tasks) {
    const existing = open.get(addressOf(task.url ?? linkOfLine(task.text ?? '')?.url ?? ''));
    if (existing === undefined) lines.push(...linesOf(answers, task, lines.length, branch));
    else known.push(existing.id);
  }
  if (lines.length > maxPlanLines)
    throw refusalError(`At most ${maxPlanLines} lines at once; these are ${lines.length}.`);
  const ids = lines.length === 0 ? [] : await answers.engine.quickAddLines(lines);
  // The engine has left out lines with the url of an open task, or of another line.
  const there = known.length + lines.length - ids.length;
  const thereText = there === 0 ? '' : ` ${there} had an open task with that url.`;
  const left = lines.flatMap(({ text, own }) => answers.engine.parseQuickAdd(text, own).noList?.name ?? []);
  const names = left.map(name => `@${sanitize(name)}`).join(', ');
  const words = left.length === 0 ? '' : ` There is no such list, so these words stay in the title: ${names}.`;
  return answers.result(`Added ${ids.length}.${thereText}${words}`, itemsOf(answers, [...ids, ...known]));
}

/** Hashed, since names of branches reveal what the user works on. */
function branchHere(cwd: string): TaskBranch | undefined {
  const [repository] = repositoryAt(cwd) ?? [];
  const branch = branchAt(cwd);
  return repository && branch !== undefined ? writtenBranch(repository, branch, false) : undefined;
}

const itemsOf = (answers: Answers, ids: readonly Id[]) =>
  ids.map(id => answers.engine.task(id)!).map(task => answers.toItem(task));

/**
 * The part of a plan that holds for all of it goes with each of its lines, and the rest with the first. A plan is of the
 * branch that the agent works on, so that another agent finds it there.
 */
function linesOf(answers: Answers, task: NewTask, before: number, branch: TaskBranch | undefined): QuickAddLine[] {
  const { text, title, ...fields } = task;
  if ((text === undefined) === (title === undefined)) throw refusalError('Each task needs either a text or a title.');
  // Names of what the program may not see are words, as names of nothing are.
  const target = { ...targetOf(answers, fields), mayName: answers.visible.mayName };
  const own = { ...target, ...optionsOf(answers, fields) };
  if (title !== undefined) {
    const line = oneLine(title);
    return [{ text: line, own: { ...own, rejected: [[0, line.length]] } }];
  }
  const lines = taskLines(text!);
  if (lines.length === 0) throw refusalError('The text of a task is empty.');
  for (const line of lines) {
    oneLine(line.text);
    const { noTask } = answers.engine.parseQuickAdd(line.text, target);
    if (noTask) throw refusalError(`There is no open task ${sanitize(noTask.name)} to come after. Nothing was added.`);
  }
  const isPlan = branch !== undefined && lines.length > 1 && fields.parent === undefined;
  return lines.map(({ parent, ...line }, at) => ({
    ...line,
    ...(parent === undefined ? {} : { parent: parent + before }),
    own: { ...(at === 0 ? own : target), ...(isPlan && parent === undefined && { branch: branch! }) },
  }));
}

function oneLine(title: string): string {
  const line = sanitize(title).trim();
  if (line === '') throw refusalError('A task needs a title.');
  return line;
}

function targetOf({ visible }: Answers, { list, parent }: Fields): Pick<QuickAddOptions, 'listId' | 'parentId'> {
  if (parent) {
    const { id, listId } = visible.task(parent);
    if (list !== undefined && visible.list(list) !== listId)
      throw refusalError('A subtask is in the list of its parent. Leave out the list, or the parent.');
    return { parentId: id, listId };
  }
  if (list) return { listId: visible.list(list) };
  return { listId: visible.defaultList() };
}

function optionsOf(answers: Answers, fields: Fields): Pick<QuickAddOptions, 'after' | 'defaults'> {
  const { engine, visible } = answers;
  const dates = datesOf(engine, undated, datesIn(fields), field => field);
  return {
    after: (fields.after ?? []).map(id => visible.task(id).id),
    defaults: { ...dates, ...patchOf(fields) },
  };
}

/** ISO 8601 as quick add reads it. */
const plainDate = (text: string): string =>
  text.trim().replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?$/, '$1 $2');

const datesIn = ({ due, start }: Fields) => ({
  due: due === undefined ? undefined : plainDate(due),
  start: start === undefined ? undefined : plainDate(start),
});

const patchOf = ({ notes, url, priority, estimate, tags }: Fields): TaskEdit => ({
  ...(url === undefined ? {} : { url: sanitize(url).trim() || null }),
  ...(notes === undefined ? {} : { description: notes === '' ? null : cleanedLines(notes) }),
  ...(priority === undefined ? {} : { priority: priorityOf[priority] }),
  ...(estimate === undefined ? {} : { estimate: clearWord.test(estimate) ? null : estimate }),
  ...(tags === undefined ? {} : { tags: tags.map(tag => sanitize(tag).replace(/^#/, '').trim()).filter(Boolean) }),
});

function changesOf(answers: Answers, task: Task, update: Update, cwd: string): TaskChange[] {
  const { engine, visible } = answers;
  const { id } = task;
  const { title, status, list, parent, after, link, add_notes: more } = update;
  const isReopened = status === 'open' && task.status > 1;
  const own = patchOf(update);
  const patch: TaskInput = {
    ...own,
    ...(more === undefined ? {} : { description: withMore({ ...task, ...own }.description, cleanedLines(more)) }),
    ...(title === undefined ? {} : { title: oneLine(title) }),
    ...(status === undefined || isReopened ? {} : { status: statuses[status] }),
  };
  const to = {
    ...(list === undefined ? {} : { listId: visible.list(list) }),
    ...(parent === undefined ? {} : { parentId: parent === '' ? null : visible.task(parent).id }),
  };
  return [
    ...(isReopened ? [{ type: 'reopen', id } as const] : []),
    ...changesWithDates(engine, task, patch, datesIn(update), field => field),
    ...(Object.keys(to).length > 0 ? [{ type: 'move', id, to } as const] : []),
    ...(after === undefined ? [] : [blockersOf(answers, task, after)]),
    ...(link === undefined ? [] : [{ type: 'anchors', id, edit: linkEdit(cwd, task, link) } as const]),
  ];
}

/** A call that is repeated adds nothing; a line that only ends with the text is another one. */
function withMore(notes: string | null | undefined, more: string): string | null {
  if (!notes || more === '') return notes || more || null;
  return `\n${notes}`.endsWith(`\n${more}`) ? notes : `${notes}\n${more}`;
}

function blockersOf({ visible }: Answers, task: Task, after: readonly string[]): TaskChange {
  const blockers = after.map(id => visible.task(id));
  const uids = new Set(blockers.map(({ uid }) => uid));
  const remove = visible.blockersOf(task).flatMap(({ uid }) => (uids.has(uid) ? [] : [uid]));
  return { type: 'blockers', id: task.id, add: blockers.map(({ id }) => id), remove };
}

export async function updateTasks(
  answers: Answers,
  { updates, dry_run }: ArgumentsOf<'update_tasks'>,
  cwd: string,
): Promise<ToolResult> {
  const { engine, rules, visible } = answers;
  const all = updates.map(update => ({ update, task: visible.task(update.id) }));
  const changes = all.flatMap(({ update, task }) => changesOf(answers, task, update, cwd));
  const withClaim = (claim: boolean) => all.filter(({ update }) => update.claim === claim).map(({ task }) => task);
  const tasks = [...new Map(all.map(({ task }) => [task.id, task])).values()];
  if (tasks.length < all.length && updates.some(({ add_notes }) => add_notes !== undefined))
    throw refusalError('Name each task once if you add notes.');
  const items = () => tasks.map(({ id }) => answers.toItem(engine.task(id)!));
  if (changes.length + withClaim(true).length + withClaim(false).length === 0)
    throw refusalError('There is nothing to change.');
  rules.refuseClaimed(all.map(({ task }) => task));
  const locations = updates.some(({ link }) => link) ? 1 : 0;
  if (dry_run) {
    const ids = tasks.map(({ id }) => id);
    const moved = new Map(changes.flatMap(one => (one.type === 'updateOccurrence' ? [[one.id, one.patch]] : [])));
    const plan = async () => (await engine.plan(changes, ids)).map(task => answers.planned(task, moved.get(task.id)));
    const planned = changes.length === 0 ? items() : await plan();
    return answers.result('Nothing is changed yet. These tasks would become:', planned, { dryRun: true }, locations);
  }
  const changed = new Set<Id>();
  const listening = engine.onDidChange(({ tasks }) => {
    for (const id of tasks) changed.add(id);
  });
  const change = async () => changes.length > 0 && engine.apply(changes);
  try {
    await (withClaim(true).length > 0 ? rules.claim(withClaim(true), change) : change());
  } finally {
    listening.dispose();
  }
  if (withClaim(false).length > 0) await rules.release(withClaim(false));
  for (const { update, task } of all) if (update.claim !== undefined) changed.add(task.id);
  const count = tasks.filter(({ id }) => changed.has(id)).length;
  return answers.result(count === 0 ? 'Nothing was changed.' : `Changed ${count}.`, items(), {}, locations);
}

export async function completeTasks(answers: Answers, { ids }: ArgumentsOf<'complete_tasks'>) {
  const { engine, rules, visible } = answers;
  const tasks = [...new Map(ids.map(id => visible.task(id)).map(task => [task.id, task])).values()];
  const asked = tasks.filter(({ status }) => status < 2);
  const open = [...subtasksCompletedWith(engine, asked, visible.has), ...asked];
  rules.refuseMany(open);
  rules.refuseClaimed(tasks);
  if (open.length > 0) await engine.apply(open.map(task => completionOf(engine, task, visible.has)));
  const all = [...new Map([...tasks, ...open].map(task => [task.id, task])).values()];
  await rules.release(all);
  const unblocked = answers.list(visible.readyAfter(open).map(answers.toItem), 500);
  const more = unblocked.tasks.length > 0 ? { ready: unblocked.tasks } : {};
  const closed = tasks.length - asked.length;
  const done = answers.result(
    `Completed ${open.length}.${closed > 0 ? ` ${closed} ${closed === 1 ? 'was' : 'were'} closed before.` : ''}`,
    itemsOf(
      answers,
      all.map(({ id }) => id),
    ),
    more,
  );
  if (unblocked.tasks.length === 0) return done;
  const lines = (done.structuredContent as { tasks: object[] }).tasks.map(task => taskLine({ ...task }));
  const words = done.content[0]!.text.split('\n')[0]!;
  return answer(words, [...lines, 'Ready now:', ...unblocked.lines], done.structuredContent!);
}

/** Undoes the last step of the client, wherever it is in the history. */
export async function undo({ rules }: Answers): Promise<ToolResult> {
  const label = await rules.undo();
  if (!label) throw refusalError('You have no change to undo.');
  const { key, count, title } = label;
  const titles = count === 1 && title !== undefined ? [sanitize(title)] : [];
  return answer(`Undone: ${key}, ${count} ${count === 1 ? 'change' : 'changes'}.`, titles, { undone: { key, count } });
}
