import type { DuelineEngine } from '../../api';
import type { ShownMeeting } from '../../core/meetings/calendars';
import { meetingsOn, momentsOf, nextMeeting } from '../../core/meetings/days';
import { type DayRow, type HourSlot, hourSlots } from '../../core/meetings/hourSlots';
import { type Day, type DayBounds, dayBounds, dayOf } from '../../core/time/dates';
import { briefName, isolate, t } from '../../shared/l10n';
import type { Control, DayMeetings, Frame, MeetingView } from '../../shared/widgetProtocol';
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

/**
 * Returns the meetings of each of the days, undefined if it has none. If its rows are by time, they are passed, and the
 * meetings get their slots among them.
 */
export function meetingsOfDays({ engine, style }: WidgetContext, days: readonly Day[]) {
  const all = setting('dueline.meetings.show') ? engine.meetings.between(days[0]!, days.at(-1)!) : [];
  const { timeZone } = style.clock;
  return (day: Day, rows?: () => readonly DayRow[]): DayMeetings | undefined => {
    if (all.length === 0) return undefined;
    const bounds = dayBounds(day, timeZone, style.startHour);
    const own = meetingsOn(all, bounds, timeZone);
    if (own.length === 0) return undefined;
    const first = own.slice(0, maxOfDay);
    const slots = rows ? hourSlots(first, rows(), bounds, timeZone) : new Map<ShownMeeting, HourSlot>();
    const shown = first.map(meeting => ({
      ...viewOf(meeting, style, timeOn(meeting, bounds, style)),
      ...slotOf(meeting, style, slots.get(meeting)),
    }));
    const more = own.length - shown.length;
    return { shown, ...(more > 0 ? { more } : {}) };
  };
}

/** A range over midnight would have dates. */
function slotOf(
  meeting: ShownMeeting,
  style: WidgetContext['style'],
  slot: HourSlot | undefined,
): Pick<MeetingView, 'slot' | 'range'> {
  if (!slot) return {};
  const { timeZone } = style.clock;
  const { start, end } = momentsOf(meeting, timeZone);
  const isOneDay = dayOf(start, 'UTC', timeZone) === dayOf(end, 'UTC', timeZone);
  return { slot, ...(isOneDay ? { range: timeRange(start, end, style) } : {}) };
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
