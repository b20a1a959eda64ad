import { Disposables, Emitter } from '../../core/kernel/events';
import type { EpochMs, Id } from '../../core/kernel/model';
import type { FiringAlarm, Snooze } from '../../core/reminders/alarms';
import { firingKey } from '../../core/reminders/firingKey';
import {
  newReminders,
  type PendingReminder,
  type Reminder,
  type ReminderMode,
  type Reminders,
} from '../../core/reminders/reminders';
import type { Clock } from '../../core/time/clock';
import { dayMs, minuteMs } from '../../core/time/units';
import type { Lease } from '../../process/lease';
import type { TaskStore } from '../../store/taskStore';
import type { StoreChange } from '../../store/types';
import type { AlarmFinder } from './alarmFinder';
import { ReminderLedger, reminderMaps } from './reminderLedger';

/** A task that arrives late still fires reminders of this period. */
const lookBackMs = 7 * dayMs;
/** If the editor was closed for longer, older reminders are not shown. */
const maxMs = 366 * dayMs;
/** If more tasks than this have changed, all are checked. */
const maxChangedTasks = 200;
const lookAheadMs = 60 * minuteMs;
/** The interval at which the time of the last check is stored if nothing fires. */
const noteMs = 10 * minuteMs;

/**
 * Fires alarms once, no matter how many windows are open. The lease decides which window does it; the ledger keeps any
 * alarm from firing twice. Nothing is lost because each check looks back: at a start until the last check of any
 * window, after every change over a week (a pull brings tasks late).
 */
export class ReminderService implements Reminders {
  readonly #changes = new Emitter<void>();
  readonly #snoozing = new Emitter<void>();
  readonly #owned = new Disposables();
  /** The ledger is opened some time after the first tasks may have been added. */
  readonly #start: EpochMs;
  #opening: Promise<ReminderLedger> | undefined;
  #ledger: ReminderLedger | undefined;
  /** The time of this window's last check since it opened. */
  #checkedAt: EpochMs | undefined;
  /** Tasks that changed since the last check. */
  #changed: Set<Id> | 'all' = 'all';
  #coming: { readonly until: EpochMs; readonly first: EpochMs | undefined } | undefined;
  /** The tasks of {@link snoozedTasks} that were announced last. */
  #snoozed = '';
  /** Resolves once the alarms that the user's own edits passed are recorded, before any reminder fires. */
  #recording: Promise<unknown> = Promise.resolve();

  readonly onDidChange = this.#changes.event;
  /** Fires if other tasks than before have a snoozed reminder. */
  readonly onDidSnooze = this.#snoozing.event;

  constructor(
    private readonly store: TaskStore,
    private readonly clock: Clock,
    private readonly finder: AlarmFinder,
    private readonly lease: Lease,
  ) {
    this.#start = clock.now();
    this.#owned.add(store.onDidChange(change => this.#onEdit(change)));
  }

  /** The snoozed reminders, as far as they are known: after `open`, everything. */
  snoozes(): readonly Snooze[] {
    return (this.#ledger?.snoozes() ?? []).flatMap(snooze => {
      const uid = snooze.uid ?? this.store.task(snooze.taskId)?.uid;
      return uid === undefined ? [] : { ...snooze, uid };
    });
  }

  /** Tasks with a snoozed reminder that is not shown again yet. */
  snoozedTasks(): ReadonlySet<Id> {
    const now = this.clock.now();
    return new Set(
      this.snoozes()
        .filter(({ until }) => until > now)
        .flatMap(({ uid, recurrenceId }) => {
          const rows = this.store.tasksOfUid(uid);
          return rows.flatMap(row => (row.masterId === null || row.recurrenceId === recurrenceId ? row.id : []));
        }),
    );
  }

  async open(): Promise<void> {
    await this.#opened();
  }

  takeLead(eagerly = false): boolean {
    return this.lease.keep(eagerly);
  }

  async fire(mode: ReminderMode = 'show'): Promise<readonly Reminder[]> {
    const ledger = await this.#opened();
    if (!this.lease.isHeld) return [];
    if (mode === 'off') {
      if (!ledger.state?.isOff) await ledger.turnOff();
      return [];
    }
    const now = this.clock.now();
    if (ledger.state?.isOff) {
      await ledger.turnOn(now);
      this.#checkedAt = now;
    }
    await this.#recording;
    const due = this.#due(ledger, now);
    const isUnseen = mode === 'show' && ledger.waiting().some(([, { isShown }]) => !isShown);
    if (due.length === 0 && !isUnseen) return this.#note(ledger, now);
    let visible: readonly string[];
    try {
      visible = await ledger.fire(now, hasFired => newReminders(due, hasFired), mode === 'show');
    } catch (error) {
      this.#changed = 'all';
      throw error;
    }
    this.#checkedAt = now;
    return this.pending().filter(({ key }) => visible.includes(key));
  }

  pending(): readonly Reminder[] {
    const entries = this.#ledger?.waiting() ?? [];
    return entries
      .flatMap(([key, entry]) => this.#alive(key, entry) ?? [])
      .sort((a, b) => a.fireAt - b.fireAt || a.task.id - b.task.id);
  }

  nextAt(): EpochMs | undefined {
    const now = this.clock.now();
    if (!this.#coming || this.#coming.until < now + lookAheadMs / 2) {
      // From the end of the last check, so that nothing falls between the two.
      const until = now + lookAheadMs;
      const [first] = this.finder.between((this.#checkedAt ?? now) + 1, until);
      this.#coming = { until, first: first?.fireAt };
    }
    return this.#coming.first;
  }

  upcoming(taskId: Id): Reminder | undefined {
    const task = this.store.task(taskId);
    if (!task || task.isDeleted) return undefined;
    const now = this.clock.now();
    // A snoozed one that has not come again may be before those that come at their own times.
    const own = this.finder.of([task], now + 1, now + maxMs);
    const snoozed = this.finder.betweenOf([taskId], now + 1, now + maxMs).filter(one => one.task.id === taskId);
    const found = (snoozed[0]?.fireAt ?? Infinity) < (own[0]?.fireAt ?? Infinity) ? snoozed : own;
    const [first] = found;
    if (!first) return undefined;
    const together = found.filter(one => one.fireAt === first.fireAt && one.recurrenceId === first.recurrenceId);
    const alarms = together.map(({ alarm, ownTime }) => ({ id: alarm.id, ownTime }));
    const { recurrenceId, fireAt, dtstart, due } = first;
    const key = firingKey(task.uid, fireAt);
    return { key, task, recurrenceId, fireAt, alarms, message: first.alarm.message, dtstart, due };
  }

  async snooze(reminders: readonly Reminder[], until: EpochMs): Promise<void> {
    await (await this.#opened()).snooze(reminders, until);
  }

  async dismiss(reminders: readonly Pick<Reminder, 'key'>[]): Promise<void> {
    await (await this.#opened()).answer(reminders.map(({ key }) => key));
  }

  /** Settings that alarms count by have changed. */
  reset(): void {
    this.#changed = 'all';
    this.#coming = undefined;
  }

  async close(): Promise<void> {
    this.#owned.dispose();
    await this.#recording;
    this.lease.release();
    this.#changes.dispose();
    this.#snoozing.dispose();
  }

  #opened(): Promise<ReminderLedger> {
    this.#opening ??= this.store.sidecar().then(async sidecar => {
      const ledger = new ReminderLedger(sidecar);
      this.#owned.add(
        sidecar.onDidChange(({ map }) => {
          if (map === reminderMaps.snoozes) this.#coming = undefined;
          this.#fireSnoozes();
          if (map === reminderMaps.snoozes || map === reminderMaps.waiting) this.#changes.fire();
        }),
      );
      if (!this.store.readOnlyReason) await ledger.begin(this.#start, this.clock.now());
      this.#ledger = ledger;
      this.#fireSnoozes();
      this.#changes.fire();
      return ledger;
    });
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  #fireSnoozes(): void {
    const ids = [...this.snoozedTasks()].sort().join();
    if (ids === this.#snoozed) return;
    this.#snoozed = ids;
    this.#snoozing.fire();
  }

  /** Alarms that have come due since the last check, and those of changed tasks from the last week. */
  #due(ledger: ReminderLedger, now: EpochMs): readonly FiringAlarm[] {
    const { since = now, seen = since } = ledger.state ?? {};
    const checkedAt = Math.min(this.#checkedAt ?? seen, now);
    const lookBack = Math.max(since, Math.min(checkedAt, now - lookBackMs), now - maxMs);
    const changed = this.#changed;
    this.#changed = new Set();
    const isCurrent =
      this.#coming && this.#coming.until > now && this.#checkedAt !== undefined && this.#checkedAt <= now;
    if (changed === 'all') return this.#scan(lookBack, now);
    const late = changed.size > 0 ? this.finder.betweenOf(changed, lookBack, now + 1) : [];
    if (isCurrent && (this.#coming?.first ?? Number.POSITIVE_INFINITY) > now) return late;
    return [...this.#scan(checkedAt, now), ...late];
  }

  /**
   * One pass over all alarms: returns those until now, which the caller checks, and keeps the first of those to come.
   */
  #scan(from: EpochMs, now: EpochMs): readonly FiringAlarm[] {
    const until = now + lookAheadMs;
    const found = this.finder.between(from, until);
    this.#coming = { until, first: found.find(({ fireAt }) => fireAt > now)?.fireAt };
    return found.filter(({ fireAt }) => fireAt <= now);
  }

  async #note(ledger: ReminderLedger, now: EpochMs): Promise<readonly Reminder[]> {
    this.#checkedAt = now;
    if (now - (ledger.state?.seen ?? 0) > noteMs) await ledger.note(now);
    return [];
  }

  /** Found by its UID and time: the task may have other rows and alarms by now, after an edit of one occurrence for example. */
  #alive(key: string, { taskId, uid, recurrenceId, fireAt, alarms }: PendingReminder): Reminder | undefined {
    const rows = this.store.tasksOfUid(uid).filter(({ isDeleted }) => !isDeleted);
    const found = alarms.flatMap(({ ownTime }) => this.finder.of(rows, ownTime, ownTime + 1));
    const firing =
      found.find(one => one.task.id === taskId && one.recurrenceId === recurrenceId) ??
      found.find(one => one.recurrenceId === recurrenceId) ??
      found[0];
    if (!firing) return undefined;
    const { task, dtstart, due, alarm } = firing;
    return { key, task, recurrenceId: firing.recurrenceId, fireAt, alarms, message: alarm.message, dtstart, due };
  }

  #onEdit({ origin, tasks }: StoreChange): void {
    this.#follow(tasks);
    if (!this.#ledger || tasks.length === 0) return;
    // If this fails, the user is reminded of something that they already know. They do not know
    // edits of agents and programs, whose processes show no reminders.
    if (this.#checkedAt !== undefined && (origin === 'user' || origin === 'undo'))
      this.#recording = this.#recordPassed(this.#ledger, tasks).catch(() => {});
    this.#changes.fire();
  }

  /** Updates the known next alarms; one that no longer exists only makes the next check come early. */
  #follow(ids: readonly Id[]): void {
    // A row that is gone may have been an occurrence of a series, for which the series' own alarms count now.
    if (this.#changed === 'all' || ids.length > maxChangedTasks || ids.some(id => !this.store.task(id))) {
      this.reset();
      return;
    }
    for (const id of ids) this.#changed.add(id);
    if (!this.#coming) return;
    const { until, first = Number.POSITIVE_INFINITY } = this.#coming;
    const [next] = this.finder.betweenOf(ids, (this.#checkedAt ?? 0) + 1, until);
    if (next && next.fireAt < first) this.#coming = { until, first: next.fireAt };
  }

  /**
   * Records the alarms of edited tasks that have passed already as fired: the user who sets such a date knows it. Only
   * up to the time of the last check, so that no reminder is lost that was about to fire.
   */
  async #recordPassed(ledger: ReminderLedger, ids: readonly Id[]): Promise<void> {
    const { since = 0, seen = 0 } = ledger.state ?? {};
    const now = this.clock.now();
    const checkedAt = Math.min(this.lease.isHeld ? Math.max(this.#checkedAt ?? 0, seen) : seen, now);
    const found = ids.flatMap(id => {
      const task = this.store.task(id);
      return task && !task.isDeleted ? this.finder.of([task], Math.max(since, now - lookBackMs), checkedAt) : [];
    });
    const { fired } = newReminders(found, key => ledger.hasFired(key));
    if (fired.length > 0) await ledger.recordFired(fired);
  }
}
