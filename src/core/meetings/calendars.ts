import type { Event } from '../kernel/events';
import type { Message } from '../kernel/message';
import type { EpochMs, Id } from '../kernel/model';
import type { Day } from '../time/dates';
import type { Meeting, MeetingWindow } from './meeting';

/** A calendar that the user has chosen. */
export interface Calendar {
  readonly id: string;
  readonly kind: 'file' | 'feed' | 'account';
  readonly name: string;
  /** `#rrggbb`. */
  readonly color: string | null;
  /** The path of a file, the address of a calendar on a server, the host of a feed: its whole address is a secret. */
  readonly address: string;
  readonly accountId?: Id;
}

export interface CalendarState extends Calendar {
  /** When it was last read. */
  readonly readAt?: EpochMs;
  /** The reason why it could not be read, or not whole. */
  readonly problem?: Message;
}

/** A calendar of an account, to be chosen. */
export type OfferedCalendar = Pick<Calendar, 'name' | 'color' | 'address'>;

/** The texts of a calendar. */
export interface CalendarTexts {
  readonly texts: readonly string[];
  /** Differs if anything has changed; null if the server has no such mark. */
  readonly mark: string | null;
  /** The user's own addresses, in lower case, as far as they are known there. */
  readonly addresses?: readonly string[];
}

/** The port to calendars. It has no method that writes. */
export interface CalendarReader {
  /** Undefined if nothing has changed since `mark`. */
  read(calendar: Calendar, window: MeetingWindow, mark: string | null): Promise<CalendarTexts | undefined>;
}

/** The port to calendars that are elsewhere. Secret addresses are kept where passwords are. */
export interface RemoteCalendars extends CalendarReader {
  offered(accountId: Id): Promise<readonly OfferedCalendar[]>;
  /** Stores the address of a feed, and returns its host. Throws if it is not an address. */
  keepFeed(id: string, address: string): Promise<string>;
  forget(id: string): Promise<void>;
}

export interface ShownMeeting extends Meeting {
  readonly calendar: Calendar;
}

/** The meetings next to the tasks: read-only, and never in the store. */
export interface Meetings {
  /** Empty until they are opened. */
  readonly calendars: readonly CalendarState[];
  /** Resolves once the calendars are known, and files are read. */
  open(): Promise<void>;
  /** The meetings of these days. The first question opens the calendars. */
  between(from: Day, to: Day): readonly ShownMeeting[];
  /**
   * The minutes of a day, or of the rest of it, in which meetings leave no time; undefined without calendars, and for a
   * day around which they are not read.
   */
  busyMinutes(day: Day, from?: EpochMs): number | undefined;
  offered(accountId: Id): Promise<readonly OfferedCalendar[]>;
  /** Rejects if it cannot be read. `address` of a feed is the whole one. */
  add(calendar: Omit<Calendar, 'id'>): Promise<void>;
  remove(id: string): Promise<void>;
  /** Reads changed calendars again; never rejects. A call during another one waits for that one. */
  refresh(): Promise<void>;
  /** The calendars, or their meetings, are other ones. */
  readonly onDidChange: Event<void>;
}

/** True of an iCalendar stream with its end (RFC 5545 3.4): without it, a part was not sent, or is still being written. */
export const isWhole = (text: string): boolean => /[\r\n]END:VCALENDAR[ \t]*(?:[\r\n]|$)/i.test(text);
