import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import type { Task } from '../core/model';
import { t } from '../shared/l10n';
import { dateStyle } from '../ui/settings/settings';
import { withIcon } from '../ui/withIcon';
import { debounceChanges } from '../views/tree/debounceChanges';
import { listsOf, taskChoice } from './kit/taskChoice';

interface TodayItem extends vscode.QuickPickItem {
  readonly task?: Task;
  readonly act?: string;
}

/** Today's tasks as a list that stays open: the button completes, the row opens. */
export function showToday(engine: DuelineEngine): void {
  const pick = vscode.window.createQuickPick<TodayItem>();
  pick.title = t('Today');
  pick.placeholder = t('Select a task to open it, or use its button to complete it');
  pick.matchOnDescription = true;
  const complete: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('check'), tooltip: t('Complete') };

  const show = () => {
    const lists = listsOf(engine);
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
    pick.items = [
      ...rows,
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { ...withIcon('add', t('Quick Add Task…')), act: 'dueline.quickAdd', alwaysShow: true },
      { ...withIcon('layout-sidebar-left', t('Show Today View')), act: 'dueline.today.focus', alwaysShow: true },
    ];
  };
  const following = debounceChanges(engine.onDidChange, show);
  pick.keepScrollPosition = true;
  pick.onDidTriggerItemButton(async ({ item }) => {
    if (item.task) await vscode.commands.executeCommand('dueline.complete', item.task.id);
  });
  pick.onDidAccept(async () => {
    const line = pick.activeItems[0];
    pick.hide();
    if (line?.task) await vscode.commands.executeCommand('dueline.open', line.task.id);
    else if (line?.act) await vscode.commands.executeCommand(line.act);
  });
  pick.onDidHide(() => {
    following.dispose();
    pick.dispose();
  });
  show();
  pick.show();
}
