import * as vscode from 'vscode';
import { isDuelineError } from '../core/errors';
import type { Task } from '../core/model';
import { explain } from '../views/errors';
import { t } from '../views/l10n';
import type { Parts } from '../views/parts';
import { dateStyle } from '../views/settings';
import type { Shown } from '../views/shown';
import { withIcon } from '../views/withIcon';
import { onCommand } from './register';
import { pickTask, taskChoice } from './targets';

export const findCommands = (parts: Parts, shown: Shown): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.goToTask', async () => {
      const task = await pickTask(parts, t('Go to which task?'));
      if (task) await shown.reveal(task);
    }),
    onCommand('dueline.search', query => search(parts, typeof query === 'string' ? query : '')),
  );

interface Line extends vscode.QuickPickItem {
  readonly task?: Task;
}

/** Live results of a query; plain words search titles, notes and tags. */
function search(parts: Parts, start: string): void {
  const pick = vscode.window.createQuickPick<Line>();
  pick.title = t('Search Tasks');
  pick.placeholder = t('Words, or a query: due:week #work -is:recurring');
  pick.value = start;
  let waiting: NodeJS.Timeout | undefined;
  const look = () => {
    const lists = new Map(parts.engine.lists().map(list => [list.id, list]));
    const style = dateStyle(parts.engine);
    try {
      const found = pick.value.trim() === '' ? [] : parts.engine.query(pick.value, { limit: 200 });
      pick.items = found.map(row => ({ ...taskChoice(row, style, lists), alwaysShow: true }));
      if (found.length === 0 && pick.value.trim() !== '')
        pick.items = [{ label: t('Nothing found.'), alwaysShow: true }];
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      pick.items = [{ ...withIcon('warning', explain(error)), alwaysShow: true }];
    }
  };
  pick.onDidChangeValue(() => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 80);
  });
  pick.onDidAccept(async () => {
    const task = pick.activeItems[0]?.task;
    if (!task) return;
    pick.hide();
    await vscode.commands.executeCommand('dueline.open', task.id);
  });
  pick.onDidHide(() => {
    clearTimeout(waiting);
    pick.dispose();
  });
  if (start !== '') look();
  pick.show();
}
