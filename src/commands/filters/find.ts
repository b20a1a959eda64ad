import * as vscode from 'vscode';
import { t } from '../../shared/l10n';
import type { Parts } from '../../ui/services';
import type { ViewController } from '../../ui/viewController';
import { pickTask, searchTask } from '../kit/pickTask';
import { onCommand } from '../kit/register';

export const findCommands = (parts: Parts, shown: ViewController): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.goToTask', async () => {
      const task = await pickTask(parts, t('Select a task to go to'));
      if (task) await shown.reveal(task);
    }),
    onCommand('dueline.search', async query => {
      const task = await searchTask(parts, {
        title: t('Search Tasks'),
        placeholder: t('Type text or a query: due:week #work -is:recurring'),
        start: typeof query === 'string' ? query : '',
      });
      if (task) await vscode.commands.executeCommand('dueline.open', task.id);
    }),
  );
