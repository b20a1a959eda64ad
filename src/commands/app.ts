import * as vscode from 'vscode';
import { leaveQuestion } from '../views/dialogs';
import { t } from '../views/l10n';
import type { Parts } from '../views/parts';
import { inSeries } from '../views/seriesRow';
import { setting, writeSetting } from '../views/settings';
import type { Shown } from '../views/shown';
import { showWhatsNew } from '../views/whatsNew/whatsNew';
import { onCommand } from './register';
import { taskFor } from './targets';
import { openTaskMenu } from './taskMenu';
import { showToday } from './today';

export const appCommands = (parts: Parts, shown: Shown): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.view.refresh', async () => {
      await parts.engine.refresh();
      shown.refresh();
    }),
    onCommand('dueline.view.toggleCompleted', () =>
      writeSetting('dueline.tree.showCompleted', !setting<boolean>('dueline.tree.showCompleted')),
    ),
    onCommand('dueline.openSettings', () =>
      vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${parts.extensionId}`),
    ),
    onCommand('dueline.leaveQuestion', leaveQuestion),
    onCommand('dueline.whatsNew', () => showWhatsNew(parts)),
    onCommand('dueline.showToday', () => showToday(parts)),
    onCommand('dueline.open', async target => {
      const row = await taskFor(parts, target, t('Open which task?'));
      if (!row) return;
      const { task, occurrence } = inSeries(parts.engine, row, typeof target === 'object' ? target.occurrence : null);
      shown.openTask(task, occurrence);
    }),
    onCommand('dueline.newTask', target => shown.newTask(typeof target === 'number' ? target : target?.listId)),
    onCommand('dueline.actions', async target => {
      const task = await taskFor(parts, target, t('Do something with which task?'));
      if (task) await openTaskMenu(parts, task);
    }),
  );
