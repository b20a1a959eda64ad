import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { isDuelineError } from '../core/kernel/errors';
import { Disposables } from '../core/kernel/events';
import { wholeToday } from '../query/eval/builtInFilters';
import { brief, isolate, numeral, t, tn } from '../shared/l10n';
import { explain } from '../ui/errors';
import { dateStyle, setting } from '../ui/settings/settings';
import { rowMoment } from '../ui/text/dateText';
import { appendPlain } from '../ui/text/plainText';
import { accountNotes, attentionSentence, failingAccount, remedyCommand } from '../ui/text/syncText';
import { titleOf } from '../ui/text/taskText';
import { countSentence, type TodayCount, todayCount } from '../ui/todayCount';

/**
 * Today's open count, with the overdue tasks apart; a click opens today's tasks. An account that needs the user shows
 * here.
 */
export class StatusBar implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #item = vscode.window.createStatusBarItem('dueline.today', vscode.StatusBarAlignment.Left, 50);

  constructor(private readonly engine: DuelineEngine) {
    this.#item.name = t('Dueline: Today');
    this.#owned.add(this.#item);
    this.#owned.add(engine.onDidChange(() => this.update()));
    this.update();
  }

  update(): void {
    if (!setting('dueline.statusBar.enabled')) {
      this.#item.hide();
      return;
    }
    const item = this.#item;
    const counted = countedRows(this.engine);
    const { open, overdue, query } = counted;
    // Only what the user must fix is red: an unreachable server comes back by itself.
    const failing = failingAccount(this.engine);
    const attention = failing !== undefined;
    item.command = failing
      ? remedyCommand(this.engine, failing)
      : query === undefined
        ? 'dueline.showToday'
        : { command: 'dueline.search', title: t('Search Tasks'), arguments: [query] };
    const late = overdue > 0 ? ` · ${tn(overdue, '{0} overdue', '{0} overdue')}` : '';
    item.text = `$(checklist) ${numeral(open)}${late}${attention ? ' $(warning)' : ''}`;
    item.backgroundColor = attention ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.tooltip = this.#tooltip(counted);
    const label = sentenceOf(counted);
    item.accessibilityInformation = {
      label: failing ? attentionSentence(label, failing) : label,
      role: 'button',
    };
    item.show();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #tooltip(counted: Counted): vscode.MarkdownString {
    const { open, rows } = counted;
    const style = dateStyle(this.engine);
    const text = new vscode.MarkdownString(undefined, true);
    appendPlain(text.appendMarkdown('**'), sentenceOf(counted)).appendMarkdown('**\n\n');
    for (const row of rows.slice(0, 8)) {
      const when = rowMoment(row, style);
      appendPlain(text.appendMarkdown(row.isOverdue ? '- $(flame) ' : '- '), isolate(brief(titleOf(row.task), 80)));
      if (when) text.appendMarkdown(' — ').appendText(when);
      text.appendMarkdown('\n');
    }
    if (open > 8) text.appendMarkdown('\n').appendText(tn(open - 8, '{0} more', '{0} more'));
    for (const note of accountNotes(this.engine)) appendPlain(text.appendMarkdown(`\n\n$(${note.icon}) `), note.text);
    return text;
  }
}

interface Counted extends TodayCount {
  /** The user's own query, if it is not Today. */
  readonly query?: string;
  readonly problem?: string;
}

/** The tasks of today, or of the query that the setting names instead. */
function countedRows(engine: Pick<DuelineEngine, 'widget'>): Counted {
  const query = setting('dueline.statusBar.query').trim();
  if (query === '' || query === wholeToday) return todayCount(engine);
  try {
    const rows = engine.widget('tasks', { filter: query }).groups.flatMap(group => group.items);
    const found = [...new Map(rows.map(row => [`${row.task.id}/${row.due}`, row])).values()];
    return { rows: found, open: found.length, overdue: found.filter(row => row.isOverdue).length, query };
  } catch (error) {
    if (!isDuelineError(error)) throw error;
    return { rows: [], open: 0, overdue: 0, query, problem: explain(error) };
  }
}

function sentenceOf({ open, overdue, query, problem }: Counted): string {
  if (problem !== undefined) return t('Invalid status bar query: {0}', problem);
  if (query === undefined) return countSentence(open, overdue);
  const found = tn(open, '{0} task matches {1}', '{0} tasks match {1}', isolate(query));
  return overdue === 0 ? found : t('{0}, {1}', found, tn(overdue, '{0} overdue', '{0} overdue'));
}
