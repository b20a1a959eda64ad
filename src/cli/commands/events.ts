import type { DuelineEngine } from '../../api';
import { timeOptions } from '../../core/kernel/dateFormats';
import type { ShownMeeting } from '../../core/meetings/calendars';
import { meetingsOn, momentsOf } from '../../core/meetings/days';
import { sanitize } from '../../core/text/cleanText';
import { dayBounds, isoText, today, wallOf } from '../../core/time/dates';
import { type Output, padded, widthOf } from '../output';

/** The meetings of today, from the calendars that were chosen in the editor. */
export async function eventsOfToday(engine: DuelineEngine): Promise<readonly ShownMeeting[]> {
  const { clock, settings, meetings } = engine;
  await meetings.open();
  const day = today(clock, settings.dayStartHour);
  return meetingsOn(meetings.between(day, day), dayBounds(day, clock.timeZone, settings.dayStartHour), clock.timeZone);
}

/** A line for each: its time, its title, its location, its calendar. */
export function eventRows(engine: DuelineEngine, out: Output, events: readonly ShownMeeting[]): string {
  const { timeZone } = engine.clock;
  const options = { ...timeOptions(engine.settings.timeFormat), timeZone: 'UTC' } as const;
  const format = new Intl.DateTimeFormat(engine.locale, options);
  const timeOf = (event: ShownMeeting) => {
    if (event.isAllDay) return 'all day';
    const { start, end } = momentsOf(event, timeZone);
    return sanitize([start, end].map(value => format.format(wallOf(value, timeZone))).join('–'));
  };
  const times = events.map(timeOf);
  const width = Math.max(...times.map(widthOf));
  const lines = events.map(({ title, location, calendar }, at) => {
    const where = location === undefined ? '' : ` (${sanitize(location)})`;
    const name = out.styled(sanitize(calendar.name), 'dim');
    return `${out.styled(padded(times[at]!, width), 'cyan')}  ${sanitize(title) || '(no title)'}${where}  ${name}`;
  });
  return lines.join('\n');
}

/** A meeting in `--json`. Names and meanings stay as they are within a version. */
export function eventJson({ uid, title, start, end, isAllDay, isFloating, ...event }: ShownMeeting) {
  const text = (value: number) => {
    const iso = isoText(value);
    if (isAllDay) return iso.slice(0, 10);
    return isFloating ? iso.slice(0, 19) : iso.replace('.000Z', 'Z');
  };
  const { location = null, link = null, isBusy, isPrivate, calendar } = event;
  const dates = { start: text(start), end: text(end), isAllDay };
  return { uid, title, ...dates, location, link, isBusy, isPrivate, calendar: calendar.name };
}
