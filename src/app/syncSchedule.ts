import * as vscode from 'vscode';
import type { Change, DuelineEngine } from '../api';
import type { SyncRunner, SyncScope } from '../commands/sync/syncRunner';
import type { EpochMs, Id } from '../core/kernel/model';
import { isMovedAway } from '../core/kernel/tombstone';
import type { SyncTrigger } from '../core/sync/syncReport';
import type { SyncStatus } from '../core/sync/syncState';
import { Lease, leaseBeatMs } from '../process/lease';
import { Scheduler } from '../sync/scheduler';
import type { Services } from '../ui/services';
import { setting } from '../ui/settings/settings';

/** Lets a window sync by itself, one window among those on the store. */
export function scheduleSync(
  { engine, log }: Pick<Services, 'engine' | 'log'>,
  syncing: SyncStatus,
  runs: SyncRunner,
  folder: vscode.Uri,
): vscode.Disposable {
  const scheduler = new Scheduler({
    clock: engine.clock,
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    leader: new Lease(folder.fsPath, 'sync', engine.clock),
    heartbeatMs: leaseBeatMs,
    settings: () => ({
      isEnabled: setting('dueline.sync.enabled') && engine.accounts().length + feedsOf(engine).length > 0,
      intervalMinutes: setting('dueline.sync.intervalMinutes'),
      onFocus: setting('dueline.sync.onFocus'),
      afterEdits: setting('dueline.sync.onSave'),
    }),
    isPaused: () => syncing.isPaused,
    lastRunAt: () => {
      const times = [
        ...engine.accounts().flatMap(({ lastSyncAt }) => lastSyncAt ?? []),
        ...feedsOf(engine).flatMap(({ readAt }) => readAt ?? []),
      ];
      return times.length === 0 ? undefined : Math.max(...times);
    },
    run: async ({ listId, trigger }) => {
      await runQuietly(log, runs, listId === undefined ? {} : { listId }, trigger);
      return nextTry(engine, syncing);
    },
  });
  runs.onDidRun = () => scheduler.ran(nextTry(engine, syncing));
  return vscode.Disposable.from({ dispose: () => scheduler.dispose() }, connectEvents(scheduler, engine, syncing));
}

/** Calendars that are read together with the accounts, and need none. */
const feedsOf = ({ meetings }: DuelineEngine) => meetings.calendars.filter(({ kind }) => kind === 'feed');

/** The time at which the next of the failing accounts may be tried again. */
function nextTry(engine: DuelineEngine, syncing: SyncStatus): EpochMs | undefined {
  const now = engine.clock.now();
  const times = engine
    .accounts()
    .map(({ id }) => syncing.accountState(id))
    .flatMap(({ problem, nextTry }) => (problem === 'none' || problem === 'action' ? [] : (nextTry ?? [])))
    .filter(time => time > now);
  return times.length === 0 ? undefined : Math.min(...times);
}

async function runQuietly(
  log: vscode.LogOutputChannel,
  runs: SyncRunner,
  scope: SyncScope,
  trigger: SyncTrigger,
): Promise<void> {
  try {
    await runs.run(scope, trigger);
  } catch (error) {
    log.warn(`Sync: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Notifies the scheduler of events that make it sync earlier or later than planned. */
function connectEvents(scheduler: Scheduler, engine: DuelineEngine, syncing: SyncStatus): vscode.Disposable {
  let paused = syncing.isPaused;
  let feeds = 0;
  return vscode.Disposable.from(
    engine.onDidChange(change => {
      const isElsewhere = change.origin === 'otherWindow';
      for (const listId of listsToSend(change, engine)) scheduler.edited(listId, isElsewhere);
    }),
    engine.meetings.onDidChange(() => {
      const { length } = feedsOf(engine);
      if (feeds !== length) scheduler.replan();
      feeds = length;
    }),
    syncing.onDidDecide(listId => scheduler.edited(listId)),
    syncing.watchFolders(listId => scheduler.arrived(listId)),
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

/** The lists with a change that was not sent: only the changed tasks are checked, since thousands may wait. */
function listsToSend({ origin, tasks, lists }: Change, engine: DuelineEngine): Set<Id> {
  if (origin === 'sync') return new Set();
  const synced = new Map(engine.lists().flatMap(list => (list.accountId === null ? [] : [[list.id, list] as const])));
  if (synced.size === 0) return new Set();
  const waiting = tasks
    .flatMap(id => engine.task(id) ?? [])
    .filter(({ listId, isDirty, isDeleted }) => synced.has(listId) && (isDirty || isDeleted));
  // The other half of a move is sent with its new list, if that is on a server.
  const arriving = waiting.filter(({ unknownProperties }) => !isMovedAway(unknownProperties));
  const changed = lists.flatMap(id => synced.get(id) ?? []).filter(({ isDirty, href }) => isDirty || href === null);
  return new Set([
    ...changed.map(({ id }) => id),
    ...(arriving.length > 0 ? arriving : waiting).map(({ listId }) => listId),
  ]);
}
