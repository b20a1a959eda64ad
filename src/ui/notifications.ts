import * as vscode from 'vscode';
import { unlinked } from '../shared/l10n';

/** The only module that calls the editor's notifications and dialogs: their text may contain text from others. */
type ShowMessage = typeof vscode.window.showInformationMessage;

type ShowMethod = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

const showVia = (way: ShowMethod): ShowMessage =>
  ((message: string, ...rest: string[]) => vscode.window[way](unlinked(message), ...rest)) as ShowMessage;

/**
 * These three show a notification, whose text never becomes a link.
 *
 * @example
 * const picked = await showWarning(t('The list is read-only.'), t('Open Settings'));
 */
export const showInformation = showVia('showInformationMessage');
export const showWarning = showVia('showWarningMessage');
export const showErrorText = showVia('showErrorMessage');
