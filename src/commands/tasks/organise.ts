import * as vscode from 'vscode';
import type { DuelineEngine, TaskChange } from '../../api';
import type { OnTasks } from '../../contributions/commandTargets';
import type { PriorityBucket } from '../../core/fields/priority';
import { isClosed } from '../../core/fields/status';
import { settableOf, type TaskEdit } from '../../core/fields/values';
import { Status, type Task, type TaskInput } from '../../core/kernel/model';
import { repeatsFromCompletion } from '../../core/recurrence/repeatFrom';
import { percent, t, tn } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import { showQuickPick } from '../../ui/dialogs';
import { isFocusedRow } from '../../ui/selection';
import type { CommandServices } from '../../ui/services';
import type { ViewController } from '../../ui/viewController';
import { applyPlan, planUpdate } from '../common/changePlan';
import { type TargetResolver, tasksOf } from '../common/targets';
import { planComplete } from './completeAndDelete';
import { planCancel, planMove, planPriority, priorityPlan } from './organisePlans';
import { planTags } from './tagPlan';
import { startWork } from './workTime';

export const organiseCommands = (
  { commands, engine }: CommandServices,
  targets: TargetResolver,
  viewController: ViewController,
): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.start', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to start working on'));
      const [first] = tasks;
      return first && startWork(engine, first, planUpdate(engine, tasks, t('Start'), beginning, t('Started')));
    }),
    commands.on('dueline.stop', async (target, selection) => {
      const active = target === undefined ? engine.working.active() : undefined;
      const tasks = active
        ? engine.query(`is:started uid:${JSON.stringify(active.task.uid)}`).map(({ task }) => task)
        : await targets.tasks(target, selection, t('Select a task to stop working on'));
      const started = tasks.filter(({ status }) => status === Status.inProcess);
      const plan = planUpdate(engine, started, t('Stop Working'), () => ({ status: Status.needsAction }), t('Stopped'));
      return applyPlan(engine, plan);
    }),
    commands.on('dueline.cancel', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to cancel'));
      return applyPlan(engine, planCancel(engine, tasks));
    }),
    commands.on('dueline.setProgress', async (target, selection) => {
      const rows = await targets.occurrences(target, selection, t('Select a task to set its progress'));
      const lines = [0, 10, 25, 50, 75, 90, 100].map(progress => ({ label: percent(progress), progress }));
      const picked = rows.length > 0 && (await showQuickPick(lines, { title: t('Progress') }));
      if (!picked) return undefined;
      const { progress } = picked;
      if (progress === 100 && rows.some(({ task }) => !isClosed(task)))
        return applyPlan(engine, await planComplete(engine, rows));
      const begins = progress > 0 && progress < 100;
      const patch: TaskInput = { percentComplete: progress, ...(begins ? { status: Status.inProcess } : {}) };
      return applyPlan(
        engine,
        planUpdate(engine, tasksOf(rows), picked.label, () => patch, t('Progress set')),
      );
    }),
    commands.on('dueline.setPriority', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to set its priority'));
      const priority = isFocusedRow(target) ? target.priority : undefined;
      return tasks.length > 0 ? applyPlan(engine, await planPriority(engine, tasks, priority)) : undefined;
    }),
    commands.on('dueline.priorityHigh', (...called) => prioritize(engine, targets, 'high', called)),
    commands.on('dueline.priorityMedium', (...called) => prioritize(engine, targets, 'medium', called)),
    commands.on('dueline.priorityLow', (...called) => prioritize(engine, targets, 'low', called)),
    commands.on('dueline.priorityNone', (...called) => prioritize(engine, targets, 'none', called)),
    commands.on('dueline.editTags', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to edit its tags'));
      return tasks.length > 0 ? applyPlan(engine, await planTags(engine, tasks)) : undefined;
    }),
    commands.on('dueline.moveToList', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to move'));
      return tasks.length > 0 ? applyPlan(engine, await planMove(engine, viewController, tasks, target)) : undefined;
    }),
    commands.on('dueline.addSubtask', async target => {
      const task = await targets.task(target, t('Select a task to add a subtask to'));
      if (!task) return;
      const under = { listId: task.listId, parentId: task.id };
      const done = await vscode.commands.executeCommand<Announcement | undefined>('dueline.quickAdd', under);
      const [added] = done?.added ?? [];
      // The focus stays on the parent, for the next of its steps.
      if (added !== undefined) await viewController.revealAfterMove(added, target, false);
    }),
    commands.on('dueline.duplicate', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to duplicate'));
      return tasks.length > 0 ? duplicate(engine, tasks) : undefined;
    }),
  );

const beginning = ({ status }: Task): TaskInput => (status === Status.inProcess ? {} : { status: Status.inProcess });

const duplicate = (engine: DuelineEngine, tasks: readonly Task[]) =>
  perform(
    engine,
    () => engine.apply(tasks.map(copyOf)),
    () => tn(tasks.length, 'Duplicated {0} task', 'Duplicated {0} tasks'),
  );

async function prioritize(
  engine: DuelineEngine,
  targets: TargetResolver,
  bucket: PriorityBucket,
  called: OnTasks,
): Promise<Announcement | undefined> {
  const tasks = await targets.tasks(called[0], called[1], t('Select a task to set its priority'));
  return applyPlan(engine, priorityPlan(engine, tasks, bucket));
}

function copyOf(task: Task): TaskChange {
  const { due, duration, alarms } = task;
  const copied: TaskEdit = {
    ...settableOf(task),
    duration: due === null ? duration : null,
    alarms: alarms.map(({ minutesBefore, reference, message }) => ({ minutesBefore, reference, message })),
  };
  const { status: _status, percentComplete: _percent, ...fresh } = copied;
  const input = isClosed(task) ? fresh : copied;
  return { type: 'create', listId: task.listId, input, from: repeatsFromCompletion(task) ? 'completion' : 'due' };
}
