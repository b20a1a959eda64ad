import type { EpochMs } from '../kernel/model';
import type { DayBounds } from '../time/dates';
import { minuteMs } from '../time/units';
import { momentsOf } from './days';
import type { Meeting } from './meeting';

/** The position of a meeting among the rows of its day. */
export interface HourSlot {
  /** The row that comes after it; absent if it is after all rows. */
  readonly nextRow?: string;
  /** How long it lasts on this day, in minutes. */
  readonly minutes: number;
  /** The minutes between it and the end of what comes before it. */
  readonly minutesBefore: number;
  /** The minutes between it and the next row, if no other meeting comes first. */
  readonly minutesAfter: number;
}

/** A row of a day by its key. Its time is -Infinity if it is for the whole day, and Infinity if it is done. */
export interface DayRow {
  readonly key: string;
  readonly at: EpochMs;
}

/**
 * The slots of the meetings that begin on a day, among its rows by time. A task that is due when a meeting begins comes
 * before it. Other meetings have none: they are above the rows.
 */
export function hourSlots<M extends Meeting>(
  meetings: readonly M[],
  rows: readonly DayRow[],
  day: DayBounds,
  zone: string,
): ReadonlyMap<M, HourSlot> {
  const timed = meetings
    .filter(({ isAllDay }) => !isAllDay)
    .map(meeting => ({ meeting, ...momentsOf(meeting, zone) }))
    .filter(({ start }) => start >= day.instantStart);
  const slots = new Map<M, HourSlot>();
  let index = 0;
  let until: EpochMs | undefined;
  for (const [at, { meeting, start, end }] of timed.entries()) {
    for (; index < rows.length && rows[index]!.at <= start; index++)
      if (Number.isFinite(rows[index]!.at)) until = Math.max(rows[index]!.at, until ?? 0);
    const free = until === undefined ? 0 : start - until;
    until = Math.max(end, until ?? 0);
    const next = rows[index];
    const isNext =
      next !== undefined && Number.isFinite(next.at) && next.at < (timed[at + 1]?.start ?? Number.POSITIVE_INFINITY);
    slots.set(meeting, {
      ...(next ? { nextRow: next.key } : {}),
      minutes: Math.max(0, Math.min(end, day.instantEnd) - start) / minuteMs,
      minutesBefore: Math.max(0, free) / minuteMs,
      minutesAfter: isNext ? Math.max(0, next.at - until) / minuteMs : 0,
    });
  }
  return slots;
}
