import type { DuelineEngine } from '../../api';
import type { ShownMeeting } from '../../core/meetings/calendars';
import { meetingsOn, momentsOf, nextMeeting } from '../../core/meetings/days';
import { type Day, dayBounds } from '../../core/time/dates';
import { t } from '../../shared/l10n';
import type { Control, Frame, MeetingView } from '../../shared/widgetProtocol';
import { setting } from '../../ui/settings/settings';
import { clockTime, timeRange } from '../../ui/text/dateText';
import { keyOf, meetingDetail } from '../../ui/text/meetingText';
import type { WidgetContext } from './widgetContext';

/** The meetings of a day that a page gets at most. */
const maxOfDay = 30;

/** The button that shows and hides them, if there is a calendar. */
export const meetingsControl = ({ meetings }: DuelineEngine): Control[] =>
  meetings.calendars.length === 0
    ? []
    : [{ act: 'toggleMeetings', label: t('Meetings'), isPressed: setting('dueline.meetings.show') }];

/** The meetings of each day that has any. */
export function meetingsOfDays(
  { engine, style }: WidgetContext,
  days: readonly Day[],
): ReadonlyMap<Day, readonly MeetingView[]> {
  const all = setting('dueline.meetings.show') ? engine.meetings.between(days[0]!, days.at(-1)!) : [];
  const found = new Map<Day, readonly MeetingView[]>();
  if (all.length === 0) return found;
  const { timeZone } = style.clock;
  for (const day of days) {
    const own = meetingsOn(all, dayBounds(day, timeZone, style.startHour), timeZone).slice(0, maxOfDay);
    if (own.length > 0)
      found.set(
        day,
        own.map(meeting => viewOf(meeting, style, clockTime(momentsOf(meeting, timeZone).start, style))),
      );
  }
  return found;
}

/** The line on top of Today. */
export function nextMeetingOf({ engine, style, now }: WidgetContext): Pick<Frame, 'meeting'> {
  if (!setting('dueline.meetings.show')) return {};
  const { timeZone } = style.clock;
  const { instantEnd } = dayBounds(now, timeZone, style.startHour);
  const found = nextMeeting(engine.meetings.between(now, now), style.clock.now(), instantEnd, timeZone);
  if (!found) return {};
  const { meeting, freeFrom, freeUntil } = found;
  const { start, end } = momentsOf(meeting, timeZone);
  const view = viewOf(meeting, style, timeRange(start, end, style));
  return { meeting: { view, after: afterwards() } };

  function afterwards(): string {
    if (freeFrom > end) return t('free from {0}', clockTime(freeFrom, style));
    return freeUntil === undefined ? t('then free') : t('free until {0}', clockTime(freeUntil, style));
  }
}

const viewOf = (meeting: ShownMeeting, style: WidgetContext['style'], time: string): MeetingView => ({
  key: keyOf(meeting),
  title: meeting.title || t('(no title)'),
  hover: meetingDetail(meeting, style),
  ...(meeting.isAllDay ? {} : { time }),
  ...(meeting.calendar.color === null ? {} : { color: meeting.calendar.color }),
  ...(meeting.isBusy ? {} : { isFree: true }),
});
