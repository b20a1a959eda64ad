import * as vscode from 'vscode';
import type { DuelineEngine, TaskChange } from '../../api';
import type { FocusedRow, TaskTarget } from '../../contributions/commandTargets';
import { t, tn } from '../../shared/l10n';
import type { Announcement } from '../../ui/announcements';
import { askInDialog, showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import type { TaskOccurrence } from '../../ui/occurrences';
import type { CommandServices } from '../../ui/services';
import type { ViewController } from '../../ui/viewController';
import { withIcon } from '../../ui/withIcon';
import { askQuery } from '../common/askQuery';
import { applyPlan, type ChangePlan } from '../common/changePlan';
import { type TargetResolver, tasksOf, withoutReadOnly } from '../common/targets';
import { planDelete, planToggle } from './completeAndDelete';
import { planCancel, planMove, planPriority } from './organisePlans';
import { planDue, planPostpone } from './schedule';
import { planTags } from './tagPlan';

export const bulkCommands = (
  { commands, engine }: CommandServices,
  targets: TargetResolver,
  viewController: ViewController,
): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.bulkEdit', async (target, selection) =>
      edit(engine, viewController, await targets.occurrences(target, selection, () => askTasks(engine)), target),
    ),
  );

async function askTasks(engine: DuelineEngine): Promise<readonly TaskOccurrence[]> {
  const query = await askQuery(engine, t('Edit Tasks Matching Query'), '');
  if (query === undefined) return [];
  return tasksOf(engine.query(query).filter(({ task }) => task.id > 0)).map(task => ({ task, occurrence: null }));
}

/** Runs one operation on all tasks in one undo step: asks for the operation, its value, and a confirmation. */
async function edit(
  engine: DuelineEngine,
  viewController: ViewController,
  chosen: readonly TaskOccurrence[],
  target: TaskTarget | FocusedRow | undefined,
): Promise<Announcement | undefined> {
  const rows = withoutReadOnly(engine, chosen);
  const tasks = tasksOf(rows);
  const skipped = tasksOf(chosen).length - tasks.length;
  if (chosen.length === 0) return undefined;
  const readOnlyNote = tn(
    skipped,
    '{0} task is in a read-only list and cannot be changed.',
    '{0} tasks are in read-only lists and cannot be changed.',
  );
  const others = { ...withIcon('search', t('Tasks matching a query…')), plan: undefined };
  if (tasks.length === 0) {
    const buttons = target === undefined ? [t('Tasks matching a query…')] : [];
    if (!(await showInformation(readOnlyNote, ...buttons))) return undefined;
    return edit(engine, viewController, await askTasks(engine), undefined);
  }
  const picked = await showQuickPick(
    [...operations(engine, viewController, rows, target), ...(target === undefined ? [others] : [])],
    {
      title: t('Edit {0}', tn(tasks.length, '{0} task', '{0} tasks')),
      placeHolder: skipped > 0 ? readOnlyNote : undefined,
    },
  );
  if (picked && !picked.plan) return edit(engine, viewController, await askTasks(engine), undefined);
  const plan = await picked?.plan();
  if (!plan) return undefined;
  const changes = plan.changes();
  if (changes.length === 0) {
    void showInformation(t('No changes: the tasks already have this value.'));
    return undefined;
  }
  return (await confirmCount(plan, changes, tasks.length)) ? applyPlan(engine, plan, changes) : undefined;
}

function operations(
  engine: DuelineEngine,
  viewController: ViewController,
  rows: readonly TaskOccurrence[],
  target: TaskTarget | FocusedRow | undefined,
): readonly (vscode.QuickPickItem & { plan(): ChangePlan | undefined | Promise<ChangePlan | undefined> })[] {
  const tasks = tasksOf(rows);
  return [
    { ...withIcon('check', t('Complete or reopen')), plan: () => planToggle(engine, rows) },
    { ...withIcon('calendar', t('Set due date…')), plan: () => planDue(engine, rows) },
    { ...withIcon('arrow-circle-right', t('Postpone…')), plan: () => planPostpone(engine, rows) },
    { ...withIcon('flag', t('Set priority…')), plan: () => planPriority(engine, tasks) },
    { ...withIcon('tag', t('Edit tags…')), plan: () => planTags(engine, tasks) },
    { ...withIcon('list-unordered', t('Move to list…')), plan: () => planMove(engine, viewController, tasks, target) },
    { ...withIcon('circle-slash', t('Cancel tasks')), plan: () => planCancel(engine, tasks) },
    { ...withIcon('trash', t('Delete')), plan: () => planDelete(engine, rows) },
  ];
}

/** Up to this many tasks are changed without a question; one Undo takes all of them back. */
const unaskedCount = 10;

/** Above that number, asks for confirmation with the change and the number of tasks. */
async function confirmCount(plan: ChangePlan, changes: readonly TaskChange[], chosen: number): Promise<boolean> {
  const affected = plan.count ?? changes.length;
  if (plan.isConfirmed || affected <= unaskedCount) return true;
  const count = tn(affected, '{0} task', '{0} tasks');
  const go = t('Change {0}', count);
  const unchangedCount = chosen - affected;
  const detail = [
    plan.label,
    ...(unchangedCount > 0
      ? [tn(unchangedCount, '{0} task already has this value.', '{0} tasks already have this value.')]
      : []),
    t('You can undo this in one step.'),
  ];
  return (await askInDialog(t('Change {0}?', count), detail.join('\n'), go)) === go;
}
