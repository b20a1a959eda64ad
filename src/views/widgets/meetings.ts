import type { DuelineEngine } from '../../api';
import type { ShownMeeting } from '../../core/meetings/calendars';
import { meetingsOn, momentsOf, nextMeeting } from '../../core/meetings/days';
import { type Day, type DayBounds, dayBounds } from '../../core/time/dates';
import { briefName, isolate, t } from '../../shared/l10n';
import type { Control, Frame, GroupView, MeetingView } from '../../shared/widgetProtocol';
import { setting } from '../../ui/settings/settings';
import { clockTime, timeRange } from '../../ui/text/dateText';
import { localize } from '../../ui/text/errorText';
import { keyOf, meetingDetail } from '../../ui/text/meetingText';
import type { WidgetContext } from './widgetContext';

/** The meetings of a day that a page gets at most; more are counted. */
const maxOfDay = 30;

/** The button that shows and hides them, if there is a calendar; with a sign if one could not be read. */
export function meetingsControl({ meetings: { calendars } }: DuelineEngine): Control[] {
  if (calendars.length === 0) return [];
  const problems = calendars.flatMap(({ name, problem }) =>
    problem ? [t('{0}: {1}', isolate(briefName(name)), localize(problem))] : [],
  );
  const isPressed = setting('dueline.meetings.show');
  const problem = problems.length > 0 ? { problem: problems.join('\n') } : {};
  return [{ act: 'toggleMeetings', label: t('Meetings'), isPressed, ...problem }];
}

/** The meetings of each day that has any. */
export function meetingsOfDays(
  { engine, style }: WidgetContext,
  days: readonly Day[],
): ReadonlyMap<Day, Pick<GroupView, 'meetings' | 'moreMeetings'>> {
  const all = setting('dueline.meetings.show') ? engine.meetings.between(days[0]!, days.at(-1)!) : [];
  const found = new Map<Day, Pick<GroupView, 'meetings' | 'moreMeetings'>>();
  if (all.length === 0) return found;
  const { timeZone } = style.clock;
  for (const day of days) {
    const bounds = dayBounds(day, timeZone, style.startHour);
    const own = meetingsOn(all, bounds, timeZone);
    if (own.length === 0) continue;
    const meetings = own.slice(0, maxOfDay).map(meeting => viewOf(meeting, style, timeOn(meeting, bounds, style)));
    const more = own.length - meetings.length;
    found.set(day, { meetings, ...(more > 0 ? { moreMeetings: more } : {}) });
  }
  return found;
}

/** When it begins; on a later day, when it ends. Undefined for a day that it lasts all of. */
function timeOn(
  meeting: ShownMeeting,
  { instantStart, instantEnd }: DayBounds,
  style: WidgetContext['style'],
): string | undefined {
  const { start, end } = momentsOf(meeting, style.clock.timeZone);
  if (start >= instantStart) return clockTime(start, style);
  return end < instantEnd ? t('until {0}', clockTime(end, style)) : undefined;
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

const viewOf = (meeting: ShownMeeting, style: WidgetContext['style'], time: string | undefined): MeetingView => ({
  key: keyOf(meeting),
  title: meeting.title || t('(no title)'),
  hover: meetingDetail(meeting, style),
  ...(meeting.isAllDay || time === undefined ? {} : { time }),
  ...(meeting.calendar.color === null ? {} : { color: meeting.calendar.color }),
  ...(meeting.isBusy ? {} : { isFree: true }),
});
