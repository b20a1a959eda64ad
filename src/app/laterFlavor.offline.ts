import * as vscode from 'vscode';

/** The offline flavor has neither accounts nor an interface for other programs. */
export const registerFlavor = () => new vscode.Disposable(() => {});
