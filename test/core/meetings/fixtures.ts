import ICAL from 'ical.js';
import type { MeetingWindow } from '../../../src/core/meetings/meeting';
import { fromWall } from '../../../src/core/time/dates';

export const event = (uid: string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20250101T000000Z',
  ...lines,
  'END:VEVENT',
];

type Fixture = readonly [name: string, ...lines: string[]];

const daily = 'RRULE:FREQ=DAILY;COUNT=6';
const tz = (name: string, value: string, zone = 'Europe/Berlin') => `${name};TZID=${zone}:${value}`;
const titled = (...lines: string[]) => event('u1', 'SUMMARY:A', ...lines);
const moved = (id: string, ...lines: string[]) => event('u1', 'SUMMARY:B', id, ...lines);
const utc = ['DTSTART:20260401T100000Z', 'DTEND:20260401T110000Z'];
const berlin = [tz('DTSTART', '20260325T093000'), tz('DTEND', '20260325T101500')];
const newYork = [tz('DTSTART', '20260305T200000', 'America/New_York'), 'DURATION:PT90M'];
const allDay = ['DTSTART;VALUE=DATE:20260330', 'DTEND;VALUE=DATE:20260331'];
const floating = ['DTSTART:20260327T023000', 'DURATION:PT1H'];

/** A zone that only its VTIMEZONE describes. Its offsets are those of Berlin. */
export const ownZone = (tzid: string) => [
  ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', 'DTSTART:16010101T030000'],
  ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
  ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
];
const own = (...lines: string[]) => [
  ...ownZone('Own'),
  ...titled(tz('DTSTART', '20260401T093000', 'Own'), 'DTEND:20260401T080000Z', ...lines),
];

/** Calendars as people have them; each shows something between March and May 2026. */
export const eventFixtures: readonly Fixture[] = [
  ['UTC', ...titled(...utc)],
  ['a zone', ...titled(...berlin)],
  ['floating', ...titled('DTSTART:20260401T100000', 'DTEND:20260401T113000')],
  ['a duration', ...titled(...newYork)],
  ['no end', ...titled('DTSTART:20260401T100000Z')],
  ['a whole day', ...titled(...allDay)],
  ['a whole day without an end', ...titled('DTSTART;VALUE=DATE:20260330')],
  ['several days', ...titled('DTSTART;VALUE=DATE:20260330', 'DTEND;VALUE=DATE:20260404')],
  ['several days as a duration', ...titled('DTSTART;VALUE=DATE:20260330', 'DURATION:P3D')],
  ['over midnight', ...titled('DTSTART:20260401T220000Z', 'DTEND:20260402T030000Z')],
  ['from before the window', ...titled('DTSTART;VALUE=DATE:20260220', 'DTEND;VALUE=DATE:20260305')],
  ['daily in UTC', ...titled(...utc, daily)],
  ['daily over the change of clocks', ...titled(...berlin, daily)],
  ['daily over the change in New York', ...titled(...newYork, daily)],
  ['daily at an hour that a change leaves out', ...titled(...floating, daily)],
  ['weekdays', ...titled(...berlin, 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=12')],
  ['every other week', ...titled(...berlin, 'RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4')],
  ['monthly by weekday', ...titled(...berlin, 'RRULE:FREQ=MONTHLY;BYDAY=-1WE;COUNT=3')],
  ['monthly by date', ...titled(...allDay, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=30;COUNT=3')],
  ['yearly since long', ...titled('DTSTART;VALUE=DATE:19800412', 'RRULE:FREQ=YEARLY')],
  ['weekly since long', ...titled(tz('DTSTART', '20150105T090000'), 'DURATION:PT15M', 'RRULE:FREQ=WEEKLY;BYDAY=MO')],
  ['until an instant', ...titled(...utc, 'RRULE:FREQ=DAILY;UNTIL=20260404T100000Z')],
  ['until a day', ...titled(...allDay, 'RRULE:FREQ=DAILY;UNTIL=20260404')],
  ['endless', ...titled(...utc, 'RRULE:FREQ=WEEKLY')],
  ['whole days, weekly', ...titled(...allDay, 'RRULE:FREQ=WEEKLY;COUNT=4')],
  ['EXDATE', ...titled(...berlin, daily, tz('EXDATE', '20260327T093000'))],
  ['EXDATE of several', ...titled(...utc, daily, 'EXDATE:20260402T100000Z,20260403T100000Z')],
  ['EXDATE of days', ...titled(...allDay, daily, 'EXDATE;VALUE=DATE:20260401')],
  ['EXDATE of the first', ...titled(...berlin, daily, tz('EXDATE', '20260325T093000'))],
  ['RDATE', ...titled(...utc, daily, 'RDATE:20260415T080000Z')],
  ['RDATE alone', ...titled(...utc, 'RDATE:20260401T100000Z,20260415T080000Z,20260416T080000Z')],
  ['RDATE of days', ...titled(...allDay, daily, 'RDATE;VALUE=DATE:20260420')],
  [
    'an override',
    ...titled(...utc, daily),
    ...moved('RECURRENCE-ID:20260403T100000Z', 'DTSTART:20260403T150000Z', 'DTEND:20260403T160000Z'),
  ],
  [
    'an override in a zone',
    ...titled(...berlin, daily),
    ...moved(tz('RECURRENCE-ID', '20260327T093000'), tz('DTSTART', '20260328T080000'), tz('DTEND', '20260328T090000')),
  ],
  [
    'an override before its series',
    ...moved('RECURRENCE-ID:20260403T100000Z', 'DTSTART:20260403T150000Z'),
    ...titled(...utc, daily),
  ],
  [
    'an override of a day',
    ...titled(...allDay, daily),
    ...moved('RECURRENCE-ID;VALUE=DATE:20260401', 'DTSTART;VALUE=DATE:20260402', 'DTEND;VALUE=DATE:20260404'),
  ],
  [
    'two overrides',
    ...titled(...utc, daily),
    ...['03', '05'].flatMap(day =>
      moved(`RECURRENCE-ID:202604${day}T100000Z`, `DTSTART:202604${day}T120000Z`, 'DURATION:PT5M'),
    ),
  ],
  [
    'this and future',
    ...titled(...utc, daily),
    ...moved(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20260403T100000Z',
      'DTSTART:20260403T150000Z',
      'DTEND:20260403T170000Z',
    ),
  ],
  [
    'this and future in a zone',
    ...titled(...berlin, daily),
    ...moved(
      `RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260327T093000`,
      tz('DTSTART', '20260327T140000'),
      tz('DTEND', '20260327T150000'),
    ),
  ],
  [
    'this and future with one of its own',
    ...titled(...utc, daily),
    ...moved(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20260403T100000Z',
      'DTSTART:20260403T150000Z',
      'DTEND:20260403T170000Z',
    ),
    ...moved('RECURRENCE-ID:20260405T100000Z', 'DTSTART:20260405T070000Z', 'DTEND:20260405T080000Z'),
  ],
  ['two series', ...titled(...utc, daily), ...event('u2', 'SUMMARY:C', ...berlin, 'RRULE:FREQ=DAILY;COUNT=3')],
  [
    'EXDATE and an override',
    ...titled(...utc, daily, 'EXDATE:20260402T100000Z'),
    ...moved('RECURRENCE-ID:20260404T100000Z', 'DTSTART:20260404T060000Z', 'DTEND:20260404T063000Z'),
  ],
  ['a zone of its own until an instant', ...own('RRULE:FREQ=DAILY;UNTIL=20260403T073000Z')],
  ['a zone of its own, EXDATE in UTC', ...own(daily, 'EXDATE:20260402T073000Z,20260404T073000Z')],
  ['a zone of its own, RDATE in UTC', ...own(daily, 'RDATE:20260415T080000Z')],
  [
    'a zone of its own, an override in UTC',
    ...own(daily),
    ...moved('RECURRENCE-ID:20260402T073000Z', tz('DTSTART', '20260402T120000', 'Own'), 'DURATION:PT1H'),
  ],
];

/** The occurrences in the window, as ical.js has them; of a zone that the text does not describe it keeps the name, so its wall clocks are read as IANA has them. */
export function expandedByIcalJs(text: string, { from, to }: MeetingWindow): string[] {
  const root = new ICAL.Component(ICAL.parse(text));
  const ownNames = root.getAllSubcomponents('vtimezone').map(one => one.getFirstPropertyValue('tzid'));
  const events = root.getAllSubcomponents('vevent').map(one => new ICAL.Event(one));
  const found: [start: number, line: string][] = [];
  const take = (item: ICAL.Event, start: ICAL.Time, end: ICAL.Time) => {
    const [begin, last] = [start, end].map(time => {
      const { year, month, day, hour, minute, second } = time;
      const wall = Date.UTC(year, month - 1, day, hour, minute, second);
      const tzid = item.component.getFirstProperty('dtstart')!.getFirstParameter('tzid');
      if (ownNames.includes(String(tzid))) return time.toUnixTime() * 1000;
      return tzid ? fromWall(wall, String(tzid)) : wall;
    }) as [number, number];
    if (begin < to && Math.max(last, begin + 1) > from)
      found.push([begin, `${item.summary} ${new Date(begin).toISOString()} ${(last - begin) / 60_000}`]);
  };
  for (const master of events.filter(one => !one.isRecurrenceException())) {
    for (const one of events) if (one.isRecurrenceException() && one.uid === master.uid) master.relateException(one);
    if (!master.isRecurring()) {
      take(master, master.startDate, master.endDate);
      continue;
    }
    const walk = master.iterator();
    for (let next = walk.next(); next && next.year < 2027; next = walk.next()) {
      const { item, startDate, endDate } = master.getOccurrenceDetails(next);
      take(item, startDate, endDate);
    }
  }
  return found.map(([, line]) => line).sort();
}
