import * as vscode from 'vscode';
import { accountCommands } from '../commands/accounts';
import { syncCommands } from '../commands/sync';
import type { Parts } from '../views/parts';

/** What only the full flavor has in the editor: accounts and sync. */
export const registerFlavor = (parts: Parts): vscode.Disposable =>
  vscode.Disposable.from(accountCommands(parts), syncCommands(parts));
