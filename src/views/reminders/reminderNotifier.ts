import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { Disposables } from '../../core/kernel/events';
import { isQuiet, parseQuietHours } from '../../core/reminders/quietHours';
import type { Reminder, ReminderMode } from '../../core/reminders/reminders';
import { minuteMs } from '../../core/time/units';
import { setting } from '../../ui/settings/settings';

/** After the window's start, so that opening it waits for nothing. */
const startMs = 1_500;
const beatMs = 10_000;
/** An edit or a pull often comes with others. */
const settleMs = 700;
/** A reminder older than this was missed: no window was open, or the machine slept. */
const lateMs = 2 * minuteMs;

/**
 * Checks for due reminders at the moment they are due, every ten seconds besides, after changes, and when the window
 * gains focus; then it also takes the lead, since the user is here. `tell` gets the reminders to show now.
 */
export class ReminderNotifier implements vscode.Disposable {
  readonly #owned = new Disposables();
  #looking: Promise<void> | undefined;
  #again = false;
  #soon: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    private readonly engine: DuelineEngine,
    private readonly log: vscode.LogOutputChannel,
    private readonly tell: (due: readonly Reminder[]) => void,
  ) {
    const start = setTimeout(() => this.#start(), startMs);
    this.#owned.add({ dispose: () => clearTimeout(start) });
  }

  dispose(): void {
    this.#isOver = true;
    this.#owned.dispose();
    clearTimeout(this.#soon);
    clearTimeout(this.#next);
  }

  #start(): void {
    const beat = setInterval(() => this.#look(), beatMs);
    this.#owned.add({ dispose: () => clearInterval(beat) });
    const hurry = () => this.#look(vscode.window.state.focused);
    this.#owned.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && hurry()));
    this.#owned.add(vscode.debug.onDidTerminateDebugSession(() => this.#lookSoon()));
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration(
        event => event.affectsConfiguration('dueline.reminders') && this.#lookSoon(),
      ),
    );
    this.#owned.add(this.engine.onDidChange(() => this.#lookSoon()));
    this.#owned.add(this.engine.reminders.onDidChange(() => this.#lookSoon()));
    hurry();
  }

  #lookSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#look();
    }, settleMs);
  }

  /** One look at a time; what comes meanwhile is seen by the next. */
  #look(eagerly = false): void {
    if (this.#isOver) return;
    if (this.#looking) {
      this.#again = true;
      if (eagerly) this.engine.reminders.lead(true);
      return;
    }
    this.#looking = this.#lookOnce(eagerly)
      .catch(error => this.log.error(`Reminders: ${error instanceof Error ? error.message : error}`))
      .finally(() => {
        this.#looking = undefined;
        if (this.#again) this.#lookSoon();
        this.#again = false;
      });
  }

  async #lookOnce(eagerly: boolean): Promise<void> {
    const { reminders, clock, readOnlyReason } = this.engine;
    await reminders.open();
    if (readOnlyReason || !reminders.lead(eagerly)) return;
    const due = await reminders.fire(this.#mode());
    const told = setting('dueline.reminders.catchUp') ? due : due.filter(({ fireAt }) => fireAt > clock.now() - lateMs);
    if (told.length > 0) this.tell(told);
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#next);
    const { reminders, clock } = this.engine;
    const next = reminders.nextAt();
    if (next === undefined || this.#isOver) return;
    this.#next = setTimeout(() => this.#look(), Math.max(0, next - clock.now()) + 5);
  }

  #mode(): ReminderMode {
    if (!setting('dueline.reminders.enabled')) return 'off';
    const { clock } = this.engine;
    const quiet = parseQuietHours(setting('dueline.reminders.quietHours'));
    if (quiet && isQuiet(quiet, clock.now(), clock.timeZone)) return 'quiet';
    const isDebugging = vscode.debug.activeDebugSession !== undefined;
    return isDebugging && setting('dueline.reminders.quietWhileDebugging') ? 'quiet' : 'show';
  }
}
