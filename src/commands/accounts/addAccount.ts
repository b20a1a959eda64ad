import * as vscode from 'vscode';
import type { DuelineEngine, NewAccount } from '../../api';
import { DuelineError, type ErrorKind, isDuelineError } from '../../core/kernel/errors';
import type { Id } from '../../core/kernel/model';
import { isLoopback } from '../../core/sync/loopback';
import type { BrowserLogin, SyncStatus } from '../../core/sync/syncState';
import { t, tn } from '../../shared/l10n';
import { explain, showError } from '../../ui/errors';
import { showInformation } from '../../ui/notifications';
import { askText, back } from '../common/inputSteps';
import { signInByBrowser } from './browserSignIn';
import { askTrust, type ServerCertificateAt, untrustedCertificate } from './certificate';
import { type Provider, pickProvider } from './providers';

type Step = 'provider' | 'folder' | 'server' | 'trust' | 'way' | 'username' | 'password' | 'connect';
/** The step that can mend what a server did not like. */
const stepForError: Partial<Record<ErrorKind, Step>> = { auth: 'password', duplicate: 'username' };

/**
 * Provider, server, its certificate if it is not trusted, the way to sign in if there is a choice, name and password,
 * then the search for lists. Every step has a way back; an error leads to the step that can fix it.
 */
class AccountFlow {
  #provider: Provider = {};
  #serverUrl = '';
  #username = '';
  #password = '';
  #trusted: readonly string[] = [];
  #doubtful: ServerCertificateAt | undefined;
  #login: BrowserLogin | undefined;
  #hasChoice = false;
  #problem: string | undefined;

  constructor(
    private readonly engine: DuelineEngine,
    private readonly log: vscode.LogOutputChannel,
    private readonly syncing: SyncStatus,
  ) {}

  /** The new account; undefined if the user cancels. */
  async run(): Promise<Id | undefined> {
    let step: Step | undefined = 'provider';
    while (step !== undefined) {
      if (step !== 'connect' && step !== 'folder') step = await this.#ask(step);
      else {
        const connected: Id | Step = step === 'connect' ? await this.#connect() : await this.#addFolder();
        if (typeof connected === 'number') return connected;
        step = connected;
      }
    }
    return undefined;
  }

  #ask(step: Exclude<Step, 'connect' | 'folder'>): Promise<Step | undefined> {
    switch (step) {
      case 'provider':
        return this.#askProvider();
      case 'server':
        return this.#askServer();
      case 'trust':
        return this.#askTrust();
      case 'way':
        return this.#askWay();
      case 'username':
        return this.#askUsername();
      case 'password':
        return this.#askPassword();
    }
  }

  async #askProvider(): Promise<Step | undefined> {
    const provider = await pickProvider(4, this.#problem);
    this.#problem = undefined;
    if (provider === undefined || provider === back) return undefined;
    if (provider === 'folder') return 'folder';
    if (provider.serverUrl !== this.#provider.serverUrl) this.#serverUrl = provider.serverUrl ?? '';
    this.#provider = provider;
    if (provider.serverUrl === undefined) return 'server';
    this.#hasChoice = false;
    return 'username';
  }

  async #askServer(): Promise<Step | undefined> {
    const answer = await this.#text({
      prompt: this.#provider.addressPrompt ?? t('Enter the server address or your email address'),
      placeholder: 'https://cloud.example.org',
      value: this.#serverUrl,
      step: 2,
      check: checkServer,
      settle: value => this.#inspectServer(value.trim()),
    });
    if (answer === back) return 'provider';
    if (answer === undefined) return undefined;
    this.#serverUrl = answer.trim();
    // Many servers take the address as the name too.
    if (this.#username === '' && /^[^\s@/]+@[^\s@/]+$/.test(this.#serverUrl)) this.#username = this.#serverUrl;
    return this.#afterServer();
  }

  /** Goes back to the first step if the user cancels the dialog, or the folder cannot be an account. */
  async #addFolder(): Promise<Id | Step> {
    try {
      return (await addFolder(this.engine)) ?? 'provider';
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      this.log.warn(`Adding a folder failed (${error.kind}): ${error.message}`);
      this.#problem = explain(error);
      return 'provider';
    }
  }

  /** Before any password is asked for. Only the address was typed so far, and nothing but it is sent. */
  async #inspectServer(serverUrl: string): Promise<void> {
    const isMail = /^[^\s@/]+@/.test(serverUrl);
    this.#doubtful = isMail ? undefined : await untrustedCertificate(this.syncing, serverUrl, this.#trusted);
    if (!this.#doubtful) await this.#findBrowserLogin(serverUrl);
  }

  async #findBrowserLogin(serverUrl: string): Promise<void> {
    this.#login = await this.syncing.browserLogin(serverUrl, this.#trusted);
    this.#hasChoice = this.#login !== undefined;
  }

  #afterServer(): Step {
    if (this.#doubtful) return 'trust';
    return this.#hasChoice ? 'way' : 'username';
  }

  async #askTrust(): Promise<Step | undefined> {
    const fingerprint = await askTrust(this.#doubtful!, true);
    if (fingerprint === back) return 'server';
    if (fingerprint === undefined) {
      this.#problem = t('The certificate was not trusted. The account was not added.');
      return 'server';
    }
    this.#trusted = [...this.#trusted, fingerprint];
    this.#doubtful = undefined;
    // Found untrusted only when everything else was known: a server behind an email address.
    if (this.#password !== '') return 'connect';
    await this.#findBrowserLogin(this.#serverUrl);
    return this.#afterServer();
  }

  async #askWay(): Promise<Step | undefined> {
    const granted = await signInByBrowser(async () => {
      // Each try needs an offer of its own: one is good for a single sign-in.
      const login = this.#login ?? (await this.syncing.browserLogin(this.#serverUrl, this.#trusted));
      this.#login = undefined;
      if (!login) throw new DuelineError('server', t('The server no longer offers signing in with the browser.'));
      return login;
    });
    if (granted === undefined) return undefined;
    if (granted === back) return 'server';
    if (granted === 'form') return 'username';
    this.#serverUrl = granted.serverUrl;
    this.#username = granted.username;
    this.#password = granted.password;
    return 'connect';
  }

  async #askUsername(): Promise<Step | undefined> {
    const prompt = this.#provider.usernamePrompt ?? t('Username');
    const answer = await this.#text({ prompt, value: this.#username, step: 3, check: requireText });
    if (answer === back) return this.#hasChoice ? 'way' : this.#addressStep;
    if (answer === undefined) return undefined;
    this.#username = answer.trim();
    return 'password';
  }

  async #askPassword(): Promise<Step | undefined> {
    const answer = await this.#text({
      prompt:
        this.#provider.passwordPrompt ??
        t(
          'Enter your password, or an app password if you use two-factor authentication. It is stored in the system’s secret storage.',
        ),
      value: this.#password,
      secret: true,
      step: 4,
      check: requireText,
    });
    if (answer === back) return 'username';
    if (answer === undefined) return undefined;
    this.#password = answer;
    return 'connect';
  }

  /** A provider whose address is known is asked for none. */
  get #addressStep(): Step {
    return this.#provider.serverUrl === undefined ? 'server' : 'provider';
  }

  #text(step: Omit<Parameters<typeof askText>[0], 'title' | 'of' | 'problem'>) {
    const problem = this.#problem;
    this.#problem = undefined;
    return askText({ title: t('Add CalDAV Account'), of: 4, problem, ...step });
  }

  async #connect(): Promise<Id | Step> {
    const answers: NewAccount = {
      serverUrl: this.#serverUrl,
      username: this.#username,
      password: this.#password,
      trusted: this.#trusted,
    };
    try {
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: t('Looking for task lists…') },
        () => this.engine.addAccount(answers),
      );
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      this.log.warn(`Adding an account failed (${error.kind}): ${error.message}`);
      if (error.kind === 'tls') {
        const typed = this.#serverUrl.replace(/^[^\s/]*@/, '');
        this.#doubtful = await untrustedCertificate(this.syncing, typed, this.#trusted);
        if (this.#doubtful) return 'trust';
      }
      this.#problem = explain(error);
      return stepForError[error.kind] ?? (this.#addressStep === 'server' ? 'server' : 'username');
    }
  }
}

/** Asks for an account, adds it, reports the lists found, and fetches it. */
export async function askForAccount(
  engine: DuelineEngine,
  log: vscode.LogOutputChannel,
  syncing: SyncStatus,
): Promise<void> {
  const id = await new AccountFlow(engine, log, syncing).run();
  if (id === undefined) return;
  const lists = engine.lists().filter(list => list.accountId === id).length;
  if (lists === 0) void offerList().catch(showError);
  else
    void showInformation(
      tn(lists, 'Account connected. Found {0} task list.', 'Account connected. Found {0} task lists.'),
    );
  await vscode.commands.executeCommand('dueline.sync.now', id);
}

async function offerList(): Promise<void> {
  const create = t('New List…');
  const picked = await showInformation(t('Account connected. It has no task lists yet.'), create);
  if (picked === create) await vscode.commands.executeCommand('dueline.list.new');
}

const requireText = (value: string) => (value.trim() === '' ? t('This field is required.') : undefined);

function checkServer(value: string) {
  const text = value.trim();
  if (text === '') return t('This field is required.');
  if (!/^http:\/\//i.test(text)) return undefined;
  const host = URL.canParse(text) ? new URL(text).hostname : '';
  return isLoopback(host)
    ? undefined
    : { warning: t('This address is not encrypted. Your password would be sent in plain text.') };
}

/**
 * Adds a folder as an account; undefined if the user cancels. It can only be chosen in this dialog: a setting could
 * come from a workspace, which could then have files written anywhere.
 */
async function addFolder(engine: DuelineEngine): Promise<Id | undefined> {
  const title = t('Add Folder');
  const [chosen] =
    (await vscode.window.showOpenDialog({ title, openLabel: title, canSelectFolders: true, canSelectFiles: false })) ??
    [];
  if (!chosen) return undefined;
  return engine.addAccount({ serverUrl: chosen.toString(), username: '', password: '' });
}
