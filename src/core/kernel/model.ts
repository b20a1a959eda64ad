/**
 * The four records of the store, in camelCase. Times are epoch milliseconds; a `dtstart`, `due` or `recurrenceId`
 * whose `timezone` is null holds the civil (wall-clock) value encoded as if it were UTC, and never passes through
 * a local time zone.
 */

/** The number of a row in this store. Other devices know a task by its `uid`. */
export type Id = number;

/** Milliseconds since 1970 in UTC: 1_798_070_400_000 is midnight of 24 December 2026 in UTC. */
export type EpochMs = number;

/**
 * A sign-in to one CalDAV server, or a folder of task files. Passwords are not in it.
 *
 * @example
 * const failed = engine.accounts().filter(({ lastSyncError }) => lastSyncError !== null);
 */
export interface Account {
  readonly id: Id;
  readonly displayName: string;
  readonly principalUrl: string | null;
  readonly homeSetUrl: string | null;
  readonly username: string | null;
  readonly lastSyncAt: EpochMs | null;
  readonly lastSyncError: string | null;
}

/**
 * @example
 * const writable = engine.lists().filter(list => !list.isReadOnly);
 */
export interface TaskList {
  readonly id: Id;
  readonly name: string;
  /** Signed 32-bit ARGB. */
  readonly color: number;
  readonly accountId: Id | null;
  readonly isVisible: boolean;
  readonly isSynced: boolean;
  readonly owner: string | null;
  readonly isReadOnly: boolean;
  readonly sortOrder: number;
  readonly href: string | null;
  readonly ctag: string | null;
  readonly syncToken: string | null;
  readonly isDirty: boolean;
}

/**
 * The date from which `minutesBefore` counts back. For ABSOLUTE that is the epoch, so fire = reference − minutes holds
 * for all.
 */
export type AlarmReference = 'DUE' | 'START' | 'ABSOLUTE';

export interface Alarm {
  readonly id: Id;
  readonly taskId: Id;
  readonly minutesBefore: number;
  readonly reference: AlarmReference;
  readonly message: string | null;
}

/**
 * STATUS of RFC 5545 3.8.1.11 as stored.
 *
 * @example
 * await engine.updateTask(id, { status: Status.completed });
 */
export const Status = { needsAction: 0, inProcess: 1, completed: 2, cancelled: 3 } as const;
export type StatusCode = (typeof Status)[keyof typeof Status];

/** CLASS of RFC 5545 3.8.1.3 as stored; null if the property is absent. */
export const Classification = { public: 0, private: 1, confidential: 2 } as const;
export type ClassificationCode = (typeof Classification)[keyof typeof Classification];

/**
 * A task as the store has it; an override of a series is a row of its own.
 *
 * @example
 * // Every Monday at 9:00 in Berlin, from 7 December 2026 on; the columns that matter here.
 * { title: 'Team call', due: Date.UTC(2026, 11, 7, 8), isAllDay: false, timezone: 'Europe/Berlin', rrule: 'FREQ=WEEKLY' }
 */
export interface Task {
  readonly id: Id;
  readonly listId: Id;
  readonly uid: string;
  readonly href: string | null;
  readonly etag: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly url: string | null;
  readonly color: number | null;
  /** Decoded from the column `categories`. */
  readonly tags: readonly string[];
  readonly status: StatusCode;
  readonly percentComplete: number | null;
  readonly completedAt: EpochMs | null;
  /** 0 none, 1 highest … 9 lowest (RFC 5545 3.8.1.9). */
  readonly priority: number;
  readonly classification: ClassificationCode | null;
  readonly dtstart: EpochMs | null;
  readonly due: EpochMs | null;
  /** The DURATION value, verbatim. */
  readonly duration: string | null;
  readonly isAllDay: boolean;
  /** Null: `dtstart`, `due` and `recurrenceId` are civil values. Otherwise 'UTC' or the TZID, and they are instants. */
  readonly timezone: string | null;
  /** The RRULE value, verbatim. */
  readonly rrule: string | null;
  /** Raw RDATE content lines joined by `\n`, parameters included. */
  readonly rdate: string | null;
  /** Raw EXDATE content lines joined by `\n`, parameters included. */
  readonly exdate: string | null;
  readonly recurrenceId: EpochMs | null;
  /** The recurring master that this override belongs to. */
  readonly masterId: Id | null;
  readonly parentId: Id | null;
  readonly sortOrder: number;
  readonly createdAt: EpochMs | null;
  readonly lastModified: EpochMs | null;
  readonly sequence: number;
  readonly isDirty: boolean;
  readonly isDeleted: boolean;
  /** JSON array of the raw, unfolded content lines that no other column models. */
  readonly unknownProperties: string | null;
  readonly alarms: readonly Alarm[];
}

/**
 * An alarm without its identity, from a caller or a VALARM.
 *
 * @example
 * const alarm: AlarmInput = { minutesBefore: 10, reference: 'DUE' }; // ten minutes before the task is due
 */
export interface AlarmInput {
  readonly minutesBefore: number;
  readonly reference?: AlarmReference;
  readonly message?: string | null;
}

/**
 * The fields of a task that a user may set; everything else is the engine's to keep.
 *
 * @example
 * // All-day, on 24 December 2026: a civil value, which has no time zone.
 * { title: 'Wrap the presents', due: Date.UTC(2026, 11, 24), isAllDay: true, timezone: null }
 */
export interface TaskInput {
  title?: string | null;
  description?: string | null;
  location?: string | null;
  url?: string | null;
  color?: number | null;
  tags?: readonly string[];
  status?: StatusCode;
  percentComplete?: number | null;
  priority?: number;
  classification?: ClassificationCode | null;
  dtstart?: EpochMs | null;
  due?: EpochMs | null;
  duration?: string | null;
  isAllDay?: boolean;
  timezone?: string | null;
  rrule?: string | null;
  parentId?: Id | null;
  alarms?: readonly AlarmInput[];
}

/**
 * One line of a view: a task, or one occurrence of a recurring one.
 *
 * @example
 * const day = dayOf(due, task.timezone, clock.timeZone); // the day that the line stands under
 */
export interface Occurrence {
  readonly task: Task;
  /** The occurrence's own start and due if the task recurs; else the task's. Encoded as the task's own are. */
  readonly dtstart: EpochMs | null;
  readonly due: EpochMs | null;
  readonly isOverdue: boolean;
}
