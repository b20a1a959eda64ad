import * as vscode from 'vscode';
import type { Task } from '../core/model';
import type { CommandId } from '../ids';
import { t, tn } from '../views/l10n';
import type { Parts } from '../views/parts';
import { showWarning } from '../views/saying';
import { setting } from '../views/settings';
import { withIcon } from '../views/withIcon';
import { askQuery } from './filters';
import { onCommand } from './register';
import { tasksFor } from './targets';

export const bulkCommands = (parts: Parts): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.bulkEdit', async (target, selection) =>
      edit(await tasksFor(parts, target, selection, t('Edit which task?'))),
    ),
    onCommand('dueline.bulkEditQuery', async () => {
      const query = await askQuery(parts, t('Edit All Tasks That Match'), '');
      if (query === undefined) return;
      const tasks = new Map(parts.engine.query(query).map(({ task }) => [task.id, task]));
      await edit([...tasks.values()]);
    }),
  );

/** One operation on all of them, one step to undo; above the set number the exact count is asked about first. */
async function edit(tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return;
  const operations: readonly (vscode.QuickPickItem & { id: CommandId })[] = [
    { ...withIcon('check', t('Complete or reopen')), id: 'dueline.complete' },
    { ...withIcon('calendar', t('Set due date…')), id: 'dueline.setDue' },
    { ...withIcon('debug-step-over', t('Postpone…')), id: 'dueline.postpone' },
    { ...withIcon('flag', t('Set priority…')), id: 'dueline.setPriority' },
    { ...withIcon('tag', t('Edit tags…')), id: 'dueline.editTags' },
    { ...withIcon('list-unordered', t('Move to list…')), id: 'dueline.moveToList' },
    { ...withIcon('circle-slash', t('Cancel the tasks')), id: 'dueline.cancel' },
    { ...withIcon('trash', t('Delete')), id: 'dueline.delete' },
  ];
  const count = tn(tasks.length, '{0} task', '{0} tasks');
  const picked = await vscode.window.showQuickPick(operations, { title: t('Edit {0}', count) });
  if (!picked) return;
  if (tasks.length > setting<number>('dueline.bulk.confirmAbove') && picked.id !== 'dueline.delete') {
    const go = t('Change {0}', count);
    const detail = t('This is one step: one Undo takes it back.');
    if ((await showWarning(go, { modal: true, detail }, go)) !== go) return;
  }
  const targets = tasks.map(({ id }) => ({ taskId: id }));
  await vscode.commands.executeCommand(picked.id, targets[0], targets);
}
