import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { Disposables } from '../../core/kernel/events';
import { isQuiet, parseQuietHours } from '../../core/reminders/quietHours';
import type { Reminder, ReminderMode } from '../../core/reminders/reminders';
import { minuteMs } from '../../core/time/units';
import { setting } from '../../ui/settings/settings';

/** After the window's start, so that opening it waits for nothing. */
const startMs = 1_500;
const pollMs = 10_000;
/** An edit or a pull often comes with others. */
const debounceMs = 700;
/** A reminder older than this was missed: no window was open, or the machine slept. */
const lateMs = 2 * minuteMs;

/**
 * Checks for due reminders at the moment they are due, every ten seconds besides, after changes, and when the window
 * gains focus; then it also takes the lead, since the user is here. `show` gets the reminders to show now.
 */
export class ReminderNotifier implements vscode.Disposable {
  readonly #owned = new Disposables();
  #checking: Promise<void> | undefined;
  #isCheckPending = false;
  #soon: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(
    private readonly engine: DuelineEngine,
    private readonly log: vscode.LogOutputChannel,
    private readonly show: (due: readonly Reminder[]) => void,
  ) {
    const start = setTimeout(() => this.#start(), startMs);
    this.#owned.add({ dispose: () => clearTimeout(start) });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#owned.dispose();
    clearTimeout(this.#soon);
    clearTimeout(this.#next);
  }

  #start(): void {
    const poll = setInterval(() => this.#check(), pollMs);
    this.#owned.add({ dispose: () => clearInterval(poll) });
    const checkNow = () => this.#check(vscode.window.state.focused);
    this.#owned.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && checkNow()));
    this.#owned.add(vscode.debug.onDidTerminateDebugSession(() => this.#checkSoon()));
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration(
        event => event.affectsConfiguration('dueline.reminders') && this.#checkSoon(),
      ),
    );
    this.#owned.add(this.engine.onDidChange(() => this.#checkSoon()));
    this.#owned.add(this.engine.reminders.onDidChange(() => this.#checkSoon()));
    checkNow();
  }

  #checkSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#check();
    }, debounceMs);
  }

  /** Runs one check at a time; the next covers what comes meanwhile. */
  #check(eagerly = false): void {
    if (this.#isDisposed) return;
    if (this.#checking) {
      this.#isCheckPending = true;
      if (eagerly) this.engine.reminders.takeLead(true);
      return;
    }
    this.#checking = this.#checkOnce(eagerly)
      .catch(error => this.log.error(`Reminders: ${error instanceof Error ? error.message : error}`))
      .finally(() => {
        this.#checking = undefined;
        if (this.#isCheckPending) this.#checkSoon();
        this.#isCheckPending = false;
      });
  }

  async #checkOnce(eagerly: boolean): Promise<void> {
    const { reminders, clock, readOnlyReason } = this.engine;
    await reminders.open();
    if (readOnlyReason || !reminders.takeLead(eagerly)) return;
    const due = await reminders.fire(this.#mode());
    const shown = setting('dueline.reminders.catchUp')
      ? due
      : due.filter(({ fireAt }) => fireAt > clock.now() - lateMs);
    if (shown.length > 0) this.show(shown);
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#next);
    const { reminders, clock } = this.engine;
    const next = reminders.nextAt();
    if (next === undefined || this.#isDisposed) return;
    this.#next = setTimeout(() => this.#check(), Math.max(0, next - clock.now()) + 5);
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
