import * as vscode from 'vscode';
import { accountCommands } from '../commands/accounts';
import { syncCommands } from '../commands/sync';
import type { Parts } from '../views/parts';

/** The other flavor, where this one has to stand aside for it. */
export const rivalId: string | undefined = undefined;

/** What only the full flavor has in the editor: accounts and sync. */
export const registerFlavor = (parts: Parts): vscode.Disposable =>
  vscode.Disposable.from(accountCommands(parts), syncCommands(parts));
