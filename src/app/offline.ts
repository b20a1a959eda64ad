import * as vscode from 'vscode';
import type { Services } from '../ui/services';

/** The full flavor, installed beside this one, goes first. */
export const rivalId: string | undefined = 'dueline.dueline';

/** The offline flavor adds nothing: no account, no sync, no network. */
export const registerFlavor = (_services: Services, _storeFolder: vscode.Uri): vscode.Disposable =>
  new vscode.Disposable(() => {});
