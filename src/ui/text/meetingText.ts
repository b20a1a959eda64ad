import type { DuelineEngine } from '../../api';
import type { ShownMeeting } from '../../core/meetings/calendars';
import { momentsOf } from '../../core/meetings/days';
import { dayOfCivil } from '../../core/time/dates';
import { dayMs } from '../../core/time/units';
import type { DateStyle } from '../settings/settings';
import { dayRange, stampLabel, timeRange } from './dateText';

/** The name of a meeting between a page and its host; keys are texts of up to 1000 signs. */
export const keyOf = ({ calendar, start, uid }: ShownMeeting): string => `${calendar.id} ${start} ${uid}`;

/** The meeting of that name, if it is still there. */
export function meetingOf(engine: DuelineEngine, key: string): ShownMeeting | undefined {
  const start = Number(key.split(' ')[1]);
  if (!Number.isFinite(start)) return undefined;
  const day = dayOfCivil(start);
  return engine.meetings.between(day, day).find(meeting => keyOf(meeting) === key);
}

/** When it is: its days, or its time with the day. */
export function meetingWhen(meeting: ShownMeeting, style: DateStyle): string {
  if (meeting.isAllDay) return dayRange(dayOfCivil(meeting.start), dayOfCivil(meeting.end - dayMs));
  const { start, end } = momentsOf(meeting, style.clock.timeZone);
  return end - start < dayMs ? timeRange(start, end, style) : `${stampLabel(start, style)} – ${stampLabel(end, style)}`;
}

/** Everything about it in lines, for a hover. */
export function meetingDetail(meeting: ShownMeeting, style: DateStyle): string {
  const { title, location, link, text, calendar } = meeting;
  const lines = [title, meetingWhen(meeting, style), location, link === location ? undefined : link, calendar.name];
  return [...lines, text && `\n${text}`].filter(Boolean).join('\n');
}
