import * as vscode from 'vscode';
import { t } from '../views/l10n';
import { setting, writeSetting } from '../views/settings';
import { onCommand } from './register';

/** How the Lists tree shows its tasks, and the first steps. */
export const showCommands = (): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.view.toggleSubtasks', () =>
      writeSetting('dueline.tree.nestSubtasks', !setting<boolean>('dueline.tree.nestSubtasks')),
    ),
    onCommand('dueline.view.sort', async () => {
      const current = setting<string>('dueline.tree.sort');
      const lines = [
        { label: t('By hand'), detail: t('Drag tasks, or move them with Alt and the arrow keys.'), sort: 'manual' },
        { label: t('By due date'), sort: 'due,priority,title' },
        { label: t('By priority'), sort: 'priority,due,title' },
        { label: t('By title'), sort: 'title' },
        { label: t('Newest first'), sort: '-created' },
      ].map(line => ({ ...line, description: line.sort === current ? t('now') : undefined }));
      const picked = await vscode.window.showQuickPick(lines, { title: t('Sort Lists') });
      if (picked) await writeSetting('dueline.tree.sort', picked.sort);
    }),
    onCommand('dueline.openWalkthrough', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'dueline.dueline#dueline.start', false),
    ),
  );
