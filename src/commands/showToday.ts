import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import type { Task } from '../core/kernel/model';
import { t } from '../shared/l10n';
import { ask } from '../ui/dialogs';
import { dateStyle } from '../ui/settings/settings';
import { withIcon } from '../ui/withIcon';
import { debounceChanges } from '../views/tree/debounceChanges';
import { listsById, taskChoice } from './common/taskChoice';

interface TodayItem extends vscode.QuickPickItem {
  readonly task?: Task;
  readonly act?: string;
}

/** Today's tasks as a list that stays open: the button completes, the row opens. */
export function showToday(engine: DuelineEngine): void {
  const complete: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('check'), tooltip: t('Complete') };
  const lines = (): TodayItem[] => {
    const lists = listsById(engine);
    const style = dateStyle(engine);
    const { groups } = engine.widget('today');
    const rows = groups.flatMap(group =>
      group.items.length === 0
        ? []
        : [
            { label: group.key === 'overdue' ? t('Overdue') : t('Today'), kind: vscode.QuickPickItemKind.Separator },
            ...group.items.map(row => ({ ...taskChoice(row, style, lists), buttons: [complete] })),
          ],
    );
    return [
      ...rows,
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { ...withIcon('add', t('Quick Add Task…')), act: 'dueline.quickAdd', alwaysShow: true },
      { ...withIcon('layout-sidebar-left', t('Show Today View')), act: 'dueline.today.focus', alwaysShow: true },
    ];
  };
  const options = {
    title: t('Today'),
    placeholder: t('Select a task to open it, or use its button to complete it'),
    matchOnDescription: true,
    keepScrollPosition: true,
    items: lines(),
  };
  void ask<TodayItem, never>(options, pick => {
    const following = debounceChanges(engine.onDidChange, () => {
      pick.items = lines();
    });
    return {
      async onItemButton({ task }) {
        if (task) await vscode.commands.executeCommand('dueline.complete', task.id);
      },
      async onAccept() {
        const line = pick.activeItems[0];
        pick.hide();
        if (line?.task) await vscode.commands.executeCommand('dueline.open', line.task.id);
        else if (line?.act) await vscode.commands.executeCommand(line.act);
      },
      onEnd: () => following.dispose(),
    };
  });
}
