import { delimiter } from 'node:path';
import * as vscode from 'vscode';
import { setting } from '../../ui/settings/settings';

export type TerminalContext = Pick<
  vscode.ExtensionContext,
  'environmentVariableCollection' | 'extension' | 'globalStorageUri'
>;

export const binFolder = ({ globalStorageUri }: TerminalContext) => vscode.Uri.joinPath(globalStorageUri, 'bin').fsPath;

/**
 * Lets the editor's terminals find the command. To be called first: terminals that are open when it changes ask to be
 * started again.
 */
export function offerInTerminals(context: TerminalContext): vscode.Disposable {
  const variables = context.environmentVariableCollection;
  const { extension } = context;
  // The terminals of a remote window are on a computer that has neither the program nor the tasks.
  const isElsewhere = vscode.env.remoteName !== undefined && extension.extensionKind === vscode.ExtensionKind.UI;
  const offer = () => {
    if (isElsewhere || !setting('dueline.terminal.command')) return variables.delete('PATH');
    variables.persistent = true;
    const value = delimiter + binFolder(context);
    if (variables.get('PATH')?.value !== value) variables.append('PATH', value);
  };
  offer();
  return vscode.workspace.onDidChangeConfiguration(
    event => event.affectsConfiguration('dueline.terminal.command') && offer(),
  );
}
