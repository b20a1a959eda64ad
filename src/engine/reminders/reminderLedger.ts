import type { EpochMs, Id } from '../../core/kernel/model';
import type { Snooze } from '../../core/reminders/alarms';
import { firingKey } from '../../core/reminders/firingKey';
import type { NewReminders, PendingReminder, Reminder } from '../../core/reminders/reminders';
import { dayMs } from '../../core/time/units';
import type { KeyValueWriter, Sidecar } from '../../store/types';

/** Maps of the sidecar. `firings` is the ledger: reminders in it have fired and never fire again. */
export const reminderMaps = {
  state: 'reminders',
  fired: 'firings',
  waiting: 'waitingReminders',
  snoozes: 'snoozes',
} as const;
const stateKey = 'state';

/** Far longer than any check looks back, so that a firing that was dropped is not found again. */
const keepMs = 30 * dayMs;

interface ReminderState {
  /** Alarms before this were never promised to anybody. */
  readonly since: EpochMs;
  /** Everything until here has been checked at some time; written now and then. */
  readonly seen?: EpochMs;
  /** Reminders were turned off: what passes meanwhile is not made up for. */
  readonly isOff?: boolean;
}

/** Versions until 1.1.0 stored the id of the row. */
type StoredSnooze = Snooze | (Omit<Snooze, 'uid'> & { readonly uid?: undefined; readonly taskId: Id });

type Entry = readonly [key: string, entry: PendingReminder];

/**
 * The state of reminders that windows share. Every change is one step of the sidecar, so that of two windows one comes
 * first.
 */
export class ReminderLedger {
  constructor(private readonly sidecar: Sidecar) {}

  get state(): ReminderState | undefined {
    return this.sidecar.get(reminderMaps.state, stateKey);
  }

  waiting(): readonly Entry[] {
    return this.sidecar.entries(reminderMaps.waiting);
  }

  snoozes(): readonly StoredSnooze[] {
    return this.sidecar.entries<StoredSnooze>(reminderMaps.snoozes).map(([, snooze]) => snooze);
  }

  hasFired(key: string): boolean {
    return this.sidecar.get(reminderMaps.fired, key) !== undefined;
  }

  /** Begins the ledger at `start` if it is new, or if the clock has been set back before its beginning. */
  begin(start: EpochMs, now: EpochMs): Promise<void> {
    return this.#change(writer => {
      const state = writer.get<ReminderState>(reminderMaps.state, stateKey);
      if (state === undefined || state.since > now)
        writer.set(reminderMaps.state, stateKey, { since: Math.min(start, now) });
    });
  }

  turnOff(): Promise<void> {
    return this.#change(writer => this.#note(writer, { isOff: true }));
  }

  turnOn(now: EpochMs): Promise<void> {
    return this.#change(writer => this.#note(writer, { isOff: undefined, since: now, seen: now }));
  }

  note(seen: EpochMs): Promise<void> {
    return this.#change(writer => this.#note(writer, { seen }));
  }

  /**
   * Records what has fired now; `find` gets a function that knows if something has fired before. With `show` it returns
   * everything that waits and was not shown, and marks it as shown: each to one window alone.
   */
  fire(now: EpochMs, find: (hasFired: (key: string) => boolean) => NewReminders, show: boolean) {
    return this.sidecar.edit(writer => {
      const { fired, waiting } = find(key => writer.get(reminderMaps.fired, key) !== undefined);
      for (const [key, fireAt] of fired) writer.set(reminderMaps.fired, key, fireAt);
      for (const entry of waiting) this.#wait(writer, entry);
      if (fired.length > 0) {
        this.#note(writer, { seen: now });
        this.#forget(writer, now);
      }
      if (!show) return [];
      const notShown = writer.entries<PendingReminder>(reminderMaps.waiting).filter(([, { isShown }]) => !isShown);
      for (const [key, entry] of notShown) writer.set(reminderMaps.waiting, key, { ...entry, isShown: true });
      return notShown.map(([key]) => key);
    });
  }

  /** Records reminders as fired without showing them. */
  recordFired(fired: NewReminders['fired']): Promise<void> {
    return this.sidecar.put(reminderMaps.fired, fired);
  }

  answer(keys: readonly string[]): Promise<void> {
    return this.sidecar.put(
      reminderMaps.waiting,
      keys.map(key => [key, undefined] as const),
    );
  }

  snooze(reminders: readonly Pick<Reminder, 'key' | 'task' | 'recurrenceId' | 'alarms'>[], until: EpochMs) {
    return this.#change(writer => {
      for (const { key, task, recurrenceId, alarms } of reminders) {
        writer.set(reminderMaps.waiting, key, undefined);
        for (const { ownTime } of alarms) {
          const snooze: Snooze = { uid: task.uid, recurrenceId, ownTime, until };
          writer.set(reminderMaps.snoozes, firingKey(task.uid, ownTime), snooze);
        }
      }
    });
  }

  /** The newest reminder of a task stands for those before it. */
  #wait(writer: KeyValueWriter, entry: PendingReminder): void {
    for (const [key, { taskId }] of writer.entries<{ taskId: Id }>(reminderMaps.waiting))
      if (taskId === entry.taskId) writer.set(reminderMaps.waiting, key, undefined);
    writer.set(reminderMaps.waiting, `${firingKey(entry.uid, entry.fireAt)}/${entry.taskId}`, entry);
  }

  #note(writer: KeyValueWriter, patch: { [K in keyof ReminderState]?: ReminderState[K] | undefined }): void {
    const state = writer.get<ReminderState>(reminderMaps.state, stateKey);
    writer.set(reminderMaps.state, stateKey, { ...state, ...patch });
  }

  #forget(writer: KeyValueWriter, now: EpochMs): void {
    for (const [key, fireAt] of writer.entries<EpochMs>(reminderMaps.fired))
      if (fireAt < now - keepMs) writer.set(reminderMaps.fired, key, undefined);
    for (const [key, { until }] of writer.entries<Snooze>(reminderMaps.snoozes))
      if (until < now - keepMs) writer.set(reminderMaps.snoozes, key, undefined);
  }

  #change(work: (writer: KeyValueWriter) => void): Promise<void> {
    return this.sidecar.edit(work);
  }
}
