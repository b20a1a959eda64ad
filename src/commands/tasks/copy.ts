import * as vscode from 'vscode';
import type { Task } from '../../core/model';
import { isClosed } from '../../core/status';
import { t } from '../../shared/l10n';
import type { Parts } from '../../ui/services';
import { fullTitleOf } from '../../ui/text/taskText';
import { onCommand } from '../kit/register';
import { tasksFor } from '../kit/targets';

export const copyCommands = (parts: Parts): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.copyLink', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Select a task to copy its link'));
      await copy(tasks.map(task => taskLink(parts.extensionId, task)).join('\n'));
    }),
    onCommand('dueline.copyMarkdown', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Select a task to copy'));
      await copy(
        tasks
          .map(task => `- [${isClosed(task) ? 'x' : ' '}] ${fullTitleOf(task).replace(/[\\*_`[\]<>]/g, '\\$&')}`)
          .join('\n'),
      );
    }),
  );

/** Opens the task wherever Dueline knows it; the editor asks before it follows such a link. */
const taskLink = (extensionId: string, task: Task) =>
  `${vscode.env.uriScheme}://${extensionId}/task?uid=${encodeURIComponent(task.uid)}`;

async function copy(text: string): Promise<void> {
  if (text !== '') await vscode.env.clipboard.writeText(text);
}
