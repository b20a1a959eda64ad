import * as vscode from 'vscode';
import { t } from '../shared/l10n';
import { cancelQuestion, takeSuggestion } from '../ui/dialogs';
import { inSeries } from '../ui/occurrences';
import { isFocusedRow } from '../ui/selection';
import type { CommandServices } from '../ui/services';
import { setting, writeSetting } from '../ui/settings/settings';
import type { ViewController } from '../ui/viewController';
import { notesUri } from '../views/taskEditor/notesFiles';
import { pickKind } from '../views/widgets/pick';
import { defaultSetup } from '../views/widgets/setup';
import { pickTask } from './common/pickTask';
import { RowClicks } from './common/rowClicks';
import type { TargetResolver } from './common/targets';
import { showToday } from './showToday';
import { openTaskMenu } from './tasks/taskMenu';

export const viewCommands = (
  { commands, engine }: CommandServices,
  targets: TargetResolver,
  viewController: ViewController,
): vscode.Disposable => {
  const clicks = new RowClicks();
  return vscode.Disposable.from(
    commands.on('dueline.view.refresh', async () => {
      await engine.refresh();
      viewController.refresh();
    }),
    commands.on('dueline.view.toggleCompleted', toggleCompleted),
    commands.on('dueline.view.showCompleted', toggleCompleted),
    commands.on('dueline.leaveQuestion', cancelQuestion),
    commands.on('dueline.takeSuggestion', takeSuggestion),
    commands.on('dueline.showToday', () => showToday(engine)),
    commands.on('dueline.open', async target => {
      if (isFocusedRow(target)) return clicks.enter();
      await clicks.open(target, async isPreview => {
        const row = await targets.task(target, t('Select a task to open'));
        if (!row) return;
        const { task, occurrence } = inSeries(engine, row, typeof target === 'object' ? target.occurrence : null);
        viewController.openTask(task, occurrence, isPreview);
      });
    }),
    commands.on('dueline.editNotes', async target => {
      const task = await targets.task(target, t('Select a task to edit its notes'));
      if (task) await vscode.window.showTextDocument(notesUri(task), { preview: false });
    }),
    commands.on('dueline.goToTask', async () => {
      const task = await pickTask(engine, t('Select a task to go to'));
      if (task) await viewController.reveal(task);
    }),
    commands.on('dueline.openWidget', async requested => {
      const kind = requested ?? (await pickKind(t('Select a widget to open')));
      if (kind) viewController.openWidget(defaultSetup(kind));
    }),
    commands.on('dueline.widget.configure', async of => {
      if (typeof of === 'object') return viewController.configureTab();
      const kind = of ?? (await pickKind(t('Select a widget to configure')));
      if (kind) await viewController.configureWidget(kind);
    }),
    commands.on('dueline.widget.editAsText', async of => {
      const text = viewController.widgetText(typeof of === 'string' ? of : undefined);
      if (text) await vscode.commands.executeCommand('dueline.editAsText', text);
    }),
    commands.on('dueline.newTask', target =>
      viewController.newTask(typeof target === 'number' ? target : target?.listId),
    ),
    commands.on('dueline.actions', async target => {
      const task = await targets.task(target, t('Select a task'));
      if (task) await openTaskMenu(engine, task);
    }),
  );
};

const toggleCompleted = () => writeSetting('dueline.tree.showCompleted', !setting('dueline.tree.showCompleted'));
