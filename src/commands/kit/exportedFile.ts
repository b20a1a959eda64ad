import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { isolate, t } from '../../shared/l10n';
import { showInformation } from '../../ui/notifications';

/** In the folder that is open, else in the person's own. */
export const placeFor = (name: string) =>
  vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir()), name);

export async function tellExported(file: vscode.Uri): Promise<void> {
  const show = t('Reveal File');
  const message = t('Exported to {0}', isolate(file.path.split('/').at(-1)!));
  if ((await showInformation(message, show)) === show) await vscode.commands.executeCommand('revealFileInOS', file);
}
