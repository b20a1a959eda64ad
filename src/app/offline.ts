import * as vscode from 'vscode';

/** If the full flavor is installed too, it takes precedence. */
export const otherFlavorId: string | undefined = 'dueline.dueline';

/** The offline flavor adds nothing: no account, no sync, no network, and no interface for other programs. */
export const registerTerminalCommand = (): vscode.Disposable => new vscode.Disposable(() => {});
