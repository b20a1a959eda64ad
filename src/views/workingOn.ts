import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { hoursText, workTimeOf } from '../core/code/workTime';
import { Disposables } from '../core/kernel/events';
import { type Occurrence, Status, type Task } from '../core/kernel/model';
import type { ActiveTask } from '../core/kernel/working';
import { minuteMs } from '../core/time/units';
import { addition, brief, isolate, t } from '../shared/l10n';
import { setting } from '../ui/settings/settings';
import { appendPlain } from '../ui/text/plainText';
import { titleOf } from '../ui/text/taskText';

/** The most tasks that are named, the last changed one first. */
const maxNames = 8;

const actions = (): Readonly<Record<string, string>> => ({
  'dueline.start': t('Start Working'),
  'dueline.stop': t('Stop Working'),
});

/**
 * The status bar item of the active task with its time, or else of one that is in progress; a click shows the actions
 * for it, and its tooltip has links that start and stop each. A task whose time ended with the editor is offered to
 * resume.
 */
export class WorkingOn implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #item: vscode.StatusBarItem;
  #shown: readonly unknown[] = [];

  constructor(private readonly engine: DuelineEngine) {
    this.#item = this.#owned.add(
      vscode.window.createStatusBarItem('dueline.working', vscode.StatusBarAlignment.Left, 49.8),
    );
    this.#item.name = t('Dueline: Working On');
    this.#owned.add(engine.onDidChange(() => this.update()));
    const ticking = setInterval(() => this.update(), minuteMs / 2);
    this.#owned.add({ dispose: () => clearInterval(ticking) });
    this.update();
  }

  update(): void {
    const rows = this.engine.lines('is:started sort:-modified', { limit: maxNames });
    const active = this.engine.working.active();
    const time = active ? hoursText(this.#elapsed(active)) : undefined;
    const offered = active ? undefined : this.engine.working.interrupted();
    const shown = [setting('dueline.statusBar.enabled'), rows, active?.task, time, offered];
    if (shown.every((part, at) => part === this.#shown[at])) return;
    this.#shown = shown;
    const started = rows.filter(({ task }) => task.status === Status.inProcess);
    const first = active?.task ?? offered ?? started[0]?.task;
    if (!first || !shown[0]) {
      this.#item.hide();
      return;
    }
    const title = isolate(brief(titleOf(first), 40));
    // Time runs for the active task alone: the user may have stopped working on the others long ago.
    const words = offered
      ? t('Resume {0}?', title)
      : active
        ? t('Working on {0}', title)
        : t('In progress: {0}', title);
    const others = started.filter(({ task }) => task.uid !== first.uid).length;
    const more = others > 0 ? ` ${addition(others)}` : '';
    this.#item.text = `$(play) ${time === undefined ? words : `${title} ${time}`}${more}`;
    this.#item.tooltip = this.#tooltip(started, active);
    const command = offered ? 'dueline.start' : 'dueline.actions';
    this.#item.command = { command, title: words, arguments: [first.id] };
    this.#item.accessibilityInformation = { label: [words, time].filter(Boolean).join(' ') + more, role: 'button' };
    this.#item.show();
  }

  /** While all windows are idle, the elapsed time does not grow. */
  #elapsed({ start, seen }: ActiveTask): number {
    const { clock, settings } = this.engine;
    const now = clock.now();
    const isAway = settings.idleMinutes > 0 && now - seen >= settings.idleMinutes * minuteMs;
    return Math.max(0, (isAway ? seen : now) - start);
  }

  #tooltip(started: readonly Occurrence[], active: ActiveTask | undefined): vscode.MarkdownString {
    const text = new vscode.MarkdownString();
    text.isTrusted = { enabledCommands: [...Object.keys(actions()), 'dueline.timeReport'] };
    for (const { task } of started) {
      const isRunning = task.uid === active?.task.uid;
      const links = Object.entries(actions()).flatMap(([command, words]) =>
        isRunning && command === 'dueline.start'
          ? []
          : `[${words}](command:${command}?${encodeURIComponent(JSON.stringify([task.id]))})`,
      );
      const words = isolate(brief(titleOf(task), 80)) + this.#timeOf(task, isRunning ? active : undefined);
      appendPlain(text.appendMarkdown('- '), words).appendMarkdown(` — ${links.join(' · ')}\n`);
    }
    return text.appendMarkdown(`\n[${t('Time Report')}](command:dueline.timeReport)`);
  }

  /** The time, including its earlier sessions. */
  #timeOf(task: Task, active: ActiveTask | undefined): string {
    const ms = workTimeOf(this.engine.task(task.masterId ?? task.id) ?? task).ms + (active ? this.#elapsed(active) : 0);
    return ms > 0 ? ` ${hoursText(ms)}` : '';
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
