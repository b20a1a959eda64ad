import * as vscode from 'vscode';
import { isolate, listed, t } from '../../shared/l10n';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { titleOf } from '../../ui/text/taskText';
import type { TargetResolver } from '../common/targets';

/** A longer text leaves no room in the status bar. */
const maxTitles = 3;

/** Ends the claims of agents on tasks. The agent learns of it when it next asks or writes. */
export const takeBack = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  commands.on('dueline.takeBackFromAgent', async (target, selection) => {
    const tasks = await targets.tasks(target, selection, t('Select a task to take back from an agent'));
    const { claims } = engine;
    await claims?.open();
    const claimed = tasks.filter(({ uid }) => claims?.of(uid));
    if (claimed.length === 0) {
      if (tasks.length > 0) void showInformation(t('No agent has claimed it.'));
      return;
    }
    await claims?.end(claimed.map(({ uid }) => uid));
    const titles = claimed.slice(0, maxTitles).map(task => isolate(titleOf(task)));
    vscode.window.setStatusBarMessage(t('Taken back: {0}', listed(titles)), 5000);
  });
