import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { t } from '../shared/l10n';
import { cancelQuestion } from '../ui/dialogs';
import { inSeries } from '../ui/occurrences';
import { isFocusedRow } from '../ui/selection';
import { setting, writeSetting } from '../ui/settings/settings';
import type { ViewController } from '../ui/viewController';
import { notesUri } from '../views/taskEditor/notesFiles';
import { pickKind } from '../views/widgets/pick';
import { defaultSetup } from '../views/widgets/setup';
import { pickTask } from './kit/pickTask';
import { onCommand } from './kit/register';
import { RowClicks } from './kit/rowClicks';
import { takeSuggestion } from './kit/suggestionKey';
import type { TargetResolver } from './kit/targets';
import { showToday } from './showToday';
import { openTaskMenu } from './tasks/taskMenu';

export const generalCommands = (
  engine: DuelineEngine,
  targets: TargetResolver,
  viewController: ViewController,
): vscode.Disposable => {
  const clicks = new RowClicks();
  return vscode.Disposable.from(
    onCommand('dueline.view.refresh', async () => {
      await engine.refresh();
      viewController.refresh();
    }),
    onCommand('dueline.view.toggleCompleted', () =>
      writeSetting('dueline.tree.showCompleted', !setting('dueline.tree.showCompleted')),
    ),
    onCommand('dueline.leaveQuestion', cancelQuestion),
    onCommand('dueline.takeSuggestion', takeSuggestion),
    onCommand('dueline.showToday', () => showToday(engine)),
    onCommand('dueline.open', async target => {
      if (isFocusedRow(target)) return clicks.enter();
      const row = await targets.task(target, t('Select a task to open'));
      if (!row) return;
      const { task, occurrence } = inSeries(engine, row, typeof target === 'object' ? target.occurrence : null);
      viewController.openTask(task, occurrence, clicks.isPreview(target));
    }),
    onCommand('dueline.editNotes', async target => {
      const task = await targets.task(target, t('Select a task to edit its notes'));
      if (task) await vscode.window.showTextDocument(notesUri(task), { preview: false });
    }),
    onCommand('dueline.goToTask', async () => {
      const task = await pickTask(engine, t('Select a task to go to'));
      if (task) await viewController.reveal(task);
    }),
    onCommand('dueline.openWidget', async asked => {
      const kind = asked ?? (await pickKind(t('Select a widget to open')));
      if (kind) viewController.openWidget(defaultSetup(kind));
    }),
    onCommand('dueline.widget.configure', async of => {
      if (typeof of === 'object') return viewController.configureTab();
      const kind = of ?? (await pickKind(t('Select a widget to configure')));
      if (kind) await viewController.configureWidget(kind);
    }),
    onCommand('dueline.newTask', target =>
      viewController.newTask(typeof target === 'number' ? target : target?.listId),
    ),
    onCommand('dueline.actions', async target => {
      const task = await targets.task(target, t('Select a task'));
      if (task) await openTaskMenu(engine, task);
    }),
  );
};
