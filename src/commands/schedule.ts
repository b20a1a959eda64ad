import * as vscode from 'vscode';
import type { Task } from '../core/model';
import { t, tn } from '../views/l10n';
import type { Parts } from '../views/parts';
import { type DueChoice, pickDue } from './dueChoice';
import { announce } from './history';
import { onCommand } from './register';
import { tasksFor } from './targets';

export const scheduleCommands = (parts: Parts): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.setDue', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Set the due date of which task?'));
      if (tasks.length === 0) return;
      const choice = await pickDue(
        parts,
        t('Due Date'),
        tasks.some(task => task.due !== null),
      );
      if (choice) await reschedule(parts, tasks, choice);
    }),
  );

export async function reschedule(parts: Parts, tasks: readonly Task[], choice: DueChoice): Promise<void> {
  const changes = tasks
    .map(task => ({ type: 'update' as const, id: task.id, patch: choice(task) }))
    .filter(({ patch }) => Object.keys(patch).length > 0);
  if (changes.length === 0) return;
  await parts.engine.apply(changes);
  announce(tn(changes.length, 'Rescheduled {0} task', 'Rescheduled {0} tasks'));
}
