import * as vscode from 'vscode';
import type { Parts } from '../views/parts';

/** The offline flavor adds nothing: no account, no sync, no network. */
export const registerFlavor = (_parts: Parts): vscode.Disposable => new vscode.Disposable(() => {});
