import * as vscode from 'vscode';
import type { SyncRuns } from '../commands/syncRun';
import type { SyncSurface } from '../core/syncState';
import { Lease, leaseBeatMs } from '../store/lease';
import { Scheduler } from '../sync/scheduler';
import type { Parts } from '../views/parts';
import { setting } from '../views/settings';

/** Lets a window sync by itself, one window among those on the store. */
export function scheduleSync(
  parts: Parts,
  syncing: SyncSurface,
  runs: SyncRuns,
  folder: vscode.Uri,
): vscode.Disposable {
  const { engine, log } = parts;
  const nextTry = () => {
    const now = engine.clock.now();
    const times = engine
      .accounts()
      .map(({ id }) => syncing.accountState(id))
      .flatMap(({ trouble, nextTry }) => (trouble === 'none' || trouble === 'action' ? [] : (nextTry ?? [])))
      .filter(time => time > now);
    return times.length === 0 ? undefined : Math.min(...times);
  };
  const scheduler = new Scheduler({
    clock: engine.clock,
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    lead: new Lease(folder.fsPath, 'sync', engine.clock),
    beatMs: leaseBeatMs,
    settings: () => ({
      isEnabled: setting<boolean>('dueline.sync.enabled') && engine.accounts().length > 0,
      intervalMinutes: setting<number>('dueline.sync.intervalMinutes'),
      onFocus: setting<boolean>('dueline.sync.onFocus'),
      afterEdits: setting<boolean>('dueline.sync.onSave'),
    }),
    isPaused: () => syncing.isPaused,
    lastRunAt: () => {
      const times = engine.accounts().flatMap(({ lastSyncAt }) => lastSyncAt ?? []);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    run: async listId => {
      try {
        await runs.run(listId === undefined ? {} : { listId }, 'schedule');
      } catch (error) {
        log.warn(`Sync: ${error instanceof Error ? error.message : String(error)}`);
      }
      return nextTry();
    },
  });
  runs.onDidRun = () => scheduler.ran(nextTry());

  let paused = syncing.isPaused;
  return vscode.Disposable.from(
    { dispose: () => scheduler.dispose() },
    engine.onDidChange(change => {
      if (change.origin !== 'user' && change.origin !== 'undo') return;
      const ids = new Set([...change.tasks, ...change.lists.map(id => -id)]);
      if (ids.size === 0 || engine.accounts().length === 0) return;
      const waiting = syncing
        .pendingChanges()
        .filter(({ taskId, listId }) => ids.has(-listId) || (taskId !== null && ids.has(taskId)));
      for (const listId of new Set(waiting.map(one => one.listId))) scheduler.edited(listId);
    }),
    syncing.onDidChangeState(() => {
      if (paused === syncing.isPaused) return;
      paused = syncing.isPaused;
      scheduler.replan();
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && scheduler.focused()),
    vscode.workspace.onDidChangeConfiguration(
      event => event.affectsConfiguration('dueline.sync') && scheduler.replan(),
    ),
  );
}
