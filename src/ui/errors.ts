import * as vscode from 'vscode';
import { isDuelineError, messageOf } from '../core/kernel/errors';
import { t, unlinked } from '../shared/l10n';
import { showErrorText, showInformation } from './notifications';
import { localize } from './text/errorText';

/**
 * The message of an error in the user's language: the engine's messages name the cause and the remedy, and may quote a
 * server.
 *
 * @example
 * explain(new DuelineError('notFound', syncMessage('listNotFound'))) // 'Liste nicht gefunden.'
 */
export const explain = (error: unknown): string => unlinked(localize(messageOf(error)));

/**
 * Shows an error with what to do; never awaited by what failed, since the message stays until it is read.
 *
 * @example
 * engine.updateTask(id, patch).catch(showError);
 */
export async function showError(error: unknown): Promise<void> {
  if (isDuelineError(error, 'cancelled')) return;
  if (isDuelineError(error, 'readOnly')) {
    // Nothing broke: someone else's list is as they want it.
    void showInformation(explain(error));
    return;
  }
  const openLog = t('Open Log');
  const picked = await showErrorText(explain(error), openLog);
  if (picked === openLog) await vscode.commands.executeCommand('dueline.openLog');
}
