import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { Disposables } from '../core/events';
import { type Occurrence, Status } from '../core/model';
import { brief, isolate, numeral, t } from '../shared/l10n';
import { setting } from '../ui/settings/settings';
import { titleOf } from '../ui/text/taskText';

/** So many are named, the one that was changed last first. */
const mostNamed = 8;

/** What the person is working on; a click shows what can be done with it, and its tooltip has a link that stops each. */
export class WorkingOn implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #item: vscode.StatusBarItem;
  #shown: readonly Occurrence[] | undefined;

  constructor(private readonly engine: DuelineEngine) {
    this.#item = this.#owned.add(
      vscode.window.createStatusBarItem('dueline.working', vscode.StatusBarAlignment.Left, 49.8),
    );
    this.#item.name = t('Dueline: Working On');
    this.#owned.add(engine.onDidChange(() => this.update()));
    this.update();
  }

  update(): void {
    const rows = this.engine.lines('is:started sort:-modified', { limit: mostNamed });
    const isOn = setting('dueline.statusBar.enabled');
    if (rows === this.#shown && isOn) return;
    this.#shown = isOn ? rows : undefined;
    const started = rows.filter(({ task }) => task.status === Status.inProcess);
    const [first] = started;
    if (!first || !isOn) {
      this.#item.hide();
      return;
    }
    const words = t('Working on {0}', isolate(brief(titleOf(first.task), 40)));
    const more = started.length > 1 ? ` +${numeral(started.length - 1)}` : '';
    this.#item.text = `$(play) ${words}${more}`;
    this.#item.tooltip = this.#tooltip(started);
    this.#item.command = { command: 'dueline.actions', title: words, arguments: [first.task.id] };
    this.#item.accessibilityInformation = { label: `${words}${more}`, role: 'button' };
    this.#item.show();
  }

  #tooltip(started: readonly Occurrence[]): vscode.MarkdownString {
    const text = new vscode.MarkdownString();
    text.isTrusted = { enabledCommands: ['dueline.stop'] };
    for (const { task } of started)
      text
        .appendMarkdown('- ')
        .appendText(isolate(brief(titleOf(task), 80)))
        .appendMarkdown(
          ` — [${t('Stop Working')}](command:dueline.stop?${encodeURIComponent(JSON.stringify([task.id]))})\n`,
        );
    return text;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
