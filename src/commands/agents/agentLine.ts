import * as vscode from 'vscode';
import type { Change } from '../../api';
import { Disposables } from '../../core/kernel/events';
import { t } from '../../shared/l10n';
import type { CommandServices } from '../../ui/services';
import { setting } from '../../ui/settings/settings';
import { agentStepText } from '../../ui/text/editName';
import { offerUndo } from '../common/undo';

/**
 * The last change by an agent, in the status bar for as long as the setting allows, next to the user's own last action,
 * which it never replaces.
 */
export function agentLine({ engine }: Pick<CommandServices, 'engine'>): vscode.Disposable {
  const owned = new Disposables();
  const item = owned.add(vscode.window.createStatusBarItem('dueline.agentStep', vscode.StatusBarAlignment.Left, 47));
  item.name = t('Dueline: Changes by Agents');
  let hiding: NodeJS.Timeout | undefined;
  owned.add({ dispose: () => clearTimeout(hiding) });
  const show = ({ origin, step }: Change) => {
    if (origin === 'undo') item.hide();
    const seconds = setting('dueline.completion.undoSeconds');
    if (!step || seconds <= 0) return;
    clearTimeout(hiding);
    offerUndo(item, agentStepText(step), step.id);
    hiding = setTimeout(() => item.hide(), seconds * 1000);
  };
  owned.add(engine.onDidChange(show));
  return owned;
}
