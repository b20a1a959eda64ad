import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { FocusedRow, TaskTarget } from '../../contributions/commandTargets';
import type { CommandId } from '../../contributions/definitions';
import type { EpochMs, Task } from '../../core/model';
import { isRecurring } from '../../core/recurrence/instances';
import { isClosed } from '../../core/status';
import { isolate, plain, t, tn } from '../../shared/l10n';
import { askInDialog, showInputBox, showQuickPick } from '../../ui/dialogs';
import { inSeries, instanceOf } from '../../ui/occurrences';
import { isFocusedRow, isTaskTarget, type TaskSelection } from '../../ui/selection';
import { dateStyle, setting } from '../../ui/settings/settings';
import { momentLabel } from '../../ui/text/dateText';
import { repeats, titleOf } from '../../ui/text/taskText';
import { type ChangePlan, carryOut, messageOf } from '../kit/changePlan';
import { onCommand } from '../kit/register';
import { currentTasks, type TargetResolver } from '../kit/targets';
import { announce } from '../kit/undo';

export const editCommands = (engine: DuelineEngine, targets: TargetResolver): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.complete', async (target, selection) => {
      // Space is the tree's own key: on a list, a filter or a heading it goes on folding and unfolding.
      if (isFocusedRow(target) && (await targets.selection.current(true)).length === 0)
        return void vscode.commands.executeCommand('list.toggleExpand');
      const tasks = await targets.tasks(target, selection, t('Select a task to complete'));
      const occurrences = occurrencesIn(selection?.length ? selection : [target]);
      if (tasks.length === 1 && occurrences.length > 0 && !isClosed(tasks[0]!)) {
        // A widget shows more than the next occurrence: the one that was ticked is done, not another.
        for (const occurrence of occurrences) await engine.completeTask(tasks[0]!.id, { occurrence });
        announce(t('Completed {0}', isolate(titleOf(tasks[0]!))));
      } else await carryOut(engine, await planToggle(engine, tasks));
    }),
    onCommand('dueline.rename', async target => {
      if (await onBranch(targets.selection, target, 'dueline.list.rename', 'dueline.filter.edit')) return;
      const task = await targets.task(target, t('Select a task to rename'));
      if (task) await rename(engine, task);
    }),
    onCommand('dueline.delete', async (target, selection) => {
      if (await onBranch(targets.selection, target, 'dueline.list.delete', 'dueline.filter.delete')) return;
      const tasks = await targets.tasks(target, selection, t('Select a task to delete'));
      const named = typeof target === 'object' && 'taskId' in target ? (target.occurrence ?? null) : null;
      if (tasks.length === 1 && repeats(tasks[0]!)) {
        const { task, occurrence } = inSeries(engine, tasks[0]!, named);
        return removeRepeating(engine, task, occurrence);
      }
      return carryOut(engine, await planRemoval(engine, tasks));
    }),
  );

/** A key means the list or the saved filter that has the focus: does to it what that key is for. */
async function onBranch(
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

const occurrencesIn = (targets: readonly (TaskTarget | undefined)[]): EpochMs[] =>
  targets.flatMap(target => (typeof target === 'object' && target.occurrence != null ? [target.occurrence] : []));

/** Completes what is open; where nothing is, reopens. Undefined where the person leaves a question. */
export async function planToggle(engine: DuelineEngine, tasks: readonly Task[]): Promise<ChangePlan | undefined> {
  const open = tasks.filter(task => !isClosed(task));
  if (open.length === 0)
    return {
      what: t('Reopen'),
      changes: () => tasks.map(({ id }) => ({ type: 'reopen', id })),
      message: ({ length }) => tn(length, 'Reopened {0} task', 'Reopened {0} tasks'),
    };
  const below = await openBelow(engine, open);
  if (below === undefined) return undefined;
  const asked = new Map([...below.tasks, ...open].map(task => [task.id, task]));
  // Done elsewhere while a question stood open: a second time would take the next occurrence of a series along.
  const isStill = (task: Task) => !isClosed(task) && task.due === asked.get(task.id)!.due;
  return {
    what: t('Complete'),
    changes: () =>
      currentTasks(engine, [...asked.values()])
        .filter(isStill)
        .map(({ id }) => ({ type: 'complete', id })),
    message: messageOf(
      [...asked.values()],
      title => t('Completed {0}', title),
      count => tn(count, 'Completed {0} task', 'Completed {0} tasks'),
    ),
    isAgreed: below.isAsked,
  };
}

interface Below {
  readonly tasks: readonly Task[];
  readonly isAsked: boolean;
}

/** Open subtasks that are completed with their parents, as the setting or the person says; undefined where they leave. */
async function openBelow(engine: DuelineEngine, tasks: readonly Task[]): Promise<Below | undefined> {
  const mode = setting('dueline.completion.completeSubtasks');
  if (mode === 'never') return { tasks: [], isAsked: false };
  const ids = new Set(tasks.map(({ id }) => id));
  // A series takes its subtasks along to its next date.
  const parents = tasks.filter(task => !isRecurring(task));
  const below =
    parents.length === 0 ? [] : descendants(engine, parents).filter(task => !isClosed(task) && !ids.has(task.id));
  if (below.length === 0 || mode === 'always') return { tasks: below.reverse(), isAsked: false };
  const [all, these] = [t('Complete Subtasks Too'), t('Leave Them Open')];
  const question =
    tasks.length === 1
      ? t('Complete {0}?', isolate(titleOf(tasks[0]!)))
      : tn(tasks.length, 'Complete {0} task?', 'Complete {0} tasks?');
  const detail = tn(below.length, '{0} subtask is still open.', '{0} subtasks are still open.');
  const picked = await askInDialog(question, detail, all, these);
  return picked === undefined ? undefined : { tasks: picked === all ? below.reverse() : [], isAsked: true };
}

async function rename(engine: DuelineEngine, task: Task): Promise<void> {
  const title = await showInputBox({
    title: t('Rename Task'),
    value: task.title ?? '',
    validateInput: text => (plain(text) === '' ? t('A task title is required.') : undefined),
  });
  if (title !== undefined && title !== task.title) await engine.updateTask(task.id, { title: title.trim() });
}

/** Of a repeating task one occurrence or all of it: which, is asked unless nothing is. */
async function removeRepeating(engine: DuelineEngine, task: Task, occurrence: EpochMs | null): Promise<void> {
  const instance = instanceOf(engine, task, occurrence);
  const mayAsk = setting('dueline.completion.confirmDelete') !== 'never';
  if (!instance || !mayAsk) return carryOut(engine, await planRemoval(engine, [task]));
  const value = instance.due ?? instance.dtstart;
  const when = value === null ? '' : momentLabel(value, instance.override ?? task, dateStyle(engine));
  const picked = await showQuickPick(
    [
      { label: t('This occurrence only'), description: when, all: false },
      { label: t('Entire series'), all: true },
    ],
    { title: t('Delete {0}', isolate(titleOf(task))) },
  );
  if (picked?.all) return carryOut(engine, await planRemoval(engine, [task]));
  if (!picked) return;
  await engine.deleteOccurrence(task.id, instance.recurrenceId);
  announce(t('Deleted one occurrence of {0}', isolate(titleOf(task))));
}

/** Asked as the setting says; undefined where the person leaves. */
export async function planRemoval(engine: DuelineEngine, tasks: readonly Task[]): Promise<ChangePlan | undefined> {
  if (tasks.length === 0) return undefined;
  const ids = new Set(tasks.map(({ id }) => id));
  const children = descendants(engine, tasks).filter(({ id }) => !ids.has(id));
  const when = setting('dueline.completion.confirmDelete');
  let withChildren = false;
  if (when === 'always' || (when === 'whenHasSubtasks' && (children.length > 0 || tasks.length > 1))) {
    const answer = await confirm(tasks, children.length);
    if (answer === undefined) return undefined;
    withChildren = answer === 'all';
  }
  const doomed = withChildren ? [...children.reverse(), ...tasks] : tasks;
  return {
    what: t('Delete'),
    changes: () => currentTasks(engine, doomed).map(({ id }) => ({ type: 'delete', id })),
    message: messageOf(
      doomed,
      title => t('Deleted {0}', title),
      count => tn(count, 'Deleted {0} task', 'Deleted {0} tasks'),
    ),
    // Who has said that deleting is not to be asked about means all of it.
    isAgreed: true,
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

/** Every task below these, each before what is below it. */
function descendants(engine: DuelineEngine, tasks: readonly Task[]): Task[] {
  const below = new Map<number, Task[]>();
  for (const listId of new Set(tasks.map(task => task.listId)))
    for (const row of engine.rows(listId))
      if (row.parentId !== null && row.masterId === null && !row.isDeleted)
        if (below.get(row.parentId)?.push(row) === undefined) below.set(row.parentId, [row]);
  const found = new Map<number, Task>();
  const visit = (id: number) => {
    for (const child of below.get(id) ?? []) {
      if (found.has(child.id)) continue;
      found.set(child.id, child);
      visit(child.id);
    }
  };
  for (const { id } of tasks) visit(id);
  return [...found.values()];
}
