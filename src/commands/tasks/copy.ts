import * as vscode from 'vscode';
import type { Task } from '../../core/model';
import { isClosed } from '../../core/status';
import { t } from '../../shared/l10n';
import { fullTitleOf } from '../../ui/text/taskText';
import { onCommand } from '../kit/register';
import type { TargetResolver } from '../kit/targets';

export const copyCommands = (targets: TargetResolver, extensionId: string): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.copyLink', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to copy its link'));
      await copy(tasks.map(task => taskLink(extensionId, task)).join('\n'));
    }),
    onCommand('dueline.copyMarkdown', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to copy'));
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
