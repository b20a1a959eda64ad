import * as vscode from 'vscode';
import { t } from '../shared/l10n';
import { explain } from '../ui/errors';
import { showErrorText } from '../ui/notifications';
import { revealData } from './data/importExport';

interface StoreFailure {
  readonly storeFolder: vscode.Uri;
  /** All that the manifest contributes. */
  readonly commandIds: readonly string[];
}

/** If the store could not be opened, every command shows that and leads to the log; nothing crashes, nothing is written. */
export function registerFailedStore(error: unknown, { storeFolder, commandIds }: StoreFailure): vscode.Disposable {
  const say = async () => {
    const [openLog, reload] = [t('Open Log'), t('Reload Window')];
    const text = t('Dueline could not open the task store. {0}', explain(error));
    const picked = await showErrorText(text, openLog, reload);
    if (picked === openLog) await vscode.commands.executeCommand('dueline.openLog');
    else if (picked === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
  };
  void say();
  return vscode.Disposable.from(
    ...commandIds
      .filter(id => id !== 'dueline.openLog')
      .map(id =>
        vscode.commands.registerCommand(id, () =>
          id === 'dueline.data.reveal' ? revealData(storeFolder) : void say(),
        ),
      ),
  );
}
