import * as vscode from 'vscode';
import { type DuelineError, isDuelineError } from '../core/errors';
import { t } from './l10n';

/** What happened and what to do about it, by the kind of the error; the tasks are safe in every case. */
export function explain(error: unknown): string {
  if (!isDuelineError(error)) return error instanceof Error ? error.message : String(error);
  const advice = adviceFor(error);
  return advice ? `${error.message} ${advice}` : error.message;
}

function adviceFor({ kind }: DuelineError): string | undefined {
  switch (kind) {
    case 'auth':
      return t(
        'Check the user name and the password. Where two-factor sign-in is on, the server wants an app password.',
      );
    case 'offline':
      return t('Check the address and the network. Your tasks are safe here and are sent once the server answers.');
    case 'timeout':
      return t('The server took too long. Your tasks are safe here; try again later.');
    case 'tls':
      return t('The server’s certificate is not trusted. Check the address before you trust it.');
    case 'server':
      return t('Your tasks are safe here. If this goes on, the log says what the server answered.');
    case 'storage':
      return t('Nothing was changed. Check the disk’s free space and permissions.');
    default:
      return undefined;
  }
}

/** Shows an error with what to do; never awaited by what failed, since the message stays until it is read. */
export async function showError(error: unknown): Promise<void> {
  if (isDuelineError(error, 'cancelled')) return;
  const openLog = t('Open Log');
  const picked = await vscode.window.showErrorMessage(explain(error), openLog);
  if (picked === openLog) await vscode.commands.executeCommand('dueline.openLog');
}
