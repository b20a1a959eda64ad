import * as vscode from 'vscode';

/** The full flavor, installed beside this one, goes first. */
export const otherFlavorId: string | undefined = 'dueline.dueline';

/** The offline flavor adds nothing: no account, no sync, no network, and no door for other programs. */
export const prepare = (): vscode.Disposable => new vscode.Disposable(() => {});
