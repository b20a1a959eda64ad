import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { Account, Id } from '../../core/kernel/model';
import { t } from '../../shared/l10n';

/** Its address is a `file:` URL, and there is no password. */
export const isFolder = ({ homeSetUrl }: Pick<Account, 'homeSetUrl'>): boolean =>
  homeSetUrl?.startsWith('file:') ?? false;

/**
 * Adds a folder as an account; undefined if the user cancels. It can only be chosen in this dialog: a setting could
 * come from a workspace, which could then have files written anywhere.
 */
export async function addFolder(engine: DuelineEngine): Promise<Id | undefined> {
  const title = t('Add Folder');
  const [chosen] =
    (await vscode.window.showOpenDialog({ title, openLabel: title, canSelectFolders: true, canSelectFiles: false })) ??
    [];
  if (!chosen) return undefined;
  return engine.addAccount({ serverUrl: chosen.toString(), username: '', password: '' });
}
