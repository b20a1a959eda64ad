import * as vscode from 'vscode';
import { isDuelineError } from '../../core/kernel/errors';
import type { BrowserLogin } from '../../core/sync/syncState';
import { t } from '../../shared/l10n';
import { explain } from '../../ui/errors';
import { withIcon } from '../../ui/withIcon';
import { type back, pickStep } from '../common/inputSteps';

type AppPassword = Awaited<ReturnType<BrowserLogin['wait']>>;

/**
 * Offers to sign in on the server's own page if it has one for programs (Nextcloud): then no password passes through
 * here, two-factor sign-in works, and only an app password is kept. `form`: continue with name and password. A sign-in
 * that is broken off leads back to the choice.
 */
export async function signInByBrowser(
  login: () => Promise<BrowserLogin>,
): Promise<AppPassword | 'form' | typeof back | undefined> {
  let problem: string | undefined;
  while (true) {
    const lines = [
      {
        ...withIcon('globe', t('Sign in with your browser')),
        detail: t('The server creates an app password for Dueline. Works with two-factor authentication.'),
        answer: 'browser' as const,
      },
      { ...withIcon('key', t('Enter username and password')), answer: 'form' as const },
    ];
    const way = await pickStep<'browser' | 'form'>(lines, {
      title: t('Add CalDAV Account'),
      placeholder: problem ?? t('Select how to sign in'),
      hasBack: true,
      ignoreFocusOut: true,
    });
    if (way !== 'browser') return way;
    try {
      return await approveInBrowser(await login());
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      problem = error.kind === 'cancelled' ? t('Sign-in was canceled.') : explain(error);
    }
  }
}

async function approveInBrowser(login: BrowserLogin): Promise<AppPassword> {
  await vscode.env.openExternal(vscode.Uri.parse(login.url, true));
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('Approve the sign-in in your browser, then return here.'),
      cancellable: true,
    },
    (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return login.wait(stop.signal);
    },
  );
}
