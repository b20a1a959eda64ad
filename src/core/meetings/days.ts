import type { EpochMs } from '../kernel/model';
import { type DayBounds, fromWall } from '../time/dates';
import { dayMs, minuteMs } from '../time/units';
import type { Meeting } from './meeting';

/** Begin and end as instants, for a user in that zone. */
export const momentsOf = ({ start, end, isFloating }: Meeting, zone: string): { start: EpochMs; end: EpochMs } =>
  isFloating ? { start: fromWall(start, zone), end: fromWall(end, zone) } : { start, end };

/** The meetings that overlap a day, beginning with those of the whole day. */
export function meetingsOn<M extends Meeting>(meetings: readonly M[], day: DayBounds, zone: string): M[] {
  const touches = (meeting: M) => {
    // No zone is further from UTC than a day, and most meetings are.
    if (meeting.start > day.civilEnd + dayMs || meeting.end < day.civilStart - dayMs) return false;
    if (meeting.isAllDay) return meeting.start < day.civilEnd && meeting.end > day.civilStart;
    const { start, end } = momentsOf(meeting, zone);
    return start < day.instantEnd && Math.max(end, start + 1) > day.instantStart;
  };
  const startOf = (meeting: M) => (meeting.isAllDay ? Number.NEGATIVE_INFINITY : momentsOf(meeting, zone).start);
  return meetings.filter(touches).sort((a, b) => startOf(a) - startOf(b) || 0);
}

interface Span {
  readonly start: EpochMs;
  readonly end: EpochMs;
}

/**
 * The busy times, in order and without overlaps. Meetings of whole days do not count: they state where someone is, not
 * that there is no time.
 */
function busySpans(meetings: readonly Meeting[], zone: string): Span[] {
  const spans = meetings
    .filter(({ isBusy, isAllDay }) => isBusy && !isAllDay)
    .map(meeting => momentsOf(meeting, zone))
    .sort((a, b) => a.start - b.start);
  const merged: { start: EpochMs; end: EpochMs }[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push(span);
  }
  return merged;
}

/** The minutes in [from, to) in which meetings leave no time. */
export function busyMinutesIn(meetings: readonly Meeting[], { start, end }: Span, zone: string): number {
  const lengths = busySpans(meetings, zone).map(span => Math.min(span.end, end) - Math.max(span.start, start));
  return lengths.reduce((sum, length) => sum + Math.max(0, length), 0) / minuteMs;
}

/** The meeting that is now or comes next, and the time after it. */
interface NextMeeting<M extends Meeting> {
  readonly meeting: M;
  /** The end of the meetings that follow without a break. */
  readonly freeFrom: EpochMs;
  /** The next one on that day; undefined if it is the last. */
  readonly freeUntil: EpochMs | undefined;
}

/** The next meeting; if several are going on, the one that began last. Undefined if there is none in [now, end). */
export function nextMeeting<M extends Meeting>(
  meetings: readonly M[],
  now: EpochMs,
  end: EpochMs,
  zone: string,
): NextMeeting<M> | undefined {
  const timed = meetings
    .filter(({ isAllDay, isBusy }) => !isAllDay && isBusy)
    .map(meeting => ({ meeting, ...momentsOf(meeting, zone) }))
    .filter(one => one.end > now && one.start < end)
    .sort((a, b) => a.start - b.start);
  const found = timed.findLast(({ start }) => start <= now) ?? timed[0];
  if (!found) return undefined;
  const spans = busySpans(
    timed.map(({ meeting }) => meeting),
    zone,
  );
  const freeFrom = spans.find(span => span.end >= found.end)?.end ?? found.end;
  return { meeting: found.meeting, freeFrom, freeUntil: spans.find(({ start }) => start > freeFrom)?.start };
}
