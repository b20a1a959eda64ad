import * as vscode from 'vscode';
import { t } from '../shared/l10n';
import { explain, showError } from '../ui/errors';
import { showErrorText } from '../ui/notifications';
import { revealData } from './data/importExport';

interface StoreFailure {
  readonly storeFolder: vscode.Uri;
  /** All that the manifest contributes. */
  readonly commandIds: readonly string[];
  chooseFolder(): Promise<void>;
}

/**
 * If the store could not be opened, every command shows that and leads to the log, but those that show or choose the data
 * folder; nothing crashes, nothing is written.
 */
export function registerFailedStore(
  error: unknown,
  { storeFolder, commandIds, chooseFolder }: StoreFailure,
): vscode.Disposable {
  const show = async () => {
    const [openLog, choose, reload] = [t('Open Log'), t('Choose Data Folder'), t('Reload Window')];
    const text = t('Dueline could not open the task store. {0}', explain(error));
    const picked = await showErrorText(text, openLog, choose, reload);
    if (picked === openLog) await vscode.commands.executeCommand('dueline.openLog');
    else if (picked === choose) await vscode.commands.executeCommand('dueline.data.chooseFolder');
    else if (picked === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
  };
  void show();
  const working: Readonly<Record<string, () => unknown>> = {
    'dueline.data.reveal': () => revealData(storeFolder),
    'dueline.data.chooseFolder': () => chooseFolder().catch(showError),
  };
  return vscode.Disposable.from(
    ...commandIds
      .filter(id => id !== 'dueline.openLog')
      .map(id => vscode.commands.registerCommand(id, working[id] ?? (() => void show()))),
  );
}
