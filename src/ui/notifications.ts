import * as vscode from 'vscode';
import { unlinked } from '../shared/l10n';

/** The one door to the editor's notifications and dialogs: what they say may contain text from others. */
type Say = typeof vscode.window.showInformationMessage;

type Way = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

const through = (way: Way): Say =>
  ((message: string, ...rest: string[]) => vscode.window[way](unlinked(message), ...rest)) as Say;

export const showInformation = through('showInformationMessage');
export const showWarning = through('showWarningMessage');
export const showErrorText = through('showErrorMessage');
