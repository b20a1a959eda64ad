import type { Message } from '../kernel/message';
import type { RowColumns } from '../kernel/rowEdit';

/** The content of one VTODO in columns: a task row without the columns that only the store and sync know. */
export type TaskFields = Omit<
  RowColumns,
  'listId' | 'href' | 'etag' | 'masterId' | 'parentId' | 'isDirty' | 'isDeleted'
>;

/** One VTODO of a resource: the task itself, or one of its changed occurrences. */
export interface ResourceRow {
  readonly fields: TaskFields;
  /**
   * UID of the parent that RELATED-TO names, resolved or not; null if it names none. In a row to be written, undefined
   * leaves the file's own line alone (a parent that is not in the list must survive an edit).
   */
  readonly parentUid?: string | null;
  /** UIDs that RELATED-TO;RELTYPE=CHILD names. Read only. */
  readonly childUids?: readonly string[];
}

/** A part that could not be read, described for a log or as the row's error. */
export interface Fault {
  /** `frame`: nothing of the text can be used. `line`, `value`: that line was set aside and is kept as it is. */
  readonly kind: 'frame' | 'component' | 'line' | 'value' | 'zone';
  /** 1-based. */
  readonly line?: number;
  readonly message: Message;
}

export interface Resource {
  /** Undefined if the text has no task. */
  readonly uid: string | undefined;
  readonly master?: ResourceRow;
  readonly overrides: readonly ResourceRow[];
  readonly faults: readonly Fault[];
  readonly prodid: string | null;
  /** Other tasks' UIDs in the same text: more than RFC 4791 4.1 allows; the file is best not written. */
  readonly otherUids: readonly string[];
  /**
   * True if the text has more in it than this one task with its exceptions and time zones: other tasks, an event, a second
   * version of the task, or something that cannot be read. All of it would go with the text.
   */
  readonly hasOthers: boolean;
}

export interface ReadContext {
  /** Prefers the task with this UID if a text has several, and is the UID of one without. */
  readonly uid?: string;
  /** Names the task if neither it nor `uid` does. */
  readonly href?: string;
}

/** A task with nothing but its UID. */
export const emptyFields = (uid: string): TaskFields => ({
  uid,
  title: null,
  description: null,
  location: null,
  url: null,
  color: null,
  tags: [],
  status: 0,
  percentComplete: null,
  completedAt: null,
  priority: 0,
  classification: null,
  dtstart: null,
  due: null,
  duration: null,
  isAllDay: false,
  timezone: null,
  rrule: null,
  rdate: null,
  exdate: null,
  recurrenceId: null,
  sortOrder: 0,
  createdAt: null,
  lastModified: null,
  sequence: 0,
  unknownProperties: null,
  alarms: [],
});
