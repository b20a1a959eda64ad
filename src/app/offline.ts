import * as vscode from 'vscode';
import type { Parts } from '../ui/services';

/** The full flavor, installed beside this one, goes first. */
export const rivalId: string | undefined = 'dueline.dueline';

/** The offline flavor adds nothing: no account, no sync, no network. */
export const registerFlavor = (_parts: Parts, _storeFolder: vscode.Uri): vscode.Disposable =>
  new vscode.Disposable(() => {});
