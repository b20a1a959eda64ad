import * as vscode from 'vscode';

/** The offline flavor has neither accounts nor doors for other programs. */
export const registerFlavor = () => new vscode.Disposable(() => {});
