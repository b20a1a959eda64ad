import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isolate, t } from '../../shared/l10n';
import { showInformation } from '../../ui/notifications';

/** A file in the folder that is open, else in the user's home directory. */
export const exportUri = (name: string) =>
  vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir()), name);

/** Endings of SQLite files. */
export const databaseEndings: string[] = ['db', 'sqlite', 'sqlite3'];

/** The path of a file that a database is read from, which the editor cannot do for us. */
export function pathOnComputer(file: vscode.Uri): string {
  if (file.scheme !== 'file') throw new Error(t('The file must be on this computer.'));
  return file.fsPath;
}

/** A file on this computer is written whole or not at all; what the editor keeps elsewhere is left to it. */
export const saveExport = async (
  engine: Pick<DuelineEngine, 'saveFile'>,
  file: vscode.Uri,
  text: string,
): Promise<void> =>
  file.scheme === 'file'
    ? engine.saveFile(file.fsPath, text)
    : vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));

export async function announceExport(file: vscode.Uri): Promise<void> {
  const show = t('Reveal File');
  const message = t('Exported to {0}', isolate(file.path.split('/').at(-1)!));
  if ((await showInformation(message, show)) === show) await vscode.commands.executeCommand('revealFileInOS', file);
}
