import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { Disposables } from '../../core/kernel/events';
import { brief, isolate, numeral, t, tn } from '../../shared/l10n';
import { appendPlain } from '../../ui/text/plainText';
import { reminderDetails } from '../../ui/text/reminderText';
import { titleOf } from '../../ui/text/taskText';

/** How many reminders wait for an answer; a click shows them. Hidden if none does. */
export class ReminderStatus implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #item: vscode.StatusBarItem;

  constructor(private readonly engine: DuelineEngine) {
    this.#item = this.#owned.add(
      vscode.window.createStatusBarItem('dueline.reminders', vscode.StatusBarAlignment.Left, 49.5),
    );
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#item.name = t('Dueline: Reminders');
    this.#item.command = 'dueline.showPendingAlarms';
    this.#owned.add(engine.reminders.onDidChange(() => this.update()));
    this.update();
  }

  update(): void {
    const waiting = this.engine.reminders.pending();
    if (waiting.length === 0) {
      this.#item.hide();
      return;
    }
    const sentence = tn(waiting.length, '{0} pending reminder', '{0} pending reminders');
    const text = new vscode.MarkdownString();
    text.appendMarkdown('**').appendText(sentence).appendMarkdown('**\n\n');
    for (const reminder of waiting.slice(0, 8)) {
      appendPlain(text.appendMarkdown('- '), isolate(brief(titleOf(reminder.task), 80)));
      for (const detail of reminderDetails(reminder, this.engine)) appendPlain(text.appendMarkdown(' · '), detail);
      text.appendMarkdown('\n');
    }
    this.#item.text = `$(bell-dot) ${numeral(waiting.length)}`;
    this.#item.tooltip = text;
    this.#item.accessibilityInformation = { label: sentence, role: 'button' };
    this.#item.show();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
