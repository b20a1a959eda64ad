import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { Disposables } from '../core/kernel/events';
import type { Absence } from '../core/kernel/working';
import { isolate, t } from '../shared/l10n';
import { showInformation } from '../ui/notifications';
import { lengthLabel } from '../ui/text/alarmText';
import { titleOf } from '../ui/text/taskText';

/** After the window's start, so that opening it waits for nothing. */
const startMs = 1_500;
const pollMs = 20_000;

/** Reports whether someone is at this window, and asks about the time in which all windows were idle. */
export class WorkPresence implements vscode.Disposable {
  readonly #owned = new Disposables();

  constructor(
    private readonly engine: Pick<DuelineEngine, 'working'>,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const start = setTimeout(() => this.#start(), startMs);
    this.#owned.add({ dispose: () => clearTimeout(start) });
  }

  #start(): void {
    const poll = setInterval(() => this.#reportPresence(), pollMs);
    this.#owned.add({ dispose: () => clearInterval(poll) });
    this.#owned.add(vscode.window.onDidChangeWindowState(() => this.#reportPresence()));
    this.#reportPresence();
  }

  #reportPresence(): void {
    const { focused, active } = vscode.window.state;
    this.engine.working
      .reportPresence(focused && active)
      .then(absence => absence && this.#ask(absence))
      .catch(error => this.log.error(`The active task: ${error instanceof Error ? error.message : error}`));
  }

  async #ask(absence: Absence): Promise<void> {
    const task = this.engine.working.active()?.task;
    if (!task) return;
    const [keep, discard] = [t('Keep'), t('Discard')];
    const away = lengthLabel(absence.to - absence.from);
    const question = t('You were away for {0}. Count this time toward {1}?', away, isolate(titleOf(task)));
    if ((await showInformation(question, keep, discard)) !== discard) return;
    if (!(await this.engine.working.discard(absence)))
      void showInformation(t('This time was already added to the task. You can undo this.'));
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
