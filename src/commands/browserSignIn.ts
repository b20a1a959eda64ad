import * as vscode from 'vscode';
import type { BrowserLogin, SyncSurface } from '../core/syncState';
import { t } from '../views/l10n';

type Granted = Awaited<ReturnType<BrowserLogin['wait']>>;

/**
 * Offers to sign in on the server's own page where it has one for programs (Nextcloud): no password passes through
 * here then, two-factor sign-in works, and what is kept is an app password. `form`: go on with name and password.
 */
export async function signInByBrowser(syncing: SyncSurface, serverUrl: string): Promise<Granted | 'form' | undefined> {
  const login = await syncing.browserLogin(serverUrl);
  if (!login) return 'form';
  const browser = {
    label: `$(globe) ${t('Sign in with the browser')}`,
    detail: t('The server then makes an app password for Dueline. Works with two-factor sign-in.'),
  };
  const form = { label: `$(key) ${t('Enter user name and password')}` };
  const picked = await vscode.window.showQuickPick([browser, form], {
    title: t('Add CalDAV Account'),
    ignoreFocusOut: true,
  });
  if (picked !== browser) return picked && 'form';
  await vscode.env.openExternal(vscode.Uri.parse(login.url, true));
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('Agree in the browser, then come back.'),
      cancellable: true,
    },
    (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return login.wait(stop.signal);
    },
  );
}
