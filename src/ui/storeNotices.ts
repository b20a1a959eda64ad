import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { t, tn } from '../shared/l10n';
import { showError } from './errors';
import { showInformation, showWarning } from './notifications';
import { localize } from './text/errorText';

/** Shows the problems that the store found when it was opened, and offers to recover the changes after the damage. */
export async function showStoreNotices(engine: Pick<DuelineEngine, 'notices' | 'data'>): Promise<void> {
  const [first, ...more] = engine.notices;
  if (first === undefined) return;
  const bringBack = t('Recover Later Changes');
  const openLog = t('Open Log');
  const picked = await showWarning([first, ...more].map(localize).join(' '), bringBack, openLog);
  if (picked === openLog) await vscode.commands.executeCommand('dueline.openLog');
  if (picked !== bringBack) return;
  try {
    const count = await engine.data.salvage();
    void showInformation(
      count === 0
        ? t('No changes to recover.')
        : tn(count, '{0} change was recovered. You can undo this.', '{0} changes were recovered. You can undo this.'),
    );
  } catch (error) {
    void showError(error);
  }
}
