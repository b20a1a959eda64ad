import * as vscode from 'vscode';
import type { DuelineEngine, Reminder } from '../../api';
import type { ReminderAnswer } from '../../contributions/commandTargets';
import { t, unlinked } from '../../shared/l10n';
import { showInformation } from '../../ui/notifications';
import { setting } from '../../ui/settings/settings';
import { reminderHeadline } from '../../ui/text/reminderText';
import type { ReminderActions } from './reminderActions';

/** Shows reminders that have come due, in the way that is set. Whatever the way, they wait until they are answered. */
export class ReminderNotifications {
  /** The shown reminders by number: the link of a notification has no room for their keys. */
  readonly #shown = new Map<number, readonly Reminder[]>();
  #count = 0;

  constructor(
    private readonly engine: DuelineEngine,
    private readonly answers: ReminderActions,
    private readonly showList: () => Promise<void>,
  ) {}

  /** Never awaited by what found them: resolves once they are answered. */
  async show(due: readonly Reminder[]): Promise<void> {
    const display = setting('dueline.reminders.display');
    if (display === 'modal') await this.#ask(due);
    else if (display === 'notification') await this.#notify(due);
  }

  /** Carries out the user's choice in a notification. */
  async answer(answer: ReminderAnswer, notification: number): Promise<void> {
    const due = this.#waiting(this.#shown.get(notification) ?? []);
    const [first] = due;
    if (!first) return;
    if (answer === 'list') await this.showList();
    else if (answer === 'snooze') await this.answers.snooze(due);
    else await this.answers[answer](first);
  }

  /**
   * Notifies by a progress message, since VS Code hides a message with buttons after ten seconds, and closes no message
   * for an extension: this one stays, and goes when its reminders are answered, in whatever view. It has links for
   * buttons, and a full bar, which does not move.
   */
  async #notify(due: readonly Reminder[]): Promise<void> {
    const notification = ++this.#count;
    this.#shown.set(notification, due);
    // A string is the button's label, which the API's types do not allow; VS Code 1.90 shows Cancel.
    const cancellable = (due.length > 1 ? t('Dismiss All') : t('Dismiss')) as unknown as boolean;
    const options = { location: vscode.ProgressLocation.Notification, cancellable };
    try {
      await vscode.window.withProgress(options, async (progress, token) => {
        const reportProgress = (increment: number) => {
          const waiting = this.#waiting(due);
          if (waiting.length > 0) progress.report({ message: this.#message(waiting, notification), increment });
          return waiting.length > 0;
        };
        if (reportProgress(100)) await this.#answered(() => reportProgress(0), token);
      });
      const dismissed = this.#waiting(due);
      if (dismissed.length > 0) await this.answers.dismiss(dismissed);
    } finally {
      this.#shown.delete(notification);
    }
  }

  /** Resolves when `waits` returns false, or the user dismisses them. */
  #answered(waits: () => boolean, dismissed: vscode.CancellationToken): Promise<void> {
    return new Promise(resolve => {
      const listening = [
        this.engine.reminders.onDidChange(() => waits() || end()),
        dismissed.onCancellationRequested(() => end()),
      ];
      const end = () => {
        for (const one of listening) one.dispose();
        resolve();
      };
    });
  }

  #message(due: readonly Reminder[], notification: number): string {
    const link = (label: string, answer: ReminderAnswer) => {
      const args = encodeURIComponent(JSON.stringify([answer, notification]));
      return `[${label}](command:dueline.showPendingAlarms?${args})`;
    };
    const links =
      due.length > 1
        ? [link(t('Show Reminders'), 'list'), link(t('Snooze All…'), 'snooze')]
        : [link(t('Complete'), 'complete'), link(t('Snooze…'), 'snooze'), link(t('Open'), 'open')];
    return `${unlinked(reminderHeadline(due, this.engine))} — ${links.join(' · ')}`;
  }

  async #ask(due: readonly Reminder[]): Promise<void> {
    const [only, ...others] = due;
    if (!only) return;
    const dismiss = { title: others.length > 0 ? t('Dismiss All') : t('Dismiss'), isCloseAffordance: true };
    const complete = { title: t('Complete') };
    const open = { title: t('Open') };
    const list = { title: t('Show Reminders') };
    const snooze = { title: others.length > 0 ? t('Snooze All…') : t('Snooze…') };
    // The first is what Enter does, which may have been meant for the code.
    const choices = others.length > 0 ? [list, snooze] : [snooze, complete, open];
    const headline = reminderHeadline(due, this.engine);
    const picked = await showInformation(headline, { modal: true }, ...choices, dismiss);
    if (picked === complete) await this.answers.complete(only);
    else if (picked === open) await this.answers.open(only);
    else if (picked === list) await this.showList();
    else if (picked === snooze) await this.answers.snooze(due);
    else await this.answers.dismiss(due);
  }

  #waiting(due: readonly Reminder[]): readonly Reminder[] {
    const keys = new Set(due.map(({ key }) => key));
    return this.engine.reminders.pending().filter(({ key }) => keys.has(key));
  }
}
