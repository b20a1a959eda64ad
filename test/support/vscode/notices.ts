import type * as vscode from 'vscode';
import { type Changes, hasWords, type Words } from './changes';
import { CancellationTokenSource, Disposable, enums } from './values';

interface Button {
  readonly title: string;
  readonly isCloseAffordance?: boolean;
}

interface Notice {
  readonly severity: 'information' | 'warning' | 'error' | 'progress';
  readonly message: string;
  readonly detail?: string;
  readonly isModal: boolean;
  readonly buttons: readonly string[];
  /** Steps that a progress reported. */
  readonly steps: string[];
  /** A progress in the status bar. */
  readonly isInStatusBar?: boolean;
  close(button?: string): void;
}

/** A progress shows its title and its last step in one line. */
const wordsOf = ({ message, detail, steps }: Notice): string =>
  [[message, ...steps.slice(-1)].join(': '), detail].join('\n');

/** Notifications, dialogs, progress and the words in the status bar. */
export class Notices {
  readonly open: Notice[] = [];
  /** Words that `setStatusBarMessage` showed, oldest first. */
  readonly statusWords: string[] = [];
  /** The paths that the next file dialogs answer. A dialog without an answer is left with Escape. */
  readonly chosenFiles: vscode.Uri[] = [];
  readonly dialogs: (vscode.OpenDialogOptions & vscode.SaveDialogOptions)[] = [];

  constructor(private readonly changes: Changes) {}

  shower =
    (severity: Notice['severity']) =>
    (message: string, ...rest: (vscode.MessageOptions | string | Button)[]): Promise<unknown> => {
      const isOptions = typeof rest[0] === 'object' && !('title' in rest[0]);
      const options = isOptions ? (rest.shift() as vscode.MessageOptions) : {};
      const items = rest as (string | Button)[];
      const titleOf = (item: string | Button) => (typeof item === 'string' ? item : item.title);
      return new Promise(resolve => {
        const notice: Notice = {
          severity,
          message,
          ...(options.detail !== undefined && { detail: options.detail }),
          isModal: options.modal ?? false,
          buttons: items.map(titleOf),
          steps: [],
          close: button => {
            if (button !== undefined && !notice.buttons.includes(button))
              throw new Error(`No button ${button}, but ${notice.buttons.join(', ')}.`);
            this.#remove(notice);
            const closes = (item: string | Button) => typeof item === 'object' && item.isCloseAffordance;
            resolve(button === undefined ? items.find(closes) : items.find(item => titleOf(item) === button));
          },
        };
        this.#add(notice);
      });
    };

  async withProgress<T>(
    options: vscode.ProgressOptions,
    work: (progress: vscode.Progress<{ message?: string }>, token: vscode.CancellationToken) => PromiseLike<T>,
  ): Promise<T> {
    const source = new CancellationTokenSource();
    const notice: Notice = {
      severity: 'progress',
      message: options.title ?? '',
      isModal: false,
      buttons: options.cancellable ? ['Cancel'] : [],
      steps: [],
      isInStatusBar: options.location === enums.ProgressLocation.Window,
      close: () => source.cancel(),
    };
    this.#add(notice);
    const report = ({ message }: { message?: string }) => {
      if (message !== undefined) notice.steps.push(message);
      this.changes.notify();
    };
    try {
      return await work({ report }, source.token as unknown as vscode.CancellationToken);
    } finally {
      this.#remove(notice);
    }
  }

  setStatusBarMessage = (text: string): Disposable => {
    this.statusWords.push(text);
    this.changes.notify();
    return new Disposable(() => {});
  };

  showOpenDialog = async (options: vscode.OpenDialogOptions = {}): Promise<vscode.Uri[] | undefined> => {
    const chosen = await this.#dialog(options);
    return chosen && [chosen];
  };

  showSaveDialog = (options: vscode.SaveDialogOptions = {}): Promise<vscode.Uri | undefined> => this.#dialog(options);

  async #dialog(options: vscode.OpenDialogOptions & vscode.SaveDialogOptions): Promise<vscode.Uri | undefined> {
    this.dialogs.push(options);
    this.changes.notify();
    return this.chosenFiles.shift();
  }

  // The user

  notification(words: Words): Promise<Notice> {
    const open = () => this.open.find(one => !one.isInStatusBar && hasWords(wordsOf(one), words));
    return this.changes.until(`a notification with ${words}`, open);
  }

  /** The progress that the status bar shows with these words. */
  progress(words: Words): Promise<Notice> {
    const open = () => this.open.find(one => one.isInStatusBar && hasWords(wordsOf(one), words));
    return this.changes.until(`progress with ${words}`, open);
  }

  /** The modal dialog that is open. */
  dialog(): Promise<Notice> {
    return this.changes.until('a dialog', () => this.open.find(({ isModal }) => isModal));
  }

  async press(words: Words, button: string): Promise<void> {
    (await this.notification(words)).close(button);
  }

  /** A link to a command in the words of a notification. */
  link(words: Words, label: string): Promise<{ command: string; args: unknown[] }> {
    const findLink = () => {
      const notice = this.open.find(one => hasWords(wordsOf(one), words));
      const links = notice ? [...wordsOf(notice).matchAll(/\[([^\]]*)\]\(command:([^?)]+)\??([^)]*)\)/g)] : [];
      return links.find(([, words]) => words === label);
    };
    return this.changes.until(`a link ${label} in ${words}`, findLink).then(([, , command = '', args = '']) => ({
      command,
      args: args === '' ? [] : JSON.parse(decodeURIComponent(args)),
    }));
  }

  statusShowed(words: Words): Promise<string> {
    return this.changes.until(`the status bar to say ${words}`, () =>
      this.statusWords.find(one => hasWords(one, words)),
    );
  }

  clear(): void {
    for (const notice of [...this.open]) if (notice.severity !== 'progress') notice.close();
    this.statusWords.length = 0;
  }

  /** The window is closed, and with it all of its notifications. */
  forget(): void {
    this.clear();
    this.open.length = 0;
    this.changes.notify();
  }

  #add(notice: Notice): void {
    this.open.push(notice);
    this.changes.notify();
  }

  #remove(notice: Notice): void {
    const at = this.open.indexOf(notice);
    if (at >= 0) this.open.splice(at, 1);
    this.changes.notify();
  }
}
