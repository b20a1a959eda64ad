import * as vscode from 'vscode';
import type { SettingValue } from '../contributions/definitions';
import { t } from '../shared/l10n';
import type { CommandRunner } from '../ui/commandRunner';
import { showQuickPick } from '../ui/dialogs';
import { setting, writeSetting } from '../ui/settings/settings';
import { withIcon } from '../ui/withIcon';

/** How the Lists tree shows its tasks, the settings and the first steps. */
export const viewOptionCommands = (commands: CommandRunner, extensionId: string): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.view.toggleSubtasks', toggleSubtasks),
    commands.on('dueline.view.nestSubtasks', toggleSubtasks),
    commands.on('dueline.view.sort', async () => {
      const current = setting('dueline.tree.sort');
      const lines = [
        { label: t('Manually'), detail: t('Drag tasks, or move them with Alt and the arrow keys.'), sort: 'manual' },
        { label: t('By due date'), sort: 'due,priority,title' },
        { label: t('By priority'), sort: 'priority,due,title' },
        { label: t('By title'), sort: 'title' },
        { label: t('Newest first'), sort: '-created' },
      ].map(line => ({ ...line, description: line.sort === current ? t('current') : undefined }));
      const picked = await showQuickPick(lines, { title: t('Sort Tasks') });
      if (picked) await writeSetting('dueline.tree.sort', picked.sort);
    }),
    commands.on('dueline.view.group', async () => {
      const current = setting('dueline.group.default');
      const choices: readonly (vscode.QuickPickItem & { group: SettingValue<'dueline.group.default'> })[] = [
        { ...withIcon('list-flat', t('No grouping')), group: 'none' },
        { ...withIcon('calendar', t('By due date')), group: 'due' },
        { ...withIcon('flag', t('By priority')), group: 'priority' },
        { ...withIcon('tag', t('By tag')), group: 'tag' },
        { ...withIcon('circle-large-outline', t('By status')), group: 'status' },
        { ...withIcon('list-unordered', t('By list')), detail: t('Applies to filters and tags.'), group: 'list' },
      ];
      const lines = choices.map(line => ({ ...line, description: line.group === current ? t('current') : undefined }));
      const picked = await showQuickPick(lines, {
        title: t('Group Tasks'),
        placeHolder: t('Filters with their own group keep it'),
      });
      if (picked) await writeSetting('dueline.group.default', picked.group);
    }),
    commands.on('dueline.openSettings', () =>
      vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`),
    ),
    commands.on('dueline.openWalkthrough', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#dueline.start`, false),
    ),
  );

const toggleSubtasks = () => writeSetting('dueline.tree.nestSubtasks', !setting('dueline.tree.nestSubtasks'));
