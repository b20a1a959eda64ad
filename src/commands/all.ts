import * as vscode from 'vscode';
import type { Parts } from '../views/parts';
import { appCommands } from './app';
import { captureCommands } from './capture';
import { editCommands } from './edit';
import { historyCommands } from './history';
import { listCommands } from './lists';
import { scheduleCommands } from './schedule';

/** Every command that both flavors have. */
export const registerCommands = (parts: Parts, refresh: () => void): vscode.Disposable =>
  vscode.Disposable.from(
    captureCommands(parts),
    editCommands(parts),
    scheduleCommands(parts),
    listCommands(parts),
    historyCommands(parts),
    appCommands(parts, refresh),
  );
