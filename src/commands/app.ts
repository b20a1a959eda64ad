import * as vscode from 'vscode';
import { t } from '../views/l10n';
import type { Parts } from '../views/parts';
import { onCommand } from './register';
import { taskFor } from './targets';
import { openTaskMenu } from './taskMenu';
import { showToday } from './today';

export const appCommands = (parts: Parts, refresh: () => void): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.view.refresh', async () => {
      await parts.engine.refresh();
      refresh();
    }),
    onCommand('dueline.showToday', () => showToday(parts)),
    onCommand('dueline.open', async target => {
      const task = await taskFor(parts, target, t('Open which task?'));
      if (task) await openTaskMenu(parts, task);
    }),
  );
