import type { EpochMs, Id } from '../core/kernel/model';
import type { SyncTrigger } from '../core/sync/syncReport';
import type { Clock } from '../core/time/clock';
import { minuteMs } from '../core/time/units';

interface ScheduleSettings {
  readonly isEnabled: boolean;
  /** 0: only when the user asks. */
  readonly intervalMinutes: number;
  readonly onFocus: boolean;
  readonly afterEdits: boolean;
}

/** The lease on syncing: the window that holds it syncs automatically. */
interface Leader {
  keep(eagerly?: boolean): boolean;
  release(): void;
}

export interface SchedulerOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Calls back once after `ms` milliseconds; returns a function that cancels it. */
  readonly after: (ms: number, work: () => void) => () => void;
  /** In [0, 1). */
  readonly random: () => number;
  readonly leader: Leader;
  readonly heartbeatMs: number;
  readonly settings: () => ScheduleSettings;
  readonly isPaused: () => boolean;
  /** The time at which any window last ended a run; undefined if none has. */
  readonly lastRunAt: () => EpochMs | undefined;
  /** Syncs everything, or one list; returns when a failed account wants to be tried again. Does not throw. */
  readonly run: (request: SyncRequest) => Promise<EpochMs | undefined>;
}

interface SyncRequest {
  /** Undefined for everything. */
  readonly listId: Id | undefined;
  readonly trigger: Exclude<SyncTrigger, 'user'>;
}

const startUp = 10_000;
const minFocusIntervalMs = 120_000;
const editDebounceMs = 5_000;
const latestAfterEdit = 30_000;
const jitter = 0.1;

/**
 * Decides when to sync automatically: some seconds after the start, at an interval, when the window gets the focus
 * back, and after an edit. Runs never overlap; a sync that is requested during a run follows it. Only the leading
 * window acts on the clock; a window that the user works in takes the lead.
 */
export class Scheduler {
  #isRunning = false;
  /** Asked for during a run: everything, or one list. */
  #nextRequest: SyncRequest | undefined;
  #isLeading = false;
  #isDisposed = false;
  #firstEdit: EpochMs | undefined;
  #edited: Id | 'several' | undefined;
  #isOwnEdit = false;
  readonly #cancel = new Map<'heartbeat' | 'next' | 'edit' | 'retry', () => void>();

  constructor(private readonly options: SchedulerOptions) {
    this.#heartbeat();
    this.#arm('next', startUp, () => this.#tick());
  }

  /** Settings or the pause changed, or a run is done: the next one is planned. */
  replan(): void {
    const { intervalMinutes } = this.options.settings();
    if (!this.#isOn || intervalMinutes <= 0) {
      this.#drop('next');
      return;
    }
    const { random } = this.options;
    this.#arm('next', Math.round(intervalMinutes * minuteMs * (1 - jitter + 2 * jitter * random())), () =>
      this.#tick(),
    );
  }

  /** The window got the focus. */
  focused(): void {
    const last = this.options.lastRunAt();
    if (!this.#isOn || !this.options.settings().onFocus) return;
    // A run in the future was noted before the clock was set back.
    if (last !== undefined && Math.abs(this.options.clock.now() - last) <= minFocusIntervalMs) return;
    this.#tryToLead(true);
    this.#request(undefined);
  }

  /**
   * Something in a synced list was changed, in this window or elsewhere. A window that edits takes the lead and sends its
   * edits itself; the command line and agents send nothing, so the leading window does.
   */
  edited(listId: Id, isElsewhere = false): void {
    if (!this.#isOn || !this.options.settings().afterEdits || (isElsewhere && !this.#isLeading)) return;
    if (!isElsewhere) this.#isOwnEdit = true;
    const now = this.options.clock.now();
    this.#firstEdit ??= now;
    this.#edited = this.#edited === undefined || this.#edited === listId ? listId : 'several';
    const wait = Math.min(editDebounceMs, Math.max(0, this.#firstEdit + latestAfterEdit - now));
    this.#arm('edit', wait, () => {
      const edited = this.#edited;
      const isOwn = this.#isOwnEdit;
      this.#firstEdit = undefined;
      this.#edited = undefined;
      this.#isOwnEdit = false;
      this.#tryToLead(isOwn);
      if (this.#isOn && (isOwn || this.#isLeading)) this.#request(edited === 'several' ? undefined : edited);
    });
  }

  /** Another program changed a folder: one list of it, or it may be any. */
  arrived(listId: Id | undefined): void {
    if (this.#isOn && this.#isLeading) this.#request(listId, 'folderChange');
  }

  /** Someone else ran a sync here: no other is due for a while. */
  ran(nextTry: EpochMs | undefined): void {
    this.replan();
    this.#planRetry(nextTry);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const cancel of this.#cancel.values()) cancel();
    this.#cancel.clear();
    if (this.#isLeading) this.options.leader.release();
  }

  get #isOn(): boolean {
    return !this.#isDisposed && this.options.settings().isEnabled && !this.options.isPaused();
  }

  #heartbeat(): void {
    const led = this.#isLeading;
    this.#tryToLead(false);
    // The window that synced so far is gone: if its next run would be overdue, it happens soon.
    if (this.#isLeading && !led && !this.#cancel.has('next')) this.#arm('next', startUp, () => this.#tick());
    this.#arm('heartbeat', this.options.heartbeatMs, () => this.#heartbeat());
  }

  #tryToLead(eagerly: boolean): void {
    this.#isLeading = this.options.leader.keep(eagerly);
  }

  #tick(): void {
    const { intervalMinutes } = this.options.settings();
    if (this.#isOn && this.#isLeading && intervalMinutes > 0) this.#request(undefined);
    else this.replan();
  }

  #planRetry(nextTry: EpochMs | undefined): void {
    this.#drop('retry');
    if (nextTry === undefined || !this.#isOn || this.options.settings().intervalMinutes <= 0) return;
    this.#arm('retry', Math.max(1_000, nextTry - this.options.clock.now()), () => {
      if (this.#isOn && this.#isLeading) this.#request(undefined);
    });
  }

  #request(listId: Id | undefined, trigger: SyncRequest['trigger'] = 'schedule'): void {
    if (this.#isRunning) {
      const isSame = this.#nextRequest === undefined || this.#nextRequest.listId === listId;
      const isFolderChange = trigger === 'folderChange' || this.#nextRequest?.trigger === 'folderChange';
      this.#nextRequest = {
        listId: isSame ? listId : undefined,
        trigger: isFolderChange ? 'folderChange' : 'schedule',
      };
      return;
    }
    void this.#run({ listId, trigger });
  }

  async #run(request: SyncRequest): Promise<void> {
    this.#isRunning = true;
    this.#drop('next');
    this.#drop('retry');
    let nextTry: EpochMs | undefined;
    try {
      nextTry = await this.options.run(request);
    } finally {
      this.#isRunning = false;
    }
    const next = this.#nextRequest;
    this.#nextRequest = undefined;
    if (this.#isDisposed) return;
    if (next && this.#isOn) {
      await this.#run(next);
      return;
    }
    this.replan();
    this.#planRetry(nextTry);
  }

  #arm(name: 'heartbeat' | 'next' | 'edit' | 'retry', ms: number, work: () => void): void {
    this.#drop(name);
    if (this.#isDisposed) return;
    this.#cancel.set(
      name,
      this.options.after(ms, () => {
        this.#cancel.delete(name);
        work();
      }),
    );
  }

  #drop(name: 'heartbeat' | 'next' | 'edit' | 'retry'): void {
    this.#cancel.get(name)?.();
    this.#cancel.delete(name);
  }
}
