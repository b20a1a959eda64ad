import * as vscode from 'vscode';
import type { NewAccount } from '../api';
import { type ErrorKind, isDuelineError } from '../core/errors';
import type { SyncSurface } from '../core/syncState';
import type { AccountTarget } from '../ids';
import { explain } from '../views/errors';
import { isolate, t, tn } from '../views/l10n';
import type { Parts } from '../views/parts';
import { accountFor, askTrust } from './accountMore';
import { signInByBrowser } from './browserSignIn';
import { onCommand } from './register';
import { askText, back } from './steps';

export const accountCommands = (parts: Parts, syncing: SyncSurface): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.account.add', () => addAccount(parts, syncing)),
    onCommand('dueline.account.remove', target => removeAccount(parts, target)),
  );

type Field = 'serverUrl' | 'username' | 'password';
const fields: readonly Field[] = ['serverUrl', 'username', 'password'];

/** Server, user, password, then the search for lists. What goes wrong leads back to the step that can mend it. */
async function addAccount(parts: Parts, syncing: SyncSurface): Promise<void> {
  let answers: NewAccount = { serverUrl: '', username: '', password: '' };
  let at = 0;
  let problem: string | undefined;
  while (true) {
    while (at < fields.length) {
      const field = fields[at]!;
      const answer = await askText({
        ...question(field),
        value: answers[field],
        step: at + 1,
        of: fields.length,
        problem,
      });
      problem = undefined;
      if (answer === undefined) return;
      if (answer === back) at -= 1;
      else {
        answers = { ...answers, [field]: field === 'password' ? answer : answer.trim() };
        at += 1;
        if (field === 'serverUrl') {
          const granted = await signInByBrowser(syncing, answers.serverUrl);
          if (granted === undefined) return;
          if (granted !== 'form') {
            answers = { ...answers, ...granted };
            at = fields.length;
          }
        }
      }
    }
    try {
      const id = await connect(parts, answers);
      const lists = parts.engine.lists().filter(list => list.accountId === id).length;
      void vscode.window.showInformationMessage(
        lists === 0
          ? t('The account is connected. It holds no task list yet; make one with New List…')
          : tn(
              lists,
              'The account is connected, with {0} task list.',
              'The account is connected, with {0} task lists.',
            ),
      );
      await vscode.commands.executeCommand('dueline.sync.now', id);
      return;
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      if (error.kind === 'tls') {
        const fingerprint = await offerTrust(syncing, answers.serverUrl);
        if (fingerprint) {
          answers = { ...answers, trusted: [...(answers.trusted ?? []), fingerprint] };
          at = fields.length;
          continue;
        }
      }
      problem = explain(error);
      at = fields.indexOf(toMend[error.kind] ?? 'serverUrl');
      parts.log.warn(`Adding an account failed (${error.kind}): ${error.message}`);
    }
  }
}

const toMend: Partial<Record<ErrorKind, Field>> = { auth: 'password', duplicate: 'username' };

function question(field: Field) {
  const title = t('Add CalDAV Account');
  switch (field) {
    case 'serverUrl':
      return {
        title,
        prompt: t('The server’s address, or your e-mail address there. iCloud keeps its reminders off CalDAV.'),
        placeholder: 'https://cloud.example.org',
        check: checkServer,
      };
    case 'username':
      return { title, prompt: t('User name'), check: needed };
    case 'password':
      return {
        title,
        prompt: t(
          'Password, or an app password where two-factor sign-in is on. It is kept in the system’s secret storage.',
        ),
        secret: true,
        check: needed,
      };
  }
}

const needed = (value: string) => (value.trim() === '' ? t('This is needed.') : undefined);

function checkServer(value: string) {
  const text = value.trim();
  if (text === '') return t('This is needed.');
  if (!/^http:\/\//i.test(text)) return undefined;
  const host = URL.canParse(text) ? new URL(text).hostname : '';
  return /^(localhost|127\.|\[::1\])/.test(host)
    ? undefined
    : { warning: t('This address is not encrypted: the password would cross the network readable.') };
}

const connect = (parts: Parts, answers: NewAccount) =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Looking for task lists…') },
    () => parts.engine.addAccount(answers),
  );

/** The fingerprint to trust, where the server's certificate is the trouble and the person trusts it. */
async function offerTrust(syncing: SyncSurface, serverUrl: string): Promise<string | undefined> {
  try {
    const certificate = await syncing.certificateOf(serverUrl);
    const { host } = new URL(/^https:/i.test(serverUrl) ? serverUrl : `https://${serverUrl}`);
    return certificate.problem === null ? undefined : await askTrust(certificate, host);
  } catch {
    return undefined;
  }
}

async function removeAccount(parts: Parts, target: AccountTarget | undefined): Promise<void> {
  const account = await accountFor(parts, target, t('Remove which account?'));
  if (!account) return;
  const remove = t('Remove Account');
  const picked = await vscode.window.showWarningMessage(
    t('Remove the account {0}?', isolate(account.displayName)),
    {
      modal: true,
      detail: t('Its lists and tasks stay on this computer as local ones. Nothing is deleted on the server.'),
    },
    remove,
  );
  if (picked === remove) await parts.engine.removeAccount(account.id);
}
