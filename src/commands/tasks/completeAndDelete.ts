import * as vscode from 'vscode';
import type { DuelineEngine, TaskChange } from '../../api';
import type { FocusedRow, TaskTarget } from '../../contributions/commandTargets';
import type { CommandId } from '../../contributions/definitions';
import { isClosed } from '../../core/fields/status';
import type { Id, Task } from '../../core/kernel/model';
import { repeatsFromCompletion } from '../../core/recurrence/repeatFrom';
import { descendantsOf, openSubtasksOf } from '../../core/recurrence/subtasks';
import { isolate, plain, t, tn } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import { askInDialog, showInputBox, showQuickPick } from '../../ui/dialogs';
import { inSeries, instanceOf, nextText, type TaskOccurrence } from '../../ui/occurrences';
import { isFocusedRow, isTaskTarget, type TaskSelection } from '../../ui/selection';
import type { CommandServices } from '../../ui/services';
import { dateStyle, setting } from '../../ui/settings/settings';
import { momentLabel } from '../../ui/text/dateText';
import { titleOf } from '../../ui/text/taskText';
import { applyPlan, type ChangePlan, changeMessage } from '../common/changePlan';
import { currentOccurrences, currentTasks, type TargetResolver, tasksOf } from '../common/targets';

export const editCommands = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.complete', async (target, selection, moves) => {
      // Space is the tree's own key: on a list, a filter or a heading it still folds and unfolds.
      if (isFocusedRow(target) && (await targets.selection.current(true)).length === 0)
        return void vscode.commands.executeCommand('list.toggleExpand');
      const rows = await targets.occurrences(target, selection, t('Select a task to complete'));
      const plan = await planToggle(engine, rows);
      return applyPlan(engine, plan && moves ? withMoves(plan, moves as () => readonly TaskChange[]) : plan);
    }),
    commands.on('dueline.rename', async target => {
      if (await onFocusedGroup(targets.selection, target, 'dueline.list.rename', 'dueline.filter.edit'))
        return undefined;
      const task = await targets.task(target, t('Select a task to rename'));
      return task && rename(engine, task);
    }),
    commands.on('dueline.delete', async (target, selection) => {
      if (await onFocusedGroup(targets.selection, target, 'dueline.list.delete', 'dueline.filter.delete'))
        return undefined;
      const rows = await targets.occurrences(target, selection, t('Select a task to delete'));
      return applyPlan(engine, await planDelete(engine, rows));
    }),
  );

/** Completed tasks move first, once the user has answered. */
const withMoves = (plan: ChangePlan, moves: () => readonly TaskChange[]): ChangePlan => ({
  ...plan,
  changes: () => [...moves(), ...plan.changes()],
  message: changes => plan.message(changes.filter(({ type }) => type === 'complete')),
});

/** A key means the list or the saved filter that has the focus: does to it what that key is for. */
async function onFocusedGroup(
  selection: TaskSelection,
  target: TaskTarget | FocusedRow | undefined,
  toList: CommandId,
  toFilter: CommandId,
): Promise<boolean> {
  if (isTaskTarget(target)) return false;
  const { listId, filterId } = (await selection.currentBranch(isFocusedRow(target))) ?? {};
  if (listId !== undefined) await vscode.commands.executeCommand(toList, listId);
  else if (filterId?.startsWith('saved:')) await vscode.commands.executeCommand(toFilter, filterId);
  else return false;
  return true;
}

/**
 * Completes the open tasks, or the given occurrences of a series; if none is open, reopens them. Undefined if the user
 * cancels a question.
 */
export async function planToggle(
  engine: DuelineEngine,
  rows: readonly TaskOccurrence[],
): Promise<ChangePlan | undefined> {
  const tasks = tasksOf(rows);
  const open = tasks.filter(task => !isClosed(task));
  if (open.length === 0)
    return {
      label: t('Reopen'),
      changes: () => tasks.map(({ id }) => ({ type: 'reopen', id })),
      message: ({ length }) => tn(length, 'Reopened {0} task', 'Reopened {0} tasks'),
    };
  return planComplete(engine, rows);
}

/** Completes the open tasks and their open subtasks, or the given occurrences of a series; undefined as above. */
export async function planComplete(
  engine: DuelineEngine,
  rows: readonly TaskOccurrence[],
): Promise<ChangePlan | undefined> {
  const open = tasksOf(rows).filter(task => !isClosed(task));
  const subtasks = await askSubtasks(engine, open);
  if (subtasks === undefined) return undefined;
  const planned = new Map([...subtasks.tasks, ...open].map(task => [task.id, task]));
  // Done elsewhere while a question was open: a second time would take the next occurrence of a series along.
  const isStill = ({ task }: TaskOccurrence) => !isClosed(task) && task.due === planned.get(task.id)!.due;
  const targets = [...subtasks.tasks.map(task => ({ task, occurrence: null })), ...inCompletionOrder(rows)];
  return {
    label: t('Complete'),
    changes: () =>
      currentOccurrences(engine, targets)
        .filter(isStill)
        .map(({ task: { id }, occurrence }) => ({
          type: 'complete',
          id,
          ...(occurrence === null ? {} : { occurrence }),
        })),
    message: changeMessage(
      [...planned.values()],
      (_, task) => completedText(engine, task),
      count => tn(count, 'Completed {0} task', 'Completed {0} tasks'),
    ),
    isConfirmed: subtasks.isAsked,
  };
}

/** The announcement of a task that was completed: one of a series comes again. */
function completedText(engine: DuelineEngine, task: Task): string {
  const now = engine.task(task.id);
  const next = now && nextText(engine, now, dateStyle(engine));
  return [t('Completed {0}', isolate(titleOf(task))), ...(next ? [next] : [])].join(' · ');
}

/**
 * The open occurrences in an order in which each still exists when it is completed: a series that moves on begins after
 * the last completed one. One that counts from the completion then has no other date.
 */
function inCompletionOrder(rows: readonly TaskOccurrence[]): readonly TaskOccurrence[] {
  const open = rows.filter(({ task }) => !isClosed(task)).sort((a, b) => (a.occurrence ?? 0) - (b.occurrence ?? 0));
  return open.filter(
    ({ task }, at) => !repeatsFromCompletion(task) || open.findIndex(row => row.task.id === task.id) === at,
  );
}

interface OpenSubtasks {
  readonly tasks: readonly Task[];
  readonly isAsked: boolean;
}

/**
 * Open subtasks that are completed with their parents, by the setting or the user's answer; undefined if the user
 * cancels.
 */
async function askSubtasks(engine: DuelineEngine, tasks: readonly Task[]): Promise<OpenSubtasks | undefined> {
  const mode = setting('dueline.completion.completeSubtasks');
  if (mode === 'never') return { tasks: [], isAsked: false };
  const subtasks = openSubtasksOf(tasks, id => engine.subtasksOf(id));
  if (subtasks.length === 0 || mode === 'always') return { tasks: subtasks, isAsked: false };
  const all = tn(subtasks.length, 'Complete Subtask Too', 'Complete Subtasks Too');
  const these = tn(subtasks.length, 'Leave It Open', 'Leave Them Open');
  const question =
    tasks.length === 1
      ? t('Complete {0}?', isolate(titleOf(tasks[0]!)))
      : tn(tasks.length, 'Complete {0} task?', 'Complete {0} tasks?');
  const detail = tn(subtasks.length, '{0} subtask is still open.', '{0} subtasks are still open.');
  const picked = await askInDialog(question, detail, all, these);
  return picked === undefined ? undefined : { tasks: picked === all ? subtasks : [], isAsked: true };
}

async function rename(engine: DuelineEngine, task: Task): Promise<Announcement | undefined> {
  const title = await showInputBox({
    title: t('Rename Task'),
    value: task.title ?? '',
    validateInput: text => (plain(text) === '' ? t('A task title is required.') : undefined),
  });
  if (title === undefined || title === task.title) return undefined;
  return perform(
    engine,
    () => engine.updateTask(task.id, { title: title.trim() }),
    () => t('Renamed {0} to {1}', isolate(titleOf(task)), isolate(title.trim())),
  );
}

/** If any task repeats, asks once whether to delete one occurrence or the series, unless the user turned questions off. */
export async function planDelete(
  engine: DuelineEngine,
  rows: readonly TaskOccurrence[],
): Promise<ChangePlan | undefined> {
  const mayAsk = setting('dueline.completion.confirmDelete') !== 'never';
  const single = rows.flatMap(row => (mayAsk && removalOfOne(engine, row)) || []);
  const series = () => tasksOf(rows.map(({ task }) => inSeries(engine, task)));
  if (single.length === 0) return planRemoval(engine, series());
  const isAll = await askWhich(engine, rows, single);
  if (isAll === undefined) return undefined;
  if (isAll) return planRemoval(engine, series());
  const rest = tasksOf(rows.filter(({ task }) => !single.some(one => one.task === task)));
  const others = await planRemoval(engine, rest, true);
  if (rest.length > 0 && !others) return undefined;
  return {
    label: t('Delete'),
    changes: () => [
      ...single.map(({ change }) => change).filter(({ id }) => engine.task(id)),
      ...(others?.changes() ?? []),
    ],
    message: ({ length }) =>
      length === 1 && rest.length === 0
        ? t('Deleted one occurrence of {0}', isolate(titleOf(single[0]!.task)))
        : tn(length, 'Deleted {0} task', 'Deleted {0} tasks'),
    isConfirmed: true,
  };
}

interface OccurrenceRemoval {
  /** The task of the selected row. */
  readonly task: Task;
  readonly change: TaskChange & { readonly id: Id };
  readonly when: string;
}

/** Removes one occurrence alone; undefined if the task does not repeat or no occurrence is open. */
function removalOfOne(engine: DuelineEngine, { task, occurrence }: TaskOccurrence): OccurrenceRemoval | undefined {
  const words = (dated: Pick<Task, 'due' | 'dtstart'>, zoned: Task) => {
    const value = dated.due ?? dated.dtstart;
    return value === null ? '' : momentLabel(value, zoned, dateStyle(engine));
  };
  // A closed occurrence is not in the series any more: its row is deleted.
  if (task.masterId !== null && isClosed(task))
    return { task, change: { type: 'delete', id: task.id }, when: words(task, task) };
  const target = inSeries(engine, task, occurrence);
  const instance = instanceOf(engine, target.task, target.occurrence);
  if (!instance) return undefined;
  const change = { type: 'deleteOccurrence', id: target.task.id, occurrence: instance.recurrenceId } as const;
  return { task, change, when: words(instance, instance.override ?? target.task) };
}

/** Asks whether all of the series is meant, not these occurrences; undefined if the user cancels. */
async function askWhich(
  engine: DuelineEngine,
  rows: readonly TaskOccurrence[],
  single: readonly OccurrenceRemoval[],
): Promise<boolean | undefined> {
  const [only] = rows.length === 1 ? single : [];
  const title = only
    ? t('Delete {0}', isolate(titleOf(inSeries(engine, only.task).task)))
    : tn(rows.length, 'Delete {0} task?', 'Delete {0} tasks?');
  const one = single.length === 1 ? t('This occurrence only') : t('These occurrences only');
  const picked = await showQuickPick(
    [
      { label: one, description: single.length === 1 ? single[0]!.when : '', isAll: false },
      { label: t('Entire series'), isAll: true },
    ],
    { title },
  );
  return picked?.isAll;
}

/** Asks if the setting requires it; undefined if the user cancels. `isAsked`: the number of tasks was confirmed already. */
async function planRemoval(
  engine: DuelineEngine,
  tasks: readonly Task[],
  isAsked = false,
): Promise<ChangePlan | undefined> {
  if (tasks.length === 0) return undefined;
  const children = descendantsOf(tasks, id => engine.subtasksOf(id));
  const when = setting('dueline.completion.confirmDelete');
  let withChildren = false;
  if (when === 'always' || (when === 'whenHasSubtasks' && (children.length > 0 || (tasks.length > 1 && !isAsked)))) {
    const answer = await confirm(tasks, children.length);
    if (answer === undefined) return undefined;
    withChildren = answer === 'all';
  }
  const toDelete = withChildren ? [...children.toReversed(), ...tasks] : tasks;
  return {
    label: t('Delete'),
    changes: () => currentTasks(engine, toDelete).map(({ id }) => ({ type: 'delete', id })),
    message: changeMessage(
      toDelete,
      title => t('Deleted {0}', title),
      count => tn(count, 'Deleted {0} task', 'Deleted {0} tasks'),
    ),
    // If delete confirmation is off, subtasks are deleted without asking too.
    isConfirmed: true,
  };
}

async function confirm(tasks: readonly Task[], children: number): Promise<'these' | 'all' | undefined> {
  const question =
    tasks.length === 1
      ? t('Delete {0}?', isolate(titleOf(tasks[0]!)))
      : tn(tasks.length, 'Delete {0} task?', 'Delete {0} tasks?');
  const [remove, all, these] = [t('Delete'), t('Delete With Subtasks'), t('Keep Subtasks')];
  const detail =
    children > 0
      ? tn(
          children,
          '{0} subtask can be deleted too. You can undo this.',
          '{0} subtasks can be deleted too. You can undo this.',
        )
      : t('You can undo this.');
  const buttons = children > 0 ? [all, these] : [remove];
  const picked = await askInDialog(question, detail, ...buttons);
  return picked === undefined ? undefined : picked === all ? 'all' : 'these';
}
