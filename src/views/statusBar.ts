import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { Disposables } from '../core/events';
import { titleOf } from './describe';
import { plain, t, tn } from './l10n';
import { accountNotes, ailingAccount, attentionSentence, signInCommand } from './serverWords';
import { dateStyle, setting } from './settings';
import { whenLabel } from './when';

/** Today's open count, overdue told apart; a click opens today's tasks. An account that needs a person shows here. */
export class StatusBar implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #item: vscode.StatusBarItem;

  constructor(private readonly engine: DuelineEngine) {
    this.#item = this.#owned.add(
      vscode.window.createStatusBarItem('dueline.today', vscode.StatusBarAlignment.Left, 50),
    );
    this.#item.name = t('Dueline: Today');
    this.#item.command = 'dueline.showToday';
    this.#owned.add(engine.onDidChange(() => this.update()));
    this.update();
  }

  update(): void {
    if (!setting<boolean>('dueline.statusBar.enabled')) {
      this.#item.hide();
      return;
    }
    const { overdue, rows } = todayRows(this.engine);
    // Only what a person must mend is red: a server that cannot be reached comes back by itself.
    const ailing = ailingAccount(this.engine);
    const attention = ailing !== undefined;
    this.#item.command = ailing ? signInCommand(ailing) : 'dueline.showToday';
    this.#item.text = `$(checklist) ${rows.length}${overdue > 0 ? ` $(flame) ${overdue}` : ''}${attention ? ' $(warning)' : ''}`;
    this.#item.backgroundColor = attention ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.tooltip = this.#tooltip(rows.length);
    const label = countSentence(rows.length, overdue);
    this.#item.accessibilityInformation = {
      label: ailing ? attentionSentence(label, ailing) : label,
      role: 'button',
    };
    this.#item.show();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #tooltip(open: number): vscode.MarkdownString {
    const { rows, overdue } = todayRows(this.engine);
    const style = dateStyle(this.engine);
    const text = new vscode.MarkdownString(undefined, true);
    text.appendMarkdown('**').appendText(countSentence(open, overdue)).appendMarkdown('**\n\n');
    for (const row of rows.slice(0, 8)) {
      const when = whenLabel(row, style);
      text.appendMarkdown(row.isOverdue ? '- $(flame) ' : '- ').appendText(plain(titleOf(row.task)).slice(0, 80));
      if (when) text.appendMarkdown(' — ').appendText(when);
      text.appendMarkdown('\n');
    }
    if (rows.length > 8) text.appendMarkdown('\n').appendText(tn(rows.length - 8, '{0} more', '{0} more'));
    for (const note of accountNotes(this.engine)) text.appendMarkdown(`\n\n$(${note.icon}) `).appendText(note.text);
    return text;
  }
}

export function todayRows(engine: Pick<DuelineEngine, 'widget'>) {
  const { groups } = engine.widget('today');
  const rows = groups.filter(({ key }) => key !== 'done').flatMap(group => group.items);
  return { rows, overdue: rows.filter(row => row.isOverdue).length };
}

export function countSentence(open: number, overdue: number): string {
  if (open === 0) return t('No task is due today');
  const due = tn(open, '{0} task for today', '{0} tasks for today');
  return overdue === 0 ? due : t('{0}, {1}', due, tn(overdue, '{0} of them overdue', '{0} of them overdue'));
}
