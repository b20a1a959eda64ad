/** Meetings: VEVENTs of calendars that are read and never written. They are not tasks, and never in the store. */

/** One meeting, or one occurrence of a series of meetings. */
export interface Meeting {
  readonly uid: string;
  /** Instants; wall clocks encoded as if they were UTC if `isFloating`. The end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** From midnight to midnight, and so floating. */
  readonly isAllDay: boolean;
  /** True if it is at the same wall clock time wherever the user is. */
  readonly isFloating: boolean;
  readonly title: string;
  readonly location?: string;
  /** An http or https address: of the call, or else of the meeting. */
  readonly link?: string;
  readonly text?: string;
  /** True if nothing else can be done meanwhile (TRANSP). */
  readonly isBusy: boolean;
  /** CLASS is PRIVATE or CONFIDENTIAL. */
  readonly isPrivate: boolean;
}

/** The days that are read of a calendar, as wall clocks encoded as if they were UTC; the end is exclusive. */
export interface MeetingWindow {
  readonly from: number;
  readonly to: number;
}
