import * as vscode from 'vscode';
import type { DuelineEngine, SyncOptions, SyncProgress, SyncReport } from '../../api';
import { contextKeys } from '../../contributions/ids';
import { isDuelineError } from '../../core/kernel/errors';
import type { SyncTrigger } from '../../core/sync/syncReport';
import { isolate, t, unlinked } from '../../shared/l10n';
import { SyncNotices } from './syncNotices';

export type SyncScope = Pick<SyncOptions, 'accountId' | 'listId'>;

/** A first sync of this many tasks deserves more than the status bar. */
const manyTasks = 400;
/** And so does one that takes longer than these milliseconds. */
const soon = 2_000;

/** The one way to a sync in this window: shows its progress, cancels it, and reports its result. */
export class SyncRunner implements vscode.Disposable {
  readonly #running = new Set<AbortController>();
  readonly #notices: SyncNotices;
  /** Called after every run, requested or automatic. */
  onDidRun: (() => void) | undefined;

  constructor(private readonly engine: DuelineEngine) {
    this.#notices = new SyncNotices(engine);
  }

  async run(scope: SyncScope, trigger: SyncTrigger): Promise<SyncReport | undefined> {
    const stop = new AbortController();
    this.#running.add(stop);
    await this.#publish();
    try {
      const report = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: t('Syncing') },
        progress => this.#sync(scope, trigger, stop, progress),
      );
      this.#notices.show(report, trigger);
      return report;
    } catch (error) {
      if (isDuelineError(error, 'cancelled')) return undefined;
      throw error;
    } finally {
      this.#running.delete(stop);
      await this.#publish();
      this.onDidRun?.();
    }
  }

  cancel(): void {
    for (const stop of this.#running) stop.abort();
  }

  dispose(): void {
    this.cancel();
  }

  #sync(
    scope: SyncScope,
    trigger: SyncTrigger,
    stop: AbortController,
    progress: vscode.Progress<{ message?: string }>,
  ): Promise<SyncReport> {
    const long = new LongSync(stop);
    const waiting = this.#isFirst(scope) ? setTimeout(() => long.open(), soon) : undefined;
    const running = this.engine.sync({
      ...scope,
      trigger,
      signal: stop.signal,
      onProgress: step => {
        progress.report({ message: wordingOf(step) });
        if (step.total >= manyTasks) long.open();
        long.report(step);
      },
    });
    return running.finally(() => {
      clearTimeout(waiting);
      long.end();
    });
  }

  /** Tests whether an account is fetched for the first time. */
  #isFirst({ accountId, listId }: SyncScope): boolean {
    const list = this.engine.lists().find(({ id }) => id === listId);
    const only = accountId ?? list?.accountId ?? undefined;
    return this.engine
      .accounts()
      .some(({ id, lastSyncAt }) => lastSyncAt === null && (only === undefined || only === id));
  }

  #publish(): Thenable<unknown> {
    return vscode.commands.executeCommand('setContext', contextKeys.syncing, this.#running.size > 0);
  }
}

/** A list's name, and how many of its tasks if that is known. */
function wordingOf({ label, done, total }: SyncProgress): string {
  return unlinked(total > 1 ? t('{0}: {1} of {2}', isolate(label), done, total) : isolate(label));
}

/** A notification with a bar and a way out, for a download that takes a while. */
class LongSync {
  #progress: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  #end: (() => void) | undefined;
  #last: SyncProgress | undefined;
  /** The list that the bar is about, and its share in hundredths. */
  #shown = { label: '', share: 0 };

  constructor(private readonly stop: AbortController) {}

  report(step: SyncProgress): void {
    this.#last = step;
    if (!this.#progress) return;
    if (step.label !== this.#shown.label && this.#shown.share > 0) {
      // A bar cannot go back: the next list gets one of its own.
      this.end();
      this.open();
      return;
    }
    const share = step.total > 1 ? (100 * step.done) / step.total : 0;
    this.#progress.report({ message: wordingOf(step), increment: Math.max(0, share - this.#shown.share) });
    this.#shown = { label: step.label, share };
  }

  end(): void {
    this.#end?.();
    this.#end = undefined;
    this.#progress = undefined;
    this.#shown = { label: '', share: 0 };
  }

  open(): void {
    if (this.#end) return;
    const ended = new Promise<void>(resolve => {
      this.#end = resolve;
    });
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: t('Syncing'), cancellable: true },
      (progress, token) => {
        token.onCancellationRequested(() => this.stop.abort());
        if (this.#end === undefined) return ended;
        this.#progress = progress;
        if (this.#last) this.report(this.#last);
        return ended;
      },
    );
  }
}
