import type { Event } from '../kernel/events';
import type { EpochMs, Id, Task } from '../kernel/model';
import type { FiringAlarm } from './alarms';
import { firingKey } from './firingKey';

/** One alarm of a reminder: its id and the time that it would have fired at had nobody put it off. */
interface ReminderAlarm {
  readonly id: Id;
  readonly ownTime: EpochMs;
}

/** A reminder that has fired and waits for an answer. */
export interface PendingReminder {
  readonly taskId: Id;
  /** Distinguishes the task from another that took over its id, after a backup was restored. */
  readonly uid: string;
  readonly recurrenceId: number | null;
  readonly fireAt: EpochMs;
  /** The alarms of the task that fired at this moment. */
  readonly alarms: readonly ReminderAlarm[];
  /** False until a window has shown it. */
  readonly isShown: boolean;
}

/** A reminder as the user is shown it. */
export interface Reminder {
  readonly key: string;
  readonly task: Task;
  /** The occurrence it is for; null for a task that does not recur. */
  readonly recurrenceId: number | null;
  readonly fireAt: EpochMs;
  readonly alarms: readonly ReminderAlarm[];
  readonly message: string | null;
  /** The dates of the occurrence, coded like the task's own. */
  readonly dtstart: number | null;
  readonly due: number | null;
}

/** `show`: to the user, now. `quiet`: they wait until someone may be disturbed. `off`: reminders are turned off. */
export type ReminderMode = 'show' | 'quiet' | 'off';

/** Alarms that fire: each once, in one window among those on the folder. */
export interface Reminders {
  /** Resolves once it is known what waits from before. */
  open(): Promise<void>;
  /**
   * Call it every ten seconds: takes the lease if no window holds it, `eagerly` in any case. True if this window holds
   * it.
   */
  takeLead(eagerly?: boolean): boolean;
  /**
   * In the window that holds the lease: records everything due as fired and, in mode `show`, returns what no window has
   * shown yet. Each reminder is returned once, and waits until it is answered.
   */
  fire(mode?: ReminderMode): Promise<readonly Reminder[]>;
  /** Reminders that have fired and were not answered, earliest first. They go when their task is done, deleted or moved. */
  pending(): readonly Reminder[];
  /** When the next alarm of the coming hour fires. */
  nextAt(): EpochMs | undefined;
  /** The next alarm of a task that is still to come. */
  upcoming(taskId: Id): Reminder | undefined;
  /** Answers: they fire again at `until`. */
  snooze(reminders: readonly Reminder[], until: EpochMs): Promise<void>;
  dismiss(reminders: readonly Pick<Reminder, 'key'>[]): Promise<void>;
  /** Something began or ceased to wait, in whatever window. */
  readonly onDidChange: Event<void>;
}

export interface NewReminders {
  /** Everything that has fired now, for the ledger. */
  readonly fired: readonly (readonly [key: string, fireAt: EpochMs])[];
  readonly waiting: readonly PendingReminder[];
}

/**
 * The alarms that have not fired yet. A task gets one reminder, for its newest moment: after a week away, a daily task
 * reminds once.
 */
export function newReminders(found: readonly FiringAlarm[], hasFired: (key: string) => boolean): NewReminders {
  const fired = new Map<string, EpochMs>();
  const waiting = new Map<Id, PendingReminder>();
  for (const { task, alarm, fireAt, ownTime, recurrenceId } of found) {
    const key = firingKey(task.uid, fireAt);
    if (hasFired(key)) continue;
    fired.set(key, fireAt);
    const known = waiting.get(task.id);
    if (known && known.fireAt > fireAt) continue;
    const goesWith = known?.fireAt === fireAt && known.recurrenceId === recurrenceId;
    const others = goesWith ? known.alarms.filter(({ id }) => id !== alarm.id) : [];
    const alarms = [...others, { id: alarm.id, ownTime }];
    waiting.set(task.id, { taskId: task.id, uid: task.uid, recurrenceId, fireAt, alarms, isShown: false });
  }
  return { fired: [...fired], waiting: [...waiting.values()].sort((a, b) => a.fireAt - b.fireAt) };
}
