import { messageTable } from '../kernel/message';

/** The messages about iCalendar data (RFC 5545). */
export const icalMessage = messageTable({
  todoWithoutUid: 'A VTODO has no UID',
  todoNotClosed: 'A VTODO is not closed',
  repeatedTodo: 'The text contains the same VTODO twice',
  lineOutsideCalendar: 'A line is outside the calendar',
  noCalendar: 'The text does not contain a VCALENDAR',
  emptyText: 'The text is empty',
  notCalendarData: 'The text is not iCalendar data',
  notAProperty: 'Not a property: {0}',
  unknownTimeZone: 'Unknown time zone “{0}”',
  unreadableValue: '{0} has a value that cannot be read: {1}',
});
