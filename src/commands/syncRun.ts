import * as vscode from 'vscode';
import type { SyncOptions, SyncReport } from '../api';
import { isDuelineError } from '../core/errors';
import { contextKeys } from '../ids';
import { isolate, t } from '../views/l10n';
import type { Parts } from '../views/parts';
import { SyncNotices } from './syncNotices';

export type SyncScope = Pick<SyncOptions, 'accountId' | 'listId'>;

/** A first sync of this many tasks deserves more than the status bar. */
const manyTasks = 400;

/** The one way to a sync in this window: with its progress, its end by cancel, and what is worth saying afterwards. */
export class SyncRuns implements vscode.Disposable {
  readonly #running = new Set<AbortController>();
  readonly #notices: SyncNotices;
  /** Told after every run, asked for or not. */
  onDidRun: (() => void) | undefined;

  constructor(private readonly parts: Parts) {
    this.#notices = new SyncNotices(parts);
  }

  async run(scope: SyncScope, trigger: 'person' | 'schedule'): Promise<SyncReport | undefined> {
    const stop = new AbortController();
    this.#running.add(stop);
    await this.#publish();
    try {
      const report = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: t('Syncing') },
        progress => this.#sync(scope, trigger, stop, progress),
      );
      this.#notices.tell(report, trigger);
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
    trigger: 'person' | 'schedule',
    stop: AbortController,
    progress: vscode.Progress<{ message?: string }>,
  ): Promise<SyncReport> {
    const long = new LongSync(stop);
    const running = this.parts.engine.sync({
      ...scope,
      trigger,
      signal: stop.signal,
      onProgress: ({ label, done, total }) => {
        progress.report({ message: total > 1 ? t('{0}: {1} of {2}', isolate(label), done, total) : isolate(label) });
        if (total >= manyTasks) long.report(label, done, total);
      },
    });
    return running.finally(() => long.end());
  }

  #publish(): Thenable<unknown> {
    return vscode.commands.executeCommand('setContext', contextKeys.syncing, this.#running.size > 0);
  }
}

/** A notification with a bar and a way out, for a download that takes a while. */
class LongSync {
  #report: ((label: string, done: number, total: number) => void) | undefined;
  #end: (() => void) | undefined;
  #shown = 0;

  constructor(private readonly stop: AbortController) {}

  report(label: string, done: number, total: number): void {
    if (!this.#end) this.#open();
    this.#report?.(label, done, total);
  }

  end(): void {
    this.#end?.();
  }

  #open(): void {
    const ended = new Promise<void>(resolve => {
      this.#end = resolve;
    });
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: t('Syncing'), cancellable: true },
      (progress, token) => {
        token.onCancellationRequested(() => this.stop.abort());
        this.#report = (label, done, total) => {
          const share = (100 * done) / total;
          progress.report({
            message: t('{0}: {1} of {2}', isolate(label), done, total),
            increment: Math.max(0, share - this.#shown),
          });
          this.#shown = share;
        };
        return ended;
      },
    );
  }
}
